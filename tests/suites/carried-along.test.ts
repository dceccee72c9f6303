/** Which cards an operation on others seems to have carried along, by the answers of a run (reading 10). */
import { expect, test } from 'vitest';
import type { Answer } from '../../helpers/answer.ts';
import { carriedAlong } from '../../suites/v3/cards/scenarios/carried-along.ts';
import { answerTo } from '../tools/answers.ts';

/** Answers in their order: a listing, a record, or an operation that was accepted for a card. */
function answersOf(
  ...all: (`${string} is ${string}` | `list: ${string} is ${string}` | `cards.${string} ${string}`)[]
) {
  return all.map((one, index): Answer => {
    const [, isListed, card = '', status] = /^(list: )?(\w+) is (\w+)$/.exec(one) ?? [];
    const [operation = '', named = ''] = one.split(' ');
    const record = { identifier: card, status };
    const answer =
      status === undefined
        ? answerTo(operation)
        : answerTo(isListed ? 'cards.list' : 'cards.get', isListed ? { results: [record] } : record);
    const path: Record<string, string> = isListed ? {} : { identifier: status === undefined ? named : card };
    return { ...answer, input: { path }, exchange: String(index), sentAt: index, answeredAt: index };
  });
}

const cardsIn = (...all: Parameters<typeof answersOf>) =>
  carriedAlong(answersOf(...all), 'cards.suspend', ['b', 'c'], new Set(['OnHold'])).map(({ card, named }) => [
    card,
    named,
  ]);

test('a card that was Active is suspended once others were, though no request named it', () => {
  expect(cardsIn('b is Active', 'cards.suspend a', 'b is OnHold')).toEqual([['b', ['a']]]);
  expect(cardsIn('list: c is Active', 'cards.suspend a', 'cards.suspend b', 'c is OnHold')).toEqual([
    ['c', ['a', 'b']],
  ]);
});

test('a listing shows it, too, but less than a record', () => {
  const [carried] = carriedAlong(
    answersOf('b is Active', 'cards.suspend a', 'list: b is OnHold', 'b is OnHold', 'list: b is OnHold'),
    'cards.suspend',
    ['b'],
    new Set(['OnHold']),
  );
  expect(carried!.by.map(({ exchange }) => exchange)).toEqual(['0', '3']);
  expect(cardsIn('b is Active', 'cards.suspend a', 'list: b is OnHold')).toEqual([['b', ['a']]]);
});

test.each([
  ['was suspended itself', cardsIn('b is Active', 'cards.suspend a', 'cards.suspend b', 'b is OnHold')],
  ['was not seen Active', cardsIn('cards.suspend a', 'b is OnHold')],
  ['was found Active since', cardsIn('b is Active', 'cards.suspend a', 'b is Active', 'b is OnHold')],
  ['has another status than suspended cards', cardsIn('b is Active', 'cards.suspend a', 'b is Expired')],
  ['belongs to no pool of Active cards', cardsIn('d is Active', 'cards.suspend a', 'd is OnHold')],
])('a card is not carried along that %s', (_, carried) => {
  expect(carried).toEqual([]);
});
