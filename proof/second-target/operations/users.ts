import { ok, type Reply } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import { customerShape } from '../shapes.ts';
import { type Customer, familyOf } from '../world.ts';
import { customerOfPath } from './guard.ts';
import { page, pageBody } from './paging.ts';

const filters = ['parentIdentifier', 'name', 'v1Identifier'];

function selected(x: Exchange, asked: URLSearchParams): Customer[] {
  const { world, choices } = x;
  let found = familyOf(world.home);
  const parentIdentifier = asked.get('parentIdentifier');
  if (parentIdentifier !== null) {
    const parent = world.customers.find((customer) => customer.identifier === parentIdentifier);
    x.refuseIf(!parent, 'unknown-filter', 'parentIdentifier');
    x.refuseIf(!parent?.ours, 'unknown-filter', 'parentIdentifier');
    found = parent ? choices.within(parent) : [];
  }
  const name = asked.get('name');
  if (name !== null) found = found.filter((customer) => choices.nameContains(customer.name, name, x));
  const v1 = asked.get('v1Identifier');
  if (v1 !== null) found = found.filter((customer) => String(customer.v1Id) === v1);
  return found.sort(choices.customerOrder);
}

/** GET customers: a page of the customers that fit the filters. */
export function list(x: Exchange): Reply {
  const most = x.choices.customersMost;
  const { records, continuation } = page(x, { most, usual: Math.min(most, 20) }, filters, (asked) =>
    selected(x, asked),
  );
  return ok(pageBody(records.map(customerShape), continuation, 'continuationToken'));
}

/** GET one customer. */
export function get(x: Exchange): Reply {
  return ok(customerShape(customerOfPath(x)));
}

/** PUT permissions: what is not given stays as it is. */
export function setPermissions(x: Exchange): () => Reply {
  const customer = customerOfPath(x);
  const given = x.json();
  for (const name of ['canSearchLoads', 'canSearchSpends'] as const) {
    x.refuseIf(given[name] !== undefined && typeof given[name] !== 'boolean', 'bad-field', name);
  }
  return () => {
    const { permissions } = customer;
    if (typeof given.canSearchLoads === 'boolean') permissions.canSearchLoads = given.canSearchLoads;
    if (typeof given.canSearchSpends === 'boolean') permissions.canSearchSpends = given.canSearchSpends;
    return ok(customerShape(customer));
  };
}
