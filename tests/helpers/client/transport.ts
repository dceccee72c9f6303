/** The transport under test. */
import { onTestFinished } from 'vitest';
import { Transport } from '../../../helpers/client/http/transport.ts';
import { type SendOptions, TransportError, type TransportOptions } from '../../../helpers/client/http/types.ts';

export const SAFE: SendOptions = { retryUnanswered: true, queue: 'v3' };
export const CHANGING: SendOptions = { retryUnanswered: false, queue: 'v3' };

export function transport(options: Partial<TransportOptions> = {}): Transport {
  const made = new Transport({
    concurrency: 8,
    rate: 0,
    timeoutMs: 5000,
    signal: new AbortController().signal,
    ...options,
  });
  onTestFinished(() => made.close());
  return made;
}

export function get(
  by: Transport,
  url: string,
  options: SendOptions = SAFE,
  headers: Record<string, string> = {},
): ReturnType<Transport['send']> {
  return by.send({ method: 'GET', url, headers }, options);
}

/** The error that the promise is rejected with, which must be a TransportError. */
export async function failureOf(promise: Promise<unknown>): Promise<TransportError> {
  const error = await promise.then(
    () => null,
    (rejected: unknown) => rejected,
  );
  if (error instanceof TransportError) return error;
  throw new Error('no TransportError came', { cause: error });
}
