/** For any secret, in any encoding and two in a row, in any place of an exchange: nothing that is written gives it away. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Redactor } from '../../redaction/redactor.ts';
import { SecretRedactor } from '../../redaction/redactor.ts';
import { ENCODINGS, readingWith } from './encodings.ts';

const JSON_TYPE = 'application/json';
const text = (value: unknown) => JSON.stringify(value);

/** The places of an exchange: what is written of one that holds the text there. */
export const PLACES: Record<string, (by: Redactor, held: string) => unknown> = {
  'a member': (by, held) => by.body(text({ results: [{ status: 'Active', note: held }] }), JSON_TYPE),
  'a member within other text': (by, held) =>
    by.body(text({ message: `refused: ${held} (try again)`, n: 1 }), JSON_TYPE),
  'the name of a member': (by, held) => by.body(text({ [held]: { [held]: 1 } }), JSON_TYPE),
  'nested JSON': (by, held) => by.body(text({ echo: text({ inner: text([held]) }) }), JSON_TYPE),
  'a header': (by, held) => by.headers({ 'x-request': held, location: `/again?from=${held}` }),
  'a set-cookie header': (by, held) => by.headers({ 'set-cookie': [`a=${held}; Path=/`, text({ at: held })] }),
  'the name of a header': (by, held) => by.headers({ [`x-${held}`]: '1' }),
  'the path of an address': (by, held) => by.url(`https://target.example/cards/${held}/balance`),
  'the query of an address': (by, held) => by.url(`https://target.example/cards?external=${held}&max=2#${held}`),
  'a form': (by, held) => by.body(`a=1&b=${held}&${held}=c`, 'application/x-www-form-urlencoded'),
  'plain text': (by, held) => by.body(`It says\n${held}\nand ends`, 'text/plain'),
  'a page': (by, held) => by.body(`<html><p title="${held}">It says <b>${held}</b></p></html>`, 'text/html'),
  'a message': (by, held) => by.text(`GET /cards answers ${held}, expected 200`),
  'an observation': (by, held) => by.value({ subject: held, at: [held, { [held]: held }] }),
};

/** Secrets as people choose them, and as machines make them. */
const LETTERS = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ';
const some = (characters: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength, maxLength });
const secret = fc
  .oneof(
    some(`${LETTERS}0123456789`, 4, 7),
    some(`${LETTERS}0123456789`, 8, 60),
    some(`${LETTERS}0123456789!#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~"`, 8, 40),
    some(`${LETTERS}0123456789 äßéü漢字`, 9, 24),
    some('0123456789', 9, 12),
  )
  // One character over and over stands for what was taken out; and the markers' own words are in everything.
  .filter((one) => new Set(one.toLowerCase().replaceAll(/[^a-z0-9]/g, '')).size >= 3 && !/^\s|\s$/.test(one))
  .filter((one) => !readingWith(BACKGROUND, one, 1));

/** What is written without any secret. */
const BACKGROUND = Object.values(PLACES)
  .map((write) => text(write(new SecretRedactor('keep'), '<REDACTED_PORTAL_PASSWORD>')))
  .join('\n');

const encoding = fc.constantFrom(...Object.keys(ENCODINGS));

/**
 * Fails with the secret, its encodings and what is written, where that gives the secret away.
 * @param runs secrets that are tried
 */
export function expectRedacted(write: (by: Redactor, held: string) => unknown, runs: number): void {
  fc.assert(
    fc.property(secret, encoding, encoding, (value, first, second) => {
      const by = new SecretRedactor('keep');
      by.learn(value, 'PORTAL_PASSWORD');
      const held = ENCODINGS[second]!(ENCODINGS[first]!(value));
      const written = text(write(by, held));
      expect(readingWith(written, value, 3), `${first}, then ${second}: ${written}`).toBeUndefined();
    }),
    { numRuns: runs },
  );
}
