/** A complete implementation of both documents without a server: it answers the requests passed to it. */
import { Clock } from './clock.ts';
import type { AnswerFilter } from './exchange.ts';
import { defaultPaths, makeResponder, type Paths, type Responder } from './http/respond.ts';
import { defaultRules, type Rules } from './rules.ts';
import { type Credentials, credentials as defaultCredentials } from './seed/credentials.ts';
import { makeSeed } from './seed/seed.ts';
import { defaultSize, type PoolSizes, type SeedSize } from './seed/size.ts';
import { Backend } from './state/backend.ts';

/** Options of a sandbox. */
export interface UnservedOptions extends Partial<Omit<SeedSize, 'pools'>> {
  /** Returns epoch milliseconds on which the sandbox's clock is based; by default the machine's time. */
  clock?: () => number;
  /** Rules that differ from the default: a fault, or another freedom. */
  rules?: Partial<Rules>;
  /** Filters applied to every answer, in order. */
  middleware?: readonly AnswerFilter[];
  /** Number of cards per pool of the fixtures file; 0 leaves a pool empty. */
  pools?: Partial<PoolSizes>;
  /** Other addresses of the interfaces. */
  paths?: Partial<Paths>;
  /** Other credentials. */
  credentials?: Partial<Credentials>;
}

/** The data and external controls of a sandbox. */
export interface SandboxState {
  /** The content of a fixtures file, every key filled. */
  fixtures: Record<string, unknown>;
  /**
   * A copy of everything that a call of risk `safe` must not change: customers, cards, orders, transfers, number of CIP
   * checks.
   */
  state(): unknown;
  /** Resets to the initial state, including clock, tokens and sessions; like POST /__reset. */
  reset(): void;
  /** Moves the clock forward, like the test clock. @param seconds greater than 0 @throws RangeError */
  advance(seconds: number): void;
}

/** A sandbox without a server. */
export interface UnservedSandbox extends SandboxState {
  responder: Responder;
  /** The variables that point a run at it. @param url where it will be reached: `http://127.0.0.1:PORT` */
  environmentAt(url: string): Record<string, string>;
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

/** @throws RangeError for a seed that is too small */
export function makeSandbox(options: UnservedOptions): UnservedSandbox {
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
  return {
    responder: makeResponder(backend, paths, options.middleware ?? []),
    environmentAt: (url) => environmentOf(url, paths, credentials),
    fixtures: backend.fixtures,
    state: () => {
      backend.world.settle(clock.nowMs());
      return backend.world.snapshot();
    },
    reset: () => backend.reset(),
    advance: (seconds) => clock.advance(seconds),
  };
}
