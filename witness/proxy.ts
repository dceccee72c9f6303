/**
 * A reverse proxy on loopback: passes requests and answers on as they are, and gives each exchange away once it has passed. Libraries for
 * that rebuild headers from an object, in which their order, case and repetition are lost, and put paths in order.
 */
import {
  type ClientRequest,
  createServer,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { writeJson } from '../files/json.ts';
import { decodeBody } from '../helpers/client/http/decode.ts';
import { isLoopback } from '../helpers/configuration/addresses.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import type { Headers, Recorded } from './recorded.ts';

/** Limit in bytes on what is kept of a body for judging; all of it passes. */
const MOST_BODY = 16 * 1024 * 1024;

/** Each address with its variable, and the name below which the proxy serves it. */
export const SERVED = [
  ['authUrl', 'TARGET_AUTH_URL', 'auth'],
  ['baseUrl', 'TARGET_BASE_URL', 'base'],
  ['portalUrl', 'TARGET_PORTAL_URL', 'portal'],
] as const;

/** An address that is served below a path. */
interface Route {
  variable: string;
  path: string;
  address: string;
  agent: HttpAgent;
  /** Sends a request with a path and headers that stay as they are. */
  send: (path: string, method: string, headers: string[]) => ClientRequest;
}

/** A proxy that serves. */
export interface Serving {
  /** Its addresses, by the variable that they stand for. */
  environment: Record<string, string>;
  /** Number of requests that are under way. */
  inFlight(): number;
  /** Stops serving; requests under way are cut off. */
  close(): Promise<void>;
}

/**
 * Serves the configured addresses on 127.0.0.1.
 * @param port 0 for a free one
 * @param onExchange called with each exchange once its answer has passed
 * @throws Error with the system's code when the port is in use
 */
export async function serveProxy(
  { target }: Configuration,
  port: number,
  onExchange: (recorded: Recorded) => void,
): Promise<Serving> {
  const routes = SERVED.flatMap(([key, variable, name]): Route[] => {
    const address = target[key];
    if (address === undefined) return [];
    const { protocol, hostname, port: at, origin } = new URL(address);
    const isEncrypted = protocol === 'https:';
    // Loopback is reached without a proxy, which has a loopback of its own; Node 24 reads the variables of others.
    const options = { keepAlive: true, ...(isLoopback(address) ? {} : { proxyEnv: process.env }) };
    const agent = isEncrypted
      ? new HttpsAgent({ ...options, cert: target.clientCert, key: target.clientKey })
      : new HttpAgent(options);
    const to = { hostname: hostname.replace(/^\[|\]$/g, ''), port: at, agent };
    const ask = isEncrypted ? httpsRequest : httpRequest;
    const send: Route['send'] = (below, method, headers) =>
      ask({ ...to, path: address.slice(origin.length) + below || '/', method, headers });
    return [{ variable, path: `/${name}`, address, agent, send }];
  });
  let inFlight = 0;
  const server = createServer((request, response) => {
    const isBelow = ({ path }: Route) =>
      request.url!.startsWith(path) && /^[/?]?$/.test(request.url!.charAt(path.length));
    const route = routes.find(isBelow);
    if (!route)
      return refuse(
        response,
        404,
        `nothing is served at this path, but below ${routes.map(({ path }) => path).join(', ')}`,
      );
    inFlight++;
    response.once('close', () => inFlight--);
    return pass(route, request, response, onExchange);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: served } = server.address() as AddressInfo;
  return {
    environment: Object.fromEntries(
      routes.map(({ variable, path }) => [variable, `http://127.0.0.1:${served}${path}`]),
    ),
    inFlight: () => inFlight,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      for (const { agent } of routes) agent.destroy();
    },
  };
}

/** Passes one request on, and its answer back. */
function pass(
  { path, address, send }: Route,
  request: IncomingMessage,
  response: ServerResponse,
  onExchange: (recorded: Recorded) => void,
): void {
  const below = request.url!.slice(path.length);
  const url = address + below;
  const { host } = new URL(address);
  const { method = 'GET', rawHeaders } = request;
  const sentAt = performance.timeOrigin + performance.now();
  const sent = new Pieces(request);
  let isGiven = false;
  const give = (answer?: IncomingMessage, received?: Pieces) => {
    if (isGiven) return;
    isGiven = true;
    const headers = answer ? headersOf(answer) : {};
    onExchange({
      method,
      url,
      request: { headers: { ...headersOf(request), host }, ...(sent.whole?.length ? { body: sent.whole } : {}) },
      response: { status: answer?.statusCode ?? 0, headers, body: readable(received?.whole, headers) },
      sentAt,
      durationMs: performance.timeOrigin + performance.now() - sentAt,
      resolutionMs: 0,
    });
  };
  const upstream = send(below, method, withHost(rawHeaders, host));
  request.pipe(upstream);
  response.once('close', () => {
    if (!response.writableFinished) upstream.destroy();
  });
  upstream.once('error', (error: NodeJS.ErrnoException) => {
    if (response.headersSent) response.destroy();
    else refuse(response, 502, `${host} cannot be reached: ${error.code ?? error.message}`);
    give();
  });
  upstream.once('response', (answer) => {
    const received = new Pieces(answer);
    response.sendDate = false;
    response.writeHead(answer.statusCode!, answer.statusMessage, answer.rawHeaders);
    answer.pipe(response);
    answer.once('close', () => {
      if (!answer.complete) response.destroy();
      give(answer, answer.complete ? received : undefined);
    });
  });
}

/** Answers in the name of the proxy. */
function refuse(response: ServerResponse, status: number, why: string): void {
  const body = writeJson({ errorMessage: `the conformance proxy answers this, not the target: ${why}` });
  const length = Buffer.byteLength(body);
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': length, server: SERVER })
    .end(body);
}

const SERVER = 'prepaid-card-conformance proxy';

/** Names and values of headers, in turn, with another host. */
const withHost = (rawHeaders: readonly string[], host: string): string[] =>
  rawHeaders.map((value, index) => (index % 2 > 0 && rawHeaders[index - 1]!.toLowerCase() === 'host' ? host : value));

const headersOf = ({ headersDistinct }: IncomingMessage): Headers =>
  Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [
      name,
      values.length > 1 ? values : (values[0] ?? ''),
    ]),
  );

/** Collects a body that passes, as far as there is room. */
class Pieces {
  readonly #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(message: IncomingMessage) {
    message.on('data', (piece: Buffer) => {
      this.#bytes += piece.length;
      if (this.#bytes <= MOST_BODY) this.#pieces.push(piece);
      else this.#pieces.length = 0;
    });
  }

  /** What has passed; undefined where it was too much. */
  get whole(): Buffer | undefined {
    return this.#bytes > MOST_BODY ? undefined : Buffer.concat(this.#pieces);
  }
}

/** A body without its Content-Encoding; undefined where it cannot be decoded. */
function readable(body: Buffer | undefined, headers: Headers): Buffer | undefined {
  try {
    return body && decodeBody(body, headers, 0, MOST_BODY);
  } catch {
    return undefined;
  }
}
