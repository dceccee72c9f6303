/** Secrets known by their value, found in one pass over a text however many there are. */
import { markerOf } from './names.ts';

/** Shorter values would be found by chance. */
const MIN_LENGTH = 8;
/** Characters that the filter looks at. */
const FILTER_LENGTH = 4;

interface Form {
  text: string;
  label: string;
}

/** Where a form stands in a text, and how many characters of it. */
interface Match {
  at: number;
  form: Form;
  length: number;
}

export class Learned {
  readonly #values = new Set<string>();
  /** By their first eight characters. */
  readonly #forms = new Map<string, Form[]>();
  /** Whether a form begins with four characters of this hash: rules out nearly every position of a text. */
  readonly #filter = new Uint8Array(1 << 16);
  #longest = 0;

  /** How many secrets are known. */
  get size(): number {
    return this.#values.size;
  }

  /** Characters of the longest form of a secret. */
  get longest(): number {
    return this.#longest;
  }

  add(value: string, label: string): void {
    if (value.length < MIN_LENGTH || this.#values.has(value) || isPlaceholder(value)) return;
    this.#values.add(value);
    for (const text of formsOf(value)) this.#addForm({ text, label });
  }

  /** The text with a marker (for digits, which may be a JSON number: with nines) in the place of each secret that begins before `end`, up to there. */
  replace(text: string, end = text.length): string {
    let out = '';
    let done = 0;
    for (const { at, form, length } of this.#matches(text, end)) {
      out += text.slice(done, at) + standIn(form);
      done = at + length;
    }
    return done === 0 ? text.slice(0, end) : out + text.slice(done, Math.max(done, end));
  }

  labelsIn(text: string): string[] {
    const labels = this.#matches(text, text.length).map(({ form }) => form.label);
    return [...new Set(labels)];
  }

  #addForm(form: Form): void {
    const start = form.text.slice(0, MIN_LENGTH);
    const others = this.#forms.get(start) ?? [];
    this.#forms.set(
      start,
      [...others, form].sort((a, b) => b.text.length - a.text.length),
    );
    this.#filter[hash(form.text, 0)] = 1;
    this.#longest = Math.max(this.#longest, form.text.length);
  }

  #matches(text: string, end: number): Match[] {
    const matches: Match[] = [];
    const last = Math.min(end - 1, text.length - MIN_LENGTH);
    for (let at = 0; at <= last; at++) {
      if (this.#filter[hash(text, at)] === 0) continue;
      const candidates = this.#forms.get(text.slice(at, at + MIN_LENGTH)) ?? [];
      const match = wholeMatch(candidates, text, at) ?? cutMatch(candidates, text, at);
      if (!match) continue;
      matches.push(match);
      at += match.length - 1;
    }
    return matches;
  }
}

function hash(text: string, at: number): number {
  let sum = 0;
  for (let offset = 0; offset < FILTER_LENGTH; offset++) sum = (sum * 31 + text.charCodeAt(at + offset)) & 0xffff;
  return sum;
}

const DIGITS = /^\d+$/;

/** Digits (an SSN) count only as a whole number, since a longer one may hold them by chance. */
function occurs(form: Form, text: string, at: number): boolean {
  if (!text.startsWith(form.text, at)) return false;
  if (!DIGITS.test(form.text)) return true;
  return !DIGITS.test(text[at - 1] ?? '') && !DIGITS.test(text[at + form.text.length] ?? '');
}

function wholeMatch(candidates: readonly Form[], text: string, at: number): Match | undefined {
  const form = candidates.find((candidate) => occurs(candidate, text, at));
  return form && { at, form, length: form.text.length };
}

/** The beginning of a secret where a text was cut, as its end says. */
function cutMatch(candidates: readonly Form[], text: string, at: number): Match | undefined {
  for (const form of candidates) {
    let length = MIN_LENGTH;
    while (length < form.text.length && text[at + length] === form.text[length]) length++;
    if (CUT.some((mark) => text.startsWith(mark, at + length))) return { at, form, length };
  }
  return undefined;
}

const CUT = ['...', '…', ' …'];

function standIn(form: Form): string {
  return DIGITS.test(form.text) ? '9'.repeat(form.text.length) : markerOf(form.label);
}

/** A marker, or one character over and over ('********'): what stands where a secret was. */
function isPlaceholder(value: string): boolean {
  return /^<[A-Z0-9_]+>$/.test(value) || /^(.)\1*$/s.test(value);
}

/** How a value may stand in a text: as it is, percent-encoded, in a JSON string, in HTML, in base64. */
function formsOf(value: string): Set<string> {
  const well = value.toWellFormed();
  const percent = encodeURIComponent(well);
  const form = new URLSearchParams([['', well]]).toString().slice(1);
  const json = JSON.stringify(value).slice(1, -1);
  const html = well.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  const encoded = [percent, form, encodeURI(well)];
  const lower = encoded.map((text) => text.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()));
  return new Set([value, ...encoded, ...lower, json, json.replaceAll('/', '\\/'), html, ...base64Of(well)]);
}

/**
 * The part of a base64 text that depends on nothing but the value, for each way the value can lie in the groups of three bytes:
 * so that it is found within Basic credentials too.
 */
function base64Of(value: string): string[] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].flatMap((before) => {
    const skipped = (3 - before) % 3;
    const whole = bytes.subarray(skipped, skipped + Math.floor((bytes.length - skipped) / 3) * 3);
    return [whole.toString('base64'), whole.toString('base64url')];
  });
}
