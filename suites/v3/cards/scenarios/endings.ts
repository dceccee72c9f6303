/** Irreversible transitions: cards activated, marked lost, closed, and freed of reported fraud. */
import { ACTIVE } from '../../../../contracts/v3/cards.ts';
import { succeeded } from '../../../../helpers/answer.ts';
import { type Call, type CardState, isActive, readState } from '../../../../helpers/cards/card-state.ts';
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import { type Context, scenario } from '../../../../helpers/check.ts';
import { requireAccepted } from '../../../../helpers/expect.ts';
import { attempt, type Fact, inconclusive, valuesOf } from '../../../../helpers/verdict.ts';
import * as Requests from '../../../shared/requests.ts';
import * as Phases from '../states/phases.ts';
import * as Steps from './steps.ts';

/** A transition of a card, which was leased for it. */
export type Ending = Steps.Transition & { leased: LeasedCard };

/** Operations that return something for a card and change nothing of it. */
export const GIVING = ['cards.createToken', 'cards.encryptForVde', 'cards.listRelated', 'cards.getBalance'];
/** How many of several operations are asked of a card in a state: one, two where a run may change everything. */
export const SEVERAL = { amply: 2 };

/** What shows whether unsuspend leads a card out of a state. */
const LEFT = 'cards.unsuspend.leaves-others';

/** Those of some operations that a requirement of theirs needs. */
const needed = (t: Context, operations: readonly string[]) => operations.filter((one) => t.needsOperation(one));

/** Calls operations that may be refused in the card's state, and observes the outcome. */
async function askOf(t: Context, operations: readonly string[], identifier: string, state: string): Promise<void> {
  for (const operation of operations) {
    if (!t.isInScope(operation)) continue;
    const input = Requests.named(t, operation, identifier, identifier);
    const answer = await t.call(operation, input, { intent: 'refusable' });
    t.observe(operation, `on a card that is ${state}`, answer);
  }
}

/** Calls operations that do not apply to the card in its state, and reads the card once an effect would show. */
const askElsewhere = (
  t: Context,
  about: readonly string[],
  operations: readonly string[],
  identifier: string,
  state: string,
  before?: CardState,
): Promise<Fact<CardState>> =>
  Steps.whenNeeded(t, about, async () => {
    const hasItsNumber = (one: CardState) => isActive(one) && one.statusNumber === before?.statusNumber;
    // With the status number of Active cards, the record may be out of date: it is read again after a refresh.
    if (before?.statusNumber !== undefined && [...t.run.states.values()].some(hasItsNumber)) {
      await t.settle();
      await t.state(identifier);
    }
    await askOf(t, operations, identifier, state);
    await t.settle();
    return t.confirmed(() => t.state(identifier), Steps.isNotActive);
  });

/**
 * Activates an unused card, then suspends and ends it. Cards that an earlier run activated and ended are not Active either: if a card does not
 * become Active, one with another status is tried.
 * @throws Skipped, Inconclusive without such a card; see Context.lease
 */
export const activation = scenario('an unused card activated', async (t): Promise<Ending> => {
  const tried = [await t.shared(activationOf())];
  while (!isActivated(tried.at(-1)!)) {
    const isUntried = ({ status }: LeasedCard) =>
      tried.every(({ leased }) => leased.status !== undefined && leased.status !== status);
    const { value: next } = await attempt(() => t.shared(activationOf(isUntried)));
    if (!next) {
      await attempt(() => t.known(readDisposable));
      return tried[0]!;
    }
    tried.push(next);
  }
  const activated = tried.pop()!;
  for (const { leased } of tried) t.run.pools.retire('unused', leased.status);
  return activated;
});

/** Whether the activation was accepted, and no read shows another status than Active. */
const isActivated = ({ answer, after }: Steps.Transition): boolean =>
  succeeded(answer.value) && (after.value?.status === undefined || isActive(after.value));

/** Reads the disposable cards: what status used-up ones have shows in them. */
export const readDisposable = scenario('disposable cards that may be used up', async (t) => {
  const call: Call = (operation, input) => t.call(operation, input);
  await Promise.all((t.fixtures.cards?.disposable ?? []).map((identifier) => readState(call, identifier)));
});

/** Activates one card of the pool, then suspends and ends it. @param wants which cards are suitable; any by default */
const activationOf = (wants?: (card: LeasedCard) => boolean) =>
  scenario('an unused card activated', async (t): Promise<Ending> => {
    const [[card]] = (await t.lease({ pool: 'unused', ...(wants && { wants }) })) as [[LeasedCard]];
    const { identifier } = card;
    const asked = t.rotated('asked of an unused card', [...GIVING, ...Phases.GIFTS], SEVERAL);
    await attempt(() => askOf(t, needed(t, asked), identifier, 'unused'));
    const left = await askElsewhere(t, [LEFT], ['cards.unsuspend'], identifier, 'unused', card);
    const before = left.value ?? card;
    const ways = [Steps.withPin(t, identifier)];
    const activated = await Steps.transition(t, 'cards.activate', identifier, before, isActive, { ways });
    if (!succeeded(activated.answer.value)) return { ...activated, leased: card };
    if (t.needsOperation('cards.activate')) {
      await attempt(() => askOf(t, ['cards.activate'], identifier, 'Active'));
      // Neither reading the balance nor a second activation changes the card.
      await attempt(() => t.balance(identifier));
      if (isActive(activated.after.value)) await attempt(() => t.confirmed(() => t.state(identifier), isActive));
    }
    await attempt(() => bringToItsEnd(t, identifier));
    return { ...activated, leased: card };
  });

