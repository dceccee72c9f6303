import type { Choices, Reply } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import { isOneOf, type Operations, onReply, sleep, succeeded } from '../tools.ts';
import type { Session } from '../world.ts';
import { type Draft, type Fault, sentences, spot } from './fault.ts';

/** Lets time pass between the checks and the effect, so that others are checked meanwhile. */
function gap(c: Choices, meant: Operations, ms = 15): void {
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
      }, 10);
    });
  });
}

/** Keeps what the balances were when a transfer was checked. */
function snapshots(c: Choices): WeakMap<Exchange, { from: number; to: number }> {
  const seen = new WeakMap<Exchange, { from: number; to: number }>();
  c.between.push((x) => {
    if (x.operation !== 'cards.transfer') return undefined;
    seen.set(x, { from: x.card!.facts.cents, to: x.target!.facts.cents });
    return sleep(15);
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

function logins(c: Choices, second: (own: Session, first: Session, reply: Reply) => void): void {
  let last: { session: Session; at: number } | undefined;
  onReply(c, 'portal.login', (reply, { session }) => {
    if (!succeeded(reply) || !session) return;
    const now = Date.now();
    if (last && now - last.at < 20 && !last.session.ended) second(session, last.session, reply);
    last = { session, at: now };
  });
}

function recently<T>(ms: number): { last(): T | undefined; note(value: T): void } {
  let noted: { value: T; at: number } | undefined;
  return {
    last: () => (noted && Date.now() - noted.at < ms ? noted.value : undefined),
    note: (value) => {
      noted = { value, at: Date.now() };
    },
  };
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
  [
    'identical-orders-at-once-both-made-in-two-sessions',
    'portal.orderCards',
    sentences.duplicateOrder,
    (c) => {
      let first: string | undefined;
      c.between.push((x) => {
        if (x.operation !== 'portal.orderCards') return undefined;
        const other = first !== undefined && first !== x.session?.id;
        first = x.session?.id;
        return other ? undefined : sleep(15);
      });
    },
  ],
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
      const other = recently<Session>(20);
      onReply(c, 'portal.logout', (_reply, { session, world }) => {
        if (other.last()) for (const one of world.sessions) if (one.user === session?.user) one.ended = true;
        if (session) other.note(session);
      });
    },
  ],
  [
    'tokens-at-once-only-the-last-works',
    'token.issue',
    sentences.hour,
    (c) => {
      const other = recently<string>(20);
      onReply(c, 'token.issue', (reply, { world }) => {
        if (!succeeded(reply)) return;
        const before = other.last();
        for (const token of world.tokens) if (token.value === before) token.expires = 0;
        other.note(world.tokens.at(-1)!.value);
      });
    },
  ],
  [
    'temporary-tokens-at-once-are-one',
    'cards.createToken',
    'v3, GET token: creates a temporary token that identifies the card',
    (c) => {
      const other = recently<string>(20);
      onReply(c, 'cards.createToken', (reply) => {
        const body = reply.body as { token: string };
        const before = other.last();
        other.note(body.token);
        if (succeeded(reply) && before) body.token = before;
      });
    },
  ],
  [
    'pages-at-once-share-a-place',
    'users.list',
    'v3, customerResults: the continuation token continues its own listing',
    (c) => {
      const other = recently<string>(25);
      onReply(c, 'users.list', (reply) => {
        const body = reply.body as { continuationToken?: string };
        if (!succeeded(reply) || !body.continuationToken) return;
        const before = other.last();
        other.note(body.continuationToken);
        if (before) body.continuationToken = before;
      });
    },
  ],
  [
    'suspensions-at-once-answer-500',
    'cards.suspend',
    'v3, POST suspend: 200 no body',
    (c) => {
      const other = recently<string>(10);
      onReply(c, 'cards.suspend', (reply, { path }) => {
        const before = other.last();
        other.note(path.identifier!);
        if (succeeded(reply) && before && before !== path.identifier) Object.assign(reply, { status: 500, body: [] });
      });
    },
  ],
  [
    'suspensions-at-once-suspend-only-the-first',
    'cards.suspend',
    sentences.suspended,
    (c) => {
      const other = recently<string>(10);
      onReply(c, 'cards.suspend', (reply, { path, card, world }) => {
        const before = other.last();
        other.note(path.identifier!);
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
