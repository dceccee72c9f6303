/** Each mechanism by which more is tried than before condemns a fault that shows nowhere else, with everything that can be tried of one requirement. */
import { expect, test } from 'vitest';
import { failedIn } from '../selfcheck/prove.ts';
import { runSuite } from '../selfcheck/run-suite.ts';
import { startThirdTarget } from './index.ts';

/** The must and should requirements that fail, of those selected. */
async function failedWith(of: { faults?: string[]; freedoms?: string[] }, ...only: string[]): Promise<string[]> {
  const { env, fixtures, close } = await startThirdTarget(of);
  const environment = { ...env, RUN_RISK: 'irreversible', RUN_SETTLE_MS: '20' };
  const given = { environment, fixtures: fixtures as Record<string, unknown> };
  try {
    return failedIn((await runSuite(given, { only, thorough: true })).outcomes);
  } finally {
    await close();
  }
}

test.each([
  ['a listing that does not learn of a suspension', 'listing-with-old-states', 'cards.list.agrees-with-record'],
  ['a listing that does not learn of a payment', 'listing-with-old-balances', 'cards.list.agrees-with-record'],
  ['a listing that learns of no unsuspend', 'listing-forgets-freed-cards', 'cards.list.agrees-with-record'],
  ['a card that is kept by its proxy', 'card-by-proxy-kept', 'cards.getBalance.refreshes-record'],
  ['a temporary token that shows a picture', 'card-by-token-is-a-picture', 'cards.getStatus.refreshes-record'],
  ['relatives that are kept', 'relatives-kept-for-good', 'cards.getStatus.refreshes-record'],
  ['later pages that are kept by their token', 'later-pages-kept-without-max', 'users.list.pagination-same-set'],
  ['relatives that are suspended, too', 'suspend-its-relatives', 'cards.suspend.nothing-else'],
  ['all cards of the customer that are suspended', 'suspend-the-owner-of-the-pools', 'cards.suspend.nothing-else'],
  ['all cards of the order that are suspended', 'suspend-the-order', 'cards.suspend.nothing-else'],
  ['the next card that is suspended by unsuspend', 'unsuspend-the-next-one', 'cards.unsuspend.nothing-else'],
  ['a relative that gets the balance', 'close-passes-its-balance-on', 'cards.close.nothing-else'],
  ['the balance of a lost card that is gone', 'lost-and-emptied', 'cards.markLost.nothing-else'],
  ["a payment that is taken for another card's", 'same-payment-of-another-payer', 'cards.transfer.simultaneous'],
  ['a payment that a suspension gives back', 'suspension-takes-back-the-last-payment', 'cards.suspend.nothing-else'],
  [
    'a payer that is told its balance of before',
    'balance-kept-for-the-second-payment',
    'cards.transfer.conserves-money',
  ],
  ['an amount that is answered without cents', 'answers-with-whole-amounts', 'cards.transfer.amount-answered'],
  ['a user who is refused his own customer alone', 'clerk-is-refused-his-own-customer-alone', 'portal.not-entitled'],
  [
    'a later session that is shown the whole house',
    'hierarchy-of-the-house-in-a-later-session',
    'portal.getCustomerHierarchy.members',
  ],
  ['fee types that a session is given once', 'fee-types-not-modified', 'portal.getShippingFeeTypes.shape'],
])('condemned: %s', async (_, fault, requirement) => {
  expect(await failedWith({ faults: [fault] }, requirement)).toContain(requirement);
});

test('a refusal that its status tells is no transfer of less than was asked for', async () => {
  expect(await failedWith({ freedoms: ['transfer-declined-by-status'] }, 'cards.transfer')).toEqual([]);
});

test.each([
  ['others-provision-wallets'],
  ['others-suspend-for-a-while'],
  ['others-move-money'],
  ['others-spend'],
  ['idle-cards-are-suspended'],
])('what others do meanwhile accuses nobody: %s', async (freedom) => {
  const only = ['*.nothing-else', 'cards.list.agrees-with-record', '*.refreshes-record'];
  expect(await failedWith({ freedoms: [freedom] }, ...only)).toEqual([]);
});
