/** Whether others change cards of the pools, so that no operation is to blame (reading 47). */
import { expect, test } from 'vitest';
import { type Answer, now } from '../../helpers/answer.ts';
import type { Context } from '../../helpers/check.ts';
import { isSeenToBeDone } from '../../suites/v3/cards/scenarios/around.ts';
import { isLedToByAnother, isShownWithout } from '../../suites/v3/cards/scenarios/looks.ts';
import { answerTo } from '../tools/answers.ts';

/** A context with two cards, one of which was provisioned; the others are by somebody else while it waits, if there is somebody. */
function withCards({ isOthersTurn, isOwn = false }: { isOthersTurn: boolean; isOwn?: boolean }): Context {
  const provisioned = new Set(['a']);
  const call = async (operation: string, input: { path: { identifier: string } }) => {
    const isProvisionedToWallet = provisioned.has(input.path.identifier);
    return answerTo(operation, operation === 'cards.get' ? { status: 'Active', isProvisionedToWallet } : { status: 1 });
  };
  let pauses = 0;
  const pause = async () => {
    pauses++;
    if (isOthersTurn) provisioned.add('b');
    // The run itself gives a card to a wallet in the first watch, and that reaches another one.
    if (isOwn && pauses === 1) {
      provisioned.add('b');
      run.answers.push({ ...answerTo('cards.markWalletProvisioned', { status: 1 }), answeredAt: now() });
    }
  };
  const run = {
    history: { sinceChange: () => Number.POSITIVE_INFINITY },
    configuration: { run: { settleMs: 0 } },
    pools: { poolOf: () => 'disposable' },
    answers: [] as Answer[],
  };
  return { fixtures: { cards: { disposable: ['a', 'b'] } }, run, call, pause } as unknown as Context;
}

const change = { inWords: '', member: 'isProvisionedToWallet', from: false, to: true };

test('a card that comes to show it while nothing is asked shows that others do it; one that showed it before does not', async () => {
  expect(await isSeenToBeDone(withCards({ isOthersTurn: true }), 'cards.markWalletProvisioned', change)).toBe(true);
  expect(await isSeenToBeDone(withCards({ isOthersTurn: false }), 'cards.markWalletProvisioned', change)).toBe(false);
});

test('what the run did meanwhile is not done by others: the cards are watched once more', async () => {
  expect(
    await isSeenToBeDone(withCards({ isOthersTurn: false, isOwn: true }), 'cards.markWalletProvisioned', change),
  ).toBe(false);
  expect(await isSeenToBeDone(withCards({ isOthersTurn: false, isOwn: true }), 'cards.close', change)).toBe(true);
});

test('what is no member of a record is not watched', async () => {
  const heir = { inWords: '', to: 'what the card had' };
  expect(await isSeenToBeDone(withCards({ isOthersTurn: true }), 'cards.close', heir)).toBe(false);
});

/** What a run asked of one card: readings of its status, and operations that were accepted. */
const askedOfOne = (...asked: (`is ${string}` | `cards.${string}`)[]): Context => {
  const answers = asked.map((one) => {
    const [, status] = one.split('is ');
    const answer = answerTo(status === undefined ? one : 'cards.get', status === undefined ? undefined : { status });
    return { ...answer, input: { path: { identifier: 'a' } } };
  });
  return { run: { answers } } as unknown as Context;
};

test.each([
  ['another operation that led a card to it', askedOfOne('is Active', 'cards.suspend', 'is OnHold'), true],
  ['the operation itself', askedOfOne('is Active', 'cards.unsuspend', 'is OnHold'), false],
  ['one of several operations', askedOfOne('is Active', 'cards.close', 'cards.suspend', 'is OnHold'), false],
  ['an operation that leads elsewhere', askedOfOne('is Active', 'cards.close', 'is Closed'), false],
  ['an operation from elsewhere', askedOfOne('is Unused', 'cards.activate', 'is OnHold'), false],
  ['what leaves the status alone', askedOfOne('is Active', 'cards.setPin', 'is OnHold'), false],
])('whether what all cards show after unsuspend may come from %s', (_, t, expected) => {
  const suspended = { inWords: '', member: 'status', from: 'Active', to: 'OnHold' };
  expect(isLedToByAnother(t, 'cards.unsuspend', suspended)).toBe(expected);
});

/** A run that reads a card ten seconds apart, whose first answer shows that it is in no wallet and whose last one that it is, and asks for more meanwhile. */
const provisionedMeanwhile = (...asked: readonly { operation: string; second: number; status?: number }[]): Context => {
  const at = (second: number) => ({ sentAt: second * 1000, answeredAt: second * 1000 + 10 });
  const read = (second: number, isProvisionedToWallet: boolean) => ({
    ...answerTo('cards.get', { isProvisionedToWallet }),
    ...at(second),
    input: { path: { identifier: 'a' } },
  });
  const others = asked.map(({ operation, second, status = 200 }) => ({
    ...answerTo(operation, { status: 1 }, { status }),
    ...at(second),
    input: { path: { identifier: 'b' } },
  }));
  const answers = [read(10, false), ...others, read(20, true)].toSorted((one, other) => one.sentAt - other.sentAt);
  const history = { sinceChange: () => Number.POSITIVE_INFINITY };
  return { run: { answers, history, configuration: { run: { settleMs: 1000 } } } } as unknown as Context;
};

test.each([
  ['nothing in between', provisionedMeanwhile(), true],
  ['the operation in between', provisionedMeanwhile({ operation: 'cards.close', second: 15 }), false],
  ['the operation shortly before', provisionedMeanwhile({ operation: 'cards.close', second: 9.5 }), false],
  ['the operation long before', provisionedMeanwhile({ operation: 'cards.close', second: 5 }), true],
  ['the operation afterwards', provisionedMeanwhile({ operation: 'cards.close', second: 21 }), true],
  ['the operation, refused', provisionedMeanwhile({ operation: 'cards.close', second: 15, status: 400 }), true],
  ['another operation in between', provisionedMeanwhile({ operation: 'cards.suspend', second: 15 }), true],
])('whether a card that is left alone shows it without the operation: with %s', (_, t, expected) => {
  expect(isShownWithout(t, 'cards.close', change)).toBe(expected);
  expect(isShownWithout(t, 'cards.close', { ...change, member: 'status' })).toBe(false);
});
