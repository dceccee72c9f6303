/** `proxy [COMMAND...]`: judges what passes through a reverse proxy in front of the target. */
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { setFlagsFromString } from 'node:v8';
import { Option } from 'commander';
import { whileHolding } from '../files/hold.ts';
import { hostname } from '../helpers/configuration/addresses.ts';
import { readConfiguration } from '../helpers/configuration/index.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import { writeHar } from '../reports/har.ts';
import { readRecord } from '../reports/record.ts';
import { word } from '../reports/shell.ts';
import { visible } from '../reports/text.ts';
import { finish } from '../run/finish.ts';
import { JudgingProxy, type ProxyWatch } from '../run/proxy.ts';
import { RawHar } from '../run/raw-har.ts';
import { withTarget } from '../run/target.ts';
import { LOOPBACK, type Place, SERVED } from '../witness/proxy.ts';
import { program } from './command.ts';
import { withCoverage, withLackOfCoverage } from './coverage.ts';
import { EXIT_CANNOT, EXIT_FINDING, EXIT_INTERRUPTED } from './exit-codes.ts';
import { numbered } from './numbers.ts';
import { configurable, givenOptions, OF_JUDGING } from './options.ts';
import { runCommand } from './process-group.ts';
import { ProgressLine } from './progress.ts';
import { Signals } from './signals.ts';

const PROGRESS_MS = 1000;
/** Exit codes of the suite, the worst first; that of another program counts as a finding. */
const WORST_FIRST = [EXIT_INTERRUPTED, EXIT_CANNOT, EXIT_FINDING, 3, 0];

/** The variables of the addresses, as `--env` names them. */
const ADDRESSES: Record<string, string> = Object.fromEntries(SERVED.map(([, variable, name]) => [name, variable]));

interface Options {
  host?: string;
  port?: number;
  pathPrefix?: string;
  har?: string;
  harRaw?: string;
  env?: string[];
  onFailure?: 'header' | 'status';
}

const command = configurable(
  'Serves a reverse proxy in front of the configured addresses, and judges what passes. Ctrl-C ends it with reports and exit code.',
  [...OF_JUDGING, 'embedded'],
)
  .argument(
    '[command...]',
    'a command to run with the addresses of the proxy in its environment; the worse of both exit codes counts',
  )
  .option('--port <n>', 'port; 4900 by default, a free one for a command', numbered('port', 65_535))
  .option(
    '--host <address>',
    'an address of this machine to listen at, besides loopback; whoever reaches it uses the client certificate',
    nonEmpty,
  )
  .option('--path-prefix <path>', 'a path below which it serves, as behind another proxy: /conformance', prefixed)
  .option('--har <file>', 'write what passed as HTTP Archive (HAR 1.2), without secrets')
  .option('--har-raw <file>', 'write it with all secrets and personal data, once you have confirmed that')
  .option('--env <name=address>', 'a further variable for the command: NAME=auth, NAME=base or NAME=portal', collected)
  .addOption(
    new Option(
      '--on-failure <how>',
      'hold each answer back until it is judged, and tell the client of one that fails a must: header adds Conformance-Failure, status answers 502 with a problem document',
    ).choices(['header', 'status']),
  )
  .passThroughOptions();
withCoverage(command);

function nonEmpty(text: string): string {
  if (text === '') throw new Error('--host: is empty');
  return text;
}

function prefixed(text: string): string {
  if (!/^(?:\/[\w.~-]+)+$/.test(text)) throw new Error(`--path-prefix: ${text} is no path such as /conformance`);
  return text;
}

function collected(text: string, before: string[] = []): string[] {
  const [, name, address] = /^(\w+)=(\w+)$/.exec(text) ?? [];
  if (name === undefined || !Object.hasOwn(ADDRESSES, address!))
    throw new Error(`--env: ${text} is not NAME=auth, NAME=base or NAME=portal`);
  return [...before, text];
}

export const proxy = program('proxy', command, async () => {
  const options = givenOptions(command);
  const given = await readConfiguration({ env: process.env, options, cwd: process.cwd(), purpose: 'proxy' });
  if (!given.target.embedded && SERVED.every(([key]) => given.target[key] === undefined))
    throw new Error(`set one or more of ${Object.values(ADDRESSES).join(', ')}: the proxy stands in front of them`);
  const { harRaw } = command.opts<Options>();
  if (harRaw !== undefined && !(await isConfirmed(harRaw)))
    throw new Error('--har-raw: not confirmed; --har writes it without secrets');
  return whileHolding(given.run.reportDir, 'a proxy', () => withTarget(given, (configuration) => serve(configuration)));
});

/**
 * Asks whether secrets may be written.
 * @throws Error without a terminal at which that can be asked
 */
async function isConfirmed(file: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new Error(
      '--har-raw: needs a terminal to ask for your confirmation, since the file will hold secrets, and there is none; --har writes it without secrets',
    );
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  const question = `${visible(file)} will hold tokens, passwords and personal data as they are sent. Write it? (yes/no) `;
  const closed = once(asking, 'close').then(() => '');
  const answer = await Promise.race([asking.question(question), closed]);
  asking.close();
  return answer.trim().toLowerCase() === 'yes';
}

