import type { Choices } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import type { OperationId } from '../operation-ids.ts';
import { remember } from '../operations/order-rules.ts';
import type { Reason } from '../reasons.ts';
import { heedless, onReply, orderedCards, succeeded } from '../tools.ts';
import { type Draft, type Fault, sentences, slug, spot } from './fault.ts';

const seen: readonly OperationId[] = [
  'cards.suspend',
  'cards.unsuspend',
  'cards.close',
  'cards.markLost',
  'cards.activate',
  'cards.unmarkFraud',
  'cards.markWalletProvisioned',
  'cards.transfer',
];

const unauthorised: Draft[] = [
  ...seen.map(
    (operation): Draft => [
      `without-token-refused-yet-done-${slug(operation)}`,
      operation,
      sentences.token,
      (c) => heedless(c, operation, 'no-token'),
    ],
  ),
  ...seen.map(
    (operation): Draft => [
      `with-bad-token-refused-yet-done-${slug(operation)}`,
      operation,
      sentences.token,
      (c) => heedless(c, operation, 'bad-token'),
    ],
  ),
  ...(['cards.suspend', 'cards.transfer'] as const).map(
    (operation): Draft => [
      `with-expired-token-refused-yet-done-${slug(operation)}`,
      operation,
      sentences.hour,
      (c) => heedless(c, operation, 'expired-token'),
    ],
  ),
];

function transferred(reason: Reason): (c: Choices) => void {
  return (c) => heedless(c, 'cards.transfer', reason);
}

/** Does something about a refused transfer from a card that is known. */
function refused(c: Choices, effect: (x: Exchange) => void): void {
  onReply(c, 'cards.transfer', (reply, x) => {
    if (!succeeded(reply) && x.admitted && x.card?.owner.ours) effect(x);
  });
}

const transfers: Draft[] = [
  ['transfer-of-too-much-refused-yet-moved', 'cards.transfer', sentences.transfer, transferred('insufficient-funds')],
  ['transfer-from-suspended-refused-yet-moved', 'cards.transfer', sentences.suspended, transferred('cannot-spend')],
  ['transfer-to-suspended-refused-yet-moved', 'cards.transfer', sentences.suspended, transferred('cannot-receive')],
  ['transfer-to-foreign-refused-yet-moved', 'cards.transfer', sentences.reach, transferred('target-out-of-reach')],
  ['transfer-of-bad-amount-refused-yet-moved', 'cards.transfer', sentences.transfer, transferred('bad-amount')],
  [
    'transfer-to-itself-refused-yet-debited',
    'cards.transfer',
    sentences.transfer,
    (c) => refused(c, (x) => x.content.targetCardIdentifier === x.card?.identifier && x.world.pay(x.card!, -100)),
  ],
  [
    'transfer-to-unknown-refused-yet-debited',
    'cards.transfer',
    sentences.transfer,
    (c) =>
      refused(
        c,
        (x) =>
          !x.target &&
          typeof x.content.targetCardIdentifier === 'string' &&
          x.world.pay(x.card!, -Math.round(Number(x.content.amount) * 100) || 0),
      ),
  ],
  [
    'transfer-refused-yet-credited',
    'cards.transfer',
    sentences.transfer,
    (c) => refused(c, (x) => x.target?.owner.ours && x.world.pay(x.target, Math.max(0, x.cents))),
  ],
  [
    'transfer-of-bad-comment-refused-yet-moved',
    'cards.transfer',
    sentences.transfer,
    (c) => heedless(c, 'cards.transfer', 'bad-field', (_x, field) => field === 'comment'),
  ],
  [
    'transfer-refused-suspends-the-sender',
    'cards.transfer',
    sentences.transfer,
    (c) => refused(c, (x) => x.world.alter(x.card!, (facts) => void Object.assign(facts, { state: 'suspended' }))),
  ],
  [
    'transfer-of-too-much-refused-takes-what-is-there',
    'cards.transfer',
    sentences.transfer,
    (c) => refused(c, (x) => x.cents > x.card!.facts.cents && x.world.pay(x.card!, -x.card!.facts.cents)),
  ],
  [
    'transfer-refused-costs-one',
    'cards.transfer',
    sentences.transfer,
    (c) => refused(c, (x) => x.world.pay(x.card!, -100)),
  ],
];

