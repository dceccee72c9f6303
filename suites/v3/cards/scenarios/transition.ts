/** An operation that changes the state of a card: tried with bad tokens and misnamed where it would succeed, then with a good one. */
import { ACTIVE } from '../../../../contracts/v3/cards.ts';
import { type Answer, describe, succeeded } from '../../../../helpers/answer.ts';
import { type Call, type CardState, isActive, readState } from '../../../../helpers/cards/card-state.ts';
import type { LeasedCard, PoolName } from '../../../../helpers/cards/pools.ts';
import { type Scenario, scenario } from '../../../../helpers/check.ts';
import { operationInScope } from '../../../../helpers/configuration/scope.ts';
import type { Context } from '../../../../helpers/context.ts';
import { expectSuccess } from '../../../../helpers/expect.ts';
import { fail, inconclusive, skip } from '../../../../helpers/verdict.ts';
import { callWithBadTokens, type Probe } from '../../../shared/bad-tokens.ts';
import { perOperation } from '../../../shared/per-operation.ts';
import { namedInput } from '../../../shared/requests.ts';
import { attempt, type Step, values } from '../../../shared/step.ts';
import { callMisnamed } from '../../../shared/unknown-names.ts';
import { setSomePin } from './pins.ts';

/** What came of an operation that changes the state of a card. */
export interface Transition {
  before: CardState;
  badly: Step<Probe[]>;
  /** Answers to the same request for an identifier that resembles the card's. */
  misnamed: Step<Probe[]>;
  /** The state after the calls that were to be refused, when an effect of them would show. */
  untouched: Step<CardState>;
  /** With a good token, in the first way that was accepted. */
  answer: Step<Answer>;
  /** As soon as the effect shows, and once more: where it shows no longer, or comes and goes, without it. */
  after: Step<CardState>;
  /** The state after the plain request was refused, when an effect of it would show; inconclusive where it is accepted. */
  afterRefusal: Step<CardState>;
}

/** @throws Skipped when cards.unsuspend is not in scope, so that a suspension could not be undone */
export function requireUnsuspendInScope(t: Context): void {
  if (!operationInScope(t.run.configuration, 'cards.unsuspend'))
    skip('needs cards.unsuspend, which is not in scope, to undo a suspension');
}

/** Something that a target may want done to a card before (reading 50): 'Transitions: not shown'. */
export interface Way {
  name: string;
  /** @returns whether it was done */
  prepare: () => Promise<boolean>;
}

/** A PIN before. */
export const withPin = (t: Context, identifier: string): Way => ({
  name: 'once it has a PIN',
  prepare: async () => values([await attempt(() => setSomePin(t, identifier))]).some(succeeded),
});

/**
 * Call before an answer is judged to an operation that is tried with a PIN before, too.
 * @throws Inconclusive where it is refused, and no PIN was accepted in this run: the target may want one, of a form that is not documented
 */
export function requirePinTried(t: Context, answer: Answer): void {
  if (succeeded(answer)) return;
  if (operationInScope(t.run.configuration, 'cards.setPin') && !t.run.history.wasAccepted('cards.setPin'))
    inconclusive('it is refused, and no PIN is accepted, which the target may want before');
}

