/** Redacts secrets by value and by meaning. */
import { FORGED_MARKER, type Label, MARKER, markerOf, plain } from '../contracts/redaction.ts';
import { writeJson } from '../files/json.ts';
import { type Cut, Examination, TooEntangled } from './examination.ts';
import { type Meaning, meaningOfField, meaningOfMember, meaningOfParameter } from './names.ts';
import { SecretIndex } from './secret-index.ts';
import type { Redacted } from './types.ts';
import { plainView, slice, type View } from './view.ts';

/** Maximum length of a body kept as evidence, in characters. */
export const MAX_BODY_TEXT = 8 * 1024;
/** Number of characters examined beyond it, for a secret that the limit divides. */
const BEYOND = 4 * 1024;
/** Limits on what is remembered: characters of texts, and words. */
const MOST_REMEMBERED = 2 * 1024 * 1024;
const MOST_WORDS = 20_000;

/** A text fit for evidence. */
interface RedactedBody {
  text: Redacted;
  /** Whether the text was truncated to the limit for evidence. */
  truncated: boolean;
}

/** What code that records or prints uses of a {@link SecretRedactor}. */
export type Redactor = Pick<SecretRedactor, keyof SecretRedactor>;

/** Removes secrets, and personal data unless it is kept, from everything written or printed. Learns during the run. */
export class SecretRedactor {
  readonly #index = new SecretIndex();
  readonly #masksPersonalData: boolean;
  /** Names of configured headers, without case and separators. */
  readonly #headerNames = new Set<string>();
  /** Results by kind and text, until a secret is learned: the same headers and bodies recur. */
  readonly #remembered = new Map<string, string>();
  readonly #barren = new Set<string>();
  /** Number of characters remembered, and of secrets that were known then. */
  #characters = 0;
  #known = 0;

  /** @param personalData `mask` also masks names, addresses, dates of birth, phone numbers and e-mail addresses */
  constructor(personalData: 'mask' | 'keep') {
    this.#masksPersonalData = personalData === 'mask';
  }

  /**
   * Learns a secret by value. With four characters or more it is replaced wherever it occurs, in any case,
   * percent-encoded, as entities, escaped, in base64 or hexadecimal, and in nested encodings. With fewer than eight
   * letters and digits it is found only as a word. The label gives the marker: `<REDACTED_ACCESS_TOKEN>`.
   */
  learn(value: string, label: Label): void {
    this.#index.add(value, label);
  }

  /** Learns a further header whose value is secret, also if an answer echoes it as a member. */
  learnHeader(name: string): void {
    this.#headerNames.add(plain(name));
    this.#forget();
  }

