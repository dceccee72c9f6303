/** Publishes the operations of one document as OpenAPI 3.1: a view of the contracts without additions. */
import type { Operation, Parameter, SuccessBody } from '../operation.ts';
import { operations } from '../operations.ts';
import { requirements } from '../requirements/index.ts';
import { portalStatuses } from '../v1/portal.ts';
import { parameterBounds } from './bounds.ts';
import { type RequestExample, type RequestExamples, requestExamples } from './examples.ts';
import { type JsonSchema, referredTo, shapesOf } from './json-schema.ts';
import { links } from './links.ts';
import { SECURITY, securitySchemes, serverOf } from './servers.ts';
import { v1Shapes, v3Shapes } from './shapes.ts';
import { CONTRACTS_VERSION } from './version.ts';

type Json = { [name: string]: unknown };

/** The address that a document covers. */
export type Interface = Operation['interface'];

const V3 = 'Token, Users and Cards Interface (v3.0.0)';

export const TITLES: Record<Interface, string> = {
  token: `${V3}: Token Endpoint`,
  v3: `${V3}: Users and Cards`,
  v1: 'Session-Based Portal Interface (v1)',
};

const TAGS: Record<Interface, Record<string, string>> = {
  token: { token: 'The OAuth 2.0 token endpoint.' },
  v3: {
    users: 'Customers: search, retrieve, permissions.',
    cards: 'Cards and what is done with them.',
    cardholders: 'Holders of cards; listed only.',
  },
  v1: {
    userendpoint: 'Session management.',
    customerendpoint: 'Customers, identity verification, shipping options, programs and ATM lookup.',
    orderendpoint: 'Card ordering.',
  },
};

const ABOUT = `Generated from the contracts of a conformance suite. docs/artefacts.md there says where this document says more or less
than the suite asserts.

- \`x-requirements\` of an operation lists the requirements that it is judged by; \`x-risk\` says what calling it may change
  (\`safe\`, \`reversible\`, \`irreversible\`); \`x-source\` names document and section.
- \`x-listed-only\` marks operations that the document names without showing parameters, bodies and responses.
- \`x-level: should\` marks error bodies that are advised.
- Examples named \`example\` make one request together; those that depend on the target are in the overlay of this document.
- Undocumented members are allowed everywhere. Integers carry the format int64, since int64 occurs.`;

/** Tools process a document in order, so operations that end the session come last. */
const LAST = 'portal.logout';

/** The operations at one address, in document order. */
export const operationsAt = (at: Interface): readonly Operation[] =>
  operations
    .filter((operation) => operation.interface === at)
    .toSorted((a, b) => Number(a.id === LAST) - Number(b.id === LAST));

/** The OpenAPI document of one address. @param examples of its requests; by default those of an invented target */
export function openApi(at: Interface, examples: RequestExamples = requestExamples()): Json {
  const described = operationsAt(at);
  const paths: Record<string, Json> = {};
  for (const operation of described) {
    const path = pathOf(operation);
    paths[path] ??= {};
    paths[path][operation.method.toLowerCase()] = operationObject(operation, examples[operation.id] ?? {});
  }
  return {
    openapi: '3.1.0',
    info: {
      title: TITLES[at],
      version: CONTRACTS_VERSION,
      summary: 'Contracts of a conformance suite.',
      description: ABOUT,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [serverOf(at)],
    tags: Object.entries(TAGS[at]).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: componentsOf(at),
      responses: { Refused: REFUSED[at], ...(at !== 'v1' && { Unavailable: UNAVAILABLE }) },
      ...(at !== 'token' && { securitySchemes: securitySchemes(at) }),
    },
  };
}

/** The path below the address of {@link serverOf}. */
export function pathOf({ interface: at, path }: Operation): string {
  if (at === 'v1') return `/_ah/api/${path}`;
  return at === 'token' ? path.replace('/{tenant_path}', '') : path;
}

function operationObject(operation: Operation, example: RequestExample): Json {
  const { id, title, source, deprecated, endpointSet, authorisation, risk, listedOnly } = operation;
  const judgedBy = requirements.filter((requirement) => requirement.operations.includes(id));
  const parameters = [
    ...operation.pathParameters.map((parameter) => parameterObject(operation, parameter, 'path', example)),
    ...operation.query.map((parameter) => parameterObject(operation, parameter, 'query', example)),
  ];
  const parts = [
    `${title}.`,
    operation.more,
    listedOnly && 'Parameters, bodies and responses are not shown.',
    `Source: ${source.document}, section "${source.section}".`,
  ];
  return {
    operationId: id,
    summary: title,
    description: parts.filter(Boolean).join(' '),
    tags: [endpointSet ?? id.split('.')[0]],
    ...(deprecated && { deprecated }),
    security: SECURITY[authorisation],
    ...(parameters.length > 0 && { parameters }),
    ...(operation.body && { requestBody: requestBody(operation.body, example.body) }),
    responses: responses(operation),
    'x-source': source,
    'x-risk': risk,
    ...(listedOnly && { 'x-listed-only': true }),
    'x-requirements': judgedBy.map((requirement) => requirement.id),
  };
}

