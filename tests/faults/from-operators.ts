/** Faults found by applying operators to whatever an operation does: an effect that a reading undoes, a filter that is lost beside another. */
import type { AnswerFilter, Card, OperationId, World } from '../../sandbox/index.ts';
import { answering, broken, misanswered } from './broken.ts';
import type { Fault } from './fault.ts';

// ---- effects that a reading undoes -------------------------------------------------------------------------------

/** A change of a card is undone once an operation was asked to read the card: the reading itself still shows it. */
function undoneBy(reading: OperationId, change: OperationId, condemns: string): Fault {
  const before = new WeakMap<World, Map<Card, Pick<Card, 'state' | 'isProvisionedToWallet'>>>();
  const undo: AnswerFilter = (answer, { operation, card, world }) => {
    const was = before.get(world)?.get(card!);
    if (operation !== reading || !was || answer.status >= 300) return undefined;
    Object.assign(card!, was);
    card!.record.state = was.state;
    before.get(world)!.delete(card!);
    return undefined;
  };
  return {
    name: `${change} is undone by ${reading}`,
    condemns: [condemns],
    sandbox: {
      rules: {
        meanwhile: (world, { operation, params }) => {
          const card = world.cardById.get(params.identifier ?? '');
          if (operation !== change || !card || before.get(world)?.has(card)) return;
          const { state, isProvisionedToWallet } = card;
          before.set(world, (before.get(world) ?? new Map()).set(card, { state, isProvisionedToWallet }));
        },
      },
      middleware: [undo],
    },
  };
}

const undone: Fault[] = [
  undoneBy('cards.get', 'cards.suspend', 'cards.suspend.not-active'),
  undoneBy('cards.get', 'cards.unsuspend', 'cards.unsuspend.active'),
  undoneBy('cards.getBalance', 'cards.unsuspend', 'cards.unsuspend.active'),
  undoneBy('cards.get', 'cards.activate', 'cards.activate.active'),
  undoneBy('cards.getBalance', 'cards.markWalletProvisioned', 'cards.markWalletProvisioned.provisioned'),
];

// ---- filters -----------------------------------------------------------------------------------------------------

const FILTERS = [
  ['users.list', 'parentIdentifier', 'users.list.filter-parent'],
  ['users.list', 'name', 'users.list.filter-name'],
  ['cards.list', 'customerIdentifier', 'cards.list.filter-customer'],
  ['cards.list', 'programIdentifier', 'cards.list.filter-program'],
  ['cards.list', 'orderIdentifier', 'cards.list.filter-order'],
] as const;

const filters: Fault[] = [
  ...FILTERS.map(([listing, filter, condemns]) =>
    broken(`${listing}: ${filter} finds nothing beside another filter`, condemns, {
      matchesFilter: ({ operation, name, request }, byDefault) => {
        const { max: _max, token: _token, ...given } = request.query;
        return byDefault && !(operation === listing && name === filter && Object.keys(given).length > 1);
      },
    }),
  ),
  broken('users.list: parentIdentifier finds nobody without max', 'users.list.filter-parent', {
    matchesFilter: ({ operation, name, request }, byDefault) =>
      byDefault && !(operation === 'users.list' && name === 'parentIdentifier' && request.query.max === undefined),
  }),
  broken('cards.list: customerIdentifier leaves out the last card', 'cards.list.filter-customer', {
    listingOrder: (operation, items, { query }) =>
      operation === 'cards.list' && query.customerIdentifier !== undefined ? items.slice(0, -1) : items,
  }),
  {
    name: 'cards beyond the first are listed with a longer customerIdentifier',
    condemns: ['cards.list.filtered-members'],
    sandbox: answering('cards.list', (body) => {
      for (const card of (body.results as Record<string, unknown>[]).slice(1)) card.customerIdentifier += '0';
    }),
  },
];

// ---- tokens and sessions -----------------------------------------------------------------------------------------

const firstTokens = new WeakMap<World, unknown>();

const credentials: Fault[] = [
  misanswered(
    'portal.login: from the second on it names a customer that does not exist',
    'portal.login.customer-id-accepted',
    'portal.login',
    (body, { request }) => {
      if (request.callNumber > 1) body.customerId = 4_242_424;
    },
  ),
  {
    name: 'a token that has ended is handed out again',
    condemns: ['token.issue.lives-60-minutes'],
    sandbox: answering('token.issue', (body, { world, nowMs }) => {
      if (!firstTokens.has(world)) firstTokens.set(world, body.access_token);
      const haveEnded = nowMs - Date.now() > 3_600_000;
      if (haveEnded) body.access_token = firstTokens.get(world);
    }),
  },
];

// ---- values ------------------------------------------------------------------------------------------------------

const values: Fault[] = [
  misanswered(
    'portal.getCustomerHierarchy: parents are named by identifiers that nobody has',
    'portal.getCustomerHierarchy.members',
    'portal.getCustomerHierarchy',
    (body) => {
      for (const item of body.items as Record<string, unknown>[])
        if (typeof item.parentId === 'number') item.parentId *= 100;
    },
  ),
  misanswered('the balance is given in hundreds', 'cards.getBalance.refreshes-record', 'cards.getBalance', (body) => {
    body.balance = (body.balance as number) / 100;
  }),
];

export const operatorFaults: readonly Fault[] = [...undone, ...filters, ...credentials, ...values];
