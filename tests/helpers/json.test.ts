import { describe, expect, test } from 'vitest';
import { writeFileJson, writeJson } from '../../files/json.ts';
import { readJson } from '../../helpers/json.ts';

const read = (text: string) => readJson(Buffer.from(text));
const accepted = (text: string) => {
  const result = read(text);
  if (!result.ok) throw new Error(result.reason);
  return result;
};

test('integers beyond 2^53 keep all their digits, and come out as they were', () => {
  const text = '{"customerId":9007199254740993,"proxyNumber":"9007199254740993","list":[1,2.5,null,true,7]}';
  const { value, plain } = accepted(text);
  expect(value).toMatchObject({
    customerId: 9007199254740993n,
    proxyNumber: '9007199254740993',
    list: [1, 2.5, null, true, 7],
  });
  expect(plain).toMatchObject({ customerId: expect.any(Number) });
  expect(writeJson(value)).toBe(text);
  expect(accepted('0.1234567890123456789').value).toBe(0.12345678901234568);
});

test('a byte order mark is noted and skipped', () => {
  expect(accepted('\u{feff}{"a":1}')).toMatchObject({ value: { a: 1 }, byteOrderMark: true });
  expect(accepted('{"a":1}').byteOrderMark).toBe(false);
});

test('__proto__ is a member like any other', () => {
  const { value } = accepted('{"__proto__": {"polluted": true}, "id": 12345678901234567890}');
  expect(Object.hasOwn(value as object, '__proto__')).toBe(true);
  expect({}).not.toHaveProperty('polluted');
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});

test.each([
  ['{"a":1,"a":2}', [['a']]],
  ['{"results":[{"b":1},{"b":1,"c":[0,{"d":1,"d":1}]}]}', [['results', 1, 'c', 1, 'd']]],
  ['{"a":1,"\\u0061":2}', [['a']]],
  ['{"x/y~":1,"x/y~":2}', [['x/y~']]],
  ['{"a":"a","b":{"a":1},"c":"\\"a\\":"}', []],
  ['[{"a":1},{"a":1}]', []],
  ['{"__proto__":1,"__proto__":2}', [['__proto__']]],
])('names that stand twice: %s', (text, paths) => {
  expect(accepted(text).duplicates).toEqual(paths);
});

test('of names that stand twice the first hundred are kept, and of a long name its beginning', () => {
  const { duplicates } = accepted(`{"${'n'.repeat(100_000)}":{"a":1${',"a":1'.repeat(1000)}}}`);
  expect(duplicates).toHaveLength(100);
  expect(JSON.stringify(duplicates).length).toBeLessThan(10_000);
});

describe('what is refused', () => {
  test.each([
    ['', 'empty'],
    [' \n', 'empty'],
    ['<html>', "not JSON: begins with '<', as HTML and XML do"],
    ['NaN', 'not valid JSON'],
    ['{"a":1} trailing', 'not valid JSON at character 8'],
    ['{"access_token":"s3cr3t" s3cr3t}', 'not valid JSON at character 25'],
    ['"unterminated', 'not valid JSON at character 13'],
    ['01', 'not valid JSON at character 1'],
  ])('%j, with a reason that quotes nothing of it', (text, reason) => {
    expect(read(text)).toEqual({ ok: false, reason });
  });

  test.each([Buffer.from([0x22, 0xc3, 0x28, 0x22]), Buffer.from('"\u{e9}"', 'latin1')])('%j, no UTF-8', (bytes) => {
    expect(readJson(bytes)).toEqual({ ok: false, reason: 'not valid UTF-8' });
  });

  test.each(['[', '{"a":'])('100,000 levels of %s, but not 200', (open) => {
    expect(read(open.repeat(100_000))).toEqual({
      ok: false,
      reason: 'nested deeper than 200 levels',
      isBeyondLimit: true,
    });
    expect(read('['.repeat(200) + ']'.repeat(200)).ok).toBe(true);
  });

  test.each(['{"a":1}', '[]'])('millions of %s', (item) => {
    const reason = 'more than 2,000,000 values and names';
    expect(read(`[${item}${`,${item}`.repeat(2_000_000)}]`)).toEqual({ ok: false, reason, isBeyondLimit: true });
  });

  test('an object of many names, but not of a name many times', () => {
    const body = (length: number, name: (index: number) => string) =>
      `{${Array.from({ length }, (_, index) => `"${name(index)}":1`).join()}}`;
    const numbered = (index: number) => `n${index}`;
    expect(read(body(10_000, numbered)).ok).toBe(true);
    const reason = 'an object of more than 10,000 members';
    expect(read(body(10_001, numbered))).toEqual({ ok: false, reason, isBeyondLimit: true });
    expect(read(body(20_000, () => 'n')).ok).toBe(true);
  });
});

test('what is written to files holds nothing that ends a line or acts on a terminal, and reads back the same', () => {
  const value = { '\u0085': 'a\u2028b\u2029c\u202egnp\u0000\u001b[31m\u009b\u200b\ufeff', big: 12345678901234567890n };
  const text = writeFileJson(value);
  expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(JSON.parse(text)).toEqual({ ...value, big: 12345678901234567000 });
  expect(text).toContain('12345678901234567890');
});
