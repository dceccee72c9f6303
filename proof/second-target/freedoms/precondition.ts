import type { Action, Choices } from '../choices.ts';
import { onReply, overlook, rule, succeeded } from '../tools.ts';
import type { CardState } from '../world.ts';
import { also, doubtful, type Freedom, family, ways } from './freedom.ts';

type Moves = Partial<Record<Action, Partial<Record<CardState, CardState | undefined>>>>;

function moves(changes: Moves): (c: Choices) => void {
  return (c) => {
    for (const [action, change] of Object.entries(changes)) {
      const next = { ...c.transitions[action as Action], ...change } as Record<CardState, CardState | undefined>;
      const allowed = Object.entries(next).filter(([, to]) => to !== undefined);
      c.transitions[action as Action] = Object.fromEntries(allowed) as Choices['transitions'][Action];
    }
  };
}

const transitions = also('v3, States and transitions; Transitions: not shown', {
  'suspend-refuses-a-suspended-card': moves({ suspend: { suspended: undefined } }),
  'suspend-takes-an-unused-card': moves({ suspend: { unused: 'suspended' } }),
  'suspend-leaves-a-closed-card-closed': moves({ suspend: { closed: 'closed', lost: 'lost' } }),
  'unsuspend-of-an-active-card-does-nothing': moves({ unsuspend: { active: 'active' } }),
  'unsuspend-of-a-closed-card-does-nothing': moves({ unsuspend: { closed: 'closed' } }),
  'activate-of-an-active-card-does-nothing': moves({ activate: { active: 'active' } }),
  'activate-of-any-other-card-does-nothing': moves({
    activate: { suspended: 'suspended', lost: 'lost', closed: 'closed', fraud: 'fraud' },
  }),
  'close-twice-does-nothing': moves({ close: { closed: 'closed' } }),
  'close-refuses-a-lost-card': moves({ close: { lost: undefined } }),
  'close-refuses-an-unused-card': moves({ close: { unused: undefined } }),
  'mark-lost-only-active-cards': moves({ markLost: { unused: undefined, suspended: undefined, lost: undefined } }),
  'mark-lost-of-a-closed-card-does-nothing': moves({ markLost: { closed: 'closed' } }),
  'mark-lost-takes-a-card-with-fraud': moves({ markLost: { fraud: 'lost' } }),
  'unmark-fraud-without-fraud-does-nothing': moves({
    unmarkFraud: { active: 'active', suspended: 'suspended', closed: 'closed', lost: 'lost', unused: 'unused' },
  }),
});

const ends = [
  ...ways('unmarkFraud', 'v3, POST unmarkfraud: the state it leaves a card in is not shown', {
    'unmark-fraud-leaves-a-card-suspended': moves({ unmarkFraud: { fraud: 'suspended' } }),
    'unmark-fraud-leaves-a-card-deactivated': moves({ unmarkFraud: { fraud: 'deactivated' } }),
  }),
  ...ways('marksLost', 'v3, POST marklost: what else it does is not shown', {
    'mark-lost-shows-as-closed': (c) => void Object.assign(c.cardStatus, { lost: c.cardStatus.closed }),
    'mark-lost-shows-as-suspended': (c) => void Object.assign(c.cardStatus, { lost: c.cardStatus.suspended }),
  }),
  ...ways('closeBalance', 'v3, POST close "closes the account": what becomes of the balance is open', {
    'close-empties-the-balance': (c) => {
      onReply(c, 'cards.close', (reply, { card, world }) => {
        if (card && succeeded(reply)) world.pay(card, -card.facts.cents);
      });
    },
    'close-needs-an-empty-card': (c) => rule(c, 'cards.close', ({ card }) => (card?.facts.cents ?? 0) > 0, 409),
  }),
  ...ways('closeAfter', 'v3, POST close: what has to come before is open', {
    'close-refuses-a-suspended-card': moves({ close: { suspended: undefined } }),
    'close-needs-a-suspended-card': moves({
      close: { unused: undefined, active: undefined, fraud: undefined, lost: undefined },
    }),
    'close-needs-a-lost-or-suspended-card': moves({
      close: { unused: undefined, active: undefined, fraud: undefined },
    }),
  }),
];

const records = [
  ...ways(
    'records',
    'v3, GET balance and GET status "also refresh the stored card record": how old it may be otherwise is open',
    {
      'records-always-current': (c) => void Object.assign(c, { recordsLag: false }),
    },
  ),
  ...doubtful('"A suspended card cannot make transactions": whether receiving is one is open', [
    {
      id: 'suspended-cards-receive',
      basis: 'v3, States: a suspended card cannot make transactions, receiving one is not named',
      change: (c: Choices) => void Object.assign(c, { receives: [...c.receives, 'suspended'] }),
    },
  ]),
  ...also('v3, POST transfer: the state of the target card is not named', {
    'unused-cards-receive': (c) => void Object.assign(c, { receives: [...c.receives, 'unused'] }),
    'cards-with-fraud-receive': (c) => void Object.assign(c, { receives: [...c.receives, 'fraud'] }),
    'lost-cards-receive': (c) => void Object.assign(c, { receives: [...c.receives, 'lost'] }),
    'unused-cards-send': (c) => void Object.assign(c, { spends: [...c.spends, 'unused'] }),
  }),
];

