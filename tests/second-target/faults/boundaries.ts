import type { Choices, Reply } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import type { OperationId } from '../operation-ids.ts';
import { bodyWith, holdersWith, onCards, orderedCards, overlook, rule } from '../tools.ts';
import { type Draft, type Fault, instead, sentences, spot } from './fault.ts';

const named = 'v3, GET customers, name: customers whose name contains the value';
const born = 'portal, getCIPCheck body: dobMonth, dobDay and dobYear are a date';
const address = 'portal, Limits: getCIPCheck address at most 40 characters';
const unique =
  'portal, orderCards body: externalIdentifier is a unique value, orders with another one are not duplicates';
const exact = 'v3, POST transfer: moves funds, amount is the number that is sent';

function names(contains: (name: string, value: string) => boolean): (c: Choices) => void {
  return (c) => void Object.assign(c, { nameContains: contains });
}

const like = (value: string) =>
  new RegExp(
    value
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replace(/%/g, '.*')
      .replace(/_/g, '.'),
  );

function fails(operation: OperationId, parameter: string, form: RegExp, status = 500): (c: Choices) => void {
  return (c) =>
    instead(c, operation, ({ query }): Reply | undefined =>
      form.test(query.get(parameter) ?? '') ? { status, body: [{ errorCode: 'x' }] } : undefined,
    );
}

