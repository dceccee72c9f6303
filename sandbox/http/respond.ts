/** Routes a complete request to its answer, and serves the sandbox's own two addresses. */
import type { IncomingHttpHeaders } from 'node:http';
import { parseBody } from '../call.ts';
import { type Answer, type AnswerFilter, RawText, type SandboxRequest, type Transport } from '../exchange.ts';
import { type Operation, operations } from '../operations.ts';
import type { Backend } from '../state/backend.ts';
import { answer } from './dispatch.ts';

/** The paths of the interfaces below the sandbox's address, and templates of the two paths that targets vary. */
export interface Paths {
  auth: string;
  base: string;
  portal: string;
  /** With `{tenant_path}`; ends in the word `token`, which is replaced by `authorize` for the other operation. */
  token: string;
  /** With `{operation}`, and optionally `{endpoint_set}`. */
  operation: string;
}

export const defaultPaths: Paths = {
  auth: '/auth',
  base: '/api',
  portal: '/portal',
  token: '/{tenant_path}/B2C_1_signupandsignin/oauth2/v2.0/token',
  operation: '/_ah/api/{operation}',
};

/** A complete request. */
export interface ReadRequest {
  method: string;
  /** Path and query as sent. */
  url: string;
  /** Keyed by lower-case name. */
  headers: IncomingHttpHeaders;
  /** Zero bytes if there was no body. */
  raw: Buffer;
}

/** An answer ready to be sent. */
export interface WholeAnswer {
  status: number;
  headers: Record<string, string | string[]>;
  bytes: Buffer;
  /** How the bytes are sent. */
  transport: Transport | undefined;
}

/** The endpoint set under which the portal document lists an operation. */
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

/** The first value of each parameter. */
function firstOf(parameters: URLSearchParams): Record<string, string> {
  const first: Record<string, string> = {};
  for (const [name, value] of parameters) first[name] ??= value;
  return first;
}

/** A fault found before an operation is known. */
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

type Handler = (
  request: ReadRequest,
  query: URLSearchParams,
  /** The path's values for the route's parameters. */
  params: Record<string, string>,
) => Answer;

interface Route {
  method: string;
  /** Segments of the path; one that begins with a colon names a parameter. */
  segments: readonly string[];
  handle: Handler;
}

/** The values of a route's parameters in a path; undefined if the path does not match. */
function matched({ segments }: Route, path: readonly string[]): Record<string, string> | undefined {
  const fits = (segment: string, index: number) => segment.startsWith(':') || segment === path[index];
  if (segments.length !== path.length || !segments.every(fits)) return undefined;
  const named = segments.flatMap((segment, index) =>
    segment.startsWith(':') ? [[segment.slice(1), path[index]]] : [],
  );
  return Object.fromEntries(named);
}

function operationRoute(operation: Operation, backend: Backend, paths: Paths, filters: readonly AnswerFilter[]): Route {
  const handle: Handler = ({ url, headers, raw }, query, params) => {
    const isForm =
      operation.id === 'token.issue' && headers['content-type']?.startsWith('application/x-www-form-urlencoded');
    const read: SandboxRequest = {
      operation: operation.id,
      method: operation.method,
      url,
      params,
      query: firstOf(query),
      headers,
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

/** The test clock, and the reset to the initial state. */
function controls(backend: Backend): Route[] {
  const clock: Handler = ({ raw }) => {
    const { advanceSeconds } = (parseBody(raw) ?? {}) as { advanceSeconds?: unknown };
    try {
      backend.clock.advance(typeof advanceSeconds === 'number' ? advanceSeconds : Number.NaN);
    } catch (error) {
      return { status: 400, headers: {}, body: { error: `advanceSeconds: ${(error as RangeError).message}` } };
    }
    return { status: 200, headers: {}, body: { now: new Date(backend.clock.nowMs()).toISOString() } };
  };
  const reset: Handler = () => {
    backend.reset();
    return { status: 204, headers: {}, body: undefined };
  };
  const own =
    (handle: Handler): Handler =>
    (request, query, params) => {
      if (isForeign(request.headers))
        return { status: 403, headers: {}, body: { error: 'pages of other origins control no sandbox' } };
      return handle(request, query, params);
    };
  return [
    { method: 'POST', segments: ['', '__clock'], handle: own(clock) },
    { method: 'POST', segments: ['', '__reset'], handle: own(reset) },
  ];
}

/** Whether a page that somebody else serves may have sent a request: by its Origin, or by a name of this machine that is not its own. */
const isForeign = ({ host = 'localhost', origin }: IncomingHttpHeaders): boolean =>
  !/^(?:localhost|127\.0\.0\.1)(?::\d+)?$/i.test(host) || (origin !== undefined && origin !== `http://${host}`);

/** The answer to faults before or outside an operation: an array of errors below {base_url}, an object elsewhere. */
function failure(thrown: unknown, url: string, paths: Paths): Answer {
  const known = thrown instanceof HttpError ? thrown : new HttpError(500, 'server', String(thrown));
  const error = { errorCode: known.code, errorMessage: known.message };
  return { status: known.status, headers: {}, body: url.startsWith(`${paths.base}/`) ? [error] : error };
}

/** Answers requests. */
export interface Responder {
  respond(request: ReadRequest): WholeAnswer;
  /** The answer to a request whose body exceeds the limit. */
  refuseTooLarge(url: string): WholeAnswer;
}

function bytesOf(body: unknown): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(body instanceof RawText ? body.text : JSON.stringify(body));
}

/** Creates the answerer of a backend at its paths. */
export function makeResponder(backend: Backend, paths: Paths, filters: readonly AnswerFilter[]): Responder {
  const routes = [
    ...operations.map((operation) => operationRoute(operation, backend, paths, filters)),
    ...controls(backend),
  ];
  const routed = (request: ReadRequest): Answer => {
    const [path, query] = request.url.split(/\?(.*)/s) as [string, string | undefined];
    const segments = path.split('/').map(decoded);
    for (const route of routes) {
      const params = route.method === request.method && matched(route, segments);
      if (params) return route.handle(request, new URLSearchParams(query), params);
    }
    throw new HttpError(404, 'route', 'There is nothing at this address.');
  };
  const whole = ({ status, headers, body, transport }: Answer): WholeAnswer => {
    const sent: WholeAnswer['headers'] = { date: new Date(backend.clock.nowMs()).toUTCString(), ...headers };
    if (body !== undefined) sent['content-type'] ??= 'application/json; charset=utf-8';
    return { status, headers: sent, bytes: bytesOf(body), transport };
  };
  return {
    respond: (request) => {
      try {
        return whole(routed(request));
      } catch (thrown) {
        return whole(failure(thrown, request.url, paths));
      }
    },
    refuseTooLarge: (url) => {
      const refusal = failure(new HttpError(413, 'request', 'The body is too large.'), url, paths);
      // The rest of an unread body must not be taken for the next request.
      return whole({ ...refusal, transport: { close: true } });
    },
  };
}
