/** Finds what must not be written in a text, decoded or not: by value, by the names around it, and by its form. */
import { type Label, markerOf, maskNumber, maskText } from '../contracts/redaction.ts';
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
import { GRANTED_CODE, isOfGrant, type Meaning, SECRET_STEM } from './names.ts';
import type { SecretIndex } from './secret-index.ts';
import { plainView, slice, spanOf, type View } from './view.ts';

/** A range of the written text and its replacement. */
export interface Cut {
  start: number;
  end: number;
  text: string;
}

/** Maximum number of nested encodings that are decoded. */
const DEEPEST = 6;
/** Limits on the characters examined in all readings together: per character of the text, and at least. */
const WORK_PER_CHARACTER = 30;
const LEAST_WORK = 60_000;
/** Number of characters compared with secrets that cost as much as examining one. */
const COMPARED_PER_WORK = 16;
/** Maximum length of a word that is remembered, in characters. */
const MOST_OF_WORD = 100;

/** The parts shared by all examinations of one redactor. */
interface ExaminationParts {
  index: SecretIndex;
  /** Words that hold nothing to redact in any encoding, as far as secrets are known. */
  barren: Set<string>;
  masksPersonalData: boolean;
  /** Whether the text is the suite's own, in which what follows the name of a secret is none. */
  isOwn: boolean;
  /** The meaning of a member's name: `meaningOfMember` and the configured headers. */
  memberMeaning(name: string): Meaning | null;
  parameterMeaning(name: string): Meaning | null;
}

/** Thrown if a text nests more encodings than can be examined; none of it is written. */
export class TooEntangled extends Error {}

/**
 * Examines one text in all its readings and collects what to redact in {@link cuts}.
 * @param length the text's length in characters, which bounds the work
 */
export class Examination {
  /** The ranges to replace, unordered and possibly overlapping. */
  readonly cuts: Cut[] = [];
  readonly #parts: ExaminationParts;
  #work: number;
  readonly #seen = new Set<string>();

  constructor(parts: ExaminationParts, length: number) {
    this.#parts = parts;
    this.#work = LEAST_WORK + WORK_PER_CHARACTER * length;
  }

  /** Examines a view. @param meaning the meaning of its name @throws TooEntangled */
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
    for (const word of encodedWords(text)) if (!this.#parts.barren.has(word.text)) this.#word(view, word, depth);
  }

  #spend(work: number): void {
    this.#work -= work;
    if (this.#work < 0) throw new TooEntangled();
  }

  /** @returns whether the reading is new */
  #reading(reading: View, depth: number): boolean {
    if (!this.#isNew(reading)) return false;
    this.examine(reading, null, depth + 1);
    return true;
  }

