/** Recorded exchanges as commands for a POSIX shell, ready to paste. */
import type { Exchange } from '../../contracts/record.ts';

/**
 * How redaction marks a secret, in the placeholder style of the documents: `<ACCESS_TOKEN>`. In an address or a form a
 * bracket that was sent stands percent-encoded, so a bare one is of redaction.
 */
const MARKER = /<([A-Z][A-Z0-9_]*)>/;

/** In JSON what was sent may look like a marker, so there it is one only as the value of a member of that name. */
const JSON_MARKER = /(?<="(\w{1,64})"\s*:\s*")<([A-Z][A-Z0-9_]*)>(?=")/;

/** What a terminal acts on when it is pasted, or what makes a line read other than it is. A line feed is safe within quotes. */
const UNPASTABLE = /(?:(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}])+/u;

type Part = { text: string } | { secret: string } | { control: string };

/** The text in parts: secrets that redaction took out, what may not be pasted, and the rest. */
function* partsOf(text: string): Generator<Part> {
  const json = /^\s*[{[]/.test(text);
  const special = new RegExp(`(?<marker>${(json ? JSON_MARKER : MARKER).source})|${UNPASTABLE.source}`, 'gu');
  let end = 0;
  for (const match of text.matchAll(special)) {
    if (match.groups?.marker !== undefined && !(json ? isNamed(match[2]!, match[3]!) : true)) continue;
    if (match.index > end) yield { text: text.slice(end, match.index) };
    yield match.groups?.marker === undefined ? { control: match[0] } : { secret: match[0].slice(1, -1) };
    end = match.index + match[0].length;
  }
  if (end < text.length) yield { text: text.slice(end) };
}

/** Whether the label of a secret is that of the member: `PORTAL_PASSWORD` of `password`. Those of fixtures share a label. */
const isNamed = (member: string, label: string): boolean =>
  label === 'FIXTURE_SECRET' || label.replaceAll('_', '').endsWith(member.replaceAll('_', '').toUpperCase());

/**
 * One shell word that stands for the text. Redacted secrets become `"$NAME"`, controls become `"$(printf '\NNN')"`, all
 * else stands in single quotes. A NUL, which no argument can hold, is left out.
 */
export function quote(text: string): string {
  if (/^[\w./:,@%+-]+$/.test(text)) return text;
  const words = [...partsOf(text.toWellFormed().replaceAll('\0', ''))].map((part) => {
    if ('secret' in part) return `"$${part.secret}"`;
    return 'control' in part ? `"$(printf '${octal(part.control)}')"` : `'${part.text.replaceAll("'", "'\\''")}'`;
  });
  return words.join('') || "''";
}

const octal = (text: string) => [...Buffer.from(text)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');

/** Headers that curl makes itself, from the address, the body and its own options. */
const OWN_HEADERS = new Set(['host', 'content-length', 'connection', 'transfer-encoding', 'accept-encoding', 'expect']);

/** The curl command that sends the exchange's request again; prints status, headers and body of the answer. */
export function curl({ request }: Pick<Exchange, 'request'>): string {
  const lines = [`curl -sS -i -g --path-as-is -X ${quote(request.method)} ${quote(request.url)}`];
  const names = Object.keys(request.headers).map((name) => name.toLowerCase());
  for (const [name, values] of Object.entries(request.headers)) {
    if (OWN_HEADERS.has(name.toLowerCase())) continue;
    for (const value of [values].flat()) lines.push(`-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`);
  }
  if (request.body !== null) {
    if (!names.includes('content-type')) lines.push("-H 'content-type:'");
    lines.push(...(isForm(request) ? form(request.body) : [`--data-raw ${quote(request.body)}`]));
  }
  return lines.join(' \\\n  ');
}

const isForm = ({ headers }: Exchange['request']): boolean =>
  Object.entries(headers).some(
    ([name, value]) => name.toLowerCase() === 'content-type' && /x-www-form-urlencoded/i.test([value].flat().join()),
  );

/** A form by its fields, so that curl encodes the secrets, which stand in variables as they are. */
const form = (body: string): string[] =>
  body.split('&').map((field) => `${SECRET_FIELD.test(field) ? '--data-urlencode' : '--data-raw'} ${quote(field)}`);

const SECRET_FIELD = new RegExp(`^[^=]+=${MARKER.source}$`);

/** The secrets that the request needs, by the names of their variables. */
export function variablesOf({ request }: Pick<Exchange, 'request'>): Set<string> {
  const texts = [request.url, request.body ?? '', ...Object.values(request.headers).flat()];
  return new Set(texts.flatMap((text) => [...partsOf(text)].flatMap((part) => ('secret' in part ? part.secret : []))));
}

/**
 * The secrets that a successful answer hands out, as the member that carries each: `ACCESS_TOKEN` by `access_token`.
 * One that the request holds itself is not handed out.
 */
export function handedOut({ request, response }: Pick<Exchange, 'request' | 'response'>): Map<string, string> {
  const found = new Map<string, string>();
  if (!response?.body || response.status >= 300) return found;
  for (const [, member, name] of response.body.matchAll(new RegExp(JSON_MARKER, 'g'))) found.set(name!, member!);
  for (const name of found.size > 0 ? variablesOf({ request }) : []) found.delete(name);
  return found;
}

/** The most commands that one reproduction holds; of a longer chain the beginning and the end are kept. */
const MOST = 60;
const KEPT_AT_START = 10;

/**
 * The whole chain of requests as a script. A secret that an answer of the chain hands out is kept in its variable for
 * the requests after it; one that the chain does not hand out is asked for by the request of the run that got it.
 *
 * @param exchanges in the order in which they were made
 * @param givers for each variable, an exchange of the run whose answer handed it out
 */
export function chain(exchanges: readonly Exchange[], givers: ReadonlyMap<string, Exchange>): string {
  const steps = withGivers(exchanges, givers);
  const used = new Set(steps.flatMap((step) => [...variablesOf(step)]));
  const inAddress = (name: string) => steps.some(({ request }) => request.url.includes(`<${name}>`));
  const set = new Set<string>();
  const missing = new Set<string>();
  const commands = steps.map((step) => {
    for (const name of variablesOf(step)) if (!set.has(name)) missing.add(name);
    const kept = [...handedOut(step)].find(([name]) => used.has(name));
    if (kept) set.add(kept[0]);
    return `${heading(step)}\n${kept ? keep(curl(step), ...kept, inAddress(kept[0])) : curl(step)}`;
  });
  const left = commands.length - MOST;
  if (left > 0)
    commands.splice(KEPT_AT_START, left, say(`${left} requests are left out here; they are in exchanges.ndjson`));
  return [[...missing].map((name) => needed(name, inAddress(name))).join('\n'), ...commands]
    .filter(Boolean)
    .join('\n\n');
}

/** The chain, before it the exchanges that hand out what it needs and does not get by itself, and what those need. */
function withGivers(exchanges: readonly Exchange[], givers: ReadonlyMap<string, Exchange>): Exchange[] {
  const given = new Set<string>();
  const first: Exchange[] = [];
  const demand = (exchange: Exchange) => {
    for (const name of variablesOf(exchange)) {
      const giver = givers.get(name);
      if (given.has(name) || !giver || giver === exchange) continue;
      given.add(name);
      demand(giver);
      first.push(giver);
    }
  };
  for (const exchange of exchanges) {
    demand(exchange);
    for (const name of handedOut(exchange).keys()) given.add(name);
  }
  return [...first.filter((giver) => !exchanges.includes(giver)), ...exchanges];
}

/** Shows the answer, and keeps one string member of it in a variable; for an address percent-encoded. */
const keep = (command: string, name: string, member: string, encoded: boolean) =>
  `${name}=$(${command} |\n  tee /dev/stderr | sed -n 's/.*"${member}" *: *"\\([^"]*\\)".*/\\1/p' | head -n 1${encoded ? ` |\n  sed '${ENCODE}'` : ''})`;

/** Of what has a meaning in an address, what occurs in tokens and session identifiers; the percent sign first. */
const ENCODE = [...'%+/=&?#:;@ '].map((one) => `s|${one}|${encodeURIComponent(one)}|g`).join(';');

/** A line that stops when the secret is not set. AUTHORIZATION marks a token that the target did not issue. */
const needed = (name: string, inAddress: boolean) =>
  name === 'AUTHORIZATION'
    ? `: "\${${name}:=invented}"`
    : `: "\${${name}:?set it first${inAddress ? ', percent-encoded' : ''}; it is redacted in the record}"`;

/** Says which request comes next; no comment, since not every shell takes one from its prompt. */
const heading = ({ id, operation, intent, response, error }: Exchange) =>
  say(`${id} ${operation}: ${intent}, answered ${response?.status ?? error?.kind ?? 'nothing'}`);

const say = (text: string) => `printf '\\n%s\\n' '== ${text.replace(/[^\x20-\x7e]|['\\]/g, ' ').slice(0, 160)}'`;