  #forget(): void {
    this.#remembered.clear();
    this.#barren.clear();
    this.#characters = 0;
    this.#known = this.#index.size;
  }

  /** Repeats work on several parts of an exchange until none of them teaches a secret that one before it may hold. */
  settled<T>(work: () => T): T {
    for (;;) {
      const known = this.#index.size;
      const done = work();
      if (this.#index.size === known) return done;
    }
  }

  url(url: string): Redacted {
    return this.#record('url', url, (examination, view) => {
      const query = url.search(/[?#]/);
      const path = slice(view, 0, query === -1 ? url.length : query);
      examination.user(path);
      if (query !== -1) this.#parameters(examination, slice(view, query + 1, url.length));
      examination.examine(view, { kind: 'identifier' });
    }) as Redacted;
  }

  /** Redacts headers by name, or by value if the name means nothing. */
  headers(headers: Record<string, string | string[]>): Record<string, string | string[]> {
    const entries = Object.entries(headers).map(([name, value]) => {
      const redacted = Array.isArray(value) ? value.map((one) => this.#header(name, one)) : this.#header(name, value);
      return [this.#nameOfHeader(name), redacted] as const;
    });
    return Object.fromEntries(entries);
  }

  /** Redacts JSON and forms by the names of members, anything else as text, and truncates afterwards. */
  body(text: string, mediaType: string): RedactedBody {
    const truncated = text.length > MAX_BODY_TEXT;
    const isForm = mediaType.toLowerCase().includes('x-www-form-urlencoded');
    const read = text.slice(0, MAX_BODY_TEXT + Math.max(BEYOND, 2 * this.#index.longest));
    const redacted = this.#record(
      isForm ? 'form' : 'body',
      read,
      (examination, view) => {
        if (isForm) this.#parameters(examination, view);
        else {
          this.#formData(examination, view);
          examination.examine(view);
        }
      },
      truncated ? MAX_BODY_TEXT : undefined,
    );
    return { text: redacted.toWellFormed() as Redacted, truncated };
  }

  /** Redacts a message, and escapes control characters and terminal escapes. */
  text(message: string): Redacted {
    return visible(this.#say(message)) as Redacted;
  }

  /** Redacts a sentence of the suite itself: known secrets alone, since what follows `credentials:` in it is none. */
  sentence(text: string): Redacted {
    return visible(this.#say(text, true)) as Redacted;
  }

  value(value: unknown): unknown {
    try {
      const redacted: unknown = JSON.parse(this.#say(writeJson(value)));
      if (membersIn(redacted) === membersIn(value)) return redacted;
    } catch {
      // A cut crossed the end of a string, or the text could not be examined.
    }
    return this.#unreadable(value);
  }

  /** The value's structure without its content, since readers rely on the structure. */
  #unreadable(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#unreadable(item));
    if (typeof value !== 'object' || value === null) return markerOf('UNREADABLE');
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [this.#say(name), this.#unreadable(member)]),
    );
  }

  /** Redacts the name of a header. Dashes separate its words, so digits between them are no part of an identifier. */
  #nameOfHeader(name: string): string {
    return this.#record('name', name, (examination, view) => {
      examination.examine(view);
      for (const { 0: word, index } of name.matchAll(/[^-]+/g))
        examination.examine(slice(view, index, index + word.length));
    });
  }

  #header(name: string, value: string): string {
    const meaning = this.#parameterMeaning(name);
    return this.#record(`header ${name}`, value, (examination, view) => {
      const scheme = meaning?.kind === 'secret' ? (SCHEME.exec(value)?.[0].length ?? 0) : 0;
      if (meaning?.kind === 'secret' && /cookie/i.test(name)) examination.cookies(view, /^set-/i.test(name));
      else if (meaning?.kind === 'secret') examination.credentials(view);
      examination.parameter(slice(view, scheme, value.length), meaning?.kind === 'secret' ? meaning : null);
    });
  }

  /** Examines a query or form. */
  #parameters(examination: Examination, view: View): void {
    let from = 0;
    for (const pair of view.text.split('&')) {
      const equals = pair.indexOf('=');
      const to = from + pair.length;
      if (equals === -1) examination.examine(slice(view, from, to));
      else {
        examination.examine(slice(view, from, from + equals));
        const meaning = this.#meaning(decoded(pair.slice(0, equals)), meaningOfField);
        examination.parameter(slice(view, from + equals + 1, to), meaning);
      }
      from = to + 1;
    }
    // A secret or its encoding may hold separators of parameters.
    examination.examine(view, { kind: 'identifier' });
  }

  /** Examines the members of a form in parts (RFC 7578), whatever its media type says. */
  #formData(examination: Examination, view: View): void {
    if (!/content-disposition/i.test(view.text)) return;
    for (const { 0: part, index, groups } of view.text.matchAll(PART)) {
      const { name = '', value = '' } = groups!;
      // The character set and language of an extended name (RFC 8187) say nothing.
      const meaning = this.#meaning(decoded(name.replace(/^[\w-]*'[\w-]*'/, '')), meaningOfField);
      const to = index + part.length;
      if (meaning && value !== '') examination.parameter(slice(view, to - value.length, to), meaning);
    }
  }

  /** Redacts part of an exchange. What only looks like a marker is altered, since reproductions rely on markers. */
  #record(kind: string, text: string, look: (examination: Examination, view: View) => void, limit?: number): string {
    return this.#redact(kind, text, look, (kept) => kept.replace(FORGED_MARKER, '<redacted_'), limit);
  }

  /** Redacts a message. Markers of an earlier redaction are kept. */
  #say(text: string, isOwn = false): string {
    const before = [...text.matchAll(new RegExp(MARKER, 'g'))].map(({ 0: { length }, index }) => [
      index,
      index + length,
    ]);
    const isMarker = ({ start, end }: Cut) => before.some(([from, to]) => start >= from! && end <= to!);
    return this.#redact(
      isOwn ? OWN : 'message',
      text,
      (examination, view) => {
        examination.examine(view);
        if (before.length > 0)
          examination.cuts.splice(0, Number.POSITIVE_INFINITY, ...examination.cuts.filter((cut) => !isMarker(cut)));
      },
      (kept) => kept,
    );
  }

  /** @param kind groups texts that are examined in the same way */
  #redact(
    kind: string,
    text: string,
    look: (examination: Examination, view: View) => void,
    keep: (text: string) => string,
    limit?: number,
  ): string {
    const key = `${kind}:${text}`;
    if (this.#known < this.#index.size || this.#characters > MOST_REMEMBERED) this.#forget();
    const before = this.#remembered.get(key);
    if (before !== undefined) return before;
    try {
      // A secret learned at the end of a text may also occur at its beginning.
      const { cuts } = this.settled(() => {
        if (this.#known < this.#index.size || this.#barren.size > MOST_WORDS) this.#forget();
        const examination = new Examination({ ...this.#parts, isOwn: kind === OWN }, text.length);
        look(examination, plainView(text));
        return examination;
      });
      const redacted = assembled(text, cuts, keep, limit);
      this.#remembered.set(key, redacted);
      this.#characters += text.length;
      return redacted;
    } catch (error) {
      if (error instanceof TooEntangled) return markerOf('UNREADABLE');
      throw error;
    }
  }

  get #parts() {
    return {
      index: this.#index,
      barren: this.#barren,
      masksPersonalData: this.#masksPersonalData,
      memberMeaning: (name: string) => this.#meaning(name, meaningOfMember),
      parameterMeaning: (name: string) => this.#parameterMeaning(name),
    };
  }

  #parameterMeaning(name: string): Meaning | null {
    return this.#meaning(name, meaningOfParameter);
  }

  #meaning(name: string, known: (name: string) => Meaning | null): Meaning | null {
    const isConfigured = this.#headerNames.size > 0 && this.#headerNames.has(plain(name));
    return isConfigured ? { kind: 'secret', label: 'HEADER' } : known(name);
  }
}

