import type { Choices, Reply } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import { cardShape } from '../shapes.ts';
import { cardWrites, onBody, onCards, onReply, overlook, recordsOf, succeeded, tally } from '../tools.ts';
import type { Card } from '../world.ts';
import { type Attack, attacks } from './attack.ts';
import { type Fault, instead, sentences } from './fault.ts';

const anyToken = ['no-token', 'bad-token'] as const;
const cents = 'v3, POST transfer: moves funds from this card to the target card';
const provisioned = 'v3, POST wallet-provisioned: flags the card as provisioned to a mobile wallet';
const integers = 'v3, GET listing, max: integer';

const presented = ({ headers }: Exchange) => String(headers.authorization ?? '').replace(/^Bearer +/i, '');
const tokenOf = (x: Exchange) => x.world.tokens.find(({ value }) => value === presented(x));
const unauthorised = (): Reply => ({ status: 401, body: [{ errorCode: 'x' }] });

/** Refuses requests with a token that is good otherwise. */
function refuseToken(c: Choices, when: (x: Exchange, token: { issued: number; value: string }) => boolean): void {
  c.before.push((x) => {
    const token = x.operation === 'token.issue' ? undefined : tokenOf(x);
    return token && x.world.now() < token.expires && when(x, token) ? unauthorised() : undefined;
  });
}

const guard: Attack[] = [
  [
    'no-token-needed-for-a-plain-listing-of-cards',
    2,
    'cards.list',
    'cards.list.requires-token',
    sentences.token,
    (c) => overlook(c, 'cards.list', anyToken, ({ query }) => query.size === 0),
  ],
  [
    'no-token-needed-for-a-plain-listing-of-customers',
    2,
    'users.list',
    'users.list.requires-token',
    sentences.token,
    (c) => overlook(c, 'users.list', anyToken, ({ query }) => query.size === 0),
  ],
  [
    'no-token-needed-for-the-most-customers',
    2,
    'users.list',
    'users.list.requires-token',
    sentences.token,
    (c) => overlook(c, 'users.list', anyToken, ({ query }) => query.get('max') === '50'),
  ],
  [
    'no-token-needed-with-a-flag-of-false',
    2,
    'cards.get',
    'cards.get.requires-token',
    sentences.token,
    (c) => overlook(c, 'cards.get', anyToken, ({ query }) => query.get('byProxy') === 'false'),
  ],
  [
    'expired-token-good-for-a-plain-listing',
    8,
    'cards.list',
    'cards.list.requires-live-token',
    sentences.hour,
    (c) => overlook(c, 'cards.list', 'expired-token', ({ query }) => query.size === 0),
  ],
  [
    'expired-token-good-by-its-temporary-token',
    8,
    'cards.get',
    'cards.get.requires-live-token',
    sentences.hour,
    (c) => overlook(c, 'cards.get', 'expired-token', ({ query }) => query.get('byToken') === 'true'),
  ],
  [
    'bad-token-taken-the-fifth-time',
    6,
    'cards.get',
    'cards.get.requires-token',
    sentences.token,
    (c) => {
      const asked = new Map<string, number>();
      overlook(c, ['cards.get', 'cards.getBalance', 'users.get', 'users.list'], 'bad-token', (x) => {
        asked.set(presented(x), (asked.get(presented(x)) ?? 0) + 1);
        return asked.get(presented(x))! > 4;
      });
    },
    'which bad tokens come back is by chance',
  ],
  [
    'token-dies-unused-for-half-an-hour',
    8,
    'token.issue',
    'token.issue.lives-60-minutes',
    sentences.hour,
    (c) => {
      const used = new Map<string, number>();
      refuseToken(c, (x, { value, issued }) => x.world.now() - (used.get(value) ?? issued) > 1_800_000);
      c.before.push((x) => {
        const token = tokenOf(x);
        if (token) used.set(token.value, x.world.now());
        return undefined;
      });
    },
  ],
  [
    'old-tokens-do-not-change-cards',
    8,
    'token.issue',
    'token.issue.lives-60-minutes',
    sentences.hour,
    (c) =>
      refuseToken(
        c,
        (x, { issued }) =>
          (cardWrites as readonly string[]).includes(x.operation) && x.world.now() - issued > 1_800_000,
      ),
    'which operations a token of 59 minutes is tried on rotates',
  ],
  [
    'only-the-latest-four-tokens-live',
    6,
    'token.issue',
    'token.issue.earlier-token-lives',
    sentences.hour,
    (c) => refuseToken(c, ({ world }, { value }) => !world.tokens.slice(-4).some((token) => token.value === value)),
  ],
  [
    'secret-compared-up-to-an-ampersand',
    1,
    'token.issue',
    'token.issue.wrong-secret-refused',
    sentences.client,
    (c) => {
      c.isSecret = (given, secret) => given.split('&')[0] === secret.split('&')[0];
    },
  ],
];

