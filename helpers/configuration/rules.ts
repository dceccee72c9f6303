/** Rules between settings. Each yields faults, one line each, without secret values. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { operations } from '../../contracts/operations.ts';
import { claims, matches } from '../../contracts/pattern.ts';
import { requirements } from '../../contracts/requirements/index.ts';
import { hostname, isLoopback, PROXY_VARIABLES, proxyCredentials } from './addresses.ts';
import { withPath } from './invalid.ts';
import { matchesNone } from './names.ts';
import type { Values } from './values.ts';

const URLS = { authUrl: 'TARGET_AUTH_URL', baseUrl: 'TARGET_BASE_URL', portalUrl: 'TARGET_PORTAL_URL' } as const;

const ADVICE = `set one or more of ${Object.values(URLS).join(', ')}, or choose the embedded sandbox with --embedded`;

/** The fault of a run that requires a target and has none. */
export const withoutTarget = ({ label }: Pick<Values, 'label'>): string =>
  `${label('requireTarget')}: no TARGET_* variable is set; a job may not be given those of its project (a fork, an unprotected branch, a missing environment): ${ADVICE}`;

const hasAddress = (given: Values['given']) => given.has('authUrl') || given.has('baseUrl') || given.has('portalUrl');

/** Requires an address if anything of a target is there: one that turned out empty must not select the sandbox. */
function* addresses({ given, parsed }: Values, { targetNames, filled }: Given): Generator<string> {
  if (hasAddress(given)) return;
  if (filled.length > 0) yield `${filled.join(', ')}: set without an address; ${ADVICE}`;
  else if (targetNames.length > 0) yield `${targetNames.join(', ')}: empty, and there is no address; ${ADVICE}`;
  if (given.has('confirmHost') && !parsed.embedded) yield `RUN_CONFIRM_HOST: set without an address; ${ADVICE}`;
}

/** Requires what each address depends on. A value that is present but invalid is reported elsewhere. */
function* needs({ given, parsed, label }: Values): Generator<string> {
  const wants = (url: keyof typeof URLS, what: string) => `${what}: not set, but required by ${URLS[url]}`;
  if (given.has('authUrl')) {
    if (!given.has('clientId')) yield wants('authUrl', 'TARGET_CLIENT_ID');
    if (!given.has('clientSecret')) yield wants('authUrl', 'TARGET_CLIENT_SECRET');
    if (!given.has('tenantPath') && parsed.tokenPath?.includes('{tenant_path}')) {
      yield `${wants('authUrl', 'TARGET_TENANT_PATH')} (TARGET_TOKEN_PATH holds {tenant_path})`;
    }
  }
  if (given.has('baseUrl') && !given.has('authUrl') && !given.has('accessToken')) {
    yield wants('baseUrl', 'TARGET_AUTH_URL or TARGET_ACCESS_TOKEN');
  }
  if (given.has('portalUrl') && !given.has('portalSessionId')) {
    const missing = (['portalLoginId', 'portalPassword'] as const).filter((key) => !given.has(key)).map(label);
    if (missing.length > 0) yield `${wants('portalUrl', missing.join(' and '))} (or set TARGET_PORTAL_SESSION_ID)`;
  }
  if (given.has('clientCert') && !given.has('clientKey'))
    yield 'TARGET_CLIENT_KEY: not set, but required by TARGET_CLIENT_CERT';
  if (given.has('clientKey') && !given.has('clientCert'))
    yield 'TARGET_CLIENT_CERT: not set, but required by TARGET_CLIENT_KEY';
}

/** Requires the address that a login is sent to, unless TARGET_OPERATIONS leaves the portal out: it may have come out empty. */
function* unaddressed({ given, parsed, label }: Values): Generator<string> {
  const isMeant = operations.some((one) => one.interface === 'v1' && claims(parsed.operations ?? [], one.id));
  if (!hasAddress(given) || given.has('portalUrl') || !isMeant) return;
  const set = (['portalLoginId', 'portalPassword', 'portalSessionId'] as const)
    .filter((key) => parsed[key] !== undefined)
    .map(label);
  if (set.length > 0)
    yield `${URLS.portalUrl}: not set, but ${set.join(' and ')} ${set.length > 1 ? 'are' : 'is'}; set the address, or leave the operations out by TARGET_OPERATIONS=-portal`;
}

/** Requires the key to belong to the certificate; otherwise no connection would succeed. */
function* matchingKey({ parsed: { clientCert, clientKey } }: Values): Generator<string> {
  if (clientCert === undefined || clientKey === undefined) return;
  if (!new X509Certificate(clientCert).checkPrivateKey(createPrivateKey(clientKey)))
    yield 'TARGET_CLIENT_CERT, TARGET_CLIENT_KEY: the key does not belong to the first certificate of the file; set TARGET_CLIENT_KEY to the file with its key, or TARGET_CLIENT_CERT to the file with the certificate of this key';
}

