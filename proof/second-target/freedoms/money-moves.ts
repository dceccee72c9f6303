import type { JsonObject } from '../json.ts';
import type { Reason } from '../reasons.ts';
import { onReply, overlook, rule, showsWithin, statusWhen } from '../tools.ts';
import { answers, type Change, fee } from './changes.ts';
import { also, doubtful, exactly, type Freedom, family, ways } from './freedom.ts';
import { factsBefore } from './time.ts';

const DECLINED: readonly Reason[] = [
  'cannot-spend',
  'cannot-receive',
  'unknown-target',
  'target-out-of-reach',
  'same-card',
  'bad-amount',
  'insufficient-funds',
  'rule',
];

/** Answers what a transfer is refused for with a transfer that says so. */
const declined =
  (words: Record<string, string>): Change =>
  (c) => {
    const refused = new WeakSet<object>();
    statusWhen(c, ({ reason }, x) => {
      if (x.operation === 'cards.transfer' && DECLINED.includes(reason) && !x.headers['x-none']) refused.add(x);
      return undefined;
    });
    onReply(c, 'cards.transfer', (reply, x) => {
      if (!refused.has(x) || reply.status < 400 || x.text === '') return;
      const { targetCardIdentifier, amount } = x.content;
      if (targetCardIdentifier === undefined || amount === undefined) return;
      Object.assign(reply, { status: 200, body: { identifier: `no.${x.number}`, ...words } });
    });
  };

const shown = [
  ...ways(
    'declined',
    'v3, transfer: status, errorCode and errorMessage are fields of a transfer that was not carried out',
    {
      'transfers-declined-by-error-code': declined({ errorCode: '57', errorMessage: 'not permitted' }),
      'transfers-declined-by-status': declined({ status: 'Declined' }),
    },
  ),
  ...also('v3, transfer: identifiers, amount and texts of the answer are not further described', {
    'transfer-answers-with-an-identifier-only': answers('cards.transfer', (body) => ({
      identifier: (body as JsonObject).identifier,
    })),
    'transfer-answers-with-nothing-documented': answers('cards.transfer', { accepted: true }),
  }),
];

const moves = [
  ...ways('booking', 'v3, POST transfer: how soon the money shows is not said', {
    'money-shows-after-300-ms': (c) => {
      showsWithin(c, 1000);
      const usual = c.seen;
      c.seen = (card, x) => ({ ...usual(card, x), cents: factsBefore(card, 300).cents });
    },
    'money-arrives-200-ms-after-it-left': (c) => {
      showsWithin(c, 800);
      onReply(c, 'cards.transfer', (reply, { target, cents, world }) => {
        if (reply.status !== 200 || !target) return;
        world.pay(target, -cents);
        setTimeout(() => world.pay(target, cents), 200).unref();
      });
    },
  }),
  ...also('v3, POST transfer: amounts of which nothing is said', {
    'cards-may-be-overdrawn': (c) => overlook(c, 'cards.transfer', 'insufficient-funds'),
    'more-than-the-balance-moves-what-is-there': (c) => {
      overlook(c, 'cards.transfer', 'insufficient-funds', ({ card }) => card!.facts.cents > 0);
      c.between.push((x) => {
        if (x.operation === 'cards.transfer') x.cents = Math.min(x.cents, x.card!.facts.cents);
      });
    },
    'transfers-of-nothing-are-booked': (c) =>
      overlook(c, 'cards.transfer', 'bad-amount', ({ content }) => content.amount === 0),
    'fractions-of-a-cent-are-rounded': (c) =>
      overlook(c, 'cards.transfer', 'bad-amount', ({ content: { amount } }) => {
        if (typeof amount !== 'number') return false;
        return amount >= 0.01 && Math.round(amount * 100) / 100 !== amount && amount < 1e6;
      }),
  }),
  ...doubtful(
    'a fee that grows in steps is not the same each time',
    exactly('v3, POST transfer: whether it costs a fee is not said', {
      'transfers-cost-one-in-a-hundred': fee((cents) => Math.round(cents / 100)),
    }),
  ),
  ...ways('kinship', 'v3, POST transfer: between which cards is open', {
    'transfers-to-related-cards-only': (c) => {
      c.created.push(({ cards }) => {
        for (const card of cards) if (card.n <= 16) card.kin = cards[0]!.kin;
      });
      rule(c, 'cards.transfer', ({ card, target }) => card?.kin !== target?.kin);
    },
  }),
];

/** What else a transfer may be, and how it is answered. */
export const moneyMoves: Freedom[] = [...family('business-rule', moves), ...family('format', shown)];
