/** What the monitors of customers find in a history. */
import { expect, test } from 'vitest';
import { operation } from '../../contracts/operations.ts';
import type { Answer } from '../../helpers/answer.ts';
import type { Monitor } from '../../helpers/evidence/monitor.ts';
import {
  children,
  hidesForeign,
  members,
  parent,
  parentWithinReach,
  showsNothingElse,
} from '../../suites/v1/customer-monitors.ts';

const known = { fixtures: { portal: { foreignCustomerId: 9 } }, settleMs: 0 };

/** A history in words: `1: 1 2<1 3<2` is the hierarchy of 1, in which 2 names the parent 1, and `list: 1 2<1` is getCustomerList; `(foreign)` is the intent. */
const historyOf = (words: string): Answer[] =>
  words.split(', ').map((step, index) => {
    const [, asked, foreign, shown = ''] = /^(\w+)( \(foreign\))?: (.*)$/.exec(step)!;
    const items = shown.split(' ').map((one) => {
      const [customerId, parentId] = one.split('<').map(Number);
      return { customerId, ...(parentId === undefined ? {} : { parentId }) };
    });
    return {
      exchange: `x${index}`,
      operation: operation(asked === 'list' ? 'portal.getCustomerList' : 'portal.getCustomerHierarchy'),
      input: asked === 'list' ? {} : { query: { customerId: asked } },
      intent: foreign ? 'foreign' : 'valid',
      status: 200,
      json: { ok: true, value: { items } },
    } as unknown as Answer;
  });

const found = (monitor: Monitor, words: string) => [...monitor(historyOf(words), known)].map(({ shows }) => shows);

test.each<[string, Monitor, string, string[]]>([
  ['members', members, '1: 1 2<1 3<2', ['kept']],
  ['members', members, '1: 1 2<1 3<2, 2: 2<1 3<2 1', ['kept', 'kept']],
  ['members', members, '1: 1 2<1 3<1, 2: 2<1 3<1', ['kept', 'contradiction']],
  ['members', members, '1: 1 2<1 8<9', ['contradiction']],
  ['members', members, 'list: 1 2<1, 1: 1 2<7', ['contradiction']],
  ['children', children, '1: 1 2<1 3<2, 2: 2<1 3<2', ['kept', 'kept']],
  ['children', children, '1: 1 2<1 3<2, 2: 2<1', ['kept', 'contradiction']],
  ['parent', parent, '1: 1 2<1, 2: 2<1 1', ['kept']],
  ['parent', parent, '1: 1 2<1, 2: 2<1', ['contradiction']],
  ['parent-within-reach', parentWithinReach, 'list: 2<1, 2: 2<1', []],
  ['parent-within-reach', parentWithinReach, 'list: 1 2<1, 2: 2<1', ['contradiction']],
  [
    'foreign-customer',
    hidesForeign('portal.getCustomerHierarchy'),
    '1: 1 2<1, 9 (foreign): 9',
    ['kept', 'contradiction'],
  ],
  ['foreign-customer', hidesForeign('portal.getCustomerHierarchy'), '1: 1<9 9', ['nothing']],
  ['foreign-customer', hidesForeign('portal.getCustomerList'), 'list: 1 9', ['contradiction']],
  ['foreign-customer', showsNothingElse('portal.getCustomerHierarchy'), '1: 1 2<1, 9 (foreign): 1 2<1', ['kept']],
  ['foreign-customer', showsNothingElse('portal.getCustomerHierarchy'), '1: 1 2<1, 9 (foreign): 5', ['contradiction']],
  ['foreign-customer', showsNothingElse('portal.getCustomerHierarchy'), '9 (foreign): 5', ['nothing']],
])('%s, case %#', (_, monitor, words, expected) => {
  expect(found(monitor, words)).toEqual(expected);
});
