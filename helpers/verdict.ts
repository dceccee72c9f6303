/** Verdicts: the exceptions by which a check ends early; and facts, which keep the verdict that ended a step. */
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
/**
 * Ends a check for something that another requirement accuses: it is accused once.
 * @param requirement the id of that one
 */
export function refer(reason: string, requirement: string): never {
  throw new Inconclusive(`${reason}: see ${requirement}`);
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

/**
 * What a step of a scenario gave, or the verdict that ended it.
 *
 * @example
 * const answer = await attempt(() => t.call('cards.suspend', { path: { identifier } }));
 * if (succeeded(answer.value)) ... // where it was not answered, `value` is undefined
 * expectSuccess(answer.get(), 'the suspension'); // where it was not answered, the check ends with the verdict that ended the step
 */
export class Fact<T> {
  /** Undefined where a verdict ended the step. */
  readonly value: T | undefined;
  /** The verdict that ended the step; undefined where it gave a value. */
  readonly ended: Verdict | undefined;

  constructor(value: T | undefined, ended?: Verdict) {
    this.value = value;
    this.ended = ended;
  }

  get isEnded(): boolean {
    return this.ended !== undefined;
  }

  /** Whether it was ended because an answer was lost. */
  get isLost(): boolean {
    return isLoss(this.ended);
  }

  /** The value. @throws the verdict that ended the step */
  get(): T {
    if (this.ended) throw this.ended;
    return this.value as T;
  }

  /** What is made of the value; ended by the same verdict where there is none. */
  map<Other>(make: (value: T) => Other): Fact<Other> {
    return new Fact(this.isEnded ? undefined : make(this.get()), this.ended);
  }
}

/** Runs a step of a scenario and keeps its value, or the verdict that ends it. @throws what is not a verdict: a bug in the suite */
export async function attempt<T>(step: () => T | Promise<T>): Promise<Fact<T>> {
  try {
    return new Fact(await step());
  } catch (error) {
    if (error instanceof Verdict) return new Fact<T>(undefined, error);
    throw error;
  }
}

/**
 * What a step gives; undefined where a verdict ended it, which is no concern of the one who asks.
 *
 * @example
 * const page = await optional(t.shared(firstCards)); // undefined where the listing is refused
 * await optional(t.call('cards.suspend', { path: { identifier } })); // whatever is answered is judged elsewhere
 *
 * @throws what is not a verdict: a bug in the suite
 */
export const optional = async <T>(step: T | Promise<T>): Promise<T | undefined> => (await attempt(() => step)).value;

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

/** Judges one after the other, each whatever another is judged to be. @throws as {@link judgeEach} */
export async function judgeInTurn<T>(all: Iterable<T>, judge: (one: T) => unknown): Promise<void> {
  const judged: Fact<unknown>[] = [];
  for (const one of all) judged.push(await attempt(() => judge(one)));
  judgeEach(judged.map((fact) => () => fact.get()));
}

/** Judges all at the same time, each whatever another is judged to be. @throws as {@link judgeEach} */
export async function judgeAtOnce<T>(all: readonly T[], judge: (one: T) => unknown): Promise<void> {
  const judged = await Promise.all(all.map((one) => attempt(() => judge(one))));
  judgeEach(judged.map((fact) => () => fact.get()));
}

/**
 * What rows gave, but those to which an answer was lost, as long as others are left: these judge without them (reading 51).
 * @throws the verdict that ended one of those; the loss where nothing is left
 */
export function leftOf<T>(rows: readonly Fact<T>[]): T[] {
  const left = rows.filter(({ isLost }) => !isLost);
  return (left.length > 0 ? left : rows).map((row) => row.get());
}

/** The values of the steps that no verdict ended. */
export const valuesOf = <T>(facts: readonly Fact<T>[]): T[] =>
  facts.filter(({ isEnded }) => !isEnded).map((fact) => fact.get());
