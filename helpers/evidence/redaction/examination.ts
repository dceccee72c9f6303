/** Finds what must not be written in one text: by value, by the names around it, and by its look; in each of its readings. */
import { type Label, markerOf } from '../../../contracts/redaction.ts';
import { cardNumbersIn, isCardNumber } from './card-numbers.ts';
import {
  encodedWords,
  percentDecodedView,
  readingsOfWord,
  rewrittenReadings,
  unescapedView,
  type Word,
} from './decoders.ts';
import { contentOf, type Token, tokensOf } from './json-tokens.ts';
import { maskNumber, maskText } from './mask.ts';
import type { Memory } from './memory.ts';
import { type Meaning, meaningOfMember, SECRET_STEM } from './names.ts';
import type { SecretIndex } from './secret-index.ts';
import { plainView, slice, spanOf, type View } from './view.ts';

/** A piece of the written text, and what takes its place. */
export interface Cut {
  start: number;
  end: number;
  text: string;
}

/** Encodings that are taken off, one on top of the other. */
const DEEPEST = 6;
/** Characters that are looked at in all readings together, for each one of the text and beside. */
const WORK_PER_CHARACTER = 30;
const LEAST_WORK = 60_000;
/** Characters compared with those of secrets that take the time of one that is looked at. */
const COMPARED_PER_WORK = 16;
/** Characters of a word that is remembered. */
const MOST_OF_WORD = 100;

/** What an examination goes by; shared by all examinations of one redactor. */
export interface ExaminationParts {
  index: SecretIndex;
  /** Words that hold nothing in any encoding. */
  barren: Memory<true>;
  masksPersonalData: boolean;
  /** What the name of a member says, {@link meaningOfMember} and the configured headers. */
  memberMeaning(name: string): Meaning | null;
  parameterMeaning(name: string): Meaning | null;
}

/** The text holds more encodings within each other than anybody would look through: nothing of it is written. */
export class TooEntangled extends Error {}

/**
 * Looks through one text, in all its readings; what is to go is in {@link cuts} afterwards.
 * @param length characters of the text, which bound the work
 */
export class Examination {
  /** What is to be replaced, in no order; cuts may overlap. */
  readonly cuts: Cut[] = [];
  /** The letters and digits of all that was looked through for known secrets. */
  letters = '';
  readonly #parts: ExaminationParts;
  #work: number;
  readonly #seen = new Set<string>();

  constructor(parts: ExaminationParts, length: number) {
    this.#parts = parts;
    this.#work = LEAST_WORK + WORK_PER_CHARACTER * length;
  }

  /**
   * Everything in the view, whose name has the meaning.
   * @throws TooEntangled
   */
  examine(view: View, meaning: Meaning | null = null, depth = 0): void {
    const { text } = view;
    if (text === '') return;
    this.#spend(text.length + 20);
    this.known(view);
    if (meaning?.kind === 'secret') {
      this.#secret(view, meaning.label);
      return;
    }
    if (meaning?.kind === 'personal' && this.#parts.masksPersonalData && !/["{[]/.test(text)) {
      this.#personal(view);
      return;
    }
    this.#structure(view, meaning, depth);
    if (depth === DEEPEST) return;
    for (const reading of rewrittenReadings(view)) this.#reading(reading, depth);
    for (const word of encodedWords(text)) {
      const barren = this.#parts.barren.get(word.text);
      if (barren) this.letters += barren.letters;
      else this.#word(view, word, depth);
    }
  }

  #spend(work: number): void {
    this.#work -= work;
    if (this.#work < 0) throw new TooEntangled();
  }

  /** @returns whether it is looked at for the first time */
  #reading(reading: View, depth: number): boolean {
    if (!this.#isNew(reading)) return false;
    this.examine(reading, null, depth + 1);
    return true;
  }

  /** What a word decodes to. One in which nothing was found, with all encodings taken off, is remembered. */
  #word(view: View, word: Word, depth: number): void {
    const { index, barren } = this.#parts;
    const { size: known } = index;
    const { length: cuts } = this.cuts;
    const before = this.letters;
    this.letters = '';
    const { readings, isLegible } = readingsOfWord(view, word, (bytes) => index.mayHold(bytes));
    const areNew = readings.map((reading) => this.#reading(reading, depth)).every(Boolean);
    const isBarren = areNew && depth === 0 && this.cuts.length === cuts && index.size === known;
    // What decodes to nothing legible holds nothing, whatever will be learned.
    if (isBarren && word.text.length <= MOST_OF_WORD)
      barren.set(word.text, {
        result: true,
        letters: this.letters,
        known: isLegible ? known : Number.POSITIVE_INFINITY,
      });
    this.letters = before + this.letters;
  }

