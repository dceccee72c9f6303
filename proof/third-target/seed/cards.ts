import type { Card, Customer, Status } from '../core/model.ts';
import { isBelow } from '../core/model.ts';
import { digits, numbers, uuid } from '../core/random.ts';

const FIRST = ['Ada', 'Bea', 'Cleo', 'Dora', 'Ezra', 'Finn', 'Gus', 'Hal'];
const LAST = ['Ashby', 'Brook', 'Carver', 'Dale', 'Easton', 'Fielding'];

function holder(count: number): Record<string, unknown> {
  const firstName = FIRST[count % FIRST.length]!;
  const lastName = LAST[count % LAST.length]!;
  const address = {
    line1: `${count + 1} Mill Lane`,
    line2: '',
    locality: 'Dayton',
    region: 'OH',
    country: 'US',
    postalCode: '45402',
  };
  return {
    firstName,
    lastName,
    email: `${firstName}.${count}@example.org`.toLowerCase(),
    phone: `937555${String(1000 + count)}`,
    dateOfBirth: `19${60 + (count % 39)}-0${1 + (count % 9)}-1${count % 9}`,
    ssnLastFour: String(1000 + count),
    billingAddress: address,
    mailingAddress: address,
  };
}

function card(next: () => number, count: number, customer: Customer, status: Status, cents: number): Card {
  const program = `PRG-${4021 + (count % 4)}-${count % 2 === 0 ? 'R' : 'S'}`;
  return {
    identifier: uuid(next),
    customer,
    program,
    order: `ORD-${90100 + Math.floor(count / 5)}`,
    external: `EXT${String(500_000 + count * 7)}`,
    proxy: `00${digits(next, 10)}${String(count).padStart(3, '0')}`,
    digital: count % 6 === 5,
    lastFour: count % 9 === 0 ? `00${digits(next, 2)}` : digits(next, 4),
    created: Date.UTC(2024, count % 12, 1 + (count % 28), 9, 30),
    updated: Date.UTC(2025, count % 12, 1 + (count % 28), 16, 5),
    family: Math.floor(count / 3),
    holder: holder(count),
    status,
    cents,
    provisioned: count === 90 || count === 105 ? Date.UTC(2025, 5, 1) : undefined,
    stored: { status, cents },
    past: [],
    notes: {},
  };
}

/** How many cards of which status, in the order in which they are made. */
const POOLS: [name: string, count: number, status: Status, cents: (count: number) => number][] = [
  ['active', 16, 'Active', (count) => 25_000 + count * 137],
  ['disposable', 30, 'Active', (count) => (count % 3 === 0 ? 0 : 4_000 + count * 11)],
  ['unused', 20, 'NotActivated', () => 0],
  ['fraud', 12, 'FraudHold', (count) => 1_500 + count],
  ['plain', 34, 'Active', (count) => count * 100],
  ['held', 5, 'OnHold', () => 2_000],
  ['closed', 5, 'AccountClosed', () => 0],
  ['lost', 3, 'ReportedLost', () => 300],
];

export function seedCards(customers: Customer[], near: Customer, far: Customer): Record<string, Card[]> {
  const next = numbers(77001);
  const owners = customers.filter((customer) => isBelow(customer, near)).slice(2, 22);
  const pools: Record<string, Card[]> = {};
  let count = 0;
  for (const [name, size, status, cents] of POOLS) {
    pools[name] = Array.from({ length: size }, () => {
      const made = card(next, count, owners[count % owners.length]!, status, cents(count));
      count += 1;
      return made;
    });
  }
  const others = customers.filter((customer) => isBelow(customer, far));
  pools.foreign = Array.from({ length: 25 }, (_, index) => {
    const made = card(next, count, others[index % 5]!, index % 5 === 4 ? 'OnHold' : 'Active', 50_000);
    count += 1;
    return made;
  });
  return pools;
}