const filters: Draft[] = [
  [
    'name-filter-takes-percent-for-anything',
    'users.list',
    named,
    names((name, value) => like(value.replace(/_/g, '\u0001')).test(name.replace(/_/g, '\u0001'))),
  ],
  [
    'name-filter-takes-underscore-for-anything',
    'users.list',
    named,
    names((name, value) => (value.includes('_') ? like(value).test(name) : name.includes(value))),
  ],
  [
    'name-filter-takes-dot-for-anything',
    'users.list',
    named,
    names((name, value) => new RegExp(value.replace(/[*+?^${}()|[\]\\]/g, '\\$&')).test(name)),
  ],
  [
    'name-filter-takes-star-for-anything',
    'users.list',
    named,
    names((name, value) => value.split('*').every((part) => name.includes(part))),
  ],
  ['name-filter-fails-at-apostrophe', 'users.list', named, fails('users.list', 'name', /'/)],
  [
    'name-filter-refuses-quote',
    'users.list',
    named,
    fails('users.list', 'name', /"/),
    'that a value with a quote is a good one is not said in so many words',
  ],
  ['name-filter-cuts-at-hash', 'users.list', named, names((name, value) => name.includes(value.split('#')[0]!))],
  ['name-filter-cuts-at-ampersand', 'users.list', named, names((name, value) => name.includes(value.split('&')[0]!))],
  [
    'name-filter-blind-to-accents',
    'users.list',
    named,
    names((name, value) => !/[^\x20-\x7e]/.test(value) && name.includes(value)),
  ],
  [
    'name-filter-ignores-backslash',
    'users.list',
    named,
    names((name, value) => name.includes(value.replaceAll('\\', ''))),
  ],
  [
    'name-filter-looks-at-20-characters',
    'users.list',
    named,
    names((name, value) => name.includes(value.slice(0, 20))),
  ],
  ['name-filter-fails-beyond-255-characters', 'users.list', named, fails('users.list', 'name', /^.{256,}$/s)],
  [
    'name-filter-without-match-lists-all',
    'users.list',
    named,
    (c) => {
      c.nameContains = (name, value, { world }) =>
        name.includes(value) || !world.customers.some((customer) => customer.name.includes(value));
    },
  ],
  [
    'external-filter-takes-percent-for-anything',
    'cards.list',
    'v3, GET cards: externalIdentifier selects',
    (c) => anything(c, /%/),
  ],
  [
    'external-filter-fails-at-apostrophe',
    'cards.list',
    'v3, GET cards: externalIdentifier selects',
    fails('cards.list', 'externalIdentifier', /'/),
  ],
  [
    'external-filter-unknown-lists-all',
    'cards.list',
    'v3, GET cards: externalIdentifier selects',
    (c) => anything(c, /./),
  ],
  [
    'customer-filter-unknown-lists-all',
    'cards.list',
    'v3, GET cards: customerIdentifier selects',
    (c) => {
      c.before.push((x) => {
        const wanted = x.query.get('customerIdentifier');
        if (x.operation === 'cards.list' && !x.world.customers.some(({ identifier }) => identifier === wanted))
          x.query.delete('customerIdentifier');
        return undefined;
      });
    },
  ],
  [
    'v1-identifier-compared-by-its-beginning',
    'users.list',
    'v3, GET customers, v1Identifier: identifier in the v1 portal system',
    (c) => {
      c.before.push((x) => {
        const wanted = x.query.get('v1Identifier');
        const found =
          wanted && wanted.length > 3
            ? x.world.customers.find(({ v1Id, ours }) => ours && String(v1Id).startsWith(wanted))
            : undefined;
        if (x.operation === 'users.list' && found) x.query.set('v1Identifier', String(found.v1Id));
        return undefined;
      });
    },
  ],
];

function anything(c: Choices, form: RegExp): void {
  c.before.push((x) => {
    const wanted = x.query.get('externalIdentifier') ?? '';
    const known = x.world.cards.some(({ externalIdentifier }) => externalIdentifier === wanted);
    if (x.operation === 'cards.list' && !known && form.test(wanted)) x.query.delete('externalIdentifier');
    return undefined;
  });
}

function person(broken: (sent: Exchange['content']) => boolean): (c: Choices) => void {
  return (c) => rule(c, 'portal.getCIPCheck', ({ content }) => broken(content), 400);
}

function taken(when: (sent: Exchange['content']) => boolean, named: string): (c: Choices) => void {
  return (c) =>
    overlook(c, 'portal.getCIPCheck', 'bad-person', ({ content }, field) => field === named && when(content));
}

const length = (sent: Exchange['content']) => String(sent.address).length;

const people: Draft[] = [
  [
    'cip-refuses-the-29th-of-february',
    'portal.getCIPCheck',
    born,
    person(({ dobMonth, dobDay }) => dobMonth === 2 && dobDay === 29),
  ],
  ['cip-refuses-day-31', 'portal.getCIPCheck', born, person(({ dobDay }) => dobDay === 31)],
  ['cip-refuses-december', 'portal.getCIPCheck', born, person(({ dobMonth }) => dobMonth === 12)],
  ['cip-refuses-the-year-2000', 'portal.getCIPCheck', born, person(({ dobYear }) => dobYear === 2000)],
  ['cip-refuses-forty-characters', 'portal.getCIPCheck', address, person((sent) => length(sent) === 40)],
  ['cip-counts-bytes', 'portal.getCIPCheck', address, person(({ address }) => Buffer.byteLength(String(address)) > 40)],
  ['cip-takes-41-characters', 'portal.getCIPCheck', address, taken((sent) => length(sent) === 41, 'address')],
  ['cip-takes-300-characters', 'portal.getCIPCheck', address, taken((sent) => length(sent) > 255, 'address')],
  [
    'cip-takes-blanks-beyond-forty',
    'portal.getCIPCheck',
    address,
    taken(({ address }) => String(address).trim().length <= 40, 'address'),
  ],
  [
    'cip-takes-accents-beyond-forty',
    'portal.getCIPCheck',
    address,
    taken(({ address }) => String(address).replace(/[^\x20-\x7e]/g, '').length <= 40, 'address'),
  ],
  ['cip-takes-any-length', 'portal.getCIPCheck', address, taken(() => true, 'address')],
  [
    'cip-takes-a-zip-of-six-digits',
    'portal.getCIPCheck',
    'portal, getCIPCheck body, zip: 5 digits',
    taken(({ zip }) => Number(zip) > 99999, 'zip'),
  ],
  [
    'cip-takes-a-zip-as-text',
    'portal.getCIPCheck',
    'portal, getCIPCheck body, zip: integer',
    taken(({ zip }) => typeof zip === 'string', 'zip'),
    'that texts of digits are refused is not said in so many words',
  ],
  [
    'cip-takes-month-13',
    'portal.getCIPCheck',
    born,
    (c) => overlook(c, 'portal.getCIPCheck', 'bad-person', ({ content }) => content.dobMonth === 13),
  ],
  [
    'cip-takes-the-30th-of-february',
    'portal.getCIPCheck',
    born,
    (c) =>
      overlook(
        c,
        'portal.getCIPCheck',
        'bad-person',
        ({ content }, field) => field === 'dobDay' && content.dobMonth === 2,
      ),
    'that the three parts have to be a date is not said in so many words',
  ],
  [
    'cip-takes-an-ssn-of-ten-digits',
    'portal.getCIPCheck',
    'portal, getCIPCheck body, ssn: 9 digits',
    taken(({ ssn }) => Number(ssn) > 999_999_999, 'ssn'),
  ],
  [
    'cip-refuses-accents-in-names',
    'portal.getCIPCheck',
    'portal, getCIPCheck body, firstName: string',
    person(({ firstName }) => /[^\x20-\x7e]/.test(String(firstName))),
    'the fixture of a person that passes has such a name',
  ],
];

function sameAs(form: (text: string) => string): (c: Choices) => void {
  return (c) => {
    const usual = c.isSame;
    c.isSame = (one, other, x) =>
      x.operation === 'portal.orderCards' ? form(one) === form(other) : usual(one, other, x);
  };
}

function forgotten(form: RegExp): (c: Choices) => void {
  return (c) =>
    overlook(c, 'portal.orderCards', 'order-duplicate', ({ content }) => form.test(String(content.externalIdentifier)));
}

const orders: Draft[] = [
  [
    'orders-alike-but-for-case-are-duplicates',
    'portal.orderCards',
    unique,
    sameAs((text) => text.toLowerCase()),
    'whether case counts is open',
  ],
  ['orders-alike-in-20-characters-are-duplicates', 'portal.orderCards', unique, sameAs((text) => text.slice(0, 20))],
  ['orders-alike-in-50-characters-are-duplicates', 'portal.orderCards', unique, sameAs((text) => text.slice(0, 50))],
  ['orders-alike-in-255-characters-are-duplicates', 'portal.orderCards', unique, sameAs((text) => text.slice(0, 255))],
  [
    'orders-alike-but-for-apostrophes-are-duplicates',
    'portal.orderCards',
    unique,
    sameAs((text) => text.replaceAll("'", '')),
  ],
  [
    'orders-alike-but-for-accents-are-duplicates',
    'portal.orderCards',
    unique,
    sameAs((text) => text.replace(/[^\x20-\x7e]/g, '?')),
  ],
  [
    'orders-alike-as-numbers-are-duplicates',
    'portal.orderCards',
    unique,
    sameAs((text) => (/^[\d.]+$/.test(text) ? String(Number(text)) : text)),
  ],
  [
    'orders-alike-but-for-blanks-are-duplicates',
    'portal.orderCards',
    unique,
    sameAs((text) => text.trim()),
    'whether blanks at the ends count is open',
  ],
  ['orders-alike-up-to-hash-are-duplicates', 'portal.orderCards', unique, sameAs((text) => text.split('#')[0]!)],
  ['duplicate-with-percent-taken', 'portal.orderCards', sentences.duplicateOrder, forgotten(/%/)],
  ['duplicate-with-apostrophe-taken', 'portal.orderCards', sentences.duplicateOrder, forgotten(/'/)],
  ['duplicate-with-accents-taken', 'portal.orderCards', sentences.duplicateOrder, forgotten(/[^\x20-\x7e]/)],
  ['duplicate-beyond-64-characters-taken', 'portal.orderCards', sentences.duplicateOrder, forgotten(/^.{65,}$/s)],
  ['duplicate-of-one-character-taken', 'portal.orderCards', sentences.duplicateOrder, forgotten(/^.$/)],
  ['duplicate-of-digits-taken', 'portal.orderCards', sentences.duplicateOrder, forgotten(/^\d+$/)],
  [
    'duplicate-other-info-with-percent-taken',
    'portal.orderCards',
    sentences.otherInfo,
    (c) =>
      overlook(c, 'portal.orderCards', 'other-info-duplicate', (x) =>
        orderedCards(x).some(({ otherInfo }) => /%/.test(String(otherInfo))),
      ),
  ],
  [
    'duplicate-other-info-with-accents-taken',
    'portal.orderCards',
    sentences.otherInfo,
    (c) =>
      overlook(c, 'portal.orderCards', 'other-info-duplicate', (x) =>
        orderedCards(x).some(({ otherInfo }) => /[^\x20-\x7e]/.test(String(otherInfo))),
      ),
  ],
];

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
  [
    'transfer-beyond-the-balance-by-a-cent-taken',
    'cards.transfer',
    sentences.transfer,
    (c) => overlook(c, 'cards.transfer', 'insufficient-funds', ({ card, cents }) => cents === card!.facts.cents + 1),
  ],
  [
    'transfer-beyond-the-balance-by-less-than-one-taken',
    'cards.transfer',
    sentences.transfer,
    (c) => overlook(c, 'cards.transfer', 'insufficient-funds', ({ card, cents }) => cents < card!.facts.cents + 100),
  ],
  [
    'transfer-beyond-the-balance-taken',
    'cards.transfer',
    sentences.transfer,
    (c) => overlook(c, 'cards.transfer', 'insufficient-funds'),
  ],
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
  [
    'transfer-of-zero-taken',
    'cards.transfer',
    sentences.transfer,
    (c) => overlook(c, 'cards.transfer', 'bad-amount', ({ content }) => content.amount === 0),
    'that an amount of zero is refused is not said',
  ],
  [
    'transfer-of-less-than-zero-taken',
    'cards.transfer',
    sentences.transfer,
    (c) => overlook(c, 'cards.transfer', 'bad-amount', ({ content }) => Number(content.amount) < 0),
  ],
  [
    'transfer-of-part-of-a-cent-taken',
    'cards.transfer',
    exact,
    (c) => overlook(c, 'cards.transfer', 'bad-amount', ({ content }) => Number(content.amount) > 0),
  ],
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
    'negative-longitude-refused',
    'portal.getATMLocation',
    'portal, getATMLocation: longitude is a string parameter',
    (c) => rule(c, 'portal.getATMLocation', ({ query }) => query.get('longitude')!.startsWith('-'), 400),
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
  [
    'max-of-one-gives-two',
    'users.list',
    'v3, GET customers, max',
    (c) => void Object.assign(c, { pageLength: (asked: number) => (asked === 1 ? 2 : asked) }),
  ],
];

/** Boundary and nasty values. */
export const boundaryFaults: Fault[] = spot(9, [...filters, ...people, ...orders, ...money, ...others]);
