/** What a configuration says of how the target is asked. */
import type { Configuration } from '../configuration/types.ts';
import { createTransport } from './http/transport.ts';
import type { Transport, TransportOptions } from './http/types.ts';

/** Listings of the documents hold 50 entries: what is larger than this is not one of them. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** A transport within the configured limits, with the configured client certificate. */
export function configuredTransport(
  { target, run }: Configuration,
  options: Pick<TransportOptions, 'signal' | 'onWait' | 'timeLeftMs' | 'dispatcher'> & { timeoutMs?: number },
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
