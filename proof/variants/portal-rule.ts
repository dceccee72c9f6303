/** The vocabulary of portals with rules of their own, of which the document says nothing. */
import type { SandboxRequest } from '../../sandbox/exchange.ts';
import type { OperationId, SandboxOptions, World } from '../../sandbox/index.ts';
import type { Rules } from '../../sandbox/rules.ts';
import { type Body, bodyIn, memory, refusing, replacing } from '../changed-sandbox.ts';
import { type Variant, variant } from './variant.ts';

export const CIP = 'portal.getCIPCheck';
export const ORDER = 'portal.orderCards';

export const portalRule = (name: string, ...others: Tail<Parameters<typeof variant>>): Variant =>
  variant(`portal rule: ${name}`, ...others);
type Tail<T extends unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never;

/** A rule of its own by which some requests are refused. @param status that of the refusals */
export const ownRule = (
  isRefused: (request: SandboxRequest, world: World) => boolean,
  status?: number,
): Partial<Rules> => ({
  ...refusing({ kind: 'range', name: 'rule' }, isRefused),
  ...(status !== undefined && {
    refusalStatus: ({ name }, byDefault) => (name === 'rule' ? status : byDefault),
  }),
});

/** Successes of an operation are counted, those of all requests or of some; what goes beyond `most` is refused. */
export function atMost(
  most: number,
  operation: OperationId,
  status = 400,
  isMeant: (request: SandboxRequest) => boolean = () => true,
): SandboxOptions {
  const takenIn = memory(() => ({ times: 0 }));
  return {
    rules: ownRule(
      (request, world) => request.operation === operation && isMeant(request) && takenIn(world).times >= most,
      status,
    ),
    ...replacing(operation, (_, { request, world }) => {
      if (isMeant(request)) takenIn(world).times++;
      return undefined;
    }),
  };
}

/** At most so many requests of an operation are accepted for each key. @param keysOf of a request; none where it is not meant */
export function atMostFor(
  most: number,
  operation: OperationId,
  keysOf: (body: Body) => readonly unknown[],
  status = 400,
): SandboxOptions {
  const takenIn = memory(() => new Map<string, number>());
  const keysIn = (request: SandboxRequest) => keysOf(bodyIn(request)).map((key) => JSON.stringify(key));
  return {
    rules: ownRule(
      (request, world) =>
        request.operation === operation && keysIn(request).some((key) => (takenIn(world).get(key) ?? 0) >= most),
      status,
    ),
    ...replacing(operation, (_, { request, world }) => {
      const taken = takenIn(world);
      for (const key of keysIn(request)) taken.set(key, (taken.get(key) ?? 0) + 1);
      return undefined;
    }),
  };
}

const BUSY_MS = 8;

/** While a request is answered, another one of the same key is refused. @param keyOf undefined of requests that are not meant */
export function oneAtATime(
  keyOf: (request: SandboxRequest) => string | undefined,
  status: number,
  busyMs = BUSY_MS,
): SandboxOptions {
  const untilIn = memory(() => new Map<string, number>());
  return {
    rules: ownRule((request, world) => {
      const key = keyOf(request);
      if (key === undefined) return false;
      const isBusy = performance.now() < (untilIn(world).get(key) ?? 0);
      if (!isBusy) untilIn(world).set(key, performance.now() + busyMs);
      return isBusy;
    }, status),
    middleware: [
      (answer, { request, refusal }) =>
        keyOf(request) !== undefined && refusal?.name !== 'rule'
          ? { ...answer, transport: { delayMs: busyMs + 2 } }
          : undefined,
    ],
  };
}

/** Success bodies of an operation, others in their place. */
export const otherBody = (operation: OperationId, change: (body: Body, request: SandboxRequest) => unknown) =>
  replacing(operation, ({ body }, { request }) => ({ body: change(body as Body, request) }));
