import { describe, expect, test } from 'vitest';
import type { Input } from '../../helpers/answer.ts';
import { CardPools, type LeasedCard, type PoolName } from '../../helpers/cards/pools.ts';
import { Undo } from '../../helpers/changes/undo.ts';
import { Blocked } from '../../helpers/verdict.ts';
import { type FakeCard, FakeCards } from './fake-cards.ts';

/** Cards leased from one pool, and a context's way to change them. */
async function leased(cards: Record<string, Partial<FakeCard>>, pool: PoolName = 'active', settleMs = 0) {
  const target = new FakeCards(cards);
  const events: string[] = [];
  const notes: string[] = [];
  const send = async (operation: string, input: Input = {}) => {
    undo.sending(operation, input);
    const answer = await target.call(operation, input);
    undo.answered(answer);
    return answer;
  };
  const undo: Undo = new Undo({
    call: send,
    changes: {
      undone: ({ operation }) => events.push(`undone ${operation}`),
      lasting: ({ operation }) => events.push(`lasting ${operation}`),
    },
    note: (note) => notes.push(note),
    defect: (_, error) => String(error),
    settleMs,
    customer: { identifier: 'customer', permissions: { canSearchLoads: true } },
  });
  const names = Object.keys(cards);
  // Whoever moves money chooses its cards by their balance.
  const request = { pool, count: names.length, wants: ({ balance }: LeasedCard) => balance !== undefined };
  const [taken] = await new CardPools({ [pool]: names }).take([request], target.call);
  const on = (operation: string, identifier: string, json?: unknown) => send(operation, { path: { identifier }, json });
  const transfer = (from: string, to: string, amount: number) =>
    on('cards.transfer', from, { targetCardIdentifier: to, amount });
  const end = () => undo.run(taken!);
  const balances = () => Object.values(target.cards).map(({ balance }) => balance);
  return { target, undo, cards: taken as LeasedCard[], on, transfer, end, events, notes, balances };
}

/** Whether a changing operation is asked for the first time. */
function isFirst(seen: Set<string>, operation: string): boolean {
  if (!['cards.unsuspend', 'cards.transfer'].includes(operation) || seen.has(operation)) return false;
  seen.add(operation);
  return true;
}

