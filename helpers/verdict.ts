/** Verdicts: the exceptions by which a check ends early, and steps, which keep the verdict that ended them. */
import type { CheckResult, Difference, Retrial } from '../contracts/record.ts';

/** Ends a check with a verdict, as opposed to a bug in the suite. */
export abstract class Verdict extends Error {
  abstract readonly verdict: CheckResult['verdict'];
}

/** The target contradicts the requirement. */
export class Nonconformance extends Verdict {
  readonly verdict = 'failed';
  /** Expected and actual values for the report; undefined if the message says everything. */
  readonly difference: Difference | undefined;
  /** Id of the exchange that shows the failure, or whose effect does; undefined if several do. */
  readonly shownBy: string | undefined;
  /** How the failure was reproduced; undefined if one exchange shows it by itself. */
  readonly retrial: Retrial | undefined;
  constructor(message: string, difference?: Difference, shownBy?: string, retrial?: Retrial) {
    super(message);
    this.difference = difference;
    this.shownBy = shownBy;
    this.retrial = retrial;
  }
}
/** The check ran, but the target's answers allowed no conclusion. */
export class Inconclusive extends Verdict {
  readonly verdict = 'inconclusive';
  /** Id in changes.ndjson of a sent request that may or may not have been carried out. */
  readonly change: string | undefined;
  /** See {@link Blocked.isLoss}: the second answer says nothing, since the first was lost. */
  readonly isLoss: boolean;
  constructor(message?: string, about: { change?: string | undefined; isLoss?: boolean } = {}) {
    super(message);
    this.change = about.change;
    this.isLoss = about.isLoss ?? false;
  }
}
/** What the requirement presupposes never occurred, though a request that could bring it about was sent. */
export class NotApplicable extends Verdict {
  readonly verdict = 'notApplicable';
}
/** Not tried, by choice or for lack of a fixture, allowed risk or scope; the message names what to supply. */
export class Skipped extends Verdict {
  readonly verdict = 'skipped';
}
/** Could not be tried: something before it failed, the target was unavailable, or the run was out of time. */
export class Blocked extends Verdict {
  readonly verdict = 'blocked';
  /** Id in changes.ndjson of a sent request that may or may not have been carried out. */
  readonly change: string | undefined;
  /** Whether an answer arrived, though an unreadable one. */
  readonly answered: boolean;
  /** Whether this one answer was lost, or the target was unavailable for a moment: the same may be tried with another request. */
  readonly isLoss: boolean;
  constructor(message?: string, about: { change?: string | undefined; answered?: boolean; isLoss?: boolean } = {}) {
    super(message);
    this.change = about.change;
    this.answered = about.answered ?? false;
    this.isLoss = about.isLoss ?? false;
  }
}

/**
 * Ends a check as failed.
 * @param more.in the answer that shows the failure, or whose effect does; absent if several do
 * @param more.pointer to the member that shows it
 * @param more.retrial how it was reproduced
 * @throws Nonconformance always
 */
export function fail(
  message: string,
  expected?: string,
  actual = '',
  more: { in?: { exchange: string } | undefined; pointer?: string | undefined; retrial?: Retrial | undefined } = {},
): never {
  if (expected === undefined) throw new Nonconformance(message);
  const { in: answer, pointer, retrial } = more;
  const difference = { expected, actual, ...(pointer !== undefined && { pointer }) };
  throw new Nonconformance(message, difference, answer?.exchange, retrial);
}
export function inconclusive(reason: string): never {
  throw new Inconclusive(reason);
}
export function notApplicable(reason: string): never {
  throw new NotApplicable(reason);
}
export function skip(reason: string): never {
  throw new Skipped(reason);
}

/** Whether an error ended something because an answer was lost. */
export const isLoss = (error: unknown): boolean =>
  (error instanceof Blocked || error instanceof Inconclusive) && error.isLoss;

/** The result of a step: a function that returns its value, or throws the error that ended it. */
export type Step<T> = () => T;

/** Runs a step of a scenario and keeps its value or error. Never throws. */
export async function attempt<T>(step: () => Promise<T>): Promise<Step<T>> {
  try {
    const facts = await step();
    return () => facts;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** Whether a step was ended by the loss of an answer. */
export function endedByLoss(step: Step<unknown>): boolean {
  try {
    step();
    return false;
  } catch (error) {
    return isLoss(error);
  }
}

/**
 * Runs every judgement, so that an inconclusive one does not hide a failure that another finds.
 * @throws the first Nonconformance, else the first other verdict
 */
export function judgeEach(judgements: Iterable<() => void>): void {
  let open: { error: unknown } | undefined;
  for (const judge of judgements)
    try {
      judge();
    } catch (error) {
      if (error instanceof Nonconformance) throw error;
      open ??= { error };
    }
  if (open) throw open.error;
}

/** The values of the steps that succeeded. @throws any error of a step that is not a verdict */
export function values<T>(steps: readonly Step<T>[]): T[] {
  return steps.flatMap((step) => {
    try {
      return [step()];
    } catch (error) {
      if (error instanceof Verdict) return [];
      throw error;
    }
  });
}
