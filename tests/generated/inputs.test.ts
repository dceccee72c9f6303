import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  MIXED_LETTERS,
  notIntegers,
  plainText,
  severalOf,
  TWO_BYTE_LETTERS,
  unknownIdentifier,
  unmatchedText,
} from '../../suites/property-based/inputs.ts';

const drawn = <T>(arbitrary: fc.Arbitrary<T>) => fc.sample(arbitrary, { numRuns: 300, seed: 11 });

test('what is no integer is none by any reading of numbers', () => {
  for (const { values } of notIntegers)
    for (const text of drawn(values)) {
      expect(Number.isInteger(Number(text)), text).toBe(false);
      expect(text).not.toMatch(/^[+-]?\d+(\.0*)?(e\d+)?$|^0x/i);
      expect(text.trim()).toBe(text);
    }
});

test('numbers that run into a word would be taken by a lenient parser', () => {
  expect(drawn(notIntegers[1]!.values).every((text) => Number.isInteger(Number.parseInt(text, 10)))).toBe(true);
});

test('texts are of the length that is asked for, in characters of the basic plane', () => {
  for (const text of drawn(plainText(38, 40, MIXED_LETTERS))) {
    expect([...text].length).toBe(text.length);
    expect(text.length).toBeGreaterThanOrEqual(38);
    expect(text.length).toBeLessThanOrEqual(40);
  }
  for (const letter of TWO_BYTE_LETTERS) {
    expect(Buffer.byteLength(letter)).toBe(2);
    expect(letter.normalize('NFC')).toBe(letter);
  }
});

test('names and identifiers that nobody has hold what must be encoded, and identifiers what a gateway lets through', () => {
  const names = drawn(unmatchedText);
  for (const odd of ['%', '&', '+', '#', '/', 'é']) expect(names.some((name) => name.includes(odd))).toBe(true);
  for (const identifier of drawn(unknownIdentifier)) {
    expect(identifier).not.toMatch(/[/.%;?#\\\s]/);
    expect(identifier.length).toBeGreaterThan(24);
  }
});

test('several names are two at least', () => {
  for (const names of drawn(severalOf(['a', 'b', 'c']))) expect(names.length).toBeGreaterThanOrEqual(2);
});
