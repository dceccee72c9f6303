/** Faults that show only in drawn inputs or in sequences of operations. */
import type { Card } from '../../sandbox/world.ts';
import { letThrough } from './broken.ts';
import type { Fault } from './fault.ts';

/** What changed a card last, the latest first. */
const lately = ({ history }: Card) => history.toReversed();

const unknownIdentifier = (id: string): Fault => ({
  name: `${id}: an unknown identifier with unusual characters names something`,
  condemns: [`${id}.unknown-identifier`],
  sandbox: {
    rules: letThrough(
      ({ operation: of, kind, request }) =>
        of === id && kind === 'unknown' && /[^a-z0-9-]/i.test(request.params.identifier ?? ''),
    ),
  },
});

/** Faults that only some forms of a request show. */
export const formFaults: readonly Fault[] = [
  {
    name: 'users.list: a name with reserved characters matches everybody',
    condemns: ['users.list.unmatched-name-empty'],
    sandbox: {
      rules: {
        matchesFilter: ({ name, value }, byDefault) => (name === 'name' && /[^a-z0-9 -]/i.test(value)) || byDefault,
      },
    },
  },
  ...['cards.listRelated'].map(unknownIdentifier),
  {
    name: 'getCIPCheck: an address counts bytes when one- and two-byte letters are mixed',
    condemns: ['portal.getCIPCheck.address-counts-characters'],
    sandbox: {
      rules: {
        cipAddressLength: (address) =>
          /[a-z]/i.test(address) && /[^ -~]/.test(address) ? Buffer.byteLength(address) : address.length,
      },
    },
  },
  {
    name: 'orderCards: an orderProdType that begins like a listed one is taken',
    condemns: ['portal.orderCards.unlisted-order-type'],
    sandbox: {
      rules: {
        listsOrderType: (type, byDefault) => byDefault || / Order?e? \d+$/.test(type) || /^Direct/.test(type),
        takesOrderType: () => true,
      },
    },
  },
];

export const generatedFaults: readonly Fault[] = [
  {
    name: 'a card that is suspended twice pays',
    condemns: ['cards.suspend.stops-payments'],
    sandbox: {
      rules: {
        allowsFrom: (id, { state }, byDefault) => (id === 'cards.suspend' && state === 'suspended') || byDefault,
        paysFrom: (card, byDefault) =>
          byDefault || (lately(card)[0] === 'cards.suspend' && lately(card)[1] === 'cards.suspend'),
      },
    },
  },
  {
    name: 'a second unsuspend suspends',
    condemns: ['cards.unsuspend.active'],
    sandbox: {
      rules: {
        allowsFrom: (id, { state }, byDefault) => (id === 'cards.unsuspend' && state === 'active') || byDefault,
        stateAfter: (id, { state }, byDefault) =>
          id === 'cards.unsuspend' && state === 'active' ? 'suspended' : byDefault,
      },
    },
  },
];
