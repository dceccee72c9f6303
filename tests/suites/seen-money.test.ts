/** What balances show that were read around transfers of others. */
import { expect, test } from 'vitest';
import { answerTo } from '../tools/answers.ts';
import { shownBy } from '../tools/shown.ts';

const SETTLE_MS = 1000;
const OPERATIONS = { balance: 'cards.getBalance', pay: 'cards.transfer' };

/** A history in words: `0 balance a 100, 10 pay a b 5, 20 pay a b 5 refused`; each request takes 2 ms. */
const historyOf = (words: string) =>
  words.split(', ').map((step) => {
    const [at = '', what = '', identifier = '', other = '', amount, refused] = step.split(' ');
    const sentAt = Number(at);
    const times = {
      exchange: `x${at}${what}${identifier}`,
      sentAt,
      answeredAt: sentAt + 2,
      status: refused ? 409 : 200,
    };
    const path = { identifier };
    if (what === 'balance')
      return answerTo(OPERATIONS.balance, { balance: Number(other) }, { ...times, input: { path } });
    const json = { targetCardIdentifier: other, amount: Number(amount) };
    return answerTo(OPERATIONS.pay, refused ? [] : { amount: Number(amount) }, { ...times, input: { path, json } });
  });

/** What the monitors of a requirement show. */
const shownIn = (requirement: string, words: string, fixtures = {}) =>
  shownBy(requirement, historyOf(words), { fixtures, settleMs: SETTLE_MS });

const CONSERVES = 'cards.transfer.conserves-money';
const BEFORE = '0 balance a 100, 5 balance b 50';

test.each([
  ['moved as asked for', `${BEFORE}, 10 pay a b 5, 20 balance a 95, 25 balance b 55`, 'kept'],
  ['lost once', `${BEFORE}, 10 pay a b 5, 2020 balance a 95, 2025 balance b 50`, 'suspected'],
  [
    'not there yet',
    `${BEFORE}, 10 pay a b 5, 20 balance a 95, 25 balance b 50, 2020 balance a 95, 2025 balance b 55`,
    'kept',
  ],
  [
    'lost twice, there and back',
    `${BEFORE}, 10 pay a b 5, 20 balance a 95, 25 balance b 50, 30 pay b a 5, 2040 balance a 95, 2045 balance b 45`,
    'failed',
  ],
  [
    'less a fee that is the same each time',
    `${BEFORE}, 10 pay a b 5, 20 balance a 95, 25 balance b 54.5, 30 pay b a 5, 2040 balance a 99.5, 2045 balance b 49.5`,
    'nothing',
  ],
  [
    'lost of a card whose balance changes by itself',
    `0 balance a 100, 5 balance b 50, 2000 balance a 90, 2010 pay a b 5, 4020 balance a 85, 4025 balance b 50`,
    'nothing',
  ],
  ['paid twice', `${BEFORE}, 10 pay a b 5, 2020 balance a 90, 2025 balance b 60`, 'kept'],
] as const)('money %s', (_, words, shows) => {
  expect(shownIn(CONSERVES, words)).toBe(shows);
});

test('a refused transfer that moves money is suspected', () => {
  const words = `${BEFORE}, 10 pay a b 5 refused, 2020 balance a 95, 2025 balance b 55`;
  expect(shownIn('cards.transfer.refused-moves-nothing', words)).toBe('suspected');
});

test('three that move it, of cards that nobody else uses, accuse, whatever else was done to these', () => {
  const REFUSED = '10 pay a b 5 refused, 2020 balance a 95, 2025 balance b 55, 2030 pay a b 5 refused';
  const words = `${BEFORE}, ${REFUSED}, 4040 balance a 90, 4045 balance b 60, 4050 pay a b 5 refused, 6060 balance a 85, 6065 balance b 65, 6070 pay a c 5, 6075 pay b c 5`;
  const pooled = { cards: { active: ['a', 'b'] } };
  expect(shownIn('cards.transfer.refused-moves-nothing', words, pooled)).toBe('failed');
  expect(shownIn('cards.transfer.refused-moves-nothing', words)).toBe('suspected');
});
