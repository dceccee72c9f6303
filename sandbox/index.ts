/** The embedded target: a whole implementation of both documents on loopback, with a clock, rules to break and answers to bend. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Clock } from './clock.ts';
import type { AnswerFilter } from './exchange.ts';
import { defaultPaths, makeServer, type Paths } from './http/server.ts';
import { defaultRules, type Rules } from './rules.ts';
import { type Credentials, credentials as defaultCredentials } from './seed/credentials.ts';
import { makeSeed } from './seed/seed.ts';
import { defaultSize, type PoolSizes, type SeedSize } from './seed/size.ts';
import { Backend } from './state/backend.ts';

export type { Answer, AnswerContext, AnswerFilter, Refusal, RefusalKind, SandboxRequest } from './exchange.ts';
export { RawText } from './exchange.ts';
export { type OperationId, operations } from './operations.ts';
export { defaultRules, type Rules } from './rules.ts';
export type { Card, CardState, Customer, Order, Program, World } from './world.ts';

/** What a sandbox does otherwise than by default. */
export interface SandboxOptions extends Partial<Omit<SeedSize, 'pools'>> {
  /** Port on 127.0.0.1; 0, the default, for a free one. */
  port?: number;
  /** Epoch milliseconds, from which the sandbox's own clock goes on; the machine's unless given. */
  clock?: () => number;
  /** Rules that differ from the default ones: a fault, or another freedom. */
  rules?: Partial<Rules>;
  /** Filters of every answer, in order. */
  middleware?: readonly AnswerFilter[];
  /** Cards per pool of the fixtures file; 0 leaves a pool empty. */
  pools?: Partial<PoolSizes>;
  /** Other addresses of the interfaces. */
  paths?: Partial<Paths>;
  /** Other credentials. */
  credentials?: Partial<Credentials>;
}

/** A running sandbox; it ends with `close()`, or at the end of an `await using`. */
export interface Sandbox {
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** The `TARGET_*` and `RUN_*` lines that point a run at it; TARGET_FIXTURES is a path and so the caller's to add. */
  environment: Record<string, string>;
  /** The content of a fixtures file, every key filled. */
  fixtures: Record<string, unknown>;
  /** A copy of everything that a call of risk `safe` leaves as it is: customers, cards, orders, transfers, count of CIP checks. */
  state(): unknown;
  /** Back to the first state, clock, tokens and sessions included; as POST /__reset. */
  reset(): void;
  /** Moves the clock forward; as the test clock. @param seconds greater than 0 @throws RangeError */
  advance(seconds: number): void;
  /** Ends the server and its open connections. */
  close(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

function environmentOf(url: string, paths: Paths, credentials: Credentials): Record<string, string> {
  const environment: Record<string, string> = {
    TARGET_NAME: 'sandbox',
    TARGET_AUTH_URL: url + paths.auth,
    TARGET_BASE_URL: url + paths.base,
    TARGET_PORTAL_URL: url + paths.portal,
    TARGET_TENANT_PATH: credentials.tenantPath,
    TARGET_CLIENT_ID: credentials.clientId,
    TARGET_CLIENT_SECRET: credentials.clientSecret,
    TARGET_SCOPE: credentials.scope,
    TARGET_PORTAL_LOGIN_ID: credentials.loginId,
    TARGET_PORTAL_PASSWORD: credentials.password,
    TARGET_TEST_CLOCK_URL: `${url}/__clock`,
    RUN_RISK: 'irreversible',
    RUN_SETTLE_MS: '0',
  };
  if (paths.token !== defaultPaths.token) environment.TARGET_TOKEN_PATH = paths.token;
  if (paths.operation !== defaultPaths.operation) environment.TARGET_PORTAL_PATH = paths.operation;
  return environment;
}

/**
 * Starts a sandbox of its own; any number may run in one process.
 *
 * @example
 * await using sandbox = await startSandbox({ rules: { successStatus: () => 202 }, clock: () => Date.UTC(2030, 0, 1) });
 * const response = await fetch(`${sandbox.url}/api/users/customers`);
 *
 * @throws Error when the port is taken; RangeError for a seed that is too small
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const rules: Rules = { ...defaultRules, ...options.rules };
  const paths: Paths = { ...defaultPaths, ...options.paths };
  const credentials: Credentials = { ...defaultCredentials, ...options.credentials };
  const size: SeedSize = {
    customers: options.customers ?? defaultSize.customers,
    cards: options.cards ?? defaultSize.cards,
    portalCustomers: options.portalCustomers ?? defaultSize.portalCustomers,
    pools: { ...defaultSize.pools, ...options.pools },
    identifier: options.identifier ?? defaultSize.identifier,
  };
  const clock = new Clock(rules.clockSkewSeconds, options.clock ?? (() => Date.now()));
  const backend = new Backend(rules, clock, credentials, () => makeSeed(size, credentials));
  const server = makeServer(backend, paths, options.middleware ?? []).listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    environment: environmentOf(url, paths, credentials),
    fixtures: backend.fixtures,
    state: () => {
      backend.world.settle(clock.nowMs());
      return backend.world.snapshot();
    },
    reset: () => backend.reset(),
    advance: (seconds) => clock.advance(seconds),
    close: () => close(server),
    [Symbol.asyncDispose]: () => close(server),
  };
}

function close(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });
}