/** encrypt-for-vde, a PIN, and a suspension before: ways that are open for every card. */
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
 * @param before state of the card now
 * @param isShown whether a state is one that the operation leads to
 * @param intent 'refusable' where the documents leave it open whether the card is in a state in which it succeeds
 * @param ways tried one after the other where the plain request is refused
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
  const badly = await attempt(() => callWithBadTokens(t, operation, input));
  const misnamed = await attempt(() => callMisnamed(t, operation, identifier));
  const untouched = await attempt(async () => {
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
  const answer = await attempt(() => inAnyWay(t, ask, ways));
  const after = await attempt(async () => {
    const read = () => t.state(identifier);
    if (!succeeded(answer())) return read();
    const first = await t.shown(read, isShown);
    // Where no record shows it, it has its time anyway.
    if (first.status === undefined) await t.settle();
    return isShown(first) ? t.lasting(read, isShown) : first;
  });
  for (const state of [before, ...values([untouched, after])]) observeNumber(t, state);
  if (values([answer]).some(succeeded))
    for (const state of values([after])) if (!isActive(state)) t.run.history.noteStatusAfter(operation, state.status);
  afterRefusal ??= () => inconclusive('it is accepted');
  return { before, badly, misnamed, untouched, afterRefusal, answer, after };
}

/** A scenario with a transition: played a first time, and once more on another card. */
export interface TransitionSource {
  first: (t: Context) => Promise<Transition>;
  again: (t: Context) => Promise<Transition>;
}

/** The transition that a scenario has among its facts. */
export function transitionIn<T>(played: Scenario<T>, of: (facts: T) => Transition): TransitionSource {
  const again = onceMore(played);
  return {
    first: async (t) => of(await t.shared(played)),
    again: async (t) => of(await t.shared(again)),
  };
}

/** A scenario that is played again, on other cards: what both show is not the doing of somebody else who works with the first ones. */
export const onceMore = <T>({ name, body }: Scenario<T>): Scenario<T> => scenario(`${name}, once more`, body);

/**
 * What calls that are refused are seen to have done to a card, in words; undefined for nothing.
 * @throws Inconclusive when they leave another card as it was: somebody else may have changed the first one
 */
export async function effectOfRefused(t: Context, { first, again }: TransitionSource): Promise<string | undefined> {
  const { before, untouched } = await first(t);
  if (!differ(before, untouched())) return undefined;
  const seen = await attempt(async () => {
    const other = await again(t);
    return differ(other.before, other.untouched());
  });
  if (values([seen]).includes(false))
    inconclusive('a card changes after calls that are refused, and another one does not');
  return `a card that was ${before.status} is ${untouched().status ?? 'no longer found'}`;
}

/** Asks again within the settle time (a target may have a cool-down), then in other ways; the first answer where all are refused. */
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
 * Whether two states are seen to differ. A record without a status shows nothing; one whose status is another while the number of
 * getStatus is the same was refreshed late. A card that was found before, and is not found afterwards, may be one that has come to its end.
 */
const differ = (one: CardState, other: CardState): boolean =>
  (one.status !== undefined &&
    other.status !== undefined &&
    one.status !== other.status &&
    (one.statusNumber === undefined || one.statusNumber !== other.statusNumber)) ||
  (isFound(one) && isGone(other));

const isFound = ({ record }: CardState): boolean => record !== undefined && succeeded(record);
const isGone = ({ record }: CardState): boolean => record !== undefined && [404, 410].includes(record.status);

/** Whether the statuses of two states are distinct, even if one of the records was refreshed late. */
export const areDistinct = ({ status: one }: CardState, { status: other }: CardState): boolean =>
  one !== undefined && other !== undefined && one !== other;

/** Whether the plain request was refused, and found the card in one state and left it in another. */
const changedThough = ({ untouched, afterRefusal }: Transition): boolean =>
  values([untouched, afterRefusal]).length === 2 && areDistinct(untouched(), afterRefusal());

/**
 * Judges that a request that is refused is not carried out anyway (reading 10).
 * @throws Inconclusive when another card does not show it: somebody else may have changed the first one
 */
export async function expectNotDoneThoughRefused(t: Context, { first, again }: TransitionSource, what: string) {
  const one = await first(t);
  if (succeeded(one.answer()) || !changedThough(one)) return;
  const others = values([await attempt(() => again(t))]);
  if (others.some((other) => !changedThough(other)))
    inconclusive('it is refused, and the card is in another state afterwards, and another card is not');
  fail(`${what} is refused, and takes place anyway`, {
    expected: 'an answer of success',
    actual: `${describe(one.answer())}, and a card that was ${one.untouched().status} is ${one.afterRefusal().status}`,
    in: one.answer(),
  });
}

/**
 * Judges that the operation is accepted.
 * @param isSeen whether the card is seen otherwise than by its record to be one that the operation takes
 * @throws Nonconformance otherwise; Inconclusive where the card may not have been in the right state, a change of state that was
 * accepted in this run is refused now, too, or another card is accepted
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
    inconclusive('it is refused, and whether the card is one that it takes is not shown');
  if (areDistinct(before, untouched()))
    inconclusive('it is refused, and when it was asked for the card was in another state than when it was leased');
  if (await isLimited(t, answer().operation.id))
    inconclusive(
      'it is refused, and now the suspension of an Active card is refused, too: the target has a limit of its own',
    );
  if (await isAcceptedForAnother(t, answer().operation.id, async () => (await source.again(t)).answer()))
    inconclusive('it is refused, and is accepted for another card: the target has a rule of its own');
  expectSuccess(answer(), what);
}

/** Where the cards are that an operation has to take. */
const POOL_OF: Readonly<Record<string, PoolName>> = {
  'cards.encryptForVde': 'active',
  'cards.suspend': 'active',
  'cards.activate': 'unused',
  'cards.unmarkFraud': 'fraud',
  'cards.markWalletProvisioned': 'disposable',
  'cards.markLost': 'disposable',
  'cards.close': 'disposable',
};
/** Further cards that are asked about, as far as there are as many. */
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
 * Whether what is refused for one card is accepted for another one, or for any of some further ones: what the target wants of cards is not
 * documented (reading 50), and need not show.
 */
export async function isAcceptedForAnother(
  t: Context,
  operation: string,
  again: () => Promise<Answer>,
): Promise<boolean> {
  return values([await attempt(again)]).some(succeeded) || t.shared(takesFurther(operation));
}

/** What makes of a card something else than the pools promise. */
const ENDS = ['cards.suspend', 'cards.markLost', 'cards.close'];

/**
 * Call before a card of a pool that is not Active is judged, since the pools' promises may be stale.
 * @throws Inconclusive when it was Active, or had a status that cards come to when they are suspended, marked lost or closed: in this run, or
 * in an earlier one, as the disposable cards show
 */
export async function requireNotSpent(t: Context, { before, untouched }: Transition): Promise<void> {
  const { status } = values([untouched])[0] ?? before;
  if (status === undefined) return;
  if (status === ACTIVE) inconclusive('the card is Active, though its pool promises otherwise');
  const ended = ENDS.find((operation) => t.run.history.statusesAfter(operation).has(status));
  if (ended) inconclusive(`the card is ${status}, as cards are after ${ended}: its pool may be spent`);
  if ((await t.known(statusesOfSpent)).has(status))
    inconclusive(
      `the card is ${status}, as a card of cards.disposable is that was used up: its pool may be spent, too`,
    );
}

/** Statuses of disposable cards that are not Active any more. */
const statusesOfSpent = scenario('disposable cards that were used up', async (t): Promise<Set<string | undefined>> => {
  const call: Call = (operation, input) => t.call(operation, input);
  const states = (t.fixtures.cards?.disposable ?? []).map((identifier) => readState(call, identifier));
  return new Set((await Promise.all(states)).filter((state) => !isActive(state)).map(({ status }) => status));
});

/** Whether the suspension of an Active card is refused, too, once an operation was. The card is given back before others are asked for. */
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

/** The state that an accepted operation led to. @throws Inconclusive where it was refused, or had no effect left to have */
export function requireStateAfter({ before, untouched, answer, after }: Transition): CardState {
  if (!succeeded(answer())) inconclusive(`it is refused with status ${answer().status}`);
  if (differ(before, untouched())) inconclusive('calls that were to be refused changed the card before');
  if (after().status === undefined) inconclusive('the record of the card carries no status');
  return after();
}

/** How the numbers of the status operation correspond to the words of the record. */
function observeNumber(t: Context, { status, statusNumber }: CardState): void {
  if (status !== undefined && statusNumber !== undefined)
    t.observe('cards.getStatus', `the number of a card that is ${status}`, String(statusNumber));
}
