/** What would be a regression is tried in the forms of the baseline before the run ends (reading 52). */
import { expect, test } from 'vitest';
import { digested } from '../../contracts/past.ts';
import { faults } from '../../proof/faults/index.ts';
import { conduct } from '../../proof/selfcheck/prove.ts';
import { triedAsBaseline } from '../../run/as-baseline.ts';
import type { SandboxOptions } from '../../sandbox/index.ts';
import { sandboxFor } from '../tools/sandboxes.ts';

const ID = 'portal.getCIPCheck.zip-digits';
const SEED = 7;
/** Number of seeds that are tried until one shows a fault. */
const SEEDS = 20;

/** A night on a sandbox. @param before what the baseline tried; it passed there */
async function night(options: SandboxOptions, seed: number, before?: ReturnType<typeof digested>[]) {
  const { run, outcomes } = await conduct(await sandboxFor(options), { only: [ID] }, (configuration) =>
    Object.assign(configuration.run, {
      seed,
      baseline: before && 'yesterday',
      past: before ? [before] : [],
      before: before && { startedAt: '2026-05-01', passed: [ID], rotated: before },
    }),
  );
  return { configuration: run.configuration, outcomes, facts: run.facts() };
}

const fails = ({ outcomes }: Awaited<ReturnType<typeof night>>): boolean =>
  outcomes.some(({ requirement, verdict }) => requirement === ID && verdict === 'failed');

/**
 * A night in which the requirement fails, after a sound one that tried other forms: which have their turn depends on all operations that there are.
 * @param byOthers whether it does not fail by the forms of that one
 */
async function failingNight(options: SandboxOptions, byOthers: boolean) {
  for (let seed = SEED; seed < SEED + SEEDS; seed++) {
    const yesterday = (await night({}, seed)).facts.rotated.map(digested);
    const tonight = await night(options, seed + 1, yesterday);
    if (fails(tonight) && fails(await night(options, seed)) !== byOthers) return tonight;
  }
  throw new Error(`no night of ${SEEDS} seeds shows the fault`);
}

test.each([
  ['a zip of one digit too many', 'CIP: one digit more in zip', 'failed'],
  ['one form alone', 'portal: a zip is read into 32 bits', 'passed'],
])('a must that fails by forms that the baseline did not try: %s', async (_, name, verdict) => {
  const { sandbox } = faults.find((fault) => fault.name === name)!;
  const { configuration, ...found } = await failingNight(sandbox, verdict === 'passed');
  const { asBaseline, requests } = await triedAsBaseline(configuration, found, undefined);
  expect(asBaseline).toEqual({ startedAt: '2026-05-01', verdicts: [{ requirement: ID, verdict }] });
  expect(requests).toBeGreaterThan(found.facts.requests);
});

test('nothing is tried again where no baseline is, or the same forms fail', async () => {
  const { sandbox } = faults.find(({ name }) => name === 'CIP: one digit more in zip')!;
  const { configuration, ...found } = await night(sandbox, SEED);
  expect(await triedAsBaseline(configuration, found, undefined)).toBe(found.facts);
  const same = await night(sandbox, SEED, found.facts.rotated.map(digested));
  expect(await triedAsBaseline(same.configuration, same, undefined)).toBe(same.facts);
});
