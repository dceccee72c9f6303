/**
 * Sound implementations whose cards others use at a moment of a run: they move money, and suspend cards or free them; and servers that lag behind for
 * one answer (how an accusation is earned).
 */
import type { AnswerContext, Card, Rules, SandboxOptions, SandboxRequest, World } from '../../sandbox/index.ts';
import { answering, bodyIn, memory, reading, refusing } from '../changed-sandbox.ts';
import { nowMs } from '../skipping-clock.ts';
import { ownRule } from './portal-rule.ts';
import { cardOf, REFUSED_CARD } from './v3-rule.ts';
import { setting, thoroughly, type Variant, variant } from './variant.ts';

const OTHERS = 'Access: others may use the same cards and users';

const others = (name: string, sandbox: SandboxOptions, more?: Parameters<typeof variant>[3]): Variant =>
  variant(`others: ${name}`, OTHERS, sandbox, more);

/** Somebody else pays a card of the run's own. */
function pay(card: Card | undefined, cents: number): void {
  if (card?.tenant !== 'own') return;
  card.balanceCents += cents;
  card.record.balanceCents = card.balanceCents;
}

function lead(card: Card, state: Card['state']): void {
  card.state = state;
  card.record.state = state;
}

/** How often something happened in a world, this time included. */
function times(): (world: World) => number {
  const counted = memory(() => ({ times: 0 }));
  return (world) => ++counted(world).times;
}

/**
 * When the balances of two cards were asked for, and then are asked for at the same moment, the second has as much as the first, for that moment, once.
 * @param cents that it gets whenever its balance is asked for, from the second time since on
 */
function asMuchForAMoment(cents = 0): SandboxOptions {
  const seenIn = memory(() => ({
    asked: [] as Card[],
    isSameMoment: false,
    second: undefined as Card | undefined,
    since: 0,
  }));
  return answering('cards.getBalance', (body, { card, world }) => {
    const seen = seenIn(world);
    const [other, own, again] = seen.asked.slice(-3).toReversed() as [Card?, Card?, Card?];
    const isMeant = seen.isSameMoment && own === card && other === again && other !== card;
    seen.asked.push(card!);
    // What is under way at the same moment is answered in the same turn.
    seen.isSameMoment = true;
    setImmediate(() => {
      seen.isSameMoment = false;
    });
    if (card === seen.second && ++seen.since > 1) pay(card, cents);
    if (!isMeant || seen.second) return;
    seen.second = card;
    body.balance = other!.balanceCents / 100;
  });
}

/** Whenever a card is asked for. */
const whenever = (change: (card: Card | undefined) => void): Partial<Rules> => ({
  meanwhile(world, request) {
    if (['cards.get', 'cards.getBalance'].includes(request.operation)) change(cardOf(request, world));
  },
});

/** From the first time on that a card is marked lost, cards are given to a wallet once they were read. */
function givenToWallets(): Partial<Rules> {
  const seenIn = memory(() => ({ cards: new Set<Card>(), isBegun: false }));
  return {
    meanwhile(world, request) {
      const [seen, card] = [seenIn(world), cardOf(request, world)];
      if (request.operation === 'cards.markLost') seen.isBegun = true;
      if (request.operation !== 'cards.get' || card?.tenant !== 'own') return;
      if (seen.isBegun && seen.cards.has(card)) card.isProvisionedToWallet = true;
      seen.cards.add(card);
    },
  };
}

/** Between its balance and its record a card gets 7.00, once. */
function paidBetween(): Partial<Rules> {
  const seenIn = memory(() => ({ card: undefined as Card | undefined, isDone: false }));
  return {
    meanwhile(world, request) {
      const [seen, card] = [seenIn(world), cardOf(request, world)];
      if (request.operation === 'cards.getBalance') seen.card = card;
      if (request.operation !== 'cards.get' || seen.isDone || !card || card !== seen.card) return;
      seen.isDone = true;
      pay(card, 700);
    },
  };
}

/** The first card that is suspended after somebody without a good token was refused that is freed at once. */
function freedAtOnce(): SandboxOptions {
  const seenIn = memory(() => ({ refused: new Set<unknown>(), isDone: false }));
  return {
    middleware: [
      ({ status }, { operation, request, card, world }) => {
        if (operation !== 'cards.suspend') return undefined;
        const seen = seenIn(world);
        const { identifier } = request.params;
        if (status === 401) seen.refused.add(identifier);
        if (status >= 300 || seen.isDone || !seen.refused.has(identifier)) return undefined;
        seen.isDone = true;
        lead(card!, 'active');
        return undefined;
      },
    ],
  };
}

/** A card that is unsuspended first of all is suspended again at once. */
function suspendedAgain(): SandboxOptions {
  const count = times();
  return answering('cards.unsuspend', (_, { card, world }) => {
    if (count(world) === 1) lead(card!, 'suspended');
  });
}

/** The first suspended card that is asked to take a PIN is freed by somebody else before. */
function freedBeforePin(): Partial<Rules> {
  const count = times();
  return reading('cards.setPin', (request, world) => {
    const card = cardOf(request, world);
    if (card?.state === 'suspended' && count(world) === 1) lead(card, 'active');
  });
}

