/** All suites of both documents. */
import type { Suite } from '../helpers/check.ts';
import { tokenSuite } from './v3/token.ts';

const suites: readonly Suite[] = [tokenSuite];

export const suite: Suite = {
  checks: suites.flatMap(({ checks }) => checks),
  rules: suites.flatMap(({ rules }) => rules),
  observers: suites.flatMap(({ observers }) => observers ?? []),
};
