import type { Choices } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import { newCard } from '../seed.ts';
import { bodyWith, cardMoves, onBody, onCards, onReply, rule, since, succeeded } from '../tools.ts';
import type { Card, CardState } from '../world.ts';
import { also, doubtful, type Freedom, family, ways } from './freedom.ts';

/** Answers as if cards in these states were not there. */
function gone(c: Choices, states: readonly CardState[]): void {
  c.before.push((x) => {
    const known = x.world.cards.find(({ identifier }) => identifier === x.path.identifier);
    const isGone = x.operation.startsWith('cards.') && known && states.includes(known.facts.state);
    return isGone && x.headers.authorization ? { status: 410, body: [{ errorCode: 'GONE' }] } : undefined;
  });
}

const ends = [
  ...ways('gone', 'v3, States: whether a card that has come to an end can still be read is not shown', {
    'closed-cards-are-gone': (c) => gone(c, ['closed']),
    'closed-and-lost-cards-are-gone': (c) => gone(c, ['closed', 'lost']),
  }),
  ...ways('listedStates', 'v3, GET cards: whether cards that are of no more use are listed is not shown', {
    'closed-and-lost-cards-are-not-listed': (c) => unlisted(c, ['closed', 'lost']),
    'only-active-cards-are-listed': (c) =>
      unlisted(c, ['unused', 'suspended', 'deactivated', 'fraud', 'lost', 'closed']),
  }),
  ...ways('sweep', 'v3, POST close: where the balance goes is open', {
    'close-pays-the-balance-to-a-card-of-the-same-customer': (c) => {
      onReply(c, 'cards.close', (reply, { card, world }) => {
        // The newest one: those of the fixtures are older.
        const heir = world.cards.findLast(({ n, owner }) => owner === card?.owner && n !== card?.n);
        if (!card || !heir || !succeeded(reply)) return;
        world.pay(heir, card.facts.cents);
        world.pay(card, -card.facts.cents);
      });
    },
  }),
  ...also('v3, POST reissue "e.g. after loss": what becomes of the card that is reprinted is not shown', {
    'reissue-ends-the-card': (c) => {
      onReply(c, 'cards.reissue', (reply, { card, world }) => {
        if (card && succeeded(reply)) world.alter(card, (facts) => void Object.assign(facts, { state: 'closed' }));
      });
    },
    'reissue-makes-a-new-card': (c) => {
      onReply(c, 'cards.reissue', (reply, { card, world }) => {
        if (card && succeeded(reply)) newCard(world, c, card.owner);
      });
    },
    'reissue-costs-one': (c) => charge(c, 'cards.reissue', 100),
  }),
];

function unlisted(c: Choices, states: readonly CardState[]): void {
  c.isListed = ({ facts }) => !states.includes(facts.state);
}

function charge(c: Choices, operation: 'cards.reissue' | 'cards.suspend' | 'cards.unsuspend', cents: number): void {
  onReply(c, operation, (reply, { card, world }) => {
    if (card && succeeded(reply) && card.facts.cents >= cents) world.pay(card, -cents);
  });
}

const changes = [
  ...also('v3, card operations: whether a change of state costs something is not shown', {
    'suspension-costs-ten-cents': (c) => charge(c, 'cards.suspend', 10),
    'the-end-of-a-suspension-costs-ten-cents': (c) => charge(c, 'cards.unsuspend', 10),
  }),
  ...ways('beforeActivation', 'v3, POST activate: what has to come before is not shown', {
    'activate-needs-a-pin': (c) => rule(c, 'cards.activate', ({ card }) => card?.pin === undefined, 409),
  }),
  ...ways('beforeWallet', 'v3, POST wallet-provisioned: what has to come before is not shown', {
    'wallet-needs-an-encryption-before': (c) => {
      const encrypted = new Set<Card | undefined>();
      onReply(c, 'cards.encryptForVde', (reply, { card }) => {
        if (succeeded(reply)) encrypted.add(card);
      });
      rule(c, 'cards.markWalletProvisioned', ({ card }) => !encrypted.has(card), 409);
    },
  }),
  ...also('v3, card operations: what has to come before, and how soon, is not shown', {
    'mark-lost-needs-a-suspended-card': (c) =>
      rule(c, 'cards.markLost', ({ card }) => card?.facts.state === 'active', 409),
    'suspended-for-two-seconds-at-least': (c) => {
      const ago = since(c, 'cards.suspend', ({ card }) => card);
      rule(c, 'cards.unsuspend', (x) => ago(x) < 2000, 409);
    },
    'encryptions-of-a-card-200-ms-apart': (c) => {
      const ago = since(c, 'cards.encryptForVde', ({ card }) => card);
      rule(c, 'cards.encryptForVde', (x) => ago(x) < 200);
    },
    'pins-only-on-paper': (c) => void Object.assign(c, { pin: () => false }),
    'changes-of-a-card-every-half-second': (c) => {
      const times = new Map<unknown, number>();
      c.before.push(({ operation, path }) => {
        if (!cardMoves.some((move) => move === operation)) return undefined;
        const last = times.get(path.identifier) ?? 0;
        if (Date.now() - last < 500) return { status: 429, headers: { 'Retry-After': '1' }, body: [{}] };
        times.set(path.identifier, Date.now());
        return undefined;
      });
    },
  }),
  ...ways('fraudAfter', 'v3, POST unmarkfraud: the state it leaves a card in is not shown', {
    'unmark-fraud-leaves-a-card-unused': (c) => {
      c.transitions.unmarkFraud = { fraud: 'unused' };
    },
  }),
  ...doubtful('a card with reported fraud that reads Active can hardly be told from others', [
    {
      id: 'fraud-reads-active',
      basis: 'v3, card, status: how reported fraud shows is not shown',
      change: (c: Choices) => {
        c.cardStatus.fraud = 'Active';
        c.cardStatusNumber.fraud = c.cardStatusNumber.active;
      },
    },
  ]),
];