  /** Encodings that are taken off in another order give the same. */
  #isNew(reading: View): boolean {
    const { start, end } = spanOf(reading, 0, reading.text.length);
    const key = `${start} ${end} ${reading.text}`;
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    return true;
  }

  /**
   * The secrets that are known by their value.
   * @throws TooEntangled
   */
  known(view: View): void {
    const { found, letters, compared } = this.#parts.index.matches(view.text);
    this.#spend(compared / COMPARED_PER_WORK);
    this.letters += `${letters} `;
    for (const { from, to, label, isNumber } of found)
      if (isNumber && !view.opaque) this.#replace(view, from, to, maskNumber);
      else this.#mark(view, from, to, label);
  }

  /** Credentials in an address. */
  user(view: View): void {
    const user = /(?<=:\/\/)[^/@]+(?=@)/.exec(view.text);
    if (user) this.#secret(slice(view, user.index, user.index + user[0].length), 'CREDENTIALS');
  }

  /** Learns the values of cookies, which may come again without their names. */
  cookies({ text }: View): void {
    for (const [, value] of text.matchAll(/(?:^|;)\s*[^=;\s]+=([^;]*)/g))
      if (value!.length >= 8 && LOOKS_RANDOM.test(value!)) this.#learn(value!, 'COOKIE');
  }

  /** The value of a parameter of a query or a form, or of a header. */
  parameter(view: View, meaning: Meaning | null): void {
    const clear = percentDecodedView(view);
    if (meaning?.kind === 'secret') {
      this.known(view);
      this.known(clear);
      this.#secret(clear, meaning.label, view);
    } else if (meaning?.kind === 'personal' && this.#parts.masksPersonalData) this.#personal(clear);
    else this.examine(view, meaning);
  }

  #structure(view: View, meaning: Meaning | null, depth: number): void {
    const { text } = view;
    const isJson = /["{[\]}]/.test(text) && this.#members(view, meaning, depth);
    // Where quotes are no JSON, what they enclose and what stands before them still belong together.
    if (!isJson) this.#runningText(view, meaning);
  }

  /** Of JSON, or of text that holds pieces of it. @returns whether it is JSON and nothing else */
  #members(view: View, inherited: Meaning | null, depth: number): boolean {
    const { text } = view;
    let meaning = inherited;
    let member = '';
    let isProse = false;
    const outer: Level[] = [];
    for (const token of tokensOf(text)) {
      const { kind, start, end } = token;
      const level = outer.at(-1);
      if (kind === 'name') {
        member = unescapedContent(text, token);
        meaning = this.#parts.memberMeaning(member) ?? level?.meaning ?? inherited;
        this.#cards(slice(view, start, end));
      } else if (kind === 'open') {
        outer.push({ meaning, names: null, values: [] });
        member = '';
      } else if (kind === 'close') {
        const closed = outer.pop();
        if (closed?.names)
          for (const value of closed.values)
            if (value.kind === 'number') this.#number(view, value, closed.names);
            else this.#string(view, value, closed.names, depth);
      } else if (kind === 'string' || kind === 'number') {
        if (kind === 'number') this.#number(view, token, meaning);
        else this.#string(view, token, meaning, depth);
        if (level) this.#pair(text, level, member, token);
      } else if (kind === 'text' && !LITERAL.test(text.slice(start, end))) {
        isProse = true;
        this.#runningText(slice(view, start, end), meaning);
      }
      if (kind === 'next' || kind === 'close') {
        meaning = outer.at(-1)?.meaning ?? inherited;
        member = '';
      }
    }
    return !isProse;
  }

  /** Of `{"name":"password","value":"..."}`: one member says what the other one is. */
  #pair(text: string, level: Level, member: string, token: Token): void {
    if (NAMING.test(member) && token.kind === 'string' && token.end - token.start < 60) {
      const named = this.#parts.memberMeaning(unescapedContent(text, token));
      if (named?.kind === 'secret') level.names = named;
    } else if (VALUE.test(member)) level.values.push(token);
  }

  #string(view: View, token: Token, meaning: Meaning | null, depth: number): void {
    const { text } = view;
    const { from, to } = contentOf(text, token);
    if (from === to) return;
    const content = slice(view, from, to);
    const clear = content.text.includes('\\') ? unescapedView(content) : content;
    if (clear !== content && meaning?.kind !== 'secret') this.known(clear);
    if (meaning?.kind === 'secret') this.#secret(clear, meaning.label, content);
    else if (meaning?.kind === 'personal' && this.#parts.masksPersonalData) this.#personal(clear);
    else if (clear !== content && depth < DEEPEST) this.examine(clear, meaning, depth + 1);
    else this.#runningText(clear, meaning);
  }

  #number(view: View, { start, end }: Token, meaning: Meaning | null): void {
    const digits = view.text.slice(start, end);
    const isPersonal = meaning?.kind === 'personal' && this.#parts.masksPersonalData;
    const isSecret = meaning?.kind === 'secret';
    // Learned without its sign: wherever the digits stand in JSON again, nines take their place and it stays JSON.
    if (isSecret && /^-?\d+$/.test(digits)) this.#learn(digits.replace('-', ''), meaning.label);
    if (isSecret || isPersonal || (meaning === null && isCardNumber(digits)))
      this.#replace(view, start, end, maskNumber);
  }

  /** A secret by its name; it is known from now on, unless it looks like a word (`"sessionId": "required"`). */
  #secret(view: View, label: Label, written = view): void {
    const known = this.#parts.index.labelOf(view.text);
    if (known === undefined && LOOKS_RANDOM.test(view.text)) this.#learn(view.text, label);
    // The same digits may be many things.
    this.#mark(written, 0, written.text.length, known === undefined || /^\d+$/.test(view.text) ? label : known);
  }

  #learn(value: string, label: Label): void {
    if (this.#parts.index.size < MOST_LEARNED) this.#parts.index.add(value, label, true);
  }

  #personal(view: View): void {
    if (view.opaque) this.#mark(view, 0, view.text.length, 'PERSONAL_DATA');
    else this.#replace(view, 0, view.text.length, maskText);
  }

  /** Secrets by the name before them, credentials, and what only its look gives away. */
  #runningText(view: View, meaning: Meaning | null): void {
    const { text } = view;
    if (SECRET_STEM.test(text)) this.#named(view);
    if (PERHAPS.test(text)) {
      for (const found of text.matchAll(CREDENTIALS)) {
        const { scheme = '', credentials, user, email } = found.groups!;
        const from = found.index + scheme.length;
        const to = found.index + found[0].length;
        if (credentials) this.#secret(slice(view, from, to), 'AUTHORIZATION');
        else if (user) this.#secret(slice(view, from, to), 'CREDENTIALS');
        else if (email && this.#parts.masksPersonalData) this.#personal(slice(view, from, to));
      }
    }
    if (meaning?.kind !== 'identifier') this.#cards(view);
  }

  #cards(view: View): void {
    for (const { from, to } of cardNumbersIn(view.text)) this.#mark(view, from, to, 'CARD_NUMBER');
  }

  #named(view: View): void {
    const { text } = view;
    for (const found of text.matchAll(SEPARATOR)) {
      const before = NAME_BEFORE.exec(text.slice(Math.max(0, found.index - 60), found.index));
      const meaning = before && this.#meaningOfWords(before[1]!);
      if (!meaning) continue;
      const from = found.index + found[0].length;
      const value = (found[0].endsWith('"') ? QUOTED : WORD).exec(text.slice(from, from + MOST_VALUE))?.[0] ?? '';
      if (value === '' || (found[0].includes(':') && NO_VALUE.test(value))) continue;
      this.#byMeaning(slice(view, from, from + value.length), meaning);
    }
    for (const found of text.matchAll(ELEMENT)) {
      const meaning = this.#parts.parameterMeaning(found[2]!.replace(/^.*:/, ''));
      const from = found.index + found[1]!.length;
      if (meaning) this.#byMeaning(slice(view, from, from + found[3]!.length), meaning);
    }
    for (const found of text.matchAll(NUMBER_AFTER)) {
      const from = found.index + found[1]!.length;
      this.#replace(view, from, from + found[2]!.length, maskNumber);
    }
  }

  /** Of the last words before a separator: `session id: 12` as `id: 12`. */
  #meaningOfWords(words: string): Meaning | null {
    const each = words.split(' ');
    for (let first = 0; first < each.length; first++) {
      const meaning = this.#parts.parameterMeaning(each.slice(first).join(' '));
      if (meaning?.kind === 'secret') return meaning;
    }
    return null;
  }

  #byMeaning(view: View, meaning: Meaning): void {
    // Of running text nothing is learned: what follows a name there is often no value.
    if (meaning.kind === 'secret') this.#mark(view, 0, view.text.length, meaning.label);
    else if (meaning.kind === 'personal' && this.#parts.masksPersonalData) this.#personal(view);
  }

  #mark(view: View, from: number, to: number, label: Label): void {
    if (from < to) this.cuts.push({ ...spanOf(view, from, to), text: markerOf(label) });
  }

  /** Character by character, so that what encodes the others stays. */
  #replace(view: View, from: number, to: number, mask: (text: string) => string): void {
    const text = view.text.slice(from, to);
    const masked = mask(text);
    if (view.places === undefined) {
      if (masked !== text) this.cuts.push({ ...spanOf(view, from, to), text: masked });
      return;
    }
    for (let at = 0; at < text.length; at++)
      if (masked[at] !== text[at]) this.cuts.push({ ...spanOf(view, from + at, from + at + 1), text: masked[at]! });
  }
}

