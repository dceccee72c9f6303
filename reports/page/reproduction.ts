/** Recorded exchanges as commands for a POSIX shell, ready to paste. */
import type { Exchange } from '../../contracts/record.ts';

/** How redaction marks a secret, in the placeholder style of the documents: `<ACCESS_TOKEN>`; in an address perhaps percent-encoded. */
const MARKER = /(?:<|%3C)([A-Z][A-Z0-9_]*)(?:>|%3E)/;

/** What a terminal acts on when it is pasted, and what makes a line read other than it is. A line feed is safe within quotes. */
const UNPASTABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is looked for
  /[\u0001-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;

const SPECIAL = new RegExp(`${MARKER.source}|(${UNPASTABLE.source}+)`, 'g');

/**
 * One shell word that stands for the text. Redacted secrets become `"$NAME"`, controls become `"$(printf '\NNN')"`, all
 * else stands in single quotes. A NUL, which no argument can hold, is left out.
 */
export function quote(text: string): string {
  const clean = text.toWellFormed().replaceAll('\0', '');
  let word = '';
  let end = 0;
  for (const match of clean.matchAll(SPECIAL)) {
    word += literal(clean.slice(end, match.index)) + (match[1] ? `"$${match[1]}"` : octal(match[2]!));
    end = match.index + match[0].length;
  }
  return word + literal(clean.slice(end)) || "''";
}

const literal = (text: string) => text && `'${text.replaceAll("'", "'\\''")}'`;

const octal = (text: string) =>
  `"$(printf '${[...Buffer.from(text)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}')"`;

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
    lines.push(`--data-raw ${quote(request.body)}`);
  }
  return lines.join(' \\\n  ');
}

/** The secrets that the request needs, by the names of their variables. */
export function variablesOf({ request }: Pick<Exchange, 'request'>): Set<string> {
  const text = [request.url, request.body ?? '', ...Object.values(request.headers).flat()].join('\n');
  return new Set([...text.matchAll(new RegExp(MARKER, 'g'))].map((match) => match[1]!));
}

/** The secrets that a successful answer hands out, as the member that carries each: `ACCESS_TOKEN` by `access_token`. */
export function handedOut({ response }: Pick<Exchange, 'response'>): Map<string, string> {
  const found = new Map<string, string>();
  if (!response?.body || response.status >= 300) return found;
  for (const [, member, name] of response.body.matchAll(/"(\w{1,64})"\s*:\s*"<([A-Z][A-Z0-9_]*)>"/g)) {
    found.set(name!, member!);
  }
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
  const set = new Set<string>();
  const missing = new Set<string>();
  const commands = steps.map((step) => {
    for (const name of variablesOf(step)) if (!set.has(name)) missing.add(name);
    const kept = [...handedOut(step)].find(([name]) => used.has(name));
    if (kept) set.add(kept[0]);
    return `# ${step.id} ${step.operation}: ${comment(step.intent)}${came(step)}\n${kept ? keep(curl(step), ...kept) : curl(step)}`;
  });
  const left = commands.length - MOST;
  if (left > 0) commands.splice(KEPT_AT_START, left, `# ${left} requests left out here; they are in exchanges.ndjson`);
  const needs = [...missing].map((name) => `: "\${${name}:?set it first, it is redacted in the record}"`);
  return [...needs, ...commands].join('\n');
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

/** Shows the answer, and keeps one string member of it in a variable. */
const keep = (command: string, name: string, member: string) =>
  `${name}=$(${command} |\n  tee /dev/stderr | sed -n 's/.*"${member}" *: *"\\([^"]*\\)".*/\\1/p' | head -n 1)`;

const comment = (text: string) => text.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 160);

const came = ({ response, error }: Exchange) =>
  response ? `; answered ${response.status}` : `; ${comment(error?.kind ?? 'no answer')}`;

/** The command that runs the requirement's checks again with the same generated inputs. */
export const runAgain = (id: string, seed: number): string => `npm start -- --only ${bare(id)} --seed ${seed}`;

const bare = (text: string) => (/^[\w.-]+$/.test(text) ? text : quote(text));
