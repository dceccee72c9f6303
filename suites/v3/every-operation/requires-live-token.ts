/** An hour later: every operation refuses an expired token like none (readings 15 and 17), and what lasts is as it was. */
import { operation as operationById, operations } from '../../../contracts/operations.ts';
import { CARD_POOLS } from '../../../contracts/requirements/cards.ts';
import { type Answer, succeeded } from '../../../helpers/answer.ts';
import { amount, type CardState, isActive } from '../../../helpers/cards/card-state.ts';
import type { LeasedCard, PoolName } from '../../../helpers/cards/pools.ts';
import { type Context, perOperation } from '../../../helpers/check.ts';
import * as Guard from '../../../helpers/engine/guard.ts';
import { expectKept } from '../../../helpers/engine/monitor.ts';
import { hasClock } from '../../../helpers/runner/target-clock.ts';
import { attempt, fail, inconclusive, type Step, values } from '../../../helpers/verdict.ts';
import { check, monitored, watch } from '../../declare.ts';
import * as Amounts from '../../shared/amounts.ts';
import * as BadTokens from '../../shared/bad-tokens.ts';
import { identifiersOf } from '../../shared/identifiers.ts';
import * as Requests from '../../shared/requests.ts';
import { closedCard } from '../cards/scenarios/closing.ts';
import { isProvisioned } from '../cards/scenarios/provisioning.ts';
import * as Steps from '../cards/scenarios/steps.ts';
import { statesOf } from '../cards/states/monitor.ts';
import * as Ages from '../token/ages.ts';
import * as SetPermissions from '../users/set-permissions.ts';
import { hasOtherForms, tryInForms } from './other-forms.ts';

const WALLET = 'cards.markWalletProvisioned';

for (const { id, listedOnly, risk } of operations.filter((o) => o.interface === 'v3')) {
  const refuses = Guard.refusesExpired(id);
  watch({ requirement: `${id}.requires-live-token`, monitor: refuses, isSuspicion: false });
  check(`${id}.requires-live-token`, 'at 61 minutes', { phase: 'clock' }, async (t) => {
    if (listedOnly || risk === 'safe') await t.shared(Ages.harmlesslyExpired(id));
    else await (id === 'users.setPermissions' ? setPermissions(t, id) : changeCards(t, id));
    await expectKept(t, refuses);
  });

  if (hasOtherForms(id))
    check(`${id}.requires-live-token`, 'at 61 minutes, in its other forms', { phase: 'clock' }, async (t) => {
      const token = await t.shared(Ages.expiredToken);
      await t.shared(Ages.harmlesslyExpired(id));
      if (t.run.client.tokens.renewable) await tryInForms(t, id, Ages.expired(token));
      await expectKept(t, refuses);
    });
}

async function setPermissions(t: Context, operation: string): Promise<unknown> {
  const identifier = SetPermissions.writableCustomer(t);
  if (identifier === undefined || !t.run.client.tokens.renewable) return t.shared(Ages.harmlesslyExpired(operation));
  return BadTokens.tryOne(
    t,
    operation,
    SetPermissions.permissionsAsTheyAre(t, identifier),
    Ages.expired(await t.shared(Ages.expiredToken)),
  );
}

// ---- on cards in the state in which a good token succeeds --------------------------------------------------------------

/** Operations that are tried on the same cards, one after the other: what is refused leaves these as they are. */
const TOGETHER = [
  ['cards.transfer'],
  ['cards.suspend', 'cards.unsuspend'],
  [WALLET, 'cards.setPin', 'cards.reissue', 'cards.markLost'],
  ['cards.close'],
  ['cards.activate'],
  ['cards.unmarkFraud'],
];

/** @throws Nonconformance where the cards do not stay as they are */
async function changeCards(t: Context, operation: string): Promise<void> {
  const [first] = TOGETHER.find((ids) => ids.includes(operation)) as [string];
  const isTried = t.run.client.tokens.renewable && t.allows(operationById(operation).risk);
  const [tried] = isTried ? values([await attempt(() => t.shared(onCards(first)))]) : [];
  const unchanged = tried?.get(operation);
  // Nothing may or can be changed.
  if (!unchanged) await t.shared(Ages.harmlesslyExpired(operation));
  unchanged?.();
}

