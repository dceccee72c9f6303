import type { Choices } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import type { Json } from '../json.ts';
import { onReply, rule, since, tally, textsOf } from '../tools.ts';
import type { Card } from '../world.ts';
import { afterwards, all, apart, atMost, type Change, card, type Key, refuses } from './changes.ts';
import { also, doubtful, exactly, type Freedom, family, ways } from './freedom.ts';

const silent = 'v3, POST transfer: nothing is said of';
const to = ({ target }: Exchange) => target;
const pair = ({ card, target }: Exchange) => `${card?.n}>${target?.n}`;

const amounts =
  (change: Partial<Choices['transfers']>): Change =>
  ({ transfers }) => {
    transfers.least = Math.max(transfers.least, change.least ?? 0);
    transfers.step = Math.max(transfers.step, change.step ?? 0);
    transfers.most = Math.min(transfers.most, change.most ?? transfers.most);
  };

const wanted =
  (name: string, value: Json): Change =>
  (c) => {
    c.transfers.body[name] = value;
    rule(c, 'cards.transfer', ({ content }) => !content[name]);
  };

const refused = (broken: (x: Exchange) => boolean): Change => refuses('cards.transfer', broken);

const comments = (broken: (comment: string) => boolean): Change =>
  refused(({ content }) => broken(String(content.comment ?? '')));

const most = (count: number, key: Key) => atMost(count, 'cards.transfer', key);

/** Takes transfers only within what the cards of the first pool are made to share. */
const within =
  (shared: 'owner' | 'program'): Change =>
  (c) => {
    c.created.push(({ cards }) => {
      const pool = cards.filter(({ n }) => n <= 16);
      for (const card of pool) Object.assign(card, { [shared]: pool[0]![shared] });
    });
    rule(c, 'cards.transfer', ({ card, target }) => card?.[shared] !== target?.[shared]);
  };

/** What a target may ask of a transfer. */
export const transferRules: Freedom[] = family('business-rule', [
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
  ...also(`${silent} members that have to be sent (told by transferBody)`, {
    'transfer-wants-a-comment': wanted('comment', 'because'),
    'transfer-wants-custom-fields': wanted('customFields', { customField1: 'cost centre 7' }),
  }),
  ...also(`${silent} what a comment may hold`, {
    'transfer-comment-in-ascii': comments((comment) => /[^\x20-\x7e]/.test(comment)),
    'transfer-comment-without-markup': comments((comment) => /[<>&"']/.test(comment)),
    'transfer-texts-of-60-characters': refused(({ content }) =>
      textsOf(content.customFields).some((text) => text.length > 60),
    ),
    'transfer-custom-fields-only-those-five': refused(({ content }) =>
      Object.keys(content.customFields ?? {}).some((name) => !/^customField[1-5]$/.test(name)),
    ),
  }),
  ...ways('perCard', `${silent} how often a card may send`, {
    'two-transfers-from-a-card': most(2, card),
    'five-transfers-from-a-card': most(5, card),
  }),
  ...ways('perTarget', `${silent} how often a card may receive`, {
    'three-transfers-to-a-card': most(3, to),
  }),
  ...ways('perPair', `${silent} how often between the same cards`, {
    'one-transfer-between-the-same-cards': most(1, pair),
    'two-transfers-between-the-same-cards': most(2, pair),
  }),
  ...ways('perDay', `${silent} how many a day`, {
    'thirty-transfers-a-day': most(30, all),
    'twelve-transfers-a-day': most(12, all),
  }),
  ...also(`${silent} limits of what a card sends or holds`, {
    'twenty-a-day-from-a-card': (c) => {
      const sent = new Map<Card | undefined, number>();
      afterwards('cards.transfer', ({ card, cents }) => sent.set(card, (sent.get(card) ?? 0) + cents))(c);
      rule(c, 'cards.transfer', ({ card, cents }) => (sent.get(card) ?? 0) + cents > 2000);
    },
    'a-card-keeps-one': refused(({ card, cents }) => card!.facts.cents - cents < 100),
    'a-card-keeps-five': refused(({ card, cents }) => card!.facts.cents - cents < 500),
    'a-card-holds-a-thousand-at-most': refused(({ target, cents }) => target!.facts.cents + cents > 100_000),
    'half-the-balance-at-most': refused(({ card, cents }) => cents * 2 > card!.facts.cents),
    'a-card-that-received-does-not-send-that-day': (c) => {
      const received = tally(c, 'cards.transfer', to);
      rule(c, 'cards.transfer', (x) => received({ ...x, target: x.card } as Exchange) > 4);
    },
  }),
  ...also(`${silent} how soon after another`, {
    'transfers-of-a-card-150-ms-apart': apart(150, 'cards.transfer', card, 409),
    'the-same-transfer-not-twice-in-a-second': apart(1000, 'cards.transfer', (x) => `${pair(x)}:${x.cents}`, 409),
    'no-transfer-back-within-a-second': (c) => {
      const ago = since(c, 'cards.transfer', pair);
      rule(c, 'cards.transfer', (x) => ago({ ...x, card: x.target, target: x.card } as Exchange) < 1000, 409);
    },
    'no-transfer-within-200-ms-of-unsuspending': apart(200, 'cards.transfer', card, 409, {
      first: ['cards.unsuspend', 'cards.activate'],
    }),
  }),
  ...also(`${silent} between which cards`, {
    'transfers-within-a-customer': within('owner'),
    'transfers-within-a-program': within('program'),
    'transfers-to-later-cards-only': refused(({ card, target }) => card!.n > target!.n),
    'the-first-card-sends-to-near-ones-only': refused(({ card, target }) => card!.n === 1 && target!.n > 8),
    'transfers-not-from-cards-in-a-wallet': refused(({ card }) => card?.facts.provisioned !== undefined),
  }),
  ...doubtful(
    'a reader may hold that a transfer that moves nothing is not a success',
    exactly(
      'v3, transfer: status, errorCode and errorMessage are fields of a transfer, so that one may be declined with 200',
      {
        'transfers-too-large-answered-200-declined': (c) =>
          onReply(c, 'cards.transfer', (reply, { card, target, cents }) => {
            if (reply.status !== c.statuses['insufficient-funds'] || !card || !target || card.facts.cents >= cents)
              return;
            reply.status = 200;
            reply.body = {
              identifier: 'declined',
              status: 'Declined',
              errorCode: '51',
              errorMessage: 'insufficient funds',
              senderIdentifier: card.identifier,
              receiverIdentifier: target.identifier,
              amount: cents / 100,
            };
          }),
      },
    ),
  ),
]);
