/** Cards: a mixed stock in every state, the pools of the fixtures file, and those of the other tenant. */
import type { Address, Card, Cardholder, CardState, Customer, Tenant } from '../world.ts';
import { dateTime, digits, pick, uuid } from './generate.ts';
import type { PoolSizes, SeedSize } from './size.ts';

const firstNames = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eva', 'Finn', 'Gina', 'Hugo', 'Iris', 'Jon', 'Zoë', 'Łukasz'];
const lastNames = ['Abbott', 'Barnes', 'Cole', 'Dunn', 'Ellis', 'Frost', 'Grant', 'Hayes', 'Núñez', "O'Hara"];
const streets = ['Elm Street', 'Mill Lane', 'High Street', 'Park Road', 'Station Road'];

/** States of the mixed stock, in turn; most cards of a real program are active. */
const stock: readonly CardState[] = [
  'active',
  'active',
  'suspended',
  'active',
  'unused',
  'active',
  'closed',
  'active',
  'lost',
  'active',
  'fraud',
  'deactivated',
];

function address(index: number): Address {
  return {
    line1: `${1 + (index % 200)} ${pick(streets, 30, index)}`,
    line2: `Flat ${1 + (index % 12)}`,
    locality: 'Springfield',
    region: 'IL',
    country: 'US',
    postalCode: `627${digits(2, 31, index)}`,
  };
}

function customFields(index: number): Record<string, string> {
  return {
    customField1: `one ${index}`,
    customField2: 'two',
    customField3: 'three',
    customField4: 'four',
    customField5: 'five',
  };
}

function holder(index: number): Cardholder {
  return {
    identifier: uuid(32, index),
    firstName: pick(firstNames, 33, index),
    lastName: pick(lastNames, 34, index),
    email: `holder-${index}@holder.invalid`,
    phone: `217555${digits(4, 35, index)}`,
    dateOfBirth: dateTime(-12_000 - (index % 9000)).slice(0, 10),
    ssnLastFour: digits(4, 36, index),
    relation: 'Self',
    other: `employee ${index}`,
    billingAddress: address(index),
    mailingAddress: address(index + 1),
    customFields: customFields(index),
  };
}

interface CardPlan {
  tenant: Tenant;
  /** Index among all cards, from which every identifier is derived. */
  index: number;
  state: CardState;
  balanceCents: number;
  customer: Customer;
  program: number;
  cardholder: Cardholder | undefined;
}

function makeCard({ tenant, index, state, balanceCents, customer, program, cardholder }: CardPlan): Card {
  const provisioned = state === 'active' && index % 7 === 3;
  return {
    identifier: uuid(40, index),
    tenant,
    customerIdentifier: customer.identifier,
    programIdentifier: `PRG-${program}`,
    orderIdentifier: `ORD-${program}-${Math.floor(index / 12)}`,
    externalIdentifier: `EXT-${String(index).padStart(6, '0')}`,
    proxyNumber: `77${String(index).padStart(6, '0')}${digits(5, 41, index)}`,
    isDigital: index % 5 === 4,
    state,
    balanceCents,
    record: { state, balanceCents },
    isProvisionedToWallet: provisioned,
    provisionedDate: provisioned ? dateTime(120 + (index % 200), index) : undefined,
    cardNumberLastFour: digits(4, 42, index),
    expiration: new Date(Date.UTC(2031 + (index % 3), 11, 31, 23, 59, 59)).toISOString(),
    creationDate: dateTime(index % 100, index),
    lastUpdateDate: dateTime(330 + (index % 30), index),
    customFields: customFields(index),
    cardholder,
    pin: undefined,
    reissues: [],
    history: [],
  };
}

/** Cards by their purpose. */
export interface SeededCards {
  all: Card[];
  stock: Card[];
  pools: Record<keyof PoolSizes, Card[]>;
}

/** Holders of the mixed stock: every ninth card has none, and every tenth is a second card of the holder before it. */
function stockHolders(count: number): (Cardholder | undefined)[] {
  const holders: (Cardholder | undefined)[] = [];
  for (let index = 0; index < count; index += 1) {
    if (index % 9 === 8) holders.push(undefined);
    else holders.push(index % 10 === 1 ? holders[index - 1] : holder(index));
  }
  return holders;
}

/** Half of the stock belongs to one customer and one program, so that these filters find more than one page. */
function makeStock(count: number, own: readonly Customer[]): Card[] {
  const holders = stockHolders(count);
  return Array.from({ length: count }, (_, index) => {
    const state = stock[index % stock.length]!;
    return makeCard({
      tenant: 'own',
      index,
      state,
      balanceCents: state === 'unused' ? 0 : (index * 137) % 50_000,
      customer: index % 2 === 0 ? own[1]! : own[(index * 7) % own.length]!,
      program: index % 2 === 0 ? 1001 : 1002 + (index % 4),
      cardholder: holders[index],
    });
  });
}

/** @param customers those within reach, then those of the other tenant */
export function makeCards(size: SeedSize, customers: readonly Customer[]): SeededCards {
  const own = customers.filter((customer) => customer.tenant === 'own');
  const stockCards = makeStock(size.cards, own);
  let index = size.cards;
  const pool = (count: number, state: CardState, cents: (place: number) => number, tenant: Tenant = 'own'): Card[] =>
    Array.from({ length: count }, (_, place) => {
      index += 1;
      const customer = tenant === 'own' ? own[place % own.length]! : customers[own.length]!;
      const program = tenant === 'own' ? 1010 : 9001;
      const cardholder = place % 3 === 2 ? undefined : holder(index);
      return makeCard({ tenant, index, state, balanceCents: cents(place), customer, program, cardholder });
    });
  const pools = {
    active: pool(size.pools.active, 'active', (place) => 10_000 + place * 1111),
    disposable: pool(size.pools.disposable, 'active', (place) => (place % 2 === 0 ? 2550 + place * 100 : 0)),
    unused: pool(size.pools.unused, 'unused', () => 0),
    fraud: pool(size.pools.fraud, 'fraud', (place) => 500 + place),
    foreign: pool(size.pools.foreign, 'active', (place) => 20_000 + place, 'other'),
  };
  const { foreign, ...ownPools } = pools;
  return { all: [...stockCards, ...Object.values(ownPools).flat(), ...foreign], stock: stockCards, pools };
}
