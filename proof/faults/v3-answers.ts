/** Faults of how the users and cards interfaces answer valid requests: with 500 at some values, with the answer to another request, with a refusal now and then, and with members of another type or size. */
import type { OperationId, World } from '../../sandbox/index.ts';
import type { Fault } from './fault.ts';

const flickers = (operation: OperationId, status: number): Fault => {
  const successes = new WeakMap<World, number>();
  return {
    name: `one in five requests of ${operation} is answered with ${status}`,
    condemns: [`${operation}.required-only`],
    sandbox: {
      middleware: [
        (answer, { operation: of, world }) => {
          if (of !== operation || answer.status >= 300) return undefined;
          const count = (successes.get(world) ?? 0) + 1;
          successes.set(world, count);
          return count % 5 === 1 ? { ...answer, status, body: [{ errorCode: 'again' }] } : undefined;
        },
      ],
    },
  };
};

export const v3AnswerFaults: readonly Fault[] = [flickers('cards.get', 404)];
