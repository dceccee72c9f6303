import type { Choices } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import type { Reason } from '../reasons.ts';
import { onReply, orderedCards, overlook, rule, succeeded } from '../tools.ts';
import { type Draft, type Fault, overlooked, sentences, spot } from './fault.ts';

type Kind = { reason: Reason; breaks: string; values(x: Exchange): string[] };

const kinds: Record<string, Kind> = {
  order: {
    reason: 'order-duplicate',
    breaks: sentences.duplicateOrder,
    values: ({ content }) => [String(content.externalIdentifier)],
  },
  'other-info': {
    reason: 'other-info-duplicate',
    breaks: sentences.otherInfo,
    values: (x) => orderedCards(x).map(({ otherInfo }) => String(otherInfo)),
  },
  load: {
    reason: 'load-duplicate',
    breaks: sentences.load,
    values: (x) => orderedCards(x).map(({ externalIdentifier }) => String(externalIdentifier)),
  },
};

/** Forgets duplicates unless they are known to a memory of orders that were made. */
function remembering(
  c: Choices,
  kind: Kind,
  known: (made: { x: Exchange; values: string[] }[], values: string[], x: Exchange) => boolean,
): void {
  const made: { x: Exchange; values: string[] }[] = [];
  overlook(c, 'portal.orderCards', kind.reason, (x) => !known(made, kind.values(x), x));
  onReply(c, 'portal.orderCards', (reply, x) => {
    if (succeeded(reply)) made.push({ x, values: kind.values(x) });
  });
}

const shares = (values: string[]) => (other: { values: string[] }) =>
  other.values.some((value) => values.includes(value));

const forms: Record<string, Parameters<typeof remembering>[2]> = {
  'checked-against-the-latest-only': (made, values) => made.slice(-1).some(shares(values)),
  'checked-against-the-latest-two-only': (made, values) => made.slice(-2).some(shares(values)),
  'checked-against-the-first-only': (made, values) => made.slice(0, 1).some(shares(values)),
  'checked-within-a-session-only': (made, values, { session }) =>
    made.filter(({ x }) => x.session?.id === session?.id).some(shares(values)),
  'checked-among-equal-names-only': (made, values, x) =>
    made.filter((other) => orderedCards(other.x)[0]?.lastName === orderedCards(x)[0]?.lastName).some(shares(values)),
  'checked-among-equal-counts-only': (made, values, x) =>
    made.filter((other) => orderedCards(other.x).length === orderedCards(x).length).some(shares(values)),
  'checked-among-equal-addresses-only': (made, values, x) =>
    made.filter((other) => other.x.content.address1 === x.content.address1).some(shares(values)),
};

function refusedOnce(reason: Reason, times: number): (c: Choices) => void {
  return (c) => {
    const refused = new Map<string, number>();
    overlook(c, 'portal.orderCards', reason, (x) => {
      const value = JSON.stringify([
        x.content.externalIdentifier,
        orderedCards(x).map((card) => [card.otherInfo, card.externalIdentifier]),
      ]);
      const count = (refused.get(value) ?? 0) + 1;
      refused.set(value, count);
      return count > times;
    });
  };
}

const duplicates = Object.entries(kinds).flatMap(([name, kind]): Draft[] => [
  ...Object.entries(forms).map(
    ([form, known]): Draft => [`${name}-${form}`, 'portal.orderCards', kind.breaks, (c) => remembering(c, kind, known)],
  ),
  [`third-duplicate-of-${name}-taken`, 'portal.orderCards', kind.breaks, refusedOnce(kind.reason, 1)],
  [`fourth-duplicate-of-${name}-taken`, 'portal.orderCards', kind.breaks, refusedOnce(kind.reason, 2)],
  overlooked(`duplicate-of-${name}-taken`, 'portal.orderCards', kind.breaks, kind.reason),
]);

function everyProgram(c: Choices): void {
  const seen = new Map<string, unknown>();
  rule(c, 'portal.orderCards', ({ content, program }) => {
    const first = seen.get(String(content.externalIdentifier));
    return !!content.externalIdentifier && first !== undefined && first !== program;
  });
  onReply(c, 'portal.orderCards', (reply, { content, program }) => {
    if (succeeded(reply)) seen.set(String(content.externalIdentifier), program);
  });
}

const single = 'v3, encryption request: a nonce is usable once';
const twice = 'that a target refuses a nonce sent again is not said in so many words';

