/** Look-alikes are other texts, whatever the text, and leave out what a conformant implementation may take for the text itself. */
import { expect, test } from 'vitest';
import { lookAlikes } from '../../helpers/engine/forms/look-alikes.ts';

type Kind = Parameters<typeof lookAlikes>[0];

/** Kinds of which a short text may be somebody else's. */
const LONG: Kind[] = ['identifier', 'proxy', 'temporaryToken', 'token', 'sessionId', 'clientId', 'loginId'];
const KINDS: Kind[] = [...LONG, 'secret', 'password', 'filterOfOrder', 'filterOfMember'];
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbnlib2R5In0.c2lnbmF0dXJl';
const UUID = '0e984725-c51c-4bf4-9960-e1c80e27aba0';
const HEXADECIMAL = UUID.replaceAll('-', '');
const PADDED = 'YW55Ym9keSdzIHNlY3JldA==';
const TEXTS = [UUID, '40000000000000000017', '17', HEXADECIMAL, 'tk_9fQ7wLpZ3vYx81Rk', PADDED, JWT, 'x', ''];

/** The look-alikes of a text, by what sets them apart. */
const made = (kind: Kind, text: string) => new Map(lookAlikes(kind, text).map((one) => [one.name, one.text]));

test.each(KINDS)(
  'of the kind %s every look-alike is another text, named once, and padded base64 keeps its end',
  (kind) => {
    for (const text of TEXTS) {
      const all = lookAlikes(kind, text);
      expect(all.length, text).toBeGreaterThan(0);
      expect(made(kind, text).size, text).toBe(all.length);
      expect(all.filter((one) => one.text === text || one.text === '')).toEqual([]);
    }
    expect(lookAlikes(kind, PADDED).filter((one) => one.text.startsWith(PADDED.slice(0, -2)))).toEqual([]);
  },
);

test.each(LONG)('of the kind %s what is short is changed only so far that it is nobody else’s', (kind) => {
  const names = ['continued by many digits', 'continued by a word', 'with many digits before it'];
  expect([...made(kind, '17').keys()]).toEqual(names);
});

test('the last character is changed in a bit that no decoder ignores', () => {
  const changed = (text: string) => made('token', text).get('with its last character changed');
  for (const last of ['A', 'x', '9', '-', '_', '+', '/']) {
    // Two characters after whole quanta: of the last one, four bits are spare.
    const token = `c2VjcmV0c2VjcmV0c2VjZ${last}`;
    expect(Buffer.from(changed(token)!, 'base64'), last).not.toEqual(Buffer.from(token, 'base64'));
  }
  expect(changed('JBSWY3DPEHPK3PXP')).toBeUndefined();
});

test('zeros before a number are the same number', () => {
  expect([...made('filterOfMember', '0417').values()]).not.toContain('417');
});

test('hexadecimal is not continued by other letters, at which a decoder may stop, nor changed in its case', () => {
  expect(made('token', HEXADECIMAL).get('continued')).toMatch(/^[0-9a-f]+$/);
  expect(made('token', HEXADECIMAL).has('in another case of letters')).toBe(false);
  expect(made('proxy', 'ab12').has('continued by a word')).toBe(false);
});

test('a JSON Web Token is changed in each of its parts', () => {
  const [header, payload, signature] = JWT.split('.');
  const changed = (name: string) => made('token', JWT).get(name)?.split('.');
  const other = (part: string | undefined) => expect.not.stringMatching(`^${part}$`);
  expect(changed('with its header changed')).toEqual([other(header), payload, signature]);
  expect(changed('with one character changed')).toEqual([header, other(payload), signature]);
  expect(changed('with its signature changed')).toEqual([header, payload, other(signature)]);
  expect(changed('with the algorithm none')).toEqual([other(header), payload, '']);
});

test('where customers are numbered, one whose name is cut short is no other number', () => {
  const cut = (text: string) => made('filterOfCustomer', text).get('cut short');
  expect(cut('customer-number-12')).toBe('customer-number');
  expect(cut(UUID)).toBe(UUID.slice(0, -1));
});
