import type { Choices, Reply } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import { isOneOf, type Operations, onReply, sleep, succeeded } from '../tools.ts';
import type { Session } from '../world.ts';
import { type Draft, type Fault, sentences, spot } from './fault.ts';

/** Lets time pass between the checks and the effect, so that others are checked meanwhile. */
function gap(c: Choices, meant: Operations, ms = 40): void {
  c.between.push((x) => (isOneOf(x.operation, meant) ? sleep(ms) : undefined));
}

/** Gives two answers that are ready at about the same time to the wrong callers. */
function swapped(c: Choices, meant: Operations): void {
  let waiting: { reply: Reply; leave: () => void } | undefined;
  onReply(c, meant, async (reply) => {
    if (!succeeded(reply)) return;
    if (waiting) {
      const other = waiting;
      waiting = undefined;
      [reply.body, other.reply.body] = [other.reply.body, reply.body];
      other.leave();
      return;
    }
    await new Promise<void>((leave) => {
      const own = { reply, leave };
      waiting = own;
      setTimeout(() => {
        if (waiting === own) waiting = undefined;
        leave();
      }, 40);
    });
  });
}

/** Keeps what the balances were when a transfer was checked. */
function snapshots(c: Choices): WeakMap<Exchange, { from: number; to: number }> {
  const seen = new WeakMap<Exchange, { from: number; to: number }>();
  c.between.push((x) => {
    if (x.operation !== 'cards.transfer') return undefined;
    seen.set(x, { from: x.card!.facts.cents, to: x.target!.facts.cents });
    return sleep(40);
  });
  return seen;
}

function debitLost(c: Choices): void {
  const seen = snapshots(c);
  c.debit = (card, cents, x) => x.world.pay(card, seen.get(x)!.from - cents - card.facts.cents);
}

function creditLost(c: Choices): void {
  const seen = snapshots(c);
  onReply(c, 'cards.transfer', (reply, x) => {
    const before = seen.get(x);
    if (succeeded(reply) && before && x.target) x.world.pay(x.target, before.to + x.cents - x.target.facts.cents);
  });
}

/** Tells a request of another that was answered while it was under way; each is held up for a while. */
function overlapping<T>(
  c: Choices,
  meant: Operations,
): { answeredDuring(x: Exchange): T | undefined; note(value: T): void } {
  const begun = new WeakMap<Exchange, number>();
  let noted: { value: T; at: number } | undefined;
  c.before.push((x) => {
    begun.set(x, performance.now());
    return undefined;
  });
  gap(c, meant);
  return {
    answeredDuring: (x) => (noted && noted.at > begun.get(x)! ? noted.value : undefined),
    note: (value) => {
      noted = { value, at: performance.now() };
    },
  };
}

function logins(c: Choices, second: (own: Session, first: Session, reply: Reply) => void): void {
  const first = overlapping<Session>(c, 'portal.login');
  onReply(c, 'portal.login', (reply, x) => {
    if (!succeeded(reply) || !x.session) return;
    const other = first.answeredDuring(x);
    first.note(x.session);
    if (other) second(x.session, other, reply);
  });
}

function twoSessions(c: Choices): void {
  const made = new Map<string, string | undefined>();
  const key = ({ program, content }: Exchange) => `${program?.rowId} ${content.externalIdentifier}`;
  c.between.push(async (x) => {
    if (x.operation !== 'portal.orderCards') return;
    await sleep(40);
    const again = !!x.content.externalIdentifier && made.has(key(x)) && made.get(key(x)) === x.session?.id;
    x.refuseIf(again, 'order-duplicate', 'externalIdentifier');
  });
  onReply(c, 'portal.orderCards', (reply, x) => {
    if (succeeded(reply)) made.set(key(x), x.session?.id);
  });
}

