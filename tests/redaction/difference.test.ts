import { expect, test } from 'vitest';
import { redactedDifference } from '../../redaction/difference.ts';
import { SecretRedactor } from '../../redaction/redactor.ts';

const shown = (actual: string, pointer: string) =>
  redactedDifference(new SecretRedactor('mask'), { expected: 'a string', actual, pointer }).actual;

test.each([
  ['["Adalbert"]', '/results/3/cardholder/firstName', '["Xxxxxxxx"]'],
  ['{"given":"Adalbert"}', '/cardholder/firstName', '{"given":"Xxxxxxxx"}'],
  ['"1990-13-45"', '/cardholder/dateOfBirth', '"9999-99-99"'],
  ['"1990-12-31"', '/cardholder/dateOfBirth/0', '"9999-09-09"'],
  ['["Adalbert", "and one whose text is cut...', '/cardholder/firstName', '["Xxxxxxxx", "xxx xxx xxxxx xxxx xx xxx...'],
  ['"Active"', '/status', '"Active"'],
  ['7', '', '7'],
])('%s at %s', (actual, pointer, redacted) => {
  expect(shown(actual, pointer)).toBe(redacted);
});
