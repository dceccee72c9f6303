import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { operations } from '../../../contracts/operations.ts';
import { shapeBounds } from '../../../contracts/publish/bounds.ts';
import { type JsonSchema, jsonSchemas, operationsOf, shapesOf } from '../../../contracts/publish/json-schema.ts';
import { v1Shapes, v3Shapes } from '../../../contracts/publish/shapes.ts';

const schemas = jsonSchemas();

const ajv = new Ajv2020({ strict: true });
formats.default(ajv);

/** A validator of one schema in strict mode; no other is known, so every reference is resolved in the file itself. */
function compile(schema: JsonSchema) {
  const validate = ajv.compile(schema);
  ajv.removeSchema(schema);
  return validate;
}

test.each(Object.entries(schemas))('%s compiles in strict mode, alone, and its examples are valid', (_, schema) => {
  const validate = compile(schema);
  const invalid = ((schema.examples ?? []) as unknown[]).filter((example) => !validate(example));
  expect(invalid).toEqual([]);
});

test('ids are distinct names without a host', () => {
  const ids = Object.values(schemas).map(({ $id }) => $id as string);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^urn:prepaid-card-conformance:(v3|v1|run):[A-Za-z]+$/.test(id))).toEqual([]);
});

test.each([
  ['v3', v3Shapes],
  ['v1', v1Shapes],
] as const)('every shape of %s is described, and nothing else is', (edition, notes) => {
  const shapes = shapesOf(edition);
  expect(Object.keys(notes).sort()).toEqual(Object.keys(shapes).sort());
  const unknown = Object.entries(notes).flatMap(([name, { members = {} }]) =>
    Object.keys(members).filter((member) => !Object.hasOwn((shapes[name]!.properties ?? {}) as object, member)),
  );
  expect(unknown).toEqual([]);
});

/** What a schema asserts: without words, examples and identification. */
function asserted(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(asserted);
  if (typeof schema !== 'object' || schema === null) return schema;
  const words = ['$schema', '$id', 'title', 'description', 'examples'];
  const kept = Object.entries(schema).flatMap(([name, value]) => {
    if (name === 'properties' || name === '$defs')
      return [[name, Object.fromEntries(Object.entries(value).map(([member, of]) => [member, asserted(of)]))]];
    return words.includes(name) ? [] : [[name, asserted(value)]];
  });
  return Object.fromEntries(kept);
}

/** A schema with the bounds that are published beyond those that judge bodies. */
function withBounds(name: string, schema: JsonSchema): JsonSchema {
  const { required, members = {} } = shapeBounds[name] ?? {};
  const properties = Object.entries((schema.properties ?? {}) as Record<string, object>);
  return {
    ...schema,
    ...(required && { required }),
    ...(schema.properties !== undefined && {
      properties: Object.fromEntries(properties.map(([member, of]) => [member, { ...of, ...members[member] }])),
    }),
  };
}

test('bounds are those of shapes and members that there are', () => {
  for (const [name, { required = [], members = {} }] of Object.entries(shapeBounds)) {
    const { properties } = schemas[`v3/${name}`] ?? schemas[`v1/${name}`]!;
    expect(Object.keys(properties as object), name).toEqual(
      expect.arrayContaining([...required, ...Object.keys(members)]),
    );
  }
});

test('what is published asserts what the contracts assert, and the bounds that are listed', () => {
  const bodies = (['v3', 'v1'] as const).flatMap((edition) =>
    operationsOf(edition)
      .flatMap(({ body, success }) => [body?.schema, success?.body])
      .filter((schema) => schema instanceof z.ZodType)
      .map((schema) => [`${edition}/${schema.meta()!.id}`, schema] as const),
  );
  expect(bodies.length).toBeGreaterThan(operations.length / 2);
  for (const [name, schema] of bodies) {
    const { $defs = {}, $ref } = asserted(z.toJSONSchema(schema, { io: 'input' })) as {
      $defs?: Record<string, JsonSchema>;
      $ref?: string;
    };
    const bounded = Object.fromEntries(Object.entries($defs).map(([id, schema]) => [id, withBounds(id, schema)]));
    const { [name.slice(3)]: own, ...others } = bounded;
    expect($ref).toBe(`#/$defs/${name.slice(3)}`);
    const expected = { ...own, ...(Object.keys(others).length > 0 && { $defs: others }) };
    expect(asserted(schemas[name]), name).toEqual(expected);
  }
});

test('traps of the export are avoided: any integer, offsets other than Z, undocumented members', () => {
  const customer = compile(schemas['v1/Customer']!);
  expect(customer({ customerId: 2 ** 60, undocumented: true })).toBe(true);
  expect(customer({ customerId: 1.5 })).toBe(false);
  const card = compile(schemas['v3/card']!);
  expect(card({ identifier: 'c', creationDate: '2026-05-04T09:30:00+02:00' })).toBe(true);
  expect(card({ identifier: 'c', creationDate: 'yesterday' })).toBe(false);
  expect(card({})).toBe(true);
});

test('the fixtures file takes what the interface allows, and no unknown key', () => {
  const fixtures = compile(schemas['run/fixtures']!);
  expect(fixtures({ portal: { programs: { other: 7, loadOn: { custProgId: 8, order: { any: 'body' } } } } })).toBe(
    true,
  );
  expect(fixtures({ portal: { programs: { others: 7 } } })).toBe(false);
});
