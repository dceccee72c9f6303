import type { Choices, Reply } from '../choices.ts';
import type { OperationId } from '../operation-ids.ts';
import { bodyWith, isOneOf, type Operations, onReply, succeeded } from '../tools.ts';
import { type Draft, type Fault, sentences, slug, spot } from './fault.ts';

/** Answers one in so many requests of an operation otherwise, beginning in the middle of the row. */
function oneIn(c: Choices, n: number, meant: Operations, reply: () => Reply): void {
  c.before.push((x) => (isOneOf(x.operation, meant) && x.turn % n === Math.floor(n / 2) ? reply() : undefined));
}

const rows: [OperationId, number, number][] = [
  ['users.list', 7, 400],
  ['users.get', 4, 404],
  ['users.setPermissions', 3, 500],
  ['cards.list', 6, 500],
  ['cards.get', 9, 404],
  ['cards.getBalance', 8, 500],
  ['cards.getStatus', 8, 500],
  ['cards.listRelated', 3, 404],
  ['cards.createToken', 3, 500],
  ['cards.encryptForVde', 4, 400],
  ['cards.suspend', 5, 500],
  ['cards.unsuspend', 5, 409],
  ['token.issue', 4, 401],
  ['portal.login', 5, 400],
  ['portal.getCustomerList', 4, 500],
  ['portal.getCustomerHierarchy', 5, 500],
  ['portal.getCustomerProgramList', 5, 404],
  ['portal.getShippingMethods', 4, 400],
  ['portal.getShippingFeeTypes', 3, 400],
  ['portal.getATMLocation', 5, 400],
  ['portal.getCIPCheck', 6, 500],
];

const refusals: Draft[] = rows.map(([operation, n, status]) => [
  `one-in-${n}-refused-of-${slug(operation)}`,
  operation,
  `${operation.startsWith('portal') ? 'portal' : 'v3'}, Endpoints: a good request is answered with the success that is shown`,
  (c) => oneIn(c, n, operation, () => ({ status, body: operation.startsWith('portal') ? {} : [{ errorCode: 'x' }] })),
]);

function now(c: Choices, operation: OperationId, n: number, change: (reply: Reply) => void): void {
  onReply(c, operation, (reply, { turn }) => {
    if (succeeded(reply) && turn % n === n - 1) change(reply);
  });
}

const others: Draft[] = [
  [
    'one-in-5-good-tokens-refused',
    'cards.get',
    sentences.hour,
    (c) => oneIn(c, 5, 'cards.get', () => ({ status: 401, body: [{ errorCode: 'x' }] })),
  ],
  [
    'one-in-6-good-sessions-refused',
    'portal.getShippingMethods',
    'portal, Authentication 2: a session is valid until logout',
    (c) => oneIn(c, 6, ['portal.getShippingMethods', 'portal.getCustomerList'], () => ({ status: 401, body: {} })),
  ],
  [
    'one-in-6-cards-with-balance-as-text',
    'cards.get',
    'v3, card, balance: number',
    (c) => now(c, 'cards.get', 6, (reply) => void Object.assign(reply.body as object, { balance: '1.00' })),
  ],
  [
    'one-in-5-answers-cut-short',
    'cards.getBalance',
    'v3, Resources: all bodies are JSON',
    (c) => now(c, 'cards.getBalance', 5, (reply) => void Object.assign(reply, { bytes: '{"balance": 1' })),
  ],
  [
    'one-in-4-transfers-moves-nothing',
    'cards.transfer',
    sentences.transfer,
    (c) => {
      c.between.push((x) => {
        if (x.operation === 'cards.transfer' && x.turn % 4 === 2) x.cents = 0;
      });
    },
  ],
  [
    'one-in-4-tokens-does-not-work',
    'token.issue',
    sentences.hour,
    (c) => now(c, 'token.issue', 4, (reply) => void Object.assign(reply.body as object, { access_token: 'useless' })),
  ],
  [
    'one-in-5-wrong-tokens-taken',
    'cards.get',
    sentences.token,
    (c) => {
      let wrong = 0;
      c.verdicts.push(({ reason }, { operation }) => {
        if (reason !== 'bad-token' || operation !== 'cards.get') return undefined;
        wrong += 1;
        return wrong % 5 === 0 ? 'overlook' : undefined;
      });
    },
  ],
  [
    'one-in-4-foreign-cards-shown',
    'cards.get',
    sentences.reach,
    (c) => {
      let asked = 0;
      c.verdicts.push(({ reason }, { operation }) => {
        if (reason !== 'card-out-of-reach' || operation !== 'cards.get') return undefined;
        asked += 1;
        return asked % 4 === 0 ? 'overlook' : undefined;
      });
    },
  ],
  [
    'one-in-6-pages-has-fifty-one',
    'users.list',
    sentences.max,
    (c) => {
      c.pageLength = (asked, { operation, turn }) =>
        operation === 'users.list' && turn % 6 === 3 ? Math.max(asked, 51) : asked;
    },
  ],
  [
    'one-in-4-cip-checks-has-return-code-zero',
    'portal.getCIPCheck',
    'portal, CIP response: returnCode is 0 only if the server is down or the network is poor',
    (c) =>
      bodyWith(c, 'portal.getCIPCheck', ({ returnCode }, { turn }) => ({
        returnCode: turn % 4 === 3 ? 0 : returnCode,
      })),
    'the network may have been poor',
  ],
];

/** What goes wrong now and then only. */
export const sporadicFaults: Fault[] = spot(10, [...refusals, ...others]);
