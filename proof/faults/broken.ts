/** The vocabulary of faults: what is broken, and which requirements that condemns. */
import type { Answer, Refusal, RefusalKind } from '../../sandbox/exchange.ts';
import type { AnswerContext, OperationId, SandboxRequest, World } from '../../sandbox/index.ts';
import type { FilterQuestion, Rules } from '../../sandbox/rules.ts';
import type { UnservedOptions } from '../../sandbox/unserved.ts';
import type { Fault } from './fault.ts';

export type Body = Record<string, unknown>;
type Condemned = string | readonly string[];

// ---- faults ------------------------------------------------------------------------------------------------------

export const fault = (
  name: string,
  condemns: Condemned,
  sandbox: UnservedOptions,
  more: Partial<Fault> = {},
): Fault => ({ name, condemns: [condemns].flat(), sandbox, ...more });

/** A fault of the portal. */
export const portal = (name: string, ...others: [Condemned, UnservedOptions, Partial<Fault>?]): Fault =>
  fault(`portal: ${name}`, ...others);

/** A fault of some rules of the sandbox. */
export const broken = (name: string, condemns: Condemned, rules: Partial<Rules>): Fault =>
  fault(name, condemns, { rules });

/** A fault in the success body of one operation. */
export const misanswered = (
  name: string,
  condemns: Condemned,
  operation: OperationId,
  change: (body: Body, context: AnswerContext) => void,
): Fault => fault(name, condemns, answering(operation, change));

/** The operation whose requirement is condemned. */
const operationOf = (condemns: Condemned) => [condemns].flat()[0]!.replace(/\.[^.]*$/, '') as OperationId;

/** Some valid requests of the operation that is condemned are refused. @param as the refusal */
export const refused = (
  name: string,
  condemns: Condemned,
  as: ReturnType<Rules['alsoRefuses']>,
  isMeant: (request: SandboxRequest, world: World) => boolean,
): Fault => {
  const operation = operationOf(condemns);
  return broken(
    name,
    condemns,
    refusing(as, (request, world) => request.operation === operation && isMeant(request, world)),
  );
};

/** Refusals of the operation that is condemned are not made. */
export const tolerated = (name: string, condemns: Condemned, which?: Which, isMeant?: IsMeant): Fault =>
  broken(name, condemns, letThrough(is(operationOf(condemns), which, isMeant)));

/** Refusals of the operation that is condemned are answered with another status. */
export const misrefused = (
  name: string,
  condemns: Condemned,
  status: number,
  which?: Which,
  isMeant?: IsMeant,
): Fault => broken(name, condemns, refusedWith(status, is(operationOf(condemns), which, isMeant)));

/** Requests of the operation that is condemned are read as `change` leaves them. */
export const misread = (name: string, condemns: Condemned, change: Parameters<typeof reading>[1]): Fault =>
  broken(name, condemns, reading(operationOf(condemns), change));

/** Some valid requests of the operation that is condemned are answered with 500. */
export const breaking = (name: string, condemns: Condemned, isMeant: IsMeant): Fault =>
  fault(
    name,
    condemns,
    replacing(operationOf(condemns), (_, { request }) => isMeant(request) && { status: 500, body: {} }),
  );

// ---- runs --------------------------------------------------------------------------------------------------------

/** A run with this seed: what shows the fault rotates. */
export const withSeed = (seed: number): Pick<Fault, 'configure'> => ({
  configure: ({ run }) => {
    run.seed = seed;
  },
});

// ---- refusals ----------------------------------------------------------------------------------------------------

interface Which {
  kind?: RefusalKind | RegExp;
  name?: string | RegExp;
}
type IsMeant = (request: SandboxRequest) => boolean;

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

/** What a fault remembers of one sandbox, since several are served at once. */
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
