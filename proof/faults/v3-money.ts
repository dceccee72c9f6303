/** Faults of money and states that show beside something else: an empty card, an ended one, a large amount, and requests that cross. */
import { bodyIn, broken, misanswered, thoroughly } from './broken.ts';
import type { Fault } from './fault.ts';

const MOVES = 'cards.transfer.moves-amount';

/** Each amount is moved once, whoever pays it. */
function onceEachAmount(): Fault {
  const moved = new Set<unknown>();
  return broken('a transfer of an amount that was moved before moves nothing', 'cards.transfer.repeated', {
    takesEffect: (operation, request) => {
      if (operation !== 'cards.transfer') return true;
      const { amount } = bodyIn(request);
      return !moved.has(amount) && Boolean(moved.add(amount));
    },
  });
}

export const moneyFaults: readonly Fault[] = [
  broken('a card that is empty is credited a hundredth', MOVES, {
    transferCredit: (cents, _exact, { balanceCents }) => (balanceCents === 0 ? Math.round(cents / 100) : cents),
  }),
  onceEachAmount(),
  thoroughly(
    misanswered('a comment of digits is answered as a number', 'cards.transfer.shape', 'cards.transfer', (body) => {
      if (/^\d+$/.test(String(body.comment))) body.comment = Number(body.comment);
    }),
  ),
];
