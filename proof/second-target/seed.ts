import type { Choices } from './choices.ts';
import {
  type Card,
  type CardState,
  type Customer,
  familyOf,
  type Holder,
  type Person,
  type Program,
  World,
} from './world.ts';

const oddNames = [
  '100% Cotton_Mill',
  `O'Hara "Tools" #5`,
  'Peña & Søhne',
  'Čapek + Sons/Daughters',
  'a\\b; c?d=e',
  'x y',
];

function addCustomer(world: World, choices: Choices, name: string, parent?: Customer, ours = true): Customer {
  const n = world.next('customer');
  const permissions = { canSearchLoads: n % 2 === 0, canSearchSpends: n % 3 === 0 };
  const [identifier, v1Id] = [choices.identifier('customer', n), choices.v1Id('customer', n)];
  const customer: Customer = { n, identifier, v1Id, name, parent, children: [], ours, permissions };
  world.customers.push(customer);
  parent?.children.push(customer);
  return customer;
}

/** Adds a customer below another one; the target may do so at any time. */
export function newCustomer(world: World, choices: Choices, parent: Customer): Customer {
  return addCustomer(world, choices, `Newcomer Harbour ${world.customers.length}`, parent, parent.ours);
}

function addCustomers(world: World, choices: Choices): void {
  const add = (name: string, parent?: Customer, ours = true) => addCustomer(world, choices, name, parent, ours);
  const host = add('The Host', undefined, false);
  world.home = add('Lantern Holding', host);
  for (let r = 0; r < 9; r++) {
    const region = add(`Region ${r} Harbour`, world.home);
    for (let b = 0; b < 6; b++) {
      const branch = add(r === 1 ? oddNames[b]! : `Branch ${r}.${b} ${b % 2 ? 'Harbour' : 'Inland'}`, region);
      for (let o = 0; r < 6 && o < 2; o++) add(`Outlet ${r}.${b}.${o}`, branch);
    }
  }
  const rival = add('Rival Harbour', host, false);
  for (let b = 0; b < 4; b++) add(`Rival Branch ${b}`, rival, false);
}

function addPrograms(world: World, choices: Choices): void {
  const add = (name: string, customer: Customer, options: Partial<Program> = {}) => {
    const n = world.next('program');
    const usual = { family: 'payroll', autoCreated: false, branded: false, digital: false, load: false } as const;
    const checks = { otherInfoRequired: false, otherInfoUnique: false, duplicateLoadChecker: false };
    const names = { rowId: choices.v1Id('program', n), identifier: choices.identifier('program', n), name, customer };
    const used = { orderIdentifiers: [], loadIdentifiers: [], otherInfos: [] };
    world.programs.push({ n, ...names, ...usual, ...checks, ...options, ...used });
  };
  const { home } = world;
  add('plain', home);
  add('stock', home, { family: 'reward' });
  add('second', home, { branded: true });
  add('digital', home, { digital: true, branded: true });
  add('plastic', home, { autoCreated: true });
  add('load', home, { load: true, family: 'purchasing' });
  add('no load', home, { autoCreated: true, branded: true });
  add('unique', home, { otherInfoRequired: true, otherInfoUnique: true });
  add('checker', home, { load: true, duplicateLoadChecker: true, branded: true });
  for (const branch of home.children.slice(0, 3)) add(`of ${branch.name}`, branch);
  add('rival', world.customers.find(({ name }) => name === 'Rival Harbour')!);
}

const day = 86_400_000;
const firstNames = ['Zoë', 'Jón', 'Mary-Ann', "D'Arcy", 'Li'];

function holderOf(world: World, choices: Choices, person: number): Holder {
  const identifier = choices.identifier('holder', person);
  const known = world.cards.find(({ holder }) => holder.identifier === identifier);
  return (
    known?.holder ?? {
      identifier,
      firstName: firstNames[person % firstNames.length]!,
      lastName: `Holder ${person}`,
      email: `h${person}@second.example`,
      phone: `+1802555${String(1000 + person)}`,
      dateOfBirth: `19${50 + (person % 50)}-02-28`,
      ssnLastFour: String(1000 + person).slice(-4),
    }
  );
}

