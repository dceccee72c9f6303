/** Writes exchanges as HTTP Archive as they are, secrets included: for whoever asked for that. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { writeFileJson } from '../files/json.ts';
import type { Headers, Recorded } from './recorded.ts';

/** An archive that is written entry by entry, and is whole once it is closed. */
export class RawHar {
  readonly #descriptor: number;
  #isFirst = true;

  /** @throws Error with the system's code */
  constructor(file: string) {
    // Nobody else of this machine may read it.
    this.#descriptor = openSync(file, 'w', 0o600);
    writeSync(
      this.#descriptor,
      '{"log":{"version":"1.2","creator":{"name":"prepaid-card-conformance","version":"1"},"entries":[',
    );
  }

  add(recorded: Recorded): void {
    writeSync(this.#descriptor, `${this.#isFirst ? '' : ','}\n${writeFileJson(entryOf(recorded))}`);
    this.#isFirst = false;
  }

  close(): void {
    writeSync(this.#descriptor, '\n]}}\n');
    closeSync(this.#descriptor);
  }
}

const pairs = (headers: Headers) =>
  Object.entries(headers).flatMap(([name, values]) => [values].flat().map((value) => ({ name, value })));

function entryOf({ method, url, request, response, sentAt = 0, durationMs }: Recorded) {
  const { status, headers, body } = response;
  const sent = request.body;
  return {
    startedDateTime: new Date(sentAt).toISOString(),
    time: durationMs,
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(request.headers),
      queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
      ...(sent && { postData: { mimeType: String(request.headers['content-type'] ?? ''), text: sent.toString() } }),
      headersSize: -1,
      bodySize: sent?.length ?? 0,
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(headers),
      content: {
        size: body?.length ?? -1,
        mimeType: String(headers['content-type'] ?? ''),
        ...(body && { text: body.toString('base64'), encoding: 'base64' }),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
  };
}
