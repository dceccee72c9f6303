import type { Fault } from '../core/changes.ts';
import { before, counter, crash, faultsOf, members } from '../core/changes.ts';
import type { Card } from '../core/model.ts';
import { change } from '../core/model.ts';
import { card, patched, second, status } from './second-time.ts';

const fault = faultsOf('asked once');

const cards: Fault[] = [
  fault('encrypted-once', 'cards.encryptForVde', 9, 'A card that was encrypted before breaks', (world) =>
    second(world, 'cards.encryptForVde', card, crash),
  ),
  fault(
    'temporary-token-again-is-200',
    'cards.createToken',
    2,
    'The second temporary token of a card is answered with 200',
    (world) => second(world, 'cards.createToken', card, status(200)),
  ),
  fault(
    'wallet-again-is-200',
    'cards.markWalletProvisioned',
    2,
    'A card that is in a wallet already is answered with 200',
    (world) => second(world, 'cards.markWalletProvisioned', card, status(200)),
  ),
  fault(
    'wallet-again-takes-it-out',
    'cards.markWalletProvisioned',
    26,
    'The second time the flag is turned: the card is no longer in a wallet',
    (world) => {
      const { act } = world.rules;
      world.rules.act = (asked, action) => {
        const inside = asked.provisioned !== undefined;
        act(asked, action);
        if (action === 'wallet-provisioned' && inside) change(world, asked, { provisioned: undefined });
      };
    },
  ),
  fault(
    'suspended-again-without-effect',
    'cards.suspend',
    10,
    'A card is suspended once; the second suspension is answered and does nothing',
    (world) =>
      second(world, 'cards.suspend', card, (call, next) => {
        const found = world.rules.cardOf(call.client!, call.identifier);
        return found && world.rules.allowed(found, 'suspend') ? { status: 200 } : next();
      }),
  ),
  fault(
    'freed-again-breaks',
    'cards.unsuspend',
    9,
    'The second time that a card is freed breaks: its history has a duplicate key',
    (world) => second(world, 'cards.unsuspend', card, crash),
  ),
  fault('activated-again-breaks', 'cards.activate', 9, 'Activating a card that is Active since then breaks', (world) =>
    second(world, 'cards.activate', card, crash),
  ),
  fault('closed-again-breaks', 'cards.close', 9, 'Closing a closed account breaks', (world) =>
    second(world, 'cards.close', card, crash),
  ),
  fault(
    'status-again-is-a-word',
    'cards.getStatus',
    26,
    'The second time, from the store, the status is the word',
    (world) =>
      second(world, 'cards.getStatus', card, async (call, next) => {
        const answer = await next();
        const found = world.rules.cardOf(call.client!, call.identifier);
        return found ? members(answer, { status: found.stored.status }) : answer;
      }),
  ),
  fault(
    'balance-again-is-a-text',
    'cards.getBalance',
    4,
    'The third time, from the store, the balance is a text',
    (world) =>
      second(
        world,
        'cards.getBalance',
        card,
        patched((answer) => members(answer, { balance: (answer.body as { balance: number }).balance.toFixed(2) })),
        3,
      ),
  ),
  fault('pin-again-is-204', 'cards.setPin', 2, 'A second PIN is answered with 204', (world) =>
    second(world, 'cards.setPin', card, status(204)),
  ),
  fault(
    'look-up-again-is-the-next-card',
    'cards.get',
    23,
    'A temporary token that was used finds the next card of the customer',
    (world) => {
      const count = counter();
      const { byToken } = world.rules;
      world.rules.byToken = (client, text) => {
        const found = byToken(client, text);
        if (!found || count(text) < 2) return found;
        const own = world.cards.filter(({ customer }) => customer === found.customer);
        return own[(own.indexOf(found) + 1) % own.length];
      };
    },
  ),
  fault(
    'third-payment-goes-to-the-first-receiver',
    'cards.transfer',
    27,
    'From the third transfer on a card pays the receiver it paid first',
    (world) => {
      const paid = new Map<Card, Card[]>();
      const { move } = world.rules;
      world.rules.move = (source, target, cents) => {
        const receivers = [...(paid.get(source) ?? []), target];
        paid.set(source, receivers);
        return move(source, receivers.length >= 3 ? receivers[0]! : target, cents);
      };
    },
  ),
  fault(
    'listing-again-with-a-card-twice',
    'cards.list',
    22,
    'From the third listing on the last card gives way to the first one, which stands there twice',
    (world) =>
      second(
        world,
        'cards.list',
        () => 'all',
        patched((answer) => {
          const { results } = answer.body as { results: unknown[] };
          return results.length > 2 ? members(answer, { results: [...results.slice(0, -1), results[0]] }) : answer;
        }),
        3,
      ),
  ),
];