function ordered(id: string, reason: Reason, breaks: string, when?: Parameters<typeof heedless>[3]): Draft {
  return [id, 'portal.orderCards', breaks, (c) => heedless(c, 'portal.orderCards', reason, when)];
}

const orders: Draft[] = [
  ordered('order-without-session-refused-yet-made', 'bad-session', sentences.session),
  ordered(
    'order-digital-off-refused-yet-made',
    'digital-off',
    'portal, Order rule 3: the option allowing digital card orders must be on',
  ),
  ordered(
    'order-load-off-refused-yet-made',
    'load-off',
    'portal, Order rule 4: the load-while-ordering setting must be on',
  ),
  ordered(
    'order-without-other-info-refused-yet-made',
    'other-info-missing',
    'portal, Order rule 5: otherInfo is required',
  ),
  ordered(
    'order-of-unknown-type-refused-yet-made',
    'bad-order',
    'portal, orderCards: allowed orderProdType values',
    (_x, field) => field === 'orderProdType',
  ),
  ordered(
    'order-without-address-refused-yet-made',
    'bad-order',
    'portal, orderCards body: address1 is required',
    (_x, field) => field === 'address1',
  ),
  ordered('order-with-duplicate-other-info-refused-yet-kept', 'other-info-duplicate', sentences.otherInfo),
  ordered('order-with-duplicate-load-refused-yet-kept', 'load-duplicate', sentences.load),
  [
    'order-refused-keeps-its-identifier',
    'portal.orderCards',
    'portal, Errors, 400: the caller changes the parameters and retries',
    (c) =>
      onReply(c, 'portal.orderCards', (reply, x) => {
        const program = x.world.programs.find(({ rowId }) => rowId === x.content.custProgId);
        if (!succeeded(reply) && program) remember(program, x.content, orderedCards(x));
      }),
  ],
];

const others: Draft[] = [
  [
    'unsuspend-of-a-closed-card-refused-yet-done',
    'cards.unsuspend',
    'v3, States: unsuspend applies to a suspended card',
    (c) => heedless(c, 'cards.unsuspend', 'transition'),
  ],
  [
    'activate-of-a-suspended-card-refused-yet-done',
    'cards.activate',
    'v3, States: activate applies to a deactivated or unused card',
    (c) => heedless(c, 'cards.activate', 'transition'),
  ],
  [
    'login-refused-ends-the-sessions-of-the-user',
    'portal.login',
    'portal, Authentication 2: a session is valid until logout',
    (c) => {
      onReply(c, 'portal.login', (reply, { world, query }) => {
        if (succeeded(reply)) return;
        for (const session of world.sessions) if (session.user.loginId === query.get('loginID')) session.ended = true;
      });
    },
  ],
  [
    'token-refused-ends-the-older-tokens',
    'token.issue',
    sentences.hour,
    (c) => {
      onReply(c, 'token.issue', (reply, { world }) => {
        if (!succeeded(reply)) for (const token of world.tokens) token.expires = 0;
      });
    },
  ],
  [
    'logout-of-an-unknown-session-ends-the-newest',
    'portal.logout',
    'portal, Transitions: logout ends the session that is valid',
    (c) => {
      onReply(c, 'portal.logout', (reply, { world }) => {
        if (!succeeded(reply)) Object.assign(world.sessions.findLast(({ ended }) => !ended) ?? {}, { ended: true });
      });
    },
  ],
  [
    'nonce-of-a-refused-request-is-used-up',
    'cards.encryptForVde',
    'v3, encryption request: a nonce is usable once',
    (c) => heedless(c, 'cards.encryptForVde', 'no-token'),
    'that a refused request does not use the nonce is nowhere said',
  ],
  [
    'request-for-a-foreign-card-suspends-the-last-one-read',
    'cards.suspend',
    sentences.reach,
    (c) => {
      let read: Exchange['card'];
      onReply(c, 'cards.get', (reply, { card }) => {
        if (succeeded(reply)) read = card;
      });
      onReply(c, 'cards.suspend', (reply, { world }) => {
        if (reply.status === 403 && read)
          world.alter(read, (facts) => void Object.assign(facts, { state: 'suspended' }));
      });
    },
  ],
];

/** Refusals that have the effect all the same. */
export const effectFaults: Fault[] = spot(4, [...unauthorised, ...transfers, ...orders, ...others]);
