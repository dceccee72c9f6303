/** Answers that give back everything that a request held, in every place of an answer. */
import { type Behaviour, type Call, type Forwarded, reply } from '../../../proof/hostile/target.ts';

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
  const whole = `${request.method} ${request.url} ${authorization} ${JSON.stringify(request.headers)} ${body}`;
  return { whole, parts };
}

/** A header can carry no more than visible Latin-1. */
const forHeader = (text: string) => encodeURI(text).slice(0, 4000);

const base64 = (text: string) => Buffer.from(text).toString('base64');
const html = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

type Answer = Omit<Forwarded, 'body'> & { body: string };

const plain = (status: number, body: string, type = 'text/plain', headers: Forwarded['headers'] = {}): Answer => ({
  status,
  headers: { 'content-type': type, ...headers },
  body,
});
const json = (status: number, value: unknown, headers?: Forwarded['headers']) =>
  plain(status, JSON.stringify(value), 'application/json', headers);
const challenge = (text: string) => `Bearer error="invalid_token", error_description="${forHeader(text)}"`;

/** The places, one after the other. */
const ECHOES: ((held: { whole: string; parts: string[] }, turn: number) => Answer)[] = [
  ({ whole, parts }) => json(200, { results: parts.map((id) => ({ identifier: id, name: id })), echo: whole }),
  ({ whole, parts }) =>
    json(
      400,
      parts.map((id) => ({ errorCode: id, errorMessage: whole, fieldName: id })),
    ),
  ({ whole }) => ({
    status: 302,
    headers: { location: `http://elsewhere.invalid/?from=${encodeURIComponent(whole)}` },
    body: '',
  }),
  ({ whole }) => plain(500, `<pre>${html(whole)}</pre>`, 'text/html'),
  ({ parts }) => json(401, [], { 'www-authenticate': challenge(parts.join(' ')) }),
  ({ whole }) => plain(400, base64(whole)),
  ({ parts }) => plain(400, parts.map(base64).join(' ')),
  ({ parts }) => json(200, Object.fromEntries(parts.map((part, index) => [part, { [part]: index }]))),
  ({ whole }, turn) => json(200, { identifier: `${'a'.repeat(100 + (turn % 100))}${whole}`, status: { is: whole } }),
  ({ whole }, turn) => json(200, { filler: 'a'.repeat(8000 + (turn % 190)), rest: whole }),
  ({ parts }) => json(400, { error: parts[0] ?? '', error_description: JSON.stringify(JSON.stringify(parts)) }),
  ({ parts }) => json(200, [], { 'set-cookie': parts.map((part, index) => `c${index}=${forHeader(part)}`) }),
  ({ parts }) => json(200, [], { etag: forHeader(parts.join()) }),
  ({ parts }) => plain(200, parts.join('\n'), `application/${encodeURIComponent(parts[0] ?? 'x')}`),
  ({ whole }) => json(200, { items: [{ customerId: whole }], balance: whole }),
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
