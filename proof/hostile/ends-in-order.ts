/** The proof that a hostile target comes to nothing. */
import { expect } from 'vitest';
import { promise } from '../../tests/docs/security/promises.ts';
import { soundRecord } from './outcome.ts';
import { type Ended, startRun } from './run.ts';
import { type Behaviour, hostileTarget, type Reach } from './target.ts';

/** Long enough for a run that is not stopped by it, short enough for the targets that ask to be waited for. */
const MAX_MINUTES = '0.02';
/** Short, since some never answer. */
const TIMEOUT_MS = '1000';

/** Runs the suite. */
type Runner = (environment: Record<string, string>) => Promise<Ended>;

const asProcess: Runner = (environment) => startRun(environment).ended;

/** A whole run against such a target ends by itself, and says what it met. */
export async function endsInOrder(behaviour: Behaviour, reach: Reach, run: Runner = asProcess): Promise<void> {
  const target = await hostileTarget(behaviour, reach);
  const ended = await run({ ...target.environment, RUN_MAX_MINUTES: MAX_MINUTES, RUN_TIMEOUT_MS: TIMEOUT_MS });
  const record = soundRecord(ended);
  expect(ended.code).toBeOneOf([1, 2, 3]);
  expect(target.met()).toBeGreaterThan(0);
  expect(record.summary.verdict).not.toBe('conformant');
  promise('hostile', `${expect.getState().currentTestName}`, { attempts: 1, held: 1 });
}
