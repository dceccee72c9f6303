/** Operations that change a card's state: tried with bad tokens and misnamed cards where they would succeed, then with a good token. */
import { ACTIVE } from '../../../../contracts/v3/cards.ts';
import { type Answer, describe, succeeded } from '../../../../helpers/answer.ts';
import { type Call, type CardState, isActive, readState } from '../../../../helpers/cards/card-state.ts';
import type { LeasedCard, PoolName } from '../../../../helpers/cards/pools.ts';
import { type Scenario, scenario } from '../../../../helpers/check.ts';
import { operationInScope } from '../../../../helpers/configuration/scope.ts';
import type { Context } from '../../../../helpers/context.ts';
import type { Probe } from '../../../../helpers/engine/guard.ts';
import { attempt, type Step, values } from '../../../../helpers/engine/step.ts';
import { expectSuccess } from '../../../../helpers/expect.ts';
import { fail, inconclusive, skip } from '../../../../helpers/verdict.ts';
import { callWithBadTokens } from '../../../shared/bad-tokens.ts';
import { perOperation } from '../../../shared/per-operation.ts';
import { namedInput } from '../../../shared/requests.ts';
import { callMisnamed } from '../../../shared/unknown-names.ts';
import { type Around, watching } from './around.ts';
import { setSomePin } from './pins.ts';

/** The outcome of an operation that changes a card's state. */
export interface Transition {
  before: CardState;
  badly: Step<Probe[]>;
  /** Answers to the same request for identifiers that resemble the card's. */
  misnamed: Step<Probe[]>;
  /** The state after the calls that must be refused, once an effect of them would show. */
  untouched: Step<CardState>;
  /** The answer with a good token, in the first way that was accepted. */
  answer: Step<Answer>;
  /** The state when the effect showed, confirmed by a second reading; if it did not last, the state without it. */
  after: Step<CardState>;
  /** The state after the plain request was refused, once an effect would show; inconclusive where it was accepted. */
  afterRefusal: Step<CardState>;
  /** What it leaves alone; inconclusive where it was refused. */
  around: Step<Around>;
}

/** @throws Skipped when cards.unsuspend is not in scope, so that a suspension could not be undone */
export function requireUnsuspendInScope(t: Context): void {
  if (!operationInScope(t.run.configuration, 'cards.unsuspend'))
    skip('needs cards.unsuspend, which is not in scope, to undo a suspension');
}

/** A preparation of the card that a target may require (reading 50): the document says 'Transitions: not shown'. */
export interface Way {
  name: string;
  /** @returns whether it was done */
  prepare: () => Promise<boolean>;
}

/** Sets a PIN first. */
export const withPin = (t: Context, identifier: string): Way => ({
  name: 'once it has a PIN',
  prepare: async () => values([await attempt(() => setSomePin(t, identifier))]).some(succeeded),
});

/**
 * Call before judging the answer to an operation that is also tried with a PIN.
 * @throws Inconclusive where it is refused and no PIN was accepted in this run: the target may require one, in a form that is not documented
 */
export function requirePinTried(t: Context, answer: Answer): void {
  if (succeeded(answer)) return;
  if (operationInScope(t.run.configuration, 'cards.setPin') && !t.run.history.wasAccepted('cards.setPin'))
    inconclusive('it is refused, and no PIN was accepted, which the target may require first');
}

/** Preparations that are possible for every card: encrypt-for-vde, a PIN, and a suspension. */
export const waysOf = (t: Context, identifier: string): Way[] => {
  const path = { identifier };
  const done = async (operation: string, json?: unknown) =>
    values([await attempt(() => t.call(operation, { path, json }, { intent: 'refusable' }))]).some(succeeded);
  return [
    { name: 'after encrypt-for-vde', prepare: () => done('cards.encryptForVde', {}) },
    withPin(t, identifier),
    { name: 'of a suspended card', prepare: () => done('cards.suspend') },
  ];
};

