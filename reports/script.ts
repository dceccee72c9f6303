/**
 * Recorded exchanges as requests that can be sent again: with variables for what a record cannot show, what must be fresh, and what an earlier
 * answer gives.
 *
 * The names of variables are of a closed list, each beginning with `TARGET_`: a target never chooses one.
 */
import type { Exchange } from '../contracts/record.ts';
import { type Label, MARKER, markerOf, maskText, PERSONAL_MEMBERS, plain, variableOf } from '../contracts/redaction.ts';
import {
  FICTIONAL_ADDRESS,
  FICTIONAL_DETAILS,
  FICTIONAL_HOLDER,
  FICTIONAL_NAMES,
  FICTIONAL_PERSON,
  fictionalDetails,
} from '../contracts/v1/fictional.ts';
import { inOrder } from './steps.ts';
import { percentDecoded, visible } from './text.ts';

/** Part of a text. */
export type Piece = { text: string } | { variable: string };

/** One request. */
export interface Step {
  exchange: Exchange;
  url: Piece[];
  headers: [name: string, value: Piece[]][];
  body: Piece[] | undefined;
  /** The variable that takes a member of the answer. */
  keeps: { variable: string; member: string } | undefined;
}

/** A variable that is not taken from an answer. */
export interface Variable {
  name: string;
  /** What it is, for whoever has to set it. */
  what: string;
  /** Its value if nobody sets it. */
  byDefault?: string;
}

/** Requests in order, and the variables to set before. */
export interface Script {
  variables: Variable[];
  steps: Step[];
}

/** The variable of digits that no other reproduction has. */
export const FRESH = 'TARGET_FRESH';
/** Number of its digits. */
export const FRESH_DIGITS = 6;

/** Headers that clients derive from the address, the body and their own options. */
const OWN_HEADERS = new Set(['host', 'content-length', 'connection', 'transfer-encoding', 'accept-encoding', 'expect']);

/** What no value of a header holds: a further header, or request, might follow. */
const IN_NO_HEADER = /(?!\t)[\p{Cc}\u2028\u2029]/u;
/** RFC 9110 section 5.6.2. In any other name, curl would take a leading `@` for a file to read. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** RFC 9110 section 9.3, RFC 5789. In place of another one, clients may take the name of another protocol. */
const METHOD = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/i;
/** An address of HTTP, all on one line. */
const ADDRESS = /^https?:\/\/[^\s\p{C}]+$/iu;

/** Whether HTTP can carry a recorded request: a record may come from anybody, and a second request stand in a line of the first. */
export const isSendable = ({ request: { method, url } }: Exchange): boolean => METHOD.test(method) && ADDRESS.test(url);

/** Values that a target hands out for later requests, by their labels. */
const GIVEN_OUT: readonly Label[] = ['ACCESS_TOKEN', 'SESSION_ID', 'TEMPORARY_TOKEN'];
const GIVEN = new RegExp(`"(\\w{1,64})"\\s*:\\s*"${MARKER}"`, 'g');
const CONTINUATION = /"continuationToken"\s*:\s*"((?:[^"\\]|\\.)+)"/;

/** What an answer gives to later requests: what it is, and the member that carries it. */
interface Gift {
  key: string;
  member: string;
}

/** Tokens and sessions have numbers in the record; of temporary tokens, the last one counts. */
const keyOf = (label: Label, credential = '') => (label === 'TEMPORARY_TOKEN' ? label : `${label} ${credential}`);
const keyOfPage = (token: string) => `CONTINUATION_TOKEN ${token}`;

