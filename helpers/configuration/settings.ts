/**
 * All settings of a run, in one table, from which the reading of the environment, the command-line options,
 * `.env.example` and the documentation derive.
 */
import { FAIL_ON, RISKS } from '../../contracts/record.ts';
import {
  baseUrl,
  certificateFile,
  decimal,
  directoryPath,
  exactUrl,
  fixturesFile,
  flag,
  headers,
  integer,
  keyFile,
  knownFailuresFile,
  line,
  list,
  oneOf,
  type Parser,
  pathSegments,
  pathTemplate,
  recordPath,
  shard,
  text,
  token,
  writableDirectory,
} from './parsers.ts';

/** One setting: its sources, its parser and its help text. */
export interface Setting<Value = unknown> {
  /** Environment variable; absent for settings that only the command line has. */
  variable?: `TARGET_${string}` | `RUN_${string}`;
  /** Command-line option, without dashes; absent for settings that only the environment has. */
  option?: string;
  /** Placeholder for the option's value in the help. */
  argument?: string;
  /** One sentence without a full stop. */
  meaning: string;
  /** Text that is parsed if nothing is given. */
  default?: string;
  /** A default that depends on something else, in words. */
  otherwise?: string;
  /** Whether the value must never be printed. */
  secret?: true;
  parse: Parser<Value>;
}

const FLAG = { argument: '[true|false]', default: 'false', parse: flag } as const;

