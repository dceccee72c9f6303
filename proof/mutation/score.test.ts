import { expect, test } from 'vitest';
import type { Mutant } from './instrument.ts';
import { percentKilled, scoreOf } from './score.ts';
import type { Tried } from './worker.ts';

const mutant = (number: number, inside: string): Mutant => ({
  number,
  file: 'a.ts',
  line: 1,
  inside,
  operator: 'flag flipped',
  from: 'true',
  to: 'false',
  atLoad: false,
});
const tried = (number: number, killedBy: string[], more: Partial<Tried> = {}): [number, Tried] => [
  number,
  { number, killedBy, incomplete: false, undecided: [], ...more },
];

test('a survivor is explained, or counts against the score', () => {
  const reached = [
    mutant(1, 'killed'),
    mutant(2, 'free'),
    mutant(3, 'seen by nobody'),
    mutant(4, 'crashed'),
    mutant(5, 'refuses all'),
    mutant(6, 'said to refuse all'),
  ];
  const trials = {
    reached,
    unreached: [],
    tried: new Map([
      tried(1, ['cards.get.status']),
      tried(2, []),
      tried(3, []),
      tried(4, [], { incomplete: true }),
      tried(5, [], { undecided: ['cards.get.status'] }),
      tried(6, []),
    ]),
  };
  const score = scoreOf('a', trials, [
    { mutants: ['a.ts · free · *', 'a.ts · gone · *'], why: 'free', reason: 'reading 4' },
    { mutants: ['a.ts · *refuse* all · *'], why: 'undecided', reason: 'reading 47' },
  ]);
  expect(score).toMatchObject({
    killed: 1,
    incomplete: 1,
    explained: { free: 1, undecided: 1 },
    unexplained: [
      'a.ts · seen by nobody · flag flipped · true -> false',
      'a.ts · said to refuse all · flag flipped · true -> false',
    ],
    stale: ['a.ts · gone · *'],
  });
  expect(percentKilled(score)).toBe(33);
});

test('where nothing survives all are condemned', () => {
  expect(percentKilled(scoreOf('a', { reached: [], unreached: [], tried: new Map() }, []))).toBe(100);
});
