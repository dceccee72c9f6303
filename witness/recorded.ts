/** Exchanges that others made: what every source of them, a file or a proxy, comes down to. */
import type { Intent, Wrong } from '../helpers/answer.ts';

/** A request and its answer as they went over the wire, as far as a source knows them. */
export interface Recorded {
  /** The recording that holds it; undefined for what passes a proxy. */
  recording?: string | undefined;
  method: string;
  /** Absolute address. */
  url: string;
  /** Without a body, where it had none, or where the source has not the whole of it. */
  request: { headers: Headers; body?: Buffer; isBodyLeftOut?: boolean; areHeadersLeftOut?: boolean };
  response: {
    /** 0 where there was none. */
    status: number;
    headers: Headers;
    /** Decoded; undefined where the source has not the whole of it. */
    body: Buffer | undefined;
  };
  /** When the request was sent, in milliseconds since the epoch; undefined where that is not known. */
  sentAt: number | undefined;
  /** From then to the last byte, in milliseconds. */
  durationMs: number;
  /** By how much times may be rounded, in milliseconds; 1 by default. */
  resolutionMs?: number;
  /** What a record of this suite knows besides. */
  own?: Own | undefined;
}

/** By how much a record of this suite rounds times, in milliseconds. */
export const OWN_RESOLUTION_MS = 0.1;

/** Headers, keyed by lower-case name. */
export type Headers = Record<string, string | string[]>;

/** What a run of this suite wrote down about an exchange: secrets are masked in it, so that numbers stand for sessions and tokens. */
export interface Own {
  operation: string;
  intent: Intent;
  wrong?: Wrong | undefined;
  credential?: string | undefined;
  gives?: string | undefined;
}

/** The first value of a header; undefined where there is none. @param name in lower case */
export const headerIn = (headers: Headers, name: string): string | undefined => [headers[name] ?? []].flat()[0];

/** RFC 9110 section 9.1. */
const METHOD = /^[!#$%&'*+.^_`|~\dA-Za-z-]{1,40}$/;
/** Length in characters up to which an address is read: many times what servers take. */
const LONGEST_ADDRESS = 64 * 1024;

/** Why something cannot be a request over HTTP, to complete a sentence; undefined where it can. */
export function faultIn({ method, url }: Pick<Recorded, 'method' | 'url'>): string | undefined {
  if (!METHOD.test(method)) return 'has no method of HTTP';
  if (url.length > LONGEST_ADDRESS) return `has an address of more than ${LONGEST_ADDRESS} characters`;
  return /^https?:/i.test(url) && URL.canParse(url) ? undefined : 'has no address of HTTP';
}
