/** Faults in what is read of one customer or card, in permissions, and in the life of tokens. */
import { operations } from '../../contracts/operations.ts';
import type { AnswerContext } from '../../sandbox/index.ts';
import { answering, broken, listedWithThatBefore, misanswered, thorough } from './broken.ts';
import type { Fault } from './fault.ts';

/** Another own card than the one that a call is about. */
const anotherCard = ({ world, card }: AnswerContext) => world.ownCards.find((one) => one !== card)!.identifier;
const isLookedUp = ({ request }: AnswerContext) => request.query.byProxy === 'true' || request.query.byToken === 'true';

const customers: readonly Fault[] = [
  {
    name: 'another customer is answered for some',
    condemns: ['users.get.same-customer'],
    sandbox: answering('users.get', (body, { world, customer }) => {
      if (customer?.parentIdentifier === world.ownCustomers[1]!.identifier) body.identifier = customer.parentIdentifier;
    }),
  },
  anotherTheThirdTime(),
  {
    name: 'permissions of another customer are answered',
    condemns: ['users.setPermissions.same-customer'],
    sandbox: answering('users.setPermissions', (body, { world }) => {
      body.identifier = world.ownCustomers[0]!.identifier;
    }),
  },
  ...['canSearchLoads', 'canSearchSpends'].map((member) =>
    broken(
      `permissions without ${member} are refused`,
      ['users.setPermissions.any-members-accepted', 'users.setPermissions.required-only'],
      {
        requires: (operation, name, byDefault) =>
          (operation === 'users.setPermissions' && name === member) || byDefault,
        alsoRefuses: ({ operation, raw, body }) =>
          operation === 'users.setPermissions' && raw.length > 0 && !Object.hasOwn((body ?? {}) as object, member)
            ? { kind: 'missing-member', name: member }
            : undefined,
      },
    ),
  ),
  broken('permissions that are both given are refused', 'users.setPermissions.any-members-accepted', {
    alsoRefuses: ({ operation, body }) =>
      operation === 'users.setPermissions' && Object.keys((body ?? {}) as object).length === 2
        ? { kind: 'member-type', name: 'canSearchSpends' }
        : undefined,
  }),
  broken('permissions that are both taken away are refused', 'users.setPermissions.any-members-accepted', {
    alsoRefuses: ({ operation, body }) => {
      const { canSearchLoads, canSearchSpends } = (body ?? {}) as Record<string, unknown>;
      return operation === 'users.setPermissions' && canSearchLoads === false && canSearchSpends === false
        ? { kind: 'member-type', name: 'canSearchSpends' }
        : undefined;
    },
  }),
  broken('permissions without a body are accepted when it is declared as JSON', 'users.setPermissions.missing-body', {
    enforces: ({ operation, kind, request }) =>
      !(operation === 'users.setPermissions' && kind === 'missing-body' && request.headers['content-type']),
  }),
];

/** Answers another customer from the third time on that one is asked for. */
function anotherTheThirdTime(): Fault {
  const asked = new Map<unknown, number>();
  return misanswered(
    'another customer is answered the third time',
    'users.get.same-customer',
    'users.get',
    (body, { world }) => {
      asked.set(body.identifier, (asked.get(body.identifier) ?? 0) + 1);
      if (asked.get(body.identifier)! > 2) body.identifier = world.ownCustomers[0]!.identifier;
    },
  );
}

/** A temporary token finds its card once, and then the card of the latest token. */
function latestTheSecondTime(): Fault {
  const looked = new Set<unknown>();
  let latest: string | undefined;
  return {
    name: 'a temporary token finds the card of the latest one the second time',
    condemns: ['cards.get.by-token'],
    sandbox: {
      middleware: [
        (answer, { operation, request, card }) => {
          if (operation === 'cards.createToken' && answer.status === 201) latest = card?.identifier;
          if (operation !== 'cards.get' || request.query.byToken !== 'true' || answer.status !== 200) return undefined;
          if (looked.has(request.params.identifier)) (answer.body as Record<string, unknown>).identifier = latest;
          looked.add(request.params.identifier);
          return undefined;
        },
      ],
    },
    ...thorough,
  };
}

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

/** An operation that knows some cards alone: those of the pools, and so none that is only read. */
const refusedUnlessPooled = (operation: 'cards.getBalance' | 'cards.getStatus'): Fault => {
  let pooled = '';
  return {
    ...broken(`${operation} refuses the cards that no pool has`, `${operation}.required-only`, {
      alsoRefuses: (request, { cardById }) => {
        const { identifier = '' } = request.params;
        const isMeant = request.operation === operation && cardById.get(identifier)?.tenant === 'own';
        return isMeant && !pooled.includes(identifier) ? { kind: 'unknown', name: 'identifier' } : undefined;
      },
    }),
    configure: ({ fixtures: { cards = {} } }) => {
      pooled = JSON.stringify([cards.active, cards.disposable, cards.unused, cards.fraud]);
    },
    also: ['cards.suspend', 'cards.transfer'],
  };
};

