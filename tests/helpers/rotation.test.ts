import { expect, test } from 'vitest';
import { digested } from '../../contracts/past.ts';
import type { Rotated } from '../../contracts/record.ts';
import { Budget } from '../../helpers/budget.ts';
import { cellsOf, nameOf, pairsOf } from '../../helpers/engine/cells.ts';
import { Rotations } from '../../helpers/evidence/rotations.ts';
import { type Rotation, rotated, rotatedMade } from '../../helpers/rotation.ts';
import type { Run } from '../../helpers/run.ts';

const forms = ['a', 'b', 'c'];
const NOTHING_SENT = { made: new Set<string>(), used: new Set<string>() };

interface Given {
  seed?: number;
  thorough?: boolean;
  /** Number of orders allowed. */
  limit?: number;
  /** What earlier runs tried, the latest first. */
  past?: Rotated[][];
  as?: string;
  /** How many runs began before it and are under way. */
  beside?: number;
  shard?: { index: number; count: number };
}

/** A run, and what its record is told of the forms that it tries. */
function runOf({ seed = 1, thorough = false, limit = 60, past = [], as, beside = 0, shard }: Given = {}) {
  const recorded: unknown[] = [];
  const run = {
    configuration: { run: { seed, thorough, as, beside, shard } },
    budgetOf: () => new Budget('RUN_MAX_ORDERS', limit),
    nameOfForm: String,
    rotations: new Rotations(past.map((one) => one.map(digested))),
    recordRotation: (subject: string, tried: string[], count: number) => recorded.push([subject, tried, count]),
  } as unknown as Run;
  return { run, recorded };
}

const tryOf = (given: Given, how: Rotation<string> = {}, subject = 'letters') =>
  rotated(runOf(given).run, subject, forms, NOTHING_SENT, how);

/** What a run tried of the letters, and what of it failed a requirement. */
const night = (tried: string[], failed: Record<string, string[]> = {}): Rotated[] => [
  {
    subject: 'letters',
    tried,
    forms: forms.length,
    suspected: Object.entries(failed).map(([form, ids]) => ({ form, failed: ids })),
  },
];

test('consecutive runs try all forms, and the record names them', () => {
  const tried = [1, 2, 3].flatMap((seed) => {
    const one = runOf({ seed });
    const chosen = rotated(one.run, 'letters', forms, NOTHING_SENT);
    expect(one.recorded).toEqual([['letters', chosen, 3]]);
    return chosen;
  });
  expect(tried.toSorted()).toEqual(forms);
});

test('operations that follow one another try other forms of the same, so that together they try all', () => {
  const some = ['cards.get', 'cards.getBalance', 'cards.getStatus'];
  const tried = some.flatMap((operation) => tryOf({}, {}, `${operation}: misnamed`));
  expect(tried.toSorted()).toEqual(forms);
});

test('--thorough tries all of them at once, of those that cost where that leaves enough for the other checks', () => {
  expect(tryOf({ thorough: true })).toEqual(forms);
  const triedOf = (limit: number) => tryOf({ thorough: true, limit }, { costs: 'portal.orderCards' });
  expect(triedOf(60)).toHaveLength(1);
  expect(triedOf(200)).toEqual(forms);
});

test('what has a name is recorded by it', () => {
  const { run, recorded } = runOf();
  rotated(run, 'people', [{ name: 'Ada' }], NOTHING_SENT);
  rotated(run, 'sizes', [{ size: 7 }], NOTHING_SENT, { name: ({ size }) => String(size) });
  expect(recorded.flat()).toEqual(['people', ['Ada'], 1, 'sizes', ['7'], 1]);
});

test('of forms that take requests to make only those are made that the run tries; another is tried in place of one that is not to be had', async () => {
  const made: string[] = [];
  const make = async (form: string) => {
    made.push(form);
    return form === 'b' ? undefined : form.toUpperCase();
  };
  const triedOf = (given: Given, some = forms) => rotatedMade(runOf(given).run, 'letters', some, make, NOTHING_SENT);
  const tried = [];
  for (const seed of [1, 2, 3]) tried.push(...(await triedOf({ seed })));
  expect(new Set(tried.map(([, what]) => what))).toEqual(new Set(['A', 'C']));
  expect(made).toHaveLength(4);
  expect(await triedOf({}, ['b'])).toEqual([]);
});

