/** Freedoms that somebody else thought of, each of which the suite accused before it learned to leave it alone. */
import type { Reply } from '../choices.ts';
import { cardMoves, drop, onBody, onCards, onReply, rule, showsWithin, statusWhen } from '../tools.ts';
import type { Card, CardFacts, CardState, World } from '../world.ts';
import { afterwards, type Change, fee, instead, later, set } from './changes.ts';
import { also, type Freedom, family, ways } from './freedom.ts';

/** A status that a card has for a while, before the one that it is brought to. */
const PENDING = 'pending' as CardState;

/** Answers good tokens with a status for some milliseconds after so many bad ones in a second. */
const locked =
  (milliseconds: number, status: number, after = 1): Change =>
  (c) => {
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
  };

const put = (world: World, card: Card, facts: Partial<CardFacts>) =>
  world.alter(card, (known) => void Object.assign(known, facts));

const locks = also('how long a target refuses everything after bad credentials is not shown (reading 51)', {
  'tokens-are-locked-for-700-ms': locked(700, 401),
  'tokens-are-locked-by-three-bad-ones': locked(400, 401, 3),
  'tokens-are-forbidden-for-700-ms': locked(700, 403),
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
    afterwards(cardMoves, ({ card, world }) => {
      if (!card || card.facts.state === PENDING) return;
      const { state } = card.facts;
      put(world, card, { state: PENDING });
      const settle = () => {
        if (card.facts.state === PENDING) put(world, card, { state });
      };
      setTimeout(settle, 150).unref();
    })(c);
  },
  'a-record-is-busy-while-it-is-refreshed': (c) => {
    const refreshed = new Map<string | undefined, number>();
    onReply(c, ['cards.getBalance', 'cards.getStatus'], (_, { card }) => {
      refreshed.set(card?.identifier, Date.now());
    });
    instead('cards.get', ({ headers, path }) =>
      headers.authorization && Date.now() - (refreshed.get(path.identifier) ?? 0) < 40
        ? later(409, [{ errorCode: 'REFRESHING' }])
        : undefined,
    )(c);
  },
});

/** A fee in cents that the target of a transfer pays. */
const receiverPays = (cents: number): Change =>
  afterwards('cards.transfer', ({ target, world }) => world.pay(target!, -cents));

const money = also('v3, POST transfer: who pays a fee, and what counts for a limit, is not shown', {
  'transfers-cost-by-a-table': fee((cents) => (cents <= 200 ? 10 : cents <= 500 ? 25 : 40)),
  'transfers-cost-two-percent-five-cents-at-least': fee((cents) => Math.max(5, Math.round(cents / 50))),
  'the-receiver-pays-a-tenth': receiverPays(10),
  'the-receiver-pays-a-cent': receiverPays(1),
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
  'refusals-have-empty-items': set({ portalError: () => ({ items: [] }) }),
});

const addresses = also('v3, errors: which members an error has beside the two that are shown is open', {
  'errors-name-the-address-as-sent': set({
    error: ({ reason }, { path }) => [
      { errorCode: reason, errorMessage: 'see path', path: `/cards/${Object.values(path).map(encodeURIComponent)}` },
    ],
  }),
  'errors-name-the-identifier-in-its-plain-form': set({
    error: ({ reason }, { path }) => [
      { errorCode: reason, errorMessage: `for ${Object.values(path).map((one) => one.trim().toLowerCase())}` },
    ],
  }),
});

const partial = also('v3, POST transfer: what a transfer of more than the balance moves is not shown', {
  'more-than-the-balance-moves-what-is-there': (c) => {
    c.verdicts.push(({ reason }, x) => {
      if (reason !== 'insufficient-funds' || !x.card?.facts.cents) return undefined;
      x.cents = x.card.facts.cents;
      return 'overlook';
    });
  },
});

/** Something that somebody else does once to a card, some milliseconds after an operation was accepted for it. */
const onceAfter =
  (operation: 'cards.suspend' | 'cards.markWalletProvisioned', facts: Partial<CardFacts>): Change =>
  (c) => {
    let isDone = false;
    afterwards(operation, ({ card, world }) => {
      if (!card || isDone) return;
      isDone = true;
      setTimeout(() => put(world, card, facts), 3).unref();
    })(c);
  };

const others = also('v3: whether others use the same cards is not said', {
  'somebody-activates-an-unused-card': (c) => {
    let requests = 0;
    c.before.push(({ operation, world }) => {
      if (!operation.startsWith('portal.') && ++requests === 250) {
        const card = world.cards.find((one) => one.owner.ours && one.facts.state === 'unused');
        if (card) put(world, card, { state: 'active' });
      }
      return undefined;
    });
  },
  'somebody-frees-a-suspended-card': onceAfter('cards.suspend', { state: 'active' }),
  'somebody-takes-a-wallet-away': onceAfter('cards.markWalletProvisioned', { provisioned: undefined }),
});

const unknown = also('v3, Errors: whether what is unknown is refused alike each time is not shown', {
  'unknown-cards-are-forbidden-after-thirty-in-an-hour': (c) => {
    let asked: number[] = [];
    statusWhen(c, ({ reason }, { world }) => {
      if (reason !== 'unknown-card') return undefined;
      asked = [...asked.filter((at) => world.now() - at < 3_600_000), world.now()];
      return asked.length > 30 ? 403 : 404;
    });
  },
  'cards-show-their-art': (c) => onCards(c, (card) => void Object.assign(card, { art: 'iVBORw0KGgo'.repeat(2500) })),
});

/** Gives so many cards on a page at most, without a way to go on. */
const fewCards =
  (most: number, when: (query: URLSearchParams) => boolean): Change =>
  (c) => {
    c.pageLength = (asked, { operation, query }) =>
      operation === 'cards.list' && when(query) ? Math.min(asked, most) : asked;
    onBody(c, 'cards.list', (body) => drop(body, 'continuationToken'));
  };

const pages = ways('cardsMost', 'v3, GET cards, max: at most so many, a target may give fewer', {
  'more-than-50-cards-asked-for-are-ten': fewCards(10, (query) => Number(query.get('max')) > 50),
  'cards-found-are-fifteen-at-most': fewCards(15, (query) => query.has('customerIdentifier')),
});

export const onceAccused: readonly Freedom[] = [
  ...family('precondition', locks),
  ...family('time', waits),
  ...family('business-rule', [...money, ...others]),
  // Where reading a balance costs something, all that there was is more than there is.
  ...family('business-rule', partial).map((one) => ({ ...one, excludes: ['balance-inquiries-cost-a-cent'] })),
  ...family('presence', [...answers, ...addresses, ...unknown]),
  ...family('bounds', pages),
];
