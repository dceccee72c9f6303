/** Lives of cards and sequences of logins in whole runs against the sandbox. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requirementById } from '../../contracts/requirements/index.ts';
import { parseFixtures } from '../../helpers/configuration/fixtures-file.ts';
import type { Outcome } from '../../helpers/runner/outcome.ts';
import type { Fault } from '../../proof/faults/fault.ts';
import { generatedFaults } from '../../proof/faults/generated.ts';
import { conductAgainst } from '../../proof/selfcheck/prove.ts';
import { ROOT } from '../tools/root.ts';

const isLife = ({ name }: Outcome) => name === 'in lives of cards';
const isSequence = ({ name }: Outcome) => name === 'in sequences of logins and logouts';
const isFailed = ({ verdict }: Outcome) => verdict === 'failed';
/** Number of exchanges that some checks made or looked at. */
const exchangesOf = (outcomes: readonly Outcome[]) => new Set(outcomes.flatMap(({ exchanges }) => exchanges)).size;

test('a sound target is left alone, with a limited number of requests at every risk; with the example of a fixtures file nothing is skipped for want of one', async () => {
  const example = readFileSync(join(ROOT, 'docs/fixtures.example.json'));
  const { outcomes, run } = await conductAgainst({}, [], (configuration) => {
    configuration.fixtures = parseFixtures(example);
  });
  expect(outcomes.filter((one) => isFailed(one) && requirementById(one.requirement).level === 'must')).toEqual([]);
  expect(outcomes.filter(({ message }) => message.includes('in the fixtures file'))).toEqual([]);
  const drawn = outcomes.filter((outcome) => isLife(outcome) || isSequence(outcome));
  expect(drawn.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
  expect(exchangesOf(outcomes.filter(isLife))).toBeLessThan(200);
  expect(run.transport.stats().requests).toBeLessThanOrEqual(1600);
  const safe = await conductAgainst({}, [], (configuration) => {
    configuration.run.risk = 'safe';
  });
  expect(safe.outcomes.filter(isFailed)).toEqual([]);
  expect(exchangesOf(safe.outcomes.filter(isSequence))).toBeLessThan(90);
  expect(safe.run.transport.stats().requests).toBeLessThanOrEqual(550);
});

const [suspendedTwice] = generatedFaults as [Fault];

test.each([3, 4])('lives alone condemn a card that is suspended twice and pays, with seed %i', async (seed) => {
  const { outcomes } = await conductAgainst(suspendedTwice.sandbox, suspendedTwice.condemns, ({ run }) => {
    run.seed = seed;
  });
  const failed = outcomes.filter(isFailed).filter(isLife);
  expect(failed.map(({ requirement }) => requirement)).toEqual(suspendedTwice.condemns);
  for (const { message } of failed) expect(message).toMatch(new RegExp(`^step \\d+ of life \\d of --seed ${seed} `));
});

test('a broken life is reported by its steps, in words', async () => {
  const { sandbox, condemns } = suspendedTwice;
  const failed = (await conductAgainst(sandbox, condemns)).outcomes.filter(isLife).find(isFailed);
  expect(failed?.message).toContain(
    'suspend the first card, suspend the first card, transfer 1.00 from the first card to the second',
  );
  expect(failed?.exchanges.length).toBeLessThan(40);
});
