/** A client for the part of a Pact Broker's HTTP interface that publishes pacts and verification results. */
import { EnvHttpProxyAgent, fetch } from 'undici';

const TIMEOUT_MS = 30_000;

/** The address of a Pact Broker, and the branches to publish under. */
export interface BrokerSettings {
  baseUrl: URL;
  /** Value of the Authorization header; a secret. */
  authorization: string | undefined;
  consumerBranch: string;
  providerBranch: string;
}

/** The broker could not be reached, or refused a request; the message names its address. */
export class BrokerError extends Error {}

/**
 * Settings from the variables of Pact's own tools; undefined if PACT_BROKER_BASE_URL is not set.
 * @throws BrokerError that names the faulty variable
 */
export function brokerSettings(env: Record<string, string | undefined>): BrokerSettings | undefined {
  const text = env.PACT_BROKER_BASE_URL;
  if (!text) return undefined;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new BrokerError('PACT_BROKER_BASE_URL: must be an http or https address');
  const baseUrl = new URL(text.endsWith('/') ? text : `${text}/`);
  if (baseUrl.username || baseUrl.password)
    throw new BrokerError('PACT_BROKER_BASE_URL: credentials belong in PACT_BROKER_USERNAME and PACT_BROKER_PASSWORD');
  return {
    baseUrl,
    authorization: authorizationOf(env),
    consumerBranch: env.PACT_CONSUMER_BRANCH || 'main',
    providerBranch: env.PACT_PROVIDER_BRANCH || 'main',
  };
}

function authorizationOf(env: Record<string, string | undefined>): string | undefined {
  const { PACT_BROKER_TOKEN: token, PACT_BROKER_USERNAME: username, PACT_BROKER_PASSWORD: password } = env;
  if (token && username) throw new BrokerError('PACT_BROKER_TOKEN, PACT_BROKER_USERNAME: set one of them');
  if (username && !password)
    throw new BrokerError('PACT_BROKER_PASSWORD: not set, but required by PACT_BROKER_USERNAME');
  if (token) return `Bearer ${token}`;
  return username ? `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` : undefined;
}

/** A pact and its place in a broker. */
export interface PublishedPact {
  consumer: string;
  consumerVersion: string;
  provider: string;
  pact: unknown;
}

/** One verified interaction, in the broker's format. */
export interface TestResult {
  interactionDescription: string;
  success: boolean;
  mismatches?: { description: string }[];
}

/** A client of one broker; uses the environment's proxy, if any. */
export class Broker {
  readonly #settings: BrokerSettings;
  readonly #dispatcher = new EnvHttpProxyAgent();

  constructor(settings: BrokerSettings) {
    this.#settings = settings;
  }

  /** Publishes pacts of one consumer version, with its branch. @throws BrokerError */
  async publishPacts(pacts: readonly PublishedPact[]): Promise<void> {
    const { consumer, consumerVersion } = pacts[0]!;
    await this.#send('POST', 'contracts/publish', {
      pacticipantName: consumer,
      pacticipantVersionNumber: consumerVersion,
      branch: this.#settings.consumerBranch,
      contracts: pacts.map(({ provider, pact }) => ({
        consumerName: consumer,
        providerName: provider,
        specification: 'pact',
        contentType: 'application/json',
        content: Buffer.from(JSON.stringify(pact)).toString('base64'),
      })),
    });
  }

  /** Publishes the result of verifying a published pact, for a provider version with its branch. @throws BrokerError */
  async publishVerification(
    { consumer, consumerVersion, provider }: PublishedPact,
    providerVersion: string,
    testResults: readonly TestResult[],
  ): Promise<void> {
    const name = encodeURIComponent;
    await this.#send(
      'PUT',
      `pacticipants/${name(provider)}/branches/${name(this.#settings.providerBranch)}/versions/${name(providerVersion)}`,
      {},
    );
    const pact = (await this.#send(
      'GET',
      `pacts/provider/${name(provider)}/consumer/${name(consumer)}/version/${name(consumerVersion)}`,
    )) as { _links?: Record<string, { href?: string }> };
    const link = pact._links?.['pb:publish-verification-results']?.href;
    if (!link) throw new BrokerError(`${this.#address} has no link to publish verification results`);
    await this.#send('POST', link, {
      success: testResults.every(({ success }) => success),
      providerApplicationVersion: providerVersion,
      verifiedBy: { implementation: consumer, version: consumerVersion },
      testResults,
    });
  }

  async close(): Promise<void> {
    await this.#dispatcher.close();
  }

  get #address(): string {
    return `the Pact Broker at ${this.#settings.baseUrl.href}`;
  }

  async #send(method: string, path: string, body?: unknown): Promise<unknown> {
    const { baseUrl, authorization } = this.#settings;
    const url = new URL(path, baseUrl);
    if (url.origin !== baseUrl.origin) throw new BrokerError(`${this.#address} links to another host, ${url.host}`);
    try {
      const response = await fetch(url, {
        method,
        headers: {
          accept: 'application/hal+json, application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(authorization === undefined ? {} : { authorization }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        dispatcher: this.#dispatcher,
      });
      const text = await response.text();
      if (!response.ok)
        throw new BrokerError(`${this.#address} answers ${response.status} to ${method} ${url.pathname}`);
      return text === '' ? undefined : JSON.parse(text);
    } catch (error) {
      if (error instanceof BrokerError) throw error;
      const cause = ((error as Error).cause as Error | undefined)?.message || (error as Error).message;
      throw new BrokerError(`${this.#address} cannot be reached or read: ${cause}`);
    }
  }
}