/** An object or array that the tokens are in. */
interface Level {
  meaning: Meaning | null;
  /** What a member of it says that the values are. */
  names: Meaning | null;
  values: Token[];
}

/** Secrets that answers may teach: with more, somebody only wants to fill the memory. */
const MOST_LEARNED = 20_000;

const LOOKS_RANDOM = /^(?=.*\d)[^\s<>]+$/;
const LITERAL = /^(?:true|false|null)\s*$/;
const NAMING =
  /^(?:name|key|field|fieldname|member|parameter|param|property|attribute|id|label|code|path|pointer|type)$/i;
const VALUE = /value|^(?:val|content|data|text|input|actual|received|given|was|current|detail|details)$/i;

/** What every part of {@link CREDENTIALS} holds: most texts do not, and need no closer look. */
const PERHAPS = /@|(?:bearer|basic|digest|negotiate|token)\s/i;
const CREDENTIALS = new RegExp(
  [
    /(?<scheme>\b(?:Bearer|Basic|Negotiate|Token)\s+)(?<credentials>(?=[^\s]*\d)[\w.~+/=-]{8,})/,
    /(?<=:\/\/)(?<user>[^\s/@:<>"]{1,200}:[^\s/@<>"]{1,200})(?=@)/,
    /(?<![\w.+-])(?<email>[\w.+-]{1,100}@[\w-]{1,100}(?:\.[\w-]{1,60}){1,8})/,
  ]
    .map((pattern) => pattern.source)
    .join('|'),
  'gi',
);

