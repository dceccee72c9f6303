import type { Choices, Reply } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import type { JsonObject } from '../json.ts';
import { type OperationId, operationIds } from '../operation-ids.ts';
import { isOneOf, type Operations, onReply, overlook, succeeded } from '../tools.ts';

/** A way to break a sentence of the documents. */
export interface Fault {
  id: string;
  /** Document, section or row, and the sentence that it breaks. */
  breaks: string;
  operation: OperationId;
  /** Which kind of hiding place it has, 0 for none. */
  blindSpot: number;
  /** The requirement that is to fail, where it was written down before the first run. */
  expects?: string;
  /** Why it may not be seen, or not be held to break the sentence. */
  doubt?: string;
  change(choices: Choices): void;
}

/** A fault as it is written down: id, operation, the sentence it breaks, the change, and what can be said against it. */
export type Draft = [id: string, operation: OperationId, breaks: string, change: (c: Choices) => void, doubt?: string];

/** The draft of a fault that lets refusals of its operation through, which are made for some reasons. @param when where it does */
export const overlooked = (
  id: string,
  operation: OperationId,
  breaks: string,
  reasons: Parameters<typeof overlook>[2],
  when?: Parameters<typeof overlook>[3],
  doubt?: string,
): Draft => {
  const change = (c: Choices) => overlook(c, operation, reasons, when);
  return doubt === undefined ? [id, operation, breaks, change] : [id, operation, breaks, change, doubt];
};

/** The faults that hide in one blind spot. */
export function spot(blindSpot: number, drafts: readonly Draft[]): Fault[] {
  return drafts.map(([id, operation, breaks, change, doubt]) => {
    return { id, operation, breaks, blindSpot, change, ...(doubt ? { doubt } : {}) };
  });
}

/** A fault that is written down with its blind spot and the requirement that it is predicted to break. */
export type Prediction = [
  id: string,
  blindSpot: number,
  operation: OperationId,
  expects: string,
  breaks: string,
  change: (c: Choices) => void,
  doubt?: string,
];

/** The faults of which it was predicted what they break. */
export function predicted(predictions: readonly Prediction[]): Fault[] {
  return predictions.map(([id, blindSpot, operation, expects, breaks, change, doubt]) => {
    return { id, operation, breaks, blindSpot, expects, change, ...(doubt ? { doubt } : {}) };
  });
}

/** Operations of the users and cards interface that the document shows. */
export const tokenOperations = operationIds.filter((id) => {
  return /^(users|cards)\./.test(id) && id !== 'cards.resync' && id !== 'cards.replace';
});

/** Operations of the portal that take a session. */
export const sessionOperations = operationIds.filter((id) => id.startsWith('portal.') && id !== 'portal.login');

/** Operations on one card. */
export const cardOperations = tokenOperations.filter((id) => id.startsWith('cards.') && id !== 'cards.list');

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

/** The sentences that many faults break. */
export const sentences = {
  token: 'v3, What the service does: every call but the token call requires an access token',
  hour: 'v3, Authentication 6: a token lives 60 minutes',
  session: 'portal, Authentication 2: every operation but login takes the session identifier of a valid session',
  logout: 'portal, Transitions: logout ends the session',
  client: 'v3, Authentication 5: users must register before tokens can be generated; tokens follow OAuth 2.0',
  reach: 'v3, Authentication 4: the scope gives customer-specific access to card and payment calls',
  duplicateOrder: 'portal, orderCards body and Order rule 6: externalIdentifier is unique, checked per program',
  otherInfo: 'portal, Order rule 5: with Make Other Field Unique, otherInfo is unique',
  load: 'portal, Order rule 4: with the Duplicate Load Checker, the externalIdentifier per proxy is unique',
  max: 'v3, Limits: max of GET /users/customers is at most 50 records per request',
  suspended: 'v3, States: a suspended card cannot make transactions',
  transfer: 'v3, POST transfer: moves funds from this card to the target card',
} as const;
