/** Whether others change cards of the pools, so that no operation is to blame (reading 47). */
import { expect, test } from 'vitest';
import type { Context } from '../../helpers/check.ts';
import { isDoneByOthers } from '../../suites/v3/cards/scenarios/around.ts';
import { answerTo } from '../tools/answers.ts';

/** A context with two cards, one of which was provisioned; the others are by somebody else while it waits, if there is somebody. */
function withCards({ isOthersTurn }: { isOthersTurn: boolean }): Context {
  const provisioned = new Set(['a']);
  const call = async (operation: string, input: { path: { identifier: string } }) => {
    const isProvisionedToWallet = provisioned.has(input.path.identifier);
    return answerTo(operation, operation === 'cards.get' ? { status: 'Active', isProvisionedToWallet } : { status: 1 });
  };
  const pause = async () => {
    if (isOthersTurn) provisioned.add('b');
  };
  const run = { history: { sinceChange: () => Number.POSITIVE_INFINITY }, configuration: { run: { settleMs: 0 } } };
  return { fixtures: { cards: { disposable: ['a', 'b'] } }, run, call, pause } as unknown as Context;
}

const change = { inWords: '', member: 'isProvisionedToWallet', from: false, to: true };

test('a card that comes to show it while nothing is asked shows that others do it; one that showed it before does not', async () => {
  expect(await isDoneByOthers(withCards({ isOthersTurn: true }), change, 1)).toBe(true);
  expect(await isDoneByOthers(withCards({ isOthersTurn: false }), change, 1)).toBe(false);
});

test('what is no member of a record is not watched', async () => {
  const heir = { inWords: '', to: 'what the card had' };
  expect(await isDoneByOthers(withCards({ isOthersTurn: true }), heir, 1)).toBe(false);
});
