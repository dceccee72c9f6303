import type { Choices, Reply } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import type { JsonObject } from '../json.ts';
import type { OperationId } from '../operation-ids.ts';
import { cardShape } from '../shapes.ts';
import { onBody, onCards, onReply, overlook, recordsOf, sleep, succeeded, tally } from '../tools.ts';
import type { Customer } from '../world.ts';
import { familyOf } from '../world.ts';
import { type Fault, instead, sentences } from './fault.ts';

/** A fault with the requirement that it is expected to break. */
export type Attack = [
  id: string,
  blindSpot: number,
  operation: OperationId,
  expects: string,
  breaks: string,
  change: (c: Choices) => void,
  doubt?: string,
];

export const attacks = (drafts: readonly Attack[]): Fault[] =>
  drafts.map(([id, blindSpot, operation, expects, breaks, change, doubt]) => {
    return { id, operation, breaks, blindSpot, expects, change, ...(doubt ? { doubt } : {}) };
  });

const cardOf = ({ path }: Exchange) => path.identifier;
const money = 'v3, POST transfer: moves funds from this card to the target card';
const reads = 'v3, Endpoints: the answer is that for the parameters of the request';
const shapes = 'v3, Resources: each field has its type';

/** Answers a request as it was answered shortly before, whoever asks. */
export function cached(c: Choices, operation: OperationId, key: (x: Exchange) => string): void {
  const known = new Map<string, Reply>();
  instead(c, operation, (x) => known.get(key(x)));
  onReply(c, operation, (reply, x) => {
    if (succeeded(reply)) known.set(key(x), { ...reply });
  });
}

const keyed = (x: Exchange) => `${JSON.stringify(x.path)}?${x.query}`;

/** The n-th time that an operation is carried out, counted for each card. */
const times = (c: Choices, operation: OperationId) => tally(c, operation, cardOf);

const tokens: Attack[] = (
  ['users.get', 'cards.listRelated', 'cards.list', 'users.list', 'cards.getStatus', 'cards.get'] as const
).map((operation) => [
  `cache-asks-for-no-token-${operation.replace('.', '-').toLowerCase()}`,
  1,
  operation,
  `${operation}.requires-token`,
  sentences.token,
  (c) => cached(c, operation, keyed),
]);

const guard: Attack[] = [
  [
    'token-lives-on-when-it-is-used',
    8,
    'token.issue',
    'token.issue.ends-after-60-minutes',
    sentences.hour,
    (c) => {
      c.before.push(({ headers, world, operation }) => {
        const used = world.tokens.find(({ value }) => headers.authorization?.endsWith(value));
        if (used && operation !== 'token.issue' && used.expires > world.now()) used.expires = world.now() + 3_600_000;
        return undefined;
      });
    },
  ],
  [
    'tokens-live-on-when-another-is-issued',
    8,
    'token.issue',
    'token.issue.ends-after-60-minutes',
    sentences.hour,
    (c) =>
      onReply(c, 'token.issue', (reply, { world }) => {
        if (succeeded(reply))
          for (const one of world.tokens) if (one.expires > world.now()) one.expires = world.now() + 3_600_000;
      }),
  ],
  [
    'expired-token-good-for-temporary-tokens',
    8,
    'cards.createToken',
    'cards.createToken.requires-live-token',
    sentences.hour,
    (c) => overlook(c, 'cards.createToken', 'expired-token'),
  ],
  [
    'expired-token-good-after-a-good-one-for-the-same-card',
    8,
    'cards.getBalance',
    'cards.getBalance.requires-live-token',
    sentences.hour,
    (c) => {
      const asked = times(c, 'cards.getBalance');
      overlook(c, 'cards.getBalance', 'expired-token', (x) => asked(x) > 0);
    },
  ],
  [
    'no-token-needed-for-a-large-body',
    2,
    'cards.transfer',
    'cards.transfer.requires-token',
    sentences.token,
    (c) => overlook(c, 'cards.transfer', ['no-token', 'bad-token'], ({ text }) => text.length > 1000),
    'bodies are small',
  ],
  [
    'no-token-needed-for-a-json-content-type',
    2,
    'cards.suspend',
    'cards.suspend.requires-token',
    sentences.token,
    (c) =>
      overlook(
        c,
        'cards.suspend',
        ['no-token', 'bad-token'],
        ({ headers }) => !!headers['content-type']?.includes('json'),
      ),
    'suspend has no body',
  ],
  [
    'no-token-needed-for-both-filters',
    2,
    'cards.list',
    'cards.list.requires-token',
    sentences.token,
    (c) => overlook(c, 'cards.list', ['no-token', 'bad-token'], ({ query }) => query.size > 3),
    'more than two filters at once',
  ],
  [
    'token-taken-with-another-one-behind-it',
    1,
    'cards.createToken',
    'cards.createToken.requires-token',
    sentences.token,
    (c) =>
      overlook(c, 'cards.createToken', 'bad-token', ({ headers, world }) =>
        world.tokens.some(({ value }) => headers.authorization?.includes(value)),
      ),
  ],
  [
    'secret-of-the-first-eight-characters',
    1,
    'token.issue',
    'token.issue.wrong-secret-refused',
    sentences.client,
    (c) =>
      overlook(
        c,
        'token.issue',
        'bad-client',
        (x, field) =>
          field === 'client_secret' &&
          (new URLSearchParams(x.text).get('client_secret') ?? '').startsWith(x.world.client.secret.slice(0, 8)),
      ),
  ],
  [
    'foreign-card-shown-by-a-trailing-slash-of-its-token',
    2,
    'cards.createToken',
    'cards.createToken.foreign',
    sentences.reach,
    (c) => {
      const asked = times(c, 'cards.createToken');
      overlook(c, 'cards.createToken', 'card-out-of-reach', (x) => asked(x) > 0);
    },
    'needs a foreign card that was reached before',
  ],
  [
    'foreign-card-reached-the-second-time',
    6,
    'cards.getStatus',
    'cards.getStatus.foreign',
    sentences.reach,
    (c) => {
      const seen = new Map<string, number>();
      overlook(c, 'cards.getStatus', 'card-out-of-reach', ({ path }) => {
        seen.set(path.identifier!, (seen.get(path.identifier!) ?? 0) + 1);
        return seen.get(path.identifier!)! > 1;
      });
    },
  ],
];

