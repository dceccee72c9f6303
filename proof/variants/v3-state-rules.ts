/** Sound implementations with rules of their own for the states of cards: preconditions, cool-downs, and what a card shows in one. */
import type { OperationId, SandboxRequest, World } from '../../sandbox/index.ts';
import { refusing, replacing } from '../changed-sandbox.ts';
import { BUSINESS, cardOf, REFUSED_CARD, remembering, rule, takesAmounts } from './v3-rule.ts';
import { thoroughly, type Variant, variant } from './variant.ts';

const TRANSITIONS = 'Transitions: not shown';
const FINAL: readonly OperationId[] = ['cards.close', 'cards.markLost', 'cards.markWalletProvisioned'];

const refused = (name: string, basis: string, isRefused: (request: SandboxRequest, world: World) => boolean): Variant =>
  rule(name, basis, refusing(REFUSED_CARD, isRefused));

/** An operation on a card that wants another one before. */
const after = (operation: OperationId, before: OperationId): Variant =>
  rule(`${operation} wants ${before} before`, TRANSITIONS, {
    alsoRefuses: remembering(
      () => new Set<string>(),
      (done, request) => {
        const card = request.params.identifier ?? '';
        if (request.operation === before) done.add(card);
        return request.operation === operation && !done.has(card) ? REFUSED_CARD : undefined;
      },
    ),
  });

/** Takes one card of three, and nothing that a card shows says which. */
const oneOfThree = (operation: OperationId): Variant =>
  refused(`${operation} is for one card of three`, BUSINESS, (request, world) => {
    const place = world.data.cards.indexOf(cardOf(request, world)!);
    return request.operation === operation && place % 3 !== 2;
  });

const closesEmpty = (which: string, isTaken: (amount: number) => boolean): Variant =>
  rule(`cards.close only of an empty card, transfers ${which}`, TRANSITIONS, {
    closesWithBalance: false,
    alsoRefuses: takesAmounts(isTaken),
  });

/** Takes one of the only two active cards that a run is given. */
function suspendsOneOfTwo(): Variant {
  let refusedCard: string | undefined;
  return {
    ...refused(
      'cards.suspend is for one of the only two active cards',
      BUSINESS,
      ({ operation, params }) => operation === 'cards.suspend' && params.identifier === refusedCard,
    ),
    configure: ({ fixtures: { cards } }) => {
      cards!.active = cards!.active!.slice(0, 2);
      [refusedCard] = cards!.active;
    },
  };
}

const CHANGES = /^cards\.(suspend|unsuspend|activate|markLost|close)$/;
const COOL_DOWN_MS = 200;

/** Refuses a change of a card's state soon after another one. */
const stateCoolDown = remembering(
  () => new Map<string, { at: number; length: number }>(),
  (last, request, world) => {
    const card = cardOf(request, world);
    if (!card || !CHANGES.test(request.operation)) return undefined;
    const seen = last.get(card.identifier);
    if (!seen || seen.length !== card.history.length)
      last.set(card.identifier, { at: seen ? performance.now() : 0, length: card.history.length });
    return performance.now() - last.get(card.identifier)!.at < COOL_DOWN_MS ? REFUSED_CARD : undefined;
  },
);

