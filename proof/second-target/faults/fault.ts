import type { Choices, Reply } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import { type OperationId, operationIds } from '../operation-ids.ts';
import { isOneOf, type Operations, overlook } from '../tools.ts';

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

/** A fault that lets refusals of the operation that it condemns through, which are made for some reasons. @param when where it does */
export const overlooked = (
  id: string,
  condemns: Condemned,
  reasons: Parameters<typeof overlook>[2],
  when?: Parameters<typeof overlook>[3],
): Fault => {
  const operation = operationIds.find((one) => [condemns].flat()[0]!.startsWith(`${one}.`))!;
  return fault(id, condemns, (c) => overlook(c, operation, reasons, when));
};

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

/** Changes requests of an operation before anybody looks at them. */
export function onRequest(c: Choices, operation: OperationId, change: (x: Exchange) => void): void {
  instead(c, operation, (x) => {
    change(x);
    return undefined;
  });
}
