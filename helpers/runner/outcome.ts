/** The outcome of a check. */
import type { CheckResult } from '../../contracts/record.ts';
import type { Redacted } from '../../redaction/types.ts';
import { Nonconformance, Verdict } from '../verdict.ts';

/** The result of one check of a requirement, redacted. */
export interface Outcome extends CheckResult {
  requirement: string;
  message: Redacted;
}

/** Converts a thrown verdict to a check's result; rethrows anything else, which is a bug in the suite. */
export function verdictOf(
  error: unknown,
): Pick<CheckResult, 'verdict' | 'message' | 'difference' | 'shownBy' | 'retrial'> {
  if (!(error instanceof Verdict)) throw error;
  const { verdict, message } = error;
  if (!(error instanceof Nonconformance)) return { verdict, message };
  const { difference, shownBy, retrial } = error;
  return { verdict, message, difference, ...(shownBy && { shownBy }), ...(retrial && { retrial }) };
}
