/** How the books explain what cards gained, and what that contradicts. */
import { expect, test } from 'vitest';
import type { Answer } from '../../helpers/answer.ts';
import * as Contradictions from '../../suites/v3/cards/money/contradictions.ts';
import { explain, type Row, type Sent } from '../../suites/v3/cards/money/effects.ts';
import { feesAmong, isShare, mayBeFees } from '../../suites/v3/cards/money/fee.ts';

/** A row of one transfer from a to b, and the status of its answer. */
const row = (cents: number, status: number, more: Partial<Row> = {}): Sent => ({
  row: { name: `${cents}`, ...more },
  payments: [{ from: 'a', to: 'b', cents, input: {} }],
  answers: [{ status, json: undefined } as Answer],
});
const gains = (a: number, b: number) => new Map(Object.entries({ a, b }));

test.each([
  ['each accepted one once, refused ones not at all', -107, 107, { 100: 100, 30: 0, 7: 7 }],
  ['with as few wrong ones as possible, here a refused one', -137, 137, { 100: 100, 30: 30, 7: 7 }],
  ['with as few wrong ones as possible, here an accepted one', -107, 100, { 100: 100, 30: 0, 7: 0 }],
  ['or none does', -107, 93, undefined],
  ['or none without an earlier one', -162, 162, undefined],
  ['also one of earlier that moved nothing at first', -162, 162, { 100: 100, 55: 55, 30: 0, 7: 7 }, [row(55, 400)]],
])('a choice of effects explains what the cards gained: %s', (_, a, b, expected, earlier: Sent[] = []) => {
  const effects = explain([row(100, 200), row(30, 400), row(7, 200)], gains(a, b), { earlier });
  const inWords = effects && Object.fromEntries([...effects].map(([{ row }, gained]) => [row.name, gained.get('b')]));
  expect(inWords).toEqual(expected);
});

const { movesThoughRefused, makesOrLosesMoney, movesAnotherAmount, movesAnything } = Contradictions;
/** What transfers of their amounts are judged by, and those that must move nothing. */
const OF_MOVING = { movesThoughRefused, makesOrLosesMoney, movesAnotherAmount };
const OF_NOTHING = { movesAnything };

test.each([
  ['its amount', row(100, 200), -100, 100, OF_MOVING, []],
  ['nothing, where it is refused', row(100, 400), 0, 0, OF_MOVING, []],
  ['its amount, where it is refused', row(100, 400), -100, 100, OF_MOVING, ['movesThoughRefused']],
  ['a charge, where it is refused', row(100, 400), -25, 0, OF_MOVING, []],
  ['another amount', row(100, 200), -99, 99, OF_MOVING, ['movesAnotherAmount']],
  ['more than it takes', row(100, 200), -100, 101, OF_MOVING, ['makesOrLosesMoney', 'movesAnotherAmount']],
  ['its amount, where it must move nothing', row(100, 200), -100, 0, OF_NOTHING, ['movesAnything']],
  ['a charge, where it must move nothing', row(100, 200), -25, 0, OF_NOTHING, []],
])('what an effect contradicts: %s', (_name, one, a, b, judging, contradicted) => {
  const found = Object.entries(judging).filter(([, contradiction]) => contradiction(one, gains(a, b)) !== undefined);
  expect(found.map(([name]) => name)).toEqual(contradicted);
});

const costsOf = (costs: string) =>
  costs.split(' ').map((cost) => {
    const [cents, paid] = cost.split(':').map(Number) as [number, number];
    return { from: 'a', cents, paid, kept: 0 };
  });

test.each([
  ['one of a hundred, rounded', '101:1 895:9 24240:242 1:0', true],
  ['the same cent each time', '101:1 895:1 501:1', false],
  ['what is cut off', '115:5 895:5 110:0', false],
  ['more than a tenth', '100:20 200:40', false],
  ['of some amounts alone', '301:0 401:0 895:9 501:5', false],
])('a share of the amounts: %s', (_, costs, isFound) => {
  expect(isShare(costsOf(costs))).toBe(isFound);
});

test.each([
  ['one of a hundred, but of a whole balance', '101:1 895:9 645:0', true],
  ['a table, but of a whole balance', '101:10 301:25 895:40 24240:0', true],
  ['a table that is not kept to', '101:25 301:10 895:40', false],
  ['a flat fee, beside what somebody else took of the card', '100:25 301:162 401:25 501:25', true],
  ['a flat fee of one transfer, beside what somebody else took of the card', '100:25 301:162', false],
  ['a flat fee, but a card lost less than the largest amount', '101:25 301:25 895:-237', false],
  ['a flat fee, beside what somebody else took twice', '100:25 301:162 401:575 501:25 601:25', false],
])('costs that may be fees: %s', (_, costs, areFees) => {
  expect(mayBeFees(costsOf(costs))).toBe(areFees);
});

test('what equals the amount twice is no fee where it equals another amount at another time', () => {
  const lost = costsOf('500:500 500:500');
  expect(feesAmong(lost, costsOf('500:500'))).toEqual(lost);
  expect(feesAmong(lost, costsOf('400:400'))).toEqual([]);
});

test('irregular costs of a card are no fees, however many a recording holds', () => {
  const costs = Array.from({ length: 5000 }, (_, n) => `${100 + n}:${(n * 7919) % 97}`).join(' ');
  expect(mayBeFees(costsOf(costs))).toBe(false);
});