function addCard(world: World, choices: Choices, owner: Customer, state: CardState, cents: number): Card {
  const n = world.next('card');
  const created = Date.UTC(2020, 1, 29, 23, 59, 59, 999) + n * 11 * day;
  const facts = { state, cents, recordedState: state, recordedCents: cents, updated: created + day };
  const card: Card = {
    n,
    identifier: choices.identifier('card', n),
    externalIdentifier: `ext #${n}/${owner.n}`,
    owner,
    program: world.programs[n % 4]!,
    order: choices.identifier('order', Math.floor(n / 7) + 1),
    proxy: choices.identifier('proxy', n),
    digital: n % 3 === 0,
    holder: holderOf(world, choices, Math.floor(n / 2)),
    lastFour: String(n * 37 + 5).padStart(4, '0'),
    created,
    expires: created + 3650 * day,
    kin: Math.floor(n / 3),
    facts,
    history: [{ at: 0, facts: { ...facts } }],
    temporaryTokens: [],
    nonces: [],
  };
  world.cards.push(card);
  return card;
}

/** Initial number of our own cards by fixture pool. */
export const pools = { active: 16, disposable: 32, unused: 14, fraud: 12, other: 24 } as const;

/** Issues an active card to a customer; the target may do so at any time. */
export function newCard(world: World, choices: Choices, owner: Customer): Card {
  return addCard(world, choices, owner, 'active', 4_200);
}

function addCards(world: World, choices: Choices): void {
  const owners = familyOf(world.home).slice(10, 20);
  const add = (count: number, state: CardState, cents: (i: number) => number) => {
    for (let i = 0; i < count; i++) addCard(world, choices, owners[i % owners.length]!, state, cents(i));
  };
  // Some have little money, so that one transfer can spend all of it.
  add(pools.active, 'active', (i) => (i % 4 === 3 ? 1_000 : 25_000) + i * 101);
  add(pools.disposable, 'active', (i) => (i % 2 ? 1_000 + i : 0));
  add(pools.unused, 'unused', () => 0);
  add(pools.fraud, 'fraud', (i) => i * 50);
  add(pools.other, 'active', (i) => i * 333);
  const foreign = world.customers.filter(({ name }) => name.startsWith('Rival'));
  for (let i = 0; i < 9; i++) addCard(world, choices, foreign[i % foreign.length]!, 'active', 77_700);
  world.cards.at(-1)!.kin = world.cards[3]!.kin;
  // Three cards share a proxy number: two in different programs, and a third that differs from the first only in being digital.
  const [one, two, three] = world.cards.filter(({ n }) => n > 80 && n < 90).slice(0, 3) as [Card, Card, Card];
  two.proxy = one.proxy;
  Object.assign(three, { proxy: one.proxy, program: one.program, digital: !one.digital });
}

function addPeople(world: World): void {
  const address = { address: '12 "North" Street, Apt #3', city: 'Indiana', state: 'PA' };
  const born = { dobMonth: 11, dobDay: 30, dobYear: 1972, ssn: 123456789, ssnLast4: 6789 };
  const add = (lastName: string, zip: number, outcome: Person['outcome']) =>
    world.people.push({ body: { firstName: 'Renée', lastName, ...address, zip, ...born }, outcome });
  add("O'Found", 15701, 'Pass');
  add('Unfound', 15702, 'Fail');
  add('Several-Different', 15703, 'differentiator');
  add('Several Asked', 15704, 'questions');
}

function addUsers(world: World, choices: Choices): void {
  const add = (n: number, loginId: string, password: string, forbidden: string[]) => {
    const person = { firstName: 'Åse', lastName: "d'Or", customer: world.home };
    world.users.push({ ...person, userId: choices.v1Id('user', n), loginId, password, forbidden });
  };
  add(1, 'clerk+1@second.example', 'p&w=d %23~é', []);
  add(2, 'narrow/2', '&', ['getCustomerList']);
}

/** Makes the initial state of a target. */
export function createWorld(choices: Choices): World {
  const world = new World();
  addCustomers(world, choices);
  addPrograms(world, choices);
  addCards(world, choices);
  addPeople(world);
  addUsers(world, choices);
  for (const change of choices.created) change(world);
  return world;
}