const transfers: Attack[] = [
  [
    'whole-balance-leaves-a-cent',
    9,
    'cards.transfer',
    'cards.transfer.conserves-money',
    money,
    (c) => void Object.assign(c, { debit: spend((card, cents) => (card.cents === cents ? cents - 1 : cents)) }),
  ],
  [
    'cents-are-not-debited',
    9,
    'cards.transfer',
    'cards.transfer.conserves-money',
    money,
    (c) => void Object.assign(c, { debit: spend((_card, cents) => cents - (cents % 100)) }),
  ],
  [
    'every-tenth-transfer-costs-a-cent',
    10,
    'cards.transfer',
    'cards.transfer.moves-amount',
    money,
    (c) => {
      let count = 0;
      c.debit = (card, cents, x) => {
        count += 1;
        x.world.pay(card, -cents - (count % 10 === 0 ? 1 : 0));
      };
    },
  ],
  [
    'amounts-of-ten-and-more-cost-one',
    9,
    'cards.transfer',
    'cards.transfer.moves-amount',
    money,
    (c) => void Object.assign(c, { debit: spend((_card, cents) => (cents >= 1000 ? cents + 100 : cents)) }),
  ],
  [
    'money-goes-to-the-target-of-the-transfer-before',
    6,
    'cards.transfer',
    'cards.transfer.moves-amount',
    money,
    (c) => {
      const last = new Map<unknown, Exchange['target']>();
      onReply(c, 'cards.transfer', (reply, x) => {
        if (!succeeded(reply)) return;
        const before = last.get(x.card);
        if (before && before !== x.target) {
          x.world.pay(x.target!, -x.cents);
          x.world.pay(before, x.cents);
        }
        last.set(x.card, x.target);
      });
    },
  ],
  ['same-transfer-again-is-not-made', 6, 'cards.transfer', 'cards.transfer.repeated', money, (c) => forgets(c, 1)],
  [
    'same-transfer-the-third-time-is-not-made',
    6,
    'cards.transfer',
    'cards.transfer.repeated',
    money,
    (c) => forgets(c, 2),
  ],
  [
    'transfers-at-once-in-opposite-directions-lose-one',
    3,
    'cards.transfer',
    'cards.transfer.simultaneous',
    money,
    (c) => {
      const under = new Set<string>();
      c.between.push(async (x) => {
        if (x.operation !== 'cards.transfer') return;
        const way = `${x.card!.n} ${x.target!.n}`;
        const isCrossed = under.has(`${x.target!.n} ${x.card!.n}`);
        under.add(way);
        await sleep(40);
        under.delete(way);
        if (isCrossed) x.cents = 0;
      });
    },
    'opposite directions at the same moment are not tried',
  ],
  [
    'transfers-at-once-from-two-cards-credit-one',
    3,
    'cards.transfer',
    'cards.transfer.simultaneous',
    money,
    (c) => {
      const under = new Map<number, number>();
      c.between.push(async (x) => {
        if (x.operation !== 'cards.transfer') return;
        const other = under.get(x.target!.n);
        under.set(x.target!.n, x.card!.n);
        await sleep(40);
        under.delete(x.target!.n);
        if (other !== undefined && other !== x.card!.n) x.world.pay(x.target!, -x.cents);
      });
    },
    'needs a third card',
  ],
  [
    'half-a-cent-is-credited-as-a-whole-one',
    9,
    'cards.transfer',
    'cards.transfer.conserves-money',
    money,
    (c) => {
      overlook(c, 'cards.transfer', 'bad-amount', ({ content }) => Number(content.amount) > 0);
      c.debit = (card, cents, x) =>
        x.world.pay(card, -Math.min(cents, Math.floor(Number(x.content.amount) * 100 + 1e-6)));
    },
  ],
  [
    'a-cent-below-zero-is-taken-from-the-target',
    9,
    'cards.transfer',
    'cards.transfer.negative-amount',
    money,
    (c) => overlook(c, 'cards.transfer', 'bad-amount', ({ content }) => Number(content.amount) === -0.01),
  ],
  [
    'five-custom-fields-answer-500',
    9,
    'cards.transfer',
    'cards.transfer.status',
    'v3, cardTransferFunds: customFields are strings customField1 to customField5',
    (c) =>
      instead(c, 'cards.transfer', (x) => {
        const { customFields } = x.json();
        return Object.keys((customFields ?? {}) as JsonObject).length > 4 ? { status: 500, body: [] } : undefined;
      }),
  ],
  [
    'comment-of-256-characters-answers-500',
    9,
    'cards.transfer',
    'cards.transfer.status',
    'v3, cardTransferFunds: comment is a string',
    (c) =>
      instead(c, 'cards.transfer', (x) =>
        String(x.json().comment ?? '').length === 256 ? { status: 500, body: [] } : undefined,
      ),
  ],
  [
    'comment-is-echoed-in-latin-1',
    9,
    'cards.transfer',
    'cards.transfer.shape',
    'v3, Resources: all bodies are JSON',
    (c) =>
      onReply(c, 'cards.transfer', (reply) => {
        const text = JSON.stringify(reply.body ?? {});
        if (succeeded(reply) && /[\u0080-\u00ff]/.test(text)) reply.bytes = Buffer.from(text, 'latin1');
      }),
  ],
  [
    'answered-amount-is-that-of-the-transfer-before',
    12,
    'cards.transfer',
    'cards.transfer.amount-answered',
    money,
    (c) => {
      let before: JsonObject[string];
      onBody(c, 'cards.transfer', (body) => {
        [body.amount, before] = [before ?? body.amount, body.amount];
      });
    },
  ],
  [
    'suspended-cards-spend-the-second-time',
    7,
    'cards.transfer',
    'cards.suspend.stops-payments',
    sentences.suspended,
    (c) => {
      const asked = new Map<unknown, number>();
      overlook(c, 'cards.transfer', 'cannot-spend', ({ card }) => {
        asked.set(card, (asked.get(card) ?? 0) + 1);
        return asked.get(card)! > 1;
      });
    },
  ],
  [
    'suspended-cards-spend-what-they-paid-before',
    7,
    'cards.transfer',
    'cards.suspend.stops-payments',
    sentences.suspended,
    (c) => {
      const paid = tally(c, 'cards.transfer', ({ card, target, cents }) => `${card?.n} ${target?.n} ${cents}`);
      overlook(c, 'cards.transfer', 'cannot-spend', (x) => x.card!.facts.state === 'suspended' && paid(x) > 0);
    },
  ],
  [
    'balances-are-whole-from-a-hundred-on',
    9,
    'cards.getBalance',
    'cards.transfer.moves-amount',
    'v3, GET balance: the current balance',
    (c) =>
      onBody(c, 'cards.getBalance', (body) => {
        if (Number(body.balance) >= 100) body.balance = Math.floor(Number(body.balance));
      }),
  ],
];

