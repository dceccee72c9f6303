/** The shapes of the documents as JSON Schemas 2020-12, each self-contained. */
import { z } from 'zod';
import { fixtures } from '../fixtures.ts';
import type { Operation, ShapeNote } from '../operation.ts';
import { operations } from '../operations.ts';
import { change, conformance, exchange } from '../record.ts';
import { errors } from '../v3/errors.ts';
import { type ShapeBounds, shapeBounds } from './bounds.ts';
import { v1Shapes, v3Shapes } from './shapes.ts';

/** A JSON Schema, as data. */
export type JsonSchema = { [keyword: string]: unknown };

/** The document that a shape or an operation belongs to. */
export type Edition = 'v3' | 'v1';

/** The operations of one document; the token endpoint belongs to that of v3. */
export const operationsOf = (edition: Edition): readonly Operation[] =>
  operations.filter((operation) => (operation.interface === 'v1') === (edition === 'v1'));

const NOTES: Record<Edition, Record<string, ShapeNote>> = { v3: v3Shapes, v1: v1Shapes };

/** All named shapes of one document, which refer to each other by `#/$defs/<name>`. */
export function shapesOf(edition: Edition): Record<string, JsonSchema> {
  const schemas = [
    ...operationsOf(edition).flatMap(({ body, success }) => [body?.schema, success?.body]),
    ...(edition === 'v3' ? [errors] : []),
  ].filter((schema) => schema instanceof z.ZodType);
  const shapes = Object.assign({}, ...schemas.map((schema) => toJsonSchema(schema).$defs)) as Record<
    string,
    JsonSchema
  >;
  return Object.fromEntries(
    Object.entries(shapes)
      .map(([name, shape]) => [name, annotated(bounded(shape, shapeBounds[name]), NOTES[edition][name])] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/**
 * Integers of any size have no counterpart in zod, so they are plain numbers or custom types that declare `integer`
 * themselves.
 */
const toJsonSchema = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;

/** A shape with the bounds that are only published. */
function bounded(shape: JsonSchema, { required, members = {} }: ShapeBounds = {}): JsonSchema {
  const properties = { ...(shape.properties as Record<string, JsonSchema> | undefined) };
  for (const [name, keywords] of Object.entries(members)) properties[name] = { ...properties[name], ...keywords };
  return { ...shape, ...(shape.properties !== undefined && { properties }), ...(required && { required }) };
}

/** A shape with its document's description of it and its members. */
function annotated(shape: JsonSchema, note: ShapeNote | undefined): JsonSchema {
  if (!note) return shape;
  const { description, properties, ...rest } = shape as {
    description?: string;
    properties?: Record<string, JsonSchema>;
  };
  const source = `Source: ${note.source.document}, section "${note.source.section}".`;
  return {
    description: [description, source].filter(Boolean).join(' '),
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [name, described(member, note.members?.[name])]),
      ),
    }),
    examples: [note.example],
  };
}

const described = (member: JsonSchema, description: string | undefined): JsonSchema =>
  description ? { description, ...member } : member;

/** Names of all shapes that a schema refers to, directly or indirectly. */
export function referredTo(schema: unknown, shapes: Record<string, JsonSchema>, seen = new Set<string>()): Set<string> {
  for (const [, name] of JSON.stringify(schema).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g))
    if (!seen.has(name!)) referredTo(shapes[name!], shapes, seen.add(name!));
  return seen;
}

const SCHEMA = 'https://json-schema.org/draft/2020-12/schema';
const identified = (name: string) => ({ $schema: SCHEMA, $id: `urn:prepaid-card-conformance:${name}` });

/** The files that a run reads and writes, besides the shapes of the documents. */
const RUN_FILES = {
  conformance: [conformance, 'conformance.json: the record of one run.'],
  exchange: [exchange, 'One line of exchanges.ndjson: a request to the target and its answer, redacted.'],
  change: [change, 'One line of changes.ndjson: a change to the target, or how it was undone.'],
  fixtures: [fixtures, "The fixtures file: what the owner of a target says about the target's data."],
} as const;

/** All published JSON Schemas, by path: `v3/card`, `run/conformance`. Each resolves offline, by itself. */
export function jsonSchemas(): Record<string, JsonSchema> {
  const published: Record<string, JsonSchema> = {};
  for (const edition of ['v3', 'v1'] as const) {
    const shapes = shapesOf(edition);
    for (const [name, shape] of Object.entries(shapes)) {
      const others = [...referredTo(shape, shapes)].sort();
      published[`${edition}/${name}`] = {
        ...identified(`${edition}:${name}`),
        title: name,
        ...shape,
        ...(others.length > 0 && { $defs: Object.fromEntries(others.map((other) => [other, shapes[other]])) }),
      };
    }
  }
  for (const [name, [schema, description]] of Object.entries(RUN_FILES)) {
    const { $schema: _, ...rest } = toJsonSchema(schema);
    published[`run/${name}`] = { ...identified(`run:${name}`), title: name, description, ...rest };
  }
  return published;
}
