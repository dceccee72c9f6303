/** The outcome of a check. */
import type { CheckResult } from '../../contracts/record.ts';
import type { Redacted } from '../evidence/redaction/types.ts';
import { Blocked, Inconclusive, Nonconformance, NotApplicable, Skipped } from '../verdict.ts';

/** The result of one check of a requirement, redacted. */
export interface Outcome extends CheckResult {
  requirement: string;
  message: Redacted;
}

/** Converts a thrown verdict to a check's result; rethrows anything else, which is a bug in the suite. */
export function verdictOf(
  error: unknown,
): Pick<CheckResult, 'verdict' | 'message' | 'difference' | 'shownBy' | 'retrial'> {
  if (error instanceof Nonconformance) {
    const { message, difference, shownBy, retrial } = error;
    return { verdict: 'failed', message, difference, ...(shownBy ? { shownBy } : {}), ...(retrial ? { retrial } : {}) };
  }
  if (error instanceof Inconclusive) return { verdict: 'inconclusive', message: error.message };
  if (error instanceof NotApplicable) return { verdict: 'notApplicable', message: error.message };
  if (error instanceof Skipped) return { verdict: 'skipped', message: error.message };
  if (error instanceof Blocked) return { verdict: 'blocked', message: error.message };
  throw error;
}
