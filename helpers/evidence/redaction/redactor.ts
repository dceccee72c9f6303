/**
 * Redaction: what a run writes or prints goes through here first.
 * Secrets are known by their value (learned from the configuration, and from answers as they come) and by the names of the members,
 * parameters and headers that hold them; personal data by names alone.
 */
import { endOfString, writeJson } from '../../json.ts';
import { Learned } from './learned.ts';
import { isCardNumber, maskNumber, maskText, visible } from './mask.ts';
import { type Meaning, markerOf, meaningOfMember, meaningOfParameter, plain, SECRET_NAMES } from './names.ts';
import type { RedactedBody, Redactor } from './types.ts';

/** Characters of a body that are kept as evidence. */
export const MAX_BODY_TEXT = 8 * 1024;

export function createRedactor(options: { personalData: 'mask' | 'keep' }): Redactor {
  return new RedactorByNameAndValue(options.personalData === 'mask');
}

/**
 * Secrets in running text: `Bearer xyz`, `name=value`, credentials in an address. Then what only its look gives away:
 * an e-mail address, a card number.
 */
const RUNNING_TEXT = new RegExp(
  [
    /(?<scheme>\b(?:Bearer|Basic)\s+)(?<credentials>[\w.~+/=-]{8,})/,
    new RegExp(`(?<![A-Za-z])(?<name>${SECRET_NAMES})=(?<value>[^\\s&"'<>,;)\\]}\\\\]+)`),
    /(?<=:\/\/)(?<user>[^\s/@:<>"]+:[^\s/@<>"]+)(?=@)/,
    /(?<![\w.+-])(?<email>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)/,
    /(?<![\w.])(?<digits>\d{13,19}|\d{4}(?<gap>[ -])\d{4}\k<gap>\d{4}\k<gap>\d{4})(?!\w)/,
  ]
    .map((pattern) => pattern.source)
    .join('|'),
  'gi',
);

/** What every part of that holds: most texts do not, and need no closer look. */
const PERHAPS = /[=@]|\d{13}|\d{4}[ -]\d{4}|(?:bearer|basic)\s/i;

class RedactorByNameAndValue implements Redactor {
  readonly #masksPersonalData: boolean;
  readonly #learned = new Learned();
  /** Names beside the well-known ones, without case and separators, and their labels. */
  readonly #secretNames = new Map<string, string>();

  constructor(masksPersonalData: boolean) {
    this.#masksPersonalData = masksPersonalData;
  }

  learn(value: string, label: string): void {
    this.#learned.add(value, label);
  }

  learnHeader(name: string): void {
    this.#secretNames.set(plain(name), name);
  }

