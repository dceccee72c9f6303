/** Faults of transfers: amounts, repetitions, transfers at the same moment, and refusals that move money. */
import { broken, refusedYetDone, thoroughly } from './broken.ts';
import type { Fault } from './fault.ts';

const amountIs = (amount: number) => (cents: number) => Math.abs(cents - amount * 100) < 0.01;

export const transferFaults: readonly Fault[] = [
  broken('a transfer to a suspended card is refused and moves money', 'cards.transfer.refused-moves-nothing', {
    refusedStillTakesEffect: ({ operation, kind, name }) =>
      operation === 'cards.transfer' && kind === 'state' && name === 'target',
  }),
  broken(
    'a fraction of a cent is refused, yet moves',
    'cards.transfer.refused-moves-nothing',
    refusedYetDone(
      ({ operation, kind, name }) => operation === 'cards.transfer' && kind === 'amount' && name === 'fraction',
    ),
  ),
  thoroughly(
    broken('0.01 moves two cents to the target', 'cards.transfer.conserves-money', {
      transferCredit: (cents) => (amountIs(0.01)(cents) ? 2 : cents),
    }),
  ),
];
