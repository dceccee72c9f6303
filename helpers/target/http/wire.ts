/** One request and its answer on the wire: whole-time limit, size limit, decoding. No retries, no redirects. */
import type { Dispatcher } from 'undici';
import { ACCEPTED_ENCODINGS, decodeBody, tooLarge } from './decode.ts';
import { transportErrorOf } from './failure.ts';
import { TransportError, type WireAnswer, type WireRequest } from './types.ts';

export interface WireLimits {
  timeoutMs: number;
  maxBodyBytes: number;
}

export type SingleAnswer = Omit<WireAnswer, 'retries'>;

/** @throws TransportError when no whole answer came in time. */
export async function exchangeOnWire(
  dispatcher: Dispatcher,
  request: WireRequest,
  limits: WireLimits,
): Promise<SingleAnswer> {
  const url = new URL(request.url);
  const startedAt = new Date();
  const start = performance.now();
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), limits.timeoutMs);
  let status: number | null = null;
  try {
    const answer = await dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: request.method,
      headers: { 'accept-encoding': ACCEPTED_ENCODINGS, ...request.headers },
      body: request.body,
      signal: timeout.signal,
    });
    status = answer.statusCode;
    const headers = answer.headers as WireAnswer['headers'];
    const encoded = await readBody(answer.body, status, limits.maxBodyBytes);
    const body = decodeBody(encoded, headers, status, limits.maxBodyBytes);
    return { status, headers, body, startedAt, durationMs: performance.now() - start };
  } catch (cause) {
    const error = timeout.signal.aborted
      ? new TransportError('timeout', timeoutMessage(url.host, limits.timeoutMs, status), status)
      : transportErrorOf(cause, url.host, status);
    error.startedAt = startedAt;
    error.durationMs = performance.now() - start;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function timeoutMessage(host: string, timeoutMs: number, status: number | null): string {
  const what = status === null ? 'no answer' : `no whole answer (status ${status})`;
  return `${host}: ${what} within ${timeoutMs} ms`;
}

async function readBody(stream: Dispatcher.ResponseData['body'], status: number, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Leaving the loop destroys the stream, and with it the connection.
    if (size > maxBytes) throw tooLarge(maxBytes, status);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}
