import { type Answer, succeeded } from '../../../../helpers/answer.ts';
import { type CardState, isActive } from '../../../../helpers/cards/card-state.ts';
import { pooledCards } from '../../../../helpers/cards/discovery.ts';
import type { Context } from '../../../../helpers/check.ts';
import * as Scope from '../../../../helpers/configuration/scope.ts';
import type { Configuration } from '../../../../helpers/configuration/types.ts';
import { knownOf, type TryAgain } from '../../../../helpers/engine/monitor.ts';
import * as Retrial from '../../../../helpers/engine/retrial.ts';
import type { Confirmed, Shown } from '../../../../helpers/evidence/monitor.ts';
import { requireAccepted } from '../../../../helpers/expect.ts';
import { optional, skip } from '../../../../helpers/verdict.ts';

export const isNotActive = (state: CardState): boolean => !isActive(state);

/** Asks for something that may be refused. */
export const ask = (t: Context, operation: string, identifier: string, json?: unknown): Promise<Answer> =>
  t.call(operation, { path: { identifier }, json }, { intent: 'refusable' });

/** Suspends a card, and waits until that shows. @throws Inconclusive when it is refused */
export async function suspend(t: Context, identifier: string): Promise<void> {
  requireAccepted(await t.eventually(() => ask(t, 'cards.suspend', identifier), succeeded), 'the suspension');
  await t.settle();
}

/** Unsuspends a card, within the settle time: a target may refuse that just after the suspension. */
export const unsuspend = (t: Context, identifier: string): Promise<Answer> =>
  t.eventually(() => ask(t, 'cards.unsuspend', identifier), succeeded);

/** Makes a card Active, or suspends it. @returns whether it shows that */
export async function makeActive(t: Context, card: string, active = true): Promise<boolean> {
  const isMade = (state: Parameters<typeof isActive>[0]) => isActive(state) === active;
  if (isMade(await t.state(card))) return true;
  if (active) await unsuspend(t, card);
  else await suspend(t, card);
  return isMade(await t.eventually(() => t.state(card), isMade));
}

/** @throws Skipped when cards.unsuspend is not in scope, so that a suspension could not be undone */
export function requireUnsuspendInScope(t: Context): void {
  if (!t.isInScope('cards.unsuspend')) skip('needs cards.unsuspend, which is not in scope, to undo a suspension');
}

/** Whether the run may suspend cards of the pool of active ones, and move money between two of them. */
export const mayChangeActive = ({ run, fixtures }: Configuration): boolean =>
  Scope.allows(run.risk, 'reversible') && (fixtures.cards?.active?.length ?? 0) > 1;

/** Only a run that tries everything uses up further cards. */
export const triesEverything = ({ run }: Configuration): boolean => run.thorough;

/** A preparation of the card that a target may require (reading 50: 'Transitions: not shown'). @returns whether it was done */
export type Way = () => Promise<boolean>;

const isDone = async (step: () => Promise<Answer>) => succeeded(await optional(step()));
export function withPin(t: Context, identifier: string): Way {
  return () => isDone(() => setSomePin(t, identifier));
}

/** Preparations that are possible for every card: encrypt-for-vde, a PIN, and a suspension. */
export const waysOf = (t: Context, identifier: string): Way[] => [
  () => isDone(() => ask(t, 'cards.encryptForVde', identifier, {})),
  withPin(t, identifier),
  () => isDone(() => ask(t, 'cards.suspend', identifier)),
];

const cardOf = ({ by }: Shown) => by.at(-1)!.input.path?.identifier ?? '';

/** Whether another card shows it, too, and nobody else uses the two, as the fixtures file promises (reading 47). */
export const isShownByAnother: Confirmed = (found, all, { fixtures }) => {
  const own = pooledCards(fixtures);
  const isOther = (one: Shown) => own.has(cardOf(one)) && cardOf(one) !== cardOf(found);
  return own.has(cardOf(found)) && all.some(isOther);
};

/** Leads cards once more, others where there are any, unless a second one shows the same already: what somebody else did to one hardly shows again (reading 47). */
export const triedWithOthers =
  (again: (t: Context, card: string) => Promise<unknown>): TryAgain =>
  async (t, [stands], monitor) => {
    const isShown = (isMeant: (one: Shown) => boolean) =>
      [...monitor(t.run.answers, knownOf(t))].some((one) => one.shows === 'contradiction' && isMeant(one));
    if (isShown((one) => cardOf(one) !== cardOf(stands))) return { stands };
    const before = new Set(t.run.answers);
    // That a card is still as somebody else left it shows nothing new, even if it was read again.
    const isNew = (one: Shown) => !before.has(cardOf(one) === cardOf(stands) ? one.by[0] : one.by.at(-1)!);
    const retrial = await Retrial.shownByAnother(t, stands.message, async () => {
      await again(t, cardOf(stands));
      return isShown(isNew);
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