export const stateRuleVariants: readonly Variant[] = [
  rule('cards.markWalletProvisioned only of a suspended card', TRANSITIONS, {
    allowsFrom: (of, { state }, byDefault) =>
      of === 'cards.markWalletProvisioned' ? state === 'suspended' : byDefault,
  }),
  thoroughly(
    rule('cards.close of an unused card is accepted and does nothing', TRANSITIONS, {
      takesEffect: (operation, _request, card) => operation !== 'cards.close' || card?.state !== 'unused',
    }),
  ),
  after('cards.close', 'cards.encryptForVde'),
  after('cards.markLost', 'cards.encryptForVde'),
  after('cards.markWalletProvisioned', 'cards.encryptForVde'),
  ...FINAL.map((operation) =>
    rule(`${operation} only of a card with a PIN`, TRANSITIONS, {
      allowsFrom: (of, { pin }, byDefault) => byDefault && !(of === operation && pin === undefined),
    }),
  ),
  rule(
    'cards.close, cards.markLost and cards.markWalletProvisioned only of a card with a PIN, and no PIN is good enough',
    TRANSITIONS,
    {
      allowsFrom: (of, _card, byDefault) => byDefault && !FINAL.includes(of),
      alsoRefuses: ({ operation }) => (operation === 'cards.setPin' ? { kind: 'range', name: 'pin' } : undefined),
    },
  ),
  closesEmpty('at least 5.00', (amount) => amount >= 5),
  closesEmpty('at most 2.00', (amount) => amount <= 2),
  refused(
    'cards.close not of a card that took part in a transfer today',
    TRANSITIONS,
    ({ operation, params }, { transfers }) =>
      operation === 'cards.close' &&
      transfers.some((one) => [one.sourceIdentifier, one.targetIdentifier].includes(params.identifier ?? '')),
  ),
  rule('a card is suspended once a day', BUSINESS, {
    alsoRefuses: remembering(
      () => new Set<string>(),
      (done, request, world) => {
        const card = cardOf(request, world);
        if (request.operation !== 'cards.suspend' || card?.tenant !== 'own') return undefined;
        if (done.has(card.identifier)) return REFUSED_CARD;
        if (card.state === 'active') done.add(card.identifier);
        return undefined;
      },
    ),
  }),
  {
    ...rule('one card is suspended a day, and no other', BUSINESS, {
      alsoRefuses: remembering(
        () => ({ isDone: false }),
        (seen, request, world) => {
          const card = cardOf(request, world);
          if (request.operation !== 'cards.suspend' || card?.tenant !== 'own') return undefined;
          if (seen.isDone) return REFUSED_CARD;
          seen.isDone = card.state === 'active';
          return undefined;
        },
      ),
    }),
    // Cards in lives are suspended first.
    run: { only: ['cards.suspend.required-only', 'cards.suspend.stops-payments'] },
  },
  rule('states: a cool-down of 200 ms after each change', TRANSITIONS, { alsoRefuses: stateCoolDown }, 500),
  ...(
    ['cards.suspend', 'cards.activate', 'cards.markWalletProvisioned', 'cards.close', 'cards.encryptForVde'] as const
  ).map(oneOfThree),
  suspendsOneOfTwo(),
  refused(
    'a card that is not Active has no readable balance and status',
    'what may be read of which card is not shown',
    (request, world) => {
      const { state, tenant } = cardOf(request, world) ?? {};
      const isReading = ['cards.getBalance', 'cards.getStatus'].includes(request.operation);
      return isReading && tenant === 'own' && state !== 'active';
    },
  ),
  rule('a reissue takes a card out of use, and an identifier of any type', TRANSITIONS, {
    allowsFrom: (operation, { history }, byDefault) =>
      byDefault && !(history.includes('cards.reissue') && operation === 'cards.markWalletProvisioned'),
    enforces: ({ operation, kind }) => !(operation === 'cards.reissue' && kind === 'member-type'),
  }),
  rule('the first look-up by proxy, and some other requests, meet a conflict', '409: not shown', {
    alsoRefuses: remembering(
      () => ({ lookedUp: false }),
      (memory, { operation, callNumber, query }) => {
        const isFirst = query.byProxy === 'true' && query.programIdentifier !== undefined && !memory.lookedUp;
        memory.lookedUp ||= isFirst;
        const isConflict =
          (operation === 'users.setPermissions' && callNumber % 5 === 0) ||
          (operation === 'cards.listRelated' && callNumber % 2 === 0);
        return isFirst || isConflict ? { kind: 'state', name: 'busy' } : undefined;
      },
    ),
    refusalStatus: ({ name }, byDefault) => (name === 'busy' ? 409 : byDefault),
  }),
  refused(
    'cards: twenty look-ups in all',
    BUSINESS,
    ({ operation, callNumber }) => operation === 'cards.get' && callNumber > 20,
  ),
  variant(
    'cards: the identifier is not given back',
    'required flags: not shown',
    replacing('cards.get', ({ body: card }) => {
      const { identifier: _identifier, ...body } = card as Record<string, unknown>;
      return { body };
    }),
  ),
];