/** What each operation of those together leaves as it is, or a verdict. */
const onCards = perOperation(
  (first) => `cards on which ${first} succeeds, with an expired token`,
  async (t, first): Promise<Map<string, Step<void>>> => {
    // No others are left to fill the time beside the last ones.
    if (['cards.transfer', 'cards.suspend'].includes(first)) t.prioritiseAboveAll();
    const token = Ages.expired(await t.shared(Ages.expiredToken));
    const pool = CARD_POOLS[first]![0]!.slice('cards.'.length) as PoolName;
    const preferred = first === WALLET ? await notProvisioned(t, pool) : [];
    const [cards] = await t.lease({ pool, count: first === 'cards.transfer' ? 2 : 1, first: preferred });
    const tried = new Map<string, Step<void>>();
    const answers: Answer[] = [];
    for (const id of TOGETHER.find(([one]) => one === first)!)
      if (t.needs(`${id}.requires-live-token`) && (id !== 'cards.unsuspend' || (await suspend(t, cards![0]!))))
        tried.set(id, await attempt(async () => void answers.push(await leavingUnchanged(t, id, cards!, token))));
    // Last: what a good token is given changes the cards.
    for (const answer of answers)
      await Guard.compare([answer], () => t.call(answer.operation.id, answer.input, { intent: 'refusable' }));
    return tried;
  },
);

/** Cards that neither a listing nor this run shows to be provisioned: provisioning one that is shows nothing. */
async function notProvisioned(t: Context, pool: PoolName): Promise<string[]> {
  const listed = (await Requests.listedOn(t, Requests.firstCards)).filter(
    (card) => card.isProvisionedToWallet === true,
  );
  const provisioned = identifiersOf(listed);
  return t.run.pools
    .free(pool)
    .filter((card) => !provisioned.includes(card) && t.run.history.timesAccepted(WALLET, card) === 0);
}

/** Suspends a card. @returns whether it is seen to be suspended */
async function suspend(t: Context, { identifier }: LeasedCard): Promise<boolean> {
  if (!succeeded(await t.call('cards.suspend', { path: { identifier } }))) return false;
  // It may pass through another status on the way.
  await t.settle();
  const isSuspended = (seen: CardState) => !isActive(seen);
  return isSuspended(await t.confirmed(() => t.state(identifier), isSuspended));
}

/** What nothing readable shows the effect of (reading 10). */
const HIDDEN = ['cards.setPin', 'cards.reissue', 'cards.unmarkFraud'];

/**
 * Sends a request about cards with a bad token.
 * @throws Nonconformance where it has an effect on them; Inconclusive where they change by themselves
 */
function leavingUnchanged(
  t: Context,
  operation: string,
  cards: readonly LeasedCard[],
  bad: BadTokens.BadToken,
): Promise<Answer> {
  const [source, target = source] = cards.map(({ identifier }) => identifier) as [string, string?];
  const send = () => BadTokens.call(t, operation, Requests.named(t, operation, source, target), bad);
  if (HIDDEN.includes(operation)) return send();
  return operation === 'cards.transfer' ? paidBy(t, cards, send) : changedBy(t, cards, send);
}

const EFFECT = 'a request with an expired token has an effect';

async function changedBy(t: Context, [card]: readonly LeasedCard[], send: () => Promise<Answer>): Promise<Answer> {
  const { identifier } = card!;
  const before = t.run.states.get(identifier)!;
  const isAsBefore = (now: CardState) =>
    !Steps.differ(before, now) && (isProvisioned(before.record) !== false || isProvisioned(now.record) !== true);
  const answer = await send();
  await t.settle();
  const after = await t.confirmed(() => t.state(identifier), isAsBefore);
  if (isAsBefore(after)) return answer;
  const inWords = ({ status, record }: CardState) => `status ${status}, isProvisionedToWallet ${isProvisioned(record)}`;
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

// ---- states that last, read again by then ----------------------------------------------------------------------------

const STAYS_CLOSED = 'cards.close.stays-closed';
const staysClosed = monitored(STAYS_CLOSED, statesOf(STAYS_CLOSED), { isSuspicion: true });

staysClosed('hours later', { phase: 'clock', applies: hasClock }, async (t) => {
  const { leased } = await t.shared(closedCard);
  if (t.run.client.tokens.renewable) await t.shared(Ages.expiredToken);
  await t.confirmed(
    () => t.state(leased.identifier),
    (state) => !isActive(state),
  );
});
