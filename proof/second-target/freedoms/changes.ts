/** Changes of choices that several freedoms make alike, with other values. */
import type { Choices, Reply } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { isOneOf, type Operations, onBody, onReply, rule, since, sleep, succeeded, tally } from '../tools.ts';
import type { Card, CardState, Customer } from '../world.ts';

/** What a freedom does to the choices of a target. */
export type Change = (c: Choices) => void;

/** By what requests are counted; requests with the same key count together. */
export type Key = (x: Exchange) => unknown;

export const all: Key = () => 'all';
export const card: Key = ({ card }) => card;
export const program: Key = ({ program }) => program;
/** The person that getCIPCheck is asked about. */
export const person = ({ content }: Exchange) => `${content.firstName}|${content.lastName}|${content.zip}`;

/** Replaces choices; a function derives the new ones from those before. */
export function set(values: Partial<Choices> | ((c: Choices) => Partial<Choices>)): Change {
  return (c) => void Object.assign(c, typeof values === 'function' ? values(c) : values);
}

/** Answers orders with another body. */
export const replied = (orderReply: Choices['orderReply']): Change => set({ orderReply });

/** Lists under a customer what a function makes of it and its parent, if it has one. */
export const hierarchies = (of: (customer: Customer, parent: Customer[]) => Customer[]): Change =>
  set({ hierarchy: (customer) => of(customer, customer.parent ? [customer.parent] : []) });

/** Whether a card belongs to a customer or to one below it. */
export function isWithin(card: Card, identifier: string): boolean {
  for (let at: Customer | undefined = card.owner; at; at = at.parent) if (at.identifier === identifier) return true;
  return false;
}

/** Compares identifiers and names in some operations without heeding case. */
export function anyCase(meant: RegExp): Change {
  return set(({ isSame: usual }) => ({
    isSame: (one, other, x) =>
      meant.test(x.operation) ? one.toLowerCase() === other.toLowerCase() : usual(one, other, x),
  }));
}

/** Refuses some requests with the status of business rules. */
export function refuses(meant: Operations, broken: (x: Exchange) => boolean): Change {
  return (c) => rule(c, meant, broken);
}

/** Refuses some requests with a status. */
export function refusesWith(status: number, meant: Operations, broken: (x: Exchange) => boolean): Change {
  return (c) => rule(c, meant, broken, status);
}

/** Refuses some requests with 400 Bad Request. */
export const badRequest = (meant: Operations, broken: (x: Exchange) => boolean) => refusesWith(400, meant, broken);

/** Refuses some requests with 400 for values in their query, which are empty where they are not given. */
export function badQuery(meant: Operations, broken: (value: (name: string) => string, x: Exchange) => boolean): Change {
  return badRequest(meant, (x) => broken((name) => x.query.get(name) ?? '', x));
}

/** Refuses some requests with 409 Conflict. */
export const conflict = (meant: Operations, broken: (x: Exchange) => boolean) => refusesWith(409, meant, broken);

/** Takes an operation for cards in one state only. */
export function onlyWhile(state: CardState, meant: Operations): Change {
  return conflict(meant, ({ card }) => card?.facts.state !== state);
}

/** Takes so many requests with the same key. */
export function atMost(most: number, meant: Operations, key: Key, status = 409): Change {
  return (c) => {
    const done = tally(c, meant, key);
    rule(c, meant, (x) => done(x) >= most, status);
  };
}

/** Takes a request only so many milliseconds after the last success with the same key, of itself or of what stands as `first`. */
export function apart(
  ms: number,
  meant: Operations,
  key: Key,
  status?: number,
  { first = meant, when = () => true }: { first?: Operations; when?: (x: Exchange) => boolean } = {},
): Change {
  return (c) => {
    const ago = since(c, first, key);
    rule(c, meant, (x) => when(x) && ago(x) < ms, status);
  };
}

/** Does something after each success of some operations. */
export function afterwards(meant: Operations, act: (x: Exchange, reply: Reply) => void): Change {
  return (c) =>
    onReply(c, meant, (reply, x) => {
      if (succeeded(reply)) act(x, reply);
    });
}

/** Takes cents from a card for each success of an operation, if it has as many. */
export function costs(meant: Operations, cents: number): Change {
  return afterwards(meant, ({ card, world }) => {
    if (card && card.facts.cents >= cents) world.pay(card, -cents);
  });
}

/** Has the source of a transfer pay a fee in cents, as far as it has enough. */
export function fee(of: (cents: number) => number): Change {
  return set(({ debit: usual }) => ({
    debit: (card, cents, x) => {
      const whole = cents + of(cents);
      usual(card, card.facts.cents >= whole ? whole : cents, x);
    },
  }));
}

/** Answers 200 with another body. */
export function answers(meant: Operations, body: Json | ((body: Json) => Json)): Change {
  return (c) =>
    onReply(c, meant, (reply) => {
      if (reply.status === 200) reply.body = typeof body === 'function' ? body(reply.body) : structuredClone(body);
    });
}

/** Calls a hook for what getCIPCheck says of a person. */
export function onPerson(c: Choices, change: (data: JsonObject, x: Exchange) => void): void {
  onBody(c, 'portal.getCIPCheck', ({ data }, x) => {
    if (isObject(data)) change(data, x);
  });
}

/** Answers some requests at once; those go on that get no reply. */
export function instead(meant: Operations, reply: (x: Exchange) => Reply | undefined): Change {
  return (c) => void c.before.push((x) => (isOneOf(x.operation, meant) ? reply(x) : undefined));
}

/** A refusal for the moment. */
export const later = (status: number, body: Json): Reply => ({ status, headers: { 'Retry-After': '1' }, body });

/** Whether there were so many within so many milliseconds before; those count of which it was not so. */
export function counted(most: number, ms: number): () => boolean {
  let recent: number[] = [];
  return () => {
    recent = recent.filter((at) => Date.now() - at < ms);
    const isFull = recent.length >= most;
    if (!isFull) recent.push(Date.now());
    return isFull;
  };
}

/** Lets requests wait before they are carried out, those for which there is a time in milliseconds. */
export function waits(time: (x: Exchange) => number | undefined): Change {
  return (c) =>
    void c.before.push((x) => {
      const ms = time(x);
      return ms === undefined ? undefined : sleep(ms).then(() => undefined);
    });
}
