/**
 * A vendor's sandbox as they are: behind a gateway that wants a key and throttles, reached through a proxy, slow, with data that
 * others change meanwhile.
 */
import { request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readConformance, startRun } from '../../../proof/hostile/run.ts';
import type { SandboxOptions, World } from '../../../sandbox/index.ts';
import { environmentOf, sandboxFor } from '../../tools/sandboxes.ts';
import { serve } from '../../tools/servers.ts';
import { identifiersIn } from './runs.ts';

/** The name under which the target is reached; nothing resolves it, so only the proxy leads there. */
const HOST = 'vendor.invalid';
const KEY_HEADER = 'x-gateway-key';
const KEY = 'key-of-the-gateway-subscription';
const LATENCY_MS = 40;

/** What admits so many requests in a second, and so many at once, to a sandbox. */
async function startGateway(perSecond: number, atOnce: number, options: SandboxOptions = {}) {
  const sandbox = await sandboxFor(options);
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
  const environment: Record<string, string> = { ...Object.fromEntries(there), ...beside };
  /** A run as a person starts it. */
  const run = () => startRun(environmentOf({ environment, fixtures: sandbox.fixtures })).ended;
  return { sandbox, seen, run };
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
function othersAtWork(untouched: () => ReadonlySet<string>): (world: World) => void {
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

test('a run on a slow, throttled target behind gateway and proxy, with few cards and data that changes, ends well', async () => {
  let untouched: ReadonlySet<string> = new Set();
  const pools = { active: 3, disposable: 3, unused: 2, fraud: 2, foreign: 2 };
  const rules = { meanwhile: othersAtWork(() => untouched) };
  const gateway = await startGateway(20, Number.POSITIVE_INFINITY, { pools, rules });
  untouched = identifiersIn(gateway.sandbox.fixtures);
  const ended = await gateway.run();
  const { requirements, run } = readConformance(ended.reports);
  const told = (which: string) =>
    requirements.filter(({ verdict }) => verdict === which).map(({ id, reason }) => `${id}: ${reason}`);
  expect([...told('failed'), ...told('blocked')]).toEqual([]);
  for (const reason of told('skipped')) expect(reason).toMatch(/needs |not in scope/);
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  expect(run.notes?.join()).toMatch(/throttled .* RUN_RATE/);
  expect(gateway.seen.withoutKey).toBe(0);
  expect(gateway.seen.busiestSecond).toBeLessThanOrEqual(20);
});

test('a target that answers few requests at once is asked fewer, and the run ends well', async () => {
  const gateway = await startGateway(Number.POSITIVE_INFINITY, 3);
  const ended = await gateway.run();
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  expect(gateway.seen.throttled).toBeLessThan(gateway.seen.requests / 10);
});
