/**
 * Converts recorded exchanges to commands for a POSIX shell, ready to paste.
 *
 * The shell treats everything that a target sent as text: it is in single quotes, and variables come from a closed
 * list, `TARGET_` plus a label of redaction. The commands run in a subshell, so that the reader's own shell is
 * unchanged.
 */
import type { Exchange } from '../../contracts/record.ts';
import { type Label, MARKER, variableOf } from '../../contracts/redaction.ts';
import { partsOf, quote } from '../shell.ts';

/** Headers that curl derives from the address, the body and its own options. */
const OWN_HEADERS = new Set(['host', 'content-length', 'connection', 'transfer-encoding', 'accept-encoding', 'expect']);

/** RFC 9110 section 5.6.2. In any other name, curl would take a leading `@` for a file to read. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** The variable of a configured header; each of several has its own. */
const headerVariable = (name: string) => (label: Label) =>
  label === 'HEADER' ? `TARGET_HEADER_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}` : variableOf(label);

/** The curl command that repeats an exchange's request and prints status, headers and body of the answer. */
export function curl({ request }: Pick<Exchange, 'request'>): string {
  const lines = [
    `curl -sS -i -g --path-as-is --proto '=http,https' -X ${quote(request.method)} --url ${quote(request.url)}`,
  ];
  const headers = headersOf(request);
  for (const [name, value] of headers)
    lines.push(`-H ${quote(value === '' ? `${name};` : `${name}: ${value}`, headerVariable(name))}`);
  if (request.body !== null) {
    if (!headers.some(([name]) => name.toLowerCase() === 'content-type')) lines.push("-H 'content-type:'");
    lines.push(...(isForm(request) ? form(request.body) : [`--data-raw ${quote(request.body)}`]));
  }
  return lines.join(' \\\n  ');
}

/** The headers to send, one by one. */
const headersOf = ({ headers }: Exchange['request']): [name: string, value: string][] =>
  Object.entries(headers)
    .filter(([name]) => HEADER_NAME.test(name) && !OWN_HEADERS.has(name.toLowerCase()))
    .flatMap(([name, values]) => [values].flat().map((value): [string, string] => [name, value]));

const isForm = ({ headers }: Exchange['request']): boolean =>
  Object.entries(headers).some(
    ([name, value]) => name.toLowerCase() === 'content-type' && /x-www-form-urlencoded/i.test([value].flat().join()),
  );

/** A form by its fields, so that curl encodes the secrets, whose variables hold them unencoded. */
const form = (body: string): string[] =>
  body.split('&').map((field) => `${SECRET_FIELD.test(field) ? '--data-urlencode' : '--data-raw'} ${quote(field)}`);

const SECRET_FIELD = new RegExp(`^[^=]+=${MARKER}$`);

/** The variables that the request needs. */
export function variablesOf({ request }: Pick<Exchange, 'request'>): Set<string> {
  const texts = [request.url, request.body ?? ''].map((text) => ({ text, variable: variableOf }));
  const headers = headersOf(request).map(([name, text]) => ({ text, variable: headerVariable(name) }));
  return new Set(
    [...texts, ...headers].flatMap(({ text, variable }) =>
      [...partsOf(text)].flatMap((part) => ('secret' in part ? variable(part.secret) : [])),
    ),
  );
}

/** Values that a target hands out for later requests. */
const GIVEN_OUT: readonly Label[] = ['ACCESS_TOKEN', 'SESSION_ID', 'TEMPORARY_TOKEN'];

const GIVEN = new RegExp(`"(\\w{1,64})"\\s*:\\s*"${MARKER}"`, 'g');

/**
 * The secrets that a successful answer hands out: for each, its variable and the member that carries it. A secret that
 * the request itself holds does not count.
 */
export function handedOut({ request, response }: Pick<Exchange, 'request' | 'response'>): Map<string, string> {
  const found = new Map<string, string>();
  if (!response?.body || response.status >= 300) return found;
  for (const [, member, label] of response.body.matchAll(GIVEN))
    if (GIVEN_OUT.includes(label as Label)) found.set(variableOf(label as Label), member!);
  for (const name of found.size > 0 ? variablesOf({ request }) : []) found.delete(name);
  return found;
}

/** Maximum number of commands in one reproduction; of a longer chain the beginning and the end are kept. */
const MOST = 60;
const KEPT_AT_START = 10;

/**
 * The whole chain of requests as a script. A secret that an answer of the chain hands out is kept in its variable for
 * later requests; any other is obtained by the request of the run that got it.
 *
 * @param exchanges in the order in which they were made
 * @param givers for each variable, an exchange of the run whose answer handed it out
 */
export function chain(exchanges: readonly Exchange[], givers: ReadonlyMap<string, Exchange>): string {
  const steps = withGivers(exchanges, givers);
  const used = new Set(steps.flatMap((step) => [...variablesOf(step)]));
  const inAddress = (name: string) =>
    steps.some(({ request }) =>
      [...partsOf(request.url)].some((part) => 'secret' in part && variableOf(part.secret) === name),
    );
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
  const body = [[...missing].map((name) => needed(name, inAddress(name))).join('\n'), ...commands].filter(Boolean);
  return `(\n${body.join('\n\n')}\n)`;
}

/**
 * The chain, preceded by the exchanges that hand out what it needs and does not obtain itself, and by what those need.
 */
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

/** Shows the answer, and keeps one of its string members in a variable; percent-encoded for an address. */
const keep = (command: string, name: string, member: string, encoded: boolean) =>
  `${name}="$(${command} |\n  tee /dev/stderr | sed -n 's/.*"${member}" *: *"\\([^"]*\\)".*/\\1/p' | head -n 1${encoded ? ` |\n  sed '${ENCODE}'` : ''})"`;

/** Characters with a meaning in an address that occur in tokens and session identifiers; the percent sign first. */
const ENCODE = [...'%+/=&?#:;@ '].map((one) => `s|${one}|${encodeURIComponent(one)}|g`).join(';');

/** Values invented by the suite, which anything may replace. */
const MADE_UP: ReadonlySet<string> = new Set(
  (
    [
      'AUTHORIZATION',
      'BAD_TOKEN',
      'INVENTED_LOGIN_ID',
      'INVENTED_SESSION_ID',
      'WRONG_CLIENT_SECRET',
      'WRONG_PASSWORD',
    ] as const
  ).map(variableOf),
);

/** A line that stops if the secret is not set. */
const needed = (name: string, inAddress: boolean) =>
  MADE_UP.has(name)
    ? `: "\${${name}:=invented}"`
    : `: "\${${name}:?set it first${inAddress ? ', percent-encoded' : ''}; it is redacted in the record}"`;

/** A line that announces the next request; not a comment, since some shells reject those at the prompt. */
const heading = ({ id, operation, intent, response, error }: Exchange) =>
  say(`${id} ${operation}: ${intent}, answered ${response?.status ?? error?.kind ?? 'nothing'}`);

const say = (text: string) => `printf '\\n%s\\n' '== ${text.replace(/[^\x20-\x7e]|['\\]/g, ' ').slice(0, 160)}'`;
