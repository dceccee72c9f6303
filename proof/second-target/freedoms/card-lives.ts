import { newCard } from '../seed.ts';
import { bodyWith, cardMoves, onBody, onCards, onReply, rule } from '../tools.ts';
import type { Card, CardState } from '../world.ts';
import {
  afterwards,
  apart,
  type Change,
  card,
  conflict,
  costs,
  instead,
  isWithin,
  later,
  onlyWhile,
  set,
} from './changes.ts';
import { also, doubtful, exactly, type Freedom, family, ways } from './freedom.ts';

/** Answers as if cards in these states were not there. */
const gone =
  (...states: CardState[]): Change =>
  (c) =>
    void c.before.push((x) => {
      const known = x.world.cards.find(({ identifier }) => identifier === x.path.identifier);
      const isGone = x.operation.startsWith('cards.') && known && states.includes(known.facts.state);
      return isGone && x.headers.authorization ? { status: 410, body: [{ errorCode: 'GONE' }] } : undefined;
    });

const unlisted = (...states: CardState[]): Change => set({ isListed: ({ facts }) => !states.includes(facts.state) });

const ends = [
  ...ways('gone', 'v3, States: whether a card that has come to an end can still be read is not shown', {
    'closed-cards-are-gone': gone('closed'),
    'closed-and-lost-cards-are-gone': gone('closed', 'lost'),
  }),
  ...ways('listedStates', 'v3, GET cards: whether cards that are of no more use are listed is not shown', {
    'closed-and-lost-cards-are-not-listed': unlisted('closed', 'lost'),
    'only-active-cards-are-listed': unlisted('unused', 'suspended', 'deactivated', 'fraud', 'lost', 'closed'),
  }),
  ...ways('sweep', 'v3, POST close: where the balance goes is open', {
    'close-pays-the-balance-to-a-card-of-the-same-customer': afterwards('cards.close', ({ card, world }) => {
      // The newest one: those of the fixtures are older.
      const heir = world.cards.findLast(({ n, owner }) => owner === card?.owner && n !== card?.n);
      if (!card || !heir) return;
      world.pay(heir, card.facts.cents);
      world.pay(card, -card.facts.cents);
    }),
  }),
  ...also('v3, POST reissue "e.g. after loss": what becomes of the card that is reprinted is not shown', {
    'reissue-ends-the-card': afterwards('cards.reissue', ({ card, world }) => {
      if (card) world.alter(card, (facts) => void Object.assign(facts, { state: 'closed' }));
    }),
    'reissue-makes-a-new-card': afterwards('cards.reissue', ({ card, world, choices }) => {
      if (card) newCard(world, choices, card.owner);
    }),
    'reissue-costs-one': costs('cards.reissue', 100),
  }),
];

const changes = [
  ...also('v3, card operations: whether a change of state costs something is not shown', {
    'suspension-costs-ten-cents': costs('cards.suspend', 10),
    'the-end-of-a-suspension-costs-ten-cents': costs('cards.unsuspend', 10),
  }),
  ...ways('beforeActivation', 'v3, POST activate: what has to come before is not shown', {
    'activate-needs-a-pin': conflict('cards.activate', ({ card }) => card?.pin === undefined),
  }),
  ...ways('beforeWallet', 'v3, POST wallet-provisioned: what has to come before is not shown', {
    'wallet-needs-an-encryption-before': (c) => {
      const encrypted = new Set<Card | undefined>();
      afterwards('cards.encryptForVde', ({ card }) => encrypted.add(card))(c);
      rule(c, 'cards.markWalletProvisioned', ({ card }) => !encrypted.has(card), 409);
    },
  }),
  ...also('v3, card operations: what has to come before, and how soon, is not shown', {
    'mark-lost-needs-a-suspended-card': conflict('cards.markLost', ({ card }) => card?.facts.state === 'active'),
    'suspended-for-two-seconds-at-least': apart(2000, 'cards.unsuspend', card, 409, { first: 'cards.suspend' }),
    'encryptions-of-a-card-200-ms-apart': apart(200, 'cards.encryptForVde', card),
    'pins-only-on-paper': set({ pin: () => false }),
    'changes-of-a-card-every-half-second': (c) => {
      const times = new Map<unknown, number>();
      instead(cardMoves, ({ path }) => {
        if (Date.now() - (times.get(path.identifier) ?? 0) < 500) return later(429, [{}]);
        times.set(path.identifier, Date.now());
        return undefined;
      })(c);
    },
  }),
  ...ways('fraudAfter', 'v3, POST unmarkfraud: the state it leaves a card in is not shown', {
    'unmark-fraud-leaves-a-card-unused': (c) => {
      c.transitions.unmarkFraud = { fraud: 'unused' };
    },
  }),
  ...doubtful(
    'a card with reported fraud that reads Active can hardly be told from others',
    exactly('v3, card, status: how reported fraud shows is not shown', {
      'fraud-reads-active': (c) => {
        c.cardStatus.fraud = 'Active';
        c.cardStatusNumber.fraud = c.cardStatusNumber.active;
      },
    }),
  ),
];

