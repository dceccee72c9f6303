import type { Choices, Reply } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import type { OperationId } from '../operation-ids.ts';
import { bodyWith, holdersWith, onCards, overlook, rule } from '../tools.ts';
import { type Draft, type Fault, instead, overlooked, sentences, spot } from './fault.ts';

const exact = 'v3, POST transfer: moves funds, amount is the number that is sent';

function fails(operation: OperationId, parameter: string, form: RegExp, status = 500): (c: Choices) => void {
  return (c) =>
    instead(c, operation, ({ query }): Reply | undefined =>
      form.test(query.get(parameter) ?? '') ? { status, body: [{ errorCode: 'x' }] } : undefined,
    );
}

function moved(change: (cents: number, x: Exchange) => number): (c: Choices) => void {
  return (c) => {
    c.between.push((x) => {
      if (x.operation === 'cards.transfer') x.cents = change(x.cents, x);
    });
  };
}

const money: Draft[] = [
  [
    'transfer-of-the-whole-balance-refused',
    'cards.transfer',
    sentences.transfer,
    (c) => rule(c, 'cards.transfer', ({ card, cents }) => card!.facts.cents === cents, 402),
    'that nothing has to be left is not said',
  ],
  overlooked(
    'transfer-beyond-the-balance-by-a-cent-taken',
    'cards.transfer',
    sentences.transfer,
    'insufficient-funds',
    ({ card, cents }) => cents === card!.facts.cents + 1,
  ),
  overlooked(
    'transfer-beyond-the-balance-by-less-than-one-taken',
    'cards.transfer',
    sentences.transfer,
    'insufficient-funds',
    ({ card, cents }) => cents < card!.facts.cents + 100,
  ),
  overlooked('transfer-beyond-the-balance-taken', 'cards.transfer', sentences.transfer, 'insufficient-funds'),
  ['transfer-of-one-cent-moves-nothing', 'cards.transfer', exact, moved((cents) => (cents === 1 ? 0 : cents))],
  [
    'transfer-cents-cut-as-floats',
    'cards.transfer',
    exact,
    moved((_cents, { content }) => Math.trunc(Number(content.amount) * 100)),
  ],
  ['transfer-cents-cut-off', 'cards.transfer', exact, moved((cents) => Math.trunc(cents / 100) * 100)],
  ['transfer-rounded-to-tenths', 'cards.transfer', exact, moved((cents) => Math.round(cents / 10) * 10)],
  [
    'transfer-of-ten-and-more-loses-a-cent',
    'cards.transfer',
    exact,
    moved((cents) => (cents >= 1000 ? cents - 1 : cents)),
  ],
  overlooked(
    'transfer-of-zero-taken',
    'cards.transfer',
    sentences.transfer,
    'bad-amount',
    ({ content }) => content.amount === 0,
    'that an amount of zero is refused is not said',
  ),
  overlooked(
    'transfer-of-less-than-zero-taken',
    'cards.transfer',
    sentences.transfer,
    'bad-amount',
    ({ content }) => Number(content.amount) < 0,
  ),
  overlooked(
    'transfer-of-part-of-a-cent-taken',
    'cards.transfer',
    exact,
    'bad-amount',
    ({ content }) => Number(content.amount) > 0,
  ),
  [
    'transfer-to-itself-doubles',
    'cards.transfer',
    sentences.transfer,
    (c) => {
      overlook(c, 'cards.transfer', 'same-card');
      c.debit = (card, cents, x) => (card === x.target ? undefined : x.world.pay(card, -cents));
    },
  ],
  [
    'transfer-without-amount-answered',
    'cards.transfer',
    sentences.transfer,
    (c) =>
      instead(c, 'cards.transfer', ({ text }) =>
        text.includes('"amount"') ? undefined : { status: 200, body: { identifier: 'none' } },
      ),
  ],
  [
    'transfer-with-an-empty-body-answered',
    'cards.transfer',
    'v3, POST transfer: JSON body cardTransferFunds (required)',
    (c) =>
      instead(c, 'cards.transfer', ({ text }) =>
        /^\s*(\{\s*\})?\s*$/.test(text) ? { status: 200, body: { identifier: 'none' } } : undefined,
      ),
  ],
  [
    'balances-as-floats',
    'cards.getBalance',
    'v3, POST transfer: moves funds, balances are what was moved',
    (c) => floats(c),
  ],
  [
    'transfer-answers-the-amount-in-cents',
    'cards.transfer',
    'v3, transfer, amount: number',
    (c) => bodyWith(c, 'cards.transfer', ({ amount }) => ({ amount: Number(amount) * 100 })),
  ],
  [
    'transfer-comment-cut-at-apostrophe',
    'cards.transfer',
    'v3, transfer, comment',
    (c) =>
      bodyWith(c, 'cards.transfer', ({ comment }) => ({
        comment: typeof comment === 'string' ? comment.split("'")[0] : undefined,
      })),
    'that the comment is that of the request is not said',
  ],
  [
    'transfer-comment-loses-accents',
    'cards.transfer',
    'v3, transfer, comment',
    (c) =>
      bodyWith(c, 'cards.transfer', ({ comment }) => ({
        comment: typeof comment === 'string' ? comment.replace(/[^\x20-\x7e]/g, '?') : undefined,
      })),
    'that the comment is that of the request is not said',
  ],
  [
    'transfer-comment-of-300-characters-fails',
    'cards.transfer',
    'v3, cardTransferFunds, comment: string',
    (c) => rule(c, 'cards.transfer', ({ content }) => String(content.comment ?? '').length > 255, 500),
  ],
];

