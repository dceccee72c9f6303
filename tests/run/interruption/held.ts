/** A sandbox that holds its answer to the first change of a kind, after it took effect. */
import { isDeepStrictEqual } from 'node:util';
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

/** State and money of the cards, permissions of the customers. */
export function restorable({ sandbox }: { sandbox: Sandbox }): unknown {
  const { cards, customers } = sandbox.state() as {
    cards: World['data']['cards'];
    customers: World['data']['customers'];
  };
  return {
    cards: cards.map(({ identifier, state, balanceCents }) => ({ identifier, state, balanceCents })),
    customers: customers.map(({ identifier, permissions }) => ({ identifier, permissions })),
  };
}