const access: Fault[] = [
  fault(
    'wrong-secret-after-a-right-one',
    'token.issue',
    16,
    'For a minute after a token a client gets another, whatever its secret',
    (world) => {
      const right = new Map<string, number>();
      const { clientOf } = world.rules;
      world.rules.clientOf = (id, secret) => {
        const found = clientOf(id, secret);
        if (found) right.set(id, world.now() + 60_000);
        return found ?? world.clients.find((client) => client.id === id && (right.get(id) ?? 0) > world.now());
      };
    },
  ),
  fault(
    'refused-token-let-in-the-second-time',
    'cards.listRelated',
    17,
    'A token that was refused is kept among those that were looked at, and let in the next time',
    (world) => {
      const seen = new Set<string>();
      const { readToken } = world.rules;
      const anybody = () => ({ client: world.clients[0]!.id, from: 0, until: world.now() / 1000 + 60, serial: 'kept' });
      world.rules.readToken = (text) => {
        const claims = readToken(text);
        if (claims || seen.has(text)) return claims ?? anybody();
        seen.add(text);
        return undefined;
      };
    },
  ),
  fault('token-lives-on-with-use', 'users.list', 15, 'Each use of a token begins its hour anew', (world) => {
    const used = new Map<string, number>();
    const { alive } = world.rules;
    world.rules.alive = (claims) => {
      const on = alive(claims) || world.now() - (used.get(claims.serial) ?? 0) < 3_600_000;
      if (on) used.set(claims.serial, world.now());
      return on;
    };
  }),
  fault(
    'second-token-in-milliseconds',
    'token.issue',
    14,
    'From the second token on expires_in is in milliseconds',
    (world) => {
      const count = counter();
      const { tokenAnswer } = world.rules;
      world.rules.tokenAnswer = (claims, text) => ({
        ...tokenAnswer(claims, text),
        expires_in: count('all') > 1 ? 3_600_000 : 3600,
      });
    },
  ),
  fault(
    'second-login-without-customer',
    'portal.login',
    5,
    'A user who is logged in already gets no customerId',
    (world) =>
      second(
        world,
        'portal.login',
        ({ query }) => query.get('loginID'),
        patched((answer) => members(answer, { customerId: undefined })),
      ),
  ),
  fault(
    'second-logout-is-fine',
    'portal.logout',
    33,
    'A session that ended before is logged out again with 200',
    (world) =>
      before(world, 'portal.logout', (call, next) =>
        world.sessions.some(({ id, ended }) => ended && id === call.query.get('sessionId')) ? { status: 200 } : next(),
      ),
  ),
  fault(
    'entitled-the-second-time',
    'portal.getCustomerHierarchy',
    35,
    'Who was refused once for want of a right is let in the next time in that session',
    (world) => {
      const refused = new Set<unknown>();
      const { entitled } = world.rules;
      world.rules.entitled = (call, operation) => {
        if (entitled(call, operation) || refused.has(`${call.session!.id}|${operation}`)) return true;
        refused.add(`${call.session!.id}|${operation}`);
        return false;
      };
    },
  ),
  fault(
    'session-awake-an-hour-later',
    'portal.getShippingMethods',
    33,
    'Ended sessions are kept for an hour, and what is not kept is not refused',
    (world) => {
      const ended = new Map<string, number>();
      const { endSession, sessionOf } = world.rules;
      world.rules.endSession = (session) => {
        ended.set(session.id, world.now());
        endSession(session);
      };
      world.rules.sessionOf = (id) => {
        const since = ended.get(id);
        const late = since !== undefined && world.now() - since > 3_600_000;
        return sessionOf(id) ?? (late ? world.sessions.find((session) => session.id === id) : undefined);
      };
    },
  ),
];

export const askedOnce: Fault[] = [...cards, ...access];
