/** The operations of one document as an OpenAPI 3.1 document: a view of the contracts, with nothing added to them. */
import type { Operation, Parameter, SuccessBody } from '../operation.ts';
import { requirements } from '../requirements/index.ts';
import { portalStatuses } from '../v1/portal.ts';
import { errors } from '../v3/errors.ts';
import { type Edition, type JsonSchema, operationsOf, shapesOf } from './json-schema.ts';
import { links } from './links.ts';
import { AUTH_SERVER, SECURITY, securitySchemes, serversOf } from './servers.ts';
import { v1Shapes, v3Shapes } from './shapes.ts';
import { CONTRACTS_VERSION } from './version.ts';

type Json = { [name: string]: unknown };

const TITLES: Record<Edition, string> = {
  v3: 'Token, Users and Cards Interface (v3.0.0)',
  v1: 'Session-Based Portal Interface (v1)',
};

const TAGS: Record<Edition, Record<string, string>> = {
  v3: {
    token: 'The OAuth 2.0 token endpoint.',
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

const ABOUT = `Generated from the contracts of a conformance suite: what this document says is what the suite asserts.

- \`x-requirements\` of an operation lists the requirements that it is judged by; \`x-risk\` says what calling it may change
  (\`safe\`, \`reversible\`, \`irreversible\`); \`x-source\` names document and section.
- \`x-listed-only\` marks operations that the document names without showing parameters, bodies and responses.
- \`x-level: should\` marks error bodies that are advised; everything else is asserted.
- A null for an optional member, a date-time without offset and another media type on a JSON body are stricter here than in
  the suite, which only advises against them.
- Undocumented members are allowed everywhere. Integers carry the format int64, since int64 occurs.`;

/** The OpenAPI document of one edition. */
export function openApi(edition: Edition): Json {
  const operations = operationsOf(edition);
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = pathOf(operation);
    paths[path] ??= operation.interface === 'token' ? { servers: [AUTH_SERVER] } : {};
    paths[path][operation.method.toLowerCase()] = operationObject(operation);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: TITLES[edition],
      version: CONTRACTS_VERSION,
      summary: 'Contracts of a conformance suite.',
      description: ABOUT,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: serversOf(edition),
    tags: Object.entries(TAGS[edition]).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: componentsOf(edition),
      securitySchemes: securitySchemes(edition),
    },
  };
}

/** The address without what the server variables hold. */
function pathOf({ interface: of, path }: Operation): string {
  if (of === 'v1') return `/_ah/api/${path}`;
  return of === 'token' ? path.replace('/{tenant_path}', '') : path;
}

function operationObject(operation: Operation): Json {
  const { id, title, source, deprecated, endpointSet, authorisation, risk, listedOnly } = operation;
  const judgedBy = requirements.filter((requirement) => requirement.operations.includes(id));
  const parameters = [
    ...operation.pathParameters.map((parameter) => parameterObject(parameter, 'path')),
    ...operation.query.map((parameter) => parameterObject(parameter, 'query')),
  ];
  const said = [
    `${title}.`,
    operation.more,
    listedOnly && 'Parameters, bodies and responses are not shown.',
    `Source: ${source.document}, section "${source.section}".`,
  ];
  return {
    operationId: id,
    summary: title,
    description: said.filter(Boolean).join(' '),
    tags: [endpointSet ?? id.split('.')[0]],
    ...(deprecated && { deprecated }),
    security: SECURITY[authorisation],
    ...(parameters.length > 0 && { parameters }),
    ...(operation.body && { requestBody: requestBody(operation.body) }),
    responses: responses(operation),
    'x-source': source,
    'x-risk': risk,
    ...(listedOnly && { 'x-listed-only': true }),
    'x-requirements': judgedBy.map((requirement) => requirement.id),
  };
}

