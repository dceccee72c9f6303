/** Faults that show only in drawn inputs or in sequences of operations. */
import { operation } from '../../contracts/operations.ts';
import type { Refusal } from '../../sandbox/index.ts';
import type { Card } from '../../sandbox/world.ts';
import { letThrough, thoroughly } from './broken.ts';
import type { Fault } from './fault.ts';

const CIP = 'portal.getCIPCheck';
const ORDER = 'portal.orderCards';

const member = ({ request }: Refusal, name: string) => (request.body as Record<string, unknown> | undefined)?.[name];

/** How many of the names a request does not hold. */
const absent = (holder: unknown, names: readonly string[]) =>
  names.filter((name) => (holder as Record<string, unknown> | undefined)?.[name] === undefined).length;

/** What changed a card last, the latest first. */
const lately = ({ history }: Card) => history.toReversed();

const maxBetweenTheEdges = (requirement: string, list: 'users.list' | 'cards.list'): Fault =>
  thoroughly({
    name: `${list}: max from 3 to 48 is refused`,
    condemns: [requirement],
    sandbox: {
      rules: {
        pageSize: (id, asked, byDefault) =>
          id === list && asked !== undefined && asked > 2 && asked < 49 ? undefined : byDefault,
      },
    },
  });

const severalAbsent = (id: string): Fault => ({
  name: `${id}: only a single absent member is noticed`,
  condemns: [`${id}.required-members`],
  sandbox: {
    rules: letThrough(
      (refusal) =>
        refusal.operation === id &&
        refusal.kind === 'missing-member' &&
        absent(refusal.request.body, operation(id).body!.requiredMembers) > 1,
    ),
  },
});

const severalParameters = (id: string): Fault => ({
  name: `${id}: only a single absent parameter is noticed`,
  condemns: [`${id}.required-parameters`],
  sandbox: {
    rules: letThrough(
      (refusal) =>
        refusal.operation === id &&
        refusal.kind === 'missing-parameter' &&
        absent(
          refusal.request.query,
          operation(id).query.map(({ name }) => name),
        ) > 1,
    ),
  },
});

/** An integer is held to its digits at the first value beyond them alone. */
const edgeAlone = (requirement: string, name: string, edge: number): Fault => ({
  name: `getCIPCheck: ${name} is limited at ${edge} alone`,
  condemns: [requirement],
  sandbox: {
    rules: letThrough((refusal) => refusal.kind === 'limit' && refusal.name === name && member(refusal, name) !== edge),
  },
});

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
  maxBetweenTheEdges('users.list.max-accepted', 'users.list'),
  maxBetweenTheEdges('cards.list.max-accepted', 'cards.list'),
  {
    name: 'users.list: a name with reserved characters matches everybody',
    condemns: ['users.list.unmatched-name-empty'],
    sandbox: {
      rules: {
        matchesFilter: ({ name, value }, byDefault) => (name === 'name' && /[^a-z0-9 -]/i.test(value)) || byDefault,
      },
    },
  },
  ...['users.get', 'cards.getBalance', 'cards.listRelated'].map(unknownIdentifier),
  ...[CIP, ORDER].map(severalAbsent),
  ...['portal.getCustomerProgramList', 'portal.getATMLocation', 'portal.login'].map(severalParameters),
  edgeAlone('portal.getCIPCheck.zip-digits', 'zip', 100_000),
  edgeAlone('portal.getCIPCheck.ssnLast4-digits', 'ssnLast4', 10_000),
  edgeAlone('portal.getCIPCheck.ssn-digits', 'ssn', 1_000_000_000),
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
    name: 'getCIPCheck: an address is limited at 41 characters alone',
    condemns: ['portal.getCIPCheck.address-41-refused'],
    sandbox: { rules: { cipAddressLength: (address) => (address.length === 41 ? 41 : 1) } },
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
  {
    name: 'orderCards: a cardType that begins like a listed one is taken',
    condemns: ['portal.orderCards.unlisted-card-type'],
    sandbox: { rules: { listsCardType: (type, byDefault) => byDefault || /^(Physical|Digital)/.test(type) } },
  },
];

export const generatedFaults: readonly Fault[] = [
  {
    name: 'a second suspension ends the first',
    condemns: ['cards.suspend.not-active'],
    sandbox: {
      rules: {
        allowsFrom: (id, { state }, byDefault) => (id === 'cards.suspend' && state === 'suspended') || byDefault,
        stateAfter: (id, { state }, byDefault) =>
          id === 'cards.suspend' && state === 'suspended' ? 'active' : byDefault,
      },
    },
  },
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
  {
    name: 'the first transfer after a suspension costs a cent less',
    condemns: ['cards.transfer.moves-amount'],
    sandbox: {
      rules: {
        transferDebit: (cents, _exact, source) => cents - (lately(source)[0] === 'cards.unsuspend' ? 1 : 0),
      },
    },
  },
  {
    name: 'the later logouts of a user end no session',
    condemns: ['portal.logout.ends-session'],
    sandbox: { rules: { takesEffect: (id, { callNumber }) => id !== 'portal.logout' || callNumber <= 8 } },
  },
];