async function serve(configuration: Configuration): Promise<number> {
  const { args } = command;
  const { host = LOOPBACK, port = args.length > 0 ? 0 : 4900, harRaw, onFailure, pathPrefix } = command.opts<Options>();
  const line = new ProgressLine(process.stderr);
  const tell = (message: string) => {
    line.clear();
    console.error(visible(message));
  };
  const raw = harRaw === undefined ? undefined : new RawHar(harRaw, (reason) => tell(`${harRaw}: ${reason}`));
  const signals = new Signals(args.length > 0 ? 'ending the command and what it started' : 'ending the proxy');
  let started: JudgingProxy | undefined;
  let timer: NodeJS.Timeout | undefined;
  try {
    started = await startAt({ host, port, prefix: pathPrefix }, configuration, {
      onFailure,
      // Both threads leave much behind then: V8 is to collect it sooner, which takes time that is not short before.
      onFull: () => setFlagsFromString('--optimize-for-size'),
      onExchange: (recorded) => raw?.add(recorded),
      onFailing: ({ requirement, message }) => tell(`FAILED ${requirement}: ${message}`),
    });
    if (host !== LOOPBACK)
      tell(`The proxy listens at ${host}: whoever reaches it there uses the configured client certificate.`);
    timer = setInterval(showProgress, PROGRESS_MS, started, line);
    const code = await served(configuration, started.environment, signals);
    // A terminal signals all of its group, and npm once more; the report is still to come.
    signals.end({ interrupt: () => {}, abandon: () => process.exit(EXIT_INTERRUPTED) });
    clearInterval(timer);
    line.clear();
    return await reported(configuration, started, code, tell);
  } finally {
    clearInterval(timer);
    await started?.close();
    raw?.close();
    signals.close();
  }
}

/** Reports what has passed. @returns the worse of its exit code and that of the command */
async function reported(
  { run }: Configuration,
  proxy: JudgingProxy,
  code: number,
  tell: (message: string) => void,
): Promise<number> {
  const { har } = command.opts<Options>();
  try {
    const { configuration, findings } = await proxy.end();
    const own = withLackOfCoverage(command, run.reportDir, finish(configuration, findings));
    if (har !== undefined) writeArchive(run.reportDir, har, tell);
    return worse(own, code);
  } catch (error) {
    if (code !== EXIT_INTERRUPTED) throw error;
    tell((error as Error).message);
    return code;
  }
}

/**
 * Starts a proxy.
 * @throws Error that names the option, when the place cannot be had
 */
async function startAt(place: Place, configuration: Configuration, watch: ProxyWatch): Promise<JudgingProxy> {
  try {
    return await JudgingProxy.start(configuration, place, configuration.run.reportDir, watch);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new Error(`--port: ${place.port} is in use; choose another`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new Error(`--host: ${place.host} is no address of this machine`);
    throw error;
  }
}

function showProgress(proxy: JudgingProxy, line: ProgressLine): void {
  const { exchanges, inFlight, failing } = proxy.stats();
  line.tell(`${exchanges} exchanges · ${inFlight} in flight · ${failing} failed`);
}

/** Serves a command, or until a signal. @returns the exit code of that */
function served({ target }: Configuration, addresses: Record<string, string>, signals: Signals): Promise<number> {
  const { args } = command;
  const lines = { ...(target.embedded ? credentialsOf(target) : {}), ...addresses };
  if (args.length === 0) return interrupted(lines, signals);
  const { env = [] } = command.opts<Options>();
  const named = env.map((one) => one.split('=')).map(([name, of]) => [name!, addresses[ADDRESSES[of!]!]]);
  const environment = { ...lines, ...Object.fromEntries(named), ...withoutProxy(Object.values(addresses)[0]!) };
  return runCommand(args, environment, signals);
}

/** The variables with which a command reaches an address by itself, whatever proxy is there for others. */
function withoutProxy(address: string): Record<string, string> {
  const { NO_PROXY, no_proxy } = process.env;
  const added = (list = '') => (list === '*' ? list : [list, hostname(address)].filter(Boolean).join(','));
  return { NO_PROXY: added(NO_PROXY || no_proxy), no_proxy: added(no_proxy || NO_PROXY) };
}

/** Writes the archive; the verdict counts though it cannot be written. */
function writeArchive(reportDir: string, file: string, tell: (message: string) => void): void {
  try {
    writeHar(readRecord(reportDir), file);
  } catch (error) {
    tell(`--har: ${file} could not be written: ${(error as Error).message}`);
  }
}

/** The worse of the suite's exit code and that of a command. */
const worse = (own: number, other: number): number => {
  const rank = (code: number) => WORST_FIRST.indexOf(WORST_FIRST.includes(code) ? code : EXIT_FINDING);
  return rank(other) < rank(own) ? other : own === 0 ? other : own;
};

/** Tells where the proxy serves, and waits for a signal. */
async function interrupted(environment: Record<string, string | undefined>, signals: Signals): Promise<number> {
  console.log('# The proxy serves until it is interrupted, and then reports.');
  for (const [name, value = ''] of Object.entries(environment)) console.log(`export ${name}=${word(value)}`);
  await new Promise<void>((resolve) =>
    signals.end({ interrupt: () => resolve(), abandon: () => process.exit(EXIT_INTERRUPTED) }),
  );
  return 0;
}

/** What the embedded sandbox wants to be told: it guards nobody's cards. */
const credentialsOf = (target: Configuration['target']) => ({
  TARGET_TENANT_PATH: target.tenantPath,
  TARGET_CLIENT_ID: target.clientId,
  TARGET_CLIENT_SECRET: target.clientSecret,
  TARGET_PORTAL_LOGIN_ID: target.portalLoginId,
  TARGET_PORTAL_PASSWORD: target.portalPassword,
});