  url(url: string): string {
    const known = this.#learned.replace(url);
    const query = known.search(/[?#]/);
    const path = query === -1 ? known : known.slice(0, query);
    const withoutUser = path.replace(/(?<=:\/\/)[^/@]*(?=@)/, markerOf('credentials'));
    return query === -1 ? withoutUser : withoutUser + known[query] + this.#parameters(known.slice(query + 1));
  }

  headers(headers: Record<string, string | string[]>): Record<string, string | string[]> {
    const entries = Object.entries(headers).map(([name, value]) => {
      const redacted = Array.isArray(value) ? value.map((one) => this.#header(name, one)) : this.#header(name, value);
      return [name, redacted] as const;
    });
    return Object.fromEntries(entries);
  }

  body(text: string, mediaType: string): RedactedBody {
    const truncated = text.length > MAX_BODY_TEXT;
    const isForm = mediaType.toLowerCase().includes('x-www-form-urlencoded');
    const redacted = this.#untilNothingIsLearned(() => {
      const known = this.#learned.replace(text.slice(0, MAX_BODY_TEXT + this.#learned.longest), MAX_BODY_TEXT);
      const whole = truncated ? known.replace(/\d+$/, '') : known;
      return isForm ? this.#parameters(whole) : this.#members(whole);
    });
    return { text: redacted.toWellFormed(), truncated };
  }

  text(message: string): string {
    return visible(this.#untilNothingIsLearned(() => this.#members(this.#learned.replace(message))));
  }

  value(value: unknown): unknown {
    return JSON.parse(this.#untilNothingIsLearned(() => this.#members(this.#learned.replace(writeJson(value)))));
  }

  find(text: string): string[] {
    return this.#learned.labelsIn(text);
  }

  /** A secret learned at the end of a text may stand at its beginning too. */
  #untilNothingIsLearned(redact: () => string): string {
    const before = this.#learned.size;
    const redacted = redact();
    return this.#learned.size === before ? redacted : redact();
  }

  #meaning(name: string, known: (name: string) => Meaning | null): Meaning | null {
    const label = this.#secretNames.get(plain(name));
    return label === undefined ? known(name) : { kind: 'secret', label };
  }

  #header(name: string, value: string): string {
    const meaning = this.#meaning(name, meaningOfParameter);
    if (meaning?.kind !== 'secret') return this.#runningText(this.#learned.replace(value));
    const scheme = /^(Bearer|Basic|Digest|Negotiate) +/i.exec(value)?.[0] ?? '';
    const rest = this.#learned.replace(value.slice(scheme.length));
    return scheme + (isMarker(rest) ? rest : this.#secret(rest, meaning.label));
  }

  /** Of a query or a form. */
  #parameters(text: string): string {
    return text
      .split('&')
      .map((pair) => {
        const equals = pair.indexOf('=');
        if (equals === -1) return this.#runningText(pair);
        const value = pair.slice(equals + 1);
        return `${pair.slice(0, equals)}=${this.#parameter(this.#meaning(decoded(pair.slice(0, equals)), meaningOfParameter), value)}`;
      })
      .join('&');
  }

  #parameter(meaning: Meaning | null, value: string): string {
    const clear = decoded(value);
    const redacted = this.#byMeaning(meaning, this.#nested(clear));
    if (redacted === clear) return value;
    return isMarker(redacted) ? redacted : encodeURIComponent(redacted);
  }

  /**
   * Of JSON, or of any text that holds pieces of it. Everything but the redacted values stays as it was sent, character by character.
   * What stands within a value inherits the meaning of its name.
   */
  #members(text: string): string {
    let out = '';
    let done = 0;
    let meaning: Meaning | null = null;
    const outer: (Meaning | null)[] = [];
    const take = (start: number, end: number, redacted: string) => {
      out += text.slice(done, start) + redacted;
      done = end;
    };
    for (const { kind, start, end } of tokensOf(text)) {
      const token = text.slice(start, end);
      if (kind === 'name') meaning = this.#meaning(unquoted(token), meaningOfMember) ?? outer.at(-1) ?? null;
      else if (kind === 'open') outer.push(meaning);
      else if (kind === 'close') outer.pop();
      else if (kind === 'string') take(start, end, this.#string(meaning, token));
      else if (kind === 'number') take(start, end, this.#number(meaning, token));
      else if (kind === 'text') take(start, end, this.#runningText(token));
      if (kind === 'next' || kind === 'close') meaning = outer.at(-1) ?? null;
    }
    return out + text.slice(done);
  }

  #string(meaning: Meaning | null, quoted: string): string {
    const clear = unquoted(quoted);
    const redacted = this.#byMeaning(meaning, quoted.includes('\\') ? this.#nested(clear) : clear);
    return redacted === clear ? quoted : JSON.stringify(redacted);
  }

  /** What was escaped or encoded may hold a secret, or JSON of its own. */
  #nested(text: string): string {
    const known = this.#learned.replace(text);
    return known.includes('"') ? this.#members(known) : known;
  }

  #number(meaning: Meaning | null, digits: string): string {
    if (meaning?.kind === 'secret') {
      // Learned without its sign: wherever the digits stand in JSON again, nines take their place and it stays JSON.
      if (/^-?\d+$/.test(digits)) this.#secret(digits.replace('-', ''), meaning.label);
      return maskNumber(digits);
    }
    if (meaning?.kind === 'personal') return this.#masksPersonalData ? maskNumber(digits) : digits;
    return meaning === null && isCardNumber(digits) ? maskNumber(digits) : digits;
  }

  #byMeaning(meaning: Meaning | null, clear: string): string {
    if (clear === '' || isMarker(clear)) return clear;
    if (meaning?.kind === 'secret') return this.#secret(clear, meaning.label);
    if (meaning?.kind === 'personal' && this.#masksPersonalData) return maskText(clear);
    return meaning?.kind === 'identifier' ? clear : this.#runningText(clear);
  }

  /** The marker; and the secret is known from now on, unless it looks like a word ("sessionId": "required"). */
  #secret(value: string, label: string): string {
    if (LOOKS_RANDOM.test(value)) this.#learned.add(value, label);
    return markerOf(label);
  }

  #runningText(text: string): string {
    const { decode, encode } = QUOTINGS.find(({ quote }) => text.includes(quote)) ?? {};
    const clear = decode?.(text) ?? text;
    const redacted = clear === text ? text : this.#members(clear);
    return redacted === clear ? this.#clearText(text) : encode!(redacted);
  }

  #clearText(text: string): string {
    if (!PERHAPS.test(text)) return text;
    return text.replaceAll(RUNNING_TEXT, (found: string, ...rest: unknown[]) => {
      const groups = rest.at(-1) as Record<string, string | undefined>;
      if (groups.credentials) return `${groups.scheme}${this.#secret(groups.credentials, 'AUTHORIZATION')}`;
      if (groups.name) return `${groups.name}=${markerOf(groups.name)}`;
      if (groups.user) return markerOf('credentials');
      if (groups.email) return this.#masksPersonalData ? maskText(found) : found;
      return isCardNumber(found.replaceAll(/\D/g, '')) ? markerOf('CARD_NUMBER') : found;
    });
  }
}