const cards: readonly Fault[] = [
  latestTheSecondTime(),
  refusedUnlessPooled('cards.getBalance'),
  refusedUnlessPooled('cards.getStatus'),
  withoutIdentifier('proxy', 'cards.get.by-proxy'),
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
  ...(
    [
      ['without byToken and byProxy a token is expected', ['byToken', 'byProxy']],
      ['without byToken a token is expected, beside a proxy, too', ['byToken']],
      ['without byProxy a proxy is expected, beside a token, too', ['byProxy']],
    ] satisfies [string, string[]][]
  ).map(([name, wanted]) =>
    broken(`cards.get: ${name}`, 'cards.get.required-only', {
      alsoRefuses: ({ operation, query }) =>
        operation === 'cards.get' && wanted.every((one) => query[one] === undefined)
          ? { kind: 'unknown', name: 'temporary-token' }
          : undefined,
    }),
  ),
  broken('a proxy finds another card', 'cards.get.by-proxy', {
    cardFound: (by, card, { ownCards }) =>
      by === 'proxy'
        ? ownCards.find(
            (one) =>
              one !== card && one.programIdentifier === card.programIdentifier && one.isDigital === card.isDigital,
          )!
        : card,
  }),
  broken('a proxy is found without programIdentifier', 'cards.get.by-proxy-needs-program', {
    requires: (operation, name, byDefault) => !(operation === 'cards.get' && name === 'programIdentifier') && byDefault,
  }),
  broken('a proxy is found without isDigital', 'cards.get.by-proxy-needs-digital', {
    requires: (operation, name, byDefault) => !(operation === 'cards.get' && name === 'isDigital') && byDefault,
  }),
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
  broken('an invented temporary token is taken for an identifier', 'cards.get.unknown-identifier', {
    enforces: ({ operation, kind, name }) =>
      !(operation === 'cards.get' && kind === 'unknown' && name === 'temporary-token'),
  }),
  broken('an invented proxy finds a card', 'cards.get.unknown-identifier', {
    enforces: ({ operation, kind, name }) =>
      !(operation === 'cards.get' && ((kind === 'unknown' && name === 'proxy') || kind === 'mismatch')),
  }),
  broken('related cards are listed every second time', 'cards.listRelated.related-found', {
    relatedCards: (() => {
      let asked = 0;
      return (_card, related) => (related.length > 0 && asked++ % 2 === 0 ? [] : related);
    })(),
  }),
  {
    name: 'a foreign card is related to every card',
    condemns: ['cards.listRelated.foreign'],
    sandbox: answering('cards.listRelated', (body, { world }) => {
      const foreign = world.allCards.filter(({ tenant }) => tenant === 'other');
      (body.results as unknown[]).push(...foreign.map(({ identifier }) => ({ identifier })));
    }),
  },
  {
    name: 'a foreign card is related to each card that has related ones',
    condemns: ['cards.listRelated.foreign'],
    sandbox: answering('cards.listRelated', (body, { world }) => {
      const related = body.results as unknown[];
      const foreign = world.allCards.filter(({ tenant }) => tenant === 'other');
      if (related.length > 0) related.push(...foreign.map(({ identifier }) => ({ identifier })));
    }),
  },
  {
    name: 'a foreign card is related to each card that is not Active',
    condemns: ['cards.listRelated.foreign'],
    sandbox: answering('cards.listRelated', (body, { card, world }) => {
      const foreign = world.allCards.filter(({ tenant }) => tenant === 'other');
      if (card?.state !== 'active')
        (body.results as unknown[]).push(...foreign.map(({ identifier }) => ({ identifier })));
    }),
    ...thorough,
  },
  ...(
    [
      ['in an envelope', (card) => ({ data: card, correlationId: 'c-1' })],
      ['as a listing of one', (card) => ({ results: [card] })],
      ['as an object without members', () => ({})],
    ] satisfies [string, (card: unknown) => unknown][]
  ).map(
    ([how, wrap]): Fault => ({
      name: `a single card is answered ${how}`,
      condemns: ['cards.get.shape'],
      sandbox: {
        middleware: [
          (answer, { operation }) =>
            operation === 'cards.get' && answer.status === 200 ? { ...answer, body: wrap(answer.body) } : undefined,
        ],
      },
    }),
  ),
  broken('a nonce is refused', 'cards.encryptForVde.nonce-accepted', {
    alsoRefuses: ({ operation, body }) =>
      operation === 'cards.encryptForVde' && Object.hasOwn((body ?? {}) as object, 'nonce')
        ? { kind: 'member-type', name: 'nonce' }
        : undefined,
  }),
  broken('a transfer from a card that does not exist is paid', 'cards.transfer.unknown-identifier', {
    enforces: ({ operation, kind }) => !(operation === 'cards.transfer' && kind === 'unknown'),
  }),
];

const LIVES = 'token.issue.lives-60-minutes';
const ENDS = 'token.issue.ends-after-60-minutes';

const tokens: readonly Fault[] = [
  broken('a token works 58 minutes', LIVES, { tokenLifetimeSeconds: () => 58 * 60 }),
  broken('a token works 30 minutes for cards alone', LIVES, {
    tokenLifetimeSeconds: (operation) => (operation.startsWith('cards.') ? 1800 : 3600),
  }),
  broken('a token works 62 minutes', ENDS, { tokenLifetimeSeconds: () => 62 * 60 }),
  broken('a token never ends', ENDS, { tokenLifetimeSeconds: () => Number.MAX_SAFE_INTEGER }),
  broken('a token works a day for cards alone', ENDS, {
    tokenLifetimeSeconds: (operation) => (operation.startsWith('cards.') ? 86_400 : 3600),
  }),
  ...operations
    .filter(({ interface: of, risk, listedOnly }) => of === 'v3' && risk !== 'safe' && !listedOnly)
    .filter(({ id }) => !/reissue|setPin|setPermissions|unmarkFraud/.test(id))
    .map(({ id }) =>
      broken(`${id}: takes effect though refused for an expired token`, `${id}.requires-live-token`, {
        refusedStillTakesEffect: ({ operation, kind, name }) =>
          operation === id && kind === 'token' && name === 'expired',
      }),
    ),
];

export const readingFaults: readonly Fault[] = [...customers, ...cards, ...tokens];
