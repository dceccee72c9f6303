import { expect, test } from 'vitest';
import type { Mutant } from './instrument.ts';
import { percentKilled, scoreOf } from './score.ts';
import type { Class } from './survivors.ts';
import type { Tried } from './worker.ts';

const token: Class = {
  why: 'free',
  reason: 'reading 23',
  shows: ['cards.get refuses: unknown*', 'cards.get accepts: never'],
  follows: ['cards.* another .status'],
};
const other: Class = { why: 'free', reason: 'reading 22', shows: ['cards.list fewer .results'] };
const refused: Class = { why: 'undecided', reason: 'reading 47', shows: ['* refuses: *'] };
const form: Class = { why: 'missed', reason: 'reading 52', by: ['compared by *'], shows: ['token.issue accepts: *'] };

/** The score of one mutant that was tried. */
function scored(differences: string[], more: Partial<Tried> = {}, operator = 'flag flipped') {
  const mutant: Mutant = { number: 1, file: 'a.ts', line: 1, operator, from: 'true', to: 'false', atLoad: false };
  const tried: Tried = { number: 1, differences, killedBy: [], incomplete: false, undecided: [], ...more };
  return scoreOf('a', { reached: [mutant], unreached: [], tried: new Map([[1, tried]]) }, [
    token,
    other,
    refused,
    form,
  ]);
}

const UNKNOWN = 'cards.get refuses: unknown card';
const FOLLOWS = 'cards.get another .status';
const FEWER = 'cards.list fewer .results';
const CLOSE = 'cards.close refuses: state';
const condemned = { killedBy: ['cards.list.all'] };
const undecided = { undecided: ['cards.close.closes'] };
const by = (why: Class['why']) => ({ explained: { [why]: 1 }, unexplained: [] });
const BY_NONE = { explained: { free: 0, undecided: 0, missed: 0 }, unexplained: [expect.anything()] };

test.each<[string, string[], object, Partial<Tried>?, string?]>([
  ['answers as the sound target does needs no explanation', [], { same: 1, unexplained: [] }],
  ['is condemned is counted as such', [FEWER], { killed: 1, unexplained: [] }, condemned],
  ['crashes or hangs is counted as such', ['cards.list refuses: '], { incomplete: 1 }, { incomplete: true }],
  ['shows what a class is about, and what follows from that, is of the class', [UNKNOWN, FOLLOWS], by('free')],
  ['shows it after what follows, in one call, is of the class', [FOLLOWS, UNKNOWN], by('free')],
  ['shows it in a later call is explained by none', ['cards.list another .status', FOLLOWS, UNKNOWN], BY_NONE],
  ['shows only what follows is explained by none', [FOLLOWS], BY_NONE],
  ['differs in several ways may be explained by several classes', [UNKNOWN, FEWER], by('free')],
  ['differs in one way more is explained by none', [UNKNOWN, FEWER, 'cards.list another .results.status'], BY_NONE],
  ['refuses more is explained only where the run says that a must is undecided', [CLOSE], BY_NONE],
  ['refuses more leaves undecided what the run says', [CLOSE], by('undecided'), undecided],
  ['leaves a must undecided counts as such, whatever else explains it', [UNKNOWN], by('undecided'), undecided],
  [
    'is of the operators of a class is of the class',
    ['token.issue accepts: client'],
    by('missed'),
    {},
    'compared by case',
  ],
  ['is of another operator is not', ['token.issue accepts: client'], BY_NONE],
])('a mutant that %s', (_, differences, score, tried, operator) => {
  expect(scored(differences, tried, operator)).toMatchObject(score);
});

test('a class says what it takes and needs, and what condemned mutants it would take', () => {
  const score = scored([UNKNOWN, FOLLOWS]);
  expect(score.taken.get(token)).toHaveLength(1);
  expect([...score.needed]).toEqual(['cards.get refuses: unknown*', 'cards.* another .status']);
  expect(scored([FEWER], condemned).condemned.get(other)).toBe(1);
});

test('the score leaves out what gets no verdict, and is 100 where nothing survives', () => {
  expect(percentKilled(scored([]))).toBe(100);
  expect(percentKilled(scored([FOLLOWS]))).toBe(0);
});
