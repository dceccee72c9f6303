/** Writes the exchanges of a run as HTTP Archive (HAR 1.2), which browsers, proxies and API clients can open. */
import type { Exchange } from '../contracts/record.ts';
import { writeFileJson } from '../files/json.ts';
import { writeNamedFile } from '../files/write.ts';
import type { RunRecord } from './record.ts';
import { reproductionsOf } from './reproductions.ts';
import { isSendable } from './script.ts';

/**
 * Writes the redacted exchanges of a run as HAR. What HTTP cannot carry is left out: a record may come from anybody.
 *
 * @param failure the requirement whose failure they show, if these alone are wanted
 * @throws RecordError when the exchanges cannot be read; Error when the requirement did not fail
 */
export function writeHar(record: RunRecord, file: string, failure?: string): void {
  const { name, version } = record.conformance.suite;
  const exchanges = failure === undefined ? record.exchanges() : showing(record, failure);
  const entries = [...exchanges].filter(isSendable).map(entryOf);
  writeNamedFile(file, `${writeFileJson({ log: { version: '1.2', creator: { name, version }, entries } }, 1)}\n`);
}

function showing(record: RunRecord, failure: string): Exchange[] {
  const reproductions = reproductionsOf(record);
  return reproductions.stepsOf(...reproductions.failureOf(failure));
}

/** An exchange as an archive holds it. */
type Archived = Pick<Exchange, 'startedAt' | 'durationMs' | 'request' | 'response' | 'error'>;

/** An entry of an archive. */
export function harEntry({ startedAt, durationMs, request, response, error }: Archived) {
  const typeIn = (headers: Headers) => [headerOf(headers, 'content-type') ?? ''].flat().join();
  return {
    startedDateTime: Number.isNaN(Date.parse(startedAt))
      ? new Date(0).toISOString()
      : new Date(startedAt).toISOString(),
    time: Math.max(0, durationMs),
    request: {
      method: request.method,
      url: asUri(request.url),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(request.headers),
      queryString: queryOf(request.url),
      ...(request.body === null ? {} : { postData: { mimeType: typeIn(request.headers), text: request.body } }),
      headersSize: -1,
      bodySize: request.body === null ? 0 : Buffer.byteLength(request.body),
    },
    response: {
      status: response?.status ?? 0,
      statusText: error?.kind ?? '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(response?.headers ?? {}),
      content: {
        size: response?.bodyBytes ?? 0,
        mimeType: typeIn(response?.headers ?? {}),
        // An empty text says that there was none; without any, it may have been left out.
        ...(response && (response.body !== null || !response.truncated) ? { text: response.body ?? '' } : {}),
        ...(response?.truncated ? { comment: 'truncated' } : {}),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: response?.bodyBytes ?? -1,
    },
    cache: {},
    timings: { send: 0, wait: Math.max(0, durationMs), receive: 0 },
  };
}

function entryOf(exchange: Exchange) {
  const { id, check, operation, intent, wrong, credential, gives, sentAt, error } = exchange;
  return {
    ...harEntry(exchange),
    // With it the archive is judged like the record itself.
    _prepaidCardConformance: { operation, intent, wrong, credential, gives, sentAt },
    comment: `${id} ${operation} (${intent}), ${check}${error ? `: ${error.message}` : ''}`,
  };
}

/** An address with the characters escaped that none may hold (RFC 3986 section 2). */
const asUri = (url: string): string => url.toWellFormed().replaceAll(/[^\x21-\x7e]+|["<>\\^`{|}]/g, encodeURIComponent);

type Headers = Exchange['request']['headers'];

const headerOf = (headers: Headers, name: string) =>
  Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1];

const pairs = (headers: Headers) =>
  Object.entries(headers).flatMap(([name, values]) => [values].flat().map((value) => ({ name, value })));

function queryOf(url: string) {
  const query = url.split('?', 2)[1];
  return query ? [...new URLSearchParams(query)].map(([name, value]) => ({ name, value })) : [];
}
