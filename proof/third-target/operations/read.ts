import type { Call, Fields, Filters, World } from '../core/model.ts';
import { isObject, Refusal } from '../core/model.ts';

/** A query parameter; given twice it is refused, empty it counts as absent. */
export function parameter(call: Call, name: string): string | undefined {
  const values = call.query.getAll(name);
  if (values.length > 1) throw new Refusal(400, name, `${name} is given more than once`, 'repeated');
  return values[0] || undefined;
}

export function filters(call: Call, names: string[]): Filters {
  return Object.fromEntries(names.map((name) => [name, parameter(call, name)]));
}

export function integer(world: World, call: Call, name: string): number | undefined {
  const text = parameter(call, name);
  if (text === undefined) return undefined;
  const value = world.rules.integer(text);
  if (value === undefined) throw new Refusal(400, name, `${name} is no integer`, 'format');
  return value;
}

export function flag(world: World, call: Call, name: string): boolean | undefined {
  const text = parameter(call, name);
  if (text === undefined) return undefined;
  const value = world.rules.flag(text);
  if (value === undefined) throw new Refusal(400, name, `${name} is neither true nor false`, 'format');
  return value;
}

export function needed<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Refusal(400, name, `${name} is required`, 'missing');
  return value;
}

export function fields(call: Call): Fields {
  if (!isObject(call.body)) throw new Refusal(400, 'body', 'The body must be one JSON object', 'body');
  return call.body;
}

export function text(body: Fields, name: string, optional = false): string | undefined {
  const value = body[name];
  if (typeof value === 'string') return value;
  if (optional && (value === undefined || value === null)) return undefined;
  throw new Refusal(400, name, `${name} must be a text`, value === undefined ? 'missing' : 'type');
}
