/** The proof that a hostile target comes to nothing. */
import { expect } from 'vitest';
import { promise } from '../../tests/docs/security/promises.ts';
import { soundRecord } from './outcome.ts';
import { type Ended, startRun } from './run.ts';
import { type Behaviour, hostileTarget, type Reach } from './target.ts';

/** Time limits of runs, in minutes: short, since some targets ask to be waited for; longer where the machine is too busy to reach the target within one. */
const MAX_MINUTES = ['0.02', '0.1', '0.5'];
/** Short, since some never answer. */
const TIMEOUT_MS = '1000';

/** Runs the suite. */
type Runner = (environment: Record<string, string>) => Promise<Ended>;

const asProcess: Runner = (environment) => startRun(environment).ended;

/** A whole run against such a target ends by itself, and says what it met. */
export async function endsInOrder(behaviour: Behaviour, reach: Reach, run: Runner = asProcess): Promise<void> {
  const target = await hostileTarget(behaviour, reach);
  for (const minutes of MAX_MINUTES) {
    const ended = await run({ ...target.environment, RUN_MAX_MINUTES: minutes, RUN_TIMEOUT_MS: TIMEOUT_MS });
    const record = soundRecord(ended);
    expect(ended.code).toBeOneOf([1, 2, 3]);
    expect(record.summary.verdict).not.toBe('conformant');
    if (target.met() > 0) break;
  }
  expect(target.met()).toBeGreaterThan(0);
  promise('hostile', `${expect.getState().currentTestName}`, { attempts: 1, held: 1 });
}
