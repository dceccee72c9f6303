import { describe, expect, test } from 'vitest';
import { operation, operations } from '../../contracts/operations.ts';
import type { Answer, Intent } from '../../helpers/answer.ts';
import { StateMatrix } from '../../helpers/cards/state-matrix.ts';
import type { Configuration } from '../../helpers/configuration/types.ts';
import { conductAgainst } from '../../proof/selfcheck/prove.ts';
import type { Rules, SandboxOptions } from '../../sandbox/index.ts';

const CARD = 'card-1';

/** An answer as far as the matrix looks at it. */
function answer(
  id: string,
  status: number,
  body?: unknown,
  more: { intent?: Intent; sentAt?: number; card?: string } = {},
) {
  return {
    operation: operation(id),
    input: { path: { identifier: more.card ?? CARD } },
    intent: more.intent ?? 'valid',
    status,
    json: body === undefined ? undefined : { ok: true, value: body },
    sentAt: more.sentAt ?? Date.now() + 1000,
  } as unknown as Answer;
}

/** A matrix that knows the status of the card. */
function knowing(status: string): StateMatrix {
  const matrix = new StateMatrix();
  matrix.note(answer('cards.getStatus', 200, { status: 1 }));
  matrix.note(answer('cards.get', 200, { status }));
  return matrix;
}

describe('a cell', () => {
  test('says what an operation does to a card in a status', () => {
    const matrix = knowing('Suspended');
    matrix.note(answer('cards.suspend', 409, undefined, { intent: 'refusable' }));
    expect(matrix.cells()).toEqual([
      { operation: 'cards.suspend', status: 'Suspended', outcome: 'refused with status 409' },
    ]);
  });

  test('needs a status that was read since the last change, and since the record was refreshed', () => {
    const matrix = knowing('Active');
    matrix.note(answer('cards.suspend', 200));
    matrix.note(answer('cards.get', 200, { status: 'Active' }));
    matrix.note(answer('cards.close', 200));
    expect(matrix.cells().map(({ operation }) => operation)).toEqual(['cards.suspend']);
  });

  test('leaves out requests that were under way when the status was read, and bad ones', () => {
    const matrix = knowing('Active');
    matrix.note(answer('cards.close', 200, undefined, { sentAt: 0 }));
    const other = knowing('Active');
    for (const intent of ['malformed', 'unauthorised', 'unknown', 'foreign'] as const)
      other.note(answer('cards.close', 400, undefined, { intent }));
    other.note(answer('cards.close', 400, undefined, { card: 'card-2' }));
    expect([...matrix.cells(), ...other.cells()]).toEqual([]);
  });

  test('is told by what is certain to be valid, where there is such a request', () => {
    const matrix = knowing('Active');
    matrix.note(answer('cards.transfer', 422, undefined, { intent: 'refusable' }));
    matrix.note(answer('cards.getBalance', 200, { balance: 1 }));
    expect(matrix.cells()[0]!.outcome).toBe('refused with status 422');
    matrix.note(answer('cards.transfer', 200, { amount: 1 }));
    expect(matrix.cells()[0]!.outcome).toBe('accepted');
  });

  test('tells a refusal by 200 with an errorCode from a success', () => {
    const matrix = knowing('Suspended');
    matrix.note(answer('cards.transfer', 200, { errorCode: 'state' }, { intent: 'refusable' }));
    expect(matrix.cells()[0]!.outcome).toBe('refused with status 200 and an errorCode');
  });

  test('is not made of statuses without end', () => {
    const matrix = new StateMatrix();
    for (let n = 0; n < 100; n++) {
      matrix.note(answer('cards.getStatus', 200, { status: 1 }, { card: `card-${n}` }));
      matrix.note(answer('cards.get', 200, { status: `status ${n}` }, { card: `card-${n}` }));
      matrix.note(answer('cards.getBalance', 200, { balance: 1 }, { card: `card-${n}` }));
    }
    expect(matrix.cells()).toHaveLength(24);
  });
});

/** What a run of some checks sees. */
async function observed(only: string, configure: (configuration: Configuration) => void, options: SandboxOptions = {}) {
  const { run } = await conductAgainst(options, [only], configure);
  return new Map<string, string>(
    [...run.observations.values()]
      .filter(({ subject }) => subject.startsWith('on a card whose status is'))
      .map(({ id, value }) => [id, value]),
  );
}

describe('in a run', () => {
  const ofCards = operations.filter(
    ({ id, pathParameters, listedOnly }) => id.startsWith('cards.') && pathParameters.length > 0 && !listedOnly,
  );

  test('with --matrix every operation is seen in every status on the sandbox, alike in two runs but for what behaves otherwise', async () => {
    const filledBy = (seed: number, options?: SandboxOptions) =>
      observed('cards.getStatus', ({ run }) => Object.assign(run, { matrix: true, seed }), options);
    const first = await filledBy(1);
    expect(first.size).toBe(7 * ofCards.length);
    expect(first.get('cards.close: on a card whose status is Suspended')).toBe('accepted');
    expect(first.get('cards.unsuspend: on a card whose status is Closed')).toBe('refused with status 409');
    const rules: Partial<Rules> = {
      allowsFrom: (id, { state }, byDefault) => (id === 'cards.activate' && state === 'closed') || byDefault,
    };
    const changed = await filledBy(99, { rules });
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
});
