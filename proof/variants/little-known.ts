/** Sound implementations of which the fixtures file, or the target itself, shows little: what is missing there is no fault. */
import type { Fixtures } from '../../contracts/fixtures.ts';
import type { OperationId, Rules } from '../../sandbox/index.ts';
import { answering, memory, refusing } from '../changed-sandbox.ts';
import { implemented, setting, type Variant } from './variant.ts';

type Given = Omit<Fixtures, '$schema'> & Required<Pick<Fixtures, 'users' | 'cards' | 'portal'>>;

/** A target of whose data the fixtures file gives this. */
const given = (name: string, change: (fixtures: Given) => void, sandbox: Variant['sandbox'] = {}): Variant =>
  implemented(`little is known: ${name}`, sandbox, {
    configure: (configuration) => {
      const fixtures = { users: {}, cards: {}, portal: {}, ...structuredClone(configuration.fixtures) };
      change(fixtures);
      configuration.fixtures = fixtures;
    },
  });

/** ATM locations are found in one country alone. */
const noLocations = refusing(
  { kind: 'range', name: 'country' },
  ({ operation }) => operation === 'portal.getATMLocation',
);

/** No more identities are checked today. */
const noChecks = refusing({ kind: 'range', name: 'checks' }, ({ operation }) => operation === 'portal.getCIPCheck');

/** Every card was given to a wallet before. */
const provisionedBefore: Partial<Rules> = {
  meanwhile(world) {
    for (const card of world.data.cards) card.isProvisionedToWallet = true;
  },
};

/** A closed card is not paid out: it has to be empty, and so does one that was paid. */
const closesEmpty: Partial<Rules> = refusing(
  { kind: 'state', name: 'balance' },
  ({ operation, params }, { cardById }) =>
    operation === 'cards.close' && (cardById.get(params.identifier ?? '')?.balanceCents ?? 0) > 0,
);

/** Few cards, and one pool of them at the most. */
const FEW = { cards: 4, pools: { disposable: 0, unused: 0, fraud: 0 } };

function onePool({ cards }: Given): void {
  for (const key of ['disposable', 'unused', 'fraud', 'withRelated'] as const) delete cards[key];
}

/** Cards with less than this balance were suspended before. */
const suspendedBefore = (cents: number): Partial<Rules> => {
  const suspendedIn = memory(() => ({ isDone: false }));
  return {
    meanwhile(world) {
      const suspended = suspendedIn(world);
      if (suspended.isDone) return;
      suspended.isDone = true;
      for (const card of world.data.cards)
        if (card.state === 'active' && card.balanceCents < cents) card.state = card.record.state = 'suspended';
    },
  };
};

/** The record of a customer shows its name. */
const namesCustomers = answering('users.get', (body, { customer }) => {
  if (customer) body.name = customer.name;
});

/** A listing in which nothing is found. */
const listingNone = (operation: OperationId) =>
  answering(operation, (body) => {
    body.results = [];
    delete body.continuationToken;
  });

/** A target that claims to implement little. */
const claiming = (name: string, operations: readonly string[], rules: Partial<Rules> = {}): Variant =>
  implemented(
    `little is known: ${name}`,
    { rules },
    { configure: setting({ target: { operations: ['token', ...operations] } }) },
  );

/** A card is marked lost once it has a PIN. */
const wantsPin: Partial<Rules> = refusing(
  { kind: 'state', name: 'no PIN' },
  ({ operation, params }, { cardById }) =>
    operation === 'cards.markLost' && cardById.get(params.identifier ?? '')?.pin === undefined,
);

export const littleKnownVariants: readonly Variant[] = [
  given('disposable cards without a balance', ({ cards }) => {
    cards.disposable = cards.disposable?.filter((_, place) => place % 2 === 1) ?? [];
  }),
  given(
    'disposable cards with a balance, which cannot be closed',
    ({ cards }) => {
      cards.disposable = cards.disposable?.filter((_, place) => place % 2 === 0) ?? [];
      cards.active = [];
    },
    { rules: closesEmpty },
  ),
  given(
    'no location of ATMs',
    ({ portal }) => {
      delete portal.atm;
    },
    { rules: noLocations },
  ),
  given(
    'no persons, and no more are checked today',
    ({ portal }) => {
      delete portal.cip;
    },
    { rules: noChecks },
  ),
  given(
    'a name that is another now',
    ({ users }) => {
      users.nameFragment = 'of another name';
    },
    namesCustomers,
  ),
  given('the program of unique otherInfo issues instantly', ({ portal }) => {
    portal.programs = { ...portal.programs, uniqueOtherInfo: portal.programs!.instantIssue! };
  }),
  given('cards that are in a wallet', () => {}, { rules: provisionedBefore }),
  given('no Active card', onePool, { ...FEW, pools: { ...FEW.pools, active: 0 }, rules: suspendedBefore(Infinity) }),
  given(
    'no card',
    (fixtures) => {
      fixtures.cards = {};
    },
    listingNone('cards.list'),
  ),
  given(
    'no customer',
    (fixtures) => {
      fixtures.users = {};
    },
    listingNone('users.list'),
  ),
  claiming('markLost alone, which wants a PIN first', ['cards.markLost'], wantsPin),
  claiming('suspend and unsuspend alone', ['cards.suspend', 'cards.unsuspend']),
  given('few customers, of which a page holds no more than 50', () => {}, {
    customers: 20,
    rules: { pageSize: (_operation, asked, byDefault) => byDefault ?? (Number(asked) > 50 ? 50 : undefined) },
  }),
];