/** What a successful answer hands out. A secret that the request itself holds does not count. */
export function giftsOf({ request, response, gives }: Exchange): Gift[] {
  if (!response?.body || response.status >= 300) return [];
  const sent = `${request.url} ${Object.values(request.headers).flat().join(' ')} ${request.body ?? ''}`;
  const secrets = [...response.body.matchAll(GIVEN)]
    .map(([, member, label]) => ({ label: label as Label, member: member! }))
    .filter(({ label }) => GIVEN_OUT.includes(label) && !sent.includes(markerOf(label)))
    .map(({ label, member }) => ({ key: keyOf(label, gives), member }));
  const [, page] = CONTINUATION.exec(response.body) ?? [];
  return [
    ...secrets.slice(0, 1),
    ...(page === undefined ? [] : [{ key: keyOfPage(page), member: 'continuationToken' }]),
  ];
}

/** The exchanges of a run that handed something out, by what it is; in order. */
export type Givers = ReadonlyMap<string, readonly Exchange[]>;

/** Operations that use a card up, and the kind of card that each needs. */
const USES_UP: Readonly<Record<string, string>> = {
  'cards.activate': 'an unused card',
  'cards.unmarkFraud': 'a card with reported fraud',
  'cards.close': 'an Active card',
  'cards.markLost': 'an Active card',
  'cards.reissue': 'an Active card',
};

/** Values that the suite invents, which anything may replace. */
const INVENTED: readonly Label[] = [
  'AUTHORIZATION',
  'BAD_TOKEN',
  'INVENTED_LOGIN_ID',
  'INVENTED_SESSION_ID',
  'WRONG_CLIENT_SECRET',
  'WRONG_PASSWORD',
];

/** Secrets of the configuration, whose variables are the same everywhere. */
const CONFIGURED: readonly Label[] = ['CLIENT_SECRET', 'PORTAL_LOGIN_ID', 'PORTAL_PASSWORD'];

/** The persons that the suite makes up in bodies of an operation, by the member and its value, masked or not. */
const FICTIONAL: Readonly<Partial<Record<string, ReadonlyMap<string, string>>>> = {
  'portal.getCIPCheck': maskedMembers(FICTIONAL_PERSON),
  'portal.orderCards': new Map(
    [
      ...FICTIONAL_NAMES.first.map((firstName) => ({ firstName })),
      ...FICTIONAL_NAMES.last.map((lastName) => ({ lastName })),
      fictionalDetails(FICTIONAL_HOLDER.phone),
      { ...FICTIONAL_ADDRESS, ...FICTIONAL_HOLDER, ...FICTIONAL_DETAILS },
    ].flatMap((members) => [...maskedMembers(members)]),
  ),
};

function maskedMembers(person: Record<string, string | number>): Map<string, string> {
  const values = Object.entries(person).map(([name, value]) => [name, String(value)] as const);
  return new Map(
    values.flatMap(([name, value]) => [value, maskText(value)].map((shown) => [`${name} ${shown}`, value] as const)),
  );
}

