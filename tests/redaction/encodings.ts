/** The encodings that redaction promises to see through, and a search that takes them off again. */

export type Encoding = (text: string) => string;

const eachCharacter = (text: string, encode: (character: string, index: number) => string) =>
  [...text].map(encode).join('');
const bytesOf = (text: string) => Buffer.from(text, 'utf8');
const units = (character: string, prefix: string, width: number) =>
  [...Array(character.length).keys()]
    .map((at) => prefix + character.charCodeAt(at).toString(16).padStart(width, '0'))
    .join('');

const NAMED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** By what a reader calls them. */
export const ENCODINGS: Record<string, Encoding> = {
  'as it is': (text) => text,
  'in upper case': (text) => text.toUpperCase(),
  'in lower case': (text) => text.toLowerCase(),
  'as a URI component': (text) => encodeURIComponent(text),
  'percent-encoded as RFC 3986 has it': (text) =>
    encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`),
  'percent-encoded whole': (text) =>
    [...bytesOf(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  'as in a form': (text) => new URLSearchParams([['', text]]).toString().slice(1),
  'as named entities': (text) => text.replaceAll(/[&<>"']/g, (one) => NAMED[one] ?? '&#39;'),
  'as decimal entities': (text) => eachCharacter(text, (one) => `&#${one.codePointAt(0)};`),
  'as hexadecimal entities': (text) => eachCharacter(text, (one) => `&#x${one.codePointAt(0)!.toString(16)};`),
  'in a JSON string': (text) => JSON.stringify(text).slice(1, -1),
  'as escapes of JSON': (text) => eachCharacter(text, (one) => units(one, '\\u', 4)),
  'in a JSON Pointer': (text) => text.replaceAll('~', '~0').replaceAll('/', '~1'),
  'in base64': (text) => bytesOf(text).toString('base64'),
  'in base64url': (text) => bytesOf(text).toString('base64url'),
  'in base64 with more before and after it': (text) => bytesOf(`id:${text} .`).toString('base64'),
  'in hexadecimal': (text) => bytesOf(text).toString('hex'),
  'in upper-case hexadecimal': (text) => bytesOf(text).toString('hex').toUpperCase(),
};

const unescaped = (text: string) =>
  text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (found) => Buffer.from(found.replaceAll('%', ''), 'hex').toString('utf8'));
const fromCode = (code: number) => String.fromCodePoint(Math.min(code, 0x10ffff));
const ofEntity: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

const DECODERS: Encoding[] = [
  unescaped,
  (text) => unescaped(text).replaceAll('+', ' '),
  (text) =>
    text
      .replaceAll(/&#(\d{1,7});?/g, (_, code) => fromCode(Number(code)))
      .replaceAll(/&#x([0-9a-f]{1,6});?/gi, (_, code) => fromCode(Number.parseInt(code, 16)))
      .replaceAll(/&(lt|gt|quot|apos|amp);/g, (_, name) => ofEntity[name]!),
  (text) =>
    text.replaceAll(/\\(?:u([0-9a-f]{4})|(.))/gis, (_, code, one) =>
      code ? fromCode(Number.parseInt(code, 16)) : one,
    ),
];

/** Everything that the text decodes to by the encodings above, `deep` of them one after the other. */
function* readings(text: string, deep: number): Generator<string> {
  yield text;
  if (deep === 0) return;
  const decoded = new Set(DECODERS.map((decode) => decode(text)));
  for (const run of text.match(/[\w+/-]{6,}/g) ?? [])
    for (let shift = 0; shift < 4; shift++) decoded.add(Buffer.from(run.slice(shift), 'base64').toString('utf8'));
  for (const run of text.match(/[0-9a-f]{8,}/gi) ?? [])
    for (let shift = 0; shift < 2; shift++) decoded.add(Buffer.from(run.slice(shift), 'hex').toString('utf8'));
  for (const one of decoded) if (one !== text && one !== '') yield* readings(one, deep - 1);
}

/** The reading of the text in which the secret stands, in any case of letters; undefined where none holds it. */
export function readingWith(text: string, secret: string, deep = 2): string | undefined {
  const wanted = secret.toLowerCase();
  for (const reading of readings(text, deep)) if (reading.toLowerCase().includes(wanted)) return reading;
  return undefined;
}
