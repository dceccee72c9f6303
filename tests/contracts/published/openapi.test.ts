import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { operations } from '../../../contracts/operations.ts';
import { parameterBounds } from '../../../contracts/publish/bounds.ts';
import { jsonSchemas } from '../../../contracts/publish/json-schema.ts';
import { openApi } from '../../../contracts/publish/openapi.ts';
import { requirements } from '../../../contracts/requirements/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: documents are looked into at places that the assertions name
type Any = any;
const documents: Record<'token' | 'v3' | 'v1', Any> = { token: openApi('token'), v3: openApi('v3'), v1: openApi('v1') };
const described = Object.values(documents).flatMap((document) =>
  Object.entries(document.paths as Record<string, Any>).flatMap(([path, item]) =>
    ['get', 'post', 'put']
      .filter((method) => item[method])
      .map((method) => ({ path, method, document, ...item[method] })),
  ),
);
const byId = (id: string): Any => described.find(({ operationId }) => operationId === id);

/** What stands in a document below these names. */
const below = (node: Any, names: string[]): Any => names.reduce((inner, name) => inner?.[name], node);

/** Every node of a document that has a member of this name. */
function nodesWith(name: string, node: unknown): Any[] {
  if (typeof node !== 'object' || node === null) return [];
  const within = Object.values(node).flatMap((value) => nodesWith(name, value));
  return Object.hasOwn(node, name) ? [node, ...within] : within;
}

test('every operation of the contracts is described once, at its address', () => {
  expect(described.map(({ operationId }) => operationId).sort()).toEqual(operations.map(({ id }) => id).sort());
  expect(byId('cards.setPin')).toMatchObject({ path: '/cards/cards/{identifier}/pin', method: 'post' });
  expect(byId('portal.getCIPCheck')).toMatchObject({ path: '/_ah/api/getCIPCheck', method: 'post' });
  expect(byId('token.issue').path).toBe('/B2C_1_signupandsignin/oauth2/v2.0/token');
});

test('every document has one address: that of all its operations', () => {
  const urls = Object.values(documents).map(({ servers }) => servers.map(({ url }: Any) => url));
  expect(urls).toEqual([['{auth_url}/{tenant_path}'], ['{base_url}'], ['{portal_url}']]);
  expect(Object.values(documents).flatMap((document) => nodesWith('servers', document.paths))).toEqual([]);
});

test('every requirement stands at each operation that it judges', () => {
  for (const { id, risk } of operations) {
    const judgedBy = requirements.filter((one) => one.operations.includes(id)).map((one) => one.id);
    expect(byId(id)).toMatchObject({ 'x-requirements': judgedBy, 'x-risk': risk });
  }
  expect(byId('portal.getCIPCheck')['x-requirements']).toContain('portal.getCIPCheck.address-41-refused');
});

test('limits, enumerations and defaults are those of the documents', () => {
  const parameter = (id: string, name: string) => byId(id).parameters.find((one: Any) => one.name === name);
  const int64 = { type: 'integer', format: 'int64' };
  expect(parameter('users.list', 'max').schema).toEqual({ ...int64, minimum: 1, maximum: 50 });
  expect(parameter('cards.list', 'max').schema).toEqual({ ...int64, minimum: 1, default: 50 });
  expect(parameter('portal.getATMLocation', 'latitude').required).toBe(true);
  const { CIPCheck, Order, CIPData } = documents.v1.components.schemas;
  expect(CIPCheck.properties.address).toMatchObject({ type: 'string', maxLength: 40 });
  expect(Order.properties.orderProdType.enum).toContain('Non Reloadable-Corporate Reward Orde');
  expect(CIPData.properties.summaryResult.enum).toEqual(['Pass', 'Fail', 'Partial']);
});

test('bounds are those of parameters that there are', () => {
  const named = described.flatMap(({ operationId, parameters = [] }) =>
    parameters.map(({ name }: Any) => `${operationId}/${name}`),
  );
  expect(named).toEqual(expect.arrayContaining(Object.keys(parameterBounds)));
});

test('statuses are written out, any refusal among them: not every tool knows 4XX', () => {
  for (const { responses } of described) {
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401', '404', '429']));
    expect(Object.keys(responses).filter((status) => !/^(\d{3}|default)$/.test(status))).toEqual([]);
  }
  // An undocumented success, or a server error where none is listed, is not covered by anything.
  for (const status of ['default', '500']) expect(byId('cards.suspend').responses).not.toHaveProperty(status);
});

