/** Faults that an ordinary end-to-end test shows in one or two exchanges. */
import type { UnservedOptions } from '../../sandbox/unserved.ts';
import { answering, is, letThrough, matching, refusedWith } from '../changed-sandbox.ts';

/** What is broken in a few words, the requirement that it breaks, and what the exchanges of the test show of it. */
export interface ShownFault {
  name: string;
  breaks: string;
  sandbox: UnservedOptions;
  /** Whether others who use the target may explain what shows it, so that it is a suspicion. */
  isSuspected?: true;
}

const shown = (name: string, breaks: string, sandbox: UnservedOptions): ShownFault => ({ name, breaks, sandbox });

const ORDER = 'portal.orderCards';

export const shownFaults: readonly ShownFault[] = [
  shown(
    'a balance as text',
    'cards.getBalance.shape',
    answering('cards.getBalance', (body) => {
      body.balance = String(body.balance);
    }),
  ),
  shown('a suspension is answered with 204', 'cards.suspend.status', {
    rules: { successStatus: (operation, byDefault) => (operation === 'cards.suspend' ? 204 : byDefault) },
  }),
  shown(
    'the last four digits are sixteen',
    'cards.get.shape',
    answering('cards.get', (body) => {
      body.cardNumberLastFour = '5555444433331111';
    }),
  ),
  shown(
    'the last four digits are two masked ones',
    'cards.list.shape',
    answering('cards.list', (body) => {
      for (const card of body.results as { cardNumberLastFour?: string }[]) card.cardNumberLastFour = '**12';
    }),
  ),
  shown('an order is taken twice', `${ORDER}.duplicate-order`, { rules: { duplicateOrders: 'accept' } }),
  shown('a session is served after its logout', 'portal.logout.ends-session', {
    rules: letThrough(is('portal.getCustomerList', { kind: 'session', name: 'ended' })),
  }),
  shown('a missing parameter is answered with 404', 'portal.getCustomerProgramList.required-parameters', {
    rules: refusedWith(404, is('portal.getCustomerProgramList', { kind: 'missing-parameter' })),
  }),
  shown('a zip of six digits is taken', 'portal.getCIPCheck.zip-digits', {
    rules: { cipDigits: (name, byDefault) => (name === 'zip' ? 6 : byDefault) },
  }),
  shown(
    'a record with another proxy number',
    'cards.get.by-proxy',
    answering('cards.get', (body, { request: { query } }) => {
      if (query.byProxy === 'true') body.proxyNumber = `${Number(body.proxyNumber) + 1}`;
    }),
  ),
  shown('the balance of a foreign card is shown', 'cards.getBalance.foreign', {
    rules: letThrough(is('cards.getBalance', { kind: 'foreign' })),
  }),
  shown('a customer is lost between pages', 'users.list.pagination-same-set', {
    rules: {
      pageWindow: (_page, byDefault) =>
        byDefault.next === null ? byDefault : { ...byDefault, next: byDefault.next + 1 },
    },
  }),
  shown('money does not arrive', 'cards.transfer.conserves-money', { rules: { transferCredit: () => 0 } }),
  shown('a suspended card pays', 'cards.suspend.stops-payments', {
    rules: { paysFrom: (card, byDefault) => byDefault || card.state === 'suspended' },
  }),
  {
    ...shown('a filter loses entries', 'cards.list.filter-customer', {
      rules: matching(
        'cards.list',
        'customerIdentifier',
        (byDefault, { item }) => byDefault && /[89a-f]$/.test(String(item.identifier)),
      ),
    }),
    isSuspected: true,
  },
  shown('an order without a type is taken', `${ORDER}.required-members`, {
    rules: {
      requires: (operation, name, byDefault) => (operation === ORDER && name === 'orderProdType' ? false : byDefault),
    },
  }),
];