function floats(c: Choices): void {
  let drift = 0;
  c.between.push((x) => {
    if (x.operation === 'cards.transfer') drift += 1;
  });
  bodyWith(c, 'cards.getBalance', ({ balance }) => ({ balance: drift ? Number(balance) + 1e-9 : balance }));
}

const others: Draft[] = [
  [
    'birth-dates-without-leading-zero',
    'cards.get',
    'v3, cardholder, dateOfBirth: YYYY-MM-DD',
    (c) => holdersWith(c, ({ dateOfBirth }) => ({ dateOfBirth: String(dateOfBirth).replace(/-0/g, '-') })),
  ],
  [
    'birth-dates-with-time',
    'cards.get',
    'v3, cardholder, dateOfBirth: date (YYYY-MM-DD)',
    (c) => holdersWith(c, ({ dateOfBirth }) => ({ dateOfBirth: `${dateOfBirth}T00:00:00Z` })),
  ],
  [
    'expiration-in-month-13',
    'cards.get',
    'v3, card, expiration: date-time',
    (c) =>
      onCards(c, (card) => void Object.assign(card, { expiration: String(card.expiration).replace(/-12-/, '-13-') })),
    'shows on cards that expire in December',
  ],
  [
    'creation-on-the-30th-of-february',
    'cards.get',
    'v3, card, creationDate: date-time',
    (c) =>
      onCards(
        c,
        (card) => void Object.assign(card, { creationDate: String(card.creationDate).replace(/-02-\d\d/, '-02-30') }),
      ),
    'shows on cards made in February',
  ],
  [
    'latitude-zero-refused',
    'portal.getATMLocation',
    'portal, getATMLocation: latitude is a string parameter',
    (c) => rule(c, 'portal.getATMLocation', ({ query }) => Number(query.get('latitude')) === 0, 400),
    'that the equator is good data is not said in so many words',
  ],
  [
    'permissions-false-fail',
    'users.setPermissions',
    'v3, customerPermissions: booleans',
    (c) => rule(c, 'users.setPermissions', ({ content }) => content.canSearchLoads === false, 500),
  ],
  [
    'permissions-of-one-member-fail',
    'users.setPermissions',
    'v3, customerPermissions: all fields optional',
    (c) => rule(c, 'users.setPermissions', ({ content }) => Object.keys(content).length === 1, 400),
  ],
  [
    'pin-with-leading-zero-fails',
    'cards.setPin',
    'v3, updatePin, pin: string',
    (c) => rule(c, 'cards.setPin', ({ content }) => String(content.pin).startsWith('0'), 500),
    'a target may refuse such a PIN',
  ],
  [
    'max-of-50-refused',
    'users.list',
    'v3, GET customers, max: at most 50 per request',
    fails('users.list', 'max', /^50$/, 400),
  ],
];

/** Boundary and nasty values of money and of the rest. */
export const boundaryMoneyFaults: Fault[] = spot(9, [...money, ...others]);
