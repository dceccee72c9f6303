/** What recordings leave out: bodies, headers, credentials, whole answers. What a recorder may have left out accuses nobody. */
import type { Operation } from '../contracts/operation.ts';
import type { LeftOut } from '../helpers/answer.ts';
import { type Headers, headerIn, type Recorded } from './recorded.ts';

/** What cleaners of recordings, and redaction, leave of a secret: no value tells two of them apart. */
const MASKED = /redact|remove|filter|mask|hidden|secret|\*{3}|…|^\W*$|^x+$|^[<[{(].*[>\])}]$/i;
/** Length from which a text is none that a cleaner leaves. */
const LONGEST_MASK = 200;

/** Whether a text was masked before it got here. */
export const isMasked = (text: string): boolean => text.length < LONGEST_MASK && MASKED.test(text);

/** A value without the texts in it that were masked. */
export function withoutMasked(value: unknown): unknown {
  if (typeof value === 'string') return isMasked(value) && value !== '' ? undefined : value;
  if (Array.isArray(value)) return value.map(withoutMasked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, inner]) => [name, withoutMasked(inner)] as const)
      .filter(([, inner]) => inner !== undefined),
  );
}

/** What a recording says of the body of a message. */
export interface SaidOfBody {
  headers: Headers;
  /** Bytes of it that are there; undefined where there is nothing in its place. */
  heldBytes: number | undefined;
  /** Whether what is there is a whole JSON text: one that is shorter than it was has been cleaned, not cut. */
  isJson: () => boolean;
  /** Its size in bytes, and that on the wire, as the recording gives them; a negative one is not known. */
  size: unknown;
  wireSize?: unknown;
}

/** Headers of a message that has a body. */
const OF_BODIES = ['content-type', 'content-encoding', 'transfer-encoding'];

/**
 * Whether a recording left a body out, or part of it. Recorders write no body, an empty one or none of its sizes in its place, so a body is known
 * to be empty only where Content-Length says so (RFC 9110 section 8.6), or where the sizes do and no header, of which there are some, speaks of a body.
 */
export function isBodyLeftOut({ headers, heldBytes, isJson, size, wireSize }: SaidOfBody): boolean {
  if (heldBytes) return Number(size) > heldBytes && !isJson();
  const length = headerIn(headers, 'content-length')?.trim();
  const sizes = [size, wireSize];
  if ([length, ...sizes].some((one) => Number(one) > 0)) return true;
  if (length === '0') return false;
  const given = sizes.filter((one) => typeof one === 'number');
  const speaksOfBody = Object.keys(headers).length === 0 || OF_BODIES.some((name) => headers[name] !== undefined);
  return !given.includes(0) || (speaksOfBody && (heldBytes === undefined || given.some((one) => one !== 0)));
}

/** A member of a body, other than a credential, in whose place a cleaner put a word: neither its type nor its value are known. */
const MASKED_MEMBER =
  /"(?!(?:access_token|refresh_token|id_token|sessionId|token)")\w{1,40}"\s{0,9}:\s{0,9}"(?:[[<(](?:redacted|filtered|removed|masked|hidden|scrubbed)[\])>]|\*{3,40})"/i;

/** What is left out of an exchange with an operation. @param isRead whether there was room to read the answer's body */
export function leftOutOf(
  { recording, own, request, response }: Recorded,
  operation: Operation,
  isRead: boolean,
): LeftOut {
  const mayBeCleaned = recording !== undefined && own === undefined;
  return {
    request: request.isBodyLeftOut === true && operation.body !== undefined,
    headers: Object.keys(response.headers).length === 0,
    body:
      !isRead || response.body === undefined || (mayBeCleaned && MASKED_MEMBER.test(response.body.toString('latin1'))),
  };
}

/** A credential that a request may hold. */
export type Credential = 'token' | 'session';

/**
 * Which credentials each recording holds. Where one holds no token, or no session, it may have been cleaned of them: that a request has none
 * shows something only beside others in the same recording.
 */
export class CredentialsHeld {
  readonly #held = new Map<string | undefined, Set<Credential>>();

  note({ recording, request: { headers }, url }: Recorded): void {
    const held = this.#held.get(recording) ?? new Set();
    this.#held.set(recording, held);
    if (headerIn(headers, 'authorization')) held.add('token');
    if (/[?&]sessionId=[^&#]/.test(url)) held.add('session');
  }

  /** Whether the absence of a credential shows something. */
  isHeld(recording: string | undefined, credential: Credential): boolean {
    return this.#held.get(recording)?.has(credential) ?? false;
  }
}
