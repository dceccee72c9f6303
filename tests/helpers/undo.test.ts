/** What undoing does with the cards of a context. */
import { expect, test } from 'vitest';
import type { Input } from '../../helpers/answer.ts';
import { CardPools, type LeasedCard, type PoolName } from '../../helpers/cards/pools.ts';
import { Undo } from '../../helpers/changes/undo.ts';
import { FakeCards } from './fake-cards.ts';

/**
 * A context after some steps, as `suspend a, transfer a b 1.15`. Cards that are called by one letter are leased, with
 * 20.00 on each, any other is empty and not ours. Nothing happens to a card by `keep a`; a comment may follow the amount
 * of a transfer.
 * @param refused an operation that the target refuses meanwhile
 */
async function changed(
  steps: string,
  { pool = 'active' as PoolName, settleMs = 0, refused = '', isCautious = false } = {},
) {
  const leased = [...new Set(steps.match(/\b[a-z]\b/g))].toSorted();
  const others = [...steps.matchAll(/transfer \w+ (\w{2,})/g)].map(([, name]) => [name, { balance: 0 }] as const);
  const target = new FakeCards(Object.fromEntries([...leased.map((name) => [name, {}] as const), ...others]));
  const events: string[] = [];
  const notes: string[] = [];
  const send = async (operation: string, input: Input = {}) => {
    undo.sending(operation, input);
    const answer = await target.call(operation, input);
    undo.answered(answer);
    return answer;
  };
  const undo: Undo = new Undo({
    call: send,
    changes: {
      undone: ({ operation }) => events.push(`undone ${operation}`),
      lasting: ({ operation }) => events.push(`lasting ${operation}`),
    },
    note: (note) => notes.push(note),
    defect: (_, error) => String(error),
    settleMs,
    customer: { identifier: 'customer', permissions: { canSearchLoads: true } },
    isCautious,
    endMoney: () => {},
  });
  // Whoever moves money chooses its cards by their balance.
  const request = { pool, count: leased.length, wants: ({ balance }: LeasedCard) => balance !== undefined };
  const [taken] = await new CardPools({ [pool]: leased }).take([request], target.call);
  target.refuses = (operation) => operation === refused;
  for (const step of steps.split(', ').filter((one) => !one.startsWith('keep '))) {
    const [operation, identifier = '', to, amount, comment] = step.split(' ');
    const json = to && { targetCardIdentifier: to, amount: JSON.parse(amount!), comment };
    await send(`cards.${operation}`, { path: { identifier }, json });
  }
  target.refuses = () => false;
  /** Undoes. @returns what became of the cards, and what was asked for, undone and noted */
  const end = async () => {
    const [requests, changes] = [target.requests, target.changes.length];
    await undo.run(taken!);
    const asked = { requests: target.requests - requests, changes: target.changes.slice(changes) };
    const spent = taken!.map((card) => undo.isSpent(card));
    const cards = Object.values(target.cards);
    const now = { statuses: cards.map(({ status }) => status), balances: cards.map(({ balance }) => balance) };
    return { ...asked, spent, ...now, events: [...new Set(events)], undone: events.length, notes };
  };
  return { target, undo, end };
}

const UNSUSPENDED = ['undone cards.suspend'];
const MOVED_BACK = ['undone cards.transfer'];

test.each<[what: string, steps: string, outcome: object]>([
  ['unsuspends a card', 'suspend a', { statuses: ['Active'], spent: [false], events: UNSUSPENDED, notes: [] }],
  ['leaves alone what was unsuspended before', 'suspend a, unsuspend a', { changes: [], events: UNSUSPENDED }],
  [
    'moves back what was moved',
    'transfer a b 1.15, transfer b c 4.35, transfer c a 0.29',
    { balances: [2000, 2000, 2000], events: MOVED_BACK },
  ],
  [
    'moves nothing back where nothing is missing',
    'transfer a b 1, transfer b a 1',
    { changes: [], events: MOVED_BACK, undone: 2 },
  ],
  [
    'takes back what a card that is not ours was given',
    'transfer a elsewhere 1',
    { balances: [2000, 0], events: MOVED_BACK },
  ],
])('%s', async (_, steps, outcome) => {
  const { end } = await changed(steps);
  expect(await end()).toMatchObject(outcome);
});

test('asks nothing of cards that were not changed', async () => {
  const { target, end } = await changed('keep a, keep b');
  const before = target.requests;
  expect(await end()).toMatchObject({ spent: [false, false] });
  expect(target.requests).toBe(before);
});

test('unsuspends a card that was suspended though that was refused', async () => {
  const { target, end } = await changed('suspend a', { refused: 'cards.suspend' });
  target.cards.a!.status = 'Suspended';
  expect((await end()).statuses).toEqual(['Active']);
});

test('moves back what a refused transfer moved', async () => {
  const { target, end } = await changed('transfer a b 1', { refused: 'cards.transfer' });
  target.gain({ a: -100, b: 100 });
  expect((await end()).balances).toEqual([2000, 2000]);
});

