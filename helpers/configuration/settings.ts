/** All settings: from them derive options, `.env.example`, the documentation, and what is read. */
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
  recordPathOrFlag,
  shard,
  text,
  token,
  writableDirectory,
} from './parsers.ts';

/** One setting: its sources, its parser and its help text. */
export interface Setting<Value = unknown> {
  /** Environment variable; absent for settings that only the command line has. */
  variable?: string;
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

type Unnamed = Omit<Setting, 'variable'>;

const FLAG = { argument: '[true|false]', default: 'false', parse: flag } as const;

/** Settings of TARGET_* variables. */
const TARGET = {
  name: { meaning: 'label of the target in reports', otherwise: 'the host', parse: line },
  version: { meaning: "label of the target's build in reports", parse: line },
  authUrl: {
    meaning: '{auth_url}, the address of the token endpoint; operations of an unset address are out of scope',
    parse: baseUrl,
  },
  baseUrl: { meaning: '{base_url}, the address of users and cards', parse: baseUrl },
  portalUrl: { meaning: '{portal_url}, the address of the portal', parse: baseUrl },
  operations: {
    meaning:
      'operations that the target claims to implement: comma-separated ids or prefixes; a leading `-` excludes one (-cards.setPin,-portal.orderCards alone means all but these); the others are out of scope',
    otherwise: 'all',
    parse: list,
  },
  tenantPath: { meaning: "<tenant_path> in the token endpoint's path", parse: pathSegments },
  clientId: { meaning: 'client id of the clientCredentials flow', parse: line },
  clientSecret: { meaning: 'client secret of the clientCredentials flow', secret: true, parse: line },
  scope: { meaning: 'scope to request', parse: line },
  grantType: { meaning: 'value of grant_type to send', default: 'client_credentials', parse: line },
  accessToken: {
    meaning: 'a token obtained elsewhere (the authorizationCode flow), used instead of requesting one',
    secret: true,
    parse: token,
  },
  portalLoginId: { meaning: 'login id of the portal', secret: true, parse: line },
  portalPassword: { meaning: 'password of the portal', secret: true, parse: line },
  portalSessionId: {
    meaning: 'a session obtained elsewhere (for a login that requires a verification code)',
    secret: true,
    parse: line,
  },
  tokenPath: {
    meaning: 'path template of the token endpoint',
    default: '/{tenant_path}/B2C_1_signupandsignin/oauth2/v2.0/token',
    parse: pathTemplate(['tenant_path']),
  },
  portalPath: {
    meaning:
      'path template of portal operations, with {operation}; {endpoint_set} gives userendpoint for login and logout, orderendpoint for orderCards, customerendpoint for the others',
    default: '/_ah/api/{operation}',
    parse: pathTemplate(['operation', 'endpoint_set'], ['operation']),
  },
  headers: {
    meaning:
      'JSON object of headers added to every request (gateway subscription keys); Authorization is not allowed here',
    default: '{}',
    secret: true,
    parse: headers,
  },
  clientCert: { meaning: 'PEM file of a client certificate', parse: certificateFile },
  clientKey: { meaning: 'PEM file of its key', secret: true, parse: keyFile },
  fixtures: { meaning: 'path of the fixtures file', parse: fixturesFile },
  testClockUrl: {
    meaning: 'address that moves the target\'s clock forward on POST of {"advanceSeconds": n}',
    parse: exactUrl,
  },
} as const satisfies Record<string, Unnamed>;

/** Settings of RUN_* variables, and of options of the same name. */
const RUN = {
  risk: {
    argument: '<level>',
    meaning: `what the run may do to the target: ${RISKS.join(', ')}`,
    otherwise: 'safe; irreversible on the embedded sandbox',
    parse: oneOf(RISKS),
  },
  confirmHost: {
    argument: '<host,...>',
    meaning: 'every target host outside loopback, repeated to allow a run above safe',
    parse: list,
  },
  requireTarget: {
    meaning:
      'end with 2 if no target is configured, instead of judging the embedded sandbox; every pipeline should set it',
    ...FLAG,
  },
  concurrency: {
    argument: '<n>',
    meaning: 'maximum number of requests in flight',
    default: '8',
    parse: integer(1, 1000),
  },
  rate: {
    argument: '<n>',
    meaning: 'maximum number of requests per second, 0 for no limit',
    default: '0',
    parse: decimal(100_000, 'zero allowed'),
  },
  timeoutMs: {
    argument: '<ms>',
    meaning: 'time limit of a request, in milliseconds',
    default: '10000',
    parse: integer(1, 600_000),
  },
  maxMinutes: {
    argument: '<minutes>',
    meaning: 'time limit of the whole run; checks not finished by then are blocked',
    otherwise: '30; 90 when waiting for expiry',
    parse: decimal(10_000, 'above zero'),
  },
  settleMs: {
    argument: '<ms>',
    meaning: 'how long an effect may take to show when it is read back, in milliseconds',
    otherwise: '1000; 0 on the embedded sandbox',
    parse: integer(0, 600_000),
  },
  maxOrders: {
    argument: '<n>',
    meaning: 'maximum number of accepted orders',
    default: '60',
    parse: integer(0, 1_000_000),
  },
  maxCipChecks: {
    argument: '<n>',
    meaning: 'maximum number of CIP checks',
    default: '60',
    parse: integer(0, 1_000_000),
  },
  maxLoss: {
    argument: '<amount>',
    meaning:
      "money that the run may lose at a target that loses it, in units of the cards' currency: once balances show that money goes missing, no more is moved than this",
    default: '20.00',
    parse: decimal(1_000_000, 'zero allowed'),
  },
  seed: {
    argument: '<n>',
    meaning: 'seed of generated inputs',
    otherwise: 'the one after that of the last run in the history, else random; printed',
    parse: integer(0, 2 ** 31 - 1),
  },
  waitForExpiry: {
    meaning: 'without a test clock, wait the 61 minutes until a token expires, alongside the other checks',
    ...FLAG,
  },
  reportDir: {
    argument: '<dir>',
    meaning: 'directory for reports',
    default: 'reports/latest',
    parse: writableDirectory,
  },
  baseline: {
    argument: '<path>',
    meaning:
      'an earlier report directory or conformance.json to compare with; read before anything is written, so it may be the report directory of this run',
    parse: recordPath,
  },
  failOn: {
    argument: '<what>',
    meaning: `what makes the run exit with 1: failures, any failed must that is not a known failure; regressions, with a baseline, only what passed there and no longer does`,
    default: 'failures',
    parse: oneOf(FAIL_ON),
  },
  history: {
    argument: '<dir>',
    meaning: 'directory that keeps the results of every complete, merged or selected run, by target and requirement',
    default: 'reports/history',
    parse: directoryPath,
  },
  reportUrl: {
    argument: '<url>',
    meaning:
      'address at which the page of the reports can be read once it is published, for links in summaries and annotations',
    parse: exactUrl,
  },
  knownFailures: {
    argument: '<file>',
    meaning: 'YAML list of expected failures: id, reason, optional link and expires (YYYY-MM-DD)',
    parse: knownFailuresFile,
  },
  personalData: {
    argument: '<way>',
    meaning: 'mask or keep names, addresses, birth dates, phones and e-mails in evidence',
    default: 'mask',
    parse: oneOf(['mask', 'keep']),
  },
  fixturesCommand: {
    argument: '<command>',
    meaning: 'command, run first, that prints a fresh fixtures file within a minute; replaces TARGET_FIXTURES',
    parse: text,
  },
} as const satisfies Record<string, Unnamed>;

/** Settings that only the command line has. */
const OPTIONS = {
  embedded: { meaning: 'run against the embedded sandbox, ignoring TARGET_* variables', ...FLAG },
  envFile: { argument: '<file>', meaning: 'read this file instead of .env', parse: text },
  only: {
    argument: '<id,...>',
    meaning: 'requirement ids, or prefixes that end at a dot, to check; * stands for any characters',
    otherwise: 'all',
    parse: list,
  },
  settle: {
    argument: '<dir>',
    meaning: 'check what a report directory, such as that of judge or proxy, holds as suspected, and nothing else',
    parse: recordPath,
  },
  shard: { argument: '<i/n>', meaning: 'run only the i-th of n parts; merge joins their reports', parse: shard },
  plan: {
    meaning:
      'say what the run would send and change, and with what cards, orders, checks and money; send nothing but readings',
    ...FLAG,
  },
  as: {
    argument: '<dir>',
    meaning:
      'try the same forms of what rotates as an earlier run, by its report directory or conformance.json; read before anything is written, so it may be the report directory of this run',
    parse: recordPath,
  },
  lastFailed: {
    argument: '[dir]',
    meaning:
      'check what failed, was suspected or was hidden by a failure in an earlier run, in the same forms: its report directory or conformance.json, by default the report directory of this run',
    parse: recordPathOrFlag,
  },
  watch: {
    argument: '[path]',
    meaning:
      'after a run, wait until a file changes (this one, such as a build of the target, or the env file) or Enter is typed, and try again what failed, until nothing does',
    parse: recordPathOrFlag,
  },
  bail: { meaning: 'end the run at the first failed must', ...FLAG },
  thorough: { meaning: 'more generated input', ...FLAG },
  matrix: { meaning: 'try every operation on a card in every documented state', ...FLAG },
  waitForTargetSeconds: {
    option: 'wait-for-target',
    argument: '<seconds>',
    meaning:
      'how long the first contact with each interface waits for a target that does not answer, or with 502, 503 or 504',
    otherwise: '30 for 502, 503 and 504',
    parse: integer(0, 86_400),
  },
} as const satisfies Record<string, Unnamed>;

const ALL = { ...TARGET, ...RUN, ...OPTIONS };

export type TargetKey = keyof typeof TARGET;
export type SettingKey = keyof typeof ALL;

/** Names a setting after its key: `maxOrders` is RUN_MAX_ORDERS and --max-orders. */
function named(key: SettingKey): Setting {
  const option = key.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
  const name = option.replaceAll('-', '_').toUpperCase();
  if (key in TARGET) return { variable: `TARGET_${name}`, ...ALL[key] };
  return key in RUN ? { variable: `RUN_${name}`, option, ...ALL[key] } : { option, ...ALL[key] };
}

/** All settings, by their key in {@link readConfiguration}, in the order of the help and the documentation. */
export const settings = (Object.keys(ALL) as SettingKey[]).map((key) => [key, named(key)] as const);

type Names<Key> = (Key extends TargetKey | keyof typeof RUN ? { variable: string } : unknown) &
  (Key extends TargetKey ? unknown : { option: string });

export const SETTINGS = Object.fromEntries(settings) as { [Key in SettingKey]: (typeof ALL)[Key] & Names<Key> };

/** Command-line options by name, without dashes; values are texts, as in the environment. */
export type Options = Partial<Record<string, string>>;

/** The default in words; undefined if there is none. */
export const defaultText = ({ default: fixed, otherwise }: Setting): string | undefined => otherwise ?? fixed;
