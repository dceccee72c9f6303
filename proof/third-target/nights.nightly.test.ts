/** What a whole run condemns of somebody else's faults one night, those after it with the same history condemn, too (reading 52). */
import { expect, test } from 'vitest';
import { conductNights } from '../selfcheck/nights.ts';
import { condemns, runSuite, SEED } from '../selfcheck/run-suite.ts';
import { faults } from './faults.ts';
import { startThirdTarget } from './index.ts';

const NIGHTS = 4;
/** Of so many faults one is tried. */
const OF = 30;
/** The share of faults that nights have to condemn. */
const LEAST = 0.85;

/** On which nights a fault is condemned. */
async function condemnedOn(fault: string): Promise<boolean[]> {
  const nights = await conductNights(NIGHTS, SEED, async (_, configure) => {
    const { env, fixtures, close } = await startThirdTarget({ faults: [fault] });
    const environment = { ...env, RUN_RISK: 'irreversible', RUN_SETTLE_MS: '150' };
    return runSuite({ environment, fixtures: { ...fixtures } }, { configure }).finally(close);
  });
  return nights.map(({ outcomes }) => outcomes.some(condemns));
}

test('what one night condemns the next ones do, too', { timeout: 900_000 }, async () => {
  const sample = faults.filter((_, index) => index % OF === 1).map(({ name }) => name);
  const nights = new Map<string, boolean[]>();
  for (const name of sample) nights.set(name, await condemnedOn(name));
  const condemned = [...nights].filter(([, all]) => all.includes(true));
  expect(condemned.length / sample.length).toBeGreaterThanOrEqual(LEAST);
  const lost = condemned.filter(([, all]) => all.slice(all.indexOf(true)).includes(false));
  expect(lost).toEqual([]);
});
