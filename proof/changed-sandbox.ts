/** The vocabulary of faults and variants: what a sandbox does otherwise than by itself. */
import type { Answer, Refusal, RefusalKind } from '../sandbox/exchange.ts';
import type { AnswerContext, OperationId, SandboxRequest, World } from '../sandbox/index.ts';
import type { FilterQuestion, Rules } from '../sandbox/rules.ts';
import type { UnservedOptions } from '../sandbox/unserved.ts';

export type Body = Record<string, unknown>;

// ---- refusals ----------------------------------------------------------------------------------------------------

export interface Which {
  kind?: RefusalKind | RegExp;
  name?: string | RegExp;
}
export type IsMeant = (request: SandboxRequest) => boolean;

/** Whether a refusal is of an operation, a kind and a name. @param isMeant whether it is of such a request */
export const is =
  (operation: OperationId, { kind, name }: Which = {}, isMeant: IsMeant = () => true) =>
  (refusal: Refusal): boolean =>
    refusal.operation === operation && fits(refusal.kind, kind) && fits(refusal.name, name) && isMeant(refusal.request);

const fits = (text: string, wanted: string | RegExp | undefined) =>
  wanted instanceof RegExp ? wanted.test(text) : wanted === undefined || wanted === text;

/** Refusals that are not made. */
export const letThrough = (isMeant: (refusal: Refusal) => boolean): Partial<Rules> => ({
  enforces: (refusal) => !isMeant(refusal),
});

/** Refusals that are answered with another status. */
export const refusedWith = (status: number, isMeant: (refusal: Refusal) => boolean): Partial<Rules> => ({
  refusalStatus: (refusal, byDefault) => (isMeant(refusal) ? status : byDefault),
});

/** Refusals that are answered, though the effect takes place. */
export const refusedYetDone = (isMeant: (refusal: Refusal) => boolean): Partial<Rules> => ({
  refusedStillTakesEffect: isMeant,
});

/** Requests that are refused beside those that the documents name. */
export const refusing = (
  as: ReturnType<Rules['alsoRefuses']>,
  isMeant: (request: SandboxRequest, world: World) => boolean,
): Partial<Rules> => ({ alsoRefuses: (request, world) => (isMeant(request, world) ? as : undefined) });

// ---- requests and answers ----------------------------------------------------------------------------------------

/** Requests of an operation are read as `change` leaves them. */
export const reading = (
  operation: OperationId,
  change: (request: SandboxRequest, world: World) => void,
): Partial<Rules> => ({
  meanwhile: (world, request) => {
    if (request.operation === operation) change(request, world);
  },
});

/** The JSON object that is sent to an operation is read as another one. */
export const reads = (operation: OperationId, change: (body: Body) => Body): Partial<Rules> =>
  reading(operation, (request) => {
    if (request.body !== undefined) request.body = change(bodyIn(request));
  });

/** A filter of a listing matches otherwise. */
export const matching = (
  listing: FilterQuestion['operation'],
  filter: string,
  matches: (byDefault: boolean, asked: { value: string; item: Body; query: SandboxRequest['query'] }) => boolean,
): Partial<Rules> => ({
  matchesFilter: ({ operation, name, value, item, request: { query } }, byDefault) =>
    operation === listing && name === filter
      ? matches(byDefault, { value, item: item as unknown as Body, query })
      : byDefault,
});

type Change = (answer: Answer, context: AnswerContext) => Partial<Answer> | undefined | false;

/** Answers of all operations, parts of which are replaced. */
export const altering = (change: Change): UnservedOptions => ({
  middleware: [
    (answer, context) => {
      const changed = change(answer, context);
      return changed ? { ...answer, ...changed } : undefined;
    },
  ],
});

/** Successes of one operation, parts of which are replaced. */
export const replacing = (operation: OperationId, change: Change): UnservedOptions =>
  altering((answer, context) => context.operation === operation && answer.status < 300 && change(answer, context));

/** Success bodies of one operation, changed or looked at. */
export const answering = (
  operation: OperationId,
  change: (body: Body, context: AnswerContext) => void,
): UnservedOptions =>
  replacing(operation, ({ body }, context) => {
    change(body as Body, context);
    return undefined;
  });

/** What is remembered of one sandbox, since several are served at once. */
export function memory<T>(make: () => T): (world: World) => T {
  const memories = new WeakMap<World, T>();
  return (world) => {
    if (!memories.has(world)) memories.set(world, make());
    return memories.get(world)!;
  };
}

/** The JSON object that was sent; an empty one where none was. */
export const bodyIn = ({ body }: SandboxRequest): Body =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Body) : {};

/** The token that was sent, whatever the scheme before it; an empty text where none was. */
export const bearerOf = ({ headers }: SandboxRequest): string =>
  String(headers.authorization ?? '').replace(/^\S+\s*/, '');

/** The cards of an order. */
export const cardsIn = (order: Body): Body[] =>
  Array.isArray(order.orderDetails) ? (order.orderDetails as Body[]) : [];
