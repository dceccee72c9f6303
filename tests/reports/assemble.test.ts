import { expect, test } from 'vitest';
import { readConfiguration } from '../../helpers/configuration/index.ts';
import type { Outcome } from '../../helpers/runner/outcome.ts';
import { assemble } from '../../run/assemble.ts';

const outcome = (name: string): Outcome => ({
  requirement: 'cards.get.unknown-identifier',
  name,
  verdict: 'inconclusive',
  message: `about ${name}`,
  durationMs: 1,
  exchanges: [],
});

test('the record does not depend on which check ended first', async () => {
  const configuration = await readConfiguration({ env: {}, options: { seed: '1' }, cwd: '/', withoutEnvFile: true });
  const ended = new Date(0);
  const recordOf = (outcomes: Outcome[]) =>
    assemble(configuration, {
      startedAt: ended,
      finishedAt: ended,
      outcomes,
      reachability: { reached: [], blocked: new Map() },
      facts: {
        requests: 0,
        observations: [],
        rotated: [],
        absent: [],
        notes: [],
        pools: [],
        fixtures: [],
        ended: undefined,
        interrupted: false,
      },
    });
  const [one, other] = [outcome('as a proxy'), outcome('of another form')];
  expect(recordOf([other, one])).toEqual(recordOf([one, other]));
});