function spend(paid: (card: { cents: number }, cents: number) => number): Choices['debit'] {
  return (card, cents, x) => x.world.pay(card, -paid(card.facts, cents));
}

/** After so many transfers that are alike, a further one is answered without being made. */
function forgets(c: Choices, after: number): void {
  const made = new Map<string, number>();
  onReply(c, 'cards.transfer', (reply, { card, target, cents, world, content }) => {
    if (!succeeded(reply)) return;
    const key = `${card!.n} ${target!.n} ${cents} ${content.comment ?? ''}`;
    const count = made.get(key) ?? 0;
    made.set(key, count + 1);
    if (count < after) return;
    world.pay(card!, cents);
    world.pay(target!, -cents);
  });
}

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

const depthOf = (customer: Customer): number => (customer.parent ? 1 + depthOf(customer.parent) : 0);

const listings: Attack[] = [
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
    'page-of-fifty-leaves-out-one-later-on',
    5,
    'users.list',
    'users.list.pagination-same-set',
    'v3, customerResults: the continuation token continues the listing',
    (c) =>
      onBody(c, 'users.list', (body, { query }) => {
        if (query.has('token') && query.get('max') === '50') body.results = recordsOf(body, 'results').slice(1);
      }),
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
    'third-level-customer-answers-as-its-parent',
    5,
    'users.get',
    'users.get.same-customer',
    reads,
    (c) =>
      onBody(c, 'users.get', (body, { customer }) => {
        if (customer?.parent && depthOf(customer) > 1) body.identifier = customer.parent.identifier;
      }),
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
];

