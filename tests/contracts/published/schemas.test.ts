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

test.each(Object.entries(schemas))('%s compiles in strict mode, alone, and its examples are valid', (path, schema) => {
  const validate = compile(schema);
  expect(((schema.examples ?? []) as unknown[]).filter((example) => !validate(example))).toEqual([]);
  // A name of its own, without a host.
  expect(schema.$id).toBe(`urn:prepaid-card-conformance:${path.replace('/', ':')}`);
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

/** What a schema asserts: without words, examples and identification. @param schema or, by member, several of them */
function asserted(schema: unknown, isByMember = false): unknown {
  if (Array.isArray(schema)) return schema.map((one) => asserted(one));
  if (typeof schema !== 'object' || schema === null) return schema;
  const words = isByMember ? [] : ['$schema', '$id', 'title', 'description', 'examples'];
  const kept = Object.entries(schema).filter(([name]) => !words.includes(name));
  const isMap = (name: string) => !isByMember && ['properties', '$defs'].includes(name);
  return Object.fromEntries(kept.map(([name, value]) => [name, asserted(value, isMap(name))]));
}

/** A schema with the bounds that are published beyond those that judge bodies. */
function withBounds(name: string, { properties = {}, ...schema }: JsonSchema): JsonSchema {
  const { required, members = {} } = shapeBounds[name] ?? {};
  const bounded = Object.entries(properties as object).map(([member, of]) => [member, { ...of, ...members[member] }]);
  return {
    ...schema,
    ...(bounded.length > 0 && { properties: Object.fromEntries(bounded) }),
    ...(required && { required }),
  };
}

test.each(Object.entries(shapeBounds))('the bounds of %s are those of members that there are', (name, bounds) => {
  const { properties } = schemas[`v3/${name}`] ?? schemas[`v1/${name}`]!;
  const bounded = [...(bounds.required ?? []), ...Object.keys(bounds.members ?? {})];
  expect(Object.keys(properties as object)).toEqual(expect.arrayContaining(bounded));
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
    const { $defs = {}, $ref } = asserted(z.toJSONSchema(schema, { io: 'input' })) as JsonSchema;
    const shapes = Object.entries($defs as Record<string, JsonSchema>).map(([id, shape]) => [
      id,
      withBounds(id, shape),
    ]);
    const { [name.slice(3)]: own, ...others } = Object.fromEntries(shapes);
    expect($ref).toBe(`#/$defs/${name.slice(3)}`);
    const expected = { ...own, ...(Object.keys(others).length > 0 && { $defs: others }) };
    expect(asserted(schemas[name]), name).toEqual(expected);
  }
});

// Any integer, offsets other than Z, undocumented members; of the fixtures file alone no unknown key.
test.each([
  ['v1/Customer', { customerId: 2 ** 60, undocumented: true }, true],
  ['v1/Customer', { customerId: 1.5 }, false],
  ['v3/card', { identifier: 'c', creationDate: '2026-05-04T09:30:00+02:00' }, true],
  ['v3/card', { identifier: 'c', creationDate: 'yesterday' }, false],
  ['v3/card', {}, true],
  ['run/fixtures', { portal: { programs: { other: 7, loadOn: { custProgId: 8, order: { any: 'body' } } } } }, true],
  ['run/fixtures', { portal: { programs: { others: 7 } } }, false],
])('%s avoids the traps of the export: %j', (name, value, isValid) => {
  expect(compile(schemas[name]!)(value)).toBe(isValid);
});
