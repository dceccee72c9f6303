/** Cards on which a good token succeeds stay as they are when an expired one is used (reading 17). */
import { CARD_POOLS } from '../../../contracts/requirements/cards.ts';
import { type Answer, succeeded } from '../../../helpers/answer.ts';
import { amount } from '../../../helpers/cards/card-state.ts';
import type { LeasedCard } from '../../../helpers/cards/pools.ts';
import type { Context } from '../../../helpers/check.ts';
import * as Guard from '../../../helpers/engine/guard.ts';
import * as Retrial from '../../../helpers/engine/retrial.ts';
import { type Fact, fail, inconclusive, optional, valuesOf } from '../../../helpers/verdict.ts';
import { life } from '../../declare.ts';
import * as Amounts from '../../shared/amounts.ts';
import * as BadTokens from '../../shared/bad-tokens.ts';
import * as Requests from '../../shared/requests.ts';
import { isProvisioned } from '../cards/scenarios/provisioning.ts';
import * as Steps from '../cards/scenarios/steps.ts';
import * as Expired from '../token/expired.ts';

const WALLET = 'cards.markWalletProvisioned';

/** Operations that are tried on the same cards, one after the other: what is refused leaves these as they are. */
const TOGETHER = [
  ['cards.transfer'],
  ['cards.suspend', 'cards.unsuspend'],
  [WALLET, 'cards.setPin', 'cards.reissue', 'cards.markLost'],
  ['cards.close'],
  ['cards.activate'],
  ['cards.unmarkFraud'],
];

interface Start {
  cards: readonly LeasedCard[];
}
type On = Start & { t: Context };

/** The cards on which operations were tried. */
const takenBy = (t: Context) => t.run.once(takenBy, () => new Map<string, readonly string[]>());

/** Cards on which the first of some operations succeeds, others than those that were taken before. */
async function leaseFor(t: Context, first: string): Promise<Start> {
  // No others are left to fill the time beside the last ones.
  if (['cards.transfer', 'cards.suspend'].includes(first)) t.prioritiseAboveAll();
  await Expired.expiredToken(t);
  const avoided = takenBy(t).get(first);
  const pool = CARD_POOLS[first]![0]!.slice('cards.'.length) as LeasedCard['pool'];
  const preferred = first === WALLET ? await notProvisioned(t, t.run.pools.free(pool)) : [];
  const isUnpaid = first !== 'cards.transfer';
  // Where any card will do, nobody waits while those of others are looked at.
  const others = avoided && { wants: ({ identifier }: LeasedCard) => !avoided.includes(identifier) };
  const [cards] = await t.lease({ pool, count: isUnpaid ? 1 : 2, isUnpaid, first: preferred, ...others });
  takenBy(t).set(
    first,
    cards!.map(({ identifier }) => identifier),
  );
  return { cards: cards! };
}

/** Tries an operation; undefined where the card is not in the state for it. */
async function tryExpired({ t, cards }: On, operation: string): Promise<Answer | undefined> {
  if (operation === 'cards.unsuspend' && !(await suspend(t, cards[0]!.identifier))) return undefined;
  return leavingUnchanged(t, operation, cards);
}

const GOOD = 'a good token, where the refusal is to be compared';

/** By operation, the life of the cards on which it is tried. */
const lives = new Map(
  TOGETHER.flatMap((operations) => {
    const [first] = operations as [string];
    const cards = life(`cards on which ${first} succeeds, with an expired token`, (t) => leaseFor(t, first))
      .showsOf(operations, tryExpired)
      // Last: what a good token is given changes the cards.
      .does(GOOD, async ({ t, ...facts }) => {
        for (const answer of valuesOf(operations.map((operation) => facts[operation]!)))
          if (answer)
            await Guard.compare([answer], () => t.call(answer.operation.id, answer.input, { intent: 'refusable' }));
      });
    return operations.map((operation) => [operation, cards] as const);
  }),
);

/**
 * Declares that a requirement tries an operation on cards that it would change. Others may use these cards, so an effect is looked for on others, too.
 * @returns what does so; undefined for an operation that changes no card. It throws Nonconformance where the cards do not stay as they are,
 * Inconclusive where others do
 */
