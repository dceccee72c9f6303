import type { Choices } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import { orderedCards, overlook, rule } from '../tools.ts';
import { type Draft, type Fault, overlooked, sentences, spot } from './fault.ts';

const born = 'portal, getCIPCheck body: dobMonth, dobDay and dobYear are a date';

const address = 'portal, Limits: getCIPCheck address at most 40 characters';

const unique =
  'portal, orderCards body: externalIdentifier is a unique value, orders with another one are not duplicates';

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
  ['cip-takes-300-characters', 'portal.getCIPCheck', address, taken((sent) => length(sent) > 255, 'address')],
  [
    'cip-takes-accents-beyond-forty',
    'portal.getCIPCheck',
    address,
    taken(({ address }) => String(address).replace(/[^\x20-\x7e]/g, '').length <= 40, 'address'),
  ],
  ['cip-takes-any-length', 'portal.getCIPCheck', address, taken(() => true, 'address')],
  [
    'cip-takes-a-zip-as-text',
    'portal.getCIPCheck',
    'portal, getCIPCheck body, zip: integer',
    taken(({ zip }) => typeof zip === 'string', 'zip'),
    'that texts of digits are refused is not said in so many words',
  ],
  overlooked('cip-takes-month-13', 'portal.getCIPCheck', born, 'bad-person', ({ content }) => content.dobMonth === 13),
  overlooked(
    'cip-takes-the-30th-of-february',
    'portal.getCIPCheck',
    born,
    'bad-person',
    ({ content }, field) => field === 'dobDay' && content.dobMonth === 2,
    'that the three parts have to be a date is not said in so many words',
  ),
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
  overlooked(
    'duplicate-other-info-with-percent-taken',
    'portal.orderCards',
    sentences.otherInfo,
    'other-info-duplicate',
    (x) => orderedCards(x).some(({ otherInfo }) => /%/.test(String(otherInfo))),
  ),
  overlooked(
    'duplicate-other-info-with-accents-taken',
    'portal.orderCards',
    sentences.otherInfo,
    'other-info-duplicate',
    (x) => orderedCards(x).some(({ otherInfo }) => /[^\x20-\x7e]/.test(String(otherInfo))),
  ),
];

/** Boundary and nasty values of identity checks and orders. */
export const boundaryPeopleFaults: Fault[] = spot(9, [...people, ...orders]);
