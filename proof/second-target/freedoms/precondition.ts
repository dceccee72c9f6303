import type { Action, Choices } from '../choices.ts';
import { onReply, overlook } from '../tools.ts';
import type { CardState } from '../world.ts';
import { afterwards, badRequest, type Change, conflict, onlyWhile, set } from './changes.ts';
import { also, doubtful, exactly, type Freedom, family, ways } from './freedom.ts';

type Moves = Partial<Record<Action, Partial<Record<CardState, CardState | undefined>>>>;

const moves =
  (changes: Moves): Change =>
  (c) => {
    for (const [action, change] of Object.entries(changes)) {
      const next = { ...c.transitions[action as Action], ...change } as Record<CardState, CardState | undefined>;
      const allowed = Object.entries(next).filter(([, to]) => to !== undefined);
      c.transitions[action as Action] = Object.fromEntries(allowed) as Choices['transitions'][Action];
    }
  };

const receives = (state: CardState): Change => set((c) => ({ receives: [...c.receives, state] }));

const incomplete =
  (missing: string): Change =>
  (c) =>
    overlook(c, 'portal.orderCards', 'load-incomplete', (_x, field) => field === missing);

/** What has to be so before an operation works, and how it is left. */
export const preconditionFreedoms: Freedom[] = family('precondition', [
  ...also('v3, States and transitions; Transitions: not shown', {
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
  }),
  ...ways('unmarkFraud', 'v3, POST unmarkfraud: the state it leaves a card in is not shown', {
    'unmark-fraud-leaves-a-card-suspended': moves({ unmarkFraud: { fraud: 'suspended' } }),
    'unmark-fraud-leaves-a-card-deactivated': moves({ unmarkFraud: { fraud: 'deactivated' } }),
  }),
  ...ways('marksLost', 'v3, POST marklost: what else it does is not shown', {
    'mark-lost-shows-as-closed': (c) => void Object.assign(c.cardStatus, { lost: c.cardStatus.closed }),
    'mark-lost-shows-as-suspended': (c) => void Object.assign(c.cardStatus, { lost: c.cardStatus.suspended }),
  }),
  ...ways('closeBalance', 'v3, POST close "closes the account": what becomes of the balance is open', {
    'close-empties-the-balance': afterwards('cards.close', ({ card, world }) => {
      if (card) world.pay(card, -card.facts.cents);
    }),
    'close-needs-an-empty-card': conflict('cards.close', ({ card }) => (card?.facts.cents ?? 0) > 0),
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
  ...ways(
    'records',
    'v3, GET balance and GET status "also refresh the stored card record": how old it may be otherwise is open',
    { 'records-always-current': set({ recordsLag: false }) },
  ),
  ...doubtful(
    '"A suspended card cannot make transactions": whether receiving is one is open',
    exactly('v3, States: a suspended card cannot make transactions, receiving one is not named', {
      'suspended-cards-receive': receives('suspended'),
    }),
  ),
  ...also('v3, POST transfer: the state of the target card is not named', {
    'unused-cards-receive': receives('unused'),
    'cards-with-fraud-receive': receives('fraud'),
    'lost-cards-receive': receives('lost'),
    'unused-cards-send': set(({ spends }) => ({ spends: [...spends, 'unused'] })),
  }),
  ...also('v3, GET card and what is made for it: preconditions are not shown', {
    'token-only-for-active-cards': onlyWhile('active', 'cards.createToken'),
    'temporary-token-serves-once': afterwards('cards.get', ({ query, path, card }) => {
      if (query.get('byToken') !== 'true' || !card) return;
      card.temporaryTokens = card.temporaryTokens.filter((token) => token !== path.identifier);
    }),
    'newer-temporary-token-ends-the-older': (c) =>
      onReply(
        c,
        'cards.createToken',
        (_reply, { card }) => void card?.temporaryTokens.splice(0, card.temporaryTokens.length - 1),
      ),
    'encrypt-only-active-cards': onlyWhile('active', 'cards.encryptForVde'),
    'encrypt-wants-a-nonce': badRequest('cards.encryptForVde', ({ content }) => !content.nonce),
    'related-only-of-open-cards': conflict('cards.listRelated', ({ card }) => card?.facts.state === 'closed'),
    'wallet-only-active-cards': onlyWhile('active', 'cards.markWalletProvisioned'),
    'wallet-only-once': conflict('cards.markWalletProvisioned', ({ card }) => card?.facts.provisioned !== undefined),
    'pin-only-of-active-cards': onlyWhile('active', 'cards.setPin'),
    'permissions-need-one-member': badRequest(
      'users.setPermissions',
      ({ content }) => !('canSearchLoads' in content || 'canSearchSpends' in content),
    ),
    'reissue-wants-an-external-identifier': badRequest('cards.reissue', ({ content }) => !content.externalIdentifier),
  }),
  ...doubtful(
    '"usable once" may mean that a nonce that comes again is refused',
    exactly('v3, encryption request, nonce "usable once in a cryptographic exchange": who sees to that is open', {
      'encrypt-takes-a-nonce-again': set({ nonceReusable: true }),
    }),
  ),
  ...ways('reissueState', 'v3, POST reissue "e.g. after loss": which cards it takes is open', {
    'reissue-only-lost-cards': onlyWhile('lost', 'cards.reissue'),
    'reissue-only-active-cards': onlyWhile('active', 'cards.reissue'),
  }),
  ...doubtful('the order rules say what to send, which may mean that orders without it are refused', [
    ...exactly('portal, Order rule 4: totalValue is optional in the table', {
      'loads-without-total-value': incomplete('totalValue'),
    }),
    ...exactly('portal, Order rule 4: externalIdentifier is optional in the table', {
      'loads-without-order-identifier': incomplete('externalIdentifier'),
    }),
    ...exactly('portal, Order rule 4: amount is optional for each card', {
      'loads-of-some-cards-only': incomplete('amount'),
    }),
  ]),
  ...doubtful(
    'Authentication 2 says that every other operation takes sessionId',
    exactly('portal, getCIPCheck: its row lists no sessionId, which is required "wherever listed"', {
      'cip-without-session': set({ cipNeedsSession: false }),
    }),
  ),
  ...doubtful('"true selects" may mean that only those are shown', [
    ...exactly(
      'portal, getCustomerProgramList: "true selects auto-created programs": whether others are shown is open',
      {
        'programs-flags-add': set({
          programShown: ({ autoCreated, branded }, auto, brand) => (!autoCreated || auto) && (!branded || brand),
        }),
      },
      'programShown',
    ),
    ...exactly(
      'portal, getCustomerProgramList: how the two flags combine is open',
      {
        'programs-flags-united': set({
          programShown: ({ autoCreated, branded }, auto, brand) =>
            (auto && autoCreated) || (brand && branded) || (!auto && !brand && !autoCreated && !branded),
        }),
      },
      'programShown',
    ),
  ]),
]);
