/** Reads the exchanges of a report directory of this suite, so that an old run is judged by today's catalogue. */
import type { Exchange } from '../contracts/record.ts';
import type { Intent } from '../helpers/answer.ts';
import type { Headers, Own, Recorded } from './recorded.ts';

/** What a run knew of an exchange: also what a HAR of it says, see reports/har.ts. */
export const ownIn = ({ operation, intent, wrong, credential, gives }: Exchange): Own => ({
  operation,
  intent: intent as Intent,
  ...(wrong && { wrong }),
  ...(credential && { credential }),
  ...(gives && { gives }),
});

/** A recorded exchange of a run; an answer that was cut is not whole. */
export function recordedIn(exchange: Exchange): Recorded {
  const { request, response, startedAt, durationMs } = exchange;
  const sentAt = exchange.sentAt ?? Date.parse(startedAt);
  return {
    method: request.method,
    url: request.url,
    request: {
      headers: lowerCase(request.headers),
      ...(request.body === null ? {} : { body: Buffer.from(request.body) }),
    },
    response: {
      status: response?.status ?? 0,
      headers: lowerCase(response?.headers ?? {}),
      body: response?.truncated ? undefined : Buffer.from(response?.body ?? ''),
    },
    sentAt: Number.isNaN(sentAt) ? undefined : sentAt,
    durationMs,
    resolutionMs: exchange.sentAt === undefined ? 1 : 0.1,
    own: ownIn(exchange),
  };
}

const lowerCase = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
