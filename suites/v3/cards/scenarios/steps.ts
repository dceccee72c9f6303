/** Transitions of cards: bad requests before, the right one in each way that a target may require, and what shows afterwards; and cards to use up. */
import { requirementsOf } from '../../../../contracts/requirements/index.ts';
import { type Answer, succeeded } from '../../../../helpers/answer.ts';
import { type CardState, isActive } from '../../../../helpers/cards/card-state.ts';
import { type Context, type Scenario, scenario } from '../../../../helpers/check.ts';
import { knownOf, type TryAgain } from '../../../../helpers/engine/monitor.ts';
import * as Retrial from '../../../../helpers/engine/retrial.ts';
import type { Shown } from '../../../../helpers/evidence/monitor.ts';
import { attempt, type Fact, inconclusive, skip, valuesOf } from '../../../../helpers/verdict.ts';
import * as BadTokens from '../../../shared/bad-tokens.ts';
import * as UnknownNames from '../../../shared/unknown-names.ts';
import * as Around from './around.ts';

/** The outcome of an operation that changes a card's state. */
export interface Transition {
  before: CardState;
  /** The state after the calls that must be refused, once an effect of them would show. */
  untouched: Fact<CardState>;
  /** The answer with a good token, in the first way that was accepted. */
  answer: Fact<Answer>;
  /** The state when the effect showed, confirmed by a second reading where it is judged; if it did not last, the state without it. */
  after: Fact<CardState>;
  /** The state after the plain request was refused, once an effect would show; inconclusive where it was accepted. */
  afterRefusal: Fact<CardState>;
  /** What changed that it is not about; inconclusive where it was refused. */
  elsewhere: Fact<Around.Change | undefined>;
}

export const isNotActive = (state: CardState): boolean => !isActive(state);

/** Asks for something that may be refused. */
export const ask = (t: Context, operation: string, identifier: string, json?: unknown): Promise<Answer> =>
  t.call(operation, { path: { identifier }, json }, { intent: 'refusable' });

/** The ids of the requirements that judge an operation, or a resource. */
export const idsOf = (operation: string): string[] => requirementsOf(operation).map(({ id }) => id);

/** Takes a step that these requirements need; inconclusive where none of them is selected. */
export const whenNeeded = <T>(t: Context, requirements: readonly string[], step: () => Promise<T>): Promise<Fact<T>> =>
  attempt(() => (t.needs(...requirements) ? step() : inconclusive('it is not selected')));

/** @throws Skipped when cards.unsuspend is not in scope, so that a suspension could not be undone */
export function requireUnsuspendInScope(t: Context): void {
  if (!t.isInScope('cards.unsuspend')) skip('needs cards.unsuspend, which is not in scope, to undo a suspension');
}

/** A preparation of the card that a target may require (reading 50: 'Transitions: not shown'). @returns whether it was done */
export type Way = () => Promise<boolean>;

const isDone = async (step: () => Promise<Answer>) => succeeded((await attempt(step)).value);
export function withPin(t: Context, identifier: string): Way {
  return () => isDone(() => setSomePin(t, identifier));
}

/** Preparations that are possible for every card: encrypt-for-vde, a PIN, and a suspension. */
export const waysOf = (t: Context, identifier: string): Way[] => [
  () => isDone(() => ask(t, 'cards.encryptForVde', identifier, {})),
  withPin(t, identifier),
  () => isDone(() => ask(t, 'cards.suspend', identifier)),
];

/**
 * Calls an operation that changes a card's state, first with bad tokens and misnamed cards, then with a good token, in each way until it is
 * accepted.
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
  const read = () => t.state(identifier);
  const needs = (...of: readonly string[]) => t.needs(...of.map((name) => `${operation}.${name}`));
  if (needs(...GUARD)) await attempt(() => BadTokens.tryAll(t, operation, input));
  if (needs('unknown-identifier')) await attempt(() => UnknownNames.tryAll(t, operation, identifier));
  const untouched = await attempt(async () => {
    if (!needs(...GUARD, 'unknown-identifier', 'required-only')) return before;
    await t.settle();
    return t.confirmed(read, (state) => !differ(before, state));
  });
  let afterRefusal: Fact<CardState> | undefined;
  const request = async () => {
    const answer = await t.call(operation, input, { intent });
    if (!succeeded(answer)) afterRefusal ??= await attempt(() => t.eventually(read, (now) => areDistinct(before, now)));
    return answer;
  };
  const watch = () => Around.watching(t, operation, identifier, before);
  const watched = await whenNeeded(t, [`${operation}.nothing-else`], watch);
  const answer = await attempt(() => inAnyWay(t, request, ways));
  const after = await attempt(async () => {
    if (!succeeded(answer.get())) return read();
    const first = await t.shown(read, isShown);
    // A change that no record shows gets the settle time.
    if (first.status === undefined) await t.settle();
    return isShown(first) && t.needsOperation(operation) ? t.lasting(read, isShown) : first;
  });
  const elsewhere = await attempt(async () => {
    const readAgain = watched.get();
    return succeeded(answer.get()) ? readAgain() : inconclusive('it is refused');
  });
  for (const { status, statusNumber } of [before, ...valuesOf([untouched, after])])
    if (status !== undefined && statusNumber !== undefined)
      t.observe('cards.getStatus', `the number of a card that is ${status}`, String(statusNumber));
  afterRefusal ??= await attempt(() => inconclusive('it is accepted'));
  return { before, untouched, afterRefusal, answer, after, elsewhere };
}

/** What requests with bad tokens show of an operation. */
const GUARD = ['requires-token', 'challenge'];

