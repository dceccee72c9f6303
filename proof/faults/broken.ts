/** The vocabulary of faults: what is broken, and which requirements that condemns. */
import { digested } from '../../contracts/past.ts';
import type { AnswerContext, OperationId, SandboxRequest, World } from '../../sandbox/index.ts';
import type { Rules } from '../../sandbox/rules.ts';
import type { UnservedOptions } from '../../sandbox/unserved.ts';
import {
  answering,
  type Body,
  type IsMeant,
  is,
  letThrough,
  reading,
  refusedWith,
  refusing,
  replacing,
  type Which,
} from '../changed-sandbox.ts';
import type { Fault } from './fault.ts';

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

/** A run after one by which this form of something that rotates was suspected, so that it is tried again. */
export const trying = (subject: string, form: string): Pick<Fault, 'configure'> => ({
  configure: ({ run }) => {
    run.past = [[digested({ subject, tried: [form], forms: 1, suspected: [{ form, failed: [] }] })]];
  },
});

/** A run with this seed: what shows the fault rotates. */
export const withSeed = (seed: number): Pick<Fault, 'configure'> => ({
  configure: ({ run }) => {
    run.seed = seed;
  },
});