/**
 * Calls an operation that changes a card's state, first with bad tokens and misnamed cards, then with a good token, in each way until it is
 * accepted.
 * @param before current state of the card
 * @param isShown whether a state is one that the operation leads to
 * @param intent 'refusable' where the documents don't say whether the operation succeeds in the card's state
 * @param ways preparations to try one after the other if the plain request is refused
 */
export async function transition(
  t: Context,
  operation: string,
  identifier: string,
  before: CardState,
  isShown: (state: CardState) => boolean,
  { intent = 'valid', ways = [] }: { intent?: 'valid' | 'refusable'; ways?: readonly Way[] } = {},
): Promise<Transition> {
  const input = { path: { identifier } };
  const needs = (...of: readonly string[]) => t.needs(...of.map((name) => `${operation}.${name}`));
  const badly = await attempt(async () => (needs(...GUARD) ? callWithBadTokens(t, operation, input) : []));
  const misnamed = await attempt(async () =>
    needs('unknown-identifier') ? callMisnamed(t, operation, identifier) : [],
  );
  const untouched = await attempt(async () => {
    if (!needs(...GUARD, 'unknown-identifier', 'required-only')) return before;
    await t.settle();
    return t.confirmed(
      () => t.state(identifier),
      (state) => !differ(before, state),
    );
  });
  let afterRefusal: Step<CardState> | undefined;
  const ask = async () => {
    const answer = await t.call(operation, input, { intent });
    const read = () => t.state(identifier);
    if (!succeeded(answer)) afterRefusal ??= await attempt(() => t.eventually(read, (now) => areDistinct(before, now)));
    return answer;
  };
  const watched = await attempt(() =>
    needs('nothing-else') ? watching(t, operation, identifier, before) : inconclusive('it is not selected'),
  );
  const answer = await attempt(() => inAnyWay(t, ask, ways));
  const after = await attempt(async () => {
    const read = () => t.state(identifier);
    if (!succeeded(answer())) return read();
    const first = await t.shown(read, isShown);
    // A change that no record shows gets the settle time.
    if (first.status === undefined) await t.settle();
    return isShown(first) ? t.lasting(read, isShown) : first;
  });
  const around = await attempt(async () => {
    const readAgain = watched();
    return succeeded(answer()) ? readAgain() : inconclusive('it is refused');
  });
  for (const state of [before, ...values([untouched, after])]) observeNumber(t, state);
  if (values([answer]).some(succeeded))
    for (const state of values([after])) if (!isActive(state)) t.run.history.noteStatusAfter(operation, state.status);
  afterRefusal ??= () => inconclusive('it is accepted');
  return { before, badly, misnamed, untouched, afterRefusal, answer, after, around };
}

/** What requests with bad tokens show of an operation. */
const GUARD = ['requires-token', 'challenge'];

/** A scenario that contains a transition, run on one card and again on another. */
export interface TransitionSource {
  first: (t: Context) => Promise<Transition>;
  again: (t: Context) => Promise<Transition>;
}

/** The transition among the facts of a scenario. */
export function transitionIn<T>(
  played: Scenario<T>,
  of: (facts: T) => Transition,
  again = onceMore(played),
): TransitionSource {
  return {
    first: async (t) => of(await t.shared(played)),
    again: async (t) => of(await t.shared(again)),
  };
}

/** The same scenario on other cards: what both show was not caused by somebody else who uses the first cards. */
export const onceMore = <T>({ name, body }: Scenario<T>): Scenario<T> => scenario(`${name}, once more`, body);

/**
 * The effect of refused calls on a card, in words; undefined for none.
 * @throws Inconclusive when another card does not show it: somebody else may have changed the first one
 */
export async function effectOfRefused(t: Context, { first, again }: TransitionSource): Promise<string | undefined> {
  const { before, untouched } = await first(t);
  if (!differ(before, untouched())) return undefined;
  const seen = await attempt(async () => {
    const other = await again(t);
    return differ(other.before, other.untouched());
  });
  if (values([seen]).includes(false))
    inconclusive('one card changed after calls that were refused, but another did not');
  return `a card that was ${before.status} is ${untouched().status ?? 'no longer found'}`;
}

