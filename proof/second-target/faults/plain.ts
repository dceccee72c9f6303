import type { OperationId } from '../operation-ids.ts';
import { bodyWith, onBody, onReply, orderedCards, succeeded } from '../tools.ts';
import { type Draft, type Fault, overlooked, slug, spot } from './fault.ts';

const people = ['firstName', 'lastName', 'address', 'zip', 'dobMonth', 'dobYear', 'dobDay', 'city', 'state'];
const order = [
  'address1',
  'address2',
  'attn',
  'city',
  'state',
  'zip',
  'shippingFee',
  'cardFee',
  'orderDetails',
  'orderProdType',
  'customerId',
];
const card = ['firstName', 'lastName', 'phone', 'ssn'];

const named = (name: string) => name.replace(/(?=[A-Z])/g, '-').toLowerCase();

const missing: Draft[] = [
  ...people.map(
    (name): Draft =>
      overlooked(
        `person-without-${named(name)}-taken`,
        'portal.getCIPCheck',
        `portal, getCIPCheck body: ${name} is required`,
        'bad-person',
        ({ content }, field) => content[name] === undefined && (field === name || field === 'dobDay'),
      ),
  ),
  ...order.map(
    (name): Draft =>
      overlooked(
        `order-without-${named(name)}-taken`,
        'portal.orderCards',
        `portal, orderCards body: ${name} is required`,
        'bad-order',
        (x, field) => field === name && x.content[name] === undefined,
      ),
  ),
  ...card.map(
    (name): Draft =>
      overlooked(
        `ordered-card-without-${named(name)}-taken`,
        'portal.orderCards',
        `portal, orderDetails: ${name} is required`,
        'bad-order',
        (x, field) => field === name && orderedCards(x).some((one) => one[name] === undefined),
      ),
  ),
];

const types: Draft[] = (['qty', 'totalValue', 'isInstantIssue', 'shippingMethod', 'campaignName'] as const).map(
  (name) =>
    overlooked(
      `order-with-${named(name)}-of-another-type-taken`,
      'portal.orderCards',
      `portal, orderCards body, ${name}: its type`,
      'bad-order',
      (x, field) => field === name && x.content[name] != null,
      'that another type is refused is not said in so many words',
    ),
);

const contents: [OperationId, string][] = [
  ['token.issue', 'access_token'],
  ['cards.getBalance', 'balance'],
  ['cards.getStatus', 'status'],
  ['cards.createToken', 'token'],
  ['cards.encryptForVde', 'encryptedPayload'],
  ['cards.list', 'results'],
  ['users.list', 'results'],
  ['users.get', 'identifier'],
  ['cards.listRelated', 'results'],
  ['portal.login', 'sessionId'],
  ['portal.getCustomerList', 'items'],
  ['portal.getCustomerHierarchy', 'items'],
  ['portal.getShippingMethods', 'items'],
  ['portal.getCustomerProgramList', 'items'],
  ['portal.getCIPCheck', 'returnCode'],
];

const bodies: Draft[] = contents.map(([operation, name]) => [
  `answer-under-another-name-${slug(operation)}`,
  operation,
  `${operation.startsWith('portal') ? 'portal' : 'v3'}, Resources: ${name}`,
  (c) =>
    onBody(c, operation, (body) => {
      body[`_${name}`] = body[name];
      delete body[name];
    }),
  ['balance', 'status', 'identifier', 'access_token'].includes(name)
    ? 'the field may be held to be optional'
    : undefined,
]);

const balances: Draft[] = [
  [
    'balance-of-a-minute-ago',
    'cards.getBalance',
    'v3, GET balance: the current balance',
    (c) => {
      const old = new Map<unknown, unknown>();
      bodyWith(c, 'cards.getBalance', ({ balance }, { path }) => {
        if (!old.has(path.identifier)) old.set(path.identifier, balance);
        return { balance: old.get(path.identifier) as number };
      });
    },
  ],
  [
    'transfer-only-debits',
    'cards.transfer',
    'v3, POST transfer: moves funds to the target card',
    (c) =>
      onReply(c, 'cards.transfer', (reply, { world, target, cents }) => {
        if (succeeded(reply) && target) world.pay(target, -cents);
      }),
  ],
  [
    'transfer-only-credits',
    'cards.transfer',
    'v3, POST transfer: moves funds from this card',
    (c) => void Object.assign(c, { debit: () => undefined }),
  ],
  [
    'transfer-debits-twice',
    'cards.transfer',
    'v3, POST transfer: amount',
    (c) =>
      void Object.assign(c, {
        debit: (...[one, cents, x]: Parameters<typeof c.debit>) => x.world.pay(one, -2 * cents),
      }),
  ],
  [
    'transfers-with-equal-identifiers',
    'cards.transfer',
    'v3, transfer, identifier',
    (c) => bodyWith(c, 'cards.transfer', { identifier: 'transfer' }),
  ],
];

/** What is wrong in plain sight. */
export const plainFaults: Fault[] = spot(0, [...missing, ...types, ...bodies, ...balances]);
