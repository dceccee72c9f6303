import type { Choices } from '../choices.ts';
import type { OperationId } from '../operation-ids.ts';
import { bodyWith, cardsWith, onBody, onReply, recordsOf, succeeded } from '../tools.ts';
import { type Draft, type Fault, slug, spot } from './fault.ts';

const record = 'also refreshes the stored card record';

function status(c: Choices, operation: OperationId, code: number): void {
  onReply(c, operation, (reply) => {
    if (succeeded(reply)) reply.status = code;
  });
}

const cards: Draft[] = [
  [
    'proxy-number-not-as-asked',
    'cards.get',
    'v3, card, proxyNumber: proxy number of the card',
    (c) =>
      bodyWith(c, 'cards.get', ({ proxyNumber }, { query }) => ({
        proxyNumber: query.get('byProxy') === 'true' ? `${proxyNumber}0` : proxyNumber,
      })),
  ],
  [
    'by-proxy-finds-the-same-number-of-another-program',
    'cards.get',
    'v3, GET card, programIdentifier: required when byProxy is true',
    (c) => firstByProxy(c),
  ],
  [
    'by-proxy-heeds-no-is-digital',
    'cards.get',
    'v3, GET card, isDigital: says whether the proxy is a digital card',
    (c) =>
      c.before.push(({ operation, query, world, path }) => {
        const digital = query.get('isDigital');
        if (operation !== 'cards.get' || digital === null) return undefined;
        const one = world.cards.find(
          (card) => card.proxy === path.identifier && card.program.identifier === query.get('programIdentifier'),
        );
        if (one) query.set('isDigital', String(one.digital));
        return undefined;
      }),
  ],
  [
    'by-token-takes-identifiers',
    'cards.get',
    'v3, GET card, byToken: look up by authorization token',
    (c) =>
      c.before.push(({ operation, query, world, path }) => {
        const known = world.cards.some(({ identifier }) => identifier === path.identifier);
        if (operation === 'cards.get' && known) query.delete('byToken');
        return undefined;
      }),
    'that an identifier is no token is not said in so many words',
  ],
  [
    'wallet-not-flagged',
    'cards.markWalletProvisioned',
    'v3, POST wallet-provisioned: flags the card as provisioned to a mobile wallet',
    (c) => cardsWith(c, { isProvisionedToWallet: false }),
  ],
  [
    'wallet-flagged-everywhere',
    'cards.get',
    'v3, card, isProvisionedToWallet: card is provisioned to a mobile wallet',
    (c) => cardsWith(c, { isProvisionedToWallet: true }),
    'shows only by the cards that were not provisioned before',
  ],
  [
    'wallet-not-flagged-in-listings',
    'cards.list',
    'v3, card, isProvisionedToWallet',
    (c) =>
      onBody(c, ['cards.list', 'cards.listRelated'], (body) =>
        recordsOf(body, 'results').forEach((card) => void Object.assign(card, { isProvisionedToWallet: false })),
      ),
  ],
  [
    'provisioned-date-of-1970',
    'cards.get',
    'v3, card, provisionedDate: wallet provisioning time',
    (c) => cardsWith(c, ({ provisionedDate }) => ({ provisionedDate: provisionedDate && '1970-01-01T00:00:00Z' })),
  ],
  [
    'provisioned-date-without-time',
    'cards.get',
    'v3, card, provisionedDate: string, date-time',
    (c) =>
      cardsWith(c, ({ provisionedDate }) => ({
        provisionedDate: provisionedDate && String(provisionedDate).slice(0, 10),
      })),
  ],
  [
    'provisioned-date-as-number',
    'cards.get',
    'v3, card, provisionedDate: string, date-time',
    (c) => cardsWith(c, ({ provisionedDate }) => ({ provisionedDate: provisionedDate && 1_700_000_000 })),
  ],
  [
    'deactivated-cards-not-activated',
    'cards.activate',
    'v3, States: activate applies to a deactivated or unused card',
    (c) => {
      deactivated(c);
      delete c.transitions.activate.deactivated;
    },
    'shows only with a deactivated card, here among the unused',
  ],
  [
    'deactivated-cards-stay-so',
    'cards.activate',
    'v3, States: activate applies to a deactivated or unused card',
    (c) => {
      deactivated(c);
      c.transitions.activate.deactivated = 'deactivated';
    },
    'shows only with a deactivated card, here among the unused',
  ],
  [
    'balance-read-leaves-the-record',
    'cards.getBalance',
    `v3, GET balance: ${record} with the current balance`,
    (c) => stuck(c, 'recordedCents'),
  ],
  [
    'status-read-leaves-the-record',
    'cards.getStatus',
    `v3, GET status: ${record} with the current status`,
    (c) => stuck(c, 'recordedState'),
  ],
  [
    'nonce-reused-across-a-listing',
    'cards.encryptForVde',
    'v3, encrypt-for-vde: encrypts card data',
    (c) => bodyWith(c, 'cards.encryptForVde', (_body, { card }) => ({ encryptedPayload: card?.identifier })),
    'that the payload is not the identifier is not said in so many words',
  ],
  [
    'temporary-token-is-the-identifier',
    'cards.createToken',
    'v3, GET token: for sharing card information in less secure environments',
    (c) => bodyWith(c, 'cards.createToken', (_body, { card }) => ({ token: card?.identifier })),
    'that the token differs from the identifier is not said in so many words',
  ],
  [
    'temporary-token-of-another-card',
    'cards.createToken',
    'v3, GET token: a temporary token that identifies the card',
    (c) =>
      onReply(c, 'cards.createToken', (reply, { card, world }) => {
        const token = card?.temporaryTokens.pop();
        if (succeeded(reply) && token) world.cards[0]!.temporaryTokens.push(token);
      }),
  ],
];