const reads = [
  ...also('v3, GET balance: of which cards it can be asked for is not shown', {
    'balance-only-of-active-cards': (c) =>
      rule(c, 'cards.getBalance', ({ card }) => card?.facts.state !== 'active', 409),
  }),
  ...ways('flags', 'v3, Other shapes, status: "shown as a number": what else the number holds is open', {
    'status-number-with-flags-of-the-card': (c) => {
      onBody(c, 'cards.getStatus', (body, { card }) => {
        body.status = Number(body.status) + 1000 * (card?.n ?? 0);
      });
    },
  }),
  ...also('v3, GET related: whether the card itself is among them is open', {
    'related-with-the-card-itself': (c) => {
      const usual = c.relatedTo;
      c.relatedTo = (card, other) => usual(card, other);
      onBody(c, 'cards.listRelated', (body, { card }) => {
        if (Array.isArray(body.results) && card)
          body.results.unshift({ identifier: card.identifier, status: c.cardStatus[card.facts.recordedState] });
      });
    },
  }),
  ...ways('temporary', 'v3, GET token: whether each call gives a new one is not shown', {
    'temporary-token-always-the-same': (c) => {
      onReply(c, 'cards.createToken', (reply, { card }) => {
        if (!card || !succeeded(reply)) return;
        card.temporaryTokens.splice(1);
        Object.assign(reply.body as object, { token: card.temporaryTokens[0] });
      });
    },
  }),
  ...doubtful('without a flag the path value may be meant to be an identifier alone', [
    {
      id: 'plain-look-ups-take-proxies-and-tokens',
      basis: 'v3, GET card: "the path value may be an identifier, a proxy or a token"',
      change: (c: Choices) => {
        c.before.push((x) => {
          if (x.operation !== 'cards.get' || x.query.has('byToken') || x.query.has('byProxy')) return undefined;
          const { cards } = x.world;
          if (cards.some(({ identifier }) => identifier === x.path.identifier)) return undefined;
          const [found, more] = cards.filter(
            ({ owner, proxy, temporaryTokens }) =>
              owner.ours && (proxy === x.path.identifier || temporaryTokens.includes(x.path.identifier!)),
          );
          if (found && !more) x.path.identifier = found.identifier;
          return undefined;
        });
      },
    },
  ]),
];

const balances = [
  ...ways('amounts', 'v3, card, balance is a number: its sign and its fractions are open', {
    'some-cards-are-overdrawn': (c) => {
      c.created.push(({ cards }) => {
        for (const card of cards) if (card.n > 80 && card.n % 3 === 0) owe(card, -12_345);
      });
    },
    'balances-with-half-a-cent': (c) => {
      const usual = c.money;
      onBody(c, 'cards.getBalance', (body) => {
        body.balance = Number(body.balance) + 0.005;
      });
      onCards(c, (card) => {
        if (typeof card.balance === 'number') card.balance += 0.005;
      });
      c.money = usual;
    },
    'balances-of-billions': (c) => {
      c.created.push(({ cards }) => {
        for (const card of cards) if (card.n > 80) owe(card, 987_654_321_012_345);
      });
    },
  }),
];

function owe({ facts, history }: Card, cents: number): void {
  Object.assign(facts, { cents, recordedCents: cents });
  history[0] = { at: 0, facts: { ...facts } };
}

const newcomers = also('v3, listings: what they hold may change meanwhile', {
  'new-cards-appear': (c) => {
    onReply(c, 'cards.list', (_reply, x) => {
      if (x.turn % 5 === 0) newCard(x.world, c, x.world.home.children[2]!);
    });
  },
  'customers-below-have-cards-too': (c) => {
    c.created.push((world) => {
      const owner = world.cards.find(({ owner }) => owner.children.length > 0)?.owner;
      for (const outlet of owner?.children ?? []) newCard(world, c, outlet);
      for (const branch of world.home.children[0]!.children) newCard(world, c, branch);
    });
    c.ownerMatches = ({ owner }, identifier) => {
      for (let at: typeof owner | undefined = owner; at; at = at.parent) if (at.identifier === identifier) return true;
      return false;
    };
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

const correlations = also('v3, cards and temporaryToken, correlationId: whether it is given is open', {
  'correlation-absent': (c) =>
    onBody(c, ['cards.list', 'cards.listRelated', 'cards.createToken'], (body) => void delete body.correlationId),
  'answers-with-their-own-members-beside': (c) =>
    bodyWith(c, ['cards.getBalance', 'cards.getStatus', 'cards.encryptForVde'], (_body, x: Exchange) => ({
      asOf: new Date(x.world.now()).toUTCString(),
      currency: 'USD',
      description: null,
    })),
});

/** What becomes of cards, what a change costs, and what reads of them show. */
export const cardLives: Freedom[] = [
  ...family('precondition', [...ends, ...changes]),
  ...family('presence', [...reads, ...correlations]),
  ...family('bounds', balances),
  ...family('count', newcomers),
  ...family('order', orders),
];