function parameterObject(parameter: Parameter, where: 'path' | 'query'): Json {
  const { name, type, required, note } = parameter;
  const schema: JsonSchema = { type };
  if (type === 'integer') schema.format = 'int64';
  if (parameter.maximum !== undefined) schema.maximum = parameter.maximum;
  if (parameter.default !== undefined) schema.default = parameter.default;
  return {
    name,
    in: where,
    required,
    ...(note && { description: `${note.charAt(0).toUpperCase()}${note.slice(1)}.` }),
    schema,
    example: parameter.example,
  };
}

function requestBody({ mediaType, schema, required }: NonNullable<Operation['body']>): Json {
  return { required, content: { [mediaType]: contentOf(schema) } };
}

/** Schema and example of a body; for a shape that is not shown, JSON of any shape. */
function contentOf(body: Exclude<SuccessBody, 'none'>): Json {
  if (body === 'not shown') return { schema: { description: 'JSON; its shape is not shown.' } };
  const name = body.meta()!.id as string;
  return {
    schema: { $ref: `#/components/schemas/${name}` },
    examples: { example: { value: (v3Shapes[name] ?? v1Shapes[name])!.example } },
  };
}

function responses(operation: Operation): Json {
  const { success, listedOnly } = operation;
  const notShown = { description: 'Not shown.' };
  if (!success || listedOnly)
    return { '2XX': notShown, '4XX': { description: 'Refused; not shown how.' }, default: notShown };
  const { status, body } = success;
  const answered = {
    description: body === 'none' ? 'Success, without a body.' : 'Success.',
    ...(body !== 'none' && { content: { 'application/json': contentOf(body) } }),
    ...(links[operation.id] && { links: links[operation.id] }),
  };
  return { [status]: answered, ...(operation.interface === 'v1' ? portalErrors(operation) : v3Errors(operation)) };
}

/** v3: an array of errors; asserted of 400, advised of other statuses ("Errors"). */
function v3Errors(operation: Operation): Json {
  const { interface: of, errors: listed } = operation;
  if (of === 'token')
    return { '4XX': { description: 'No token; advised: the error response of RFC 6749 section 5.2.' } };
  const content = { 'application/json': contentOf(errors) };
  return {
    400: { description: listed.includes(400) ? statusMeaning(operation, 400) : `A bad request; ${UNLISTED}`, content },
    '4XX': { description: `Refused; ${UNLISTED}`, content, 'x-level': 'should' },
  };
}

/** The portal: error objects, whose fields are not shown, where the operation lists them by that name. */
function portalErrors(operation: Operation): Json {
  const { errors: listed } = operation;
  const named = listed.includes(500);
  const answers = listed.map((status) => {
    const content = { 'application/json': { schema: { $ref: `#/components/schemas/ErrorObj${status}` } } };
    return [status, { description: statusMeaning(operation, status), ...(named && { content, 'x-level': 'should' }) }];
  });
  return {
    ...Object.fromEntries(answers),
    '4XX': { description: `Refused; ${UNLISTED}` },
    503: { description: 'Service unavailable.' },
  };
}

const UNLISTED = 'the document does not list this status for the operation.';
const ERROR_OBJECTS = [400, 401, 403, 404, 500];

const statusMeaning = ({ statuses }: Operation, status: number) => statuses?.[status] ?? portalStatuses[status];

/** The named shapes as components: references point there, and integers carry their width. */
function componentsOf(edition: Edition): Json {
  const shapes = JSON.stringify(shapesOf(edition)).replaceAll('"#/$defs/', '"#/components/schemas/');
  const components: Json = JSON.parse(shapes, (_, value: JsonSchema | null) =>
    isWideInteger(value) ? { ...value, format: 'int64' } : value,
  ) as Json;
  if (edition === 'v1')
    for (const status of ERROR_OBJECTS)
      components[`ErrorObj${status}`] = {
        type: 'object',
        description: `${portalStatuses[status]} Its fields are not shown. Source: ${TITLES.v1}, section "Errors".`,
      };
  return components;
}

/** Integers that no limit or list narrows may be of 64 bits. */
const isWideInteger = (value: JsonSchema | null): boolean =>
  value?.type === 'integer' && value.maximum === undefined && value.enum === undefined;