const reach: Attack[] = [
  [
    'foreign-cards-listed-by-two-filters',
    2,
    'cards.list',
    'cards.list.foreign',
    sentences.reach,
    (c) => listForeign(c, (query) => query.has('programIdentifier')),
    'the foreign customer is asked for alone',
  ],
  [
    'foreign-cards-listed-without-max',
    2,
    'cards.list',
    'cards.list.foreign',
    sentences.reach,
    (c) => listForeign(c, (query) => !query.has('max')),
  ],
  [
    'foreign-card-shown-once-it-was-to-be-paid',
    6,
    'cards.get',
    'cards.get.foreign',
    sentences.reach,
    (c) => {
      const named = new Set<string>();
      c.before.push(({ operation, text }) => {
        const target = /"targetCardIdentifier"\s*:\s*"([^"]+)"/.exec(text)?.[1];
        if (operation === 'cards.transfer' && target) named.add(target);
        return undefined;
      });
      overlook(c, 'cards.get', 'card-out-of-reach', ({ path }) => named.has(path.identifier!));
    },
    'the order of the checks decides',
  ],
  [
    'foreign-cards-encrypted-with-a-nonce',
    2,
    'cards.encryptForVde',
    'cards.encryptForVde.foreign',
    sentences.reach,
    (c) => overlook(c, 'cards.encryptForVde', 'card-out-of-reach', ({ text }) => text.includes('nonce')),
  ],
  [
    'foreign-card-is-lost-to-its-other-customer',
    5,
    'cards.getStatus',
    'cards.getStatus.foreign',
    sentences.reach,
    (c) =>
      overlook(c, 'cards.getStatus', 'card-out-of-reach', ({ path, world }) => {
        const card = world.cards.find(({ identifier }) => identifier === path.identifier);
        return card?.owner.name === 'Rival Branch 2';
      }),
    'one of five foreign customers',
  ],
];

/** Lists the cards of a foreign customer that a filter names. */
function listForeign(c: Choices, when: (query: URLSearchParams) => boolean): void {
  onBody(c, 'cards.list', (body, x) => {
    const wanted = x.query.get('customerIdentifier');
    const theirs = x.world.cards.filter(({ owner }) => !owner.ours && owner.identifier === wanted);
    if (when(x.query) && theirs.length > 0) body.results = theirs.map((card) => cardShape(card, x));
  });
}

/** Moves another amount than was asked for. */
function moving(c: Choices, changed: (cents: number, x: Exchange) => number): void {
  c.between.push((x) => {
    if (x.operation === 'cards.transfer') x.cents = changed(x.cents, x);
  });
}

const sumOf = ({ world }: Exchange, { owner }: Card) =>
  world.cards.filter((card) => card.owner === owner).reduce((sum, { facts }) => sum + facts.cents, 0);

