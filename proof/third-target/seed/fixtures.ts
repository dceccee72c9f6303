import type { Card, Customer, Fields, Person, Program, User } from '../core/model.ts';
import { instantOrder, loadOrder, plainOrder } from './orders.ts';

const identifiers = (cards: Card[] = []) => cards.map(({ identifier }) => identifier);

function userFixtures(customers: Customer[], far: Customer): Fields {
  const parent = customers[11]!;
  const child = customers.find((customer) => customer.parent === parent)!;
  const match = customers.find(({ name }) => name.includes('Orchard'))!;
  return {
    customerIdentifier: customers[5]!.identifier,
    parentIdentifier: parent.identifier,
    childIdentifier: child.identifier,
    unrelatedIdentifier: customers[3]!.identifier,
    foreignCustomerIdentifier: far.identifier,
    nameFragment: 'Orchard',
    nameMatchIdentifier: match.identifier,
    nameMismatchIdentifier: customers[1]!.identifier,
    v1Identifier: String(customers[4]!.portalId),
    v1MatchIdentifier: customers[4]!.identifier,
    writableCustomerIdentifier: customers[6]!.identifier,
    writableCustomerPermissions: { canSearchLoads: false, canSearchSpends: true },
  };
}

function cardFixtures(pools: Record<string, Card[]>): Fields {
  const proxied = pools.plain![3]!;
  const filtered = pools.plain![7]!;
  return {
    active: identifiers(pools.active),
    disposable: identifiers(pools.disposable),
    unused: identifiers(pools.unused),
    fraud: identifiers(pools.fraud),
    foreign: identifiers(pools.foreign?.slice(0, 4)),
    transferAmounts: { least: 1, most: 10, step: 0.01 },
    transferBody: {},
    withRelated: pools.plain![1]!.identifier,
    byProxy: {
      proxyNumber: proxied.proxy,
      programIdentifier: proxied.program,
      isDigital: proxied.digital,
      identifier: proxied.identifier,
    },
    filters: {
      customerIdentifier: filtered.customer.identifier,
      programIdentifier: filtered.program,
      orderIdentifier: filtered.order,
      externalIdentifier: filtered.external,
    },
  };
}

function portalFixtures(owner: Customer, far: Customer, programs: Record<string, Program>, people: Person[]): Fields {
  const withOrder = (name: string, order: Fields) => ({ custProgId: programs[name]!.id, order });
  const unique = { otherInfo: '60010001' };
  return {
    customerId: owner.portalId,
    foreignCustomerId: far.portalId,
    programs: {
      personalized: withOrder('personalized', plainOrder(programs.personalized!)),
      instantIssue: withOrder('instantIssue', instantOrder(programs.instantIssue!)),
      other: programs.other!.id,
      digitalOn: programs.digitalOn!.id,
      digitalOff: withOrder('digitalOff', plainOrder(programs.digitalOff!)),
      loadOn: withOrder('loadOn', loadOrder(programs.loadOn!)),
      loadOff: programs.loadOff!.id,
      uniqueOtherInfo: withOrder('uniqueOtherInfo', plainOrder(programs.uniqueOtherInfo!, {}, unique)),
      duplicateLoadChecker: withOrder('duplicateLoadChecker', loadOrder(programs.duplicateLoadChecker!)),
    },
    cip: {
      pass: people[0]!.body,
      fail: people[1]!.body,
      partialDifferentiator: people[2]!.body,
      partialQuestions: people[3]!.body,
    },
    atm: { latitude: '39.7589', longitude: '-84.1916' },
  };
}

export interface Seed {
  customers: Customer[];
  owner: Customer;
  far: Customer;
  pools: Record<string, Card[]>;
  programs: Record<string, Program>;
  persons: Person[];
  users: User[];
}

export function fixturesOf(seed: Seed): Fields & { users: Fields; cards: Fields; portal: Fields } {
  const { loginID, password } = seed.users[1]!;
  return {
    users: userFixtures(seed.customers, seed.far),
    cards: cardFixtures(seed.pools),
    portal: {
      ...portalFixtures(seed.owner, seed.far, seed.programs, seed.persons),
      restrictedLogin: { loginID, password, forbiddenOperation: 'getCustomerHierarchy' },
    },
  };
}
