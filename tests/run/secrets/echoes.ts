/** Answers that give back everything that a request held, in every place of an answer. */
import type { Behaviour, Call, Forwarded } from '../../../proof/hostile/target.ts';
import { reply } from '../../../proof/hostile/target.ts';

/** What a request held that somebody might give back: whole, and its secrets one by one. */
function heldBy({ request, body }: Call): { whole: string; parts: string[] } {
  const url = new URL(request.url ?? '/', 'http://target');
  const authorization = request.headers.authorization ?? '';
  const form = new URLSearchParams(body.toString());
  const parts = [
    authorization,
    authorization.replace(/^Bearer /, ''),
    ...url.searchParams.values(),
    ...(request.headers['content-type']?.includes('urlencoded') ? form.values() : []),
    ...Object.entries(request.headers)
      .filter(([name]) => name.startsWith('x-'))
      .map(([, value]) => String(value)),
    ...(body.toString().match(/"(?:[^"\\]|\\.)*"|\d+/g) ?? []),
  ].filter((part) => part !== '');
  return {
    whole: `${request.method} ${request.url} ${authorization} ${JSON.stringify(request.headers)} ${body}`,
    parts,
  };
}

/** A header can carry no more than visible Latin-1. */
const forHeader = (text: string) => encodeURI(text).slice(0, 4000);

const base64 = (text: string) => Buffer.from(text).toString('base64');
const html = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

type Echo = (held: { whole: string; parts: string[] }, turn: number) => Omit<Forwarded, 'body'> & { body: string };

const json = (status: number, value: unknown, headers: Forwarded['headers'] = {}) => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
});

/** The places, one after the other. */
const ECHOES: Echo[] = [
  ({ whole, parts }) =>
    json(200, { results: parts.map((identifier) => ({ identifier, name: identifier })), echo: whole }),
  ({ whole, parts }) =>
    json(
      400,
      parts.map((part) => ({ errorCode: part, errorMessage: whole, fieldName: part })),
    ),
  ({ whole }) => ({
    status: 302,
    headers: { location: `http://elsewhere.invalid/?from=${encodeURIComponent(whole)}` },
    body: '',
  }),
  ({ whole }) => ({ status: 500, headers: { 'content-type': 'text/html' }, body: `<pre>${html(whole)}</pre>` }),
  ({ parts }) =>
    json(401, [], {
      'www-authenticate': `Bearer error="invalid_token", error_description="${forHeader(parts.join(' '))}"`,
    }),
  ({ whole }) => ({ status: 400, headers: { 'content-type': 'text/plain' }, body: base64(whole) }),
  ({ parts }) => ({ status: 400, headers: { 'content-type': 'text/plain' }, body: parts.map(base64).join(' ') }),
  ({ parts }) => json(200, Object.fromEntries(parts.map((part, index) => [part, { [part]: index }]))),
  ({ whole }, turn) => json(200, { identifier: `${'a'.repeat(100 + (turn % 100))}${whole}`, status: { is: whole } }),
  ({ whole }, turn) => json(200, { filler: 'a'.repeat(8000 + (turn % 190)), rest: whole }),
  ({ parts }) => json(400, { error: parts[0] ?? '', error_description: JSON.stringify(JSON.stringify(parts)) }),
  ({ parts }) =>
    json(200, [], {
      'set-cookie': parts.map((part, index) => `c${index}=${forHeader(part)}`),
      etag: forHeader(parts.join()),
    }),
  ({ parts }) => ({
    status: 200,
    headers: { 'content-type': `application/${encodeURIComponent(parts[0] ?? 'x')}` },
    body: parts.join('\n'),
  }),
  ({ whole }) =>
    json(200, JSON.parse(`{"items":[{"customerId":${JSON.stringify(whole)}}],"balance":${JSON.stringify(whole)}}`)),
];

let turn = 0;

/** Another place with each request. */
export const echoing: Behaviour = (call) => {
  turn++;
  const { status, headers, body } = ECHOES[turn % ECHOES.length]!(heldBy(call), turn);
  reply(call.response, { status, headers, body: Buffer.from(body) });
};

/** The sandbox's own answer with the request in a header, in a member, and in every error message. */
export const alsoEchoing: Behaviour = async (call) => {
  const answer = await call.forward();
  const { whole, parts } = heldBy(call);
  const headers = { ...answer.headers, 'x-request': forHeader(whole), 'x-parts': forHeader(parts.join(' ')) };
  const text = answer.body.toString();
  const isObject = text.startsWith('{') && text !== '{}';
  const body = isObject
    ? `{"debugging":${JSON.stringify(whole)},${text.slice(1)}`
    : text.replaceAll(/"errorMessage":"/g, `"errorMessage":${JSON.stringify(whole).slice(0, -1)} `);
  reply(call.response, { ...answer, headers, body: Buffer.from(body) });
};
