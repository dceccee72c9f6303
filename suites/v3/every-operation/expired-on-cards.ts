/** Cards on which a good token succeeds stay as they are when an expired one is used (reading 17). */
import { CARD_POOLS } from '../../../contracts/requirements/cards.ts';
import { type Answer, succeeded } from '../../../helpers/answer.ts';
import { amount } from '../../../helpers/cards/card-state.ts';
import type { LeasedCard } from '../../../helpers/cards/pools.ts';
import { type Context, perOperation } from '../../../helpers/check.ts';
import * as Guard from '../../../helpers/engine/guard.ts';
import * as Retrial from '../../../helpers/engine/retrial.ts';
import { attempt, type Fact, fail, inconclusive } from '../../../helpers/verdict.ts';
import * as Amounts from '../../shared/amounts.ts';
import * as BadTokens from '../../shared/bad-tokens.ts';
import * as Requests from '../../shared/requests.ts';
import { isProvisioned } from '../cards/scenarios/provisioning.ts';
import * as Steps from '../cards/scenarios/steps.ts';
import * as Ages from '../token/ages.ts';

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

/**
 * Tries an operation on cards that it would change. Others may use these cards, so an effect is looked for on another one, too.
 * @throws Nonconformance where the cards do not stay as they are, Inconclusive where another one does
 */
export async function changeCards(t: Context, operation: string): Promise<void> {
  const [first] = TOGETHER.find((ids) => ids.includes(operation)) as [string];
  const unchanged = await triedOn(t, onCards(first), operation);
  // There was nothing to change.
  if (!unchanged) await t.shared(Ages.harmlesslyExpired(operation));
  await Retrial.endAsStep(t, unchanged, () => triedOn(t, onOthers(first), operation));
}

type Tried = Map<string, Fact<void>>;

/** What an operation left as it was, or a verdict; undefined where it could not be tried. */
async function triedOn(
  t: Context,
  cards: ReturnType<typeof onCards>,
  operation: string,
): Promise<Fact<void> | undefined> {
  const { value: tried } = await attempt(() => t.shared(cards));
  return tried?.get(operation);
}

/** What each operation of those together leaves as it is, or a verdict. */
const onCards = perOperation(
  (first) => `cards on which ${first} succeeds, with an expired token`,
  (t, first): Promise<Tried> => tryTogether(t, first, []),
);

/** The same on other cards. */
const onOthers = perOperation(
  (first) => `other cards on which ${first} succeeds, with an expired token`,
  (t, first): Promise<Tried> => tryTogether(t, first, takenBy(t).get(first) ?? []),
);

/** The cards on which operations were tried. */
const takenBy = (t: Context) => t.run.once(takenBy, () => new Map<string, readonly string[]>());

async function tryTogether(t: Context, first: string, avoided: readonly string[]): Promise<Tried> {
  // No others are left to fill the time beside the last ones.
  if (['cards.transfer', 'cards.suspend'].includes(first)) t.prioritiseAboveAll();
  await t.shared(Ages.expiredToken);
  const pool = CARD_POOLS[first]![0]!.slice('cards.'.length) as LeasedCard['pool'];
  const preferred = first === WALLET ? await notProvisioned(t, t.run.pools.free(pool)) : [];
  const count = first === 'cards.transfer' ? 2 : 1;
  const wants = ({ identifier }: LeasedCard) => !avoided.includes(identifier);
  const [cards] = await t.lease({ pool, count, wants, first: preferred });
  const identifiers = cards!.map(({ identifier }) => identifier);
  takenBy(t).set(first, identifiers);
  const tried: Tried = new Map();
  const answers: Answer[] = [];
  const together = TOGETHER.find(([one]) => one === first)!;
  for (const id of together.filter((one) => t.needs(`${one}.requires-live-token`)))
    if (id !== 'cards.unsuspend' || (await suspend(t, cards![0]!.identifier)))
      tried.set(id, await attempt(async () => void answers.push(await leavingUnchanged(t, id, cards!))));
  // Last: what a good token is given changes the cards.
  for (const answer of answers)
    await Guard.compare([answer], () => t.call(answer.operation.id, answer.input, { intent: 'refusable' }));
  return tried;
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
  const expired = await t.shared(Ages.expiredToken);
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
  const isPaid = gains.some((gain) => Amounts.isNamed(t, gain)) && gains.some((gain) => gain < 0);
  const sum = gains.reduce((total, gain) => total + gain, 0);
  const isNeutral = gains.length > 1 && Amounts.isAlmost(sum, 0);
  if (isPaid || isNeutral) return fail(EFFECT, 'no money moves', gains.map(amount).join(' and '), { in: answer });
  // A balance that changes by itself is not an effect of this request (reading 49).
  return gains.length > 0 ? inconclusive('the balances of the cards change without a request') : answer;
}
