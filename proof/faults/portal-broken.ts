/** The vocabulary of faults of the portal. */
import type { SandboxRequest } from '../../sandbox/exchange.ts';
import type { Refusal, SandboxOptions, World } from '../../sandbox/index.ts';
import { bodyIn, cardsIn, letThrough } from './broken.ts';
import type { Fault } from './fault.ts';

export type Body = Record<string, unknown>;

/** A fault that condemns requirements of the portal. */
export const fault = (
  name: string,
  condemns: string | readonly string[],
  sandbox: SandboxOptions,
  more: Partial<Fault> = {},
): Fault => ({
  name: `portal: ${name}`,
  condemns: [condemns].flat(),
  sandbox,
  ...more,
});

/** What a fault remembers of one sandbox, since several are served at once. */
export function memory<T>(make: () => T): (world: World) => T {
  const memories = new WeakMap<World, T>();
  return (world) => {
    if (!memories.has(world)) memories.set(world, make());
    return memories.get(world)!;
  };
}

/** Refusals that are made once, and not again. */
export function secondTime(isMeant: (refusal: Refusal) => boolean): SandboxOptions['rules'] {
  let times = 0;
  return letThrough((refusal) => isMeant(refusal) && ++times > 1);
}

/** Some refusals of an operation are not made. */
export const lets = (operation: string, isMeant: (refusal: Refusal, body: Body) => boolean): SandboxOptions => ({
  rules: letThrough((refusal) => refusal.operation === operation && isMeant(refusal, bodyIn(refusal.request))),
});

/** Reads the body of an operation as another one. */
export const reads = (
  operation: string,
  change: (body: Body, request: SandboxRequest, world: World) => Body,
): SandboxOptions => ({
  rules: {
    meanwhile: (world, request) => {
      if (request.operation === operation && request.body !== undefined)
        request.body = change(bodyIn(request), request, world);
    },
  },
});

/** Some requests of an operation that succeed are answered with status 500. */
export const breaksAt = (operation: string, isMeant: (body: Body, cards: Body[]) => boolean): SandboxOptions => ({
  middleware: [
    (answer, { operation: called, request }) =>
      called === operation && answer.status === 200 && isMeant(bodyIn(request), cardsIn(bodyIn(request)))
        ? { ...answer, status: 500, body: {} }
        : undefined,
  ],
});

/** Members may be absent where all of them are, of a body that has others or is empty. */
export const absentTogether = (operation: string, members: readonly string[]): SandboxOptions =>
  lets(
    operation,
    ({ kind, name, request }, body) =>
      kind === 'missing-member' &&
      request.raw.length > 0 &&
      members.includes(name) &&
      members.every((member) => body[member] === undefined),
  );

/** Whether a text has letters that one byte of Latin-1 does not hold. */
export const isBeyondLatin1 = (text: unknown): boolean => /[\u0100-\uffff]/.test(String(text));
