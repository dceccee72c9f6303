/** The vocabulary of portals with rules of their own, of which the document says nothing. */
import type { AnswerFilter, SandboxRequest } from '../../sandbox/exchange.ts';
import type { Rules, SandboxOptions, World } from '../../sandbox/index.ts';
import type { Variant } from './variant.ts';

export type Body = Record<string, unknown>;

export const CIP = 'portal.getCIPCheck';
export const ORDER = 'portal.orderCards';

export const variant = (
  name: string,
  basis: string,
  sandbox: SandboxOptions,
  configure?: Variant['configure'],
): Variant => ({
  name: `portal rule: ${name}`,
  basis,
  sandbox,
  ...(configure ? { configure } : {}),
});

/** A rule of its own by which some requests are refused. */
export const refusing = (
  name: string,
  basis: string,
  isRefused: (request: SandboxRequest, world: World) => boolean,
  more: Partial<Rules> = {},
): Variant => variant(name, basis, { rules: { ...ownRule(isRefused), ...more } });

export const ownRule = (isRefused: (request: SandboxRequest, world: World) => boolean): Pick<Rules, 'alsoRefuses'> => ({
  alsoRefuses: (request, world) => (isRefused(request, world) ? { kind: 'range', name: 'rule' } : undefined),
});

export const bodyIn = ({ body }: SandboxRequest): Body =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Body) : {};

/** Successes of an operation are counted by a key; what goes beyond `most` is refused. */
export function atMost(
  most: number,
  operation: string,
  keyOf: (request: SandboxRequest) => string = () => '',
  status = 400,
): SandboxOptions {
  const counts = new WeakMap<World, Map<string, number>>();
  const countsOf = (world: World) => {
    if (!counts.has(world)) counts.set(world, new Map());
    return counts.get(world)!;
  };
  return {
    rules: {
      ...ownRule(
        (request, world) => request.operation === operation && (countsOf(world).get(keyOf(request)) ?? 0) >= most,
      ),
      refusalStatus: ({ name }, byDefault) => (name === 'rule' ? status : byDefault),
    },
    middleware: [
      (answer, { request, world }) => {
        if (request.operation !== operation || answer.status >= 300) return undefined;
        const key = keyOf(request);
        countsOf(world).set(key, (countsOf(world).get(key) ?? 0) + 1);
        return undefined;
      },
    ],
  };
}

export const BUSY_MS = 8;

/** While a request of an operation is answered, another one of the same key is refused. */
export function oneAtATime(
  operation: string,
  keyOf: (request: SandboxRequest) => string,
  status: number,
): SandboxOptions {
  const until = new WeakMap<World, Map<string, number>>();
  return {
    rules: {
      ...ownRule((request, world) => {
        if (request.operation !== operation) return false;
        if (!until.has(world)) until.set(world, new Map());
        const ends = until.get(world)!;
        const isBusy = performance.now() < (ends.get(keyOf(request)) ?? 0);
        if (!isBusy) ends.set(keyOf(request), performance.now() + BUSY_MS);
        return isBusy;
      }),
      refusalStatus: ({ name }, byDefault) => (name === 'rule' ? status : byDefault),
    },
    middleware: [
      (answer, { request, refusal }) =>
        request.operation === operation && refusal?.name !== 'rule'
          ? { ...answer, transport: { delayMs: BUSY_MS + 2 } }
          : undefined,
    ],
  };
}

/** First digits of zips by state, as far as the persons of these tests live there. */
const ZIPS: Record<string, RegExp> = { IL: /^6[0-2]\d{3}$/, NY: /^(005\d\d|1[0-4]\d{3})$/ };

export const isElsewhere = (zip: unknown, state: unknown) =>
  !(ZIPS[String(state)]?.test(String(zip).padStart(5, '0')) ?? true);

export const answering = (operation: string, change: (body: Body, request: SandboxRequest) => Body): AnswerFilter => {
  return (answer, context) =>
    context.operation === operation && answer.status === 200
      ? { ...answer, body: change(answer.body as Body, context.request) }
      : undefined;
};
