/** What the monitors of customers find in a history. */
import { expect, test } from 'vitest';
import {
  children,
  hidesForeign,
  members,
  parent,
  parentWithinReach,
  showsNothingElse,
} from '../../suites/v1/customer-monitors.ts';
import { answerTo } from '../tools/answers.ts';

const LIST = 'portal.getCustomerList';
const HIERARCHY = 'portal.getCustomerHierarchy';
const known = { fixtures: { portal: { foreignCustomerId: 9 } }, settleMs: 0 };

/** A history in words: `1: 1 2<1 3<2` is the hierarchy of 1, in which 2 names the parent 1, and `list: 1 2<1` is getCustomerList; `(foreign)` is the intent. */
const historyOf = (words: string) =>
  words.split(', ').map((step, index) => {
    const [, asked, foreign, shown = ''] = /^(\w+)( \(foreign\))?: (.*)$/.exec(step)!;
    const pairs = shown.split(' ').map((one) => one.split('<').map(Number));
    const body = { items: pairs.map(([customerId, parentId]) => ({ customerId, parentId })) };
    const given = { exchange: `x${index}`, intent: foreign ? ('foreign' as const) : ('valid' as const) };
    if (asked === 'list') return answerTo(LIST, body, given);
    return answerTo(HIERARCHY, body, { ...given, input: { query: { customerId: asked } } });
  });

test.each([
  ['members', members, '1: 1 2<1 3<2', 'kept'],
  ['members', members, '1: 1 2<1 3<2, 2: 2<1 3<2 1', 'kept, kept'],
  ['members', members, '1: 1 2<1 3<1, 2: 2<1 3<1', 'kept, contradiction'],
  ['members', members, '1: 1 2<1 8<9', 'contradiction'],
  ['members', members, 'list: 1 2<1, 1: 1 2<7', 'contradiction'],
  ['children', children, '1: 1 2<1 3<2, 2: 2<1 3<2', 'kept, kept'],
  ['children', children, '1: 1 2<1 3<2, 2: 2<1', 'kept, contradiction'],
  ['parent', parent, '1: 1 2<1, 2: 2<1 1', 'kept'],
  ['parent', parent, '1: 1 2<1, 2: 2<1', 'contradiction'],
  ['parent within reach', parentWithinReach, 'list: 2<1, 2: 2<1', ''],
  ['parent within reach', parentWithinReach, 'list: 1 2<1, 2: 2<1', 'contradiction'],
  ['hidden', hidesForeign(HIERARCHY), '1: 1 2<1, 9 (foreign): 9', 'kept, contradiction'],
  ['hidden', hidesForeign(HIERARCHY), '1: 1<9 9', 'nothing'],
  ['hidden', hidesForeign(LIST), 'list: 1 9', 'contradiction'],
  ['nothing else', showsNothingElse(HIERARCHY), '1: 1 2<1, 9 (foreign): 1 2<1', 'kept'],
  ['nothing else', showsNothingElse(HIERARCHY), '1: 1 2<1, 9 (foreign): 5', 'contradiction'],
  ['nothing else', showsNothingElse(HIERARCHY), '9 (foreign): 5', 'nothing'],
])('%s, case %#', (_, monitor, words, expected) => {
  expect([...monitor(historyOf(words), known)].map(({ shows }) => shows).join(', ')).toBe(expected);
});