function parameterObject(
  operation: Operation,
  parameter: Parameter,
  where: 'path' | 'query',
  { parameters = {} }: RequestExample,
): Json {
  const { name, type, required, note } = parameter;
  const schema: JsonSchema = { type };
  if (type === 'integer') schema.format = 'int64';
  if (parameter.maximum !== undefined) schema.maximum = parameter.maximum;
  if (parameter.default !== undefined) schema.default = parameter.default;
  Object.assign(schema, parameterBounds[`${operation.id}/${name}`]);
  return {
    name,
    in: where,
    required,
    ...(note && { description: `${note.charAt(0).toUpperCase()}${note.slice(1)}.` }),
    schema,
    ...(parameters[name] !== undefined && { examples: { example: { value: parameters[name] } } }),
  };
}

function requestBody({ mediaType, schema, required }: NonNullable<Operation['body']>, example: unknown): Json {
  return { required, content: { [mediaType]: contentOf(schema, example) } };
}

/** Schema and example of a body; for a shape that is not shown, any JSON. */
function contentOf(body: Exclude<SuccessBody, 'none'>, value?: unknown): Json {
  if (body === 'not shown')
    return { schema: { description: 'JSON; its shape is not shown.' }, examples: { example: { value: {} } } };
  const name = body.meta()!.id as string;
  return {
    schema: { $ref: `#/components/schemas/${name}` },
    examples: { example: { value: value ?? (v3Shapes[name] ?? v1Shapes[name])!.example } },
  };
}

/** Statuses with which an operation may refuse, whichever its document lists: anything but 2xx (reading 6). */
const REFUSALS = [400, 401, 403, 404, 405, 406, 409, 410, 413, 414, 415, 422, 429, 431];
/** Portal statuses that its document lists for all operations ("Errors"). */
const PORTAL_ERRORS = [400, 401, 403, 404, 500, 503];
/** Those whose error objects are named. */
const ERROR_OBJECTS = [400, 401, 403, 404, 500];

const REFUSED: Record<Interface, Json> = {
  token: { description: 'No token; advised: the error response of RFC 6749 section 5.2.' },
  v3: { description: 'Refused, with a status that the document does not list; advised: a body of the shape errors.' },
  v1: { description: 'Refused, with a status that the document does not list for the operation.' },
};

const UNAVAILABLE: Json = { description: portalStatuses[503] };

function responses(operation: Operation): Json {
  const refusals = Object.fromEntries(
    REFUSALS.map((status) => [status, { $ref: '#/components/responses/Refused' }] as const),
  );
  const unavailable = { 503: { $ref: '#/components/responses/Unavailable' } };
  const { success, listedOnly } = operation;
  if (!success || listedOnly) return { ...refusals, ...unavailable, default: { description: 'Not shown.' } };
  const { status, body } = success;
  const answered = {
    description: body === 'none' ? 'Success, without a body.' : 'Success.',
    ...(body !== 'none' && { content: { 'application/json': contentOf(body) } }),
    ...(links[operation.id] && { links: links[operation.id] }),
  };
  const listed = { token: () => ({}), v3: v3Errors, v1: portalErrors }[operation.interface](operation);
  return { [status]: answered, ...refusals, ...unavailable, ...listed };
}

/** A 400 of v3 is an array of errors, whether or not the operation lists it ("Errors"). */
function v3Errors({ statuses }: Operation): Json {
  return {
    400: {
      description: statuses?.[400] ?? 'A bad request; the document does not list this status for the operation.',
      // Without the name of the request examples, which are answered with success.
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/errors' }, example: v3Shapes.errors!.example },
      },
    },
  };
}

/** The portal's error objects, whose fields are not shown, if the operation lists them by that name. */
function portalErrors({ errors: listed, statuses }: Operation): Json {
  const named = listed.includes(500);
  const answers = PORTAL_ERRORS.map((status) => {
    const description = statuses?.[status] ?? portalStatuses[status];
    if (!named || !listed.includes(status)) return [status, { description }];
    const content = { 'application/json': { schema: { $ref: `#/components/schemas/ErrorObj${status}` } } };
    return [status, { description, content, ...(![400, 401].includes(status) && { 'x-level': 'should' }) }];
  });
  return Object.fromEntries(answers);
}

/** The named shapes of an interface as components, so that references resolve; integers carry their width. */
function componentsOf(at: Interface): Json {
  const shapes = shapesOf(at === 'v1' ? 'v1' : 'v3');
  const bodies = operationsAt(at)
    .flatMap(({ body, success }) => [body?.schema, success?.body])
    .flatMap((body) => (typeof body === 'object' ? (body.meta()!.id as string) : []));
  if (at === 'v3') bodies.push('errors');
  const used = new Set(bodies.flatMap((name) => [name, ...referredTo(shapes[name], shapes)]));
  if (at === 'v1')
    for (const status of ERROR_OBJECTS) {
      used.add(`ErrorObj${status}`);
      shapes[`ErrorObj${status}`] = {
        type: 'object',
        description: `${portalStatuses[status]} Its fields are not shown. Source: ${TITLES.v1}, section "Errors".`,
      };
    }
  const components = Object.fromEntries(
    [...used].sort().map((name) => {
      // Request examples are placed at the operation, where an overlay can replace them.
      const { examples: _, ...shape } = shapes[name]!;
      return [name, shape];
    }),
  );
  return JSON.parse(
    JSON.stringify(components).replaceAll('"#/$defs/', '"#/components/schemas/'),
    (_, value: JsonSchema | null) => (isWideInteger(value) ? { ...value, format: 'int64' } : value),
  ) as Json;
}

/** Integers without a limit or list of values may need 64 bits. */
const isWideInteger = (value: JsonSchema | null): boolean =>
  value?.type === 'integer' && value.maximum === undefined && value.enum === undefined;
