/** What balances show that were read around transfers of others. */
import { expect, test } from 'vitest';
import { suite } from '../../suites/index.ts';
import { answerTo } from '../tools/answers.ts';

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

/** What the monitors of a requirement show, those of suspicions apart. */
function shownBy(requirement: string, words: string) {
  const history = historyOf(words);
  const watching = suite.monitors.filter((one) => one.requirement === requirement);
  const of = (isSuspicion: boolean) =>
    watching
      .filter((one) => one.isSuspicion === isSuspicion)
      .flatMap(({ monitor }) => [...monitor(history, { fixtures: {}, settleMs: SETTLE_MS })]);
  const isContradiction = ({ shows }: { shows: string }) => shows === 'contradiction';
  return of(false).some(isContradiction) ? 'failed' : of(true).some(isContradiction) ? 'suspected' : 'neither';
}

const CONSERVES = 'cards.transfer.conserves-money';
const BEFORE = '0 balance a 100, 5 balance b 50';

test.each([
  ['moved as asked for', `${BEFORE}, 10 pay a b 5, 20 balance a 95, 25 balance b 55`, 'neither'],
  ['lost once', `${BEFORE}, 10 pay a b 5, 2020 balance a 95, 2025 balance b 50`, 'suspected'],
  [
    'not there yet',
    `${BEFORE}, 10 pay a b 5, 20 balance a 95, 25 balance b 50, 2020 balance a 95, 2025 balance b 55`,
    'neither',
  ],
  [
    'lost twice, there and back',
    `${BEFORE}, 10 pay a b 5, 20 balance a 95, 25 balance b 50, 30 pay b a 5, 2040 balance a 95, 2045 balance b 45`,
    'failed',
  ],
  [
    'less a fee that is the same each time',
    `${BEFORE}, 10 pay a b 5, 20 balance a 95, 25 balance b 54.5, 30 pay b a 5, 2040 balance a 99.5, 2045 balance b 49.5`,
    'neither',
  ],
  [
    'lost of a card whose balance changes by itself',
    `0 balance a 100, 5 balance b 50, 2000 balance a 90, 2010 pay a b 5, 4020 balance a 85, 4025 balance b 50`,
    'neither',
  ],
  ['paid twice', `${BEFORE}, 10 pay a b 5, 2020 balance a 90, 2025 balance b 60`, 'neither'],
] as const)('money %s', (_, words, shows) => {
  expect(shownBy(CONSERVES, words)).toBe(shows);
});

test('a refused transfer that moves money is suspected', () => {
  const words = `${BEFORE}, 10 pay a b 5 refused, 2020 balance a 95, 2025 balance b 55`;
  expect(shownBy('cards.transfer.refused-moves-nothing', words)).toBe('suspected');
});
