/**
 * The initial state of a sandbox, and the fixtures file that describes it. The same size always gives the same seed.
 */
import { World } from '../world.ts';
import { makeCards } from './cards.ts';
import type { Credentials } from './credentials.ts';
import { commonFragment, makeCustomers, makePortalCustomers, places } from './customers.ts';
import {
  cipBody,
  cipPersons,
  makeAtms,
  makePrograms,
  makeUsers,
  programKeys,
  rowIdOf,
  shippingFeeTypes,
  shippingMethods,
} from './portal.ts';
import type { SeedSize } from './size.ts';

function makeParts(size: SeedSize, credentials: Credentials) {
  if (size.customers < 5 || size.cards < 4) throw new RangeError('a seed has 5 customers and 4 cards at least');
  const customers = makeCustomers(size.customers).map((customer) => ({
    ...customer,
    identifier: size.identifier(customer.identifier),
    parentIdentifier: customer.parentIdentifier && size.identifier(customer.parentIdentifier),
  }));
  const cards = makeCards(size, customers);
  for (const card of cards.all) card.identifier = size.identifier(card.identifier);
  const portalCustomers = makePortalCustomers(customers, size.portalCustomers);
  const reachable = portalCustomers.filter((customer) => customer.reachable);
  const login = reachable[0]!;
  const foreign = portalCustomers.find((customer) => customer.tenant === 'other')!;
  const programs = makePrograms(
    reachable.slice(0, 6).map((customer) => customer.customerId),
    foreign.customerId,
  );
  const users = makeUsers(credentials, login.customerId, login.name);
  return { customers, cards, portalCustomers, login, foreign, programs, users };
}

/** A world in its initial state, and its description. */
export interface Seed {
  world: World;
  /** The content of the fixtures file, with every key filled. */
  fixtures: Record<string, unknown>;
}

/** @throws RangeError for fewer than 5 customers or 4 cards */
export function makeSeed(size: SeedSize, credentials: Credentials): Seed {
  const parts = makeParts(size, credentials);
  return { world: makeWorld(parts), fixtures: makeFixtures(parts, credentials) };
}

type Parts = ReturnType<typeof makeParts>;

function makeWorld({ customers, cards, portalCustomers, programs, users }: Parts): World {
  return new World({
    customers,
    cards: cards.all,
    portalCustomers,
    programs,
    users,
    cipPersons: [...cipPersons],
    atms: makeAtms(),
    shippingMethods,
    shippingFeeTypes,
  });
}

function makeFixtures({ customers, cards, login, foreign }: Parts, credentials: Credentials): Seed['fixtures'] {
  const branch = customers[places.branch]!;
  const other = customers[places.otherBranch]!;
  const own = customers.filter((customer) => customer.tenant === 'own');
  const child = own.find((customer) => customer.parentIdentifier === branch.identifier)!;
  const inFragment = own.find((customer) => customer.name.includes(commonFragment))!;
  const outsideFragment = own.find((customer) => !customer.name.includes(commonFragment))!;
  const writable = own[own.length - 1]!;
  const identifiers = (list: readonly { identifier: string }[]) => list.map((card) => card.identifier);
  const related = cards.stock.find((card) =>
    cards.stock.some((second) => second !== card && second.cardholder && second.cardholder === card.cardholder),
  )!;
  const byProxy = cards.stock[3]!;
  const filtered = cards.stock[0]!;
  const [pass, fail, partialDifferentiator, partialQuestions] = cipPersons.map(cipBody);
  return {
    users: {
      customerIdentifier: branch.identifier,
      parentIdentifier: branch.identifier,
      childIdentifier: child.identifier,
      unrelatedIdentifier: other.identifier,
      foreignCustomerIdentifier: customers.find(({ tenant }) => tenant === 'other')!.identifier,
      nameFragment: commonFragment,
      nameMatchIdentifier: inFragment.identifier,
      nameMismatchIdentifier: outsideFragment.identifier,
      v1Identifier: branch.v1Identifier,
      v1MatchIdentifier: branch.identifier,
      writableCustomerIdentifier: writable.identifier,
      writableCustomerPermissions: { ...writable.permissions },
    },
    cards: {
      active: identifiers(cards.pools.active),
      disposable: identifiers(cards.pools.disposable),
      unused: identifiers(cards.pools.unused),
      fraud: identifiers(cards.pools.fraud),
      foreign: identifiers(cards.pools.foreign),
      withRelated: related.identifier,
      byProxy: {
        proxyNumber: byProxy.proxyNumber,
        programIdentifier: byProxy.programIdentifier,
        isDigital: byProxy.isDigital,
        identifier: byProxy.identifier,
      },
      filters: {
        customerIdentifier: filtered.customerIdentifier,
        programIdentifier: filtered.programIdentifier,
        orderIdentifier: filtered.orderIdentifier,
        externalIdentifier: filtered.externalIdentifier,
      },
    },
    portal: {
      customerId: login.customerId,
      foreignCustomerId: foreign.customerId,
      programs: Object.fromEntries(programKeys.map((key) => [key, rowIdOf(key)])),
      cip: { pass, fail, partialDifferentiator, partialQuestions },
      atm: { latitude: '39.7817', longitude: '-89.6501' },
      restrictedLogin: {
        loginID: credentials.restrictedLoginId,
        password: credentials.restrictedPassword,
        forbiddenOperation: 'getCustomerList',
      },
    },
  };
}
