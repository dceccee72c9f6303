import { describe, expect, test } from 'vitest';
import { operation } from '../../contracts/operations.ts';
import type { Answer } from '../../helpers/answer.ts';
import { CardPools, customersIn, type LeasedCard } from '../../helpers/cards/pools.ts';
import { readJson } from '../../helpers/json.ts';
import { Blocked, Inconclusive, Skipped } from '../../helpers/verdict.ts';
import { FakeCards } from './fake-cards.ts';

const identifiers = (cards: readonly LeasedCard[] | undefined) => cards?.map(({ identifier }) => identifier);

/** Whether a promise is settled once everything that can happen has happened. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  promise.then(
    () => (settled = true),
    () => (settled = true),
  );
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

describe('leasing cards', () => {
  test('gives cards in the state that their pool promises, with balance and state as read', async () => {
    const target = new FakeCards({ a: {}, u: { status: 'Unused' } });
    const pools = new CardPools({ active: ['a'], unused: ['u'] });
    const [[active], [unused]] = (await pools.take([{ pool: 'active' }, { pool: 'unused' }], target.call)) as [
      [LeasedCard],
      [LeasedCard],
    ];
    expect(active).toMatchObject({ identifier: 'a', pool: 'active', status: 'Active', statusNumber: 0, balance: 2000 });
    expect(unused).toMatchObject({ identifier: 'u', pool: 'unused', status: 'Unused', statusNumber: 2 });
    expect(target.changes).toEqual([]);
  });

  test('passes over spent cards and says how many', async () => {
    const target = new FakeCards({ suspended: { status: 'Suspended' }, poor: { balance: 999 }, good: {} });
    const pools = new CardPools({ active: ['missing', 'suspended', 'poor', 'good'] });
    const [cards] = await pools.take([{ pool: 'active' }], target.call);
    expect(identifiers(cards)).toEqual(['good']);
    expect(pools.report(new Map())).toEqual([{ pool: 'active', given: 4, spentBefore: 3, used: 1, left: 1 }]);
  });

  test('takes a record without a status at its word', async () => {
    const target = new FakeCards({ a: { status: undefined } });
    const [cards] = await new CardPools({ unused: ['a'] }).take([{ pool: 'unused' }], target.call);
    expect(cards).toMatchObject([{ identifier: 'a', status: undefined }]);
  });

  test('is skipped where the fixtures name too few, inconclusive where too few are left', async () => {
    const target = new FakeCards({ a: {}, b: { status: 'Closed' } });
    const pools = new CardPools({ active: ['a', 'b'] });
    await expect(pools.take([{ pool: 'active', count: 3 }], target.call)).rejects.toThrow(Skipped);
    await expect(pools.take([{ pool: 'active', count: 2 }], target.call)).rejects.toThrow(Inconclusive);
    const [cards] = await pools.take([{ pool: 'active' }], target.call);
    expect(identifiers(cards)).toEqual(['a']);
  });

  test('takes several cards of one customer, as far as there are', async () => {
    const active = ['a', 'b', 'c', 'd', 'e', 'f'];
    const known = new Map(Object.entries({ a: 'one', b: 'two', d: 'two', e: 'one' }));
    const target = new FakeCards(Object.fromEntries(active.map((identifier) => [identifier, {}])));
    const pools = new CardPools({ active }, () => known);
    const take = async (count: number) => identifiers((await pools.take([{ pool: 'active', count }], target.call))[0]);
    expect(await take(2)).toEqual(['a', 'e']);
    expect(await take(3)).toEqual(['b', 'd', 'c']);
  });

  test('knows the customers of cards from records and listings', async () => {
    const answer = (id: string, body: unknown, status = 200) =>
      ({ operation: operation(id), status, json: readJson(Buffer.from(JSON.stringify(body))) }) as Answer;
    const of = (identifier: string, customerIdentifier?: string) => ({ identifier, customerIdentifier });
    const answers = [
      answer('cards.list', { results: [of('a', 'one'), of('b')] }),
      answer('cards.get', of('c', 'two')),
      answer('cards.get', of('d', 'two'), 404),
    ];
    const known = customersIn(answers);
    expect(['a', 'b', 'c', 'd'].map((card) => known.get(card))).toEqual(['one', undefined, 'two', undefined]);
  });

  test('counts a card named twice once', async () => {
    const pools = new CardPools({ active: ['a', 'a'] });
    const call = new FakeCards({ a: {} }).call;
    await expect(pools.take([{ pool: 'active', count: 2 }], call)).rejects.toThrow('needs 2 cards in cards.active');
  });

  test('takes a card of both active and disposable for a disposable one, and says so', async () => {
    const target = new FakeCards({ a: {}, b: {} });
    const pools = new CardPools({ active: ['a', 'b'], disposable: ['b'] });
    expect(identifiers((await pools.take([{ pool: 'active' }], target.call))[0])).toEqual(['a']);
    await expect(pools.take([{ pool: 'active', count: 2 }], target.call)).rejects.toThrow(
      'needs 2 cards in cards.active of the fixtures file, beside those in cards.disposable',
    );
  });

  test('prefers what is wished for, and gives another where none is', async () => {
    const target = new FakeCards({ empty: { balance: 0 }, rich: {} });
    const pools = new CardPools({ disposable: ['empty', 'rich'] });
    const request = { pool: 'disposable', prefers: ({ balance }: LeasedCard) => balance !== 0 } as const;
    const [first] = await pools.take([request], target.call);
    expect(identifiers(first)).toEqual(['rich']);
    const second = pools.take([request], target.call);
    expect(await isSettled(second)).toBe(false);
    pools.release(first![0]!, true);
    expect(identifiers((await second)[0])).toEqual(['empty']);
  });

  test('gives nothing else where it has to be', async () => {
    const target = new FakeCards({ rich: {} });
    const pools = new CardPools({ disposable: ['rich'] });
    const request = { pool: 'disposable', wants: ({ balance }: LeasedCard) => balance === 0 } as const;
    await expect(pools.take([request], target.call)).rejects.toThrow(Inconclusive);
    expect(identifiers((await pools.take([{ pool: 'disposable' }], target.call))[0])).toEqual(['rich']);
  });

  test('keeps a leased card from others until it is given back', async () => {
    const target = new FakeCards({ a: {}, b: {} });
    const pools = new CardPools({ active: ['a', 'b'] });
    const [first] = await pools.take([{ pool: 'active' }], target.call);
    const second = pools.take([{ pool: 'active', count: 2 }], target.call);
    expect(await isSettled(second)).toBe(false);
    pools.release(first![0]!, false);
    expect(identifiers((await second)[0])?.toSorted()).toEqual(['a', 'b']);
  });

  test('gives as many as are left where fewer are than asked for at most, and waits for those that others hold', async () => {
    const target = new FakeCards({ a: {}, b: {}, c: { status: 'Closed' } });
    const pools = new CardPools({ active: ['a', 'b', 'c'] });
    const [one] = await pools.take([{ pool: 'active' }], target.call);
    const asked = pools.take([{ pool: 'active', upTo: 6 }], target.call);
    expect(await isSettled(asked)).toBe(false);
    pools.release(one![0]!, false);
    const [both] = await asked;
    expect(identifiers(both)?.toSorted()).toEqual(['a', 'b']);
    for (const card of both!) pools.release(card, card.identifier === 'a');
    expect(identifiers((await pools.take([{ pool: 'active', upTo: 1 }], target.call))[0])).toEqual(['b']);
    await expect(new CardPools({ active: ['c'] }).take([{ pool: 'active', upTo: 2 }], target.call)).rejects.toThrow(
      Inconclusive,
    );
  });

  test('looks again at a card that was given back', async () => {
    const target = new FakeCards({ a: {} });
    const pools = new CardPools({ active: ['a'] });
    const [first] = await pools.take([{ pool: 'active' }], target.call);
    target.cards.a!.status = 'Suspended';
    pools.release(first![0]!, false);
    await expect(pools.take([{ pool: 'active' }], target.call)).rejects.toThrow(Inconclusive);
    expect(pools.report(new Map())).toMatchObject([{ left: 0 }]);
  });

  test('never lets two that want several wait for each other', async () => {
    const target = new FakeCards({ a: {}, b: {}, d: {} });
    const pools = new CardPools({ active: ['a', 'b'], disposable: ['d'] });
    const holdAndRelease = async (...names: ('active' | 'disposable')[]) => {
      const taken = await pools.take(
        names.map((pool) => ({ pool, count: pool === 'active' ? 2 : 1 })),
        target.call,
      );
      await new Promise((resolve) => setImmediate(resolve));
      for (const card of taken.flat()) pools.release(card, false);
      return taken.flat().length;
    };
    const held = await Promise.all([
      holdAndRelease('disposable', 'active'),
      holdAndRelease('active', 'disposable'),
      holdAndRelease('active'),
      holdAndRelease('disposable'),
    ]);
    expect(held).toEqual([3, 3, 2, 1]);
  });

  test('loses no card that could not be looked at, and gives back what it had taken', async () => {
    const target = new FakeCards({ a: {}, b: {}, d: {} });
    const pools = new CardPools({ active: ['a', 'b'], disposable: ['d'] });
    target.before = (_operation, identifier) => {
      if (identifier === 'd') throw new Blocked('the target is unavailable');
    };
    await expect(pools.take([{ pool: 'disposable' }, { pool: 'active', count: 2 }], target.call)).rejects.toThrow(
      Blocked,
    );
    target.before = () => {};
    const [active, disposable] = await pools.take([{ pool: 'active', count: 2 }, { pool: 'disposable' }], target.call);
    expect(identifiers(active)?.toSorted()).toEqual(['a', 'b']);
    expect(identifiers(disposable)).toEqual(['d']);
  });
});

describe('what is left', () => {
  const left = (pools: CardPools, statuses: Record<string, string>) =>
    Object.fromEntries(
      pools
        .report(new Map(Object.entries(statuses).map(([identifier, status]) => [identifier, { status }])))
        .map((pool) => [pool.pool, [pool.left, pool.runsLeft]]),
    );

  test('is what was read, for as many runs as that does', () => {
    const pools = new CardPools({ active: ['a'], disposable: ['d', 'e', 'f'], unused: ['u', 'v'] });
    expect(left(pools, {})).toEqual({ active: [1, undefined], disposable: [3, 1], unused: [2, 2] });
  });

  test('is no unused card that looks like a used-up disposable one, and no fraud card that was freed', () => {
    const pools = new CardPools({ disposable: ['d'], unused: ['u', 'v'], fraud: ['f', 'g'] });
    const statuses = { d: 'Closed', u: 'Closed', v: 'Unused', f: 'Active', g: 'Fraud' };
    expect(left(pools, statuses)).toMatchObject({ unused: [1, 1], fraud: [1, 1] });
  });

  test('is no Active fraud card that was tried and could not be freed', async () => {
    const target = new FakeCards({ f: {} });
    const pools = new CardPools({ fraud: ['f'] });
    const [[card]] = (await pools.take([{ pool: 'fraud' }], target.call)) as [[LeasedCard]];
    pools.release(card, false);
    expect(left(pools, { f: 'Active' })).toEqual({ fraud: [0, 0] });
  });
});
