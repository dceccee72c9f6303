import { expect, test } from 'vitest';
import { readConfiguration } from '../../helpers/configuration/index.ts';
import type { Outcome } from '../../helpers/runner/outcome.ts';
import { asRedacted } from '../../redaction/types.ts';
import { assemble } from '../../run/assemble.ts';
import { nothingYet } from '../../run/unfinished.ts';

const outcome = (name: string): Outcome => ({
  requirement: 'cards.get.unknown-identifier',
  name,
  verdict: 'inconclusive',
  message: asRedacted(`about ${name}`),
  durationMs: 1,
  exchanges: [],
});

test('the record does not depend on which check ended first', async () => {
  const configuration = await readConfiguration({ env: {}, options: { seed: '1' }, cwd: '/', withoutEnvFile: true });
  const recordOf = (outcomes: Outcome[]) => assemble(configuration, { ...nothingYet(new Date(0)), outcomes });
  const [one, other] = [outcome('as a proxy'), outcome('of another form')];
  expect(recordOf([other, one])).toEqual(recordOf([one, other]));
});