/** Repeats a request within the settle time (a target may have a cool-down), then after each preparation. @returns the first answer if all are refused */
export async function inAnyWay(t: Context, ask: () => Promise<Answer>, ways: readonly Way[]): Promise<Answer> {
  const first = await t.eventually(ask, succeeded);
  if (succeeded(first)) return first;
  for (const { prepare } of ways) {
    if (!(await prepare())) continue;
    const answer = await t.eventually(ask, succeeded);
    if (succeeded(answer)) return answer;
  }
  return first;
}

/**
 * Whether two states certainly differ. A record without a status shows nothing; one with another status but the same number of getStatus
 * was merely refreshed late. A card that was found before and is not found afterwards may have come to an end.
 */
const differ = (one: CardState, other: CardState): boolean =>
  (one.status !== undefined &&
    other.status !== undefined &&
    one.status !== other.status &&
    (one.statusNumber === undefined || one.statusNumber !== other.statusNumber)) ||
  (isFound(one) && isGone(other));

const isFound = ({ record }: CardState): boolean => record !== undefined && succeeded(record);
const isGone = ({ record }: CardState): boolean => record !== undefined && [404, 410].includes(record.status);

/** Whether two states have different statuses, even if only because a record was refreshed late. */
export const areDistinct = ({ status: one }: CardState, { status: other }: CardState): boolean =>
  one !== undefined && other !== undefined && one !== other;

/** Whether the plain request was refused but the card's state changed. */
const changedThough = ({ untouched, afterRefusal }: Transition): boolean =>
  values([untouched, afterRefusal]).length === 2 && areDistinct(untouched(), afterRefusal());

/**
 * Expects a refused request to have no effect (reading 10).
 * @throws Nonconformance when it had one; Inconclusive when another card does not show it: somebody else may have changed the first one
 */
export async function expectNotDoneThoughRefused(t: Context, { first, again }: TransitionSource, what: string) {
  const one = await first(t);
  if (succeeded(one.answer()) || !changedThough(one)) return;
  const others = values([await attempt(() => again(t))]);
  if (others.some((other) => !changedThough(other)))
    inconclusive('it is refused and the card is in another state afterwards, but a second card is not');
  fail(`${what} is refused, but takes place anyway`, {
    expected: 'a 2xx answer',
    actual: `${describe(one.answer())}, and a card that was ${one.untouched().status} is ${one.afterRefusal().status}`,
    in: one.answer(),
  });
}

/**
 * Expects the operation to be accepted.
 * @param isSeen whether something other than the record shows that the card is in the right state
 * @throws Nonconformance otherwise; Inconclusive where the card may not have been in the right state, a suspension that was accepted earlier
 * in this run is refused now, too, or the operation is accepted for another card
 */
export async function expectAcceptedInState(
  t: Context,
  source: TransitionSource,
  what: string,
  isSeen = false,
): Promise<void> {
  const { before, untouched, answer } = await source.first(t);
  if (succeeded(answer())) return;
  await expectNotDoneThoughRefused(t, source, what);
  if (before.status === undefined && !isSeen)
    inconclusive('it is refused, and nothing shows whether the card is in the right state for it');
  if (areDistinct(before, untouched()))
    inconclusive('it is refused, and the card had changed its state since it was leased');
  if (await isLimited(t, answer().operation.id))
    inconclusive('it is refused, but so is the suspension of an Active card now: the target has a limit of its own');
  if (await isAcceptedForAnother(t, answer().operation.id, async () => (await source.again(t)).answer()))
    inconclusive('it is refused, but accepted for another card: the target has a rule of its own');
  expectSuccess(answer(), what);
}

/** The pool whose cards an operation has to accept. */
const POOL_OF: Readonly<Record<string, PoolName>> = {
  'cards.encryptForVde': 'active',
  'cards.suspend': 'active',
  'cards.activate': 'unused',
  'cards.unmarkFraud': 'fraud',
  'cards.markWalletProvisioned': 'disposable',
  'cards.markLost': 'disposable',
  'cards.close': 'disposable',
};
/** Most further cards to try an operation on. */
const FURTHER = 6;