const others: Draft[] = [
  [
    'order-identifiers-shared-by-all-programs',
    'portal.orderCards',
    'portal, orderCards body: externalIdentifier is checked per program',
    everyProgram,
  ],
  [
    'order-duplicate-taken-after-an-order-of-another-program',
    'portal.orderCards',
    sentences.duplicateOrder,
    (c) => {
      let latest: unknown;
      overlook(c, 'portal.orderCards', 'order-duplicate', ({ program }) => latest !== program);
      onReply(c, 'portal.orderCards', (reply, { program }) => {
        if (succeeded(reply)) latest = program;
      });
    },
  ],
  [
    'order-duplicate-taken-after-a-refused-order',
    'portal.orderCards',
    sentences.duplicateOrder,
    (c) => {
      let refused = false;
      overlook(c, 'portal.orderCards', 'order-duplicate', () => refused);
      onReply(c, 'portal.orderCards', (reply) => {
        refused = !succeeded(reply);
      });
    },
  ],
  [
    'order-duplicate-taken-after-logout',
    'portal.orderCards',
    sentences.duplicateOrder,
    (c) => {
      let out = false;
      overlook(c, 'portal.orderCards', 'order-duplicate', () => out);
      onReply(c, 'portal.logout', () => {
        out = true;
      });
    },
  ],
  [
    'order-duplicate-taken-with-another-type',
    'portal.orderCards',
    sentences.duplicateOrder,
    (c) =>
      remembering(c, kinds.order!, (made, values, x) =>
        made.filter((other) => other.x.content.orderProdType === x.content.orderProdType).some(shares(values)),
      ),
  ],
  [
    'load-duplicate-taken-with-another-order-identifier',
    'portal.orderCards',
    sentences.load,
    (c) =>
      remembering(c, kinds.load!, (made, values, x) =>
        made
          .filter((other) => other.x.content.externalIdentifier === x.content.externalIdentifier)
          .some(shares(values)),
      ),
  ],
  [
    'load-duplicate-taken-with-another-amount',
    'portal.orderCards',
    sentences.load,
    (c) =>
      remembering(c, kinds.load!, (made, values, x) =>
        made.filter((other) => orderedCards(other.x)[0]?.amount === orderedCards(x)[0]?.amount).some(shares(values)),
      ),
  ],
  overlooked(
    'nonce-compared-with-the-latest-only',
    'cards.encryptForVde',
    single,
    'nonce-used',
    ({ card, content }) => card!.nonces.at(-1) !== content.nonce,
    twice,
  ),
  [
    'nonce-taken-the-third-time',
    'cards.encryptForVde',
    single,
    (c) => {
      let times = 0;
      overlook(c, 'cards.encryptForVde', 'nonce-used', () => {
        times += 1;
        return times > 1;
      });
    },
    twice,
  ],
  ['nonce-taken-twice', 'cards.encryptForVde', single, (c) => void Object.assign(c, { nonceReusable: true }), twice],
  overlooked(
    'wrong-password-taken-after-a-login',
    'portal.login',
    'portal, login: 400 invalid login id or password',
    'bad-login',
    ({ world, query }) =>
      world.sessions.filter(({ user, ended }) => !ended && user.loginId === query.get('loginID')).length > 1,
  ),
  [
    'wrong-password-taken-the-third-time',
    'portal.login',
    'portal, login: 400 invalid login id or password',
    (c) => {
      let times = 0;
      overlook(c, 'portal.login', 'bad-login', () => {
        times += 1;
        return times % 3 === 0;
      });
    },
  ],
  overlooked(
    'wrong-secret-taken-after-a-right-one',
    'token.issue',
    sentences.client,
    'bad-client',
    ({ world }, field) => field === 'client_secret' && world.tokens.length > 2,
  ),
  [
    'cip-answers-as-for-the-person-before-of-that-name',
    'portal.getCIPCheck',
    'portal, CIP outcome: Pass is for a subject that is located',
    (c) => {
      const outcomes = new Map<unknown, Exchange['content']>();
      c.before.push((x) => {
        if (x.operation !== 'portal.getCIPCheck') return undefined;
        const sent = x.json();
        const known = outcomes.get(sent.firstName);
        if (known) Object.assign(x, { text: JSON.stringify({ ...sent, lastName: known.lastName, zip: known.zip }) });
        else outcomes.set(sent.firstName, sent);
        return undefined;
      });
    },
    'the fixtures’ people share a first name',
  ],
];

/** Memory of one step only. */
export const memoryFaults: Fault[] = spot(6, [...duplicates, ...others]);
