/** Reads the exchanges of a report directory of this suite, so that an old run is judged by today's catalogue. */
import type { Exchange } from '../contracts/record.ts';
import { MARKER } from '../contracts/redaction.ts';
import type { Intent } from '../helpers/answer.ts';
import { readJson } from '../helpers/json.ts';
import type { OddEntry } from './archive.ts';
import { faultIn, type Headers, OWN_RESOLUTION_MS, type Own, type Recorded } from './recorded.ts';

/** What a run knew of an exchange. */
const ownIn = ({ operation, intent, wrong, credential, gives }: Exchange): Own => ({
  operation,
  intent: intent as Intent,
  ...(wrong && { wrong }),
  ...(credential && { credential }),
  ...(gives && { gives }),
});

/** A recorded exchange of a run; an answer that was cut is not whole. @param recording what it is said to come from */
export function recordedIn(exchange: Exchange, recording: string): Recorded | OddEntry {
  const { request, response, startedAt, durationMs } = exchange;
  const fault = faultIn(request);
  if (fault) return { odd: `${exchange.id} of ${recording} ${fault}` };
  const sentAt = exchange.sentAt ?? Date.parse(startedAt);
  return {
    recording,
    method: request.method,
    url: request.url,
    request: {
      headers: lowerCase(request.headers),
      ...(isBroken(request.body)
        ? { isBodyLeftOut: true }
        : request.body !== null && { body: Buffer.from(request.body) }),
    },
    response: {
      status: response?.status ?? 0,
      headers: lowerCase(response?.headers ?? {}),
      body: response?.truncated || isBroken(response?.body) ? undefined : Buffer.from(response?.body ?? ''),
    },
    sentAt: Number.isNaN(sentAt) ? undefined : sentAt,
    durationMs,
    ...(exchange.sentAt !== undefined && { resolutionMs: OWN_RESOLUTION_MS }),
    own: ownIn(exchange),
  };
}

/** A mask in place of a number, such as one that looks like a card's. */
const NUMBER_MASKED = new RegExp(`[:,[]\\s*${MARKER}`);

/** Whether a body is JSON no more, since a number in it was masked. */
const isBroken = (text: string | null | undefined): boolean =>
  typeof text === 'string' && NUMBER_MASKED.test(text) && !readJson(Buffer.from(text)).ok;

const lowerCase = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
