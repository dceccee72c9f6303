/** Faults that show only in sequences of operations. */
import { broken } from './broken.ts';
import type { Fault } from './fault.ts';

export const generatedFaults: readonly Fault[] = [
  broken('a card that is suspended twice pays', 'cards.suspend.stops-payments', {
    allowsFrom: (id, { state }, byDefault) => (id === 'cards.suspend' && state === 'suspended') || byDefault,
    paysFrom: (card, byDefault) => byDefault || card.history.slice(-2).join() === 'cards.suspend,cards.suspend',
  }),
  broken('a second unsuspend suspends', 'cards.unsuspend.active', {
    allowsFrom: (id, { state }, byDefault) => (id === 'cards.unsuspend' && state === 'active') || byDefault,
    stateAfter: (id, { state }, byDefault) =>
      id === 'cards.unsuspend' && state === 'active' ? 'suspended' : byDefault,
  }),
];
