/**
 * `verify-pact`: verifies the target against the published pacts, and reports to a Pact Broker if one is configured.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CONTRACTS_VERSION } from '../contracts/publish/version.ts';
import { whileHolding } from '../files/hold.ts';
import { writeWholeFile } from '../files/write.ts';
import { readEnvFile } from '../helpers/configuration/env-file.ts';
import { readConfiguration } from '../helpers/configuration/index.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import { reach } from '../helpers/runner/reach.ts';
import { dropRecord, openChangesNote } from '../run/drop-record.ts';
import { withRun } from '../run/in-process.ts';
import { withTarget } from '../run/target.ts';
import { program } from './command.ts';
import { EXIT_CANNOT, EXIT_INTERRUPTED } from './exit-codes.ts';
import { configurable, givenOptions, OF_ASKING } from './options.ts';
import { BrokerError, type BrokerSettings, brokerSettings } from './pact/broker.ts';
import { CONSUMER, EDITIONS, type Edition } from './pact/interaction.ts';
import { interactions } from './pact/interactions.ts';
import { publishToBroker } from './pact/publication.ts';
import { pactFile } from './pact/published.ts';
import { type Pact, type PactResult, verifyPact as verifyOnePact } from './pact/verification.ts';
import { PactVerifier } from './pact/verifier.ts';
import { PUBLISHED } from './published-files.ts';
import { interruptible } from './signals.ts';

/** Options that select or judge requirements, which pacts do not have. */
const OF_THE_SUITE = [
  'only',
  'shard',
  'thorough',
  'matrix',
  'as',
  'last-failed',
  'baseline',
  'known-failures',
  'seed',
  'wait-for-expiry',
];
const ROOT = fileURLToPath(new URL('..', import.meta.url));

const command = configurable(
  'Verifies the target against the published pacts. PACT_BROKER_BASE_URL publishes pacts and results to a Pact Broker.',
  undefined,
  OF_ASKING,
);

export const verifyPact = program('verify-pact', command, async () => {
  const options = givenOptions(command);
  for (const name of OF_THE_SUITE)
    if (name in options) throw new Error(`--${name}: not supported, since pacts are always verified as a whole`);
  const configuration = await readConfiguration({
    env: process.env,
    options,
    cwd: process.cwd(),
  });
  const broker = brokerSettings(withEnvFile(options['env-file']));
  if (broker && !providerVersion(configuration))
    throw new BrokerError('TARGET_VERSION: not set, but required by PACT_BROKER_BASE_URL');
  const reportDir = join(configuration.run.reportDir, 'pact');
  return whileHolding(reportDir, 'a verification', () =>
    withTarget(configuration, (target) => interruptible((signal) => verify(target, reportDir, broker, signal))),
  );
});

/** The environment, with the env file as a fallback. */
function withEnvFile(named: string | undefined): Record<string, string | undefined> {
  const given = Object.entries(process.env).filter(([, value]) => value !== '');
  return { ...readEnvFile(named, process.cwd()), ...Object.fromEntries(given) };
}

/** The provider's version; the embedded sandbox has that of the contracts. */
const providerVersion = ({ target }: Configuration) => target.version || (target.embedded ? CONTRACTS_VERSION : '');

async function verify(
  configuration: Configuration,
  reportDir: string,
  broker: BrokerSettings | undefined,
  signal: AbortSignal,
): Promise<number> {
  for (const note of dropRecord(reportDir)) console.error(note);
  const pacts = Object.fromEntries(EDITIONS.map((edition) => [edition, readPact(edition)])) as Record<Edition, Pact>;
  const verifier = new PactVerifier();
  const results: PactResult[] = [];
  const write = () =>
    writeWholeFile(
      join(reportDir, 'verification.json'),
      `${JSON.stringify(record(configuration, results), null, 2)}\n`,
    );
  try {
    const onWait = (waiting: string) => waiting && console.error(waiting);
    await withRun(configuration, { rules: [], recordIn: reportDir, signal, onWait }, async (run) => {
      const { blocked } = await reach(run);
      for (const reason of new Set([...blocked.values()].map((why) => why.reason))) console.error(reason);
      for (const edition of EDITIONS) {
        const of = { pact: pacts[edition], interactions: interactions[edition] };
        await verifyOnePact(run, edition, of, verifier, join(reportDir, '.verifier'), (result) => {
          results.push(result);
          write();
          console.log(line(result));
        });
      }
    });
  } finally {
    verifier.close();
  }
  console.log(`\n${counted(results)}; ${join(reportDir, 'verification.json')}`);
  const open = openChangesNote(reportDir);
  if (open) console.log(open);
  if (signal.aborted) return EXIT_INTERRUPTED;
  if (broker)
    for (const published of await publishToBroker(broker, providerVersion(configuration), pacts, results))
      console.log(published);
  return exitCode(results);
}

const readPact = (edition: Edition): Pact =>
  JSON.parse(readFileSync(join(ROOT, PUBLISHED, 'pacts', pactFile(edition)), 'utf8'));

/** The content of verification.json: the results, and what was verified against which version. */
const record = ({ target }: Configuration, results: readonly PactResult[]) => ({
  schemaVersion: 1,
  consumer: { name: CONSUMER, version: CONTRACTS_VERSION },
  target: { name: target.name, version: target.version },
  results,
});

const line = ({ verdict, interaction, message }: PactResult) =>
  `${verdict.padEnd(12)} ${interaction}${message ? `: ${message}` : ''}`;

function counted(results: readonly PactResult[]): string {
  const verdicts = ['passed', 'failed', 'skipped', 'inconclusive', 'blocked', 'notApplicable'] as const;
  return verdicts.map((name) => `${results.filter(({ verdict }) => verdict === name).length} ${name}`).join(', ');
}

function exitCode(results: readonly PactResult[]): number {
  const some = (verdict: PactResult['verdict']) => results.some((result) => result.verdict === verdict);
  if (some('blocked') || !(some('passed') || some('failed'))) return EXIT_CANNOT;
  return some('failed') ? 1 : 0;
}
