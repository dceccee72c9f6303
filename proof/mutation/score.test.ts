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
  const mutant: Mutant = {
    number: 1,
    file: 'a.ts',
    line: 1,
    operator,
    from: 'true',
    to: 'false',
    atLoad: false,
  };
  const tried: Tried = { number: 1, differences, killedBy: [], incomplete: false, undecided: [], ...more };
  const trials = { reached: [mutant], unreached: [], tried: new Map([[1, tried]]) };
  return scoreOf('a', trials, [token, other, refused, form]);
}

test('a mutant that answers as the sound target does needs no explanation', () => {
  expect(scored([])).toMatchObject({ same: 1, unexplained: [] });
});

test('one that is condemned, crashes or hangs is counted as such', () => {
  expect(scored(['cards.list fewer .results'], { killedBy: ['cards.list.all'] })).toMatchObject({ killed: 1 });
  expect(scored(['cards.list refuses: '], { incomplete: true })).toMatchObject({ incomplete: 1 });
});

test('a class takes a mutant that shows what it is about, and what follows from that', () => {
  const score = scored(['cards.get refuses: unknown card', 'cards.get another .status']);
  expect(score).toMatchObject({ explained: { free: 1 }, unexplained: [] });
  expect(score.taken.get(token)).toHaveLength(1);
  expect([...score.needed]).toEqual(['cards.get refuses: unknown*', 'cards.* another .status']);
  expect(scored(['cards.get another .status']).unexplained).toHaveLength(1);
  const inOneCall = ['cards.get another .status', 'cards.get refuses: unknown card'];
  expect(scored(inOneCall)).toMatchObject({ explained: { free: 1 } });
  expect(scored(['cards.list another .status', ...inOneCall]).unexplained).toHaveLength(1);
});

test('every difference has to be explained, by several classes if need be', () => {
  const together = ['cards.get refuses: unknown card', 'cards.list fewer .results'];
  expect(scored(together)).toMatchObject({ explained: { free: 1 } });
  expect(scored([...together, 'cards.list another .results.status']).unexplained).toHaveLength(1);
});

test('a refusal leaves musts undecided only where the run says so', () => {
  expect(scored(['cards.close refuses: state']).unexplained).toHaveLength(1);
  const undecided = ['cards.close.closes'];
  expect(scored(['cards.close refuses: state'], { undecided })).toMatchObject({ explained: { undecided: 1 } });
  expect(scored(['cards.get refuses: unknown card'], { undecided })).toMatchObject({ explained: { undecided: 1 } });
});

test('a class of some mutation operators takes no others', () => {
  expect(scored(['token.issue accepts: client'], {}, 'compared by case')).toMatchObject({ explained: { missed: 1 } });
  expect(scored(['token.issue accepts: client']).unexplained).toHaveLength(1);
});

test('a class that would take condemned mutants, too, is found out', () => {
  expect(scored(['cards.list fewer .results'], { killedBy: ['cards.list.all'] }).condemned.get(other)).toBe(1);
});

test('the score leaves out what gets no verdict, and is 100 where nothing survives', () => {
  expect(percentKilled(scored([]))).toBe(100);
  expect(percentKilled(scored(['cards.get another .status']))).toBe(0);
});