/** Sequences that bring an Active card to an end, with or without a suspension before; the card has rarely been given money yet. */
const ENDS = [['cards.suspend', 'cards.markLost'], ['cards.suspend', 'cards.close'], ['cards.close']];

/** Number of disposable cards from which on a run marks one lost and closes another. */
const BOTH_ENDED = 2;

/** Suspends and unsuspends an Active card, brings it to an end, then tries to unsuspend it. @throws Inconclusive when a step is refused */
async function bringToItsEnd(t: Context, identifier: string) {
  // Only as disposable cards are ended, too: by their statuses a later run recognises which cards of the pool `unused` are used up.
  const areEnded = (t.fixtures.cards?.disposable?.length ?? 0) >= BOTH_ENDED;
  const ends = ENDS.filter((operations) => areEnded && t.isInScope(operations.at(-1)!));
  const about = [LEFT, 'cards.close.not-active', 'cards.suspend.not-active'];
  if (ends.length === 0 || !t.needs(...about))
    inconclusive('the activated card stays Active: a later run could not tell an ended one from an unused one');
  const ending = ends.filter((operations) => t.needs(`${operations.at(-1)}.not-active`, LEFT));
  const by = ending.length > 0 ? t.oneOf('what ends an activated card', ending) : [];
  for (const operation of ['cards.suspend', 'cards.unsuspend', ...by]) {
    requireAccepted(await Steps.ask(t, operation, identifier), operation);
    await t.settle();
    if (operation !== 'cards.unsuspend') await t.confirmed(() => t.state(identifier), Steps.isNotActive);
  }
  await askElsewhere(t, [LEFT], ['cards.unsuspend'], identifier, 'at its end');
}

/** Operations on a lost card on which the documents are silent. */
const OF_LOST = ['cards.markLost', 'cards.reissue', 'cards.suspend', 'cards.setPin', 'cards.close'];

/** Operations to call on a lost card; those in one group do not hide each other's effects. */
function afterLoss(t: Context) {
  const asked = t.rotated('asked of a lost card', OF_LOST);
  const given = t.rotated('given for a lost card', GIVING, SEVERAL);
  const others = asked.filter((operation) => operation !== 'cards.close');
  const closing = others.length < asked.length ? [['cards.close']] : [];
  return [['cards.unsuspend'], ['cards.activate'], [...needed(t, given), ...others], ...closing];
}

/** Marks a disposable card lost, preferably one without a balance. @throws Skipped, Inconclusive without such a card; see Context.lease */
export const loss = scenario('a card marked lost', async (t): Promise<Steps.Transition> => {
  const [[card]] = (await t.lease({ pool: 'disposable', prefers: ({ balance }) => balance === 0 })) as [[LeasedCard]];
  const ways = Steps.waysOf(t, card.identifier);
  const lost = await Steps.transition(t, 'cards.markLost', card.identifier, card, Steps.isNotActive, { ways });
  const about = ['lost', 'cards.markLost.refused-changes-nothing'] as const;
  await elsewhereAfter(t, card.identifier, lost, about, afterLoss(t));
  return lost;
});

/** Frees a card of reported fraud. The documents don't show the status of such a card: one that is Active may have been freed before. */
export const fraudUnmarked = scenario('a card freed of reported fraud', async (t): Promise<Steps.Transition> => {
  const [[card]] = (await t.lease({ pool: 'fraud', prefers: Steps.isNotActive })) as [[LeasedCard]];
  const { identifier } = card;
  if (!isActive(card)) t.run.pools.retire('fraud', ACTIVE);
  const intent = card.status === undefined || isActive(card) ? 'refusable' : 'valid';
  const state = 'reported as fraud';
  const asked = t.rotated('asked of a fraud card', [...GIVING, ...Phases.GIFTS], SEVERAL);
  await attempt(() => askOf(t, needed(t, asked), identifier, state));
  const about = intent === 'valid' ? [LEFT] : [];
  const left = await askElsewhere(t, about, ['cards.unsuspend'], identifier, state, card);
  const before = left.value ?? card;
  const unmarked = await Steps.transition(t, 'cards.unmarkFraud', identifier, before, () => true, { intent });
  for (const { status } of valuesOf([unmarked.after]))
    t.observe('cards.unmarkFraud', 'status of the card afterwards', status ?? 'not shown');
  return unmarked;
});

/** What operations show that lead out of states, but not out of an end. */
const LEADING_OUT: Readonly<Record<string, string[]>> = {
  'cards.unsuspend': [LEFT],
  'cards.activate': ['cards.activate.leaves-closed'],
};

/** Tries operations on a card that has come to an end, and does not leave it. @param by the requirement that all of them are about */
export async function elsewhereAfter(
  t: Context,
  identifier: string,
  { answer, after }: Steps.Transition,
  [state, by]: readonly [state: string, by: string],
  asked: readonly (readonly string[])[],
): Promise<void> {
  if (!succeeded(answer.value) || isActive(after.value)) return;
  for (const operations of asked) {
    const about = [by, ...(LEADING_OUT[operations.join()] ?? [])];
    if (isActive((await askElsewhere(t, about, operations, identifier, state)).value)) return;
  }
}
