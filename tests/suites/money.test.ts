/** How the books explain what cards gained, and what that contradicts. */
import { describe, expect, it, test } from 'vitest';
import type { Answer } from '../../helpers/answer.ts';
import { contradictions, explain, type Payment, type Row, type Sent } from '../../suites/v3/cards/money/effects.ts';
import { isShare, mayBeFees } from '../../suites/v3/cards/money/fee.ts';

const answered = (status: number): Answer => ({ status, json: undefined }) as Answer;
const pay = (cents: number, from = 'a', to = 'b'): Payment => ({ from, to, cents, input: {} });
const MOVES = ['cards.transfer.moves-amount', 'cards.transfer.conserves-money', 'cards.transfer.refused-moves-nothing'];

/** A row of one transfer from a to b, and the status of its answer. */
const row = (cents: number, status: number, more: Partial<Row> = {}): Sent => ({
  row: { name: `of ${cents}`, about: MOVES, ...more },
  payments: [pay(cents)],
  answers: [answered(status)],
});
const gains = (a: number, b: number) =>
  new Map([
    ['a', a],
    ['b', b],
  ]);
const inWords = (effects: Map<Sent, ReadonlyMap<string, number>> | undefined) =>
  effects && Object.fromEntries([...effects].map(([{ row }, gained]) => [row.name, gained.get('b')]));

describe('a choice of effects explains what the cards gained', () => {
  const sent = [row(100, 200), row(30, 400), row(7, 200)];

  it('each accepted one once, refused ones not at all', () => {
    expect(inWords(explain(sent, gains(-107, 107)))).toEqual({ 'of 100': 100, 'of 30': 0, 'of 7': 7 });
  });

  it('with as few wrong ones as possible', () => {
    expect(inWords(explain(sent, gains(-137, 137)))).toEqual({ 'of 100': 100, 'of 30': 30, 'of 7': 7 });
    expect(inWords(explain(sent, gains(-107, 100)))).toEqual({ 'of 100': 100, 'of 30': 0, 'of 7': 0 });
  });

  it('also by one of earlier that moved nothing at first', () => {
    const late = row(55, 400);
    expect(explain(sent, gains(-162, 162))).toBeUndefined();
    expect(inWords(explain(sent, gains(-162, 162), { earlier: [late] }))).toMatchObject({ 'of 55': 55 });
  });

  it('or none does', () => {
    expect(explain(sent, gains(-107, 93))).toBeUndefined();
  });
});

describe('what an effect contradicts', () => {
  const found = (one: Sent, a: number, b: number) =>
    [...contradictions(one, gains(a, b))].map(({ requirement }) => requirement);

  it.each([
    ['its amount', row(100, 200), -100, 100, []],
    ['nothing, where it is refused', row(100, 400), 0, 0, []],
    ['its amount, where it is refused', row(100, 400), -100, 100, ['cards.transfer.refused-moves-nothing']],
    ['a charge, where it is refused', row(100, 400), -25, 0, []],
    ['another amount', row(100, 200), -99, 99, ['cards.transfer.moves-amount']],
    ['more than it takes', row(100, 200), -100, 101, ['cards.transfer.conserves-money', 'cards.transfer.moves-amount']],
  ])('%s', (_name, one, a, b, requirements) => {
    expect(found(one, a, b)).toEqual(requirements);
  });

  it('whatever is answered, where it must move nothing', () => {
    const nothing = { about: ['cards.transfer.no-target'], movesNothing: true };
    expect(found(row(100, 200, nothing), -100, 0)).toEqual(['cards.transfer.no-target']);
    expect(found(row(100, 200, nothing), -25, 0)).toEqual([]);
  });
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
])('costs that may be fees: %s', (_, costs, areFees) => {
  expect(mayBeFees(costsOf(costs))).toBe(areFees);
});

function costsOf(costs: string) {
  const paidOf = costs.split(' ').map((cost) => cost.split(':').map(Number) as [number, number]);
  return paidOf.map(([cents, paid]) => ({ from: 'a', cents, paid, kept: 0 }));
}
