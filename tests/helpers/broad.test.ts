/** Which runs try further ways to the same. */
import { expect, test } from 'vitest';
import { isDone } from '../../helpers/configuration/scope.ts';
import type { Configuration } from '../../helpers/configuration/types.ts';

const running = (run: Partial<Configuration['run']>) =>
  ({ run: { only: [], thorough: false, ...run } }) as unknown as Configuration;
const broad = (run: Partial<Configuration['run']>) => isDone({ isFurther: true }, running(run));

const alone = { only: ['cards.suspend.not-active', 'users.*.shape'] };

test('a run of everything, or of all of an operation, is broad', () => {
  expect(broad({})).toBe(true);
  expect(broad({ only: ['cards.suspend'] })).toBe(true);
  expect(broad({ only: ['portal'] })).toBe(true);
});

test('a run of single requirements is not, unless it tries everything or repeats another run', () => {
  expect(broad(alone)).toBe(false);
  expect(broad({ ...alone, thorough: true })).toBe(true);
  expect(broad({ ...alone, as: 'reports/latest' })).toBe(true);
  expect(broad({ ...alone, settle: 'reports/latest' })).toBe(true);
});

test('what is no further way is done in every run where it applies, and a further way only there, too', () => {
  expect(isDone({}, running(alone))).toBe(true);
  expect(isDone({ isFurther: true, applies: () => false }, running({}))).toBe(false);
});
