/**
 * A reverse proxy on loopback, which is a forward proxy, too, for the addresses that it serves: passes requests and answers on as they are, and gives each exchange away once it has passed. Libraries for
 * that rebuild headers from an object, in which their order, case and repetition are lost, and put paths in order.
 */
import { randomUUID } from 'node:crypto';
import {
  createServer,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { isLoopback } from '../helpers/configuration/addresses.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import { isOwnHost, leadsTo, originOf } from './hosts.ts';
import { type Keeping, Passage, type Route, refuse } from './passing.ts';

/** Limit in bytes on the headers of a request or an answer: what the servers in use take at most. */
const MOST_HEADERS = 64 * 1024;

/** Each address with its variable, and the name below which the proxy serves it. */
export const SERVED = [
  ['authUrl', 'TARGET_AUTH_URL', 'auth'],
  ['baseUrl', 'TARGET_BASE_URL', 'base'],
  ['portalUrl', 'TARGET_PORTAL_URL', 'portal'],
] as const;

/** Where a proxy listens by default: nobody reaches it from another machine. */
export const LOOPBACK = '127.0.0.1';

/** Where a proxy listens. */
export interface Place {
  /** An address, or a name of one, of this machine. */
  host: string;
  /** 0 for a free one. */
  port: number;
  /** The path below which it serves, as behind another proxy; none by default. */
  prefix?: string | undefined;
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
 * Serves the configured addresses.
 * @throws Error with the system's code when the place cannot be had, or one that names the variable whose address is the proxy itself
 */
export async function serveProxy(
  { target }: Configuration,
  { host, port, prefix = '' }: Place,
  keeping: Keeping,
): Promise<Serving> {
  const { routes, agents } = routesOf(target, prefix);
  const pseudonym = `conformance-proxy-${randomUUID()}`;
  let inFlight = 0;
  const take = (request: IncomingMessage, response: ServerResponse) => {
    inFlight++;
    response.once('close', () => inFlight--);
    const found = destinationOf(request, routes, { host, pseudonym });
    if ('route' in found)
      return new Passage(found.route, { request, response, below: found.below, pseudonym }, keeping).begin();
    request.resume();
    return refuse(response, found.status, found.why);
  };
  const server = createServer({ maxHeaderSize: MOST_HEADERS }, take);
  server.maxHeadersCount = 0;
  // The target is to say whether it continues, and what it expects.
  server.on('checkContinue', take).on('checkExpectation', take);
  // Nobody else listens to what becomes of such a connection.
  server.on('connect', (_, socket: Duplex) => socket.on('error', () => {}).end(NO_TUNNEL));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  // A connection that cannot be accepted for lack of files is not served; the others are.
  server.on('error', () => {});
  const { port: served } = server.address() as AddressInfo;
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
    for (const agent of agents) agent.destroy();
  };
  const loop = routes.find(({ address }) => leadsTo(address, host, served));
  if (loop) {
    await close();
    throw new Error(
      `${loop.variable}: ${loop.address} is the proxy itself. It may be left from the lines that an earlier proxy printed: give the address of the target, or choose another --port`,
    );
  }
  const origin = originOf(host, served);
  const environment = Object.fromEntries(routes.map(({ variable, path }) => [variable, origin + path]));
  return { environment, inFlight: () => inFlight, close };
}

/** The answer to a client that wants a tunnel, as to a forward proxy for https. */
const NO_TUNNEL =
  'HTTP/1.1 501 Not Implemented\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\nThe conformance proxy answers this, not the target: nothing is seen of what passes a tunnel. Point the client at the address of the proxy instead.\n';

function routesOf(target: Configuration['target'], prefix: string): { routes: Route[]; agents: HttpAgent[] } {
  const agents: HttpAgent[] = [];
  const routes = SERVED.flatMap(([key, variable, name]): Route[] => {
    const address = target[key];
    if (address === undefined) return [];
    const { protocol, hostname, port, origin } = new URL(address);
    const isEncrypted = protocol === 'https:';
    // Loopback is reached without a proxy, which has a loopback of its own; Node 24 reads the variables of others.
    const options = { keepAlive: true, ...(isLoopback(address) ? {} : { proxyEnv: process.env }) };
    const agent = isEncrypted
      ? new HttpsAgent({ ...options, cert: target.clientCert, key: target.clientKey })
      : new HttpAgent(options);
    agents.push(agent);
    const to = { hostname: hostname.replace(/^\[|\]$/g, ''), port, agent, maxHeaderSize: MOST_HEADERS };
    const ask = isEncrypted ? httpsRequest : httpRequest;
    const send: Route['send'] = (below, method, headers) => {
      const path = address.slice(origin.length) + below || '/';
      const upstream = ask({ ...to, path, method, headers, setDefaultHeaders: false });
      upstream.maxHeadersCount = 0;
      return upstream;
    };
    return [{ variable, path: `${prefix}/${name}`, address, send }];
  });
  return { routes, agents };
}

/** Where a request leads: to a route and a path below it, or to a refusal. */
type Destination = { route: Route; below: string } | { status: number; why: string };

function destinationOf(
  { url = '', headers }: IncomingMessage,
  routes: readonly Route[],
  { host, pseudonym }: { host: string; pseudonym: string },
): Destination {
  // A request as to a forward proxy names the host in its first line (RFC 9112 section 3.2.2).
  const [, named, path = ''] = /^(?:http:\/\/([^/?#]*))?(.*)$/is.exec(url)!;
  const forward = named === undefined ? undefined : routes.find(({ address }) => isBelow(address, named, path));
  if (!forward && !isOwnHost(named ?? headers.host, host)) {
    const why =
      'the Host header has another name than the proxy, as with a page that somebody else serves; started with --host NAME the proxy goes by that name, too';
    return { status: 403, why };
  }
  if (headers.via?.includes(pseudonym))
    return {
      status: 508,
      why: 'the request has passed here before: the address of the target leads back to the proxy',
    };
  if (forward) return { route: forward, below: path.slice(pathOf(forward.address).length) };
  const route = routes.find((one) => path.startsWith(one.path) && /^[/?]?$/.test(path.charAt(one.path.length)));
  if (route) return { route, below: path.slice(route.path.length) };
  const served = routes.map((one) => one.path).join(', ');
  return { status: 404, why: `nothing is served at this path, but below ${served}` };
}

/** The path of an address, without a slash at its end. */
const pathOf = (address: string): string => new URL(address).pathname.replace(/\/$/, '');

/** Whether a request that names a host, as to a forward proxy, is for what stands at an address. */
function isBelow(address: string, host: string, path: string): boolean {
  const [own, rest] = [URL.parse(`http://${host}`)?.origin, path.slice(pathOf(address).length)];
  return own === new URL(address).origin && path.startsWith(pathOf(address)) && /^(?:[/?]|$)/.test(rest);
}