const answers: Attack[] = [
  [
    'balance-of-zero-is-text',
    9,
    'cards.getBalance',
    'cards.getBalance.shape',
    shapes,
    (c) => textBalance(c, (n) => n === 0),
  ],
  [
    'whole-balances-are-text',
    9,
    'cards.getBalance',
    'cards.getBalance.shape',
    shapes,
    (c) => textBalance(c, Number.isInteger),
  ],
  [
    'status-of-a-suspended-card-is-text',
    7,
    'cards.getStatus',
    'cards.getStatus.shape',
    shapes,
    (c) =>
      onBody(c, 'cards.getStatus', (body, { card }) => {
        if (card?.facts.state === 'suspended') body.status = 'Suspended';
      }),
  ],
  [
    'status-of-a-closed-card-is-missing',
    7,
    'cards.getStatus',
    'cards.getStatus.shape',
    'v3, Other shapes: status',
    (c) =>
      onBody(c, 'cards.getStatus', (body, { card }) => {
        if (card?.facts.state === 'closed') delete body.status;
      }),
  ],
  [
    'provisioned-date-is-no-time',
    7,
    'cards.get',
    'cards.get.shape',
    'v3, card: provisionedDate is a date-time',
    (c) =>
      onCards(c, (record) => {
        if (record.provisionedDate) record.provisionedDate = 'today';
      }),
  ],
  [
    'last-update-of-a-reissued-card-is-a-number',
    7,
    'cards.get',
    'cards.get.shape',
    'v3, card: lastUpdateDate is a date-time',
    (c) => {
      const printed = times(c, 'cards.reissue');
      onCards(
        c,
        (record, x) => {
          if (printed(x) > 0) record.lastUpdateDate = 1;
        },
        'cards.get',
      );
    },
  ],
  [
    'second-suspension-answers-201',
    6,
    'cards.suspend',
    'cards.suspend.status',
    'v3, POST suspend: 200 no body',
    (c) => later(c, 'cards.suspend', { status: 201 }),
  ],
  [
    'second-unsuspension-answers-a-body',
    6,
    'cards.unsuspend',
    'cards.unsuspend.shape',
    'v3, POST unsuspend: 200 no body',
    (c) => later(c, 'cards.unsuspend', { status: 200, body: {} }),
  ],
  [
    'second-temporary-token-answers-200',
    6,
    'cards.createToken',
    'cards.createToken.status',
    'v3, GET token: 201',
    (c) => later(c, 'cards.createToken', { status: 200 }),
  ],
  [
    'second-payload-is-not-given',
    6,
    'cards.encryptForVde',
    'cards.encryptForVde.shape',
    'v3, POST encrypt-for-vde: encryptedPayload',
    (c) => later(c, 'cards.encryptForVde', { status: 201, body: {} }),
  ],
  [
    'errors-of-a-look-up-by-proxy-are-one-object',
    2,
    'cards.get',
    'cards.get.error-shape',
    'v3, Errors: error bodies are an array of error objects',
    (c) => {
      c.statuses['proxy-incomplete'] = 400;
      onReply(c, 'cards.get', (reply) => {
        if (reply.status === 400 && Array.isArray(reply.body)) reply.body = reply.body[0];
      });
    },
  ],
  [
    'errors-of-a-transfer-without-body-are-text',
    2,
    'cards.transfer',
    'cards.transfer.error-shape',
    'v3, Errors: error bodies are an array of error objects',
    (c) =>
      onReply(c, 'cards.transfer', (reply, { text }) => {
        if (reply.status === 400 && text === '') reply.body = ['no body'];
      }),
  ],
  [
    'base64-nonces-are-refused',
    9,
    'cards.encryptForVde',
    'cards.encryptForVde.nonce-accepted',
    'v3, encryption request: nonce is a string',
    (c) =>
      c.rules.push({
        operations: ['cards.encryptForVde'],
        broken: ({ content }) => /[+/=]/.test(String(content.nonce)),
      }),
    'one form of a nonce is enough',
  ],
  [
    'permissions-of-both-answer-500',
    9,
    'users.setPermissions',
    'users.setPermissions.any-members-accepted',
    'v3, PUT permissions: customerPermissions, all fields optional',
    (c) =>
      instead(c, 'users.setPermissions', (x) =>
        Object.keys(x.json()).length > 1 ? { status: 500, body: [] } : undefined,
      ),
  ],
  [
    'permission-of-false-answers-400',
    9,
    'users.setPermissions',
    'users.setPermissions.any-members-accepted',
    'v3, PUT permissions: canSearchSpends is a boolean',
    (c) =>
      c.rules.push({
        operations: ['users.setPermissions'],
        broken: (x) => x.json().canSearchSpends === false,
        status: 400,
      }),
    'the fixture says which values are to be restored',
  ],
  [
    'pin-that-begins-with-zero-answers-500',
    9,
    'cards.setPin',
    'cards.setPin.status',
    'v3, updatePin: pin is a string',
    (c) =>
      instead(c, 'cards.setPin', (x) => (String(x.json().pin).startsWith('0') ? { status: 500, body: [] } : undefined)),
  ],
  [
    'balance-read-of-a-suspended-card-frees-it',
    4,
    'cards.getBalance',
    'cards.suspend.not-active',
    sentences.suspended,
    (c) =>
      onReply(c, 'cards.getBalance', (_reply, { card, world }) => {
        if (card?.facts.state === 'suspended')
          world.alter(card, (facts) => void Object.assign(facts, { state: 'active' }));
      }),
  ],
  [
    'refused-activation-freezes-an-active-card',
    4,
    'cards.activate',
    'cards.activate.requires-token',
    'v3, What the service does: every call but the token call requires an access token',
    (c) =>
      onReply(c, 'cards.activate', (reply, { path, world }) => {
        const card = world.cards.find(({ identifier }) => identifier === path.identifier);
        if (reply.status === 401 && card?.facts.state === 'unused')
          world.alter(card, (facts) => void Object.assign(facts, { state: 'lost' }));
      }),
  ],
  [
    'close-leaves-the-home-branch-open',
    5,
    'cards.close',
    'cards.close.not-active',
    'v3, POST close: closes the account',
    (c) =>
      onReply(c, 'cards.close', (reply, { card, world }) => {
        if (succeeded(reply) && card && familyOf(world.home)[10] === card.owner)
          world.alter(card, (facts) => void Object.assign(facts, { state: 'active' }));
      }),
    'cards of one customer only',
  ],
];

function textBalance(c: Choices, isMeant: (balance: number) => boolean): void {
  onBody(c, 'cards.getBalance', (body) => {
    if (isMeant(Number(body.balance))) body.balance = String(body.balance);
  });
}

/** From the second success for a card on. */
function later(c: Choices, operation: OperationId, changed: Partial<Reply>): void {
  const done = new Map<unknown, number>();
  onReply(c, operation, (reply, x) => {
    if (!succeeded(reply)) return;
    const count = done.get(cardOf(x)) ?? 0;
    done.set(cardOf(x), count + 1);
    if (count > 0) Object.assign(reply, changed);
  });
}

/** What an attacker does to the users and cards interface, written down with what is to condemn it before anything was run. */
export const attackFaults: Fault[] = attacks([...tokens, ...guard, ...transfers, ...listings, ...answers]);