const drafts: Draft[] = [
  ['transfers-at-once-spend-the-same-money', 'cards.transfer', sentences.transfer, (c) => gap(c, 'cards.transfer')],
  ['transfers-at-once-debited-once', 'cards.transfer', sentences.transfer, debitLost],
  ['transfers-at-once-credited-once', 'cards.transfer', sentences.transfer, creditLost],
  [
    'transfer-during-a-suspension-goes-through',
    'cards.suspend',
    sentences.suspended,
    (c) => gap(c, 'cards.transfer', 40),
    'the transfer may be held to come first',
  ],
  [
    'identical-orders-at-once-both-made',
    'portal.orderCards',
    sentences.duplicateOrder,
    (c) => gap(c, 'portal.orderCards'),
  ],
  ['identical-orders-at-once-both-made-in-two-sessions', 'portal.orderCards', sentences.duplicateOrder, twoSessions],
  [
    'equal-nonces-at-once-both-taken',
    'cards.encryptForVde',
    'v3, encryption request: a nonce is usable once',
    (c) => gap(c, 'cards.encryptForVde'),
    'that a target refuses a nonce sent again is not said in so many words',
  ],
  [
    'logins-at-once-share-a-session',
    'portal.login',
    'portal, Transitions: login creates a sessionId',
    (c) =>
      logins(c, (own, first, reply) => {
        own.ended = true;
        Object.assign(reply.body as object, { sessionId: first.id });
      }),
  ],
  [
    'logins-at-once-end-the-first',
    'portal.login',
    'portal, Authentication 2: a session is valid until logout',
    (c) => logins(c, (_own, first) => void Object.assign(first, { ended: true })),
  ],
  [
    'logins-at-once-leave-the-second-without-session',
    'portal.login',
    'portal, Authentication 1: the returned sessionId authenticates later calls',
    (c) => logins(c, (own) => void Object.assign(own, { ended: true })),
  ],
  [
    'logouts-at-once-end-all-sessions-of-the-user',
    'portal.logout',
    'portal, Authentication 2: a session is valid until logout',
    (c) => {
      const peers = overlapping<Session>(c, 'portal.logout');
      onReply(c, 'portal.logout', (_reply, x) => {
        const { session, world } = x;
        if (peers.answeredDuring(x)) for (const one of world.sessions) if (one.user === session?.user) one.ended = true;
        if (session) peers.note(session);
      });
    },
  ],
  [
    'tokens-at-once-only-the-last-works',
    'token.issue',
    sentences.hour,
    (c) => {
      const peers = overlapping<string>(c, 'token.issue');
      onReply(c, 'token.issue', (reply, x) => {
        const { world } = x;
        if (!succeeded(reply)) return;
        const before = peers.answeredDuring(x);
        for (const token of world.tokens) if (token.value === before) token.expires = 0;
        peers.note(world.tokens.at(-1)!.value);
      });
    },
  ],
  [
    'temporary-tokens-at-once-are-one',
    'cards.createToken',
    'v3, GET token: creates a temporary token that identifies the card',
    (c) => {
      const peers = overlapping<string>(c, 'cards.createToken');
      onReply(c, 'cards.createToken', (reply, x) => {
        if (!succeeded(reply)) return;
        const body = reply.body as { token: string };
        const before = peers.answeredDuring(x);
        peers.note(body.token);
        if (before) body.token = before;
      });
    },
  ],
  [
    'pages-at-once-share-a-place',
    'users.list',
    'v3, customerResults: the continuation token continues its own listing',
    (c) => {
      const peers = overlapping<string>(c, 'users.list');
      onReply(c, 'users.list', (reply, x) => {
        const body = reply.body as { continuationToken?: string };
        if (!succeeded(reply) || !body.continuationToken) return;
        const before = peers.answeredDuring(x);
        peers.note(body.continuationToken);
        if (before) body.continuationToken = before;
      });
    },
  ],
  [
    'suspensions-at-once-suspend-only-the-first',
    'cards.suspend',
    sentences.suspended,
    (c) => {
      const peers = overlapping<string>(c, 'cards.suspend');
      onReply(c, 'cards.suspend', (reply, x) => {
        const { path, card, world } = x;
        const before = peers.answeredDuring(x);
        peers.note(path.identifier!);
        if (succeeded(reply) && card && before && before !== path.identifier)
          world.alter(card, (facts) => void Object.assign(facts, { state: 'active' }));
      });
    },
  ],
];

const reads = [
  'cards.get',
  'cards.getBalance',
  'cards.getStatus',
  'cards.listRelated',
  'users.get',
  'portal.getCustomerHierarchy',
  'portal.getCIPCheck',
  'portal.getCustomerProgramList',
  'cards.createToken',
  'portal.getATMLocation',
] as const;

const swaps = reads.map(
  (operation): Draft => [
    `answers-at-once-swapped-of-${operation.replace('.', '-').toLowerCase()}`,
    operation,
    `${operation.startsWith('portal') ? 'portal' : 'v3'}, Endpoints: the answer is that for the parameters of the request`,
    (c) => swapped(c, operation),
  ],
);

/** What goes wrong between requests that are under way at the same time. */
export const simultaneityFaults: Fault[] = spot(3, [...drafts, ...swaps]);