const money: Attack[] = [
  [
    'transfers-from-five-on-move-five',
    9,
    'cards.transfer',
    'cards.transfer.moves-amount',
    cents,
    (c) => moving(c, (sum) => (sum > 500 && sum <= 1000 ? 500 : sum)),
  ],
  [
    'transfers-of-seven-to-nine-move-one-less',
    9,
    'cards.transfer',
    'cards.transfer.moves-amount',
    cents,
    (c) => moving(c, (sum) => (sum >= 700 && sum < 1000 ? sum - 100 : sum)),
  ],
  [
    'transfers-with-a-comment-move-twice',
    2,
    'cards.transfer',
    'cards.transfer.moves-amount',
    cents,
    (c) => moving(c, (sum, { content }) => (content.comment ? 2 * sum : sum)),
  ],
  [
    'transfers-within-a-customer-are-not-debited',
    5,
    'cards.transfer',
    'cards.transfer.conserves-money',
    cents,
    (c) => {
      const usual = c.debit;
      c.debit = (card, sum, x) => {
        if (card.owner !== x.target?.owner) usual(card, sum, x);
      };
    },
    'two cards of the pool of one customer',
  ],
  [
    'first-card-of-a-customer-is-paid',
    5,
    'cards.transfer',
    'cards.transfer.moves-amount',
    cents,
    (c) =>
      onReply(c, 'cards.transfer', (reply, x) => {
        const first = x.world.cards.find(({ owner }) => owner === x.target?.owner)!;
        if (!succeeded(reply) || !x.target || first === x.target) return;
        x.world.pay(x.target, -x.cents);
        x.world.pay(first, x.cents);
      }),
  ],
  [
    'balances-are-those-of-the-customer',
    12,
    'cards.getBalance',
    'cards.transfer.moves-amount',
    'v3, GET balance: the current balance of the card',
    (c) => {
      onBody(c, 'cards.getBalance', (body, x) => {
        body.balance = sumOf(x, x.card!) / 100;
      });
      onCards(
        c,
        (record, x) => {
          if (x.card) record.balance = sumOf(x, x.card) / 100;
        },
        'cards.get',
      );
    },
    'shows where two cards of one customer pay each other',
  ],
  [
    'balance-shows-the-transfer-before',
    6,
    'cards.getBalance',
    'cards.transfer.moves-amount',
    'v3, GET balance: the current balance',
    (c) => {
      const before = new Map<Card, number>();
      c.between.push((x) => {
        if (x.operation !== 'cards.transfer') return;
        for (const card of [x.card, x.target]) if (card) before.set(card, card.facts.cents);
      });
      onBody(c, 'cards.getBalance', (body, { card }) => {
        if (card && before.has(card)) body.balance = before.get(card)! / 100;
      });
    },
  ],
  [
    'no-amount-beside-a-comment-moves-one',
    2,
    'cards.transfer',
    'cards.transfer.no-amount',
    'v3, POST transfer: JSON body cardTransferFunds, amount',
    (c) =>
      c.before.push((x) => {
        if (x.operation !== 'cards.transfer' || !x.text.includes('"comment"') || x.text.includes('"amount"'))
          return undefined;
        Object.assign(x, { text: x.text.replace('{', '{"amount":1,') });
        return undefined;
      }),
  ],
  [
    'no-target-beside-a-comment-pays-the-card-before',
    2,
    'cards.transfer',
    'cards.transfer.no-target',
    'v3, POST transfer: JSON body cardTransferFunds, targetCardIdentifier',
    (c) => {
      let last: string | undefined;
      c.before.push((x) => {
        if (x.operation !== 'cards.transfer') return undefined;
        const target = /"targetCardIdentifier"\s*:\s*"([^"]+)"/.exec(x.text)?.[1];
        if (!target && last && x.text.includes('"comment"'))
          Object.assign(x, { text: x.text.replace('{', `{"targetCardIdentifier":${JSON.stringify(last)},`) });
        last = target ?? last;
        return undefined;
      });
    },
  ],
];

