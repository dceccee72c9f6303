/** Faults in what is read of one customer or card: which one an identifier leads to, and what is shown of it; and in permissions. */
import type { Card, OperationId, SandboxRequest, World } from '../../sandbox/index.ts';
import { altering, answering, bodyIn, is, letThrough, memory, replacing } from '../changed-sandbox.ts';
import { broken, fault, misanswered, misread, refused, tolerated, withSeed } from './broken.ts';
import type { Fault } from './fault.ts';

const isByProxy = ({ query }: SandboxRequest) => query.byProxy === 'true';
const isByToken = ({ query }: SandboxRequest) => query.byToken === 'true';

// ---- identifiers that are nobody's -------------------------------------------------------------------------------

type Resembles = (sent: string, known: string) => boolean;
const isCutOff: Resembles = (sent, known) => sent.length >= 6 && known.startsWith(sent);
const isContinued: Resembles = (sent, known) => sent.startsWith(known);
const isAltered: Resembles = (sent, known) =>
  sent.length === known.length && [...sent].filter((character, at) => character !== known[at]).length === 1;

/** A request whose path names nothing is taken for one that names something else. */
const finds = (
  name: string,
  operation: OperationId,
  meant: (sent: string, world: World, request: SandboxRequest) => string | undefined,
): Fault =>
  misread(name, `${operation}.unknown-identifier`, (request, world) => {
    const { identifier } = request.params;
    if (identifier !== undefined) request.params.identifier = meant(identifier, world, request) ?? identifier;
  });

/** What is sent itself, if it is known, else what it resembles. */
const nearest = (sent: string, known: readonly string[], resembles: Resembles) =>
  known.includes(sent) ? sent : known.find((one) => resembles(sent, one));

const findsByProxy = (name: string, resembles: Resembles): Fault =>
  finds(`a proxy that is ${name} finds its card`, 'cards.get', (sent, { ownCards }, request) => {
    const known = ownCards.map(({ proxyNumber }) => proxyNumber);
    return isByProxy(request) ? nearest(sent, known, resembles) : undefined;
  });

/** A temporary token that resembles one that was made. */
function findsByToken(name: string, resembles: Resembles): Fault {
  const made = new Set<string>();
  const fault = finds(`a temporary token that is ${name} finds its card`, 'cards.get', (sent, _, request) =>
    isByToken(request) ? nearest(sent, [...made], resembles) : undefined,
  );
  const remembering = answering('cards.createToken', ({ token }) => void made.add(String(token)));
  return { ...fault, sandbox: { ...fault.sandbox, ...remembering } };
}

/** How long an answer is under way, in milliseconds. */
const UNDER_WAY_MS = 25;

/** Of two answers of an operation that are under way at the same moment, the later is the earlier one, for another card. */
function mixedUp(operation: OperationId, condemned: string): Fault {
  interface UnderWay {
    card: string | undefined;
    body: unknown;
  }
  const lastIn = memory(() => ({ underWay: undefined as UnderWay | undefined }));
  return {
    ...fault(
      `${operation}: answers that are under way at the same moment are mixed up`,
      condemned,
      replacing(operation, ({ body }, { world, request: { params } }) => {
        const last = lastIn(world);
        const { underWay: other } = last;
        const own: UnderWay = { card: params.identifier, body };
        last.underWay = own;
        setTimeout(() => {
          if (last.underWay === own) last.underWay = undefined;
        }, UNDER_WAY_MS);
        const isMixedUp = other !== undefined && other.card !== own.card;
        return { body: isMixedUp ? other.body : body, transport: { delayMs: UNDER_WAY_MS } };
      }),
    ),
    isSlow: true,
  };
}

const identifiers: readonly Fault[] = [
  mixedUp('cards.getBalance', 'cards.getBalance.same-card'),
  mixedUp('cards.get', 'cards.get.same-card'),
  findsByProxy('continued', isContinued),
  findsByProxy('cut off', isCutOff),
  findsByToken('altered', isAltered),
  findsByToken('cut off', isCutOff),
  findsByToken('continued', isContinued),
  finds(
    'users.get: a v1Identifier finds its customer',
    'users.get',
    (sent, { ownCustomers }) => ownCustomers.find(({ v1Identifier }) => v1Identifier === sent)?.identifier,
  ),
  finds(
    'cards.get: the identifier of a customer finds its first card',
    'cards.get',
    (sent, { ownCards }) => ownCards.find(({ customerIdentifier }) => customerIdentifier === sent)?.identifier,
  ),
  // Where something is looked up in a plain object, which knows some words.
  fault(
    'cards.get: 200 is answered for a word that every object knows',
    'cards.get.unknown-identifier',
    altering((_, { request: { params, query }, refusal, operation }) => {
      const isKnown = [params, query].some((given) => Object.values(given).includes('constructor'));
      return operation === 'cards.get' && refusal?.kind !== 'token' && isKnown && { status: 200, body: {} };
    }),
  ),
  tolerated(
    'cards.listRelated: an unknown identifier with unusual characters names something',
    'cards.listRelated.unknown-identifier',
    { kind: 'unknown' },
    ({ params }) => /[^a-z0-9-]/i.test(params.identifier ?? ''),
  ),
  {
    ...misread(
      'a transfer pays the card that begins with its target',
      'cards.transfer.unknown-target',
      (request, { cardById, ownCards }) => {
        const asked = bodyIn(request);
        const { targetCardIdentifier: sent } = asked;
        if (typeof sent !== 'string' || sent.length <= 12 || cardById.has(sent)) return;
        asked.targetCardIdentifier = ownCards.find(({ identifier }) => identifier.startsWith(sent))?.identifier ?? sent;
      },
    ),
    ...withSeed(2),
  },
];

