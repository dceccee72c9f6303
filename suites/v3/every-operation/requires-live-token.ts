/** An expired token is as good as none, for every operation (readings 15 and 17). */
import { operations } from '../../../contracts/operations.ts';
import { CARD_POOLS } from '../../../contracts/requirements/cards.ts';
import { member, succeeded } from '../../../helpers/answer.ts';
import { isActive } from '../../../helpers/cards/card-state.ts';
import type { PoolName } from '../../../helpers/cards/pools.ts';
import { defineSuite } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import { fail, Inconclusive, inconclusive, Skipped } from '../../../helpers/verdict.ts';
import { expectRefusedWithoutToken, expectUnlikeGoodToken, goodOnInvented } from '../../shared/bad-tokens.ts';
import { namedInput } from '../../shared/requests.ts';
import { claimsSuccess } from '../cards/scenarios/balances.ts';
import { callWith, expiredToken, refusedReading } from '../token/lifetime.ts';
import { writableCustomer } from '../users/set-permissions.ts';
import { goodCall } from './requires-token-listed.ts';
import { readingOperations } from './requires-token-reading.ts';

const { check, suite } = defineSuite();
export const liveTokensSuite = suite;

const EXPIRED = 'an expired token';

for (const { id, listedOnly } of operations.filter((o) => o.interface === 'v3'))
  check(
    `${id}.requires-live-token`,
    'at 61 minutes',
    (t) => {
      if (listedOnly) return toldOnListed(t, id);
      if (readingOperations.includes(id)) return refusedReading(t, id);
      return id === 'users.setPermissions' ? refusedPermissions(t, id) : refusedOnCard(t, id);
    },
    'clock',
  );

async function toldOnListed(t: Context, operation: string): Promise<void> {
  const expired = await t.shared(expiredToken);
  const { input, good } = await t.shared(goodCall(operation));
  expectUnlikeGoodToken({ name: EXPIRED, answer: await callWith(t, expired, operation, input) }, good);
}

/** Where nothing may be changed, or nothing is left to change: an expired token is told from a good one. */
async function toldOnInvented(t: Context, operation: string): Promise<void> {
  const expired = await t.shared(expiredToken);
  const { input, good } = await t.shared(goodOnInvented(operation));
  expectUnlikeGoodToken({ name: EXPIRED, answer: await callWith(t, expired, operation, input) }, good);
}

async function refusedPermissions(t: Context, operation: string): Promise<void> {
  const identifier = writableCustomer(t);
  if (identifier === undefined || !t.run.client.tokens.renewable) return toldOnInvented(t, operation);
  const input = namedInput(operation, identifier, identifier);
  const answer = await callWith(t, await t.shared(expiredToken), operation, input);
  await expectRefusedWithoutToken({ name: EXPIRED, answer }, async () => succeeded(await t.call(operation, input)));
}

/** On cards in the state in which the operation succeeds, and that stay as they are. */
async function refusedOnCard(t: Context, operation: string): Promise<void> {
  const expired = await t.shared(expiredToken);
  const cards = t.run.client.tokens.renewable ? await cardsFor(t, operation) : undefined;
  if (!cards) return toldOnInvented(t, operation);
  const input = namedInput(operation, cards[0]!, cards[1] ?? cards[0]!);
  const before = await looks(t, cards);
  const answer = await callWith(t, expired, operation, input);
  await t.settle();
  const after = await looks(t, cards);
  const difference = after.find((look, index) => look !== before[index]);
  if (difference !== undefined)
    fail('a request with an expired token has an effect', { expected: before.join('; '), actual: after.join('; ') });
  const good = async () => claimsSuccess(await t.call(operation, input), undefined);
  if (!succeeded(answer) || claimsSuccess(answer, undefined))
    return expectRefusedWithoutToken({ name: EXPIRED, answer }, good);
  if (!(await good())) inconclusive('a request with a good token is refused, too');
}

/** Cards on which the operation succeeds; undefined where the risk allows none, or none is left. */
async function cardsFor(t: Context, operation: string): Promise<string[] | undefined> {
  const { risk } = operations.find(({ id }) => id === operation)!;
  if (!t.allows(risk)) return undefined;
  const pool = CARD_POOLS[operation]![0]!.slice('cards.'.length) as PoolName;
  try {
    const [leased] = await t.lease({ pool, count: operation === 'cards.transfer' ? 2 : 1 });
    const cards = leased!.map(({ identifier }) => identifier);
    return operation !== 'cards.unsuspend' || (await isSuspended(t, cards[0]!)) ? cards : undefined;
  } catch (error) {
    if (error instanceof Skipped || error instanceof Inconclusive) return undefined;
    throw error;
  }
}

/** Suspends a card; whether it is suspended then. */
async function isSuspended(t: Context, identifier: string): Promise<boolean> {
  const answer = await t.call('cards.suspend', { path: { identifier } });
  if (!succeeded(answer)) return false;
  const state = await t.eventually(
    () => t.state(identifier),
    (seen) => !isActive(seen),
  );
  return !isActive(state);
}

/** What can be seen of each card. */
const looks = (t: Context, cards: readonly string[]): Promise<string[]> =>
  Promise.all(
    cards.map(async (card) => {
      const [{ status, statusNumber, record }, balance] = await Promise.all([
        t.state(card),
        t.call('cards.getBalance', { path: { identifier: card } }),
      ]);
      const wallet = member(record, 'isProvisionedToWallet');
      return `status ${status} (${statusNumber}), balance ${member(balance, 'balance')}, provisioned ${wallet}`;
    }),
  );