/** The kind of a text of the suite itself. */
const OWN = 'sentence';

const membersIn = (value: unknown): number =>
  typeof value === 'object' && value !== null ? Object.keys(value).length : 0;

/** A part of a form: its header with a name, and its value up to the next boundary or the end. */
const PART =
  /^content-disposition:[^\r\n]*?[;\s]name\*?\s*=\s*"?(?<name>[^"\r\n;]*)[\s\S]*?\r?\n\r?\n(?<value>[\s\S]*?)(?=\r?\n--|(?![\s\S]))/gim;

const SCHEME = /^(Bearer|Basic|Digest|Negotiate) +/i;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Applies the cuts to a text, merging overlapping ones. @param limit maximum length of the text */
function assembled(text: string, cuts: Cut[], keep: (text: string) => string, limit = text.length): string {
  const last = limit < text.length ? lastDelimiter(text, limit) : limit;
  let out = '';
  let done = 0;
  for (const { start, end, text: instead } of merged(cuts)) {
    if (start >= last) break;
    out += keep(text.slice(done, start)) + instead;
    done = end;
  }
  return out + keep(text.slice(done, Math.max(done, last)));
}

/** Merges overlapping cuts; the first and longest wins. Of equal ones a marker wins, first that of a known value. */
function merged(cuts: Cut[]): Cut[] {
  const out: Cut[] = [];
  for (const cut of cuts.sort((a, b) => a.start - b.start || b.end - a.end || Number(isMask(a)) - Number(isMask(b)))) {
    const before = out.at(-1);
    if (before && cut.start < before.end) before.end = Math.max(before.end, cut.end);
    else out.push({ ...cut });
  }
  return out;
}

const isMask = ({ text }: Cut): boolean => !text.startsWith('<REDACTED_');

/** The latest position before the limit that does not split an encoded word whose rest was not examined. */
function lastDelimiter(text: string, limit: number): number {
  let at = limit;
  while (at > 0 && /[\w%&#;\\+/=~.!*@$-]/.test(text[at - 1]!)) at--;
  return at;
}

/** Escapes control characters, but for line feed and tab, and characters that reorder text. */
function visible(text: string): string {
  return text.replaceAll(INVISIBLE, (character) => {
    const code = character.charCodeAt(0);
    return code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const INVISIBLE = /[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