/** Somebody else had tokens made for the same cards, which ended the first two of the run's own, and today no more are made. */
function endedTokens(): SandboxOptions {
  const made = memory(() => new Set<unknown>());
  return {
    rules: ownRule(
      ({ operation, params, query }, world) =>
        operation === 'cards.createToken'
          ? made(world).size >= 2
          : operation === 'cards.get' && query.byToken === 'true' && made(world).has(params.identifier),
      404,
    ),
    ...answering('cards.createToken', ({ token }, { world }) => {
      made(world).add(token);
    }),
  };
}

/** The first transfer finds less than it asks for, and moves what is there. */
function spentBefore(): Partial<Rules> {
  const count = times();
  return reading('cards.transfer', (request, world) => {
    const body = bodyIn(request);
    const { state, balanceCents = 0 } = cardOf(request, world) ?? {};
    const amount = Number(body.amount);
    if (state === 'active' && amount > 1 && amount * 100 <= balanceCents && count(world) === 1)
      request.body = { ...body, amount: amount - 1 };
  });
}

/** The third record of a card that was given to a wallet is as it was before. */
function laggingOnce(): SandboxOptions {
  const readIn = memory(() => new Map<Card, number>());
  return answering('cards.get', (body, { card, world }) => {
    if (!card?.history.includes('cards.markWalletProvisioned')) return;
    const read = readIn(world);
    read.set(card, (read.get(card) ?? 0) + 1);
    if (read.get(card) === 3) body.isProvisionedToWallet = false;
  });
}

/** A card is paid when it is asked to pay with a token that has expired. */
const paidMeanwhile: SandboxOptions = {
  middleware: [
    (_, { operation, request, refusal, world }: AnswerContext) => {
      if (operation === 'cards.transfer' && refusal?.name === 'expired') pay(cardOf(request, world), 550);
      return undefined;
    },
  ],
};

/** The cards of the first transfer neither pay nor are paid. */
function blockedPair(): Partial<Rules> {
  const pairIn = memory(() => new Set<unknown>());
  return refusing(REFUSED_CARD, (request: SandboxRequest, world) => {
    if (request.operation !== 'cards.transfer' || !cardOf(request, world)) return false;
    const pair = pairIn(world);
    const cards = [request.params.identifier, bodyIn(request).targetCardIdentifier];
    if (pair.size === 0 && world.cardById.has(String(cards[1]))) for (const card of cards) pair.add(card);
    return cards.some((card) => pair.has(card));
  });
}

/** Cards are suspended by a watch that nobody used for some milliseconds, since they were read or used. */
function suspendedUnused(milliseconds: number): Partial<Rules> {
  const sinceIn = memory(() => new Map<Card, number>());
  const isUse = ({ operation }: SandboxRequest) => /^cards\.(suspend|unsuspend|transfer)$/.test(operation);
  return {
    meanwhile(world, request) {
      const [since, card] = [sinceIn(world), cardOf(request, world)];
      for (const [one, at] of since) if (one.state === 'active' && nowMs() - at > milliseconds) lead(one, 'suspended');
      if (card?.tenant === 'own' && (isUse(request) || !since.has(card))) since.set(card, nowMs());
    },
  };
}

const WITHOUT_TRANSFERS = ['token', 'users', 'cards.list', 'cards.get', 'cards.getBalance', 'cards.getStatus'];
const MOVES = ['cards.transfer.moves-amount'];
const STOPS = ['cards.suspend.stops-payments'];
const OWN = ['cards.getBalance.same-card'];

export const cardMomentVariants: readonly Variant[] = [
  others('for a moment a card has as much as another one', asMuchForAMoment(), { run: { only: OWN } }),
  others('for a moment a card has as much as another one, then it gets more all the time', asMuchForAMoment(3), {
    run: { only: OWN },
  }),
  others(
    'cards are given to a wallet, one after the other',
    { rules: givenToWallets() },
    { run: { only: ['cards.markLost.nothing-else'] } },
  ),
  others('whenever a card is asked for, it has 3.00 more', { rules: whenever((card) => pay(card, 300)) }),
  others(
    'a card is paid between its balance and its record, once, and there are no transfers',
    { rules: paidBetween() },
    { configure: setting({ target: { operations: WITHOUT_TRANSFERS } }) },
  ),
  others('a card is freed at once when it is suspended', freedAtOnce()),
  others('a card is suspended again at once when it is unsuspended', suspendedAgain()),
  others('a card is suspended again at once when it is unsuspended, where lives alone are judged', suspendedAgain(), {
    run: { only: MOVES },
  }),
  others(
    'cards that nobody uses are suspended',
    { rules: suspendedUnused(300) },
    { run: { only: ['cards.markLost.nothing-else'], settleMs: 400 } },
  ),
  thoroughly(
    others('a suspended card is freed before it is given a PIN', { rules: freedBeforePin() }, { run: { only: STOPS } }),
  ),
  others('temporary tokens of the same cards are made, and today no more of them', endedTokens(), {
    run: { only: ['cards.get.by-token-found'] },
  }),
  others('the money of the first transfer is spent before, and what is left is moved', { rules: spentBefore() }),
  others('a card is paid when it is asked to pay with an expired token', paidMeanwhile),
  others('the cards of the first transfer are blocked', { rules: blockedPair() }),
  others(
    'the cards of the first transfer are blocked, where that alone is judged',
    { rules: blockedPair() },
    { run: { only: MOVES } },
  ),
  variant(
    'one record of a card that was given to a wallet is out of date',
    'Effects: when they show is not said',
    laggingOnce(),
  ),
];
