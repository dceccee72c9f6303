/** Reads the executions of a run of newman, as its reporter `json` exports them, as entries of an HTTP Archive. They have no times. */
import { isObject } from '../helpers/answer.ts';

/** Whether something in a recording is an execution of newman, whose addresses are objects. */
export const isExecution = (value: unknown): value is Execution =>
  isObject(value) && isObject(value.request) && isObject(value.request.url);

interface Execution {
  request: Record<string, unknown> & { url: Record<string, unknown> };
  response?: unknown;
}

/** An execution as an entry; its parts may be anything. */
export function entryOfExecution({ request, response }: Execution): Record<string, unknown> {
  const { code, header, stream, responseTime } = isObject(response) ? response : {};
  return {
    time: responseTime,
    request: {
      method: request.method,
      url: addressOf(request.url),
      headers: pairsOf(request.header),
      ...bodyOf(request.body),
    },
    response: { status: code, headers: pairsOf(header), content: contentOf(stream) },
  };
}

/** Names and values; those that were disabled were not sent. */
const pairsOf = (list: unknown): { name: unknown; value: unknown }[] =>
  listIn(list)
    .filter(isObject)
    .filter(({ disabled }) => disabled !== true)
    .map(({ key, value }) => ({ name: key, value: value ?? '' }));

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function addressOf({ protocol = 'http', host, port, path, query }: Record<string, unknown>): string {
  const name = listIn(host).join('.');
  const parts = listIn(path).map((part) => `/${part}`);
  const pairs = pairsOf(query).map(({ name: key, value }) => `${key}=${value}`);
  return `${protocol}://${name}${port ? `:${port}` : ''}${parts.join('') || '/'}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
}

/** The body of a request: text, or pairs of a form. Another one is not known: that of a file, or of several parts. */
function bodyOf(body: unknown): object {
  const mode = isObject(body) ? body.mode : undefined;
  if (!isObject(body) || mode === undefined) return { bodySize: 0 };
  if (mode === 'raw') {
    const text = String(body.raw ?? '');
    return { postData: { text }, bodySize: Buffer.byteLength(text) };
  }
  if (mode === 'urlencoded')
    return { postData: { mimeType: 'application/x-www-form-urlencoded', params: pairsOf(body.urlencoded) } };
  return { postData: { comment: 'truncated: newman exports no body of this kind' } };
}

/** The body of an answer, whose bytes stand there as numbers. */
function contentOf(stream: unknown): object {
  const { data } = isObject(stream) ? stream : {};
  return Array.isArray(data)
    ? { size: data.length, text: Buffer.from(data).toString('base64'), encoding: 'base64' }
    : {};
}