const reads = [
  ...also('v3, GET balance: of which cards it can be asked for is not shown', {
    'balance-only-of-active-cards': onlyWhile('active', 'cards.getBalance'),
  }),
  ...ways('flags', 'v3, Other shapes, status: "shown as a number": what else the number holds is open', {
    'status-number-with-flags-of-the-card': (c) =>
      bodyWith(c, 'cards.getStatus', ({ status }, { card }) => ({ status: Number(status) + 1000 * (card?.n ?? 0) })),
  }),
  ...also('v3, GET related: whether the card itself is among them is open', {
    'related-with-the-card-itself': (c) =>
      onBody(c, 'cards.listRelated', ({ results }, { card }) => {
        if (Array.isArray(results) && card)
          results.unshift({ identifier: card.identifier, status: c.cardStatus[card.facts.recordedState] });
      }),
  }),
  ...ways('temporary', 'v3, GET token: whether each call gives a new one is not shown', {
    'temporary-token-always-the-same': afterwards('cards.createToken', ({ card }, { body }) => {
      if (!card) return;
      card.temporaryTokens.splice(1);
      Object.assign(body as object, { token: card.temporaryTokens[0] });
    }),
  }),
  ...doubtful(
    'without a flag the path value may be meant to be an identifier alone',
    exactly('v3, GET card: "the path value may be an identifier, a proxy or a token"', {
      'plain-look-ups-take-proxies-and-tokens': instead('cards.get', ({ query, path, world: { cards } }) => {
        if (query.has('byToken') || query.has('byProxy')) return undefined;
        if (cards.some(({ identifier }) => identifier === path.identifier)) return undefined;
        const [found, more] = cards.filter(
          ({ owner, proxy, temporaryTokens }) =>
            owner.ours && (proxy === path.identifier || temporaryTokens.includes(path.identifier!)),
        );
        if (found && !more) path.identifier = found.identifier;
        return undefined;
      }),
    }),
  ),
  ...also('v3, cards and temporaryToken, correlationId: whether it is given is open', {
    'correlation-absent': (c) =>
      onBody(c, ['cards.list', 'cards.listRelated', 'cards.createToken'], (body) => void delete body.correlationId),
    'answers-with-their-own-members-beside': (c) =>
      bodyWith(c, ['cards.getBalance', 'cards.getStatus', 'cards.encryptForVde'], (_body, { world }) => ({
        asOf: new Date(world.now()).toUTCString(),
        currency: 'USD',
        description: null,
      })),
  }),
];

/** Gives some of the cards beyond those of the fixtures' pools a balance from the start. */
const owing =
  (cents: number, isMeant: (card: Card) => boolean): Change =>
  (c) =>
    void c.created.push(({ cards }) => {
      for (const { facts, history } of cards.filter((card) => card.n > 80 && isMeant(card))) {
        Object.assign(facts, { cents, recordedCents: cents });
        history[0] = { at: 0, facts: { ...facts } };
      }
    });

const balances = ways('amounts', 'v3, card, balance is a number: its sign and its fractions are open', {
  'some-cards-are-overdrawn': owing(-12_345, ({ n }) => n % 3 === 0),
  'balances-with-half-a-cent': (c) => {
    bodyWith(c, 'cards.getBalance', ({ balance }) => ({ balance: Number(balance) + 0.005 }));
    onCards(c, (card) => {
      if (typeof card.balance === 'number') card.balance += 0.005;
    });
  },
  'balances-of-billions': owing(987_654_321_012_345, () => true),
});

const newcomers = also('v3, listings: what they hold may change meanwhile', {
  'new-cards-appear': (c) =>
    onReply(c, 'cards.list', (_reply, { turn, world }) => {
      if (turn % 5 === 0) newCard(world, c, world.home.children[2]!);
    }),
  'customers-below-have-cards-too': (c) => {
    c.created.push((world) => {
      const owner = world.cards.find(({ owner }) => owner.children.length > 0)?.owner;
      for (const outlet of owner?.children ?? []) newCard(world, c, outlet);
      for (const branch of world.home.children[0]!.children) newCard(world, c, branch);
    });
    c.ownerMatches = isWithin;
  },
  'related-cards-without-a-balance': (c) => onCards(c, (card) => void delete card.balance, ['cards.listRelated']),
});

const orders = ways('cardsOrder', 'v3, GET cards: which 50 of many are given first is open', {
  'cards-in-another-order-each-time': (c) => {
    let turn = 0;
    c.cardOrder = (one, other) => ((one.n * 7919 + turn * 31) % 1009) - ((other.n * 7919 + turn * 31) % 1009);
    c.continuationMember = undefined;
    onReply(c, 'cards.list', () => {
      turn += 1;
    });
  },
});

/** What becomes of cards, what a change costs, and what reads of them show. */
export const cardLives: Freedom[] = [
  ...family('precondition', [...ends, ...changes]),
  ...family('presence', reads),
  ...family('bounds', balances),
  ...family('count', newcomers),
  ...family('order', orders),
];