const lookups = also('v3, GET card and what is made for it: preconditions are not shown', {
  'token-only-for-active-cards': (c) => rule(c, 'cards.createToken', ({ card }) => card?.facts.state !== 'active', 409),
  'temporary-token-serves-once': (c) => {
    onReply(c, 'cards.get', (reply, x) => {
      if (!succeeded(reply) || x.query.get('byToken') !== 'true' || !x.card) return;
      x.card.temporaryTokens = x.card.temporaryTokens.filter((token) => token !== x.path.identifier);
    });
  },
  'newer-temporary-token-ends-the-older': (c) => {
    onReply(
      c,
      'cards.createToken',
      (_reply, { card }) => void card?.temporaryTokens.splice(0, card.temporaryTokens.length - 1),
    );
  },
  'encrypt-only-active-cards': (c) => rule(c, 'cards.encryptForVde', ({ card }) => card?.facts.state !== 'active', 409),
  'encrypt-wants-a-nonce': (c) => rule(c, 'cards.encryptForVde', ({ content }) => !content.nonce, 400),
  'related-only-of-open-cards': (c) => rule(c, 'cards.listRelated', ({ card }) => card?.facts.state === 'closed', 409),
  'wallet-only-active-cards': (c) =>
    rule(c, 'cards.markWalletProvisioned', ({ card }) => card?.facts.state !== 'active', 409),
  'wallet-only-once': (c) =>
    rule(c, 'cards.markWalletProvisioned', ({ card }) => card?.facts.provisioned !== undefined, 409),
  'pin-only-of-active-cards': (c) => rule(c, 'cards.setPin', ({ card }) => card?.facts.state !== 'active', 409),
  'permissions-need-one-member': (c) =>
    rule(
      c,
      'users.setPermissions',
      ({ content }) => !('canSearchLoads' in content || 'canSearchSpends' in content),
      400,
    ),
  'reissue-wants-an-external-identifier': (c) =>
    rule(c, 'cards.reissue', ({ content }) => !content.externalIdentifier, 400),
});

const nonces = doubtful('"usable once" may mean that a nonce that comes again is refused', [
  {
    id: 'encrypt-takes-a-nonce-again',
    basis: 'v3, encryption request, nonce "usable once in a cryptographic exchange": who sees to that is open',
    change: (c: Choices) => void Object.assign(c, { nonceReusable: true }),
  },
]);

const reissues = ways('reissueState', 'v3, POST reissue "e.g. after loss": which cards it takes is open', {
  'reissue-only-lost-cards': (c) => rule(c, 'cards.reissue', ({ card }) => card?.facts.state !== 'lost', 409),
  'reissue-only-active-cards': (c) => rule(c, 'cards.reissue', ({ card }) => card?.facts.state !== 'active', 409),
});

const doubts = doubtful('the order rules say what to send, which may mean that orders without it are refused', [
  {
    id: 'loads-without-total-value',
    basis: 'portal, Order rule 4: totalValue is optional in the table',
    change: (c: Choices) => overlook(c, 'portal.orderCards', 'load-incomplete', (_x, field) => field === 'totalValue'),
  },
  {
    id: 'loads-without-order-identifier',
    basis: 'portal, Order rule 4: externalIdentifier is optional in the table',
    change: (c: Choices) =>
      overlook(c, 'portal.orderCards', 'load-incomplete', (_x, field) => field === 'externalIdentifier'),
  },
  {
    id: 'loads-of-some-cards-only',
    basis: 'portal, Order rule 4: amount is optional for each card',
    change: (c: Choices) => overlook(c, 'portal.orderCards', 'load-incomplete', (_x, field) => field === 'amount'),
  },
]);

const open = [
  ...doubtful('Authentication 2 says that every other operation takes sessionId', [
    {
      id: 'cip-without-session',
      basis: 'portal, getCIPCheck: its row lists no sessionId, which is required "wherever listed"',
      change: (c: Choices) => void Object.assign(c, { cipNeedsSession: false }),
    },
  ]),
  ...doubtful('"true selects" may mean that only those are shown', [
    {
      id: 'programs-flags-add',
      basis: 'portal, getCustomerProgramList: "true selects auto-created programs": whether others are shown is open',
      slot: 'programShown',
      change: (c: Choices) => {
        c.programShown = ({ autoCreated, branded }, auto, brand) => (!autoCreated || auto) && (!branded || brand);
      },
    },
    {
      id: 'programs-flags-united',
      basis: 'portal, getCustomerProgramList: how the two flags combine is open',
      slot: 'programShown',
      change: (c: Choices) => {
        c.programShown = ({ autoCreated, branded }, auto, brand) =>
          (auto && autoCreated) || (brand && branded) || (!auto && !brand && !autoCreated && !branded);
      },
    },
  ]),
];

/** What has to be so before an operation works, and how it is left. */
export const preconditionFreedoms: Freedom[] = family('precondition', [
  ...transitions,
  ...ends,
  ...records,
  ...lookups,
  ...nonces,
  ...reissues,
  ...doubts,
  ...open,
]);
