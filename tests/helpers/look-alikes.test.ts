/** Look-alikes follow from tables: each mistake is shown, each edit serves, and none is a text that a conformant implementation may take for the right one. */
import { expect, test } from 'vitest';
import { EDITS } from '../../helpers/engine/forms/edits.ts';
import { equivalents, type Kind, lookAlikesOf, takenBy } from '../../helpers/engine/forms/look-alikes.ts';
import { MISTAKES, type Takes } from '../../helpers/engine/forms/mistakes.ts';
import { isPermitted, PERMISSIONS } from '../../helpers/engine/forms/permissions.ts';

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbnlib2R5In0.c2lnbmF0dXJl';
const UUID = '0e984725-c51c-4bf4-9960-e1c80e27aba0';
const HEXADECIMAL = UUID.replaceAll('-', '');
const PADDED = 'YW55Ym9keSdzIHNlY3JldA==';
const ULID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const BASE64 = 'c2VjcmV0c2VjcmV0c2VjZA';
const NUMBERS = ['40000000000000000017', '900001', '17', '1'];
const TEXTS = ['card-00001', 'Portal-Pass-1', 'E-1', UUID, ...NUMBERS, HEXADECIMAL, PADDED, BASE64, ULID, JWT];

const CREDENTIALS: Kind[] = ['temporaryToken', 'token', 'sessionId', 'secret', 'password'];
const OTHERS: Kind[] = [
  ...(['identifier', 'proxy', 'clientId', 'loginId'] as const),
  ...(['filterOfCustomer', 'filterOfOrder', 'filterOfMember', 'filterOfName'] as const),
  ...(['orderIdentifier', 'integer', 'numberOfNobody'] as const),
];
const KINDS = [...CREDENTIALS, ...OTHERS];
const SEEDS = [0, 1, 7, 20_260];

const textsOf = (kind: Kind) => (kind === 'integer' || kind === 'numberOfNobody' ? NUMBERS : TEXTS);
const made = (kind: Kind, text: string, seed = 0) => lookAlikesOf(kind, text, seed).map((one) => one.text);
const all = KINDS.flatMap((kind) =>
  textsOf(kind).flatMap((right) =>
    SEEDS.flatMap((seed) => lookAlikesOf(kind, right, seed).map((one) => ({ ...one, kind, right }))),
  ),
);

test.each(KINDS)('of the kind %s every look-alike is another text, named once', (kind) => {
  for (const text of textsOf(kind)) {
    const forms = lookAlikesOf(kind, text, 0);
    expect(new Set(forms.map(({ name }) => name)).size, text).toBe(forms.length);
    expect(forms.map((one) => one.text)).not.toContain(text);
    expect(forms.map((one) => one.text)).not.toContain('');
  }
});

test('every mistake is shown by a form of some text, but for blanks, which are permitted everywhere', () => {
  const isShown = (takes: Takes) => all.some(({ text, right }) => takes(text, right));
  const never = Object.entries(MISTAKES).flatMap(([name, takes]) => (isShown(takes) ? [] : [name]));
  expect(never).toEqual(['trimming']);
  expect(takenBy('trimming', 'x').map(({ text }) => text)).toEqual([' x', 'x ']);
});

test('every edit serves', () => {
  const used = new Set(all.map(({ name }) => name));
  const permitted = new Set(TEXTS.flatMap((text) => equivalents(text).map(({ name }) => name)));
  expect(EDITS.map(({ name }) => name).filter((name) => !used.has(name) && !permitted.has(name))).toEqual([]);
});

test('every permission names its reading, and lets a text be taken for another', () => {
  for (const [name, { reading, takes }] of Object.entries(PERMISSIONS)) {
    expect(reading, name).toMatch(/^\d+[^:]*: ./);
    expect(takes.length, name).toBeGreaterThan(0);
  }
});

