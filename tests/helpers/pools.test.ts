import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { CardPools, type CardRequest, customersIn, type LeasedCard, type PoolName } from '../../helpers/cards/pools.ts';
import { Blocked, Inconclusive, Skipped } from '../../helpers/verdict.ts';
import { answerTo } from '../tools/answers.ts';
import { type FakeCard, FakeCards } from './fake-cards.ts';

/** Pools of cards that a target has, Active and with 20.00 unless said otherwise. */
function pooled(given: Partial<Record<PoolName, string[]>>, others: Record<string, Partial<FakeCard>> = {}) {
  const known = Object.values(given).flat();
  const target = new FakeCards({ ...Object.fromEntries(known.map((identifier) => [identifier, {}])), ...others });
  const pools = new CardPools(given);
  const take = (...requests: CardRequest[]) => pools.take(requests, target.call);
  /** Takes cards of one pool. @returns their identifiers */
  const names = async (request: CardRequest) => identifiersOf((await take(request))[0]);
  return { target, pools, take, names };
}

const identifiersOf = (cards: readonly LeasedCard[] | undefined) =>
  cards?.map(({ identifier }) => identifier).toSorted();

/** Whether a promise is settled once everything that can happen has happened. */
const isSettled = (promise: Promise<unknown>) => {
  const settled = () => true;
  return Promise.race([promise.then(settled, settled), setImmediate(false)]);
};

test('leasing gives cards in the state that their pool promises, with balance and state as read', async () => {
  const { target, take } = pooled({ active: ['a'], unused: ['u'] }, { u: { status: 'Unused' } });
  expect(await take({ pool: 'active' }, { pool: 'unused' })).toMatchObject([
    [{ identifier: 'a', pool: 'active', status: 'Active', statusNumber: 0, balance: 2000 }],
    [{ identifier: 'u', pool: 'unused', status: 'Unused', statusNumber: 2 }],
  ]);
  expect(target.changes).toEqual([]);
});

test('leasing passes over spent cards and says how many', async () => {
  const target = new FakeCards({ suspended: { status: 'Suspended' }, poor: { balance: 999 }, good: {} });
  const pools = new CardPools({ active: ['missing', 'suspended', 'poor', 'good'] });
  const [cards] = await pools.take([{ pool: 'active' }], target.call);
  expect(identifiersOf(cards)).toEqual(['good']);
  expect(pools.report(new Map())).toEqual([{ pool: 'active', given: 4, spentBefore: 3, used: 1, left: 1 }]);
});

test('leasing takes a record without a status at its word', async () => {
  const { take } = pooled({ unused: ['a'] }, { a: { status: undefined } });
  expect(await take({ pool: 'unused' })).toMatchObject([[{ identifier: 'a', status: undefined }]]);
});

test('leasing is skipped where the fixtures name too few, inconclusive where too few are left', async () => {
  const { take, names } = pooled({ active: ['a', 'b', 'a'] }, { b: { status: 'Closed' } });
  const tooFew = take({ pool: 'active', count: 3 });
  await expect(tooFew).rejects.toThrow(Skipped);
  await expect(tooFew).rejects.toThrow('needs 3 cards in cards.active');
  await expect(take({ pool: 'active', count: 2 })).rejects.toThrow(Inconclusive);
  expect(await names({ pool: 'active' })).toEqual(['a']);
});

test('leasing takes several cards of one customer, as far as there are', async () => {
  const { target } = pooled({ active: ['a', 'b', 'c', 'd', 'e', 'f'] });
  const customers = new Map(Object.entries({ a: 'one', b: 'two', d: 'two', e: 'one' }));
  const pools = new CardPools({ active: Object.keys(target.cards) }, () => customers);
  const [first, second] = [
    { pool: 'active', count: 2 },
    { pool: 'active', count: 3 },
  ] as const;
  expect(await pools.take([first], target.call)).toMatchObject([[{ identifier: 'a' }, { identifier: 'e' }]]);
  const identifiers = (await pools.take([second], target.call)).flat().map(({ identifier }) => identifier);
  expect(identifiers).toEqual(['b', 'd', 'c']);
});

test('leasing knows the customers of cards from records and listings', () => {
  const of = (identifier: string, customerIdentifier?: string) => ({ identifier, customerIdentifier });
  const known = customersIn([
    answerTo('cards.list', { results: [of('a', 'one'), of('b')] }),
    answerTo('cards.get', of('c', 'two')),
    answerTo('cards.get', of('d', 'two'), { status: 404 }),
  ]);
  expect(['a', 'b', 'c', 'd'].map((card) => known.get(card))).toEqual(['one', undefined, 'two', undefined]);
});

test('leasing takes a card of both active and disposable for a disposable one, and says so', async () => {
  const { take, names } = pooled({ active: ['a', 'b'], disposable: ['b'] });
  expect(await names({ pool: 'active' })).toEqual(['a']);
  await expect(take({ pool: 'active', count: 2 })).rejects.toThrow(
    'needs 2 cards in cards.active of the fixtures file, beside those in cards.disposable',
  );
});

