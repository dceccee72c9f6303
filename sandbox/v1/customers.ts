/** Customers and their programs. Source: customerendpoint of the portal document. */
import type { Call } from '../call.ts';
import type { PortalCustomer } from '../world.ts';

function shown(customer: PortalCustomer): unknown {
  const { customerId, name, parentId, details } = customer;
  return parentId === undefined ? { customerId, name, ...details } : { customerId, name, parentId, ...details };
}

/** Whether the customer is the one named, or below it. */
function isWithin(call: Call, customer: PortalCustomer, ancestorId: number): boolean {
  for (let at: PortalCustomer | undefined = customer; at; at = call.world.portalCustomerById.get(at.parentId ?? -1)) {
    if (at.customerId === ancestorId) return true;
  }
  return false;
}

/** GET getCustomerList (deprecated): the customers that the login may see. */
export function getCustomerList(call: Call): unknown {
  const items = call.world.data.portalCustomers.filter((customer) =>
    call.rules.showsCustomer(call.id, customer, undefined, customer.reachable),
  );
  return { items: items.map(shown) };
}

/** The customer requested by customerId. @throws Refused when it is absent, unknown or out of reach */
function askedCustomer(call: Call): number {
  const customerId = call.integer('customerId', true);
  if (customerId === undefined) return call.world.data.users[0]?.customerId ?? 0;
  const customer = call.world.portalCustomerById.get(customerId);
  call.check(customer !== undefined, 'unknown-reference', 'customerId', 'There is no such customer.');
  call.check(customer?.reachable !== false, 'foreign', 'customerId', 'There is no such customer.');
  return customerId;
}

/** GET getCustomerHierarchy: the customer, those below it, and its parent. */
export function getCustomerHierarchy(call: Call): unknown {
  const asked = askedCustomer(call);
  const parentId = call.world.portalCustomerById.get(asked)?.parentId;
  const items = call.world.data.portalCustomers.filter((customer) => {
    const belongs = customer.customerId === parentId || isWithin(call, customer, asked);
    return call.rules.showsCustomer(call.id, customer, asked, belongs);
  });
  return { items: items.map(shown) };
}

/** GET getCustomerProgramList */
export function getCustomerProgramList(call: Call): unknown {
  const customerId = askedCustomer(call);
  const showAutoCreated = call.flag('showAutoCreated', true) ?? false;
  const showBranded = call.flag('showBranded', true) ?? false;
  const items = call.world.data.programs.filter((program) => {
    const chosen = (showAutoCreated || !program.autoCreated) && (showBranded || !program.branded);
    const byDefault = program.customerId === customerId && chosen;
    return call.rules.showsProgram(program, { customerId, showAutoCreated, showBranded }, byDefault);
  });
  return {
    items: items.map(({ rowId, customerId: owner, isInstantIssue, autoCreated, details }) => ({
      rowId,
      customerId: owner,
      isInstantIssue,
      autoCreated,
      ...details,
    })),
  };
}
