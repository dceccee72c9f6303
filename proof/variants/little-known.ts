/** Sound implementations of which the fixtures file, or the target itself, shows little: what is missing there is no fault. */
import type { Fixtures } from '../../contracts/fixtures.ts';
import type { Card, OperationId, Rules } from '../../sandbox/index.ts';
import { answering, memory, refusing, replacing } from '../changed-sandbox.ts';
import { atMost, ownRule } from './portal-rule.ts';
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

const THREE_LISTS = atMost(3, 'portal.getCustomerProgramList', 403);

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

/** Active cards of which this holds were suspended before. */
const suspendedBefore = (isMeant: (card: Card, all: readonly Card[]) => boolean): Partial<Rules> => {
  const suspendedIn = memory(() => ({ isDone: false }));
  return {
    meanwhile(world) {
      const suspended = suspendedIn(world);
      if (suspended.isDone) return;
      suspended.isDone = true;
      const { cards } = world.data;
      for (const card of cards)
        if (card.state === 'active' && isMeant(card, cards)) card.state = card.record.state = 'suspended';
    },
  };
};

/** What reads one card. */
const READINGS = ['cards.getBalance', 'cards.getStatus', 'cards.get', 'cards.listRelated', 'cards.createToken'];

/** The first two Active cards cannot be read, by whatever they are found; those with related ones are suspended. */
const unreadable: Partial<Rules> = {
  ...suspendedBefore(
    ({ cardholder }, all) => !!cardholder && all.filter((card) => card.cardholder === cardholder).length > 1,
  ),
  ...ownRule(({ operation, params: { identifier = '' } }, { ownCards }) => {
    const first = ownCards.filter(({ state }) => state === 'active').slice(0, 2);
    return (
      READINGS.includes(operation) && first.some((card) => [card.identifier, card.proxyNumber].includes(identifier))
    );
  }, 403),
};

/** The rowId of a program of the login's customer, from which may be ordered. */
const PROGRAM = 7001;
const LISTED_FOR_NONE: Partial<Rules> = {
  showsProgram: ({ rowId }, _, byDefault) => byDefault && rowId !== PROGRAM,
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
  given('no Active card', onePool, { ...FEW, pools: { ...FEW.pools, active: 0 }, rules: suspendedBefore(() => true) }),
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
  given(
    'no program, of which a list that is empty is answered with 404',
    ({ portal }) => {
      delete portal.programs;
    },
    replacing('portal.getCustomerProgramList', () => ({ status: 404, body: { errorMessage: 'failed to get list' } })),
  ),
  given('two Active cards, which cannot be read for the time being', () => {}, { rules: unreadable }),
  given('350 customers below that of the login, and a program that is listed for none of the first', () => {}, {
    customers: 900,
    portalCustomers: 350,
    rules: LISTED_FOR_NONE,
  }),
  {
    ...given('a program that is listed for none of the first customers, and three program lists', () => {}, {
      ...THREE_LISTS,
      rules: { ...THREE_LISTS.rules, ...LISTED_FOR_NONE },
    }),
    run: { only: ['portal.getCustomerProgramList.known-programs'] },
  },
  implemented(
    'little is known: cash machines alone, of which none is found',
    { rules: noLocations },
    {
      configure: setting({
        portal: { atm: undefined },
        target: { operations: ['token', 'portal.login', 'portal.logout', 'portal.getATMLocation'] },
      }),
    },
  ),
  claiming('markLost alone, which wants a PIN first', ['cards.markLost'], wantsPin),
  claiming('suspend and unsuspend alone', ['cards.suspend', 'cards.unsuspend']),
  given('few customers, of which a page holds no more than 50', () => {}, {
    customers: 20,
    rules: { pageSize: (_operation, asked, byDefault) => byDefault ?? (Number(asked) > 50 ? 50 : undefined) },
  }),
];
