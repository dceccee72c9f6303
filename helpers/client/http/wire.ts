/** Exchanges one request and its answer: limits on time and size, decoding. No retries, no redirects. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { ACCEPTED_ENCODINGS, decodeBody, tooLarge } from './decode.ts';
import { transportErrorOf } from './failure.ts';
import { TransportError, type WireAnswer, type WireRequest } from './types.ts';

/** The answer to one attempt. */
export type SingleAnswer = Omit<WireAnswer, 'retries'>;

/**
 * @param timeoutMs limit from connecting to the last byte
 * @param maxBodyBytes limit of the body, also once it is decoded
 * @throws TransportError when no complete answer arrives in time
 */
export async function exchangeOnWire(
  dispatcher: Dispatcher,
  url: URL,
  request: WireRequest,
  timeoutMs: number,
  maxBodyBytes: number,
): Promise<SingleAnswer> {
  const start = performance.now();
  const sentAt = performance.timeOrigin + start;
  const collecting = new Collecting(url.host, timeoutMs, maxBodyBytes);
  try {
    dispatcher.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method,
        headers: { 'accept-encoding': ACCEPTED_ENCODINGS, ...request.headers },
        body: request.body,
      },
      collecting,
    );
    const { status, headers, encoded } = await collecting.answer;
    const body = decodeBody(encoded, headers, status, maxBodyBytes);
    return { status, headers, body, sentAt, durationMs: performance.now() - start };
  } catch (cause) {
    const error = transportErrorOf(cause, url.host, collecting.status);
    error.sentAt = sentAt;
    error.durationMs = performance.now() - start;
    throw error;
  } finally {
    collecting.end();
  }
}

/** Collects an answer as it arrives, without undici's streams, which would take longer than everything else. */
class Collecting implements Dispatcher.DispatchHandler {
  /** Status of an answer that has begun; null before. */
  status: number | null = null;
  readonly answer: Promise<{ status: number; headers: WireAnswer['headers']; encoded: Buffer }>;
  readonly #answered = Promise.withResolvers<Awaited<typeof this.answer>>();
  readonly #maxBodyBytes: number;
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #failure: TransportError | undefined;
  #headers: WireAnswer['headers'] = {};
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(host: string, timeoutMs: number, maxBodyBytes: number) {
    this.answer = this.#answered.promise;
    this.#maxBodyBytes = maxBodyBytes;
    const isLate = () =>
      this.#fail(new TransportError('timeout', timeoutMessage(host, timeoutMs, this.status), this.status));
    this.#timer = setTimeout(isLate, timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#failure) controller.abort(this.#failure);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // Informational answers precede the final one.
    if (status < 200) return;
    this.status = status;
    this.#headers = headers as WireAnswer['headers'];
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxBodyBytes) this.#fail(tooLarge(this.#maxBodyBytes, this.status!));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const encoded = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    this.#answered.resolve({ status: this.status!, headers: this.#headers, encoded });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#answered.reject(error);
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  /** Closes the connection, since the rest of the answer is not needed. */
  #fail(error: TransportError): void {
    this.#failure = error;
    this.#chunks = [];
    this.#answered.reject(error);
    this.#controller?.abort(error);
  }
}

function timeoutMessage(host: string, timeoutMs: number, status: number | null): string {
  const what = status === null ? 'no answer' : `no whole answer (status ${status})`;
  return `${host}: ${what} within ${timeoutMs} ms`;
}
