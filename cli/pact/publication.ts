/** Publishes pacts and their verification to a Pact Broker. */
import { CONTRACTS_VERSION } from '../../contracts/publish/version.ts';
import { Broker, type BrokerSettings, type PublishedPact } from './broker.ts';
import { CONSUMER, EDITIONS, type Edition, PROVIDERS } from './interaction.ts';
import type { Pact, PactResult } from './verification.ts';

/**
 * Publishes both pacts, and each verification that is complete or failed: a broker knows only success and failure, and
 * an incomplete verification is no success.
 * @returns what was published, a line per pact
 * @throws BrokerError that names the broker's address
 */
export async function publishToBroker(
  settings: BrokerSettings,
  providerVersion: string,
  pacts: Readonly<Record<Edition, Pact>>,
  results: readonly PactResult[],
): Promise<string[]> {
  const broker = new Broker(settings);
  const published = (edition: Edition): PublishedPact => ({
    consumer: CONSUMER,
    consumerVersion: CONTRACTS_VERSION,
    provider: PROVIDERS[edition],
    pact: pacts[edition],
  });
  const lines: string[] = [];
  try {
    await broker.publishPacts(EDITIONS.map(published));
    for (const edition of EDITIONS) {
      const provider = PROVIDERS[edition];
      const ofPact = results.filter((result) => result.provider === provider);
      const tried = ofPact.filter(({ verdict }) => verdict === 'passed' || verdict === 'failed');
      if (tried.length < ofPact.length && tried.every(({ verdict }) => verdict === 'passed')) {
        lines.push(`${provider}: pact published, but not its verification, since some interactions were not verified`);
        continue;
      }
      await broker.publishVerification(published(edition), providerVersion, tried.map(testResult));
      lines.push(`${provider}: pact and verification published`);
    }
  } finally {
    await broker.close();
  }
  return lines;
}

const testResult = ({ interaction, verdict, message }: PactResult) => ({
  interactionDescription: interaction,
  success: verdict === 'passed',
  ...(message ? { mismatches: [{ description: message }] } : {}),
});
