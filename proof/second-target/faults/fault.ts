import type { Choices, Reply } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import type { JsonObject } from '../json.ts';
import { type OperationId, operationIds } from '../operation-ids.ts';
import { isOneOf, type Operations, onReply, overlook, succeeded } from '../tools.ts';

/** A way to break a sentence of the documents. */
export interface Fault {
  id: string;
  /** Ids of requirements, each of which must fail. */
  condemns: readonly string[];
  change(choices: Choices): void;
}

const listed = (condemns: string | readonly string[]) => (typeof condemns === 'string' ? [condemns] : condemns);

export const fault = (id: string, condemns: string | readonly string[], change: (c: Choices) => void): Fault => ({
  id,
  condemns: listed(condemns),
  change,
});

/** A fault that lets refusals of the operation that it condemns through, which are made for some reasons. @param when where it does */
export const overlooked = (
  id: string,
  condemns: string | readonly string[],
  reasons: Parameters<typeof overlook>[2],
  when?: Parameters<typeof overlook>[3],
): Fault => {
  const operation = operationIds.find((one) => listed(condemns)[0]!.startsWith(`${one}.`))!;
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

/** Answers a request as it was answered shortly before, whoever asks. */
export function cached(c: Choices, operation: OperationId, key: (x: Exchange) => string): void {
  const known = new Map<string, Reply>();
  instead(c, operation, (x) => known.get(key(x)));
  onReply(c, operation, (reply, x) => {
    if (succeeded(reply)) known.set(key(x), { ...reply });
  });
}

/** Makes a member text, whatever it was. */
export function asText(record: JsonObject, name: string): void {
  if (record[name] !== undefined) record[name] = String(record[name]);
}
