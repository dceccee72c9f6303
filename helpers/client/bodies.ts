/** Parses the bodies of answers, within a budget of memory for all that are still in use. */
import type { Answer } from '../answer.ts';
import { type JsonRead, type JsonRefused, NoRoom, readJson } from '../json.ts';
import { TransportError, type WireAnswer } from './http/types.ts';

/** Memory for all parsed bodies together, in bytes: half of what a worker has. */
const MOST_MEMORY = 512 * 1024 * 1024;
/** Memory of an ordinary body, as of a listing of 50 entries, in bytes: there is always room for one. */
const ORDINARY = 256 * 1024;

type FromWire = Pick<Answer, 'status' | 'headers' | 'bytes' | 'json' | 'sentAt' | 'answeredAt'>;

/** The parsed bodies of a run, or of the doctor. Checks keep the answers that they examine, so their sizes add up. */
export class Bodies {
  #inUse = 0;
  readonly #unused = new FinalizationRegistry<number>((memory) => {
    this.#inUse -= memory;
  });

  /** What the wire gives of an answer, with its body parsed. @throws TransportError as {@link read} */
  answered({ status, headers, body, sentAt, durationMs }: WireAnswer): FromWire {
    return { status, headers, bytes: body, json: this.read(body, status), sentAt, answeredAt: sentAt + durationMs };
  }

  /** Parses a body; undefined for zero bytes. @throws TransportError when there is no room for it, or it is beyond what is read */
  read(bytes: Buffer, status: number): JsonRead | JsonRefused | undefined {
    if (bytes.length === 0) return undefined;
    try {
      const json = readJson(bytes, Math.max(ORDINARY, MOST_MEMORY - this.#inUse));
      if (!json.ok && json.isBeyondLimit)
        throw new TransportError('too-large', `the body of the answer is not read: ${json.reason}`, status);
      const memory = bytes.length + (json.ok ? json.memory : 0);
      this.#inUse += memory;
      // Facts may keep the value without the rest of the answer.
      this.#unused.register(json.ok && typeof json.plain === 'object' && json.plain ? json.plain : json, memory);
      return json;
    } catch (error) {
      if (!(error instanceof NoRoom)) throw error;
      throw new TransportError(
        'no-room',
        `the body of ${bytes.length} bytes is not read: with the earlier ones it would take more than ${MOST_MEMORY / 1024 / 1024} MiB of memory`,
        status,
      );
    }
  }
}
