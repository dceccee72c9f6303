import type { Choices } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import type { Json } from '../json.ts';
import { onReply, rule, since, succeeded, tally, textsOf } from '../tools.ts';
import type { Card, World } from '../world.ts';
import { also, type Draft, type Freedom, family, ways } from './freedom.ts';

const silent = 'v3, POST transfer: nothing is said of';
const from = ({ card }: Exchange) => card;
const to = ({ target }: Exchange) => target;
const pair = ({ card, target }: Exchange) => `${card?.n}>${target?.n}`;

function amounts(change: Partial<Choices['transfers']>): (c: Choices) => void {
  return ({ transfers }) => {
    transfers.least = Math.max(transfers.least, change.least ?? 0);
    transfers.step = Math.max(transfers.step, change.step ?? 0);
    transfers.most = Math.min(transfers.most, change.most ?? transfers.most);
  };
}

const told = [
  ...ways('least', `${silent} the least amount (told by transferAmounts)`, {
    'transfer-of-one-at-least': amounts({ least: 1 }),
    'transfer-of-two-at-least': amounts({ least: 2 }),
    'transfer-of-five-at-least': amounts({ least: 5 }),
  }),
  ...ways('most', `${silent} the largest amount (told by transferAmounts)`, {
    'transfer-of-six-at-most': amounts({ most: 6 }),
    'transfer-of-eight-at-most': amounts({ most: 8 }),
    'transfer-of-ten-at-most': amounts({ most: 10 }),
  }),
  ...ways('step', `${silent} which amounts are taken (told by transferAmounts)`, {
    'transfer-of-whole-amounts': amounts({ least: 1, step: 1 }),
    'transfer-in-halves': amounts({ least: 0.5, step: 0.5 }),
    'transfer-in-twentieths': amounts({ least: 0.05, step: 0.05 }),
    'transfer-in-tenths': amounts({ least: 0.1, step: 0.1 }),
  }),
];

function wanted(name: string, value: Json): (c: Choices) => void {
  return (c) => {
    c.transfers.body[name] = value;
    rule(c, 'cards.transfer', ({ content }) => !content[name]);
  };
}

