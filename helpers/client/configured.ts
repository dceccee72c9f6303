/** Builds the transport of a configuration. */
import type { Configuration } from '../configuration/types.ts';
import { createTransport } from './http/transport.ts';
import type { Transport, TransportOptions } from './http/types.ts';

/** Size limit of any body, in bytes: the documents' listings hold 50 entries, so a larger one is not one of them. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** A transport with the configured limits and client certificate. */
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
