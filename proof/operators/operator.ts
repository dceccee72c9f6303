/** What an operator is: a fault that any implementation can have, wherever it fits. */
import { z } from 'zod';
import type { Operation } from '../../contracts/operation.ts';
import { requirements } from '../../contracts/requirements/index.ts';
import type { Whole } from '../selfcheck/direct.ts';
import { type Broken, type Call, succeeded } from './call.ts';

/** A fault of one operation, of whatever target. */
export interface OperatorFault {
  /** Unique. */
  name: string;
  /** The requirement that must fail. */
  condemns: readonly [string];
  /** Whether it changes answers alone: a target that never gives such an answer does not have it. */
  isOfAnswers?: true;
  /** Makes what a broken implementation does; it remembers what went on. @param accepted what a sound one accepts of each operation */
  make(accepted: Accepted): Broken;
}

/** A call that was accepted, and its answer. */
export interface Taken {
  call: Call;
  answer: Whole;
}

/** What was accepted of each operation. */
export type Accepted = ReadonlyMap<Operation, Taken>;

type Ask = Parameters<Broken>[1];

/**
 * A fault of one operation; the others are as they were.
 * @param breaks the requirement that must fail, without its operation where others have the like; where the catalogue has no such must, the fault is none
 * @param make makes what the operation does now
 */
export function on(
  operation: Operation,
  name: string,
  breaks: string | undefined,
  make: (accepted: Taken | undefined) => (call: Call, ask: Ask) => Promise<Whole>,
): OperatorFault[] {
  return fault(operation, name, breaks, (accepted) => {
    const broken = make(accepted.get(operation));
    return (call, ask) => (call.operation === operation ? broken(call, ask) : ask(call));
  });
}

/** A fault that asks for something else than the call does. */
export const asking = (operation: Operation, name: string, breaks: string | undefined, instead: (call: Call) => Call) =>
  on(operation, name, breaks, () => (call, ask) => ask(instead(call)));

const musts = new Set(requirements.filter(({ level }) => level === 'must').map(({ id }) => id));

/** {@link on}, with a say in the calls of all operations. */
export function fault(
  { id }: Operation,
  name: string,
  breaks: string | undefined,
  make: OperatorFault['make'],
): OperatorFault[] {
  const condemns = breaks?.includes('.') ? breaks : `${id}.${breaks}`;
  return musts.has(condemns) ? [{ name: `${id}: ${name}`, condemns: [condemns], make }] : [];
}

/** A fault in the answers of one operation; in its successes, unless they are `meant` otherwise. */
export const answering = (
  operation: Operation,
  name: string,
  breaks: string | undefined,
  change: (answer: Whole, call: Call) => Whole,
  isMeant: (answer: Whole) => boolean = succeeded,
): OperatorFault[] =>
  on(operation, name, breaks, () => async (call, ask) => {
    const answer = await ask(call);
    return isMeant(answer) ? change(answer, call) : answer;
  }).map((one) => ({ ...one, isOfAnswers: true }));

/**
 * A fault that asks in a way that is accepted, where the target refuses. What is refused even then, since the card was changed meanwhile, is
 * answered as the call that was accepted last: what shows the fault must not hang on the order of calls.
 * @param mend makes the call that is taken instead, from the one that was accepted last; undefined for none
 */
export const taking = (
  operation: Operation,
  name: string,
  breaks: string | undefined,
  mend: (call: Call, accepted: Call) => Call | undefined,
): OperatorFault[] =>
  on(operation, name, breaks, (first) => {
    let accepted = first;
    return async (call, ask) => {
      const answer = await ask(call);
      if (succeeded(answer)) accepted = { call, answer };
      if (answer.status < 400 || answer.status >= 500 || !accepted) return answer;
      const mended = mend(call, accepted.call);
      if (!mended) return answer;
      const taken = await ask(mended);
      return succeeded(taken) ? taken : accepted.answer;
    };
  });

/** A JSON Schema as zod writes it. */
interface Named extends Omit<Schema, 'properties' | 'items'> {
  $ref?: string;
  anyOf?: Named[];
  properties?: Record<string, Named>;
  items?: Named;
}

/** A JSON Schema as far as it is read here. */
export interface Schema {
  type?: string;
  format?: string;
  minLength?: number;
  properties?: Record<string, Schema>;
  items?: Schema;
  required?: string[];
}

/** The JSON Schema of a type, with the shapes that it names in their places. */
export function schemaOf(type: z.ZodType): Schema {
  const { $defs = {}, ...root } = z.toJSONSchema(type, { io: 'input' }) as Named & { $defs?: Record<string, Named> };
  const resolved = ({ $ref, anyOf, properties, items, ...others }: Named): Schema => {
    if ($ref !== undefined) return resolved($defs[$ref.replace('#/$defs/', '')]!);
    if (anyOf) return resolved(anyOf.find((one) => one.type !== 'null')!);
    const inside = Object.entries(properties ?? {}).map(([name, one]) => [name, resolved(one)]);
    return {
      ...others,
      ...(properties && { properties: Object.fromEntries(inside) }),
      ...(items && { items: resolved(items) }),
    };
  };
  return resolved(root);
}

/** A member of a body: the names that lead to it, through all entries of arrays, its schema, and whether it is required. */
export interface Member {
  path: readonly string[];
  schema: Schema;
  isRequired: boolean;
}

/** The members of a body, those of its members after each. */
export function membersOf({ properties = {}, items, required = [] }: Schema, above: readonly string[] = []): Member[] {
  if (items) return membersOf(items, above);
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = [...above, name];
    return [{ path, schema, isRequired: required.includes(name) }, ...membersOf(schema, path)];
  });
}

/** A JSON value in which the member at a path has been changed, in all entries of the arrays on the way; undefined takes it away. */
export function changed(
  value: unknown,
  [name, ...rest]: readonly string[],
  change: (was: unknown) => unknown,
): unknown {
  if (Array.isArray(value)) return value.map((one) => changed(one, [name!, ...rest], change));
  if (typeof value !== 'object' || value === null) return value;
  const was = (value as Record<string, unknown>)[name!];
  return { ...value, [name!]: rest.length > 0 ? changed(was, rest, change) : change(was) };
}

/** The value of the member at a path, of the first entry of each array on the way. */
export function valueAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  if (Array.isArray(value)) return valueAt(value[0], [name, ...rest]);
  return valueAt((value as Record<string, unknown> | null | undefined)?.[name], rest);
}
