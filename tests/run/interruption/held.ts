/** A sandbox that holds its answer to the first change of a kind, after it took effect. */
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { Change } from '../../../contracts/record.ts';
import { type Ended, type Started, startCleanup } from '../../../proof/hostile/run.ts';
import { type HostileTarget, hostileTarget, reply } from '../../../proof/hostile/target.ts';
import type { Sandbox, World } from '../../../sandbox/index.ts';

export interface HeldTarget extends HostileTarget {
  /** Resolves when the change has taken effect and is not answered yet. */
  held: Promise<void>;
  /** What undoing has to bring back. */
  before: unknown;
}

/**
 * Holds the answer to the first request that matches in method and address and changes what undoing restores.
 * @param until called then, and answered when what it gives is over; undefined for never
 */
export async function holding(which: RegExp, until?: () => Promise<unknown>): Promise<HeldTarget> {
  const { promise: held, resolve } = Promise.withResolvers<void>();
  let holds = true;
  let before: unknown;
  const target = await hostileTarget(async ({ request, response, forward }) => {
    const answer = await forward();
    const matches = holds && answer.status < 300 && which.test(`${request.method} ${request.url}`);
    if (matches && !isDeepStrictEqual(restorable(target), before)) {
      holds = false;
      resolve();
      if (!until) return;
      await until();
    }
    reply(response, answer);
  }, 'after login');
  before = restorable(target);
  Object.assign(target.environment, { RUN_TIMEOUT_MS: '2000', RUN_RISK: 'reversible' });
  return { ...target, held, before };
}

/** Ends what changes the target, in the middle of the change. */
export async function interrupted(run: Started, { held }: HeldTarget, signal: NodeJS.Signals): Promise<Ended> {
  await held;
  run.child.kill(signal);
  return run.ended;
}

/** Expects that changes are open, and that a cleanup undoes one of each operation at least and leaves none. */
export async function expectCleanup(target: HeldTarget, directory: string, ...operations: string[]): Promise<void> {
  expect(restorable(target)).not.toEqual(target.before);
  const ended = await startCleanup(target.environment, directory).ended;
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  for (const operation of operations)
    expect(ended.stdout).toMatch(new RegExp(`^c\\d+ ${operation.replace('.', '\\.')} \\S+: undone$`, 'm'));
  expect(restorable(target)).toEqual(target.before);
}

/** What changes.ndjson holds of a card that was to be suspended. */
export function suspending(id: string, identifier: string): Change {
  const input = { path: { identifier } };
  const undo = { operation: 'cards.unsuspend', input };
  return { id, at: '2026-01-01T00:00:00.000Z', event: 'sending', operation: 'cards.suspend', input, undo };
}

/** State and money of the cards, permissions of the customers. */
export function restorable({ sandbox }: { sandbox: Sandbox }): unknown {
  const { cards, customers } = sandbox.state() as Pick<World['data'], 'cards' | 'customers'>;
  return {
    cards: cards.map(({ identifier, state, balanceCents }) => ({ identifier, state, balanceCents })),
    customers: customers.map(({ identifier, permissions }) => ({ identifier, permissions })),
  };
}
