/**
 * A vendor's sandbox as they are: behind a gateway that wants a key and throttles, reached through a proxy, slow, with data that
 * others change meanwhile.
 */
import { request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sandbox, SandboxOptions, World } from '../../../sandbox/index.ts';
import { sandboxFor } from '../../tools/sandboxes.ts';
import { serve } from '../../tools/servers.ts';

/** The name under which the target is reached; nothing resolves it, so only the proxy leads there. */
const HOST = 'vendor.invalid';
const KEY_HEADER = 'x-gateway-key';
const KEY = 'key-of-the-gateway-subscription';
const LATENCY_MS = 40;

export interface GatewayOptions {
  /** Requests in a second at most. */
  perSecond?: number;
  /** Requests in flight at most. */
  atOnce?: number;
  sandbox?: SandboxOptions;
}

export interface Gateway {
  sandbox: Sandbox;
  /** What points a run at it, proxy included; TARGET_FIXTURES is the caller's to add. */
  environment: Record<string, string>;
  /** What it saw. */
  seen: { requests: number; throttled: number; withoutKey: number; busiestSecond: number };
}

/** Starts one that stands until the test has finished. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { perSecond = Number.POSITIVE_INFINITY, atOnce = Number.POSITIVE_INFINITY } = options;
  const sandbox = await sandboxFor(options.sandbox);
  const seen = { requests: 0, throttled: 0, withoutKey: 0, busiestSecond: 0 };
  let admitted: number[] = [];
  let inFlight = 0;
  const mayPass = (): boolean => {
    const now = performance.now();
    admitted = admitted.filter((at) => now - at < 1000);
    if (inFlight >= atOnce || admitted.length >= perSecond) return false;
    seen.busiestSecond = Math.max(seen.busiestSecond, admitted.push(now));
    return true;
  };
  const gateway = await serve(async (request, response) => {
    seen.requests++;
    if (request.headers[KEY_HEADER] !== KEY) {
      seen.withoutKey++;
      return refuse(response, 401, 'Access denied due to missing subscription key');
    }
    if (!mayPass()) {
      seen.throttled++;
      return refuse(response, 429, 'Rate limit is exceeded', { 'retry-after': '1' });
    }
    inFlight++;
    response.once('close', () => inFlight--);
    await sleep(LATENCY_MS);
    pass(request, response, sandbox.url);
  });
  const proxy = await serve((request, response) => {
    if (request.url?.startsWith(`http://${HOST}/`)) pass(request, response, gateway);
    else refuse(response, 403, 'This proxy leads to the vendor alone');
  });
  const there = Object.entries(sandbox.environment).map(([name, value]) => [
    name,
    value.replace(sandbox.url, `http://${HOST}`),
  ]);
  const TARGET_HEADERS = JSON.stringify({ [KEY_HEADER]: KEY });
  const beside = { TARGET_HEADERS, RUN_CONFIRM_HOST: HOST, HTTP_PROXY: proxy };
  return { sandbox, seen, environment: { ...Object.fromEntries(there), ...beside } };
}

function refuse(response: ServerResponse, statusCode: number, message: string, headers: object = {}): void {
  response.writeHead(statusCode, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ statusCode, message }));
}

function pass(request: IncomingMessage, response: ServerResponse, to: string): void {
  const { pathname, search } = new URL(request.url ?? '/', to);
  // As gateways do: the sandbox moves its clock for nobody who calls it by another name.
  const headers = { ...request.headers, host: new URL(to).host };
  const onward = forward(to + pathname + search, { method: request.method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  request.pipe(onward);
}

/** What others do to the target's data: customers and cards come, and cards that are in no pool change. */
export function othersAtWork(untouched: () => ReadonlySet<string>): (world: World) => void {
  let calls = 0;
  return (world) => {
    calls++;
    const stock = world.ownCards.filter(({ identifier }) => !untouched().has(identifier));
    const card = stock[calls % stock.length];
    if (card && calls % 5 === 0) card.balanceCents += 100;
    if (card && calls % 13 === 0 && card.state !== 'unused') {
      card.state = card.state === 'active' ? 'suspended' : 'active';
      card.record.state = card.state;
    }
    if (calls % 29 === 0) {
      const another = { identifier: crypto.randomUUID(), name: `New ${calls}` };
      const customer = { ...structuredClone(world.ownCustomers[0]!), ...another };
      world.data.customers.push(customer);
      world.ownCustomers.push(customer);
      world.allCustomers.push(customer);
      world.customerById.set(customer.identifier, customer);
    }
  };
}
