import type { Choices } from '../choices.ts';
import { newCustomer } from '../seed.ts';
import { type Draft, type Fault, sentences, spot } from './fault.ts';

const limits: Draft[] = [
  ['max-of-51-gives-51', 'users.list', sentences.max, (c) => void Object.assign(c, { customersMost: 51 })],
  [
    'max-of-a-thousand-gives-all',
    'users.list',
    sentences.max,
    (c) => most(c, ({ query }) => query.get('max') === '1000'),
  ],
  [
    'max-unlimited-with-a-parent',
    'users.list',
    sentences.max,
    (c) => most(c, ({ query }) => query.has('parentIdentifier')),
  ],
  ['max-unlimited-with-a-name', 'users.list', sentences.max, (c) => most(c, ({ query }) => query.has('name'))],
  ['max-unlimited-on-page-two', 'users.list', sentences.max, (c) => most(c, ({ query }) => query.has('token'))],
  [
    'max-with-leading-zero-unlimited',
    'users.list',
    sentences.max,
    (c) => most(c, ({ query }) => /^0/.test(query.get('max') ?? '')),
  ],
  [
    'max-ignored-on-page-two',
    'users.list',
    'v3, GET customers: max selects how many per request',
    (c) => ignoredMax(c, 'users.list', ({ query }) => query.has('token')),
  ],
  [
    'max-ignored-with-a-card-filter',
    'cards.list',
    'v3, GET cards: max selects how many per request',
    (c) => ignoredMax(c, 'cards.list', ({ query }) => query.has('customerIdentifier')),
  ],
  [
    'cards-default-max-of-20',
    'cards.list',
    'v3, Limits: 50 records when max is not given',
    (c) => usual(c, 20),
    'a page may hold fewer, if it has a token for more',
  ],
];

type When = (x: Parameters<Choices['pageLength']>[1]) => boolean;

function most(c: Choices, when: When): void {
  c.pageLength = (asked, x) => (x.operation === 'users.list' && when(x) ? Number(x.query.get('max') ?? asked) : asked);
  c.created.push((world) => {
    for (let i = 0; i < 60; i++) newCustomer(world, c, world.home.children[0]!);
  });
}

function ignoredMax(c: Choices, operation: 'users.list' | 'cards.list', when: When): void {
  c.pageLength = (asked, x) => (x.operation === operation && when(x) ? Math.max(asked, 20) : asked);
}

function usual(c: Choices, length: number): void {
  c.pageLength = (asked, x) => (x.operation === 'cards.list' && !x.query.has('max') ? length : asked);
}

/** A limit is forgotten on another way to the same operation. */
export const limitFaults: Fault[] = spot(2, [...limits]);