/** The addresses outside loopback. */
const remote = ({ authUrl, baseUrl, portalUrl, testClockUrl }: Values['parsed']): string[] =>
  [authUrl, baseUrl, portalUrl, testClockUrl].filter((url) => url !== undefined).filter((url) => !isLoopback(url));

/** Requires each host outside loopback to be confirmed before a run above `safe`. */
function* confirmed({ parsed }: Values): Generator<string> {
  if (!parsed.risk || parsed.risk === 'safe') return;
  const hosts = new Set(remote(parsed).map(hostname));
  const repeated = parsed.confirmHost?.map((host) => host.toLowerCase().replace(/^\[|\]$/g, '')) ?? [];
  const missing = [...hosts].filter((host) => !repeated.includes(host));
  if (missing.length) {
    yield `RUN_CONFIRM_HOST: must repeat ${missing.join(', ')} before a run with risk ${parsed.risk}; set RUN_CONFIRM_HOST=${[...hosts].join(',')}`;
  }
}

/** Requires a proxy to be a valid address, if a request may use it. It may hold a password, and is not repeated. */
function* proxies({ parsed }: Values, env: Record<string, string | undefined>): Generator<string> {
  if (remote(parsed).length === 0) return;
  for (const names of Object.values(PROXY_VARIABLES)) {
    const name = names.find((one) => env[one] !== undefined);
    if (!name) continue;
    if (!/^https?:$/.test(URL.parse(env[name]!)?.protocol ?? ''))
      yield `${name}: must be an address that begins with http:// or https://`;
    else if (proxyCredentials(env[name]!) === undefined)
      yield `${name}: has a percent sign in its user or password that is not part of an escape; write it as %25`;
  }
}

/** Requires each pattern to match something; otherwise it is probably a typing error. */
function* selective({ parsed, label }: Values): Generator<string> {
  const unmatched = (patterns: string[] = [], kind: 'operation' | 'requirement') => {
    const ids = (kind === 'operation' ? operations : requirements).map(({ id }) => id);
    return patterns
      .filter((pattern) => !ids.some((id) => matches(pattern, id)))
      .map((pattern) => matchesNone(pattern, kind, ids));
  };
  const claimed = parsed.operations?.map((pattern) => pattern.replace(/^-/, ''));
  for (const fault of unmatched(claimed, 'operation')) yield `${label('operations')}: ${fault}`;
  for (const fault of unmatched(parsed.only, 'requirement')) yield `${label('only')}: ${fault}`;
  const known = parsed.knownFailures?.map(({ id }) => id);
  for (const fault of unmatched(known, 'requirement')) yield `${label('knownFailures')}: ${fault}`;
}

/** Requires the record of a run to exist that this one repeats. */
function* repeatable({ parsed, label }: Values): Generator<string> {
  for (const key of ['as', 'lastFailed'] as const) {
    const path = parsed[key] === true ? parsed.reportDir : parsed[key];
    // What was typed as an option is no misplaced secret.
    if (path !== undefined && !hasRecord(path)) yield `${label(key)}: ${missingRecord(path)}: ${path}`;
  }
}

const missingRecord = (path: string): string =>
  existsSync(path) ? 'the directory holds no conformance.json' : 'no such file or directory';

/** Requires the baseline to exist, except where this run will write it. */
function* comparable({ parsed, label }: Values): Generator<string> {
  const { baseline } = parsed;
  if (baseline === undefined || hasRecord(baseline) || isIn(baseline, parsed.reportDir)) return;
  yield `${label('baseline')}: ${withPath(missingRecord(baseline), baseline)}`;
}

/** Whether the path is a record, or a report directory that holds one. */
export const hasRecord = (path: string): boolean =>
  existsSync(path) && (!statSync(path).isDirectory() || existsSync(join(path, 'conformance.json')));

const isIn = (path: string, directory: string | undefined) => path === directory || dirname(path) === directory;

/** What the rules need to know beside the values. */
interface Given {
  /** The TARGET_* names that are there, and those of them that are not empty. */
  targetNames: string[];
  filled: string[];
  /** The process environment. */
  env: Record<string, string | undefined>;
  /** Whether requests are made with the settings, not passed on or judged alone. */
  isSent: boolean;
}

/** All faults between settings. */
export function* ruleFaults(values: Values, given: Given): Generator<string> {
  if (given.isSent) {
    yield* addresses(values, given);
    yield* needs(values);
    yield* unaddressed(values);
    yield* matchingKey(values);
    yield* confirmed(values);
    yield* proxies(values, given.env);
  }
  yield* selective(values);
  yield* comparable(values);
  yield* repeatable(values);
}
