/** Faults of who is let in to users and cards, and of what they reach. */
import type { Choices, Reply } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import type { OperationId } from '../operation-ids.ts';
import { cardShape } from '../shapes.ts';
import { cardWrites, onBody, onReply, overlook, succeeded, tally } from '../tools.ts';
import { cached, type Fault, type Prediction, predicted, sentences } from './fault.ts';

const cardOf = ({ path }: Exchange) => path.identifier;

/** The n-th time that an operation is carried out, counted for each card. */
const times = (c: Choices, operation: OperationId) => tally(c, operation, cardOf);
const anyToken = ['no-token', 'bad-token'] as const;
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

/** Lists the cards of a foreign customer that a filter names. */
function listForeign(c: Choices, when: (query: URLSearchParams) => boolean): void {
  onBody(c, 'cards.list', (body, x) => {
    const wanted = x.query.get('customerIdentifier');
    const theirs = x.world.cards.filter(({ owner }) => !owner.ours && owner.identifier === wanted);
    if (when(x.query) && theirs.length > 0) body.results = theirs.map((card) => cardShape(card, x));
  });
}

const keyed = (x: Exchange) => `${JSON.stringify(x.path)}?${x.query}`;

/** Caches before the guard, which answer whoever asks. */
const caches: Prediction[] = (
  ['users.get', 'cards.listRelated', 'cards.list', 'users.list', 'cards.getStatus', 'cards.get'] as const
).map((operation) => [
  `cache-asks-for-no-token-${operation.replace('.', '-').toLowerCase()}`,
  1,
  operation,
  `${operation}.requires-token`,
  sentences.token,
  (c) => cached(c, operation, keyed),
]);

export const accessFaults: Fault[] = predicted([
  ...caches,
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
    'no-token-needed-for-a-large-body',
    2,
    'cards.transfer',
    'cards.transfer.requires-token',
    sentences.token,
    (c) => overlook(c, 'cards.transfer', ['no-token', 'bad-token'], ({ text }) => text.length > 1000),
    'bodies are small',
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
    'no-token-needed-for-the-most-customers',
    2,
    'users.list',
    'users.list.requires-token',
    sentences.token,
    (c) => overlook(c, 'users.list', anyToken, ({ query }) => query.get('max') === '50'),
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
]);
