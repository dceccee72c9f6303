import type { Choices } from './choices.ts';
import type { JsonObject } from './json.ts';
import { pools } from './seed.ts';
import type { Customer, Program, World } from './world.ts';

/** The fixtures file's three sections. */
export type Fixtures = Record<'users' | 'cards' | 'portal', Record<string, unknown>>;

function named(world: World, name: string): Customer {
  return world.customers.find((customer) => customer.name === name)!;
}

function users(world: World): Record<string, unknown> {
  const region = named(world, 'Region 0 Harbour');
  return {
    customerIdentifier: named(world, 'Branch 2.2 Inland').identifier,
    parentIdentifier: region.identifier,
    childIdentifier: region.children[4]!.identifier,
    unrelatedIdentifier: named(world, 'Branch 3.1 Harbour').identifier,
    foreignCustomerIdentifier: named(world, 'Rival Branch 2').identifier,
    nameFragment: 'Harbour',
    nameMatchIdentifier: named(world, 'Branch 4.3 Harbour').identifier,
    nameMismatchIdentifier: named(world, 'Branch 4.2 Inland').identifier,
    v1Identifier: String(named(world, 'Branch 5.0 Inland').v1Id),
    v1MatchIdentifier: named(world, 'Branch 5.0 Inland').identifier,
    writableCustomerIdentifier: named(world, 'Branch 8.5 Harbour').identifier,
    writableCustomerPermissions: { ...named(world, 'Branch 8.5 Harbour').permissions },
  };
}

function cards(world: World, choices: Choices): Record<string, unknown> {
  let from = 0;
  const taken = (count: number) => {
    from += count;
    return world.cards.slice(from - count, from).map(({ identifier }) => identifier);
  };
  const active = taken(pools.active);
  const disposable = taken(pools.disposable);
  const unused = taken(pools.unused);
  const fraud = taken(pools.fraud);
  const other = world.cards.slice(from, from + pools.other);
  const proxied = other.find(({ n, proxy }) => world.cards.some((card) => card.n !== n && card.proxy === proxy))!;
  const filtered = other[3]!;
  const { least, most, step, body } = choices.transfers;
  return {
    active,
    disposable,
    unused,
    fraud,
    foreign: world.cards.filter(({ owner }) => !owner.ours).map(({ identifier }) => identifier),
    transferAmounts: { least, most: Math.min(most, 10), step },
    transferBody: body,
    withRelated: other[6]!.identifier,
    byProxy: {
      proxyNumber: proxied.proxy,
      programIdentifier: proxied.program.identifier,
      isDigital: proxied.digital,
      identifier: proxied.identifier,
    },
    filters: {
      customerIdentifier: filtered.owner.identifier,
      programIdentifier: filtered.program.identifier,
      orderIdentifier: filtered.order,
      externalIdentifier: filtered.externalIdentifier,
    },
  };
}

/** A complete order that a program takes, with only those unique values that the program requires. */
export function orderFor(program: Program, type: string): JsonObject {
  const load = program.load ? { amount: 5 } : {};
  const other = program.otherInfoRequired ? { otherInfo: 'employee 1' } : {};
  const marked = program.duplicateLoadChecker ? { externalIdentifier: 'load 1' } : {};
  return {
    address1: '1 Quay #4',
    address2: '',
    attn: 'Zoë',
    city: 'Rutland',
    state: 'VT',
    zip: '05701',
    custProgId: program.rowId,
    customerId: program.customer.v1Id,
    shippingMethod: 'Mule',
    shippingFee: 0,
    cardFee: 1.5,
    orderProdType: type,
    ...(program.load ? { totalValue: 5, externalIdentifier: 'first of its kind' } : {}),
    orderDetails: [
      { firstName: 'Zoë', lastName: 'Öst', phone: '8025550100', ssn: '123456789', ...load, ...other, ...marked },
    ],
  };
}

function portal(world: World, choices: Choices): Record<string, unknown> {
  const program = (name: string, type: string, whole = choices.wholeOrders, more: JsonObject = {}) => {
    const found = world.programs.find((known) => known.name === name)!;
    return whole ? { custProgId: found.rowId, order: { ...orderFor(found, type), ...more } } : found.rowId;
  };
  const personal = 'Personalized Payroll Order';
  const person = (i: number) => ({ ...world.people[i]!.body });
  return {
    customerId: world.home.v1Id,
    foreignCustomerId: named(world, 'Rival Harbour').v1Id,
    programs: {
      personalized: program('plain', personal),
      instantIssue: program('stock', 'Instant Corporate Reward Order', true, { isInstantIssue: true, qty: 2 }),
      other: program('second', personal),
      digitalOn: program('digital', personal, true),
      digitalOff: program('plastic', personal),
      loadOn: program('load', 'Personalized Purchasing Order', true),
      loadOff: program('no load', personal),
      uniqueOtherInfo: program('unique', personal),
      duplicateLoadChecker: program('checker', personal, true),
    },
    cip: { pass: person(0), fail: person(1), partialDifferentiator: person(2), partialQuestions: person(3) },
    atm: { latitude: '43.610', longitude: '-072.97' },
    restrictedLogin: { loginID: world.users[1]!.loginId, password: '&', forbiddenOperation: 'getCustomerList' },
  };
}

/** The complete fixtures of a target; it accepts everything that they promise. */
export function fixturesOf(world: World, choices: Choices): Fixtures {
  const fixtures = { users: users(world), cards: cards(world, choices), portal: portal(world, choices) };
  for (const change of choices.fixtures) change(fixtures, world);
  return fixtures;
}
