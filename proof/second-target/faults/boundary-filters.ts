import type { Choices, Reply } from '../choices.ts';
import type { OperationId } from '../operation-ids.ts';
import { type Draft, type Fault, instead, spot } from './fault.ts';

const named = 'v3, GET customers, name: customers whose name contains the value';

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

/** Boundary and nasty values of filters. */
export const boundaryFilterFaults: Fault[] = spot(9, [...filters]);