function deactivated(c: Choices): void {
  c.created.push(({ cards }) => {
    for (const { facts, n } of cards)
      if (facts.state === 'unused' && n % 2)
        Object.assign(facts, { state: 'deactivated', recordedState: 'deactivated' });
  });
}

function stuck(c: Choices, name: 'recordedCents' | 'recordedState'): void {
  const first = new Map<unknown, unknown>();
  c.before.push((x) => {
    for (const card of x.world.cards) {
      if (first.has(card)) Object.assign(card.facts, { [name]: first.get(card) });
      else first.set(card, card.facts[name]);
    }
    return undefined;
  });
}

function firstByProxy(c: Choices): void {
  c.before.push(({ operation, query, world, path }) => {
    if (operation !== 'cards.get' || query.get('byProxy') !== 'true') return undefined;
    const one = world.cards.find(({ proxy }) => proxy === path.identifier);
    if (one && query.has('programIdentifier')) query.set('programIdentifier', one.program.identifier);
    if (one && query.has('isDigital')) query.set('isDigital', String(one.digital));
    return undefined;
  });
}

const created: Draft[] = (['cards.encryptForVde', 'cards.createToken', 'cards.markWalletProvisioned'] as const).map(
  (operation) => [
    `answers-200-for-201-${slug(operation)}`,
    operation,
    'v3, Cards: 201',
    (c) => status(c, operation, 200),
  ],
);

const bodiless = [
  'cards.reissue',
  'cards.activate',
  'cards.close',
  'cards.suspend',
  'cards.unsuspend',
  'cards.unmarkFraud',
  'cards.markLost',
  'cards.setPin',
  'cards.markWalletProvisioned',
  'portal.logout',
] as const;

const bodies: Draft[] = bodiless.map((operation) => [
  `body-where-none-is-${slug(operation)}`,
  operation,
  `${operation.startsWith('portal') ? 'portal' : 'v3'}, Endpoints: no body`,
  (c) => onReply(c, operation, (reply) => void (succeeded(reply) && Object.assign(reply, { body: { ok: true } }))),
]);

/** Statements of the documents that are rarely tested: cards. */
export const cardStatementFaults: Fault[] = spot(11, [...cards, ...created, ...bodies]);
