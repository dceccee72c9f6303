/** Faults of what the users and cards interfaces answer with. */
import type { Choices, Reply } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import type { OperationId } from '../operation-ids.ts';
import { onBody, onCards, onReply, succeeded, tally } from '../tools.ts';
import { familyOf } from '../world.ts';
import { type Fault, instead, predicted, sentences } from './fault.ts';

const cardOf = ({ path }: Exchange) => path.identifier;
const shapes = 'v3, Resources: each field has its type';

/** The n-th time that an operation is carried out, counted for each card. */
const times = (c: Choices, operation: OperationId) => tally(c, operation, cardOf);

function textBalance(c: Choices, isMeant: (balance: number) => boolean): void {
  onBody(c, 'cards.getBalance', (body) => {
    if (isMeant(Number(body.balance))) body.balance = String(body.balance);
  });
}

/** From the second success for a card on. */
function later(c: Choices, operation: OperationId, changed: Partial<Reply>): void {
  const done = new Map<unknown, number>();
  onReply(c, operation, (reply, x) => {
    if (!succeeded(reply)) return;
    const count = done.get(cardOf(x)) ?? 0;
    done.set(cardOf(x), count + 1);
    if (count > 0) Object.assign(reply, changed);
  });
}

export const answerFaults: Fault[] = predicted([
  [
    'balance-of-zero-is-text',
    9,
    'cards.getBalance',
    'cards.getBalance.shape',
    shapes,
    (c) => textBalance(c, (n) => n === 0),
  ],
  [
    'status-of-a-closed-card-is-missing',
    7,
    'cards.getStatus',
    'cards.getStatus.shape',
    'v3, Other shapes: status',
    (c) =>
      onBody(c, 'cards.getStatus', (body, { card }) => {
        if (card?.facts.state === 'closed') delete body.status;
      }),
  ],
  [
    'provisioned-date-is-no-time',
    7,
    'cards.get',
    'cards.get.shape',
    'v3, card: provisionedDate is a date-time',
    (c) =>
      onCards(c, (record) => {
        if (record.provisionedDate) record.provisionedDate = 'today';
      }),
  ],
  [
    'last-update-of-a-reissued-card-is-a-number',
    7,
    'cards.get',
    'cards.get.shape',
    'v3, card: lastUpdateDate is a date-time',
    (c) => {
      const printed = times(c, 'cards.reissue');
      onCards(
        c,
        (record, x) => {
          if (printed(x) > 0) record.lastUpdateDate = 1;
        },
        'cards.get',
      );
    },
  ],
  [
    'second-unsuspension-answers-a-body',
    6,
    'cards.unsuspend',
    'cards.unsuspend.shape',
    'v3, POST unsuspend: 200 no body',
    (c) => later(c, 'cards.unsuspend', { status: 200, body: {} }),
  ],
  [
    'second-temporary-token-answers-200',
    6,
    'cards.createToken',
    'cards.createToken.status',
    'v3, GET token: 201',
    (c) => later(c, 'cards.createToken', { status: 200 }),
  ],
  [
    'second-payload-is-not-given',
    6,
    'cards.encryptForVde',
    'cards.encryptForVde.shape',
    'v3, POST encrypt-for-vde: encryptedPayload',
    (c) => later(c, 'cards.encryptForVde', { status: 201, body: {} }),
  ],
  [
    'errors-of-a-look-up-by-proxy-are-one-object',
    2,
    'cards.get',
    'cards.get.error-shape',
    'v3, Errors: error bodies are an array of error objects',
    (c) => {
      c.statuses['proxy-incomplete'] = 400;
      onReply(c, 'cards.get', (reply) => {
        if (reply.status === 400 && Array.isArray(reply.body)) reply.body = reply.body[0];
      });
    },
  ],
  [
    'errors-of-a-transfer-without-body-are-text',
    2,
    'cards.transfer',
    'cards.transfer.error-shape',
    'v3, Errors: error bodies are an array of error objects',
    (c) =>
      onReply(c, 'cards.transfer', (reply, { text }) => {
        if (reply.status === 400 && text === '') reply.body = ['no body'];
      }),
  ],
  [
    'base64-nonces-are-refused',
    9,
    'cards.encryptForVde',
    'cards.encryptForVde.nonce-accepted',
    'v3, encryption request: nonce is a string',
    (c) =>
      c.rules.push({
        operations: ['cards.encryptForVde'],
        broken: ({ content }) => /[+/=]/.test(String(content.nonce)),
      }),
    'one form of a nonce is enough',
  ],
  [
    'permissions-of-both-answer-500',
    9,
    'users.setPermissions',
    'users.setPermissions.any-members-accepted',
    'v3, PUT permissions: customerPermissions, all fields optional',
    (c) =>
      instead(c, 'users.setPermissions', (x) =>
        Object.keys(x.json()).length > 1 ? { status: 500, body: [] } : undefined,
      ),
  ],
  [
    'permission-of-false-answers-400',
    9,
    'users.setPermissions',
    'users.setPermissions.any-members-accepted',
    'v3, PUT permissions: canSearchSpends is a boolean',
    (c) =>
      c.rules.push({
        operations: ['users.setPermissions'],
        broken: (x) => x.json().canSearchSpends === false,
        status: 400,
      }),
    'the fixture says which values are to be restored',
  ],
  [
    'pin-that-begins-with-zero-answers-500',
    9,
    'cards.setPin',
    'cards.setPin.status',
    'v3, updatePin: pin is a string',
    (c) =>
      instead(c, 'cards.setPin', (x) => (String(x.json().pin).startsWith('0') ? { status: 500, body: [] } : undefined)),
  ],
  [
    'balance-read-of-a-suspended-card-frees-it',
    4,
    'cards.getBalance',
    'cards.suspend.not-active',
    sentences.suspended,
    (c) =>
      onReply(c, 'cards.getBalance', (_reply, { card, world }) => {
        if (card?.facts.state === 'suspended')
          world.alter(card, (facts) => void Object.assign(facts, { state: 'active' }));
      }),
  ],
  [
    'refused-activation-freezes-an-active-card',
    4,
    'cards.activate',
    'cards.activate.requires-token',
    'v3, What the service does: every call but the token call requires an access token',
    (c) =>
      onReply(c, 'cards.activate', (reply, { path, world }) => {
        const card = world.cards.find(({ identifier }) => identifier === path.identifier);
        if (reply.status === 401 && card?.facts.state === 'unused')
          world.alter(card, (facts) => void Object.assign(facts, { state: 'lost' }));
      }),
  ],
  [
    'close-leaves-the-home-branch-open',
    5,
    'cards.close',
    'cards.close.not-active',
    'v3, POST close: closes the account',
    (c) =>
      onReply(c, 'cards.close', (reply, { card, world }) => {
        if (succeeded(reply) && card && familyOf(world.home)[10] === card.owner)
          world.alter(card, (facts) => void Object.assign(facts, { state: 'active' }));
      }),
    'cards of one customer only',
  ],
]);
