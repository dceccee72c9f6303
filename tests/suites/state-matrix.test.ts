import { expect, test } from 'vitest';
import { operations } from '../../contracts/operations.ts';
import type { Intent } from '../../helpers/answer.ts';
import { StateMatrix } from '../../helpers/cards/state-matrix.ts';
import type { Configuration } from '../../helpers/configuration/types.ts';
import { conductAgainst } from '../../proof/selfcheck/prove.ts';
import type { SandboxOptions } from '../../sandbox/index.ts';
import { answerTo } from '../tools/answers.ts';

/** An answer about a card, sent after everything that was read before. */
const answer = (
  id: string,
  status: number,
  body?: object,
  { intent = 'valid' as Intent, sentAt = 0, card = '1' } = {},
) => answerTo(id, body, { status, intent, sentAt: sentAt || Date.now() + 1000, input: { path: { identifier: card } } });

/** A matrix that knows the status of a card. */
function knowing(status: string, card = '1', matrix = new StateMatrix()): StateMatrix {
  matrix.note(answer('cards.getStatus', 200, { status: 1 }, { card }));
  matrix.note(answer('cards.get', 200, { status }, { card }));
  return matrix;
}

const refusable = { intent: 'refusable' } as const;

test.each([
  [409, undefined, 'refused with status 409'],
  [200, { errorCode: 'x' }, 'refused with status 200 and an errorCode'],
])('a cell says what an operation does to a card in a status: %i', (status, body, outcome) => {
  const matrix = knowing('Suspended');
  matrix.note(answer('cards.suspend', status, body, refusable));
  expect(matrix.cells()).toEqual([{ operation: 'cards.suspend', status: 'Suspended', outcome }]);
});

test('a cell needs a status that was read since the last change, and since the record was refreshed', () => {
  const matrix = knowing('Active');
  matrix.note(answer('cards.suspend', 200));
  matrix.note(answer('cards.get', 200, { status: 'Active' }));
  matrix.note(answer('cards.close', 200));
  expect(matrix.cells().map(({ operation }) => operation)).toEqual(['cards.suspend']);
});

const bad = (['malformed', 'unauthorised', 'unknown', 'foreign'] as const).map((intent) => ({ intent }));
test.each([{ sentAt: 1 }, { card: '2' }, ...bad])(
  'a cell leaves out what was under way when the status was read, bad requests, and other cards: %o',
  (more) => {
    const matrix = knowing('Active');
    matrix.note(answer('cards.close', 200, undefined, more));
    expect(matrix.cells()).toEqual([]);
  },
);

test('a cell is told by what is certain to be valid, where there is such a request', () => {
  const matrix = knowing('Active');
  matrix.note(answer('cards.transfer', 422, undefined, refusable));
  matrix.note(answer('cards.getBalance', 200, { balance: 1 }));
  expect(matrix.cells()[0]!.outcome).toBe('refused with status 422');
  matrix.note(answer('cards.transfer', 200, { amount: 1 }));
  expect(matrix.cells()[0]!.outcome).toBe('accepted');
});

test('cells are not made of statuses without end', () => {
  const matrix = new StateMatrix();
  for (let n = 0; n < 100; n++)
    knowing(`status ${n}`, `${n}`, matrix).note(answer('cards.getBalance', 200, { balance: 1 }, { card: `${n}` }));
  expect(matrix.cells()).toHaveLength(24);
});

/** What a run of some checks sees of operations in statuses. */
async function observed(only: string, configure: (configuration: Configuration) => void, options: SandboxOptions = {}) {
  const { run } = await conductAgainst(options, [only], configure);
  const seen = [...run.observations.values()].filter(({ subject }) => subject.startsWith('on a card whose status is'));
  return new Map<string, string>(seen.map(({ id, value }) => [id, value]));
}

test('with --matrix every operation is seen in every status on the sandbox, alike in two runs but for what behaves otherwise', async () => {
  const filledBy = (seed: number, options?: SandboxOptions) =>
    observed('cards.getStatus', ({ run }) => Object.assign(run, { matrix: true, seed }), options);
  const first = await filledBy(1);
  const ofCards = operations.filter(({ id, path, listedOnly }) => /^cards\..*\{/.test(id + path) && !listedOnly);
  expect(first.size).toBe(7 * ofCards.length);
  expect(first.get('cards.close: on a card whose status is Suspended')).toBe('accepted');
  expect(first.get('cards.unsuspend: on a card whose status is Closed')).toBe('refused with status 409');
  const allowsFrom = (id: string, { state }: { state: string }, byDefault: boolean) =>
    (id === 'cards.activate' && state === 'closed') || byDefault;
  const changed = await filledBy(99, { rules: { allowsFrom } });
  expect(changed).toEqual(new Map([...first, ['cards.activate: on a card whose status is Closed', 'accepted']]));
});

test('on another target only what the checks do is seen, with --matrix more', async () => {
  const elsewhere = (matrix: boolean) =>
    observed('cards', ({ run, target }) => {
      target.embedded = false;
      run.matrix = matrix;
    });
  const [few, more] = [await elsewhere(false), await elsewhere(true)];
  expect(few.size).toBeGreaterThan(20);
  expect(more.size).toBeGreaterThan(few.size);
  for (const [id, value] of few) expect([id, more.get(id)]).toEqual([id, value]);
  expect(more.get('cards.markLost: on a card whose status is Active')).toBe('accepted');
});
