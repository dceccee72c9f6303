/** Rows of probe tables: requests that are made from a right one, and what they are in words. */
import type { Input, Intent } from '../answer.ts';
import type { Context } from '../context.ts';

/** What a request is made of: a body, or the parameters of a query. */
export type Members = Record<string, unknown>;

/** Makes a right request, each time with fresh values of what has to be unique. */
export type Maker = () => Members;

/** The maker of a right request in which nothing has to be unique. */
export const always =
  (of: (t: Context) => Promise<Members>) =>
  async (t: Context): Promise<Maker> => {
    const members = await of(t);
    return () => members;
  };

/** One request of a table. */
export interface Row {
  /** What is sent, in words that complete a sentence: `zip of 100000`. */
  what: string;
  /** Makes the request from the right one. */
  of(right: Members, t: Context): Members;
  /** Sent instead of what `of` makes: what is no such body at all. */
  input?: Input;
  /** The member that it is about, where there is one. */
  member?: string;
  /** The forms of right requests that it is made from, if not those of its table. */
  on?: readonly string[];
  /** What it is meant to be, if not what its table says: `unknown` where it is well-formed, but names what does not exist, so that a 500 refuses it, too (reading 9). */
  intent?: Intent;
  /** The statuses that its refusal may have, if not those of its table. */
  statuses?: readonly number[];
  /** The same with further members, which a business rule may require. */
  fuller?(right: Members): Members;
  /** A request that differs only in what is asserted, and is accepted; the right request if absent. */
  control?(right: Members): Members;
  /** Another such request, or one with another right value: where it is refused, so may this one be, and with the same status. */
  excuse?(right: Members): Members;
}

/** A value of some kind, made from one that is right. */
export interface Form<T = unknown> {
  name: string;
  of(right: unknown): T;
  /** A firewall may refuse it, with 403, before the operation sees it. */
  isFiltered?: boolean;
}

export const without = (members: Members, ...names: readonly string[]): Members =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));

/** A row for each value of a member: `zip of 100000`. */
export const valuesOf = (member: string, values: readonly unknown[]): Row[] =>
  values.map((value) => ({
    what: `${member} of ${inWords(value)}`,
    member,
    of: (right) => ({ ...right, [member]: value }),
  }));

/** A row for each form of a member's value: `zip continued by a digit`. */
export const formsOf = (member: string, forms: readonly Form[]): Row[] =>
  forms.map(({ name, of, isFiltered }) => ({
    what: `${member} ${name}`,
    member,
    of: (right) => ({ ...right, [member]: of(right[member]) }),
    ...(isFiltered && { statuses: [400, 403] }),
  }));

/** A row for each member that is left out: `a request without zip`. @param noun what it is left out of */
export const lacking = (noun: string, members: readonly string[]): Row[] =>
  members.map((member) => ({ what: `${noun} without ${member}`, member, of: (right) => without(right, member) }));

/** A row of several members that are left out together. @param noun what they are left out of; `what` says it otherwise */
export const lackingAll = (
  noun: string,
  members: readonly string[],
  what = `${noun} without ${members.join(' and ')}`,
): Row => ({ what, of: (right) => without(right, ...members) });

/** A row for each member with a value of another JSON type that is easily taken by mistake: `zip of another JSON type`. */
export const ofWrongType = (members: readonly string[]): Row[] =>
  members.flatMap((member) => formsOf(member, [{ name: 'of another JSON type', of: otherType }]));

/** A number for a text, the text of a number, the one entry for a list. */
function otherType(right: unknown): unknown {
  if (typeof right === 'string') return 12345;
  return Array.isArray(right) ? right[0] : String(right);
}

/** A row of several members that are changed together. */
export const having = (
  what: string,
  changed: Members | ((right: Members) => Members),
  more: Partial<Row> = {},
): Row => ({
  what,
  of: (right) => ({ ...right, ...(typeof changed === 'function' ? changed(right) : changed) }),
  ...more,
});

/** A value in a sentence, cut where it is long. */
function inWords(value: unknown): string {
  const text = typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? 'nothing');
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text;
}
const LONGEST = 60;

/** A JSON object cut off in the middle. */
export const NOT_JSON = '{"comment":';
