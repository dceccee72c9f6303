/** Requests with an expired token: every operation refuses them like requests without one (readings 15 and 17). */
import { operations } from '../../../contracts/operations.ts';
import { CARD_POOLS } from '../../../contracts/requirements/cards.ts';
import { type Input, member, succeeded } from '../../../helpers/answer.ts';
import { amount, type CardState, cents, isActive } from '../../../helpers/cards/card-state.ts';
import type { PoolName } from '../../../helpers/cards/pools.ts';
import type { Context, Scenario } from '../../../helpers/check.ts';
import { baseline, effectsSince, type Snapshot } from '../../../helpers/effects.ts';
import { compare, refusesExpired } from '../../../helpers/engine/guard.ts';
import { expectKept } from '../../../helpers/engine/monitor.ts';
import { fail, Inconclusive, inconclusive, Skipped } from '../../../helpers/verdict.ts';
import { check, watch } from '../../declare.ts';
import { goodOnInvented } from '../../shared/bad-tokens.ts';
import { identifiersOf } from '../../shared/identifiers.ts';
import { firstCards, listedOn, namedAmount, namedInput } from '../../shared/requests.ts';
import { callCompared, callWith, expiredReading, expiredToken } from '../token/ages.ts';
import { permissionsAsTheyAre, writableCustomer } from '../users/set-permissions.ts';
import { OTHER_FORMS, rotatedOtherForms } from './other-forms.ts';
import { goodCall, readingOperations } from './requires-token.ts';

/** Operations whose checks take the most requests: these go first, since no others are left to fill the time beside the last ones. */
const LONGEST = ['cards.unsuspend', 'cards.transfer'];

/** Makes requests with an expired token on what exists, or may. */
async function drive(t: Context, id: string, listedOnly?: boolean): Promise<unknown> {
  if (listedOnly) return callExpired(t, id, goodCall(id));
  if (readingOperations.includes(id)) return t.shared(expiredReading(id));
  return id === 'users.setPermissions' ? setPermissions(t, id) : changeCards(t, id);
}

for (const { id, listedOnly } of operations.filter((o) => o.interface === 'v3')) {
  const refuses = refusesExpired(id);
  watch({ requirement: `${id}.requires-live-token`, monitor: refuses, isSuspicion: false });
  check(`${id}.requires-live-token`, 'at 61 minutes', { phase: 'clock' }, async (t) => {
    await drive(t, id, listedOnly);
    await expectKept(t, refuses);
  });

  if (OTHER_FORMS[id])
    check(`${id}.requires-live-token`, 'at 61 minutes, in its other forms', { phase: 'clock' }, async (t) => {
      const expired = await t.shared(expiredToken);
      await t.shared(expiredReading(id));
      for (const { name, input } of t.run.client.tokens.renewable ? rotatedOtherForms(t, id) : []) {
        const given = await input(t);
        if (given !== undefined) await callCompared(t, expired, id, given, `an expired token, ${name}`);
      }
      await expectKept(t, refuses);
    });
}

/** Sends a request that was sent with a good token, on what may not exist. */
async function callExpired(t: Context, operation: string, good: Scenario<Input>): Promise<void> {
  const expired = await t.shared(expiredToken);
  await callWith(t, expired, operation, await t.shared(good));
}

/** By an invented identifier: for when nothing may or can be changed. */
const callOnInvented = (t: Context, operation: string) => callExpired(t, operation, goodOnInvented(operation));

async function setPermissions(t: Context, operation: string): Promise<void> {
  const identifier = writableCustomer(t);
  if (identifier === undefined || !t.run.client.tokens.renewable) return callOnInvented(t, operation);
  await callCompared(t, await t.shared(expiredToken), operation, permissionsAsTheyAre(t, identifier));
}

