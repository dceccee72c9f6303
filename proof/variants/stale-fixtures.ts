/** Sound implementations whose data has changed since the fixtures file was written, or that earlier runs have left as they did. */
import type { Fixtures } from '../../contracts/fixtures.ts';
import type { Card, CardState, Rules, SandboxOptions, World } from '../../sandbox/index.ts';
import { safely, thoroughly, type Variant } from './variant.ts';

const GONE = 'gone-since-4711';
const GONE_NUMBER = 987_654_321;
const PARENT_OF_LOGIN = 5000;

const stale = (name: string, change: (fixtures: Required<Omit<Fixtures, '$schema'>>) => void): Variant => ({
  name: `stale fixtures: ${name}`,
  sandbox: {},
  configure: (configuration) => {
    const fixtures = { users: {}, cards: {}, portal: {}, ...structuredClone(configuration.fixtures) };
    change(fixtures);
    configuration.fixtures = fixtures;
  },
});

/** What somebody else did to the cards before the run. */
function changedBefore(change: (cards: readonly Card[]) => void, rules: Partial<Rules> = {}): SandboxOptions {
  let changed: World | undefined;
  return {
    rules: {
      ...rules,
      meanwhile(world) {
        if (changed === world) return;
        changed = world;
        const { cards } = world.data;
        change(cards);
        for (const card of cards) card.record = { state: card.state, balanceCents: card.balanceCents };
      },
    },
  };
}

/** Rules by which activation of a card that has come to its end is answered with success, and changes nothing. */
const activatesNothingEnded: Partial<Rules> = {
  allowsFrom: (operation, { state }, byDefault) =>
    byDefault || (operation === 'cards.activate' && ENDED.includes(state)),
  stateAfter: (operation, { state }, byDefault) =>
    operation === 'cards.activate' && ENDED.includes(state) ? state : byDefault,
};
const ENDED: readonly CardState[] = ['closed', 'lost'];

const HOUR_MS = 3_600_000;

/** A clock that is moved forward when a run is in its middle. */
function movedMeanwhile(): SandboxOptions {
  let [world, requests]: [World | undefined, number] = [undefined, 0];
  return {
    clock: () => Date.now() + (requests > 300 ? 2 * HOUR_MS : 0),
    rules: {
      meanwhile(current) {
        requests = current === world ? requests + 1 : 1;
        world = current;
      },
    },
  };
}

/** A clock that is moved forward once more when a run has moved it. */
function movedOnceMore(): SandboxOptions {
  let [current, isMoved]: [World | undefined, boolean] = [undefined, false];
  return {
    clock: () => Date.now() + (isMoved ? 2 * HOUR_MS : 0),
    middleware: [
      (_, { nowMs, world }) => {
        if (world !== current) isMoved = false;
        current = world;
        isMoved ||= nowMs - Date.now() > HOUR_MS / 2;
        return undefined;
      },
    ],
  };
}

export const staleFixtureVariants: readonly Variant[] = [
  stale('a parent and customers that are no more', ({ users }) => {
    users.customerIdentifier = GONE;
    users.parentIdentifier = GONE;
    users.v1MatchIdentifier = GONE;
    users.writableCustomerIdentifier = GONE;
  }),
  stale('a child and a match that are no more', ({ users }) => {
    users.childIdentifier = GONE;
    users.nameMatchIdentifier = GONE;
  }),
  thoroughly(
    stale('cards that are no more', ({ cards }) => {
      cards.disposable = cards.disposable?.map(() => GONE) ?? [];
      cards.withRelated = GONE;
      cards.byProxy = { ...cards.byProxy, identifier: GONE };
      cards.filters = { ...cards.filters, customerIdentifier: GONE, externalIdentifier: GONE };
    }),
  ),
  stale('cards that are in cards.active and in cards.disposable', ({ cards }) => {
    cards.disposable = cards.active ?? [];
  }),
  stale('the least amount in cents, and more than any card has', ({ cards }) => {
    cards.transferAmounts = { least: 1_000_000_000_000 };
  }),
  stale('a proxy of another card', ({ cards }) => {
    cards.byProxy = { ...cards.byProxy, proxyNumber: GONE };
  }),
  stale('a proxy of another program', ({ cards }) => {
    cards.byProxy = { ...cards.byProxy, programIdentifier: GONE };
  }),
  stale('a password of the restricted user that is another one now', ({ portal }) => {
    portal.restrictedLogin = { ...portal.restrictedLogin, password: GONE };
  }),
  {
    ...stale(
      'an unrelated customer that is no more, and one below whose identifier differs from it by case alone',
      ({ users }) => {
        users.unrelatedIdentifier = users.childIdentifier!.toUpperCase();
      },
    ),
    sandbox: { identifier: (uuid) => `id_${uuid.replaceAll('-', '')}` },
  },
  stale('a customer and programs of the portal that are no more', ({ portal }) => {
    portal.customerId = GONE_NUMBER;
    portal.programs = { ...portal.programs, personalized: GONE_NUMBER, instantIssue: GONE_NUMBER };
  }),
  safely(
    stale('programs of the portal that are no more, where no order may be made', ({ portal }) => {
      portal.programs = { ...portal.programs, personalized: GONE_NUMBER, other: GONE_NUMBER };
    }),
  ),
  stale('a foreign customer of the portal that is the parent of the customer of the login', ({ portal }) => {
    portal.foreignCustomerId = PARENT_OF_LOGIN;
  }),
  {
    name: 'stale fixtures: unused cards, and cards with reported fraud, that were closed since',
    sandbox: changedBefore((cards) => {
      for (const card of cards) if (card.state === 'unused' || card.state === 'fraud') card.state = 'closed';
    }),
  },
  {
    name: 'stale fixtures: unused cards, but for one, that earlier runs activated and marked lost, whose activation changes nothing',
    sandbox: changedBefore((cards) => {
      const unused = cards.filter(({ state }) => state === 'unused');
      for (const card of unused.slice(0, -1)) card.state = 'lost';
    }, activatesNothingEnded),
  },
  {
    name: 'stale fixtures: unused and disposable cards that an earlier run closed, whose activation changes nothing',
    sandbox: changedBefore((cards) => {
      for (const card of cards) if (card.state === 'unused') card.state = 'closed';
      cards.find(({ state, balanceCents }) => state === 'active' && balanceCents === 0)!.state = 'closed';
    }, activatesNothingEnded),
  },
  { name: 'another run moves the test clock meanwhile', sandbox: movedMeanwhile() },
  { name: 'another run moves the test clock once this one did', sandbox: movedOnceMore() },
];
