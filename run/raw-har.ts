/** Writes exchanges as HTTP Archive as they are, secrets included: for whoever asked for that. */
import { writeFileJson } from '../files/json.ts';
import { type LineFile, makePrivateLines } from '../files/write.ts';
import { name, version } from '../helpers/manifest.ts';
import { harEntry } from '../reports/har.ts';
import type { Recorded } from '../witness/recorded.ts';

/** An archive that is written entry by entry, each completely or not at all, and is whole once it is closed. */
export class RawHar {
  readonly #lines: LineFile;
  readonly #onFailure: (reason: string) => void;
  #entries = 0;
  #missing = 0;

  /**
   * @param onFailure called when an entry cannot be written, for the first time, and at the end with their number
   * @throws UnusableFile when something other than a file or a link is in its place
   * @throws Error with the system's code
   */
  constructor(file: string, onFailure: (reason: string) => void) {
    this.#onFailure = onFailure;
    this.#lines = makePrivateLines(file);
    this.#lines.write(`{"log":{"version":"1.2","creator":${writeFileJson({ name, version })},"entries":[`);
  }

  add(recorded: Recorded): void {
    try {
      this.#lines.write(`${this.#entries === 0 ? '' : ','}${writeFileJson(entryOf(recorded))}`);
      this.#entries++;
    } catch (error) {
      if (this.#missing === 0) this.#onFailure(`an exchange cannot be written (${(error as Error).message})`);
      this.#missing++;
    }
  }

  close(): void {
    try {
      this.#lines.write(']}}');
    } catch (error) {
      this.#onFailure(`its end cannot be written (${(error as Error).message})`);
    }
    this.#lines.close();
    if (this.#missing > 0) this.#onFailure(`${this.#missing} exchanges are missing in it`);
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
