/** Faults of the listings of customers and cards: filters, pages, and what is listed. */
import type { Choices } from '../choices.ts';
import type { JsonObject } from '../json.ts';
import { cardShape } from '../shapes.ts';
import { onBody, onCards, onReply, overlook, recordsOf, succeeded } from '../tools.ts';
import { type Fault, instead, predicted, sentences } from './fault.ts';

const reads = 'v3, Endpoints: the answer is that for the parameters of the request';

/** Filters that are joined by "or". */
function joined(c: Choices): void {
  onBody(c, 'cards.list', (body, x) => {
    const given = ['customerIdentifier', 'externalIdentifier'].filter((name) => x.query.has(name));
    if (given.length < 2) return;
    const own = x.world.cards.filter(({ owner }) => owner.ours);
    const found = own.filter(
      (card) =>
        card.owner.identifier === x.query.get('customerIdentifier') ||
        card.externalIdentifier === x.query.get('externalIdentifier'),
    );
    body.results = found.slice(0, 50).map((card) => cardShape(card, x));
  });
}

const integers = 'v3, GET listing, max: integer';

export const listingFaults: Fault[] = predicted([
  [
    'two-card-filters-are-joined-by-or',
    2,
    'cards.list',
    'cards.list.filter-external',
    'v3, GET cards: each filter selects',
    joined,
  ],
  [
    'external-identifier-is-searched-for',
    2,
    'cards.list',
    'cards.list.filter-external',
    'v3, GET cards: externalIdentifier selects',
    (c) =>
      onBody(c, 'cards.list', (body, x) => {
        const wanted = x.query.get('externalIdentifier');
        if (wanted === null) return;
        const own = x.world.cards.filter(({ owner }) => owner.ours);
        const found = own.filter(({ externalIdentifier }) => externalIdentifier.startsWith(wanted.slice(0, 5)));
        body.results = found.slice(0, 50).map((card) => cardShape(card, x));
      }),
  ],
  [
    'order-filter-ignored-with-max-of-one',
    2,
    'cards.list',
    'cards.list.filter-order',
    'v3, GET cards: orderIdentifier selects',
    (c) =>
      onBody(c, 'cards.list', (body, x) => {
        if (x.query.has('orderIdentifier') && x.query.get('max') === '1')
          body.results = [cardShape(x.world.cards.find(({ owner }) => owner.ours)!, x)];
      }),
  ],
  [
    'childless-parent-gives-its-siblings',
    5,
    'users.list',
    'users.list.filter-parent',
    'v3, GET customers: parentIdentifier, parent customer to search within',
    (c) => {
      const usual = c.within;
      c.within = (parent) => (parent.children.length > 0 ? usual(parent) : (parent.parent?.children ?? []));
    },
  ],
  [
    'parent-and-name-are-joined-by-or',
    2,
    'users.list',
    'users.list.filter-name',
    'v3, GET customers: each filter selects',
    (c) => {
      const usual = c.nameContains;
      c.nameContains = (name, value, x) => x.query.has('parentIdentifier') || usual(name, value, x);
    },
  ],
  [
    'v1-identifier-with-a-parent-is-ignored',
    2,
    'users.list',
    'users.list.filter-v1-identifier',
    'v3, GET customers: v1Identifier selects',
    (c) => {
      c.before.push((x) => {
        if (x.operation === 'users.list' && x.query.has('parentIdentifier')) x.query.delete('v1Identifier');
        return undefined;
      });
    },
  ],
  [
    'small-pages-repeat-one',
    5,
    'users.list',
    'users.list.pagination-repeats-nobody',
    'v3, customerResults: the continuation token continues the listing',
    (c) => {
      let last: JsonObject | undefined;
      onBody(c, 'users.list', (body, { query }) => {
        const results = recordsOf(body, 'results');
        if (query.has('token') && Number(query.get('max')) < 20 && last) body.results = [last, ...results.slice(1)];
        last = results.at(-1);
      });
    },
  ],
  [
    'cards-in-the-middle-answer-as-their-neighbour',
    5,
    'cards.get',
    'cards.get.same-card',
    reads,
    (c) =>
      onCards(
        c,
        (record, { card, world }) => {
          if (card && card.n % 10 === 5) record.identifier = world.cards[card.n]?.identifier ?? record.identifier;
        },
        'cards.get',
      ),
  ],
  [
    'proxy-of-the-other-kind-found',
    2,
    'cards.get',
    'cards.get.by-proxy',
    'v3, GET card: isDigital says whether the proxy is a digital card',
    (c) => {
      c.before.push((x) => {
        if (x.operation === 'cards.get' && x.query.get('byProxy') === 'true') x.query.set('isDigital', 'false');
        return undefined;
      });
    },
  ],
  [
    'related-cards-of-another-customer-in-third-place',
    12,
    'cards.listRelated',
    'cards.listRelated.foreign',
    sentences.reach,
    (c) =>
      onBody(c, 'cards.listRelated', (body, x) => {
        const results = recordsOf(body, 'results');
        const foreign = x.world.cards.find(({ owner }) => !owner.ours)!;
        if (results.length > 1) body.results = [...results, cardShape(foreign, x)];
      }),
  ],
  [
    'fiftieth-customer-is-foreign',
    12,
    'users.list',
    'users.list.pagination-same-set',
    'v3, GET customers: the customers of the credentials',
    (c) =>
      onBody(c, 'users.list', (body, { world }) => {
        const results = recordsOf(body, 'results');
        const foreign = world.customers.find(({ ours }) => !ours)!;
        if (results.length >= 50) results[49] = { identifier: foreign.identifier };
        body.results = results;
      }),
    'the scope gives full access to user calls',
  ],
  [
    'max-as-a-word-with-a-filter-accepted',
    2,
    'cards.list',
    'cards.list.integer-parameters',
    integers,
    (c) => overlook(c, 'cards.list', 'bad-max', ({ query }) => query.size > 1),
  ],
  [
    'max-as-a-word-beside-a-name-accepted',
    2,
    'users.list',
    'users.list.integer-parameters',
    integers,
    (c) => overlook(c, 'users.list', 'bad-max', ({ query }) => query.has('name')),
  ],
  [
    'errors-of-a-bad-max-beside-a-filter-are-one-object',
    2,
    'cards.list',
    'cards.list.error-shape',
    'v3, Errors: error bodies are an array of error objects',
    (c) =>
      onReply(c, 'cards.list', (reply, { query }) => {
        if (reply.status === 400 && query.size > 1 && Array.isArray(reply.body)) reply.body = reply.body[0];
      }),
  ],
  [
    'errors-of-a-made-up-continuation-are-one-object',
    2,
    'users.list',
    'users.list.error-shape',
    'v3, Errors: error bodies are an array of error objects',
    (c) =>
      onReply(c, 'users.list', (reply, { query }) => {
        if (reply.status === 400 && query.has('token') && Array.isArray(reply.body)) reply.body = reply.body[0];
      }),
  ],
  [
    'max-beyond-int-answers-500',
    9,
    'users.list',
    'users.list.status',
    sentences.max,
    (c) =>
      instead(c, 'users.list', ({ query }) =>
        Number(query.get('max')) > 2_147_483_647 ? { status: 500, body: [] } : undefined,
      ),
  ],
  [
    'leaf-customers-are-not-found',
    5,
    'users.get',
    'users.get.required-only',
    'v3, GET one customer: 200 customer',
    (c) =>
      instead(c, 'users.get', ({ world, path }) => {
        const customer = world.customers.find(({ identifier }) => identifier === path.identifier);
        return customer?.ours && customer.children.length === 0 ? { status: 404, body: [] } : undefined;
      }),
  ],
  [
    'page-two-without-max-begins-again',
    2,
    'users.list',
    'users.list.pagination-repeats-nobody',
    'v3, customerResults: the continuation token continues the listing',
    (c) =>
      c.before.push(({ operation, query }) => {
        if (operation === 'users.list' && query.has('token') && !query.has('max')) query.delete('token');
        return undefined;
      }),
  ],
  [
    'order-filter-forgotten-beside-a-program',
    2,
    'cards.list',
    'cards.list.filter-order',
    'v3, GET cards: orderIdentifier selects',
    (c) =>
      c.before.push(({ operation, query }) => {
        if (operation === 'cards.list' && query.has('programIdentifier')) query.delete('orderIdentifier');
        return undefined;
      }),
  ],
  [
    'temporary-token-of-a-card-ends-with-the-next-one',
    6,
    'cards.createToken',
    'cards.get.by-token',
    'v3, GET token: creates a temporary token that identifies the card',
    (c) =>
      onReply(c, 'cards.createToken', (reply, { card, world }) => {
        if (!succeeded(reply) || !card) return;
        const tokens = world.cards.flatMap((other) => (other === card ? [] : other.temporaryTokens.splice(0)));
        card.temporaryTokens.push(...tokens);
      }),
  ],
  [
    'related-cards-of-foreign-kin',
    12,
    'cards.listRelated',
    'cards.listRelated.foreign',
    sentences.reach,
    (c) =>
      onBody(c, 'cards.listRelated', (body, x) => {
        const kin = x.world.cards.filter(({ owner, kin }) => !owner.ours && kin === x.card?.kin);
        body.results = [...recordsOf(body, 'results'), ...kin.map((card) => cardShape(card, x))];
      }),
    'few cards have kin elsewhere',
  ],
]);
