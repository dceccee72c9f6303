/** Look-alikes are other texts, whatever the text, and leave out what a conformant implementation may take for the text itself. */
import { describe, expect, it, test } from 'vitest';
import { lookAlikes } from '../../helpers/engine/forms/look-alikes.ts';

const KINDS = [
  'identifier',
  'proxy',
  'temporaryToken',
  'token',
  'sessionId',
  'secret',
  'password',
  'clientId',
  'loginId',
  'filterOfOrder',
  'filterOfMember',
] as const;
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbnlib2R5In0.c2lnbmF0dXJl';
const TEXTS = {
  uuid: '0e984725-c51c-4bf4-9960-e1c80e27aba0',
  number: '40000000000000000017',
  'short number': '17',
  hexadecimal: '0e984725c51c4bf49960e1c80e27aba0',
  opaque: 'tk_9fQ7wLpZ3vYx81Rk',
  'padded base64': 'YW55Ym9keSdzIHNlY3JldA==',
  'JSON Web Token': JWT,
  'one character': 'x',
  nothing: '',
};
const namesOf = (kind: (typeof KINDS)[number], text: string) => lookAlikes(kind, text).map(({ name }) => name);

describe.each(KINDS)('of the kind %s', (kind) => {
  it.each(Object.entries(TEXTS))('%s: every look-alike is another text, named once', (_what, text) => {
    const made = lookAlikes(kind, text);
    expect(made.length).toBeGreaterThan(0);
    for (const one of made) {
      expect(one.text).not.toBe(text);
      expect(one.text).not.toBe('');
    }
    expect(new Set(made.map(({ name }) => name)).size).toBe(made.length);
  });

  it('the end of padded base64 is left as it is', () => {
    const text = TEXTS['padded base64'];
    for (const one of lookAlikes(kind, text).filter((made) => made.text.startsWith(text.slice(0, -2))))
      expect.unreachable(`${one.name}: ${one.text}`);
  });
});

test('what is short is changed only so far that it is nobody else’s', () => {
  for (const kind of ['identifier', 'proxy', 'temporaryToken', 'token', 'sessionId', 'clientId', 'loginId'] as const)
    expect(namesOf(kind, '17'), kind).toEqual([
      'continued by many digits',
      'continued by a word',
      'with many digits before it',
    ]);
});

test('the last character is changed in a bit that no decoder ignores', () => {
  const changed = (text: string) =>
    lookAlikes('token', text).find(({ name }) => name === 'with its last character changed')?.text;
  for (const last of ['A', 'x', '9', '-', '_', '+', '/']) {
    // Two characters after whole quanta: of the last one, four bits are spare.
    const token = `c2VjcmV0c2VjcmV0c2Vj${'Z'}${last}`;
    expect(Buffer.from(changed(token)!, 'base64'), last).not.toEqual(Buffer.from(token, 'base64'));
  }
  expect(changed('JBSWY3DPEHPK3PXP')).toBeUndefined();
});

test('zeros before a number are the same number', () => {
  expect(lookAlikes('filterOfMember', '0417').map(({ text }) => text)).not.toContain('417');
});

test('hexadecimal is not continued by other letters, at which a decoder may stop, nor changed in its case', () => {
  const made = new Map(lookAlikes('token', TEXTS.hexadecimal).map(({ name, text }) => [name, text]));
  expect(made.get('continued')).toMatch(/^[0-9a-f]+$/);
  expect(made.has('in another case of letters')).toBe(false);
  expect(namesOf('proxy', 'ab12')).not.toContain('continued by a word');
});

test('a JSON Web Token is changed in each of its parts', () => {
  const [header, payload, signature] = JWT.split('.');
  const made = new Map(lookAlikes('token', JWT).map(({ name, text }) => [name, text.split('.')]));
  expect(made.get('with its header changed')).toEqual([expect.not.stringMatching(`^${header}$`), payload, signature]);
  expect(made.get('with one character changed')).toEqual([
    header,
    expect.not.stringMatching(`^${payload}$`),
    signature,
  ]);
  expect(made.get('with its signature changed')).toEqual([
    header,
    payload,
    expect.not.stringMatching(`^${signature}$`),
  ]);
  expect(made.get('with the algorithm none')?.slice(1)).toEqual([payload, '']);
});

test('where customers are numbered, one whose name is cut short is no other number', () => {
  const cut = (text: string) => lookAlikes('filterOfCustomer', text).find(({ name }) => name === 'cut short')?.text;
  expect(cut('customer-number-12')).toBe('customer-number');
  expect(cut(TEXTS.uuid)).toBe(TEXTS.uuid.slice(0, -1));
});
