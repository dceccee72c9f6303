/** Sections of pages that commands write. */
import { expect, test } from 'vitest';
import { withSection } from './section.ts';

test('a section that is written again leaves the page as it was', () => {
  const page = withSection(withSection('# Page\n', 'selfcheck, causes', 'first'), 'mutate', 'second');
  const again = withSection(page, 'selfcheck, causes', 'first');
  expect(again).toBe(page);
  expect(again.match(/\n\n\n/)).toBeNull();
});
