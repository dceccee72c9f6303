import type { Client, Customer } from '../core/model.ts';
import { digits, numbers, uuid } from '../core/random.ts';

const TREES = ['Alder', 'Birch', 'Cedar', 'Hazel', 'Juniper', 'Larch', 'Maple', 'Rowan', 'Willow', 'Yew'];
const TRADES = ['Bakery', 'Orchard', 'Printing', 'Joinery', 'Nursery', 'Ferries', 'Orchard', 'Optics', 'Half_Moon 50%'];

function customer(next: () => number, name: string, parent: Customer | undefined, count: number): Customer {
  return {
    identifier: uuid(next),
    name,
    parent,
    portalId: 410_000_000_000_000 + Math.floor(next() * 1_000_000_000) * 100 + count,
    ein: `${count % 3 === 0 ? '0' : '4'}${digits(next, 8)}`,
    permissions: { canSearchLoads: false, canSearchSpends: true },
  };
}

/** A house of two sides: 105 customers that the first client reaches, 25 that only the second one does. */
export function seedCustomers(): { customers: Customer[]; near: Customer; far: Customer } {
  const next = numbers(20240229);
  const customers: Customer[] = [];
  const add = (name: string, parent: Customer | undefined): Customer => {
    const made = customer(next, name, parent, customers.length);
    customers.push(made);
    return made;
  };
  const name = (count: number) => `${TREES[count % 10]} ${TRADES[count % 9]} ${100 + count}`;
  const near = add('Greenwood Partners', undefined);
  for (let branch = 0; branch < 8; branch += 1) {
    const head = add(`${TREES[branch]} Branch Office`, near);
    for (let shop = 0; shop < 9; shop += 1) add(name(customers.length), head);
  }
  const deep = customers[2]!;
  for (let stall = 0; stall < 24; stall += 1) add(name(customers.length), deep);
  const far = add('Seaside Partners', undefined);
  for (let shop = 0; shop < 24; shop += 1)
    add(name(customers.length), shop < 3 ? far : customers[customers.length - shop + (shop % 3)]!);
  return { customers, near, far };
}

export function seedClients(near: Customer, far: Customer): Client[] {
  return [
    { id: '7f9b1c52-3d0e-4a55-9c0b-b1f3a6f0d201', secret: 'kT8~qWz.4nRb_Yp2Lx7Vd', root: near },
    { id: '0a4d7be0-95a8-4f1c-8f0e-5b2d94c1e702', secret: 'Jm3~vHs.9cXe_Qa6Nf5Tg', root: far },
  ];
}
