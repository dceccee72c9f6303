/** What a configuration says of how the target is asked, and of what is never to be written. */
import { configurationSecrets } from '../configuration/index.ts';
import type { Configuration } from '../configuration/types.ts';
import { createRedactor } from '../evidence/redaction/redactor.ts';
import type { Redactor } from '../evidence/redaction/types.ts';
import { createTransport } from './http/transport.ts';
import type { Transport, TransportOptions } from './http/types.ts';

/** Listings of the documents hold 50 entries: what is larger than this is no answer of theirs. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** A transport within the configured limits, with the configured client certificate. */
export function configuredTransport(
  { target, run }: Configuration,
  options: Pick<TransportOptions, 'signal' | 'onWait' | 'timeLeftMs'> & { timeoutMs?: number },
): Transport {
  return createTransport({
    concurrency: run.concurrency,
    rate: run.rate,
    timeoutMs: run.timeoutMs,
    maxBodyBytes: MAX_BODY_BYTES,
    clientCert: target.clientCert,
    clientKey: target.clientKey,
    ...options,
  });
}

/** A redactor that knows the secrets of the configuration. */
export function configuredRedactor(configuration: Configuration): Redactor {
  const redactor = createRedactor({ personalData: configuration.run.personalData });
  for (const { label, value } of configurationSecrets(configuration)) redactor.learn(value, label);
  for (const name of Object.keys(configuration.target.headers)) redactor.learnHeader(name);
  return redactor;
}