test('leasing prefers what is wished for, and gives another where none is', async () => {
  const { pools, take } = pooled({ disposable: ['empty', 'rich'] }, { empty: { balance: 0 } });
  const request = { pool: 'disposable', prefers: ({ balance }: LeasedCard) => balance !== 0 } as const;
  const [first] = await take(request);
  expect(identifiersOf(first)).toEqual(['rich']);
  const second = take(request);
  expect(await isSettled(second)).toBe(false);
  pools.release(first![0]!, true);
  expect(identifiersOf((await second)[0])).toEqual(['empty']);
});

test('leasing gives no other card where a condition has to be met', async () => {
  const { take, names } = pooled({ disposable: ['rich'] });
  await expect(take({ pool: 'disposable', wants: ({ balance }) => balance === 0 })).rejects.toThrow(Inconclusive);
  expect(await names({ pool: 'disposable' })).toEqual(['rich']);
});

test.each([{ count: 2 }, { upTo: 6 }])('leasing keeps a leased card until it is given back: %j', async (wanted) => {
  const { pools, take, names } = pooled({ active: ['a', 'b', 'c'] }, { c: { status: 'Closed' } });
  const [first] = await take({ pool: 'active' });
  const second = names({ pool: 'active', ...wanted });
  expect(await isSettled(second)).toBe(false);
  pools.release(first![0]!, false);
  expect(await second).toEqual(['a', 'b']);
});

test('leasing gives as many as are left where fewer are than asked for at most, and none is inconclusive', async () => {
  const { pools, take, names } = pooled({ active: ['a', 'b'], disposable: ['c'] }, { c: { status: 'Closed' } });
  for (const card of (await take({ pool: 'active', upTo: 2 }))[0]!) pools.release(card, card.identifier === 'a');
  expect(await names({ pool: 'active', upTo: 2 })).toEqual(['b']);
  await expect(take({ pool: 'disposable', upTo: 2 })).rejects.toThrow(Inconclusive);
});

test('leasing looks again at a card that was given back', async () => {
  const { target, pools, take } = pooled({ active: ['a'] });
  const [first] = await take({ pool: 'active' });
  target.cards.a!.status = 'Suspended';
  pools.release(first![0]!, false);
  await expect(take({ pool: 'active' })).rejects.toThrow(Inconclusive);
  expect(pools.report(new Map())).toMatchObject([{ left: 0 }]);
});

test('leasing never lets two that want several wait for each other', async () => {
  const { pools, take } = pooled({ active: ['a', 'b'], disposable: ['d'] });
  const holdAndRelease = async (...requests: CardRequest[]) => {
    const taken = (await take(...requests)).flat();
    await setImmediate();
    for (const card of taken) pools.release(card, false);
    return taken.length;
  };
  const [active, disposable]: CardRequest[] = [{ pool: 'active', count: 2 }, { pool: 'disposable' }];
  const orders = [[disposable!, active!], [active!, disposable!], [active!], [disposable!]];
  expect(await Promise.all(orders.map((order) => holdAndRelease(...order)))).toEqual([3, 3, 2, 1]);
});

test('leasing loses no card that could not be looked at, and gives back what it had taken', async () => {
  const { target, take } = pooled({ active: ['a', 'b'], disposable: ['d'] });
  target.blocks = (_operation, identifier) => (identifier === 'd' ? 'the target is unavailable' : undefined);
  const all = () => take({ pool: 'disposable' }, { pool: 'active', count: 2 });
  await expect(all()).rejects.toThrow(Blocked);
  target.blocks = () => undefined;
  expect((await all()).map(identifiersOf)).toEqual([['d'], ['a', 'b']]);
});

/** For each pool the cards that are left, and for how many runs. */
const left = (pools: CardPools, statuses: Record<string, string>) => {
  const states = new Map(Object.entries(statuses).map(([identifier, status]) => [identifier, { status }]));
  return Object.fromEntries(pools.report(states).map(({ pool, left, runsLeft }) => [pool, [left, runsLeft]]));
};

test('what is left is what was read, for as many runs as that does', () => {
  const pools = new CardPools({ active: ['a'], disposable: ['d', 'e', 'f'], unused: ['u', 'v'] });
  expect(left(pools, {})).toEqual({ active: [1, undefined], disposable: [3, 1], unused: [2, 2] });
});

test('what is left is no unused card that looks like a used-up disposable one, and no fraud card that was freed', () => {
  const pools = new CardPools({ disposable: ['d'], unused: ['u', 'v'], fraud: ['f', 'g'] });
  const statuses = { d: 'Closed', u: 'Closed', v: 'Unused', f: 'Active', g: 'Fraud' };
  expect(left(pools, statuses)).toMatchObject({ unused: [1, 1], fraud: [1, 1] });
});

test('what is left is no Active fraud card that was tried and could not be freed', async () => {
  const { pools, take } = pooled({ fraud: ['f'] });
  const [cards] = await take({ pool: 'fraud' });
  pools.release(cards![0]!, false);
  expect(left(pools, { f: 'Active' })).toEqual({ fraud: [0, 0] });
});
