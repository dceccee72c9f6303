import { expect, test } from 'vitest';
import { z } from 'zod';
import * as types from '../../contracts/types.ts';
import { schemaError, schemaErrors } from '../../helpers/contract-rules/schemas.ts';

test.each([
  [z.enum(['Pass', 'Fail']), 'Passed', 'must be one of "Pass", "Fail"'],
  [types.integer, '1', 'must be an integer'],
  [types.boolean, 'true', 'must be a boolean'],
  [z.array(types.string).nullable(), {}, 'must be an array or null'],
  [types.dateTime, 'yesterday', 'must be a date-time, such as 2026-05-10T02:00:00Z'],
  [types.dateOrDateTime, 'x', 'must be a date, such as 2026-05-10 or a date-time, such as 2026-05-10T02:00:00Z'],
  [types.fourDigits, '123', 'must be four digits'],
  [types.nineDigits, '12', 'must be nine digits, with at most one hyphen between them'],
  [types.product, '', 'must not be empty'],
  [z.object({ identifier: types.string }), {}, 'must have the member identifier'],
])('a fault is in words that name what may stand there: %#', (schema, value, message) => {
  expect(schemaError(schema, value)).toEqual({ instancePath: '', message });
});

test('every fault is given once, whichever items of an array have it, and of alternatives the one that was meant', () => {
  const item = z.object({ a: types.string, b: types.string, c: z.object({ d: types.integer }).nullable() });
  const schema = z.object({ results: z.array(item) });
  const wrong = { a: 1, b: 'b', c: { d: 'd' } };
  const value = { results: [wrong, { ...wrong, a: 'a', b: 2 }, { a: 'a', c: 7 }] };
  const faults = [
    { instancePath: '/results/0/a', message: 'must be a string' },
    { instancePath: '/results/0/c/d', message: 'must be an integer' },
    { instancePath: '/results/1/b', message: 'must be a string' },
    { instancePath: '/results/2', message: 'must have the member b' },
    { instancePath: '/results/2/c', message: 'must be an object or null' },
  ];
  expect(schemaErrors(schema, value)).toEqual(faults);
  expect(schemaError(schema, value)).toEqual(faults[0]);
  expect(schemaErrors(schema, { results: [] })).toEqual([]);
});
