/** The transport under test. */
import { onTestFinished } from 'vitest';
import { Transport } from '../../../helpers/client/http/transport.ts';
import { type SendOptions, TransportError, type TransportOptions } from '../../../helpers/client/http/types.ts';

export const SAFE: SendOptions = { retryUnanswered: true, queue: 'v3' };
export const CHANGING: SendOptions = { retryUnanswered: false, queue: 'v3' };

export function transport(options: Partial<TransportOptions> = {}): Transport {
  const { signal } = new AbortController();
  const made = new Transport({ concurrency: 8, rate: 0, timeoutMs: 5000, signal, ...options });
  onTestFinished(() => made.close());
  return made;
}

export const get = (by: Transport, url: string, options = SAFE, headers: Record<string, string> = {}) =>
  by.send({ method: 'GET', url, headers }, options);

/** The error that the promise is rejected with, which must be a TransportError. */
export async function failureOf(promise: Promise<unknown>): Promise<TransportError> {
  const error: unknown = await promise.then(() => null).catch((rejected: unknown) => rejected);
  if (error instanceof TransportError) return error;
  throw new Error('no TransportError came', { cause: error });
}

/** The error of a GET with a transport of its own. */
export const failureAt = (url: string, options = CHANGING, of: Partial<TransportOptions> = {}) =>
  failureOf(get(transport(of), url, options));

/** The distinct statuses of many requests made at once. */
export async function statusesOf(count: number, by: Transport, url: string, optionsOf = (_index: number) => SAFE) {
  const answers = await Promise.all(Array.from({ length: count }, (_, index) => get(by, url, optionsOf(index))));
  return [...new Set(answers.map(({ status }) => status))];
}
