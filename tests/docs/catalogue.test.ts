import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CATALOGUE, cataloguePage } from '../../cli/catalogue.ts';
import { ROOT } from '../tools/root.ts';

test('docs/catalogue.md is up to date', async () => {
  const page = readFileSync(join(ROOT, CATALOGUE), 'utf8');
  expect(page, 'run npm run publish:catalogue').toBe(await cataloguePage());
});
