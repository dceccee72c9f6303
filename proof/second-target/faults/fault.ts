import type { Choices, Reply, Rule } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import { type OperationId, operationIds } from '../operation-ids.ts';
import { isOneOf, type Operations, onBody, overlook, rule } from '../tools.ts';

/** A way to break a sentence of the documents. */
export interface Fault {
  id: string;
  /** Ids of requirements, each of which must fail. */
  condemns: readonly string[];
  change(choices: Choices): void;
}

type Condemned = string | readonly string[];

export const fault = (id: string, condemns: Condemned, change: (c: Choices) => void): Fault => ({
  id,
  condemns: [condemns].flat(),
  change,
});

/** A fault that is another choice of the target. */
export const choosing = (id: string, condemns: Condemned, choices: Partial<Choices>): Fault =>
  fault(id, condemns, (c) => void Object.assign(c, choices));

/** The operation whose requirement is condemned. */
const operationOf = (condemns: Condemned): OperationId =>
  operationIds.find((one) => [condemns].flat()[0]!.startsWith(`${one}.`))!;

/** A fault that lets refusals of the operation that it condemns through, which are made for some reasons. @param when where it does */
export const overlooked = (
  id: string,
  condemns: Condemned,
  reasons: Parameters<typeof overlook>[2],
  when?: Parameters<typeof overlook>[3],
): Fault => fault(id, condemns, (c) => overlook(c, operationOf(condemns), reasons, when));

/** A fault in the success bodies of the operation that it condemns. */
export const misanswered = (id: string, condemns: Condemned, change: Parameters<typeof onBody>[2]): Fault =>
  fault(id, condemns, (c) => onBody(c, operationOf(condemns), change));

/** A fault that reads requests of the operation that it condemns as `change` leaves them. */
export const misread = (id: string, condemns: Condemned, change: (x: Exchange) => void): Fault =>
  fault(id, condemns, (c) =>
    instead(c, operationOf(condemns), (x) => {
      change(x);
      return undefined;
    }),
  );

/** A fault that answers some requests of the operation that it condemns without carrying them out. */
export const answered = (id: string, condemns: Condemned, reply: Reply, when: (x: Exchange) => boolean): Fault =>
  fault(id, condemns, (c) => instead(c, operationOf(condemns), (x) => (when(x) ? structuredClone(reply) : undefined)));

/** A fault that is one more rule of the operation that it condemns. @param status of what breaks it */
export const ruled = (id: string, condemns: Condemned, status: number, isBroken: Rule['broken']): Fault =>
  fault(id, condemns, (c) => rule(c, operationOf(condemns), isBroken, status));

/** An operation's name as part of an id. */
export function slug(operation: OperationId): string {
  return operation
    .replace('.', '-')
    .replace(/(?<=[a-z])(?=[A-Z])/g, '-')
    .toLowerCase();
}

/** Answers some requests without carrying them out. */
export function instead(choices: Choices, meant: Operations, reply: (x: Exchange) => Reply | undefined): void {
  choices.before.push((x) => (isOneOf(x.operation, meant) ? reply(x) : undefined));
}
