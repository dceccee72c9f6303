/** Writes exchanges as HTTP Archive as they are, secrets included: for whoever asked for that. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { writeFileJson } from '../files/json.ts';
import { name, version } from '../helpers/manifest.ts';
import { harEntry } from '../reports/har.ts';
import type { Recorded } from '../witness/recorded.ts';

/** An archive that is written entry by entry, and is whole once it is closed. */
export class RawHar {
  readonly #descriptor: number;
  #isFirst = true;

  /** @throws Error with the system's code */
  constructor(file: string) {
    // Nobody else of this machine may read it.
    this.#descriptor = openSync(file, 'w', 0o600);
    const creator = writeFileJson({ name, version });
    writeSync(this.#descriptor, `{"log":{"version":"1.2","creator":${creator},"entries":[`);
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

/** Bodies of answers are in base64: they need not be text. */
function entryOf({ method, url, request, response, sentAt = 0, durationMs }: Recorded) {
  const { status, headers, body } = response;
  const entry = harEntry({
    startedAt: new Date(sentAt).toISOString(),
    durationMs,
    request: { method, url, headers: request.headers, body: request.body?.toString() ?? null },
    response: {
      status,
      headers,
      body: body?.toString('base64') ?? null,
      bodyBytes: body?.length ?? -1,
      truncated: body === undefined,
    },
  });
  const content = { ...entry.response.content, ...(body && { encoding: 'base64' }) };
  return { ...entry, response: { ...entry.response, content } };
}