test('what was never tried comes first, then what was tried longest ago, whatever the seed', () => {
  for (const seed of [1, 2, 3]) {
    expect(tryOf({ seed, past: [night(['a'])] })).not.toEqual(['a']);
    expect(tryOf({ seed, past: [night(['c']), night(['a']), night(['b'])] })).toEqual(['b']);
  }
});

test('what failed is tried again beside what is due, until it has passed twice', () => {
  const failed = night(['c'], { c: ['cards.get.shape'] });
  expect(tryOf({ past: [night(['b']), failed] })).toEqual(['c', 'a']);
  expect(tryOf({ past: [night(['c', 'a']), night(['b']), failed] })).toEqual(['c', 'b']);
  expect(tryOf({ past: [night(['c']), night(['c', 'a']), night(['b']), failed] })).toEqual(['b']);
});

test('what leads to something that failed is tried again as that is', () => {
  const later: Rotated = {
    subject: 'words',
    tried: ['b word', 'c word'],
    forms: 3,
    suspected: [{ form: 'c word', failed: ['users.list.status'] }],
  };
  const leadsTo = [{ subject: 'words', formsOf: (letter: string) => [`${letter} word`] }];
  const past = [...night(['c']), later];
  expect(tryOf({ past: [past] }, { leadsTo })).toContain('c');
  expect(tryOf({ past: [past] })).not.toContain('c');
});

test('of what can be tried once, what failed is tried in place of what is due', () => {
  expect(tryOf({ past: [night(['c'], { c: [] })] }, { isOnce: true })).toEqual(['c']);
});

test('of many that failed twice as many are tried again as are wanted of others, first what failed most often, and one of each requirement', () => {
  const [one, other] = [['cards.get.shape'], ['cards.get.status']];
  const past = [night(['c'], { c: one }), night(forms, { a: one, b: one, c: one })];
  expect(tryOf({ past })[0]).toBe('c');
  const tried = tryOf({ past: [night(forms, { a: one, b: one, c: other })] }, { count: 0 });
  expect(tried).toHaveLength(2);
  expect(tried).toContain('c');
});

test('--as has the same tried again, as far as it is still there', () => {
  const past = [night(['b', 'c', 'gone'])];
  expect(tryOf({ as: 'reports/latest', past })).toEqual(['c', 'b'].toSorted());
  expect(tryOf({ as: 'reports/latest', past: [night(['gone'])] })).toHaveLength(1);
});

test('of a table the record says how much of what its cells cover was tried, and in how many more nights all will have been', () => {
  const cells = cellsOf({ first: ['plain', 'load'], second: ['plain', 'load'], moment: ['next', 'at once'] });
  const how = { name: nameOf, covers: pairsOf, table: cells };
  let past: Rotated[][] = [];
  const left = [];
  for (let seed = 0; left.at(-1) !== 0; seed++) {
    const rotations = new Rotations(past.map((one) => one.map(digested)));
    const run = { configuration: { run: { seed, beside: 0 } }, nameOfForm: String, rotations } as unknown as Run;
    const sent = { made: new Set<string>(), used: new Set<string>() };
    const record = (subject: string, tried: string[], forms: number) => rotations.begin(subject, tried, forms, sent);
    Object.assign(run, { recordRotation: record });
    rotated(run, 'repeats', cells, sent, how);
    sent.made.add('x1');
    const [facts] = rotations.facts();
    expect(facts?.pairs).toMatchObject({ of: 12, now: 3 });
    left.push(facts!.pairs!.nightsLeft);
    past = [[facts!], ...past];
  }
  expect(left).toEqual([3, 2, 1, 0]);
});

test('runs beside each other try other forms, but each what failed; shards do so by turns, so that each form has its turn in each', () => {
  const [first, second, third] = [0, 1, 2].map((beside) => tryOf({ beside }));
  expect([first, second, third].flat().toSorted()).toEqual(forms);
  const failed = night(['c'], { c: ['cards.get.shape'] });
  expect([0, 1].map((beside) => tryOf({ beside, past: [failed] }))).toEqual([
    ['c', 'a'],
    ['c', 'b'],
  ]);
  expect(tryOf({ beside: 7 })).toHaveLength(1);
  const inShard = (index: number, past: Rotated[][]) => tryOf({ shard: { index, count: 2 }, past });
  expect(inShard(1, [])).not.toEqual(inShard(2, []));
  const past: Rotated[][] = [];
  for (let nights = 0; nights < 4; nights++) past.unshift(night(inShard(2, past)));
  expect(new Set(past.flat().flatMap(({ tried }) => tried))).toEqual(new Set(forms));
});