const states: Attack[] = [
  [
    'unsuspended-cards-pay-once',
    6,
    'cards.unsuspend',
    'cards.unsuspend.pays-again',
    'v3, States: unsuspend applies to a suspended card',
    (c) => {
      const freed = new Map<Card, number>();
      onReply(c, 'cards.unsuspend', (reply, { card }) => {
        if (succeeded(reply) && card) freed.set(card, 0);
      });
      onReply(c, 'cards.transfer', (reply, { card }) => {
        if (succeeded(reply) && card && freed.has(card)) freed.set(card, freed.get(card)! + 1);
      });
      instead(c, 'cards.transfer', ({ world, path }) => {
        const card = world.cards.find(({ identifier }) => identifier === path.identifier);
        return card && (freed.get(card) ?? 0) > 0 ? { status: 409, body: [{ errorCode: 'x' }] } : undefined;
      });
    },
    'a refused transfer may have a rule of the target',
  ],
  [
    'suspension-ends-when-the-card-is-paid',
    7,
    'cards.transfer',
    'cards.suspend.not-active',
    sentences.suspended,
    (c) => {
      const meant = new Set<string>();
      c.before.push(({ operation, text, world }) => {
        const target = /"targetCardIdentifier"\s*:\s*"([^"]+)"/.exec(text)?.[1];
        const card = world.cards.find(({ identifier }) => identifier === target);
        if (operation === 'cards.transfer' && card?.facts.state === 'suspended') {
          meant.add(card.identifier);
          world.alter(card, (facts) => void Object.assign(facts, { state: 'active' }));
        }
        return undefined;
      });
    },
  ],
  [
    'close-of-an-empty-card-has-no-effect',
    7,
    'cards.close',
    'cards.close.not-active',
    'v3, POST close: closes the account',
    (c) =>
      onReply(c, 'cards.close', (reply, { card, world }) => {
        if (succeeded(reply) && card && card.facts.cents === 0)
          world.alter(card, (facts) => void Object.assign(facts, { state: 'active' }));
      }),
    'one card is closed a night',
  ],
  [
    'wallet-flag-lost-by-a-pin',
    7,
    'cards.markWalletProvisioned',
    'cards.markWalletProvisioned.provisioned',
    provisioned,
    (c) => unflagged(c, 'cards.setPin'),
  ],
  [
    'wallet-flag-lost-by-a-reissue',
    7,
    'cards.markWalletProvisioned',
    'cards.markWalletProvisioned.provisioned',
    provisioned,
    (c) => unflagged(c, 'cards.reissue'),
    'a reissued card may have to be provisioned again',
  ],
  [
    'wallet-flag-false-by-token',
    2,
    'cards.get',
    'cards.markWalletProvisioned.provisioned',
    provisioned,
    (c) =>
      onCards(
        c,
        (record, { query }) => {
          if (query.get('byToken') === 'true') record.isProvisionedToWallet = false;
        },
        'cards.get',
      ),
  ],
  [
    'wallet-flag-false-among-related',
    2,
    'cards.listRelated',
    'cards.markWalletProvisioned.provisioned',
    provisioned,
    (c) =>
      onCards(
        c,
        (record) => {
          record.isProvisionedToWallet = false;
        },
        'cards.listRelated',
      ),
    'needs a card that is related to the one provisioned',
  ],
];

/** Forgets that a card is in a wallet. */
function unflagged(c: Choices, operation: 'cards.setPin' | 'cards.reissue'): void {
  onReply(c, operation, (reply, { card, world }) => {
    if (succeeded(reply) && card) world.alter(card, (facts) => void Object.assign(facts, { provisioned: undefined }));
  });
}

const listings: Attack[] = [
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
    'second-read-of-a-balance-leaves-out-its-member',
    6,
    'cards.getBalance',
    'cards.getBalance.shape',
    'v3, Other shapes: balance',
    (c) => {
      const read = tally(c, 'cards.getBalance', ({ path }) => path.identifier);
      onBody(c, 'cards.getBalance', (body, x) => {
        if (read(x) === 6) delete body.balance;
      });
    },
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
];

/** What the documents say sentence by sentence, and what one representative of each leaves open; written down before anything was run. */
export const furtherV3Faults: Fault[] = attacks([...guard, ...reach, ...money, ...states, ...listings]);
