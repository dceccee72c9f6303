import { expect, test } from 'vitest';
import { digested } from '../../contracts/past.ts';
import type { Rotated } from '../../contracts/record.ts';
import { Rotations } from '../../helpers/evidence/rotations.ts';

const past = (tried: string[], suspected: Rotated['suspected'] = []) => [
  [digested({ subject: 'letters', tried, forms: 3, suspected })],
];

const sentOf = (...made: string[]) => ({ made: new Set(made), used: new Set<string>() });

test('what an exchange shows is blamed on what made it, and on what used it where nothing that rotates made it', () => {
  const rotations = new Rotations([]);
  const [maker, user] = [sentOf('x1'), sentOf()];
  rotations.begin('letters', ['a'], 3, maker);
  rotations.begin('digits', ['1'], 3, user);
  maker.made.add('x2');
  for (const exchange of ['x1', 'x2', 'x3']) user.used.add(exchange);
  rotations.suspect(['x2'], 'cards.get.shape');
  expect(rotations.facts()).toEqual([
    { subject: 'letters', tried: ['a'], forms: 3, suspected: [{ form: 'a', failed: ['cards.get.shape'] }] },
    { subject: 'digits', tried: ['1'], forms: 3 },
  ]);
  rotations.suspect(['x3']);
  expect(rotations.facts()[1]).toMatchObject({ suspected: [{ form: '1', failed: [] }] });
});

test('what was due and sent nothing was left, not tried', () => {
  const rotations = new Rotations([]);
  rotations.begin('letters', ['a'], 3, sentOf('x1'));
  expect(rotations.facts()).toEqual([{ subject: 'letters', tried: [], forms: 3, left: ['a'] }]);
});

test('what failed and is not tried again is told, unless it is gone', () => {
  const failed = past(['a'], [{ form: 'a', failed: ['cards.get.shape'] }]);
  expect(new Rotations(failed).unplayed()).toEqual([{ requirement: 'cards.get.shape', what: undefined }]);

  const offering = (...names: string[]) => {
    const rotations = new Rotations(failed);
    rotations.offer('letters', names);
    return rotations;
  };
  expect(offering('b').unplayed()).toEqual([]);
  expect(offering('a', 'b').unplayed()).toEqual([{ requirement: 'cards.get.shape', what: 'letters: a' }]);

  const playing = offering('a', 'b');
  const sent = sentOf();
  playing.begin('letters', ['a'], 3, sent);
  sent.made.add('x1');
  expect(playing.unplayed()).toEqual([]);
  const isCutOff = (id: string) => id === 'cards.get.shape';
  expect(playing.unplayed(isCutOff), 'where trials were broken off').toHaveLength(1);
});

test('of forms that are tried together those are blamed that failed the same before', () => {
  const rotations = new Rotations(past(['a', 'b'], [{ form: 'a', failed: ['cards.get.shape'] }]));
  const sent = sentOf();
  rotations.begin('letters', ['a', 'b'], 3, sent);
  sent.made.add('x1');
  rotations.suspect(['x1'], 'cards.get.shape');
  expect(rotations.facts()[0]?.suspected).toEqual([{ form: 'a', failed: ['cards.get.shape'] }]);
  rotations.suspect(['x1'], 'cards.get.status');
  expect(rotations.facts()[0]?.suspected?.map(({ form }) => form)).toEqual(['a', 'b']);
});

test('where nothing that rotates made or used what shows it, all is blamed that a check has used', () => {
  const rotations = new Rotations([]);
  const sent = sentOf();
  rotations.begin('letters', ['a'], 3, sent);
  sent.made.add('x1');
  rotations.suspect(['x2'], 'cards.get.shape', ['x1', 'x2']);
  expect(rotations.facts()[0]?.suspected).toEqual([{ form: 'a', failed: ['cards.get.shape'] }]);
});

test('what used an exchange is not blamed where another was made by a form', () => {
  const rotations = new Rotations([]);
  const [maker, user] = [sentOf(), sentOf()];
  rotations.begin('letters', ['a'], 3, maker);
  rotations.begin('digits', ['1'], 3, user);
  maker.made.add('x2');
  user.used.add('x1');
  rotations.suspect(['x1', 'x2'], 'cards.get.shape');
  expect(rotations.facts().map(({ suspected }) => suspected?.length)).toEqual([1, undefined]);
});

test('what failed by what every run sends is told from what failed by a form alone', () => {
  const rotations = new Rotations([]);
  const sent = sentOf();
  rotations.begin('letters', ['a'], 3, sent);
  sent.made.add('x1');
  rotations.suspect(['x1'], 'cards.get.shape');
  rotations.suspect(['x2'], 'cards.get.status', ['x1']);
  rotations.suspect(['x2']);
  expect(rotations.plainlyFailed()).toEqual([]);
  rotations.suspect(['x2'], 'cards.get.shape');
  expect(rotations.plainlyFailed()).toEqual(['cards.get.shape']);
});

test('of forms that one context tries one after the other those are not blamed that are of another operation', () => {
  const rotations = new Rotations([]);
  const sent = sentOf();
  for (const subject of ['cards.close: misnamed', 'cards.get: misnamed', 'letters'])
    rotations.begin(subject, ['a'], 3, sent);
  sent.made.add('x1');
  rotations.suspect(['x1'], 'cards.get.shape');
  expect(rotations.facts().map(({ suspected }) => suspected?.length)).toEqual([undefined, 1, 1]);
  rotations.suspect(['x1'], 'cards.list.shape');
  expect(rotations.facts().map(({ suspected }) => suspected?.length)).toEqual([1, 1, 1]);
});