/** Whether an operation is accepted for any of some further cards. */
const takesFurther = perOperation(
  (operation) => `${operation} of further cards`,
  async (t, operation): Promise<boolean> => {
    const pool = POOL_OF[operation];
    const cards = pool ? values([await attempt(() => t.lease({ pool, upTo: FURTHER }))]).flat(2) : [];
    for (const { identifier } of cards)
      if (succeeded(await t.call(operation, namedInput(t, operation, identifier, identifier), { intent: 'refusable' })))
        return true;
    return false;
  },
);

/**
 * Whether an operation that is refused for one card is accepted for another, or for any of some further ones: a target's requirements for
 * cards are not documented (reading 50), and need not show.
 */
export async function isAcceptedForAnother(
  t: Context,
  operation: string,
  again: () => Promise<Answer>,
): Promise<boolean> {
  return values([await attempt(again)]).some(succeeded) || t.shared(takesFurther(operation));
}

/** Operations after which a card is no longer what its pool promises. */
const ENDS = ['cards.suspend', 'cards.markLost', 'cards.close'];

/**
 * Requires a card to have been in the state that its pool promises, which may be out of date.
 * @throws Inconclusive when it was Active, or had the status of cards that this run suspended, marked lost or closed, or of disposable cards
 * that an earlier run used up
 */
export async function requireNotSpent(t: Context, { before, untouched }: Transition): Promise<void> {
  const { status } = values([untouched])[0] ?? before;
  if (status === undefined) return;
  if (status === ACTIVE) inconclusive('the card is Active, but its pool promises otherwise');
  const ended = ENDS.find((operation) => t.run.history.statusesAfter(operation).has(status));
  if (ended) inconclusive(`the card is ${status}, as cards are after ${ended}: its pool may be spent`);
  if ((await t.known(statusesOfSpent)).has(status))
    inconclusive(`the card is ${status}, like a used-up card of cards.disposable: its pool may be spent, too`);
}

/** Statuses of the disposable cards that are no longer Active. */
const statusesOfSpent = scenario('disposable cards that were used up', async (t): Promise<Set<string | undefined>> => {
  const call: Call = (operation, input) => t.call(operation, input);
  const states = (t.fixtures.cards?.disposable ?? []).map((identifier) => readState(call, identifier));
  return new Set((await Promise.all(states)).filter((state) => !isActive(state)).map(({ status }) => status));
});

/** Whether suspending an Active card is refused, too, after an operation was. The card is released before others are leased. */
const refusesSuspension = perOperation(
  (operation) => `a suspension after ${operation} was refused`,
  async (t): Promise<boolean> => {
    const [[{ identifier }]] = (await t.lease({ pool: 'active' })) as [[LeasedCard]];
    return !succeeded(await t.call('cards.suspend', { path: { identifier } }, { intent: 'refusable' }));
  },
);

/** Whether an Active card cannot be suspended now, though one was in this run (reading 47). */
async function isLimited(t: Context, operation: string): Promise<boolean> {
  if (!t.run.history.wasAccepted('cards.suspend')) return false;
  return values([await attempt(() => t.shared(refusesSuspension(operation)))]).includes(true);
}

/** The state after an accepted operation. @throws Inconclusive where it was refused, or calls before it had changed the card */
export function requireStateAfter({ before, untouched, answer, after }: Transition): CardState {
  if (!succeeded(answer())) inconclusive(`it is refused with status ${answer().status}`);
  if (differ(before, untouched())) inconclusive('calls that must be refused had changed the card before');
  if (after().status === undefined) inconclusive('the record of the card carries no status');
  return after();
}

/** Observes which number of getStatus corresponds to a status of the record. */
function observeNumber(t: Context, { status, statusNumber }: CardState): void {
  if (status !== undefined && statusNumber !== undefined)
    t.observe('cards.getStatus', `the number of a card that is ${status}`, String(statusNumber));
}
