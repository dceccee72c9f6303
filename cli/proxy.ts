/** `proxy [COMMAND...]`: judges what passes through a reverse proxy in front of the target. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline/promises';
import { whileHolding } from '../files/hold.ts';
import { readConfiguration } from '../helpers/configuration/index.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import { writeHar } from '../reports/har.ts';
import { readRecord } from '../reports/record.ts';
import { word } from '../reports/shell.ts';
import { visible } from '../reports/text.ts';
import { finish } from '../run/finish.ts';
import { prepare } from '../run/prepare.ts';
import { JudgingProxy } from '../run/proxy.ts';
import { RawHar } from '../run/raw-har.ts';
import { withTarget } from '../run/target.ts';
import { SERVED } from '../witness/proxy.ts';
import { program } from './command.ts';
import { EXIT_CANNOT, EXIT_FINDING, EXIT_INTERRUPTED } from './exit-codes.ts';
import { numbered } from './numbers.ts';
import { configurable, givenOptions, OF_JUDGING } from './options.ts';
import { ProgressLine } from './progress.ts';
import { Signals } from './signals.ts';

const PROGRESS_MS = 1000;
/** Exit codes of the suite, the worst first; that of another program counts as a finding. */
const WORST_FIRST = [EXIT_INTERRUPTED, EXIT_CANNOT, EXIT_FINDING, 3, 0];

/** The variables of the addresses, as `--env` names them. */
const ADDRESSES: Record<string, string> = Object.fromEntries(SERVED.map(([, variable, name]) => [name, variable]));

interface Options {
  port?: number;
  har?: string;
  harRaw?: string;
  env?: string[];
}

const command = configurable(
  'Serves a reverse proxy on loopback in front of the configured addresses, and judges what passes. Ctrl-C ends it with reports and exit code.',
  [...OF_JUDGING, 'embedded'],
)
  .argument(
    '[command...]',
    'a command to run with the addresses of the proxy in its environment; the worse of both exit codes counts',
  )
  .option('--port <n>', 'port; 4900 by default, a free one for a command', numbered('port', 65_535))
  .option('--har <file>', 'write what passed as HTTP Archive (HAR 1.2), without secrets')
  .option('--har-raw <file>', 'write it with all secrets and personal data, once you have confirmed that')
  .option('--env <name=address>', 'a further variable for the command: NAME=auth, NAME=base or NAME=portal', collected)
  .passThroughOptions();

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

async function isConfirmed(file: string): Promise<boolean> {
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await asking.question(
    `${visible(file)} will hold tokens, passwords and personal data as they are sent. Write it? (yes/no) `,
  );
  asking.close();
  return answer.trim().toLowerCase() === 'yes';
}

async function serve(configuration: Configuration): Promise<number> {
  const { args } = command;
  const { port = args.length > 0 ? 0 : 4900, har, harRaw, env = [] } = command.opts<Options>();
  const { target, run } = configuration;
  const { reportDir } = run;
  const raw = harRaw === undefined ? undefined : new RawHar(harRaw);
  const line = new ProgressLine(process.stderr);
  prepare(configuration);
  const started = await JudgingProxy.start(configuration, port, reportDir, {
    onExchange: (recorded) => raw?.add(recorded),
    onFailing: ({ requirement, message }) => {
      line.clear();
      console.error(visible(`FAILED ${requirement}: ${message}`));
    },
  }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' ? new Error(`--port: ${port} is in use; choose another`) : error;
  });
  const timer = setInterval(() => {
    const { exchanges, inFlight, failing } = started.stats();
    line.tell(`${exchanges} exchanges · ${inFlight} in flight · ${failing} failed`);
  }, PROGRESS_MS);
  try {
    const lines = { ...(target.embedded ? credentialsOf(target) : {}), ...started.environment };
    const named = env.map((one) => one.split('=')).map(([name, of]) => [name!, started.environment[ADDRESSES[of!]!]]);
    const code =
      args.length > 0 ? await ran(args, { ...lines, ...Object.fromEntries(named) }) : await interrupted(lines);
    clearInterval(timer);
    line.clear();
    const { configuration: seen, findings } = await started.end();
    const own = finish(seen, findings);
    if (har !== undefined) writeHar(readRecord(reportDir), har);
    return worse(own, code);
  } finally {
    clearInterval(timer);
    await started.close();
    raw?.close();
  }
}

/** The worse of the suite's exit code and that of a command. */
const worse = (own: number, other: number): number => {
  const rank = (code: number) => WORST_FIRST.indexOf(WORST_FIRST.includes(code) ? code : EXIT_FINDING);
  return rank(other) < rank(own) ? other : own === 0 ? other : own;
};

/** Runs a command. @returns its exit code */
function ran(
  [file = '', ...args]: readonly string[],
  environment: Record<string, string | undefined>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: 'inherit', env: { ...process.env, ...environment } });
    const signals = new Signals('waiting for the command to end');
    signals.end({ interrupt: () => {}, abandon: () => child.kill('SIGKILL') });
    child.once('error', (error) => reject(new Error(`${file} cannot be run: ${error.message}`)));
    child.once('exit', (code, signal) => {
      signals.close();
      resolve(signal ? EXIT_INTERRUPTED : (code ?? EXIT_CANNOT));
    });
  });
}

/** Tells where the proxy serves, and waits for a signal. */
async function interrupted(environment: Record<string, string | undefined>): Promise<number> {
  console.log('# The proxy serves until it is interrupted, and then reports.');
  for (const [name, value = ''] of Object.entries(environment)) console.log(`export ${name}=${word(value)}`);
  const signals = new Signals('ending the proxy');
  await new Promise<void>((resolve) =>
    signals.end({ interrupt: resolve, abandon: () => process.exit(EXIT_INTERRUPTED) }),
  );
  signals.close();
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