const bodies = [
  ...also(`${silent} members that have to be sent (told by transferBody)`, {
    'transfer-wants-a-comment': wanted('comment', 'because'),
    'transfer-wants-custom-fields': wanted('customFields', { customField1: 'cost centre 7' }),
  }),
  ...also(`${silent} what a comment may hold`, {
    'transfer-comment-in-ascii': (c) =>
      rule(c, 'cards.transfer', ({ content }) => /[^\x20-\x7e]/.test(String(content.comment ?? ''))),
    'transfer-comment-without-markup': (c) =>
      rule(c, 'cards.transfer', ({ content }) => /[<>&"']/.test(String(content.comment ?? ''))),
    'transfer-texts-of-60-characters': (c) =>
      rule(c, 'cards.transfer', ({ content }) => textsOf(content.customFields).some((text) => text.length > 60)),
    'transfer-custom-fields-only-those-five': (c) =>
      rule(c, 'cards.transfer', ({ content }) =>
        Object.keys(content.customFields ?? {}).some((name) => !/^customField[1-5]$/.test(name)),
      ),
  }),
];

function atMost(most: number, key: (x: Exchange) => unknown): (c: Choices) => void {
  return (c) => {
    const done = tally(c, 'cards.transfer', key);
    rule(c, 'cards.transfer', (x) => done(x) >= most, 409);
  };
}

const counted = [
  ...ways('perCard', `${silent} how often a card may send`, {
    'two-transfers-from-a-card': atMost(2, from),
    'five-transfers-from-a-card': atMost(5, from),
  }),
  ...ways('perTarget', `${silent} how often a card may receive`, {
    'three-transfers-to-a-card': atMost(3, to),
  }),
  ...ways('perPair', `${silent} how often between the same cards`, {
    'one-transfer-between-the-same-cards': atMost(1, pair),
    'two-transfers-between-the-same-cards': atMost(2, pair),
  }),
  ...ways('perDay', `${silent} how many a day`, {
    'thirty-transfers-a-day': atMost(30, () => 'all'),
    'twelve-transfers-a-day': atMost(12, () => 'all'),
  }),
];

const money = also(`${silent} limits of what a card sends or holds`, {
  'twenty-a-day-from-a-card': (c) => {
    const sent = new Map<Card | undefined, number>();
    onReply(c, 'cards.transfer', (reply, { card, cents }) => {
      if (succeeded(reply)) sent.set(card, (sent.get(card) ?? 0) + cents);
    });
    rule(c, 'cards.transfer', ({ card, cents }) => (sent.get(card) ?? 0) + cents > 2000);
  },
  'a-card-keeps-one': (c) => rule(c, 'cards.transfer', ({ card, cents }) => card!.facts.cents - cents < 100),
  'a-card-keeps-five': (c) => rule(c, 'cards.transfer', ({ card, cents }) => card!.facts.cents - cents < 500),
  'a-card-holds-a-thousand-at-most': (c) =>
    rule(c, 'cards.transfer', ({ target, cents }) => target!.facts.cents + cents > 100_000),
  'half-the-balance-at-most': (c) => rule(c, 'cards.transfer', ({ card, cents }) => cents * 2 > card!.facts.cents),
  'a-card-that-received-does-not-send-that-day': (c) => {
    const received = tally(c, 'cards.transfer', to);
    rule(c, 'cards.transfer', (x) => received({ ...x, target: x.card } as Exchange) > 4);
  },
});

const paced = also(`${silent} how soon after another`, {
  'transfers-of-a-card-150-ms-apart': (c) => {
    const ago = since(c, 'cards.transfer', from);
    rule(c, 'cards.transfer', (x) => ago(x) < 150, 409);
  },
  'the-same-transfer-not-twice-in-a-second': (c) => {
    const ago = since(c, 'cards.transfer', (x) => `${pair(x)}:${x.cents}`);
    rule(c, 'cards.transfer', (x) => ago(x) < 1000, 409);
  },
  'no-transfer-back-within-a-second': (c) => {
    const ago = since(c, 'cards.transfer', pair);
    rule(c, 'cards.transfer', (x) => ago({ ...x, card: x.target, target: x.card } as Exchange) < 1000, 409);
  },
  'no-transfer-within-200-ms-of-unsuspending': (c) => {
    const ago = since(c, ['cards.unsuspend', 'cards.activate'], from);
    rule(c, 'cards.transfer', (x) => ago(x) < 200, 409);
  },
});

function shared(share: (cards: Card[], world: World) => void, differ: (x: Exchange) => boolean): Draft['change'] {
  return (c) => {
    c.created.push((world) =>
      share(
        world.cards.filter(({ n }) => n <= 16),
        world,
      ),
    );
    rule(c, 'cards.transfer', differ);
  };
}

const between = also(`${silent} between which cards`, {
  'transfers-within-a-customer': shared(
    (cards) => {
      for (const card of cards) card.owner = cards[0]!.owner;
    },
    ({ card, target }) => card?.owner !== target?.owner,
  ),
  'transfers-within-a-program': shared(
    (cards) => {
      for (const card of cards) card.program = cards[0]!.program;
    },
    ({ card, target }) => card?.program !== target?.program,
  ),
  'transfers-to-later-cards-only': (c) => rule(c, 'cards.transfer', ({ card, target }) => card!.n > target!.n),
  'the-first-card-sends-to-near-ones-only': (c) =>
    rule(c, 'cards.transfer', ({ card, target }) => card!.n === 1 && target!.n > 8),
  'transfers-not-from-cards-in-a-wallet': (c) =>
    rule(c, 'cards.transfer', ({ card }) => card?.facts.provisioned !== undefined),
});

const declined: Draft[] = [
  {
    id: 'transfers-too-large-answered-200-declined',
    basis:
      'v3, transfer: status, errorCode and errorMessage are fields of a transfer, so that one may be declined with 200',
    doubt: 'a reader may hold that a transfer that moves nothing is not a success',
    change: (c) => {
      onReply(c, 'cards.transfer', (reply, { card, target, cents }) => {
        if (reply.status !== c.statuses['insufficient-funds'] || !card || !target || card.facts.cents >= cents) return;
        Object.assign(reply, {
          status: 200,
          body: {
            identifier: 'declined',
            status: 'Declined',
            errorCode: '51',
            errorMessage: 'insufficient funds',
            senderIdentifier: card.identifier,
            receiverIdentifier: target.identifier,
            amount: cents / 100,
          },
        });
      });
    },
  },
];

/** What a target may ask of a transfer. */
export const transferRules: Freedom[] = family('business-rule', [
  ...told,
  ...bodies,
  ...counted,
  ...money,
  ...paced,
  ...between,
  ...declined,
]);