/** Between the name and the value of a secret in running text, with the scheme of credentials. */
const SEPARATOR = /["'\\\])]{0,8}\s{0,4}(?:=>|[=:])\s{0,4}(?:(?:Bearer|Basic|Digest|Negotiate) +)?[\\']{0,8}"?/gi;
const NAME_BEFORE = /([A-Za-z][\w.-]*(?: [A-Za-z][\w.-]*){0,2})$/;
/** Characters of a value in running text at most. */
const MOST_VALUE = 4096;
const QUOTED = /^[^"]*/;
const WORD = /^[^\s&"'<>,;)\]}\\]+/;
/** What a message says of a secret, and is none. */
const NO_VALUE =
  /^(?:must|is|are|was|has|may|should|can|cannot|the|an?|not?|missing|required|invalid|wrong|expired|unknown|empty|expected|too|null|undefined|true|false|string|number|integer|bearer|basic)$/i;
/** `<pin>6284</pin>`, with attributes or a CDATA section: before the value, name, value. */
const ELEMENT = /(<([A-Za-z][\w.:-]{0,60})(?:\s[^<>]{0,200})?>(?:<!\[CDATA\[)?)([^<>\]]+)(?=\]\]>|<\/)/g;
/** `PIN 6284 is too weak`: up to the digits, the digits. */
const NUMBER_AFTER = /(\b(?:pin|ssn|cvv2?|cvc2?|otp|passcode)\b[^\d\n<>]{0,16}?)(\b\d[\d -]{1,12}\d)\b/gi;

function unescapedContent(text: string, token: Token): string {
  const { from, to } = contentOf(text, token);
  const content = text.slice(from, to);
  return content.includes('\\') ? unescapedView(plainView(content)).text : content;
}