  /** Examines what a word decodes to. A word in which nothing was found in any encoding is remembered. */
  #word(view: View, word: Word, depth: number): void {
    const { index, barren, isOwn } = this.#parts;
    const { length: cuts } = this.cuts;
    let areNew = true;
    for (const reading of readingsOfWord(view, word, (bytes) => index.mayHold(bytes)))
      areNew = this.#reading(reading, depth) && areNew;
    if (areNew && depth === 0 && !isOwn && this.cuts.length === cuts && word.text.length <= MOST_OF_WORD)
      barren.add(word.text);
  }

  /** Whether a reading is new: decoding in another order yields the same readings. */
  #isNew(reading: View): boolean {
    const { start, end } = spanOf(reading, 0, reading.text.length);
    const key = `${start} ${end} ${reading.text}`;
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    return true;
  }

  /** Redacts secrets that are known by value. @throws TooEntangled */
  known(view: View): void {
    const { found, compared } = this.#parts.index.matches(view.text);
    this.#spend(compared / COMPARED_PER_WORK);
    for (const { from, to, label, isNumber } of found)
      if (isNumber && !view.opaque) this.#replace(view, from, to, maskNumber);
      else this.#mark(view, from, to, label);
  }

  /** Redacts credentials in an address. */
  user(view: View): void {
    const user = /(?<=:\/\/)[^/@]+(?=@)/.exec(view.text);
    if (user) this.#secret(slice(view, user.index, user.index + user[0].length), 'CREDENTIALS');
  }

  /** Learns the values of cookies. @param isSet whether attributes follow the first pair (RFC 6265) */
  cookies({ text }: View, isSet: boolean): void {
    for (const [, value] of (isSet ? text.split(';', 1)[0]! : text).matchAll(/(?:^|;)\s*[^=;\s]+=([^;]*)/g))
      if (value!.trim().length >= LEAST_COOKIE) this.#learn(value!.trim(), 'COOKIE');
  }

  /** Learns the values of credentials: of several in one header, of their parameters, of a user and password (RFC 9110 section 11.4). */
  credentials({ text }: View): void {
    for (const { groups } of text.matchAll(CREDENTIAL)) {
      const { scheme = '', token, name = '', value } = groups!;
      const isKnown = name !== '' && PUBLIC_PARAMETERS.includes(name.toLowerCase());
      const secrets = /^basic$/i.test(scheme) ? [token!, ...userAndPassword(token!)] : [token ?? value!];
      for (const secret of isKnown ? [] : secrets)
        if (secret.length >= LEAST_CREDENTIAL && LOOKS_RANDOM.test(secret)) this.#learn(secret, 'AUTHORIZATION');
    }
  }

  /** Examines the value of a header, or of a parameter in a query or form. */
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
    // If the text is not JSON, quoted values and the names before them still belong together.
    if (!isJson) this.#runningText(view, meaning);
  }

  /** Examines JSON, or text that holds pieces of it. @returns whether it is JSON only */
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
        outer.push({ meaning, names: null, values: [], codes: [], isGrant: false });
        member = '';
      } else if (kind === 'close') {
        this.#closed(view, outer.pop(), depth);
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

  /** Examines again what the other members of an object give a meaning to. */
  #closed(view: View, level: Level | undefined, depth: number): void {
    if (level?.names)
      for (const value of level.values)
        if (value.kind === 'number') this.#number(view, value, level.names);
        else this.#string(view, value, level.names, depth);
    if (level?.isGrant) for (const code of level.codes) this.#string(view, code, GRANTED_CODE, depth);
  }

  /** Handles `{"name":"password","value":"..."}`, where one member gives the meaning of another. */
  #pair(text: string, level: Level, member: string, token: Token): void {
    if (isOfGrant(member)) level.isGrant = true;
    if (member === 'code' && token.kind === 'string') level.codes.push(token);
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
    // Learned without its sign. Further occurrences in JSON are replaced by nines, so it stays JSON.
    if (isSecret && /^-?\d+$/.test(digits)) this.#learn(digits.replace('-', ''), meaning.label);
    if (isSecret || isPersonal || (meaning === null && isCardNumber(digits)))
      this.#replace(view, start, end, maskNumber);
  }

  /** Redacts a secret recognised by its name, and learns it unless it looks like a word (`"sessionId": "required"`). */
  #secret(view: View, label: Label, written = view): void {
    const known = this.#parts.index.labelOf(view.text);
    if (known === undefined && LOOKS_RANDOM.test(view.text)) this.#learn(view.text, label);
    // The same digits may mean many things.
    this.#mark(written, 0, written.text.length, known === undefined || /^\d+$/.test(view.text) ? label : known);
  }

  #learn(value: string, label: Label): void {
    if (this.#parts.index.size < MOST_LEARNED) this.#parts.index.add(value, label);
  }

  #personal(view: View): void {
    if (view.opaque) this.#mark(view, 0, view.text.length, 'PERSONAL_DATA');
    else this.#replace(view, 0, view.text.length, maskText);
  }

  /** Redacts secrets after a name, credentials, and values recognised by their form. */
  #runningText(view: View, meaning: Meaning | null): void {
    const { text } = view;
    if (!this.#parts.isOwn && SECRET_STEM.test(text)) this.#named(view);
    if (PERHAPS.test(text)) {
      for (const found of text.matchAll(CREDENTIALS)) {
        const { scheme = '', digest = '', credentials, user, email } = found.groups!;
        const from = found.index + scheme.length + digest.length;
        const to = found.index + found[0].length;
        if (digest && /\bresponse\s*=/i.test(found[0])) this.#digest(slice(view, from, to));
        else if (credentials) this.#secret(slice(view, from, to), 'AUTHORIZATION');
        else if (user) this.#secret(slice(view, from, to), 'CREDENTIALS');
        else if (email && this.#parts.masksPersonalData) this.#personal(slice(view, from, to));
      }
    }
    if (meaning?.kind !== 'identifier') this.#cards(view);
  }

  #digest(view: View): void {
    this.credentials(view);
    this.#mark(view, 0, view.text.length, 'AUTHORIZATION');
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
    for (const { 0: found, 1: code, index } of text.matchAll(CODE_IN_ADDRESS)) {
      const to = index + found.length;
      this.#secret(slice(view, to - code!.length, to), GRANTED_CODE.label);
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

  /** The meaning of the last words before a separator: `session id: 12` as `id: 12`. */
  #meaningOfWords(words: string): Meaning | null {
    const each = words.split(' ');
    for (let first = 0; first < each.length; first++) {
      const meaning = this.#parts.parameterMeaning(each.slice(first).join(' '));
      if (meaning?.kind === 'secret') return meaning;
    }
    return null;
  }

  #byMeaning(view: View, meaning: Meaning): void {
    // Nothing is learned from running text, where what follows a name is often not a value.
    if (meaning.kind === 'secret') this.#mark(view, 0, view.text.length, meaning.label);
    else if (meaning.kind === 'personal' && this.#parts.masksPersonalData) this.#personal(view);
  }

  #mark(view: View, from: number, to: number, label: Label): void {
    if (from < to) this.cuts.push({ ...spanOf(view, from, to), text: markerOf(label) });
  }

  /** Replaces single characters, so that the encoding of the others stays intact. */
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