/** Tries the operation on cards in the state in which it succeeds. @throws Nonconformance where they do not stay as they are */
async function changeCards(t: Context, operation: string): Promise<void> {
  if (LONGEST.includes(operation)) t.prioritiseAboveAll();
  const expired = await t.shared(expiredToken);
  const leased = t.run.client.tokens.renewable ? await cardsFor(t, operation) : undefined;
  if (!leased) return callOnInvented(t, operation);
  const cards = leased.map(({ identifier }) => identifier);
  const input = namedInput(t, operation, cards[0]!, cards[1] ?? cards[0]!);
  const read = () => snapshotOf(t, cards, operation === 'cards.transfer');
  const before = await baseline(t, cards, read, snapshot(leased));
  const answer = await callWith(t, expired, operation, input);
  const found = await effectsSince(t, before, read);
  if (found.length > 0) {
    // A balance that changes by itself is not an effect of this request (reading 49). Money that moved is conserved over the two cards or,
    // with a fee, the paid card gains the amount while the other loses.
    const balances = found.filter(({ name }) => name.startsWith('balance'));
    const gains = balances.map(({ before: was, after }) => Number(after) - Number(was));
    const isPaid = gains.some((gain) => Math.abs(gain - namedAmount(t)) < 0.001) && gains.some((gain) => gain < 0);
    const isNeutral = balances.length > 1 && Math.abs(gains.reduce((sum, gain) => sum + gain, 0)) < 0.001;
    const isMoved = operation === 'cards.transfer' && (isPaid || isNeutral);
    const own = found.filter((one) => !balances.includes(one) || isMoved);
    if (own.length > 0)
      fail(
        'a request with an expired token has an effect',
        own.map(({ name, before: was }) => `${name}: ${was}`).join('; '),
        own.map(({ name, after }) => `${name}: ${after}`).join('; '),
        { in: answer },
      );
    if (operation === 'cards.transfer') inconclusive('the balances of the cards change without a request');
  }
  await compare([answer], () => t.call(operation, input, { intent: 'refusable' }));
}

const WALLET = 'cards.markWalletProvisioned';

/** Cards on which the operation succeeds, with the state that was read; undefined where the risk allows none, or none is left. */
async function cardsFor(t: Context, operation: string): Promise<(ReadCard & { identifier: string })[] | undefined> {
  const { risk } = operations.find(({ id }) => id === operation)!;
  if (!t.allows(risk)) return undefined;
  const pool = CARD_POOLS[operation]![0]!.slice('cards.'.length) as PoolName;
  try {
    const count = operation === 'cards.transfer' ? 2 : 1;
    // Provisioning a card that is provisioned already shows nothing.
    const first = operation === WALLET ? await notProvisioned(t, t.run.pools.free(pool)) : [];
    const [leased] = await t.lease({ pool, count, first });
    const asLeased = leased!.map((card) => ({ ...card, balance: card.balance && amount(card.balance) }));
    if (operation !== 'cards.unsuspend') return asLeased;
    const suspended = await suspend(t, asLeased[0]!.identifier);
    return suspended && [{ ...asLeased[0]!, ...suspended }];
  } catch (error) {
    if (error instanceof Skipped || error instanceof Inconclusive) return undefined;
    throw error;
  }
}

/** The cards that neither a listing nor this run shows to be provisioned. */
async function notProvisioned(t: Context, cards: readonly string[]): Promise<string[]> {
  const listed = (await listedOn(t, firstCards)).filter((card) => card.isProvisionedToWallet === true);
  const provisioned = identifiersOf(listed);
  return cards.filter((card) => !provisioned.includes(card) && t.run.history.timesAccepted(WALLET, card) === 0);
}

/** Suspends a card. @returns its state afterwards; undefined where it is not suspended */
async function suspend(t: Context, identifier: string): Promise<CardState | undefined> {
  const answer = await t.call('cards.suspend', { path: { identifier } });
  if (!succeeded(answer)) return undefined;
  const state = await t.eventually(
    () => t.state(identifier),
    (seen) => !isActive(seen),
  );
  return isActive(state) ? undefined : state;
}

/** Reads the state of cards, and their balances where money may move, into named values. */
async function snapshotOf(t: Context, cards: readonly string[], withBalances: boolean): Promise<Snapshot> {
  const read = await Promise.all(
    cards.map(async (identifier): Promise<ReadCard> => {
      const state = await t.state(identifier);
      if (!withBalances) return { ...state, balance: undefined };
      const answer = await t.call('cards.getBalance', { path: { identifier } }, { intent: 'refusable' });
      const balance = member(answer, 'balance');
      return { ...state, balance: typeof balance === 'number' ? amount(cents(balance)) : undefined };
    }),
  );
  return snapshot(read);
}

/** The state of a card, with its balance in units. */
type ReadCard = CardState & { balance: number | undefined };

/** Named values of cards that were read. */
function snapshot(cards: readonly ReadCard[]): Snapshot {
  const values: Record<string, string | number | boolean | undefined> = {};
  for (const [index, { status, statusNumber, record, balance }] of cards.entries()) {
    const wallet = record && member(record, 'isProvisionedToWallet');
    const of = cards.length > 1 ? ` of card ${index + 1}` : '';
    values[`status${of}`] = status;
    values[`number of the status${of}`] = statusNumber;
    values[`balance${of}`] = balance;
    values[`isProvisionedToWallet${of}`] = typeof wallet === 'boolean' ? wallet : undefined;
  }
  return values;
}
