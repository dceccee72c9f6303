/** The HTTP side: routes, body reading, and the two addresses that are the sandbox's own. */

import formbody from '@fastify/formbody';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { parseBody } from '../call.ts';
import type { AnswerFilter, SandboxRequest } from '../exchange.ts';
import { type Operation, operations } from '../operations.ts';
import type { Backend } from '../state/backend.ts';
import { answer } from './dispatch.ts';
import { send } from './send.ts';

/** Where the interfaces are below the sandbox's address, and templates of the two paths that targets vary. */
export interface Paths {
  auth: string;
  base: string;
  portal: string;
  /** With `{tenant_path}`; ends in the word `token`, in whose place `authorize` stands for the other operation. */
  token: string;
  /** With `{operation}`, and `{endpoint_set}` if wanted. */
  operation: string;
}

export const defaultPaths: Paths = {
  auth: '/auth',
  base: '/api',
  portal: '/portal',
  token: '/{tenant_path}/B2C_1_signupandsignin/oauth2/v2.0/token',
  operation: '/_ah/api/{operation}',
};

const noBytes = Buffer.alloc(0);

/** The endpoint set that the portal document groups an operation in. */
function endpointSet(name: string): string {
  if (name === 'login' || name === 'logout') return 'userendpoint';
  return name === 'orderCards' ? 'orderendpoint' : 'customerendpoint';
}

function addressOf(operation: Operation, paths: Paths, tenantPath: string): string {
  if (operation.interface === 'v3') return paths.base + operation.path;
  if (operation.interface === 'auth') {
    return paths.auth + paths.token.replace('{tenant_path}', tenantPath).replace(/token$/, operation.path);
  }
  const path = paths.operation.replace('{operation}', operation.path);
  return paths.portal + path.replace('{endpoint_set}', endpointSet(operation.path));
}

/** Of a repeated parameter, the first. */
function firstOf(values: unknown): Record<string, string> {
  const first: Record<string, string> = {};
  for (const [name, value] of Object.entries((values ?? {}) as Record<string, string | string[]>)) {
    first[name] = Array.isArray(value) ? (value[0] ?? '') : value;
  }
  return first;
}

function readRequest(operation: Operation, request: FastifyRequest, callNumber: number): SandboxRequest {
  const raw = Buffer.isBuffer(request.body) ? request.body : noBytes;
  const isForm = operation.id === 'token.issue' && request.body !== undefined && !Buffer.isBuffer(request.body);
  return {
    operation: operation.id,
    method: request.method,
    url: request.url,
    params: request.params as Record<string, string>,
    query: firstOf(request.query),
    headers: request.headers,
    raw,
    form: isForm ? firstOf(request.body) : undefined,
    body: parseBody(raw),
    callNumber,
  };
}

function addOperations(app: FastifyInstance, backend: Backend, paths: Paths, filters: readonly AnswerFilter[]): void {
  const serve = (operation: Operation) => async (request: FastifyRequest, reply: FastifyReply) => {
    const read = readRequest(operation, request, backend.nextCallNumber(operation.id));
    const given = answer(backend, operation, read, filters);
    reply.hijack();
    await send(reply.raw, given);
  };
  const add = (scope: FastifyInstance, operation: Operation) =>
    scope.route({
      method: operation.method,
      url: addressOf(operation, paths, backend.credentials.tenantPath),
      handler: serve(operation),
    });
  app.register(async (scope) => {
    await scope.register(formbody);
    for (const operation of operations) if (operation.interface === 'auth') add(scope, operation);
  });
  for (const operation of operations) if (operation.interface !== 'auth') add(app, operation);
}

/** The test clock, and the way back to the first state. */
function addControls(app: FastifyInstance, backend: Backend): void {
  app.post('/__clock', async (request, reply) => {
    const body = parseBody(request.body as Buffer) as { advanceSeconds?: unknown } | undefined;
    const seconds = body?.advanceSeconds;
    if (typeof seconds !== 'number' || !(seconds > 0)) {
      return reply.code(400).send({ error: 'advanceSeconds is a number greater than 0' });
    }
    backend.clock.advance(seconds);
    return { now: new Date(backend.clock.nowMs()).toISOString() };
  });
  app.post('/__reset', async (_request, reply) => {
    backend.reset();
    return reply.code(204).send();
  });
}

/** A body for what goes wrong before an operation is known: an array of errors below {base_url}, an object elsewhere. */
function errorBody(url: string, paths: Paths, errorCode: string, errorMessage: string): unknown {
  const error = { errorCode, errorMessage };
  return url.startsWith(`${paths.base}/`) ? [error] : error;
}

/** Answers what goes wrong before or outside an operation. */
function failure(paths: Paths) {
  return (error: Error & { statusCode?: number }, request: FastifyRequest, reply: FastifyReply) => {
    const code = error.statusCode ?? 500;
    reply.code(code).send(errorBody(request.url, paths, code < 500 ? 'request' : 'server', error.message));
  };
}

/** A server that is ready to listen. */
export function makeServer(backend: Backend, paths: Paths, filters: readonly AnswerFilter[]): FastifyInstance {
  const app = fastify({
    logger: false,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    frameworkErrors: failure(paths),
    routerOptions: { maxParamLength: 4096 },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('onSend', async (_request, reply) => {
    reply.header('date', new Date(backend.clock.nowMs()).toUTCString());
  });
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send(errorBody(request.url, paths, 'route', 'There is nothing at this address.')),
  );
  app.setErrorHandler(failure(paths));
  addOperations(app, backend, paths, filters);
  addControls(app, backend);
  return app;
}
