import { expect, test } from 'vitest';
import { z } from 'zod';
import * as types from '../../contracts/types.ts';
import { schemaError } from '../../helpers/contract-rules/schemas.ts';

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

test('of several faults the first is given, with its place', () => {
  const schema = z.object({ results: z.array(z.object({ a: types.string, b: types.string })) });
  expect(schemaError(schema, { results: [{ a: 1, b: 2 }] })).toEqual({
    instancePath: '/results/0/a',
    message: 'must be a string',
  });
});
