/** Sound implementations with rules of their own for transfers: amounts, counts, comments, fees, and balances that change meanwhile. */
import type { Rules, SandboxRequest, World } from '../../sandbox/index.ts';
import { answering, bodyIn } from '../changed-sandbox.ts';
import { amountOf, BUSINESS, BY_ITSELF, cardOf, remembering, rule, takesAmounts, transferOf } from './v3-rule.ts';
import { setting, type Variant, variant } from './variant.ts';

/** Until when interest is paid, by the cards of a sandbox. */
const interestPaid = new WeakMap<object, number>();

/** Whether a transfer is one that nothing of the documents refuses. */
const isWhole = (request: SandboxRequest, world: World): boolean => {
  const target = world.cardById.get(String(transferOf(request)?.targetCardIdentifier));
  const source = cardOf(request, world);
  return (
    source?.tenant === 'own' && target?.tenant === 'own' && source.state === 'active' && (amountOf(request) ?? 0) > 0
  );
};

const amounts = (name: string, isTaken: (amount: number) => boolean, more: Partial<Rules> = {}): Variant =>
  rule(`transfers: ${name}`, BUSINESS, { ...more, alsoRefuses: takesAmounts(isTaken) });

const counted = (
  name: string,
  most: number,
  keyOf: (request: SandboxRequest) => string,
  isCounted: typeof isWhole = isWhole,
): Variant =>
  rule(`transfers: ${name}`, BUSINESS, {
    alsoRefuses: remembering(
      () => new Map<string, number>(),
      (counts, request, world) => {
        if (transferOf(request) === undefined || !isCounted(request, world)) return undefined;
        const key = keyOf(request);
        const count = (counts.get(key) ?? 0) + 1;
        counts.set(key, count);
        return count > most ? { kind: 'range', name: 'count' } : undefined;
      },
    ),
  });

const fee = (name: string, of: (cents: number) => number): Variant =>
  rule(`transfers: a fee ${name}`, BUSINESS, { transferDebit: (cents) => (cents > 0 ? cents + of(cents) : cents) });

export const transferRuleVariants: readonly Variant[] = [
  amounts('at least 5.00', (amount) => amount >= 5),
  {
    ...amounts('at least 20.00, which the fixtures say, and refused by an answer of 200', (amount) => amount >= 20, {
      transferRefusalStyle: () => '200-with-failed-status',
    }),
    configure: setting({ cards: { transferAmounts: { least: 20, most: 30, step: 1 } } }),
  },
  amounts('at most 1.50', (amount) => amount <= 1.5),
  amounts('whole amounts only', (amount) => Number.isInteger(amount)),
  amounts('multiples of 5.00', (amount) => Math.abs(amount) % 5 === 0),
  counted('one a card', 1, ({ params }) => params.identifier ?? ''),
  counted(
    'three a card, refused ones too',
    3,
    ({ params }) => params.identifier ?? '',
    () => true,
  ),
  counted('three in all', 3, () => ''),
  counted('ten in all', 10, () => ''),
  rule('transfers: a comment is required', 'cardTransferFunds: required flags and formats not shown', {
    alsoRefuses: (request) => {
      const sent = transferOf(request);
      const isTaken = sent === undefined || (typeof sent.comment === 'string' && sent.comment !== '');
      return isTaken ? undefined : { kind: 'range', name: 'comment' };
    },
  }),
  rule('transfers: in one direction only', BUSINESS, {
    alsoRefuses: (request, world) => {
      const target = String(transferOf(request)?.targetCardIdentifier ?? '');
      return isWhole(request, world) && (request.params.identifier ?? '') > target
        ? { kind: 'mismatch', name: 'direction' }
        : undefined;
    },
  }),
  rule('transfers: of more than the balance what is there is moved, and answered', BUSINESS, {
    meanwhile: (world, request) => {
      const held = (cardOf(request, world)?.balanceCents ?? 0) / 100;
      const amount = amountOf(request);
      if (transferOf(request) && amount !== undefined && amount > held && held > 0)
        request.body = { ...bodyIn(request), amount: held };
    },
  }),
  fee('of 0.25 that the source pays', () => 25),
  fee('of 3 %, at least 0.30', (cents) => Math.max(30, Math.round(cents * 0.03))),
  fee('of 0.25 above 5.00 alone', (cents) => (cents > 500 ? 25 : 0)),
  fee('of 1.00, whatever is moved', () => 100),
  fee('of 2.50, whatever is moved', () => 250),
  fee('of 5 %, at most 0.15', (cents) => Math.min(15, Math.round(cents * 0.05))),
  rule('transfers: a fee of 0.30 and 2.9 % that the target pays', BUSINESS, {
    transferCredit: (cents) => (cents > 35 ? cents - 30 - Math.round(cents * 0.029) : cents),
  }),
  variant('transfers: a fee of 0.25 that the source pays, to itself, too', BUSINESS, {
    rules: {
      transferDebit: (cents) => (cents > 0 ? cents + 25 : cents),
      enforces: ({ kind }) => kind !== 'self',
    },
    ...answering('cards.transfer', (_, { card, request }) => {
      if (transferOf(request)?.targetCardIdentifier === card?.identifier) card!.balanceCents -= 25;
    }),
  }),
  rule('balances: interest of a cent from time to time', BY_ITSELF, {
    meanwhile: ({ ownCards }, { callNumber, operation }) => {
      if (operation === 'cards.getBalance' && callNumber % 9 === 0) for (const card of ownCards) card.balanceCents += 1;
    },
  }),
  rule(
    'balances: interest of a cent five times a second',
    BY_ITSELF,
    {
      meanwhile: ({ ownCards }) => {
        const due = Math.floor(performance.now() / 200);
        const paid = interestPaid.get(ownCards) ?? due;
        interestPaid.set(ownCards, due);
        for (const card of ownCards) card.balanceCents += due - paid;
      },
    },
    20,
  ),
  rule('balances: purchases at the terminal meanwhile', BY_ITSELF, {
    meanwhile: ({ ownCards }, { callNumber, operation }) => {
      if (operation === 'cards.getBalance' && callNumber % 7 === 3)
        for (const card of ownCards.slice(0, 20)) if (card.balanceCents > 100) card.balanceCents -= 37;
    },
  }),
];