/** What JSON may be wrapped in: an address (as of a redirect), a page of HTML (as of an error). */
const QUOTINGS = [
  { quote: '%22', decode: decoded, encode: (text: string) => encodeURI(text.toWellFormed()) },
  {
    quote: '&quot;',
    decode: (text: string) => text.replaceAll('&quot;', '"'),
    encode: (text: string) => text.replaceAll('"', '&quot;'),
  },
];

const LOOKS_RANDOM = /^(?=.*\d)[^\s<>]+$/;

function isMarker(text: string): boolean {
  return /^<[A-Z0-9_]+>$/.test(text);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** The content of a JSON string, as far as there is one. */
function unquoted(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, quoted.endsWith('"') && quoted.length > 1 ? -1 : undefined);
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted.slice(1).replaceAll(/\\(.?)/g, '$1');
  }
}

interface Token {
  kind: 'name' | 'string' | 'number' | 'text' | 'open' | 'close' | 'next';
  start: number;
  end: number;
}

/** A number is one only where a member or an item ends; anything else that is not of JSON is running text. */
const NEXT_TOKEN = /["{}[\],]|(?<number>-?\d[\d.]*(?:[eE][+-]?\d+)?(?=\s*(?:[,}\]]|$)))|[^"{}[\],\s:][^"{}[\],]*/g;
const COLON = /\s*:/y;

/** The tokens of JSON; also of what only resembles it, where running text stands between them. */
function* tokensOf(text: string): Generator<Token> {
  let at = 0;
  while (at < text.length) {
    NEXT_TOKEN.lastIndex = at;
    const found = NEXT_TOKEN.exec(text);
    if (!found) return;
    const start = found.index;
    const first = found[0][0]!;
    let end = start + found[0].length;
    if (first === '"') {
      end = endOfString(text, start) + 1;
      COLON.lastIndex = end;
      yield { kind: COLON.test(text) ? 'name' : 'string', start, end };
    } else if (first === ',') yield { kind: 'next', start, end };
    else if (first === '{' || first === '[') yield { kind: 'open', start, end };
    else if (first === '}' || first === ']') yield { kind: 'close', start, end };
    else yield { kind: found.groups?.number ? 'number' : 'text', start, end };
    at = end;
  }
}
