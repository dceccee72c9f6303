/** The outcome of a check. */
import type { CheckResult } from '../../contracts/record.ts';
import { asRedacted, type Redacted } from '../../redaction/types.ts';
import { Nonconformance, Verdict } from '../verdict.ts';

/** The result of one check of a requirement, redacted. */
export interface Outcome extends CheckResult {
  requirement: string;
  message: Redacted;
  /** Whether it was blocked because an answer was lost, the second time, too. */
  isLost?: true;
  /** Whether it was blocked because money goes missing, and the run may lose no more. */
  isUnmoved?: true;
}

/** What checks come to once all of them are done. */
export const concluded = (outcomes: readonly Outcome[]): Outcome[] => withoutUnmoved(withoutLost(outcomes));

const CONSERVES = 'cards.transfer.conserves-money';

/**
 * Money that goes missing blocks what would move more of it. Where what judges just that was tried, and does not accuse, somebody else may use the
 * cards (reading 49): then it is inconclusive.
 */
function withoutUnmoved(outcomes: readonly Outcome[]): Outcome[] {
  const judged = outcomes.filter(({ requirement }) => requirement === CONSERVES).map(({ verdict }) => verdict);
  const isTried = judged.includes('passed') || judged.includes('inconclusive');
  const isCleared = isTried && !judged.includes('failed') && !judged.includes('blocked');
  return outcomes.map(({ isUnmoved, ...one }) =>
    isUnmoved && isCleared
      ? {
          ...one,
          verdict: 'inconclusive',
          message: asRedacted(
            `not sent: money seems to go missing, by transfers or by somebody else who uses the cards (${CONSERVES} does not accuse); a run then moves no more than RUN_MAX_LOSS`,
          ),
        }
      : one,
  );
}

/**
 * Leaves out the checks that an answer was lost to, where others of their requirement have seen it kept or broken: what was lost is one row less
 * to judge by, and blocks a requirement only where none is left (reading 51).
 */
function withoutLost(outcomes: readonly Outcome[]): Outcome[] {
  const isSeen = ({ verdict }: Outcome) => verdict === 'passed' || verdict === 'failed';
  const seen = new Set(outcomes.filter(isSeen).map(({ requirement }) => requirement));
  return outcomes.map(({ isLost, ...one }) =>
    isLost && seen.has(one.requirement)
      ? {
          ...one,
          verdict: 'notApplicable',
          message: asRedacted(`the other checks judge it, since an answer was lost: ${one.message}`),
        }
      : one,
  );
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
