/** The account of a run: what was done to the target, in the record and in every report. */
import { expect, test } from 'vitest';
import { type Account, conformance as schema } from '../../contracts/record.ts';
import { conductAgainst } from '../../proof/selfcheck/prove.ts';
import { markdown } from '../../reports/markdown.ts';
import { page } from '../../reports/page/index.ts';
import { summaryText } from '../../reports/summary.ts';
import { viewOf } from '../../reports/view.ts';
import { conformance, HOSTILE, judged, lacking } from './record-builder.ts';

const account: Account = {
  cards: [
    {
      identifier: 'card-1',
      pool: 'active',
      before: { status: 'Active', balance: 20 },
      after: { status: 'Active', balance: 18 },
    },
    { identifier: 'card-2', pool: 'active', before: { status: 'Active', balance: 20 }, after: { balance: 20 } },
    { identifier: 'card-3', pool: 'active', before: { status: 'Active' }, after: { status: 'Suspended' } },
  ],
  money: { transfers: 3, moved: 7.5, missing: 2 },
  orders: 1,
  cipChecks: 2,
  usedUp: ['card-4'],
  changes: [
    { operation: 'cards.transfer', accepted: 3, undone: 2, stays: 0, open: 1 },
    { operation: 'portal.orderCards', accepted: 1, undone: 0, stays: 1, open: 0 },
  ],
};
const viewWith = (kept: Account) =>
  viewOf(conformance([judged('token.issue.status', 'passed')], { run: { account: kept } }));

test('terminal, Markdown and page say it', () => {
  const view = viewWith(account);
  const parts = [
    '3 transfers accepted, of 7.50 in all; 2.00 is missing or was taken as fees',
    '1 order, 2 CIP checks',
    '2 × cards.transfer',
    '1 × portal.orderCards',
    '1 × cards.transfer',
    '1 card',
  ];
  const texts = [summaryText(view, { directory: 'reports' }), markdown(view), page(view, [])];
  for (const text of texts) expect(lacking(text, parts)).toEqual([]);
  expect(texts[0]).toContain('card-1: 20.00, Active before, 18.00, Active now');
  expect(texts[0]).toContain('card-3: Active before, Suspended now');
  expect(texts[0]).not.toContain('card-2');
  expect(lacking(texts[2]!, ['card-1', 'card-2', 'card-3'])).toEqual([]);
});

test('what a target calls its cards is shown as text', () => {
  const [card] = account.cards;
  const view = viewWith({ ...account, cards: [{ ...card!, identifier: HOSTILE }] });
  expect(summaryText(view, { directory: 'reports' })).not.toContain('\u001b');
  expect(page(view, [])).not.toContain('<script>alert');
});

test('a run keeps it: cards before and after, orders, checks, and what was undone', async () => {
  const { run } = await conductAgainst({}, ['cards.suspend', 'cards.transfer', 'cards.close', 'portal.getCIPCheck']);
  const kept = run.facts().account!;
  expect(kept.money).toMatchObject({ missing: 0 });
  expect(kept.money.transfers).toBeGreaterThan(5);
  expect(kept.orders).toBe(0);
  expect(kept.cipChecks).toBeGreaterThan(0);
  const closed = kept.cards.find(({ pool, after }) => pool === 'disposable' && after.status === 'Closed');
  expect(closed).toMatchObject({ pool: 'disposable', before: { status: 'Active' } });
  expect(kept.usedUp).toContain(closed!.identifier);
  const active = kept.cards.filter(({ pool }) => pool === 'active');
  for (const { before, after } of active) expect({ ...before, ...after }).toEqual(before);
  for (const { operation, accepted, undone, open } of kept.changes)
    if (['cards.transfer', 'users.setPermissions'].includes(operation)) expect([undone, open]).toEqual([accepted, 0]);
  expect(schema.shape.run.shape.account.parse(kept)).toEqual(kept);
});