export function changingCards(requirement: string, operation: string): ((t: Context) => Promise<void>) | undefined {
  const cards = lives.get(operation);
  if (!cards) return undefined;
  const play = cards.reads(requirement, operation, GOOD);
  return async (t) => {
    const unchanged = await factOf(operation, () => play(t));
    // There was nothing to change.
    if (!unchanged) await t.shared(Expired.harmlesslyExpired(operation));
    await Retrial.endAsStep(t, unchanged, () => factOf(operation, () => cards.again(t)));
  };
}

/** What an operation left as it was, or the verdict that ended it; undefined where it could not be tried. */
async function factOf(operation: string, play: () => Promise<object>): Promise<Fact<void> | undefined> {
  const facts = await optional(play());
  const fact = (facts as Record<string, Fact<Answer | undefined>> | undefined)?.[operation];
  return fact?.isEnded || fact?.value ? fact.map(() => undefined) : undefined;
}

/** Cards that neither a listing nor this run shows to be provisioned: provisioning one that is shows nothing. */
async function notProvisioned(t: Context, free: readonly string[]): Promise<string[]> {
  const listed = await Requests.listedOn(t, Requests.firstCards);
  const provisioned = listed.filter((card) => card.isProvisionedToWallet === true).map((card) => card.identifier);
  return free.filter((card) => !provisioned.includes(card) && t.run.history.timesAccepted(WALLET, card) === 0);
}

/** Suspends a card. @returns whether it is seen to be suspended */
async function suspend(t: Context, identifier: string): Promise<boolean> {
  if (!succeeded(await t.call('cards.suspend', { path: { identifier } }))) return false;
  // It may pass through another status on the way.
  await t.settle();
  return Steps.isNotActive(await t.confirmed(() => t.state(identifier), Steps.isNotActive));
}

/** What nothing readable shows the effect of (reading 10). */
const HIDDEN = ['cards.setPin', 'cards.reissue', 'cards.unmarkFraud'];

/**
 * Sends a request about cards with an expired token.
 * @throws Nonconformance where it has an effect on them; Inconclusive where they change by themselves
 */
async function leavingUnchanged(t: Context, operation: string, cards: readonly LeasedCard[]): Promise<Answer> {
  const expired = await Expired.expiredToken(t);
  const [source, target = source] = cards.map(({ identifier }) => identifier) as [string, string?];
  const send = () => BadTokens.call(t, operation, Requests.named(t, operation, source, target), expired);
  if (HIDDEN.includes(operation)) return send();
  return operation === 'cards.transfer' ? paidBy(t, cards, send) : changedBy(t, source, send);
}

const EFFECT = 'a request with an expired token has an effect';

async function changedBy(t: Context, identifier: string, send: () => Promise<Answer>): Promise<Answer> {
  const before = t.run.states.get(identifier)!;
  const isAsBefore = (now: typeof before) =>
    !Steps.differ(before, now) && (isProvisioned(before.record) !== false || isProvisioned(now.record) !== true);
  const answer = await send();
  await t.settle();
  const after = await t.confirmed(() => t.state(identifier), isAsBefore);
  if (isAsBefore(after)) return answer;
  const inWords = ({ status, record }: typeof before) =>
    `status ${status}, isProvisionedToWallet ${isProvisioned(record)}`;
  return fail(EFFECT, inWords(before), inWords(after), { in: answer });
}

/** Money that moved is conserved over the two cards or, with a fee, one gains the amount while the other loses. */
async function paidBy(t: Context, cards: readonly LeasedCard[], send: () => Promise<Answer>): Promise<Answer> {
  const { done: answer, gains } = await Amounts.gainsDuring(t, cards, send);
  const isPaid = Amounts.isPaid(gains, (gain) => Amounts.isNamed(t, gain));
  const sum = gains.reduce((total, gain) => total + gain, 0);
  const isNeutral = gains.length > 1 && Amounts.isAlmost(sum, 0);
  if (isPaid || isNeutral) return fail(EFFECT, 'no money moves', gains.map(amount).join(' and '), { in: answer });
  // A balance that changes by itself is not an effect of this request (reading 49).
  return gains.length > 0 ? inconclusive('the balances of the cards change without a request') : answer;
}