/** An enclosing object or array. */
interface Level {
  meaning: Meaning | null;
  /** The meaning that one of its members gives to its values. */
  names: Meaning | null;
  values: Token[];
  /** Members called `code`, and whether others show that such a one is exchanged for a token. */
  codes: Token[];
  isGrant: boolean;
}

/** Limit on secrets learned from answers; a target that sends more may be trying to fill the memory. */
const MOST_LEARNED = 20_000;

/** A credential: a token after its scheme, or a parameter. */
const CREDENTIAL =
  /(?:^|[\s,])(?:(?<scheme>[A-Za-z][\w-]*) +(?<token>[\w.~+/-]+=*)(?=\s*(?:,|$))|(?<name>[A-Za-z][\w*-]*)\s*=\s*"?(?<value>[^"\s,]*))/g;
/** Parameters of credentials that are no secret. */
const PUBLIC_PARAMETERS = [
  'realm',
  'uri',
  'algorithm',
  'qop',
  'nc',
  'nonce',
  'opaque',
  'charset',
  'userhash',
  'headers',
  'signedheaders',
  'created',
  'expires',
];
/** Shorter ones are words. */
const LEAST_CREDENTIAL = 8;

/** User and password of Basic credentials (RFC 7617). */
function userAndPassword(token: string): string[] {
  const text = Buffer.from(token, 'base64').toString();
  const colon = text.indexOf(':');
  return colon < 0 ? [] : [text.slice(0, colon), text.slice(colon + 1)];
}

/** Shorter values of cookies are settings, such as a language. */
const LEAST_COOKIE = 8;
const LOOKS_RANDOM = /^(?=.*\d)[^\s<>]+$/;
const LITERAL = /^(?:true|false|null)\s*$/;
const NAMING =
  /^(?:name|key|field|fieldname|member|parameter|param|property|attribute|id|label|code|path|pointer|type)$/i;
const VALUE = /value|^(?:val|content|data|text|input|actual|received|given|was|current|detail|details)$/i;

/** Quick test for what every part of {@link CREDENTIALS} holds; most texts fail it. */
const PERHAPS = /@|(?:bearer|basic|digest|negotiate|token)\s/i;
const CREDENTIALS = new RegExp(
  [
    /(?<scheme>\b(?:Bearer|Basic|Negotiate|Token)\s+)(?<credentials>(?=[^\s]*\d)[\w.~+/=-]{8,})/,
    /(?<digest>\bDigest\s+)(?:[\w*]{1,30}\s?=\s?(?:"[^"]{0,500}"|[^\s",]{1,500})[,\s]{0,4}){1,20}/,
    /(?<=:\/\/)(?<user>[^\s/@:<>"]{1,200}:[^\s/@<>"]{1,200})(?=@)/,
    /(?<![\w.+-])(?<email>[\w.+-]{1,100}@[\w-]{1,100}(?:\.[\w-]{1,60}){1,8})/,
  ]
    .map((pattern) => pattern.source)
    .join('|'),
  'gi',
);

/** What separates the name and value of a secret in running text, including the scheme of credentials. */
const SEPARATOR = /["'\\\])]{0,8}\s{0,4}(?:=>|[=:])\s{0,4}(?:(?:Bearer|Basic|Digest|Negotiate) +)?[\\']{0,8}"?/gi;
const NAME_BEFORE = /([A-Za-z][\w.-]*(?: [A-Za-z][\w.-]*){0,2})$/;
/** Maximum length of a value in running text, in characters. */
const MOST_VALUE = 4096;
const QUOTED = /^[^"]*/;
const WORD = /^[^\s&"'<>,;)\]}\\]+/;
/** Words that follow a secret's name in a message and are no value. */
const NO_VALUE =
  /^(?:must|is|are|was|has|may|should|can|cannot|the|an?|not?|missing|required|invalid|wrong|expired|unknown|empty|expected|too|null|undefined|true|false|string|number|integer|bearer|basic)$/i;
/** The code that a client exchanges for a token, in the address to which a browser is sent. Group: the code. */
const CODE_IN_ADDRESS = /[?&#]code=([^\s&#"'<>\\]+)/gi;
/** `<pin>6284</pin>`, with attributes or a CDATA section. Groups: what precedes the value, the name, the value. */
const ELEMENT = /(<([A-Za-z][\w.:-]{0,60})(?:\s[^<>]{0,200})?>(?:<!\[CDATA\[)?)([^<>\]]+)(?=\]\]>|<\/)/g;
/** `PIN 6284 is too weak`. Groups: what precedes the digits, the digits. */
const NUMBER_AFTER = /(\b(?:pin|ssn|cvv2?|cvc2?|otp|passcode)\b[^\d\n<>]{0,16}?)(\b\d[\d -]{1,12}\d)\b/gi;

function unescapedContent(text: string, token: Token): string {
  const { from, to } = contentOf(text, token);
  const content = text.slice(from, to);
  return content.includes('\\') ? unescapedView(plainView(content)).text : content;
}
