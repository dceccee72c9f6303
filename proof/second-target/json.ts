/** Any JSON value. */
export type Json = string | number | boolean | null | undefined | Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  [name: string]: Json;
}

/** The style of serialised JSON: everything that JSON leaves to its writer. */
export interface JsonStyle {
  indent: string;
  newline: string;
  colon: string;
  number(value: number): string;
  string(value: string): string;
  order(names: string[]): string[];
}

/** Whether a value is a JSON object, neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Serialises a value in the given style. */
export function writeJson(value: Json, style: JsonStyle, depth = 0): string {
  const inner = style.newline + style.indent.repeat(depth + 1);
  const outer = style.newline + style.indent.repeat(depth);
  if (typeof value === 'number') return style.number(value);
  if (typeof value === 'string') return style.string(value);
  if (Array.isArray(value)) {
    if (!value.length) return '[]';
    return `[${value.map((item) => inner + writeJson(item, style, depth + 1)).join(',')}${outer}]`;
  }
  if (isObject(value)) {
    const names = style.order(Object.keys(value).filter((name) => value[name] !== undefined));
    if (!names.length) return '{}';
    const members = names.map((name) => {
      return `${inner}${JSON.stringify(name)}${style.colon}${writeJson(value[name], style, depth + 1)}`;
    });
    return `{${members.join(',')}${outer}}`;
  }
  return String(value ?? null);
}
