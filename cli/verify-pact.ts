/**
 * `verify-pact`: verifies the target against the published pacts, and reports to a Pact Broker if one is configured.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'dotenv';
import { CONTRACTS_VERSION } from '../contracts/publish/version.ts';
import { readConfiguration } from '../helpers/configuration/index.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import { Run } from '../helpers/run.ts';
import { reach } from '../helpers/runner/reach.ts';
import { withTarget } from '../run/target.ts';
import { program } from './command.ts';
import { EXIT_CANNOT, EXIT_INTERRUPTED } from './exit-codes.ts';
import { configurable, givenOptions } from './options.ts';
import { BrokerError, type BrokerSettings, brokerSettings } from './pact/broker.ts';
import { CONSUMER, EDITIONS, type Edition } from './pact/interaction.ts';
import { interactions } from './pact/interactions.ts';
import { publishToBroker } from './pact/publication.ts';
import { pactFile } from './pact/published.ts';
import { type Pact, type PactResult, verifyPact as verifyOnePact } from './pact/verification.ts';
import { PactVerifier } from './pact/verifier.ts';
import { PUBLISHED } from './published-files.ts';

/** Options that select or judge requirements, which pacts do not have. */
const OF_THE_SUITE = ['only', 'shard', 'thorough', 'matrix', 'baseline', 'known-failures', 'seed', 'wait-for-expiry'];
const ROOT = fileURLToPath(new URL('..', import.meta.url));

const command = configurable(
  'Verifies the target against the published pacts. PACT_BROKER_BASE_URL publishes pacts and results to a Pact Broker.',
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
  return withTarget(configuration, (target) => verify(target, broker));
});

/** The environment, with the env file as a fallback. */
function withEnvFile(named = '.env'): Record<string, string | undefined> {
  const file = resolve(named);
  const given = Object.entries(process.env).filter(([, value]) => value !== '');
  return { ...(existsSync(file) ? parse(readFileSync(file)) : {}), ...Object.fromEntries(given) };
}

/** The provider's version; the embedded sandbox has that of the contracts. */
const providerVersion = ({ target }: Configuration) => target.version || (target.embedded ? CONTRACTS_VERSION : '');

async function verify(configuration: Configuration, broker: BrokerSettings | undefined): Promise<number> {
  const reportDir = join(configuration.run.reportDir, 'pact');
  const run = new Run({ ...configuration, run: { ...configuration.run, reportDir } }, [], {
    onWait: (waiting) => waiting && console.error(waiting),
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => run.interrupt());
  const limit = setTimeout(() => run.end('out of time'), configuration.run.maxMinutes * 60_000);
  const pacts = Object.fromEntries(EDITIONS.map((edition) => [edition, readPact(edition)])) as Record<Edition, Pact>;
  const verifier = new PactVerifier();
  const results: PactResult[] = [];
  const write = () =>
    writeFileSync(join(reportDir, 'verification.json'), `${JSON.stringify(record(configuration, results), null, 2)}\n`);
  try {
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
  } finally {
    clearTimeout(limit);
    verifier.close();
    await run.close();
  }
  console.log(`\n${counted(results)}; ${join(reportDir, 'verification.json')}`);
  if (run.facts().interrupted) return EXIT_INTERRUPTED;
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