test('what decodes to the same is none of its look-alikes, whatever its kind', () => {
  expect(all.filter(({ text, right }) => isPermitted(['bytes'], text, right))).toEqual([]);
  expect(
    all.filter(
      ({ kind, text, right }) =>
        !['orderIdentifier', 'integer'].includes(kind) && isPermitted(['numbers'], text, right),
    ),
  ).toEqual([]);
  for (const kind of CREDENTIALS) {
    expect(made(kind, PADDED).filter((text) => text.startsWith(PADDED.slice(0, -2)))).toEqual([]);
    for (const text of [HEXADECIMAL, ULID, UUID])
      expect(
        made(kind, text).filter((one) => one.toLowerCase() === text.toLowerCase()),
        kind,
      ).toEqual([]);
  }
  const inserted = [5, 9, 11].flatMap((at) =>
    [' ', ',', '-', '_', '\u200b'].map((mark) => BASE64.slice(0, at) + mark + BASE64.slice(at)),
  );
  for (const text of inserted) expect(isPermitted(['bytes'], text, BASE64), text).toBe(true);
  expect(isPermitted(['bytes'], 'c2VjcmV0c2VjcmV0ź2VjZA', 'c2VjcmV0c2VjcmV0z2VjZA')).toBe(true);
  expect(isPermitted(['bytes'], 'c2VjcmV0c2VjcmV0ć2VjZA', 'c2VjcmV0c2VjcmV0c2VjZA')).toBe(false);
  expect(isPermitted(['numbers'], '0417', '417')).toBe(true);
  expect(isPermitted(['numbers'], '5e1', '50')).toBe(true);
  expect(isPermitted(['numbers'], '0x32', '50')).toBe(true);
  expect(isPermitted(['numbers'], '900002', '900001')).toBe(false);
});

test('what mixes both cases is no base32, whose decoders ignore case: the other case is another session', () => {
  const swapped = made('sessionId', 'mixedCASEsessionOFsevenLETTERS').filter((text) => text.startsWith('MIXEDcase'));
  expect(swapped).toEqual(['MIXEDcaseSESSIONofSEVENletters']);
  expect(made('sessionId', 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP')).not.toContain('jbswy3dpehpk3pxpjbswy3dpehpk3pxp');
});

test('the last character is changed in a bit that no decoder ignores', () => {
  for (const last of ['A', 'x', '9', '-', '_']) {
    // Two characters after whole quanta: of the last one, four bits are spare.
    const token = `c2VjcmV0c2VjcmV0c2VjZ${last}`;
    const [changed] = lookAlikesOf('token', token, 0).filter(({ name }) => name === 'with its last character changed');
    if (changed) expect(Buffer.from(changed.text, 'base64'), last).not.toEqual(Buffer.from(token, 'base64'));
  }
});

test('two identifiers of orders that are one number are two', () => {
  expect(made('orderIdentifier', '900001')).toContain('0900001');
});

test('what is short is changed only so far that it is nobody else’s', () => {
  for (const kind of ['identifier', 'proxy', 'token', 'clientId', 'loginId'] as const)
    for (const text of made(kind, '17')) expect(text, kind).toMatch(/[^\w-]|^-|.{14}|^\d{10,}/);
});

test('edits draw from the seed: the same text gets the same forms each time, and others with another seed', () => {
  expect(made('token', BASE64, 3)).toEqual(made('token', BASE64, 3));
  expect(made('token', BASE64, 3)).not.toEqual(made('token', BASE64, 4));
});

test('what an implementation may take for the same number or name is an equivalent', () => {
  const texts = (text: string) => equivalents(text).map((one) => one.text);
  expect(texts('900001')).toEqual(expect.arrayContaining([' 900001', '900001 ', '90000１', '0900001']));
  expect(texts('900001')).not.toContain('900002');
  expect(texts('card-1')).toContain('CARD-1');
});

test('an integer is nothing that a lenient parser takes for one, nor what a firewall refuses', () => {
  for (const text of made('integer', '50')) expect(text).not.toMatch(/^[+-]*\d+(?:\.0*)?(?:e\d+)?$|--|['"%#<>]/);
});
