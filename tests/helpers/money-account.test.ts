/** What the account of money sees in readings, and which transfers it allows. */
import { expect, test } from 'vitest';
import { MoneyAccount, NotMoved, type Purpose } from '../../helpers/changes/money-account.ts';

/** Cards with 100.00 each, and an account of them with RUN_MAX_LOSS 20.00. @param loses the share that does not arrive, by amount in cents */
function cardsThat(loses: (cents: number) => number) {
  const account = new MoneyAccount(2000, 0);
  const cents = new Map(['a', 'b', 'c'].map((card) => [card, 10_000]));
  const read = async (cards: Iterable<string>) => {
    const askedAt = performance.timeOrigin + performance.now();
    for (const card of cards) account.read(card, cents.get(card)!, askedAt);
  };
  void read(cents.keys());
  const pay = async (from: string, to: string, units: number, purpose: Purpose = 'check') => {
    const leave = await account.ask({ from, to, units }, purpose, read);
    const answered = leave.sending();
    cents.set(from, cents.get(from)! - units * 100);
    cents.set(to, cents.get(to)! + units * 100 * (1 - loses(units * 100)));
    answered(true);
    leave.end();
    await read([from, to]);
  };
  return { account, pay };
}

test('money that arrives, or costs a fee, is not missing', async () => {
  const { account, pay } = cardsThat((cents) => 30 / cents);
  for (const units of [2, 3, 10, 50]) await pay('a', 'b', units);
  expect(account.isLosing).toBe(false);
  expect(account.moved).toEqual({ cents: 6500, transfers: 4 });
  expect(account.missing).toBeCloseTo(120);
});

test('a large fee is one, as long as it is the same for two amounts', async () => {
  const { account, pay } = cardsThat((cents) => 250 / cents);
  await pay('a', 'b', 2);
  expect(account.isLosing).toBe(true);
  await pay('a', 'b', 3);
  expect(account.isLosing).toBe(false);
});

test('where nothing arrives, checks move two amounts and no more; trying again moves what is left', async () => {
  const { account, pay } = cardsThat(() => 1);
  await pay('a', 'b', 2);
  await pay('a', 'b', 3);
  expect(account.isLosingAll).toBe(true);
  await expect(pay('a', 'b', 1)).rejects.toThrow(NotMoved);
  await expect(pay('b', 'a', 1, 'undoing')).rejects.toThrow(NotMoved);
  await pay('b', 'c', 15, 'retrial');
  await expect(pay('b', 'c', 1, 'retrial')).rejects.toThrow(NotMoved);
  expect(account.missing).toBeCloseTo(2000);
});

test('what transfers made is no loss when it is gone again', async () => {
  const { account, pay } = cardsThat((cents) => (cents === 400 ? -1 : cents === 300 ? 1 : 0));
  await pay('a', 'b', 4);
  await pay('a', 'b', 3);
  expect(account.isLosing).toBe(false);
  expect(account.missing).toBe(0);
  await pay('a', 'b', 3);
  expect(account.isLosing).toBe(true);
  expect(account.missing).toBeCloseTo(200);
});

test('amounts that arrive are moved on where larger ones are lost', async () => {
  const { account, pay } = cardsThat((cents) => (cents >= 700 ? 1 : 0));
  await pay('a', 'b', 5);
  await pay('a', 'b', 10);
  expect(account.isLosing).toBe(true);
  await expect(pay('a', 'b', 8)).rejects.toThrow(NotMoved);
  await pay('b', 'a', 10, 'retrial');
  await expect(pay('b', 'a', 10, 'retrial')).rejects.toThrow(NotMoved);
  expect(account.missing).toBeCloseTo(2000);
});

test('what a replica shows late is no loss', async () => {
  const account = new MoneyAccount(2000, 0);
  const now = () => performance.timeOrigin + performance.now();
  for (const card of ['a', 'b']) account.read(card, 10_000, now());
  const leave = await account.ask({ from: 'a', to: 'b', units: 5 }, 'check', async () => {});
  leave.sending()(true);
  leave.end();
  account.read('a', 9500, now());
  account.read('b', 10_000, now());
  expect(account.isLosing).toBe(true);
  const readAgain = async () => {
    account.read('a', 9500, now());
    account.read('b', 10_500, now());
  };
  (await account.ask({ from: 'a', to: 'b', units: 5 }, 'check', readAgain)).end();
  expect([account.isLosing, account.missing]).toEqual([false, 0]);
});

test('other transfers wait until the first has shown what it does', async () => {
  const account = new MoneyAccount(2000, 0);
  const askedAt = performance.timeOrigin;
  for (const card of ['a', 'b', 'c']) account.read(card, 10_000, askedAt);
  const order: string[] = [];
  const first = await account.ask({ from: 'a', to: 'b', units: 2 }, 'check', async () => {});
  const second = account
    .ask({ from: 'b', to: 'c', units: 2 }, 'check', async () => {})
    .then(() => order.push('second'));
  const answered = first.sending();
  order.push('first');
  answered(true);
  first.end();
  account.read('a', 9800, performance.timeOrigin + performance.now());
  account.read('b', 10_200, performance.timeOrigin + performance.now());
  await second;
  expect(order).toEqual(['first', 'second']);
});

test('where the first transfer may not be sent, those that wait for it go on', async () => {
  const account = new MoneyAccount(2000, 0);
  const now = () => performance.timeOrigin + performance.now();
  for (const card of ['a', 'b']) account.read(card, 10_000, performance.timeOrigin);
  const refused = await account.ask({ from: 'a', to: 'b', units: 2 }, 'check', async () => {});
  refused.sending()(false);
  refused.end();
  // Something else took the money of a card from which nothing was moved.
  account.read('a', 0, now());
  account.read('b', 10_000, now());
  const ask = (units: number) => account.ask({ from: 'b', to: 'a', units }, 'check', async () => {});
  const asked = await Promise.allSettled([ask(50), ask(50)]);
  expect(account.isLosing).toBe(true);
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
