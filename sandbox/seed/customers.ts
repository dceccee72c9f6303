/** The hierarchy of customers, and the part of it that the portal login sees. */
import type { Customer, PortalCustomer, Tenant } from '../world.ts';
import { digits, pick, uuid } from './generate.ts';

/** Offset between a customer's index and its portal id. */
const firstPortalId = 5000;
const foreignPortalId = 9_000_000;
const foreignCustomers = 6;

/** Indices of customers that others refer to. */
export const places = { host: 0, branch: 1, otherBranch: 2 } as const;

const adjectives = ['Northern', 'Southern', 'Upper', 'Lower', 'Old', 'New', 'Outer', 'Inner'];
const trades = ['Bakers', 'Carriers', 'Printers', 'Growers', 'Joiners', 'Weavers', 'Millers', 'Potters'];

/** A name part that about two in five customers have, and one that few have. */
export const commonFragment = 'Harbour';
const rareFragment = 'Quartz';

function nameOf(index: number): string {
  const middle = index % 5 < 2 ? commonFragment : index % 19 === 4 ? rareFragment : 'Valley';
  return `${pick(adjectives, 1, index)} ${middle} ${pick(trades, 2, index)} ${index}`;
}

/** The branch of a customer; half of them are in the first. */
function branchOf(index: number): number {
  if (index % 2 === 0) return places.branch;
  return index % 3 === 0 ? places.otherBranch : 3;
}

/** The index of a customer's parent: a host with three branches; every fourth of the later ones is one level deeper. */
function parentOf(index: number): number | undefined {
  if (index === places.host) return undefined;
  if (index <= 3) return places.host;
  const isDeeper = index >= 16 && index % 8 >= 6;
  return isDeeper ? index - 12 : branchOf(index);
}

function makeCustomer(tenant: Tenant, kind: number, index: number, parent: number | undefined, v1: number): Customer {
  return {
    identifier: uuid(kind, index),
    tenant,
    name: tenant === 'own' ? nameOf(index) : `Foreign ${commonFragment} ${pick(trades, 3, index)} ${index}`,
    parentIdentifier: parent === undefined ? undefined : uuid(kind, parent),
    v1Identifier: String(v1 + index),
    permissions: { canSearchLoads: true, canSearchSpends: index % 2 === 0 },
  };
}

/** @param count customers within reach; those of the other tenant come last */
export function makeCustomers(count: number): Customer[] {
  const own = Array.from({ length: count }, (_, index) =>
    makeCustomer('own', 10, index, parentOf(index), firstPortalId),
  );
  const foreign = Array.from({ length: foreignCustomers }, (_, index) =>
    makeCustomer('other', 11, index, index === 0 ? undefined : 0, foreignPortalId),
  );
  return [...own, ...foreign];
}

/** Every documented member of a portal customer except customerId, name and parentId. */
function detailsOf(index: number, parentName: string): Record<string, unknown> {
  return {
    address1: `${index + 1} Market Street`,
    address2: `Floor ${(index % 9) + 1}`,
    city: 'Springfield',
    state: 'IL',
    zip: 62_700 + (index % 99),
    zip4: 1000 + index,
    ein: index % 2 === 0 ? digits(9, 20, index) : `${digits(2, 21, index)}-${digits(7, 22, index)}`,
    website: `https://customer-${index}.invalid`,
    businessType: 'LLC',
    businessYrs: 1 + (index % 40),
    noEmployees: '51-200',
    contactName: `Casey Contact ${index}`,
    contactEmail: `contact-${index}@customer.invalid`,
    contactPhone: '2175550100',
    customerType: index === 0 ? 'Host' : 'Corporate',
    topClientId: firstPortalId,
    clientId: `CL-${index}`,
    accountMgr: 'Morgan Manager',
    accountMgrId: 31,
    launchDate: '2024-02-01',
    parentName,
    showVirtualAccountDashboard: index % 2 === 0,
    twoFactorEnabled: false,
    hideOtherCards: index % 3 === 0,
    notificationEmail: `notify-${index}@customer.invalid`,
    referredBy: 'Robin Referrer',
    ftpPath: `/in/${index}`,
    ftpUserId: `ftp-${index}`,
    ftpPassword: '********',
    phoneExtn: '12',
  };
}

/**
 * The portal's customers: the login's customer, some below it, its parent (to be shown, not to be asked for) and one
 * of the other tenant.
 * @param count the login's customer and those below it
 */
export function makePortalCustomers(customers: readonly Customer[], count: number): PortalCustomer[] {
  const byIdentifier = new Map(customers.map((customer, index) => [customer.identifier, { customer, index }]));
  const shown = new Set([places.branch as number]);
  for (const [index, customer] of customers.entries()) {
    if (shown.size >= count) break;
    const parent = byIdentifier.get(customer.parentIdentifier ?? '');
    if (parent && shown.has(parent.index)) shown.add(index);
  }
  const make = (index: number, reachable: boolean): PortalCustomer => {
    const customer = customers[index]!;
    const parent = byIdentifier.get(customer.parentIdentifier ?? '')?.customer;
    return {
      customerId: Number(customer.v1Identifier),
      parentId: parent && Number(parent.v1Identifier),
      name: customer.name,
      tenant: customer.tenant,
      reachable,
      details: detailsOf(index, parent?.name ?? ''),
    };
  };
  const foreign = customers.findIndex((customer) => customer.tenant === 'other');
  return [make(places.host, false), ...[...shown].map((index) => make(index, true)), make(foreign, false)];
}