test('success has the documented status and body; listed-only operations say that nothing is shown', () => {
  for (const { id, success, errors, listedOnly } of operations) {
    const { responses, 'x-listed-only': marked } = byId(id);
    expect(marked ?? false).toBe(listedOnly);
    if (listedOnly) expect(responses.default.description).toBe('Not shown.');
    else {
      expect(responses[success!.status].content !== undefined).toBe(success!.body !== 'none');
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(errors.map(String)));
    }
  }
});

test('every operation but login and the token endpoint names its credentials', () => {
  const without = described.filter(({ security }) => Object.keys(security[0] ?? {}).length === 0);
  const open = ['token.issue', 'token.authorize', 'portal.login'];
  expect(without.map(({ operationId }) => operationId)).toEqual(open);
  expect(documents.v1.components.securitySchemes.sessionId).toMatchObject({ in: 'query', name: 'sessionId' });
  const { oauth2, bearer } = documents.v3.components.securitySchemes;
  expect(Object.keys(oauth2.flows)).toEqual(['clientCredentials', 'authorizationCode']);
  expect(bearer).toMatchObject({ type: 'http', scheme: 'bearer' });
  // One alternative that names both: with two, some tools try each operation twice.
  expect(byId('cards.close').security).toEqual([{ oauth2: ['<resource_uri>/.default'], bearer: [] }]);
});

describe.each(Object.entries(documents))('%s', (edition, document) => {
  test('every reference leads to a component', () => {
    const references = nodesWith('$ref', document).map(({ $ref }) => $ref as string);
    expect(references.length).toBeGreaterThan(10);
    expect(references.filter((one) => below(document, one.split('/').slice(1)) === undefined)).toEqual([]);
  });

  test('every example fits its schema', () => {
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    ajv.addSchema({ $id: 'document:', components: document.components });
    const local = (schema: unknown) => JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document:#/'));
    const named = nodesWith('examples', document).flatMap(({ schema, examples }) =>
      Object.values<Any>(examples).map(({ value }) => ({ schema, example: value })),
    );
    const shown = [...nodesWith('example', document), ...named].filter(({ schema }) => schema);
    expect(shown.length).toBeGreaterThan(edition === 'token' ? 1 : 15);
    expect(shown.filter(({ schema, example }) => !ajv.validate(local(schema), example))).toEqual([]);
  });

  test('components assert what the published JSON Schemas assert', () => {
    const schemas = jsonSchemas();
    const asSchemas = JSON.stringify(document.components.schemas)
      .replaceAll('"#/components/schemas/', '"#/$defs/')
      .replaceAll(',"format":"int64"', '');
    const components = Object.entries<object>(JSON.parse(asSchemas)).filter(([name]) => !name.startsWith('ErrorObj'));
    expect(components.length).toBeGreaterThan(1);
    const identification = ['$schema', '$id', '$defs', 'title', 'examples'];
    for (const [name, component] of components) {
      const members = Object.entries(schemas[`${edition === 'v1' ? 'v1' : 'v3'}/${name}`]!);
      const asserted = members.filter(([member]) => !identification.includes(member));
      expect(component, name).toEqual(Object.fromEntries(asserted));
    }
  });

  test('every link leads to an operation and gives all that it requires', () => {
    for (const operation of described.filter((one) => one.document === document)) {
      const success = Object.entries<Any>(operation.responses).find(([status]) => status.startsWith('2'))?.[1];
      const example = success?.content?.['application/json'].examples.example.value;
      for (const [name, link] of Object.entries<Any>(success?.links ?? {})) {
        const { parameters = [], requestBody } = byId(link.operationId);
        const namesOf = (some: Any[]) => some.map((parameter) => parameter.name);
        const given = Object.keys(link.parameters);
        expect(namesOf(parameters), name).toEqual(expect.arrayContaining(given));
        expect(given, name).toEqual(expect.arrayContaining(namesOf(parameters.filter((one: Any) => one.required))));
        expect(requestBody, name).toBeUndefined();
        for (const expression of Object.values<string>(link.parameters))
          expect(resolved(expression, operation, example), `${name}: ${expression}`).toBeDefined();
      }
    }
  });
});

/** What a runtime expression gives with the examples of its operation; a text that is none stands for itself. */
function resolved(expression: string, operation: Any, body: Any): unknown {
  const [, pointer] = /^\$response\.body#\/(.*)$/.exec(expression) ?? [];
  if (pointer !== undefined) return below(body, pointer.split('/'));
  const [, where, name] = /^\$request\.(path|query)\.(.*)$/.exec(expression) ?? [];
  if (name === undefined) return expression;
  const parameter = operation.parameters.find((one: Any) => one.in === where && one.name === name);
  return parameter?.examples?.example.value;
}
