/** Faults in what is read of one customer or card, in permissions, and in the life of tokens. */
import type { AnswerContext } from '../../sandbox/index.ts';
import { answering, broken, listedWithThatBefore, misanswered, thorough } from './broken.ts';
import type { Fault } from './fault.ts';

/** Another own card than the one that a call is about. */
const anotherCard = ({ world, card }: AnswerContext) => world.ownCards.find((one) => one !== card)!.identifier;
const isLookedUp = ({ request }: AnswerContext) => request.query.byProxy === 'true' || request.query.byToken === 'true';

const customers: readonly Fault[] = [
  broken(
    'permissions without canSearchSpends are refused',
    ['users.setPermissions.any-members-accepted', 'users.setPermissions.required-only'],
    {
      requires: (operation, name, byDefault) =>
        (operation === 'users.setPermissions' && name === 'canSearchSpends') || byDefault,
      alsoRefuses: ({ operation, raw, body }) =>
        operation === 'users.setPermissions' &&
        raw.length > 0 &&
        !Object.hasOwn((body ?? {}) as object, 'canSearchSpends')
          ? { kind: 'missing-member', name: 'canSearchSpends' }
          : undefined,
    },
  ),
];

/** Look-ups that find another card, of a target that gives no identifier back where a card is looked up. */
const withoutIdentifier = (by: 'proxy' | 'temporary-token', condemns: string): Fault => ({
  name: `a ${by} finds another card, whose identifier is not shown`,
  condemns: [condemns],
  sandbox: {
    rules: {
      cardFound: (how, card, { ownCards }) =>
        how === by
          ? ownCards.find(
              (one) =>
                one !== card && one.programIdentifier === card.programIdentifier && one.isDigital === card.isDigital,
            )!
          : card,
    },
    ...answering('cards.get', (body, context) => {
      if (isLookedUp(context)) delete body.identifier;
    }),
  },
});

const cards: readonly Fault[] = [
  withoutIdentifier('temporary-token', 'cards.get.by-token'),
  {
    ...misanswered(
      'a look-up by proxy beside byToken of false finds another card',
      'cards.get.by-proxy',
      'cards.get',
      (body, context) => {
        const { byProxy, byToken } = context.request.query;
        if (byProxy === 'true' && byToken === 'false') body.identifier = anotherCard(context);
      },
    ),
    ...thorough,
  },
  listedWithThatBefore('the listing shows cards with the digits of the one before', 'cardNumberLastFour'),
  listedWithThatBefore('cards are listed with the holder of the one before', 'cardholder'),
  misanswered(
    'a card that is answered alone has no identifier',
    'cards.get.identifier-present',
    'cards.get',
    (body) => {
      delete body.identifier;
    },
  ),
  broken('a temporary token finds nothing', 'cards.get.by-token-found', {
    alsoRefuses: ({ operation, query }) =>
      operation === 'cards.get' && query.byToken === 'true' ? { kind: 'unknown', name: 'temporary-token' } : undefined,
  }),
  ...([['without byProxy a proxy is expected, beside a token, too', ['byProxy']]] satisfies [string, string[]][]).map(
    ([name, wanted]) =>
      broken(`cards.get: ${name}`, 'cards.get.required-only', {
        alsoRefuses: ({ operation, query }) =>
          operation === 'cards.get' && wanted.every((one) => query[one] === undefined)
            ? { kind: 'unknown', name: 'temporary-token' }
            : undefined,
      }),
  ),
  {
    name: 'a proxy with another program finds a card of that program',
    condemns: ['cards.get.by-proxy-wrong-program'],
    sandbox: {
      rules: { enforces: ({ operation, kind }) => !(operation === 'cards.get' && kind === 'mismatch') },
      ...answering('cards.get', (body, context) => {
        const { byProxy, programIdentifier } = context.request.query;
        if (byProxy === 'true' && programIdentifier !== context.card?.programIdentifier)
          body.identifier = anotherCard(context);
      }),
    },
  },
  broken('related cards are listed every second time', 'cards.listRelated.related-found', {
    relatedCards: (() => {
      let asked = 0;
      return (_card, related) => (related.length > 0 && asked++ % 2 === 0 ? [] : related);
    })(),
  }),
  {
    name: 'a single card is answered as an object without members',
    condemns: ['cards.get.shape'],
    sandbox: {
      middleware: [
        (answer, { operation }) =>
          operation === 'cards.get' && answer.status === 200 ? { ...answer, body: {} } : undefined,
      ],
    },
  },
  ...(
    [
      ['a nonce is refused', 'cards.encryptForVde.nonce-accepted', true],
      ['a nonce is required', 'cards.encryptForVde.required-only', false],
    ] as const
  ).map(([name, condemns, isGiven]) =>
    broken(name, condemns, {
      alsoRefuses: ({ operation, body }) =>
        operation === 'cards.encryptForVde' && Object.hasOwn((body ?? {}) as object, 'nonce') === isGiven
          ? { kind: 'member-type', name: 'nonce' }
          : undefined,
    }),
  ),
];

export const readingFaults: readonly Fault[] = [...customers, ...cards];