// ---- look-ups of a card ------------------------------------------------------------------------------------------

const NOBODY = { kind: 'unknown', name: 'temporary-token' } as const;

/** A look-up by a temporary token shows a member of a card as it showed it first. */
const keptByToken = (member: 'status' | 'balance', condemns: string): Fault => {
  const keptIn = memory(() => new Map<Card, unknown>());
  const name = `a card found by a temporary token has the ${member} with which it was found so first`;
  return misanswered(name, condemns, 'cards.get', (body, { request, card, world }) => {
    const kept = keptIn(world);
    if (!card || !isByToken(request)) return;
    if (!kept.has(card)) kept.set(card, body[member]);
    body[member] = kept.get(card);
  });
};

const lookUps: readonly Fault[] = [
  keptByToken('status', 'cards.getStatus.refreshes-record'),
  keptByToken('balance', 'cards.getBalance.refreshes-record'),
  fault('a temporary-token finds another card, whose identifier is not shown', 'cards.get.by-token', {
    rules: {
      cardFound: (how, card, { ownCards }) => {
        const isAlike = (one: Card) =>
          one !== card && one.programIdentifier === card.programIdentifier && one.isDigital === card.isDigital;
        return how === 'temporary-token' ? ownCards.find(isAlike)! : card;
      },
    },
    ...answering('cards.get', (body, { request }) => {
      if (isByProxy(request) || isByToken(request)) delete body.identifier;
    }),
  }),
  misanswered(
    'a card that is looked up byToken has the data of the next one',
    'cards.get.by-token',
    'cards.get',
    (body, { request, card, world }) => {
      if (!isByToken(request)) return;
      const next = world.ownCards[world.ownCards.indexOf(card!) + 1]!;
      const { customerIdentifier, externalIdentifier, cardNumberLastFour } = next;
      Object.assign(body, { customerIdentifier, externalIdentifier, cardNumberLastFour });
    },
  ),
  misanswered('a proxy is found with another proxyNumber', 'cards.get.by-proxy', 'cards.get', (body, { request }) => {
    if (isByProxy(request)) body.proxyNumber = '0000000000';
  }),
  broken('a proxy is found without both of programIdentifier and isDigital', 'cards.get.by-proxy-needs-program', {
    requires: (operation, _name, byDefault, { query }) =>
      byDefault && !(operation === 'cards.get' && !query.programIdentifier && !query.isDigital),
  }),
  fault('a proxy with another program finds a card of that program', 'cards.get.by-proxy-wrong-program', {
    rules: letThrough(is('cards.get', { kind: 'mismatch' })),
    ...answering('cards.get', (body, { request: { query }, card, world }) => {
      if (query.byProxy === 'true' && query.programIdentifier !== card?.programIdentifier)
        body.identifier = world.ownCards.find((one) => one !== card)!.identifier;
    }),
  }),
  refused('a temporary token finds nothing', 'cards.get.by-token-found', NOBODY, isByToken),
  refused(
    'cards.get: without byProxy a proxy is expected, beside a token, too',
    'cards.get.required-only',
    NOBODY,
    ({ query }) => query.byProxy === undefined,
  ),
];

// ---- what is shown -----------------------------------------------------------------------------------------------

function relatedNowAndThen(): Fault {
  let asked = 0;
  return broken('related cards are listed every second time', 'cards.listRelated.related-found', {
    relatedCards: (_card, related) => (related.length > 0 && asked++ % 2 === 0 ? [] : related),
  });
}

const BAD_NONCE = { kind: 'member-type', name: 'nonce' } as const;
const hasNonce = (request: SandboxRequest) => Object.hasOwn(bodyIn(request), 'nonce');

const shown: readonly Fault[] = [
  relatedNowAndThen(),
  misanswered(
    'a card that is answered alone has no identifier',
    'cards.get.identifier-present',
    'cards.get',
    (body) => {
      delete body.identifier;
    },
  ),
  fault(
    'a single card is answered as an object without members',
    'cards.get.shape',
    replacing('cards.get', () => ({ body: {} })),
  ),
  refused('a nonce is refused', 'cards.encryptForVde.nonce-accepted', BAD_NONCE, hasNonce),
  refused('a nonce is required', 'cards.encryptForVde.required-only', BAD_NONCE, (request) => !hasNonce(request)),
  refused(
    'canSearchSpends alone is not given',
    'users.setPermissions.any-members-accepted',
    { kind: 'range', name: 'value' },
    (request) => bodyIn(request).canSearchLoads === undefined && bodyIn(request).canSearchSpends === true,
  ),
];

export const readingFaults: readonly Fault[] = [...identifiers, ...lookUps, ...shown];
