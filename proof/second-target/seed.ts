import type { Choices } from './choices.ts';
import { type Card, type CardState, type Customer, familyOf, type Holder, type Program, World } from './world.ts';

const oddNames = [
  '100% Cotton_Mill',
  `O'Hara "Tools" #5`,
  'Peña & Søhne',
  'Čapek + Sons/Daughters',
  'a\\b; c?d=e',
  'x y',
];

function addCustomer(
  world: World,
  choices: Choices,
  name: string,
  parent: Customer | undefined,
  ours: boolean,
): Customer {
  const n = world.next('customer');
  const customer: Customer = {
    n,
    identifier: choices.identifier('customer', n),
    v1Id: choices.v1Id('customer', n),
    name,
    parent,
    children: [],
    ours,
    permissions: { canSearchLoads: n % 2 === 0, canSearchSpends: n % 3 === 0 },
  };
  world.customers.push(customer);
  parent?.children.push(customer);
  return customer;
}

/** Adds a customer below another one; the target may do so at any time. */
export function newCustomer(world: World, choices: Choices, parent: Customer): Customer {
  return addCustomer(world, choices, `Newcomer Harbour ${world.customers.length}`, parent, parent.ours);
}

function addCustomers(world: World, choices: Choices): void {
  const host = addCustomer(world, choices, 'The Host', undefined, false);
  world.home = addCustomer(world, choices, 'Lantern Holding', host, true);
  for (let r = 0; r < 9; r++) {
    const region = addCustomer(world, choices, `Region ${r} Harbour`, world.home, true);
    for (let b = 0; b < 6; b++) {
      const odd = r === 1 ? oddNames[b]! : `Branch ${r}.${b} ${b % 2 ? 'Harbour' : 'Inland'}`;
      const branch = addCustomer(world, choices, odd, region, true);
      for (let o = 0; r < 6 && o < 2; o++) addCustomer(world, choices, `Outlet ${r}.${b}.${o}`, branch, true);
    }
  }
  const rival = addCustomer(world, choices, 'Rival Harbour', host, false);
  for (let b = 0; b < 4; b++) addCustomer(world, choices, `Rival Branch ${b}`, rival, false);
}

type Options = Partial<Pick<Program, 'autoCreated' | 'branded' | 'digital' | 'load' | 'family'>> & {
  unique?: boolean;
  checker?: boolean;
};

function addProgram(world: World, choices: Choices, name: string, customer: Customer, options: Options = {}): void {
  const n = world.next('program');
  world.programs.push({
    n,
    rowId: choices.v1Id('program', n),
    identifier: choices.identifier('program', n),
    name,
    customer,
    family: options.family ?? 'payroll',
    autoCreated: options.autoCreated ?? false,
    branded: options.branded ?? false,
    digital: options.digital ?? false,
    load: options.load ?? false,
    otherInfoRequired: options.unique ?? false,
    otherInfoUnique: options.unique ?? false,
    duplicateLoadChecker: options.checker ?? false,
    orderIdentifiers: [],
    loadIdentifiers: [],
    otherInfos: [],
  });
}

function addPrograms(world: World, choices: Choices): void {
  const { home } = world;
  addProgram(world, choices, 'plain', home);
  addProgram(world, choices, 'stock', home, { family: 'reward' });
  addProgram(world, choices, 'second', home, { branded: true });
  addProgram(world, choices, 'digital', home, { digital: true, branded: true });
  addProgram(world, choices, 'plastic', home, { autoCreated: true });
  addProgram(world, choices, 'load', home, { load: true, family: 'purchasing' });
  addProgram(world, choices, 'no load', home, { autoCreated: true, branded: true });
  addProgram(world, choices, 'unique', home, { unique: true });
  addProgram(world, choices, 'checker', home, { load: true, checker: true, branded: true });
  for (const branch of home.children.slice(0, 3)) addProgram(world, choices, `of ${branch.name}`, branch);
  addProgram(world, choices, 'rival', world.customers.find(({ name }) => name === 'Rival Harbour')!);
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
  const last = world.cards.at(-1)!;
  last.kin = world.cards[3]!.kin;
  // Three cards share a proxy number: two in different programs, and a third that differs from the first only in being digital.
  const [one, two, three] = world.cards.filter(({ n }) => n > 80 && n < 90).slice(0, 3) as [Card, Card, Card];
  two.proxy = one.proxy;
  three.proxy = one.proxy;
  three.program = one.program;
  three.digital = !one.digital;
}

function addPeople(world: World): void {
  const person = (lastName: string, zip: number) => ({
    firstName: 'Renée',
    lastName,
    address: '12 "North" Street, Apt #3',
    city: 'Indiana',
    state: 'PA',
    zip,
    dobMonth: 11,
    dobDay: 30,
    dobYear: 1972,
    ssn: 123456789,
    ssnLast4: 6789,
  });
  world.people.push({ body: person("O'Found", 15701), outcome: 'Pass' });
  world.people.push({ body: person('Unfound', 15702), outcome: 'Fail' });
  world.people.push({ body: person('Several-Different', 15703), outcome: 'differentiator' });
  world.people.push({ body: person('Several Asked', 15704), outcome: 'questions' });
}

/** Makes the initial state of a target. */
export function createWorld(choices: Choices): World {
  const world = new World();
  addCustomers(world, choices);
  addPrograms(world, choices);
  addCards(world, choices);
  addPeople(world);
  const user = { firstName: 'Åse', lastName: "d'Or", customer: world.home };
  const main = {
    userId: choices.v1Id('user', 1),
    loginId: 'clerk+1@second.example',
    password: 'p&w=d %23~é',
    forbidden: [],
  };
  const narrow = {
    userId: choices.v1Id('user', 2),
    loginId: 'narrow/2',
    password: '&',
    forbidden: ['getCustomerList'],
  };
  world.users.push({ ...user, ...main }, { ...user, ...narrow });
  for (const change of choices.created) change(world);
  return world;
}