test('says which card stays suspended, which is spent', async () => {
  const { target, end } = await changed('suspend a');
  target.refuses = (operation) => operation === 'cards.unsuspend';
  const notes = ['A card of cards.active is left Suspended: a'];
  expect(await end()).toMatchObject({ spent: [true], events: [], notes });
});

test('waits until what it moves back shows', async () => {
  const { target, end } = await changed('transfer a b 1', { settleMs: 500 });
  target.movesLate = true;
  expect((await end()).balances).toEqual([2000, 2000]);
});

test('says where money is missing, and leaves the transfer to a cleanup', async () => {
  const { target, end } = await changed('transfer a elsewhere 1');
  target.refuses = (_operation, identifier) => identifier === 'elsewhere';
  const notes = ['A card of cards.active is left with 1.00 less than it had: a'];
  expect(await end()).toMatchObject({ events: [], notes });
});

test('tries again what is refused at first, with the members that were accepted', async () => {
  const { target, end } = await changed('suspend b, transfer a b 1 wanted', { settleMs: 500 });
  const first = new Set(['cards.unsuspend', 'cards.transfer']);
  target.refuses = (operation) => first.delete(operation);
  expect(await end()).toMatchObject({ statuses: ['Active', 'Active'], balances: [2000, 2000] });
  expect(target.bodies.at(-1)).toMatchObject({ comment: 'wanted' });
});

test('does not send again what was sent with a wrong type, though it was taken', async () => {
  const { target, undo, end } = await changed('transfer a b 1 wanted');
  const input = { path: { identifier: 'a' }, json: { targetCardIdentifier: 'b', amount: 1, comment: 1 } };
  undo.answered({ ...(await target.call('cards.transfer', input)), intent: 'malformed' });
  await end();
  expect(target.bodies.at(-1)).toMatchObject({ comment: 'wanted' });
});

test('tries nothing on a card that was closed', async () => {
  const { target, end } = await changed('transfer a b 1, close a, suspend a', { pool: 'disposable' });
  target.cards.a!.status = 'Closed';
  const outcome = await end();
  expect(outcome).toMatchObject({ changes: [], spent: [true, false], notes: [] });
  expect(outcome.events).toContain('undone cards.transfer');
});

test('moves back no more than the transfers moved, whatever others moved meanwhile', async () => {
  const { target, end } = await changed('transfer a b 1, keep c');
  target.gain({ a: -5000, b: 5000, c: -300 });
  const notes = ['A card of cards.active is left with 50.00 less than it had: a'];
  expect(await end()).toMatchObject({ balances: [-3000, 7000, 1700], events: MOVED_BACK, notes });
});

test('moves back what a target took from a text, or the other way from a negative amount', async () => {
  const { target, end } = await changed('transfer a b "1.00", transfer a b -3');
  // Whatever others do, so that only bounds are left to go by.
  target.gain({ a: 7000 });
  expect((await end()).balances).toEqual([9000, 2000]);
});

test('a fraction of a cent, which cannot be moved back, keeps nothing open', async () => {
  const { target, end } = await changed('transfer a b 1.005');
  target.cards.a!.balance = 1899.5;
  target.cards.b!.balance = 2100.5;
  expect(await end()).toMatchObject({ events: MOVED_BACK, notes: [] });
  expect(target.cards.a!.balance).toBeGreaterThanOrEqual(1999);
});

test('does not repeat a transfer back that was not answered', async () => {
  const { target, end } = await changed('transfer a b 1');
  target.blocks = (operation) => (operation === 'cards.transfer' ? 'no answer in time' : undefined);
  const { requests, events, notes } = await end();
  expect(requests).toBeLessThan(6);
  expect(events).toEqual([]);
  expect(notes).toContain('A change could not be undone: no answer in time');
});

test('a balance that cannot be read any more keeps only its own transfers open', async () => {
  const { target, end } = await changed('transfer a b 1, transfer c b 1');
  target.refuses = (operation, identifier) => operation === 'cards.getBalance' && identifier === 'c';
  const { balances, events } = await end();
  expect(balances[0]).toBe(2000);
  expect(events).toContain('undone cards.transfer');
});

test('notes what keeps it from undoing, and undoes the rest', async () => {
  const { target, end } = await changed('transfer a b 1, suspend b, unsuspend b, suspend a');
  target.blocks = (operation) => (operation === 'cards.unsuspend' ? 'the target is unavailable' : undefined);
  const notes = ['A change could not be undone: the target is unavailable'];
  expect(await end()).toMatchObject({ balances: [2000, 2000], notes });
});

test.each([
  ['takes nothing where money is missing already', true, [1700, 2100], '3.00'],
  ['moves nothing more once what it moves back does not arrive', false, [1900, 2000], '1.00'],
])('at a target that loses money it %s', async (_, isMissing, balances, less) => {
  const { target, end } = await changed('transfer a b 1', { isCautious: isMissing });
  if (isMissing) target.gain({ a: -200 });
  target.losesMoney = !isMissing;
  const outcome = await end();
  expect(outcome).toMatchObject({ balances, events: [] });
  expect(outcome.notes).toContain(`A card of cards.active is left with ${less} less than it had: a`);
  expect(outcome.notes.at(-1)).toMatch(/^Money goes missing at this target, so no more is moved back/);
});
