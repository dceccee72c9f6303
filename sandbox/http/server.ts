/** The HTTP side: routes, body reading, and the two addresses that are the sandbox's own. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { parseBody } from '../call.ts';
import type { Answer, AnswerFilter, SandboxRequest } from '../exchange.ts';
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

/** Most bytes of a request body. */
const MOST_BYTES = 1024 * 1024;
/** Milliseconds for which an idle connection is kept: longer than a client waits between two requests. */
const KEEP_ALIVE_MS = 72_000;

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

/** The first of each parameter. */
function firstOf(parameters: URLSearchParams): Record<string, string> {
  const first: Record<string, string> = {};
  for (const [name, value] of parameters) first[name] ??= value;
  return first;
}

/** Something that is wrong before an operation is known. */
class HttpError extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** @throws HttpError for a part that is not percent-encoded text */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new HttpError(400, 'request', `${part} is not percent-encoded UTF-8.`);
  }
}

/** @throws HttpError when there are more bytes than are read */
async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const { headers } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return Buffer.alloc(0);
  const chunks: Buffer[] = [];
  let length = 0;
  // Not destroyed: it has an answer to come.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MOST_BYTES) throw new HttpError(413, 'request', 'The body is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

type Handler = (
  request: IncomingMessage,
  query: URLSearchParams,
  /** What the path has in place of the route's parameters. */
  params: Record<string, string>,
) => Answer | Promise<Answer>;

interface Route {
  method: string;
  /** Segments of the path; one that begins with a colon names a parameter. */
  segments: readonly string[];
  handle: Handler;
}

/** The values of a route's parameters in a path; undefined if it is another path. */
function matched({ segments }: Route, path: readonly string[]): Record<string, string> | undefined {
  const fits = (segment: string, index: number) => segment.startsWith(':') || segment === path[index];
  if (segments.length !== path.length || !segments.every(fits)) return undefined;
  const named = segments.flatMap((segment, index) =>
    segment.startsWith(':') ? [[segment.slice(1), path[index]]] : [],
  );
  return Object.fromEntries(named);
}

function operationRoute(operation: Operation, backend: Backend, paths: Paths, filters: readonly AnswerFilter[]): Route {
  const handle: Handler = async (request, query, params) => {
    const raw = await bytesOf(request);
    const isForm =
      operation.id === 'token.issue' &&
      request.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
    const read: SandboxRequest = {
      operation: operation.id,
      method: operation.method,
      url: request.url!,
      params,
      query: firstOf(query),
      headers: request.headers,
      raw,
      form: isForm ? firstOf(new URLSearchParams(raw.toString())) : undefined,
      body: parseBody(raw),
      callNumber: backend.nextCallNumber(operation.id),
    };
    return answer(backend, operation, read, filters);
  };
  const segments = addressOf(operation, paths, backend.credentials.tenantPath).split('/');
  return { method: operation.method, segments, handle };
}

/** The test clock, and the way back to the first state. */
function controls(backend: Backend): Route[] {
  const clock: Handler = async (request) => {
    const { advanceSeconds } = (parseBody(await bytesOf(request)) ?? {}) as { advanceSeconds?: unknown };
    if (typeof advanceSeconds !== 'number' || !(advanceSeconds > 0))
      return { status: 400, headers: {}, body: { error: 'advanceSeconds is a number greater than 0' } };
    backend.clock.advance(advanceSeconds);
    return { status: 200, headers: {}, body: { now: new Date(backend.clock.nowMs()).toISOString() } };
  };
  const reset: Handler = () => {
    backend.reset();
    return { status: 204, headers: {}, body: undefined };
  };
  return [
    { method: 'POST', segments: ['', '__clock'], handle: clock },
    { method: 'POST', segments: ['', '__reset'], handle: reset },
  ];
}

/** The answer to what goes wrong before or outside an operation: an array of errors below {base_url}, an object elsewhere. */
function failure(thrown: unknown, url: string, paths: Paths): Answer {
  const known = thrown instanceof HttpError ? thrown : new HttpError(500, 'server', String(thrown));
  const error = { errorCode: known.code, errorMessage: known.message };
  // What is left of a body that was not read is not the next request.
  const transport = known.status === 413 ? { transport: { close: true } } : {};
  return { status: known.status, headers: {}, body: url.startsWith(`${paths.base}/`) ? [error] : error, ...transport };
}

/** A server that is ready to listen. */
export function makeServer(backend: Backend, paths: Paths, filters: readonly AnswerFilter[]): Server {
  const routes = [
    ...operations.map((operation) => operationRoute(operation, backend, paths, filters)),
    ...controls(backend),
  ];
  const respond = async (request: IncomingMessage): Promise<Answer> => {
    const [path, query] = request.url!.split(/\?(.*)/s) as [string, string | undefined];
    const segments = path.split('/').map(decoded);
    for (const route of routes) {
      const params = route.method === request.method && matched(route, segments);
      if (params) return route.handle(request, new URLSearchParams(query), params);
    }
    throw new HttpError(404, 'route', 'There is nothing at this address.');
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { headers, ...given } = await respond(request).catch((thrown) => failure(thrown, request.url!, paths));
    const date = new Date(backend.clock.nowMs()).toUTCString();
    await send(response, { ...given, headers: { date, ...headers } });
  };
  return createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    // An answer that cannot be sent, such as one with a header that there cannot be.
    serve(request, response).catch(() => response.destroy());
  });
}