/** All settings, by their key in {@link readConfiguration}, in the order of the help and the documentation. */
export const SETTINGS = {
  name: { variable: 'TARGET_NAME', meaning: 'label of the target in reports', otherwise: 'the host', parse: line },
  version: { variable: 'TARGET_VERSION', meaning: "label of the target's build in reports", parse: line },
  authUrl: {
    variable: 'TARGET_AUTH_URL',
    meaning: '{auth_url}, the address of the token endpoint; operations of an unset address are out of scope',
    parse: baseUrl,
  },
  baseUrl: { variable: 'TARGET_BASE_URL', meaning: '{base_url}, the address of users and cards', parse: baseUrl },
  portalUrl: { variable: 'TARGET_PORTAL_URL', meaning: '{portal_url}, the address of the portal', parse: baseUrl },
  operations: {
    variable: 'TARGET_OPERATIONS',
    meaning:
      'operations that the target claims to implement: comma-separated ids or prefixes; a leading `-` excludes one (-cards.setPin,-portal.orderCards alone means all but these); the others are out of scope',
    otherwise: 'all',
    parse: list,
  },
  tenantPath: {
    variable: 'TARGET_TENANT_PATH',
    meaning: "<tenant_path> in the token endpoint's path",
    parse: pathSegments,
  },
  clientId: { variable: 'TARGET_CLIENT_ID', meaning: 'client id of the clientCredentials flow', parse: line },
  clientSecret: {
    variable: 'TARGET_CLIENT_SECRET',
    meaning: 'client secret of the clientCredentials flow',
    secret: true,
    parse: line,
  },
  scope: { variable: 'TARGET_SCOPE', meaning: 'scope to request', parse: line },
  grantType: {
    variable: 'TARGET_GRANT_TYPE',
    meaning: 'value of grant_type to send',
    default: 'client_credentials',
    parse: line,
  },
  accessToken: {
    variable: 'TARGET_ACCESS_TOKEN',
    meaning: 'a token obtained elsewhere (the authorizationCode flow), used instead of requesting one',
    secret: true,
    parse: token,
  },
  portalLoginId: { variable: 'TARGET_PORTAL_LOGIN_ID', meaning: 'login id of the portal', secret: true, parse: line },
  portalPassword: { variable: 'TARGET_PORTAL_PASSWORD', meaning: 'password of the portal', secret: true, parse: line },
  portalSessionId: {
    variable: 'TARGET_PORTAL_SESSION_ID',
    meaning: 'a session obtained elsewhere (for a login that requires a verification code)',
    secret: true,
    parse: line,
  },
  tokenPath: {
    variable: 'TARGET_TOKEN_PATH',
    meaning: 'path template of the token endpoint',
    default: '/{tenant_path}/B2C_1_signupandsignin/oauth2/v2.0/token',
    parse: pathTemplate(['tenant_path']),
  },
  portalPath: {
    variable: 'TARGET_PORTAL_PATH',
    meaning:
      'path template of portal operations, with {operation}; {endpoint_set} gives userendpoint for login and logout, orderendpoint for orderCards, customerendpoint for the others',
    default: '/_ah/api/{operation}',
    parse: pathTemplate(['operation', 'endpoint_set'], ['operation']),
  },
  headers: {
    variable: 'TARGET_HEADERS',
    meaning:
      'JSON object of headers added to every request (gateway subscription keys); Authorization is not allowed here',
    default: '{}',
    secret: true,
    parse: headers,
  },
  clientCert: { variable: 'TARGET_CLIENT_CERT', meaning: 'PEM file of a client certificate', parse: certificateFile },
  clientKey: { variable: 'TARGET_CLIENT_KEY', meaning: 'PEM file of its key', secret: true, parse: keyFile },
  fixtures: { variable: 'TARGET_FIXTURES', meaning: 'path of the fixtures file', parse: fixturesFile },
  testClockUrl: {
    variable: 'TARGET_TEST_CLOCK_URL',
    meaning: 'address that moves the target\'s clock forward on POST of {"advanceSeconds": n}',
    parse: exactUrl,
  },

  risk: {
    variable: 'RUN_RISK',
    option: 'risk',
    argument: '<level>',
    meaning: `what the run may do to the target: ${RISKS.join(', ')}`,
    otherwise: 'safe; irreversible on the embedded sandbox',
    parse: oneOf(RISKS),
  },
  confirmHost: {
    variable: 'RUN_CONFIRM_HOST',
    option: 'confirm-host',
    argument: '<host,...>',
    meaning: 'every target host outside loopback, repeated to allow a run above safe',
    parse: list,
  },
  concurrency: {
    variable: 'RUN_CONCURRENCY',
    option: 'concurrency',
    argument: '<n>',
    meaning: 'maximum number of requests in flight',
    default: '8',
    parse: integer(1, 1000),
  },
  rate: {
    variable: 'RUN_RATE',
    option: 'rate',
    argument: '<n>',
    meaning: 'maximum number of requests per second, 0 for no limit',
    default: '0',
    parse: decimal(100_000, 'zero allowed'),
  },
  timeoutMs: {
    variable: 'RUN_TIMEOUT_MS',
    option: 'timeout-ms',
    argument: '<ms>',
    meaning: 'time limit of a request, in milliseconds',
    default: '10000',
    parse: integer(1, 600_000),
  },
  maxMinutes: {
    variable: 'RUN_MAX_MINUTES',
    option: 'max-minutes',
    argument: '<minutes>',
    meaning: 'time limit of the whole run; checks not finished by then are blocked',
    otherwise: '30; 90 when waiting for expiry',
    parse: decimal(10_000, 'above zero'),
  },
  settleMs: {
    variable: 'RUN_SETTLE_MS',
    option: 'settle-ms',
    argument: '<ms>',
    meaning: 'how long an effect may take to show when it is read back, in milliseconds',
    otherwise: '1000; 0 on the embedded sandbox',
    parse: integer(0, 600_000),
  },
  maxOrders: {
    variable: 'RUN_MAX_ORDERS',
    option: 'max-orders',
    argument: '<n>',
    meaning: 'maximum number of accepted orders',
    default: '60',
    parse: integer(0, 1_000_000),
  },
  maxCipChecks: {
    variable: 'RUN_MAX_CIP_CHECKS',
    option: 'max-cip-checks',
    argument: '<n>',
    meaning: 'maximum number of CIP checks',
    default: '60',
    parse: integer(0, 1_000_000),
  },
  seed: {
    variable: 'RUN_SEED',
    option: 'seed',
    argument: '<n>',
    meaning: 'seed of generated inputs',
    otherwise: 'random, printed',
    parse: integer(0, 2 ** 31 - 1),
  },
  waitForExpiry: {
    variable: 'RUN_WAIT_FOR_EXPIRY',
    option: 'wait-for-expiry',
    meaning: 'without a test clock, wait the 61 minutes until a token expires, alongside the other checks',
    ...FLAG,
  },
  reportDir: {
    variable: 'RUN_REPORT_DIR',
    option: 'report-dir',
    argument: '<dir>',
    meaning: 'directory for reports',
    default: 'reports/latest',
    parse: writableDirectory,
  },
  baseline: {
    variable: 'RUN_BASELINE',
    option: 'baseline',
    argument: '<path>',
    meaning:
      'an earlier report directory or conformance.json to compare with; read before anything is written, so it may be the report directory of this run',
    parse: recordPath,
  },
  failOn: {
    variable: 'RUN_FAIL_ON',
    option: 'fail-on',
    argument: '<what>',
    meaning: `what makes the run exit with 1: failures, any failed must that is not a known failure; regressions, with a baseline, only what passed there and no longer does`,
    default: 'failures',
    parse: oneOf(FAIL_ON),
  },
  history: {
    variable: 'RUN_HISTORY',
    option: 'history',
    argument: '<dir>',
    meaning: 'directory that keeps the results of every complete, merged or selected run, by target and requirement',
    default: 'reports/history',
    parse: directoryPath,
  },
  reportUrl: {
    variable: 'RUN_REPORT_URL',
    option: 'report-url',
    argument: '<url>',
    meaning:
      'address at which the page of the reports can be read once it is published, for links in summaries and annotations',
    parse: exactUrl,
  },
  knownFailures: {
    variable: 'RUN_KNOWN_FAILURES',
    option: 'known-failures',
    argument: '<file>',
    meaning: 'YAML list of expected failures: id, reason, optional link and expires (YYYY-MM-DD)',
    parse: knownFailuresFile,
  },
  personalData: {
    variable: 'RUN_PERSONAL_DATA',
    option: 'personal-data',
    argument: '<way>',
    meaning: 'mask or keep names, addresses, birth dates, phones and e-mails in evidence',
    default: 'mask',
    parse: oneOf(['mask', 'keep']),
  },
  fixturesCommand: {
    variable: 'RUN_FIXTURES_COMMAND',
    option: 'fixtures-command',
    argument: '<command>',
    meaning: 'command, run first, that prints a fresh fixtures file within a minute; replaces TARGET_FIXTURES',
    parse: text,
  },

  embedded: {
    option: 'embedded',
    meaning: 'run against the embedded sandbox, ignoring TARGET_* variables',
    ...FLAG,
  },
  envFile: {
    option: 'env-file',
    argument: '<file>',
    meaning: 'read this file instead of .env',
    parse: text,
  },
  only: {
    option: 'only',
    argument: '<id,...>',
    meaning: 'requirement ids, or prefixes that end at a dot, to check; * stands for any characters',
    otherwise: 'all',
    parse: list,
  },
  shard: {
    option: 'shard',
    argument: '<i/n>',
    meaning: 'run only the i-th of n parts; merge joins their reports',
    parse: shard,
  },
  bail: { option: 'bail', meaning: 'end the run at the first failed must', ...FLAG },
  thorough: { option: 'thorough', meaning: 'more generated input', ...FLAG },
  matrix: {
    option: 'matrix',
    meaning: 'try every operation on a card in every documented state',
    ...FLAG,
  },
  waitForTargetSeconds: {
    option: 'wait-for-target',
    argument: '<seconds>',
    meaning:
      'how long the first contact with each interface waits for a target that does not answer, or with 502, 503 or 504',
    otherwise: '30 for 502, 503 and 504',
    parse: integer(0, 86_400),
  },
} as const satisfies Record<string, Setting>;

export type SettingKey = keyof typeof SETTINGS;

/** All settings as entries, with their individual types widened. */
export const settings = Object.entries(SETTINGS) as [SettingKey, Setting][];

/** Command-line options by name, without dashes; values are texts, as in the environment. */
export type Options = Partial<Record<string, string>>;

/** The default in words; undefined if there is none. */
export const defaultText = ({ default: fixed, otherwise }: Setting): string | undefined => otherwise ?? fixed;
