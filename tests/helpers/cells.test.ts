/** Tables of cells, and what a run tries of one. */
import { expect, test } from 'vitest';
import { type Cell, cellsOf, nameOf, pairsOf } from '../../helpers/engine/cells.ts';
import { choose } from '../../helpers/evidence/choice.ts';

const FACTORS = {
  first: ['plain', 'digital', 'load'],
  second: ['plain', 'digital', 'load'],
  moment: ['next', 'at once'],
} as const;
type Repeat = Cell<typeof FACTORS>;

const cells = cellsOf(FACTORS);
const pairsIn = (some: readonly Repeat[]) => new Set(some.flatMap(pairsOf));

/** What some nights choose, each knowing the ones before. */
function nights(count: number, most: number): Repeat[][] {
  const chosen: Repeat[][] = [];
  for (let night = 0; night < count; night++) {
    const past = chosen.map((some) => ({ subject: 'repeats', tried: some.map(nameOf), forms: cells.length }));
    chosen.unshift(choose(cells, { most, keyOf: nameOf, covers: pairsOf, past }));
  }
  return chosen.toReversed();
}

test('a table holds every combination that is possible', () => {
  expect(cells).toHaveLength(18);
  const possible = cellsOf(FACTORS, ({ first, second }) => first !== second);
  expect(possible).toHaveLength(12);
  expect(possible.every(({ first, second }) => first !== second)).toBe(true);
});

test('a cell has the name of its levels and covers each pair of them', () => {
  const cell: Repeat = { first: 'plain', second: 'load', moment: 'next' };
  expect(nameOf(cell)).toBe('plain, load, next');
  expect(pairsOf(cell)).toEqual([
    'first, plain, second, load',
    'first, plain, moment, next',
    'second, load, moment, next',
  ]);
});

test('without an end as many are chosen as cover every pair, and no more', () => {
  const chosen = choose(cells, { most: cells.length, keyOf: nameOf, covers: pairsOf, past: [] });
  expect(pairsIn(chosen)).toEqual(pairsIn(cells));
  // Nine pairs of kinds need nine cells; each of these shows a moment.
  expect(chosen).toHaveLength(9);
});

test('nights with one history cover every pair in as many nights as that takes, none twice before', () => {
  const [first, second, third] = nights(3, 3);
  expect(pairsIn([...first!, ...second!, ...third!])).toEqual(pairsIn(cells));
  const kinds = [first, second, third].flatMap((some) => some!.map((one) => `${one.first} ${one.second}`));
  expect(new Set(kinds).size).toBe(9);
});

test('what failed is tried again beside others, whatever it covers', () => {
  const failed: Repeat = { first: 'load', second: 'load', moment: 'at once' };
  const past = [
    {
      subject: 'repeats',
      tried: cells.map(nameOf),
      forms: cells.length,
      suspected: [{ form: nameOf(failed), failed: ['portal.orderCards.duplicate-order'] }],
    },
  ];
  const chosen = choose(cells, { most: 2, keyOf: nameOf, covers: pairsOf, past });
  expect(chosen[0]).toEqual(failed);
  expect(chosen).toHaveLength(3);
});