describe('undoing', () => {
  test('asks nothing of cards that were not changed', async () => {
    const { target, undo, cards, end } = await leased({ a: {}, b: {} });
    const before = target.requests;
    await end();
    expect(await undo.isSpent(cards[0]!)).toBe(false);
    expect(target.requests).toBe(before);
  });

  test('unsuspends what is left suspended', async () => {
    const { target, undo, cards, on, end, events, notes } = await leased({ a: {} });
    await on('cards.suspend', 'a');
    await end();
    expect(target.cards.a!.status).toBe('Active');
    expect(events).toEqual(['undone cards.suspend']);
    expect(notes).toEqual([]);
    expect(await undo.isSpent(cards[0]!)).toBe(false);
  });

  test('leaves alone what was unsuspended before', async () => {
    const { target, on, end, events } = await leased({ a: {} });
    await on('cards.suspend', 'a');
    await on('cards.unsuspend', 'a');
    await end();
    expect(target.changes).toEqual(['cards.suspend a', 'cards.unsuspend a']);
    expect(events).toEqual(['undone cards.suspend']);
  });

  test('unsuspends a card that was suspended though that was refused', async () => {
    const { target, on, end } = await leased({ a: {} });
    target.refuses = (operation) => operation === 'cards.suspend';
    await on('cards.suspend', 'a');
    target.cards.a!.status = 'Suspended';
    await end();
    expect(target.cards.a!.status).toBe('Active');
  });

  test('says which card stays suspended, which is spent', async () => {
    const { target, undo, cards, on, end, events, notes } = await leased({ a: {} });
    await on('cards.suspend', 'a');
    target.refuses = (operation) => operation === 'cards.unsuspend';
    await end();
    expect(events).toEqual([]);
    expect(notes).toEqual(['A card of cards.active is left Suspended: a']);
    expect(await undo.isSpent(cards[0]!)).toBe(true);
  });

  test('moves back what was moved, both ways', async () => {
    const { transfer, end, events, balances } = await leased({ a: {}, b: {}, c: {} });
    await transfer('a', 'b', 1.15);
    await transfer('b', 'c', 4.35);
    await transfer('c', 'a', 0.29);
    await end();
    expect(balances()).toEqual([2000, 2000, 2000]);
    expect(new Set(events)).toEqual(new Set(['undone cards.transfer']));
  });

  test('moves nothing back where nothing is missing', async () => {
    const { target, transfer, end, events } = await leased({ a: {}, b: {} });
    await transfer('a', 'b', 1);
    await transfer('b', 'a', 1);
    await end();
    expect(target.changes).toHaveLength(2);
    expect(events).toEqual(['undone cards.transfer', 'undone cards.transfer']);
  });

  test('moves back what a refused transfer moved', async () => {
    const { target, transfer, end, balances } = await leased({ a: {}, b: {} });
    target.refuses = (operation) => operation === 'cards.transfer';
    await transfer('a', 'b', 1);
    target.refuses = () => false;
    target.cards.a!.balance -= 100;
    target.cards.b!.balance += 100;
    await end();
    expect(balances()).toEqual([2000, 2000]);
  });

  test('waits until what it moves back shows', async () => {
    const { target, transfer, end, balances } = await leased({ a: {}, b: {} }, 'active', 500);
    await transfer('a', 'b', 1);
    target.movesLate = true;
    await end();
    expect(balances()).toEqual([2000, 2000]);
  });

  test('says where money is missing, and leaves the transfer to a cleanup', async () => {
    const { target, transfer, end, events, notes } = await leased({ a: {} });
    target.cards.elsewhere = { status: 'Active', balance: 0 };
    target.refuses = (_operation, identifier) => identifier === 'elsewhere';
    await transfer('a', 'elsewhere', 1);
    await end();
    expect(events).toEqual([]);
    expect(notes).toEqual(['A card of cards.active is left with less money than it had: a']);
  });

  test('takes back what a card that is not ours was given', async () => {
    const { target, transfer, end, events } = await leased({ a: {} });
    target.cards.elsewhere = { status: 'Active', balance: 0 };
    await transfer('a', 'elsewhere', 1);
    await end();
    expect(target.cards.a!.balance).toBe(2000);
    expect(target.cards.elsewhere.balance).toBe(0);
    expect(new Set(events)).toEqual(new Set(['undone cards.transfer']));
  });

  test('tries again what is refused at first, with the members that were accepted', async () => {
    const { target, on, end, balances } = await leased({ a: {}, b: {} }, 'active', 500);
    await on('cards.suspend', 'b');
    await on('cards.transfer', 'a', { targetCardIdentifier: 'b', amount: 1, comment: 'wanted' });
    const refusals = new Set<string>();
    target.refuses = (operation) => operation.startsWith('cards.') && isFirst(refusals, operation);
    await end();
    expect(target.cards.b!.status).toBe('Active');
    expect(balances()).toEqual([2000, 2000]);
    expect(target.bodies.at(-1)).toMatchObject({ comment: 'wanted' });
  });

  test('does not send again what was sent with a wrong type, though it was taken', async () => {
    const { target, undo, on, end } = await leased({ a: {}, b: {} });
    await on('cards.transfer', 'a', { targetCardIdentifier: 'b', amount: 1, comment: 'wanted' });
    const path = { identifier: 'a' };
    const json = { targetCardIdentifier: 'b', amount: 1, comment: 1 };
    undo.answered({ ...(await target.call('cards.transfer', { path, json })), intent: 'malformed' });
    await end();
    expect(target.bodies.at(-1)).toMatchObject({ comment: 'wanted' });
  });

  test('tries nothing on a card that was closed', async () => {
    const { target, undo, cards, on, transfer, end, events, notes } = await leased({ a: {}, b: {} }, 'disposable');
    await transfer('a', 'b', 1);
    await on('cards.close', 'a');
    await on('cards.suspend', 'a');
    target.cards.a!.status = 'Closed';
    await end();
    expect(target.changes).toEqual(['cards.transfer a', 'cards.close a', 'cards.suspend a']);
    expect(notes).toEqual([]);
    expect(events).toContain('undone cards.transfer');
    expect(await undo.isSpent(cards[0]!)).toBe(true);
    expect(await undo.isSpent(cards[1]!)).toBe(false);
  });

  test('moves back no more than the transfers moved, whatever others moved meanwhile', async () => {
    const { target, transfer, end, events, notes } = await leased({ a: {}, b: {}, c: {} });
    await transfer('a', 'b', 1);
    for (const [card, gained] of Object.entries({ a: -5000, b: 5000, c: -300 })) target.cards[card]!.balance += gained;
    await end();
    expect(Object.values(target.cards).map(({ balance }) => balance)).toEqual([-3000, 7000, 1700]);
    expect(new Set(events)).toEqual(new Set(['undone cards.transfer']));
    expect(notes).toEqual(['A card of cards.active is left with less money than it had: a']);
  });

  test('moves back what a target took from a text, or the other way from a negative amount', async () => {
    const { target, on, transfer, end, balances } = await leased({ a: {}, b: {} });
    target.cards.others = { status: 'Active', balance: 0 };
    await on('cards.transfer', 'a', { targetCardIdentifier: 'b', amount: '1.00' });
    await transfer('a', 'b', -3);
    // Whatever others do, so that only bounds are left to go by.
    target.cards.a!.balance += 7000;
    await end();
    expect(balances()).toEqual([9000, 2000, 0]);
  });

  test('a fraction of a cent, which cannot be moved back, keeps nothing open', async () => {
    const { target, transfer, end, events, notes } = await leased({ a: {}, b: {} });
    await transfer('a', 'b', 1.005);
    target.cards.a!.balance = 1899.5;
    target.cards.b!.balance = 2100.5;
    await end();
    expect(target.cards.a!.balance).toBeGreaterThanOrEqual(1999);
    expect(new Set(events)).toEqual(new Set(['undone cards.transfer']));
    expect(notes).toEqual([]);
  });

  test('does not repeat a transfer back that was not answered', async () => {
    const { target, transfer, end, events, notes } = await leased({ a: {}, b: {} });
    await transfer('a', 'b', 1);
    target.before = (operation) => {
      if (operation === 'cards.transfer') throw new Blocked('no answer in time');
    };
    const before = target.requests;
    await end();
    expect(target.requests - before).toBeLessThan(6);
    expect(events).toEqual([]);
    expect(notes).toContain('A change could not be undone: no answer in time');
  });

  test('a balance that cannot be read any more keeps only its own transfers open', async () => {
    const { target, transfer, end, events, balances } = await leased({ a: {}, b: {}, c: {} });
    await transfer('a', 'b', 1);
    await transfer('c', 'b', 1);
    target.refuses = (operation, identifier) => operation === 'cards.getBalance' && identifier === 'c';
    await end();
    expect(balances()[0]).toBe(2000);
    expect(events).toContain('undone cards.transfer');
  });

  test('notes what keeps it from undoing, and undoes the rest', async () => {
    const { target, on, transfer, end, notes, balances } = await leased({ a: {}, b: {} });
    await transfer('a', 'b', 1);
    await on('cards.suspend', 'b');
    await on('cards.unsuspend', 'b');
    await on('cards.suspend', 'a');
    target.before = (operation) => {
      if (operation === 'cards.unsuspend') throw new Blocked('the target is unavailable');
    };
    await end();
    expect(notes).toEqual(['A change could not be undone: the target is unavailable']);
    expect(balances()).toEqual([2000, 2000]);
  });
});
