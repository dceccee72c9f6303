/** Freedoms that somebody else thought of, each of which the suite accused before it learned to leave it alone. */
import type { Choices, Reply } from '../choices.ts';
import { cardMoves, onReply, rule, showsWithin, succeeded } from '../tools.ts';
import type { CardState } from '../world.ts';
import { also, type Freedom, family } from './freedom.ts';

/** A status that a card has for a while, before the one that it is brought to. */
const PENDING = 'pending' as CardState;

/** Answers good tokens with a status for some milliseconds after so many bad ones in a second. */
function locked(c: Choices, milliseconds: number, status: number, after = 1): void {
  let until = 0;
  let bad: number[] = [];
  showsWithin(c, milliseconds + 300);
  c.before.push((x) => {
    const presented = x.operation.startsWith('portal.') ? undefined : c.bearer(x.headers.authorization, x);
    if (presented === undefined) return undefined;
    const reply: Reply = { status, body: [{ errorCode: 'LOCKED' }] };
    if (x.world.tokens.some(({ value }) => value === presented)) return Date.now() < until ? reply : undefined;
    bad = [...bad.filter((at) => Date.now() - at < 1000), Date.now()];
    if (bad.length >= after) until = Date.now() + milliseconds;
    return undefined;
  });
}

const locks = also('how long a target refuses everything after bad credentials is not shown (reading 51)', {
  'tokens-are-locked-for-700-ms': (c) => locked(c, 700, 401),
  'tokens-are-locked-by-three-bad-ones': (c) => locked(c, 400, 401, 3),
  'tokens-are-forbidden-for-700-ms': (c) => locked(c, 700, 403),
  'sessions-are-locked-for-500-ms': (c) => {
    let until = 0;
    showsWithin(c, 900);
    c.before.push((x) => {
      const id = x.query.get('sessionId');
      if (!x.operation.startsWith('portal.') || id === null) return undefined;
      const isGood = x.world.sessions.some((session) => session.id === id && !session.ended);
      if (!isGood) until = Date.now() + 500;
      return isGood && Date.now() < until ? { status: 400, body: { error: 'locked' } } : undefined;
    });
  },
});

const waits = also('v3, POST suspend: which states a card passes through is not shown', {
  'every-change-is-pending-at-first': (c) => {
    c.cardStatus[PENDING] = 'Pending';
    c.cardStatusNumber[PENDING] = 5;
    showsWithin(c, 850);
    onReply(c, cardMoves, (reply, { card, world }) => {
      if (!card || !succeeded(reply) || card.facts.state === PENDING) return;
      const { state } = card.facts;
      world.alter(card, (facts) => void Object.assign(facts, { state: PENDING }));
      const settle = () => {
        if (card.facts.state === PENDING) world.alter(card, (facts) => void Object.assign(facts, { state }));
      };
      setTimeout(settle, 150).unref();
    });
  },
  'a-record-is-busy-while-it-is-refreshed': (c) => {
    const refreshed = new Map<string | undefined, number>();
    onReply(c, ['cards.getBalance', 'cards.getStatus'], (_, { card }) => {
      refreshed.set(card?.identifier, Date.now());
    });
    c.before.push(({ operation, headers, path }) =>
      operation === 'cards.get' && headers.authorization && Date.now() - (refreshed.get(path.identifier) ?? 0) < 40
        ? { status: 409, headers: { 'Retry-After': '1' }, body: [{ errorCode: 'REFRESHING' }] }
        : undefined,
    );
  },
});

/** A fee in cents that the target of a transfer pays. */
const receiverPays = (c: Choices, cents: number) =>
  onReply(c, 'cards.transfer', (reply, { target, world }) => {
    if (succeeded(reply)) world.pay(target!, -cents);
  });

const money = also('v3, POST transfer: who pays a fee, and what counts for a limit, is not shown', {
  'the-receiver-pays-a-tenth': (c) => receiverPays(c, 10),
  'the-receiver-pays-a-cent': (c) => receiverPays(c, 1),
  'forty-from-a-card-with-what-was-refused': (c) => {
    const asked = new Map<unknown, number>();
    const sumOf = (card: unknown, cents: number) => (asked.get(card) ?? 0) + Math.max(0, cents);
    rule(c, 'cards.transfer', ({ card, cents }) => sumOf(card, cents) > 4000);
    onReply(c, 'cards.transfer', (_, { card, cents }) => {
      if (card) asked.set(card, sumOf(card, cents));
    });
  },
});

const answers = also('v1, "error objects": which members an error has is not shown', {
  'refusals-have-empty-items': (c) => {
    c.portalError = () => ({ items: [] });
  },
});

export const onceAccused: readonly Freedom[] = [
  ...family('precondition', locks),
  ...family('time', waits),
  ...family('business-rule', money),
  ...family('presence', answers),
];
