import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { operations } from '../../contracts/operations.ts';
import { jsonSchemas } from '../../contracts/publish/json-schema.ts';
import { openApi } from '../../contracts/publish/openapi.ts';
import { requirements } from '../../contracts/requirements/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: documents are looked into at places that the assertions name
type Any = any;
const documents: Record<'v3' | 'v1', Any> = { v3: openApi('v3'), v1: openApi('v1') };
const described = Object.values(documents).flatMap((document) =>
  Object.entries(document.paths as Record<string, Any>).flatMap(([path, item]) =>
    ['get', 'post', 'put']
      .filter((method) => item[method])
      .map((method) => ({ path, method, document, ...item[method] })),
  ),
);
const byId = (id: string): Any => described.find(({ operationId }) => operationId === id);

/** Every node of a document that has a member of this name. */
function nodesWith(name: string, node: unknown): Any[] {
  if (typeof node !== 'object' || node === null) return [];
  const below = Object.values(node).flatMap((value) => nodesWith(name, value));
  return Object.hasOwn(node, name) ? [node, ...below] : below;
}

test('every operation of the contracts is described once, at its address', () => {
  expect(described.map(({ operationId }) => operationId).sort()).toEqual(operations.map(({ id }) => id).sort());
  expect(byId('cards.setPin')).toMatchObject({ path: '/cards/cards/{identifier}/pin', method: 'post' });
  expect(byId('portal.getCIPCheck')).toMatchObject({ path: '/_ah/api/getCIPCheck', method: 'post' });
  expect(byId('token.issue').path).toBe('/B2C_1_signupandsignin/oauth2/v2.0/token');
  expect(documents.v3.paths[byId('token.issue').path].servers[0].url).toBe('{auth_url}/{tenant_path}');
});

test('every requirement stands at each operation that it judges', () => {
  for (const operation of operations) {
    const judgedBy = requirements.filter(({ operations: of }) => of.includes(operation.id)).map(({ id }) => id);
    expect(byId(operation.id)['x-requirements']).toEqual(judgedBy);
    expect(byId(operation.id)['x-risk']).toBe(operation.risk);
  }
  expect(byId('portal.getCIPCheck')['x-requirements']).toContain('portal.getCIPCheck.address-41-refused');
});

test('limits, enumerations and defaults are those of the documents', () => {
  const parameter = (id: string, name: string) => byId(id).parameters.find((p: Any) => p.name === name);
  expect(parameter('users.list', 'max').schema).toEqual({ type: 'integer', format: 'int64', maximum: 50 });
  expect(parameter('cards.list', 'max').schema).toEqual({ type: 'integer', format: 'int64', default: 50 });
  expect(parameter('portal.getATMLocation', 'latitude').required).toBe(true);
  const { CIPCheck, Order, CIPData } = documents.v1.components.schemas;
  expect(CIPCheck.properties.address).toMatchObject({ type: 'string', maxLength: 40 });
  expect(Order.properties.orderProdType.enum).toContain('Non Reloadable-Corporate Reward Orde');
  expect(CIPData.properties.summaryResult.enum).toEqual(['Pass', 'Fail', 'Partial']);
});

test('success has the documented status and body; listed-only operations say that nothing is shown', () => {
  for (const operation of operations) {
    const { responses, 'x-listed-only': listedOnly } = byId(operation.id);
    expect(listedOnly ?? false).toBe(operation.listedOnly);
    if (operation.listedOnly) expect(responses.default.description).toBe('Not shown.');
    else {
      const body = operation.success!.body;
      expect(responses[operation.success!.status].content !== undefined).toBe(body !== 'none');
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(operation.errors.map(String)));
    }
  }
});

test('every operation but login and the token endpoint names its credentials', () => {
  const schemes = described.map(({ operationId, security }) => [operationId, Object.keys(security[0] ?? {})[0]]);
  const without = schemes.filter(([, scheme]) => scheme === undefined).map(([id]) => id);
  expect(without).toEqual(['token.issue', 'token.authorize', 'portal.login']);
  expect(documents.v1.components.securitySchemes.sessionId).toMatchObject({ in: 'query', name: 'sessionId' });
  expect(Object.keys(documents.v3.components.securitySchemes.oauth2.flows)).toEqual([
    'clientCredentials',
    'authorizationCode',
  ]);
});

describe.each(Object.entries(documents))('%s', (edition, document) => {
  test('every reference leads to a component', () => {
    const references = nodesWith('$ref', document).map(({ $ref }) => $ref as string);
    const missing = references.filter(
      (reference) => !Object.hasOwn(document.components.schemas, reference.replace('#/components/schemas/', '')),
    );
    expect(references.length).toBeGreaterThan(10);
    expect(missing).toEqual([]);
  });

  test('every example fits its schema', () => {
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    ajv.addSchema({ $id: 'document:', components: document.components });
    const local = (schema: unknown) => JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document:#/'));
    const pairs = [
      ...nodesWith('example', document).flatMap(({ schema, example }) => (schema ? [[schema, example]] : [])),
      ...nodesWith('examples', document).flatMap(({ schema, examples }) =>
        schema ? Object.values(examples as Record<string, Any>).map(({ value }) => [schema, value]) : [],
      ),
      ...Object.values(document.components.schemas as Record<string, Any>).flatMap((schema) =>
        (schema.examples ?? []).map((example: unknown) => [schema, example]),
      ),
    ];
    expect(pairs.length).toBeGreaterThan(20);
    expect(pairs.filter(([schema, example]) => !ajv.validate(local(schema), example))).toEqual([]);
  });

  test('components assert what the published JSON Schemas assert', () => {
    const schemas = jsonSchemas();
    const plain = (schema: object) =>
      JSON.parse(
        JSON.stringify(schema)
          .replaceAll('"#/components/schemas/', '"#/$defs/')
          .replaceAll(/,"format":"int64"/g, ''),
      );
    const components = Object.entries(document.components.schemas as Record<string, object>).filter(
      ([name]) => !name.startsWith('ErrorObj'),
    );
    for (const [name, component] of components) {
      const { $schema: _, $id: __, $defs: ___, title: ____, ...schema } = schemas[`${edition}/${name}`]!;
      expect(plain(component), name).toEqual(schema);
    }
  });

  test('every link leads to an operation and fills in its parameters', () => {
    const links = nodesWith('links', document).flatMap(({ links }) => Object.values(links as Record<string, Any>));
    expect(links.length).toBeGreaterThan(4);
    for (const { operationId, parameters = {} } of links) {
      const names = (byId(operationId).parameters ?? []).map(({ name }: Any) => name);
      expect(names).toEqual(expect.arrayContaining(Object.keys(parameters)));
    }
  });
});
