/** Faults that show only in sequences of operations. */
import type { Card } from '../../sandbox/index.ts';
import { broken } from './broken.ts';
import type { Fault } from './fault.ts';

/** Cards that were closed while nobody had activated them. */
const closedUnused = new WeakSet<Card>();

export const generatedFaults: readonly Fault[] = [
  broken('a card that is suspended twice pays', 'cards.suspend.stops-payments', {
    allowsFrom: (id, { state }, byDefault) => (id === 'cards.suspend' && state === 'suspended') || byDefault,
    paysFrom: (card, byDefault) => byDefault || card.history.slice(-2).join() === 'cards.suspend,cards.suspend',
  }),
  broken('a suspended card that is provisioned to a wallet pays', 'cards.suspend.stops-payments', {
    paysFrom: (card, byDefault) => byDefault || (card.state === 'suspended' && card.isProvisionedToWallet),
  }),
  broken('a suspended card that was reissued pays', 'cards.suspend.stops-payments', {
    paysFrom: (card, byDefault) => byDefault || (card.state === 'suspended' && card.history.includes('cards.reissue')),
  }),
  broken('a card that was closed before its activation can be activated', 'cards.activate.leaves-closed', {
    allowsFrom: (id, card, byDefault) => byDefault || (id === 'cards.activate' && closedUnused.has(card)),
    stateAfter(id, card, byDefault) {
      if (id === 'cards.close' && card.state === 'unused') closedUnused.add(card);
      return byDefault;
    },
  }),
  broken('unsuspend has no effect on a card that is provisioned to a wallet', 'cards.unsuspend.active', {
    takesEffect: (operation, _request, card) => operation !== 'cards.unsuspend' || !card?.isProvisionedToWallet,
  }),
  broken('a second unsuspend suspends', 'cards.unsuspend.active', {
    allowsFrom: (id, { state }, byDefault) => (id === 'cards.unsuspend' && state === 'active') || byDefault,
    stateAfter: (id, { state }, byDefault) =>
      id === 'cards.unsuspend' && state === 'active' ? 'suspended' : byDefault,
  }),
];