/** Members of a JSON text with their values: the content of a string, or a number. */
const MEMBER = /"(\w{1,40})"\s*:\s*(?:"((?:[^"\\]|\\.)*)"|(-?\d[\d.]*(?:[eE][+-]?\d+)?))/dg;
/** Parameters of an address with their values. */
const PARAMETER = /(?<=[?&])(\w{1,40})=([^&#]*)/dg;
const IDENTIFIER_IN_PATH = /(?<=\/cards\/cards\/)[^/?#]+/dg;
const SECRET = new RegExp(MARKER, 'dg');
/** The parameter or member whose value a text breaks off in. */
const NAME_BEFORE = /(?:[?&]|^|")(\w{1,40})(?:=|"\s*:\s*")[^"&]*$/;

/** Numbers that are secret, of which redaction leaves nines. */
const SECRET_NUMBERS: readonly string[] = ['ssn', 'ssnLast4'];
/** Members whose value no other order may have. */
const UNIQUE: readonly string[] = ['externalIdentifier', 'otherInfo'];

/** Part of a text. */
interface Range {
  from: number;
  to: number;
}

/** Part of a text that a variable replaces. */
interface Place extends Range {
  variable: string;
}

/**
 * The requests that repeat recorded ones, and then undo them. What they need and do not obtain themselves is obtained before, by the requests of
 * the run that got it. What HTTP cannot carry is left out.
 *
 * @param exchanges in the order in which they were made
 */
export function scriptOf(exchanges: readonly Exchange[], undo: readonly Exchange[], givers: Givers): Script {
  const scripting = new Scripting([...withGivers(exchanges, givers), ...undo].filter(isSendable));
  return scripting.script();
}

/** The exchanges, with those in between that give what they need. */
function withGivers(exchanges: readonly Exchange[], givers: Givers): Exchange[] {
  const all = new Set(exchanges);
  for (const exchange of all)
    for (const key of needsOf(exchange)) {
      const known = [...givers].flatMap(([given, exchanges]) => (serves(given, key) ? exchanges : []));
      const giver = known.findLast(({ id }) => id < exchange.id) ?? known[0];
      const isGiven = [...all].some((one) => one !== exchange && one.id < exchange.id && isGift(one, key));
      if (giver && !isGiven) all.add(giver);
    }
  return inOrder([...all]);
}

/** Whether something that was given serves for a key: one without a number is served by any of its kind, as in a header with another scheme. */
const serves = (given: string, key: string) => given === key || (key.endsWith(' ') && given.startsWith(key));

const isGift = (exchange: Exchange, key: string) => giftsOf(exchange).some((gift) => serves(gift.key, key));

/** The keys of what an exchange was sent with that an earlier answer may have given. */
function needsOf({ request, credential, wrong }: Exchange): string[] {
  const sent = [request.url, ...Object.values(request.headers).flat(), request.body ?? ''].join('\n');
  const labels = GIVEN_OUT.filter((label) => !wrong?.hasExpired && sent.includes(markerOf(label)));
  const pages = [...request.url.matchAll(PARAMETER)].filter(([, name]) => name === 'token');
  return [
    ...labels.map((label) => keyOf(label, credential)),
    ...pages.map(([, , value]) => keyOfPage(percentDecoded(value!))),
  ];
}

class Scripting {
  readonly #exchanges: readonly Exchange[];
  readonly #steps: Step[] = [];
  /** What the steps so far give, by key. */
  readonly #given = new Set<string>();
  /** Names of variables, by what they stand for. */
  readonly #names = new Map<string, string>();
  readonly #variables = new Map<string, Variable>();
  /** Cards that the exchanges use up, and the kind of each. */
  readonly #usedUp: ReadonlyMap<string, string>;

  constructor(exchanges: readonly Exchange[]) {
    this.#exchanges = exchanges;
    this.#usedUp = new Map(
      exchanges
        .filter(({ operation, response }) => operation in USES_UP && response !== null && response.status < 300)
        .map(({ operation, request }) => [cardIn(request.url), USES_UP[operation]!] as const)
        .toReversed(),
    );
  }

  script(): Script {
    for (const exchange of this.#exchanges) this.#add(exchange);
    const used = new Set(this.#steps.flatMap(piecesIn).flatMap((piece) => ('variable' in piece ? piece.variable : [])));
    for (const step of this.#steps) if (step.keeps && !used.has(step.keeps.variable)) step.keeps = undefined;
    return { variables: [...this.#variables.values()], steps: this.#steps };
  }

  #add(exchange: Exchange): void {
    const { request } = exchange;
    const url = this.#pieces(request.url, [
      ...places(request.url, IDENTIFIER_IN_PATH, ([value], [at]) => this.#card(percentDecoded(value!), at!)),
      ...places(request.url, PARAMETER, ([, name, value], [, , at]) => this.#parameter(name!, value!, at!)),
      ...this.#secrets(exchange, request.url),
    ]);
    const headers = headersOf(exchange).map(
      ([name, value]) => [name, this.#pieces(value, this.#secrets(exchange, value, name))] as [string, Piece[]],
    );
    const text = request.body ?? '';
    const body = this.#pieces(text, [
      ...(isForm(exchange) ? [] : this.#members(exchange, text)),
      ...this.#secrets(exchange, text),
    ]);
    const [gift] = giftsOf(exchange);
    if (gift) this.#given.add(gift.key);
    const keeps = gift && { variable: this.#nameOf(gift.key), member: gift.member };
    this.#steps.push({ exchange, url, headers, body: request.body === null ? undefined : body, keeps });
  }

  #pieces(text: string, found: Place[]): Piece[] {
    const pieces: Piece[] = [];
    let end = 0;
    for (const { from, to, variable } of found.toSorted((a, b) => a.from - b.from)) {
      if (from < end) continue;
      if (from > end) pieces.push({ text: text.slice(end, from) });
      pieces.push({ variable });
      end = to;
    }
    if (end < text.length) pieces.push({ text: text.slice(end) });
    return pieces;
  }

  #secrets(exchange: Exchange, text: string, header?: string): Place[] {
    return places(text, SECRET, ([, label], [at]) => {
      const name = header ?? NAME_BEFORE.exec(text.slice(0, at!.from))?.[1] ?? '';
      return { ...at!, variable: this.#secret(exchange, label as Label, name) };
    });
  }

  /** @param name of the header, parameter or member that holds it */
  #secret(exchange: Exchange, label: Label, name: string): string {
    const { credential, wrong } = exchange;
    if (label === 'HEADER') {
      const variable = `${variableOf(label)}_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;
      return this.#ask(variable, { what: 'the value of this header, which is redacted in the record' });
    }
    const what = `${name}, which is redacted in the record`;
    if (INVENTED.includes(label)) return this.#ask(variableOf(label), { what, byDefault: 'invented' });
    if (CONFIGURED.includes(label)) return this.#ask(variableOf(label), { what });
    if (!GIVEN_OUT.includes(label)) return this.#ask(this.#nameOf(`${label} ${name}`), { what });
    if (wrong?.hasExpired)
      return this.#ask(`TARGET_EXPIRED_${label}`, { what: 'one that has ended, 61 minutes after it was issued' });
    return this.#gift(keyOf(label, credential), what);
  }

  /** The variable of what an earlier answer gives; it is asked for where none does. */
  #gift(key: string, what: string): string {
    const given = [...this.#given].findLast((one) => serves(one, key));
    return given ? this.#nameOf(given) : this.#ask(this.#nameOf(key), { what });
  }

  /** The name of the variable of something: the first of its kind has no number. */
  #nameOf(key: string): string {
    const known = this.#names.get(key);
    if (known) return known;
    const name = `TARGET_${key.split(' ', 1)}`;
    const others = [...this.#names.values()].filter((one) => one.replace(/_\d+$/, '') === name).length;
    this.#names.set(key, others === 0 ? name : `${name}_${others + 1}`);
    return this.#names.get(key)!;
  }

  #ask(name: string, variable: Omit<Variable, 'name'>): string {
    if (!this.#variables.has(name)) this.#variables.set(name, { name, ...variable, what: visible(variable.what) });
    return name;
  }

  #card(identifier: string, at: Range): Place | undefined {
    const kind = this.#usedUp.get(identifier);
    if (kind === undefined) return undefined;
    const what = `the identifier of ${kind}, in place of ${identifier}, which these requests used up`;
    return { ...at, variable: this.#ask(this.#nameOf(`CARD ${identifier}`), { what }) };
  }

  #parameter(name: string, value: string, at: Range): Place | undefined {
    const clear = percentDecoded(value);
    const page = keyOfPage(clear);
    if (name === 'token' && this.#given.has(page)) return { ...at, variable: this.#nameOf(page) };
    return this.#personal(name, clear, at) ?? this.#card(clear, at);
  }

  /** Places in a JSON body. A person that the suite made up has these values by default, unless the names show that it is another one. */
  #members(exchange: Exchange, text: string): Place[] {
    const isOrder = exchange.operation === 'portal.orderCards';
    const known = FICTIONAL[exchange.operation];
    const names = [...text.matchAll(MEMBER)].filter(([, name]) => name === 'firstName' || name === 'lastName');
    const fictional = names.every(([, name, value]) => known?.has(`${name} ${value}`)) ? known : undefined;
    return places(text, MEMBER, ([, name, string, number], [, , ofString, ofNumber]) => {
      const at = ofString ?? ofNumber!;
      const value = string ?? number!;
      if (isOrder && string !== undefined && UNIQUE.includes(name!)) return this.#fresh(value, at);
      if (isOrder && fictional && name === 'ssn' && value === markerOf('SSN'))
        return { ...at, variable: this.#ask(variableOf('SSN'), { what: name, byDefault: '541234567' }) };
      return this.#personal(name!, value, at, fictional) ?? this.#card(value, at);
    });
  }

  #personal(name: string, value: string, at: Range, fictional?: ReadonlyMap<string, string>): Place | undefined {
    const isMeant = PERSONAL_MEMBERS.has(plain(name)) || SECRET_NUMBERS.includes(name);
    if (!isMeant || maskText(value) !== value || !/[\p{L}\p{Nd}]/u.test(value)) return undefined;
    const key = `PERSON_${name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()} ${value}`;
    const byDefault = fictional?.get(`${name} ${value}`);
    const what = `${name} of the form ${value}, which is masked in the record unless RUN_PERSONAL_DATA=keep`;
    return { ...at, variable: this.#ask(this.#nameOf(key), { what, ...(byDefault !== undefined && { byDefault }) }) };
  }

  /** The first digits of a unique value; of one without enough digits all of it, which is asked for. */
  #fresh(value: string, at: Range): Place {
    const digits = value.search(new RegExp(`\\d{${FRESH_DIGITS + 1}}`));
    if (digits < 0)
      return { ...at, variable: this.#ask(this.#nameOf(`UNIQUE ${value}`), { what: 'a value that no order has yet' }) };
    const from = at.from + digits;
    const variable = this.#ask(FRESH, { what: 'digits that no other order has' });
    return { from, to: from + FRESH_DIGITS, variable };
  }
}

/** The pieces of a request. */
const piecesIn = ({ url, headers, body = [] }: Step): Piece[] => [
  ...url,
  ...headers.flatMap(([, value]) => value),
  ...body,
];

/** Where a pattern with the flags d and g leads to a variable. */
function places(
  text: string,
  pattern: RegExp,
  placeOf: (groups: (string | undefined)[], ranges: (Range | undefined)[]) => Place | undefined,
): Place[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const ranges = match.indices!.map((range) => range && { from: range[0], to: range[1] });
    return placeOf([...match], ranges) ?? [];
  });
}

const cardIn = (url: string): string => percentDecoded(url.match(new RegExp(IDENTIFIER_IN_PATH, ''))?.[0] ?? '');

/** Whether an exchange's request is a form, in which a value stands percent-encoded. */
export const isForm = (exchange: Pick<Exchange, 'request'>): boolean =>
  /x-www-form-urlencoded/i.test(headerOf(exchange, 'content-type'));

/** What a request was, and how it was answered. */
export const titleOf = ({ exchange: { id, operation, wrong, response, error } }: Pick<Step, 'exchange'>): string =>
  `${id} ${operation}${wrong ? ` (${wrong.what})` : ''}, answered ${response?.status ?? error?.kind ?? 'nothing'}`;

/** The headers to send, one by one. */
const headersOf = ({ request: { headers } }: Exchange): [name: string, value: string][] =>
  Object.entries(headers)
    .filter(([name]) => HEADER_NAME.test(name) && !OWN_HEADERS.has(name.toLowerCase()))
    .flatMap(([name, values]) => [values].flat().map((value): [string, string] => [name, value]))
    .filter(([, value]) => !IN_NO_HEADER.test(value));

/** A header's value in an exchange's request; empty if there is none. */
export const headerOf = ({ request: { headers } }: Pick<Exchange, 'request'>, name: string): string =>
  [Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1] ?? ''].flat().join();
