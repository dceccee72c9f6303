/**
 * A vendor's sandbox as they are: behind a gateway that wants a key and throttles, reached through a proxy, slow, with data that
 * others change meanwhile.
 */
import { createServer, request as forward, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Sandbox, type SandboxOptions, startSandbox, type World } from '../../../sandbox/index.ts';

/** The name under which the target is reached; nothing resolves it, so only the proxy leads there. */
export const HOST = 'vendor.invalid';
const KEY_HEADER = 'x-gateway-key';
const KEY = 'key-of-the-gateway-subscription';

export interface GatewayOptions {
  latencyMs?: number;
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
  close(): Promise<void>;
}

export async function startGateway({
  latencyMs = 40,
  perSecond = 20,
  atOnce = Number.POSITIVE_INFINITY,
  sandbox: options,
}: GatewayOptions = {}): Promise<Gateway> {
  const sandbox = await startSandbox(options);
  const seen = { requests: 0, throttled: 0, withoutKey: 0, busiestSecond: 0 };
  let admitted: number[] = [];
  let inFlight = 0;
  const mayPass = (): boolean => {
    const now = performance.now();
    admitted = admitted.filter((at) => now - at < 1000);
    if (admitted.length >= perSecond) return false;
    seen.busiestSecond = Math.max(seen.busiestSecond, admitted.push(now));
    return true;
  };
  const gateway = await listen(async (request, response) => {
    seen.requests++;
    if (request.headers[KEY_HEADER] !== KEY) {
      seen.withoutKey++;
      return refuse(response, 401, 'Access denied due to missing subscription key');
    }
    if (inFlight >= atOnce || !mayPass()) {
      seen.throttled++;
      return refuse(response, 429, 'Rate limit is exceeded', { 'retry-after': '1' });
    }
    inFlight++;
    response.once('close', () => inFlight--);
    await sleep(latencyMs);
    pass(request, response, sandbox.url);
  });
  const proxy = await listen((request, response) => {
    if (!request.url?.startsWith(`http://${HOST}/`))
      return refuse(response, 403, 'This proxy leads to the vendor alone');
    pass(request, response, gateway.url);
  });
  const environment = Object.fromEntries(
    Object.entries(sandbox.environment).map(([name, value]) => [name, value.replace(sandbox.url, `http://${HOST}`)]),
  );
  return {
    sandbox,
    seen,
    environment: {
      ...environment,
      TARGET_HEADERS: JSON.stringify({ [KEY_HEADER]: KEY }),
      RUN_CONFIRM_HOST: HOST,
      HTTP_PROXY: proxy.url,
    },
    close: async () => {
      await Promise.all([proxy.close(), gateway.close(), sandbox.close()]);
    },
  };
}

function refuse(
  response: ServerResponse,
  statusCode: number,
  message: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(statusCode, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ statusCode, message }));
}

function pass(request: IncomingMessage, response: ServerResponse, to: string): void {
  const { pathname, search } = new URL(request.url ?? '/', to);
  const onward = forward(
    `${to}${pathname}${search}`,
    // As gateways do: the sandbox moves its clock for nobody who calls it by another name.
    { method: request.method, headers: { ...request.headers, host: new URL(to).host } },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    },
  );
  onward.on('error', () => response.destroy());
  request.pipe(onward);
}

async function listen(listener: (request: IncomingMessage, response: ServerResponse) => void) {
  const server: Server = createServer({ keepAliveTimeout: 60_000 }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
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
      const customer = {
        ...structuredClone(world.ownCustomers[0]!),
        identifier: crypto.randomUUID(),
        name: `New ${calls}`,
      };
      world.data.customers.push(customer);
      world.ownCustomers.push(customer);
      world.allCustomers.push(customer);
      world.customerById.set(customer.identifier, customer);
    }
  };
}
