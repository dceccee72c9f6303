/** The users resource. Source: "Users" of the token, users and cards document. */
import type { Call } from '../call.ts';
import { members, readMembers } from '../members.ts';
import type { Customer } from '../world.ts';
import { continuation, page, pageSize } from './listing.ts';

const permissions = members({ canSearchLoads: 'boolean', canSearchSpends: 'boolean' });
const filterNames = ['parentIdentifier', 'name', 'v1Identifier'] as const;
type FilterName = (typeof filterNames)[number];

function matches(call: Call, name: FilterName, value: string, customer: Customer): boolean {
  const { rules, world } = call;
  if (name === 'v1Identifier') return customer.v1Identifier === value;
  if (name === 'name') {
    return rules.nameMatchesCase
      ? customer.name.includes(value)
      : customer.name.toLowerCase().includes(value.toLowerCase());
  }
  if (customer.identifier === value) return rules.parentFindsItself;
  if (rules.parentFinds === 'children') return customer.parentIdentifier === value;
  return world.isBelow(customer, value);
}

/** Whether the value names anything; a name may always find nothing. */
function isKnown(call: Call, name: FilterName, value: string): boolean {
  if (name === 'name') return true;
  if (name === 'parentIdentifier') return call.world.customerById.get(value)?.tenant === 'own';
  return call.world.ownCustomers.some((customer) => customer.v1Identifier === value);
}

function shown(customer: Customer): unknown {
  return { identifier: customer.identifier };
}

/** GET /users/customers */
export function listCustomers(call: Call): unknown {
  const { rules, world } = call;
  const size = pageSize(call);
  let found: readonly Customer[] = rules.listsForeign('users.list') ? world.allCustomers : world.ownCustomers;
  for (const name of filterNames) {
    const value = call.text(name);
    if (value === undefined) continue;
    if (!isKnown(call, name, value)) {
      const then = rules.unknownFilterValue('users.list', name);
      if (then === 'ignore') continue;
      if (then === 'refuse') call.check(false, 'unknown-reference', name, `No customer has this ${name}.`);
    }
    found = found.filter((item) =>
      rules.matchesFilter(
        { operation: 'users.list', name, value, item, request: call.request },
        matches(call, name, value, item),
      ),
    );
  }
  found = rules.listingOrder(
    'users.list',
    found.filter((customer) => !rules.hides('users.list', customer)),
    call.request,
  );
  const { results, next } = page(call, found, size);
  return { ...continuation(call, next), results: results.map(shown) };
}

/** The customer that the path names. @throws Refused when there is none, or it belongs to another tenant */
function findCustomer(call: Call): Customer {
  const identifier = call.request.params.identifier ?? '';
  const customer = call.world.customerById.get(identifier);
  call.check(customer !== undefined, 'unknown', 'identifier', 'There is no such customer.');
  call.check(customer?.tenant !== 'other', 'foreign', 'identifier', 'There is no such customer.');
  call.customer = customer ?? {
    identifier,
    tenant: 'own',
    name: identifier,
    parentIdentifier: undefined,
    v1Identifier: '',
    permissions: { canSearchLoads: false, canSearchSpends: false },
  };
  return call.customer;
}

/** GET /users/customers/{identifier} */
export function getCustomer(call: Call): unknown {
  return shown(findCustomer(call));
}

/** PUT /users/customers/{identifier}/permissions; absent members stay unchanged. */
export function setPermissions(call: Call): unknown {
  const customer = findCustomer(call);
  const wanted = readMembers(call, call.object(), permissions);
  call.effect(() => {
    Object.assign(customer.permissions, wanted);
  });
  return shown(customer);
}