/** A transition, made of one card and again of another. */
export interface TransitionSource {
  first: (t: Context) => Promise<Transition>;
  again: (t: Context) => Promise<Transition>;
}

/** The transition among the facts of a scenario. */
export const transitionIn = <T>(
  played: Scenario<T>,
  of: (facts: T) => Transition,
  again = onceMore(played),
): TransitionSource => ({
  first: async (t) => of(await t.shared(played)),
  again: async (t) => of(await t.shared(again)),
});

/** The same scenario on other cards: what both show was not caused by somebody else who uses the first cards. */
export const onceMore = <T>({ name, body }: Scenario<T>): Scenario<T> => scenario(`${name}, once more`, body);

/** The effect of refused calls on a card, in words; undefined for none. @throws Inconclusive when another card does not show it */
export async function effectOfRefused(t: Context, { first, again }: TransitionSource): Promise<string | undefined> {
  const isChanged = ({ before, untouched }: Transition) => differ(before, untouched.get());
  const one = await first(t);
  if (!isChanged(one)) return undefined;
  const effect = `a card that was ${one.before.status} is ${one.untouched.get().status ?? 'no longer found'}`;
  await Retrial.shownByAnother(t, `${effect} after calls that were refused`, async () => isChanged(await again(t)));
  return effect;
}

const cardOf = ({ by }: Shown) => by.at(-1)!.input.path?.identifier ?? '';

/** Leads cards once more, others where there are any, unless a second one shows the same already: what somebody else did to one hardly shows again (reading 47). */
export const triedWithOthers =
  (again: (t: Context, card: string) => Promise<unknown>): TryAgain =>
  async (t, [stands], monitor) => {
    const isShown = (isMeant: (one: Shown) => boolean) =>
      [...monitor(t.run.answers, knownOf(t))].some((one) => one.shows === 'contradiction' && isMeant(one));
    if (isShown((one) => cardOf(one) !== cardOf(stands))) return { stands };
    const before = new Set(t.run.answers);
    const retrial = await Retrial.shownByAnother(t, stands.message, async () => {
      await again(t, cardOf(stands));
      return isShown(({ by }) => !before.has(by.at(-1)!));
    });
    return { stands, ...(retrial && { retrial }) };
  };

/** Repeats a request within the settle time (a target may have a cool-down), then after each preparation. @returns the first answer if all are refused */
export async function inAnyWay(t: Context, ask: () => Promise<Answer>, ways: readonly Way[]): Promise<Answer> {
  const first = await t.eventually(ask, succeeded);
  if (succeeded(first)) return first;
  for (const prepare of ways) {
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
export const differ = (one: CardState, other: CardState): boolean =>
  (areDistinct(one, other) && (one.statusNumber === undefined || one.statusNumber !== other.statusNumber)) ||
  (one.record !== undefined && succeeded(one.record) && [404, 410].includes(other.record?.status ?? 0));

/** Whether two states have different statuses, even if only because a record was refreshed late. */
export const areDistinct = ({ status: one }: CardState, { status: other }: CardState): boolean =>
  one !== undefined && other !== undefined && one !== other;

const PINS = ['3917', '4826', '5173', '6284', '7395', '8162', '9538'];
/** A random PIN of four digits, and one of six in case a target requires that: no years, sequences or repetitions. */
export function somePins(): [four: string, six: string] {
  const pin = PINS[Math.floor(Math.random() * PINS.length)]!;
  return [pin, `${pin}60`];
}

/** Sets a PIN of four digits or, if it is refused, one of six. @returns the last answer */
export async function setSomePin(t: Context, identifier: string, [four, six] = somePins()): Promise<Answer> {
  const answer = await ask(t, 'cards.setPin', identifier, { pin: four });
  return succeeded(answer) ? answer : ask(t, 'cards.setPin', identifier, { pin: six });
}
