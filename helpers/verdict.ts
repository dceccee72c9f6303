/** How a check ends early: it throws one of these, and the verdict follows from which. */
import type { Difference } from '../contracts/record.ts';

/** What ends a check, and is no mistake of the suite. */
export abstract class Verdict extends Error {}

/** The target contradicts the requirement. */
export class Nonconformance extends Verdict {
  /** Expected and actual, for the report; undefined where the message says all. */
  readonly difference: Difference | undefined;
  /** Id of the exchange that shows it, or whose effect does; undefined where it is about several. */
  readonly shownBy: string | undefined;
  constructor(message: string, difference?: Difference, shownBy?: string) {
    super(message);
    this.difference = difference;
    this.shownBy = shownBy;
  }
}
/** Tried, but the target gave no way to tell. */
export class Inconclusive extends Verdict {}
/** What the requirement presupposes never came about, though a request that could bring it about was sent. */
export class NotApplicable extends Verdict {}
/** Not tried, by choice or for want of a fixture, of risk allowed or of scope; the message names what to supply. */
export class Skipped extends Verdict {}
/** Could not be tried: something before it failed, the target was unavailable, or the time was up. */
export class Blocked extends Verdict {
  /** Id in changes.ndjson of a request that was sent and that may or may not have been carried out. */
  readonly change: string | undefined;
  /** Whether an answer came, though none that can be read. */
  readonly answered: boolean;
  constructor(message?: string, about: { change?: string | undefined; answered?: boolean } = {}) {
    super(message);
    this.change = about.change;
    this.answered = about.answered ?? false;
  }
}

/**
 * @param difference.in the answer that shows it, or whose effect does; absent where it is about several
 * @throws Nonconformance always.
 */
export function fail(message: string, difference?: Difference & { in?: { exchange: string } | undefined }): never {
  if (!difference) throw new Nonconformance(message);
  const { in: answer, ...values } = difference;
  throw new Nonconformance(message, values, answer?.exchange);
}
/** @throws Inconclusive always. */
export function inconclusive(reason: string): never {
  throw new Inconclusive(reason);
}
/** @throws NotApplicable always. */
export function notApplicable(reason: string): never {
  throw new NotApplicable(reason);
}
/** @throws Skipped always. */
export function skip(reason: string): never {
  throw new Skipped(reason);
}
