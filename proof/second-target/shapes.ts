import type { Exchange } from './exchange.ts';
import type { JsonObject } from './json.ts';
import { type Card, type Customer, familyOf, type Holder, type Program } from './world.ts';

/** A customer as the users interface shows it, with members that the document does not name. */
export function customerShape(customer: Customer): JsonObject {
  return { identifier: customer.identifier, displayName: customer.name, tier: familyOf(customer).length };
}

const town = { locality: 'Rutland', region: 'VT', country: 'US', postalCode: '05701' };
const address = { line1: '7 Ånga Street', line2: '', ...town };

/** A cardholder. */
export function holderShape({ identifier: _, ...person }: Holder): JsonObject {
  return {
    ...person,
    relation: 'self',
    other: '',
    billingAddress: { ...address },
    mailingAddress: { ...address, line2: 'Floor 2' },
    customFields: { customField1: 'blue', customField5: '' },
  };
}

/** A card record: balance and status are those stored when it was last refreshed. */
export function cardShape(card: Card, x: Exchange): JsonObject {
  const { choices } = x;
  const facts = choices.seen(card, x);
  const { recordedState, recordedCents } = facts;
  const { state, cents } = choices.recordsLag ? { state: recordedState, cents: recordedCents } : facts;
  return {
    identifier: card.identifier,
    customerIdentifier: card.owner.identifier,
    externalIdentifier: card.externalIdentifier,
    isRefreshing: state !== facts.state || cents !== facts.cents,
    proxyNumber: card.proxy,
    status: choices.cardStatus[state],
    balance: choices.money(cents),
    isProvisionedToWallet: facts.provisioned !== undefined,
    provisionedDate: facts.provisioned === undefined ? undefined : choices.dateTime(facts.provisioned),
    cardNumberLastFour: card.lastFour,
    expiration: choices.dateTime(card.expires),
    creationDate: choices.dateTime(card.created),
    lastUpdateDate: choices.dateTime(facts.updated),
    deepLink: `second-app:open?c=${card.n}`,
    tinyUrl: `http://t.example/${card.n}`,
    customFields: { customField2: 'β', customField3: String(card.n) },
    cardholder: holderShape(card.holder),
    plasticColour: 'teal',
  };
}

const office = { address1: '1 Quay #4', address2: '', city: 'Rutland', state: 'VT', zip: 5701, zip4: 12 };
const business = {
  ein: '012345678',
  website: '',
  businessType: 'Trade & crafts',
  businessYrs: 0,
  noEmployees: '10-50',
};
const contact = { contactName: 'Zoë Ångström', contactEmail: 'z+1@second.example', contactPhone: '+1 (802) 555-0101' };
const portalFlags = { showVirtualAccountDashboard: true, twoFactorEnabled: false, hideOtherCards: false };

/** A customer as the portal shows it. */
export function portalCustomerShape({ parent, v1Id, name, n, identifier }: Customer): JsonObject {
  return {
    customerId: v1Id,
    name,
    ...office,
    ...business,
    ...contact,
    customerType: 'B',
    topClientId: v1Id % 9973,
    clientId: identifier,
    accountMgr: 'nobody',
    accountMgrId: 0,
    launchDate: '31/12/1999',
    parentId: parent?.v1Id,
    parentName: parent?.name,
    ...portalFlags,
    notificationEmail: '',
    referredBy: '-',
    ftpPath: '/in/box',
    ftpUserId: `ftp${n}`,
    ftpPassword: '<FTP_PASSWORD>',
    phoneExtn: '0007',
    kind: 'second#customer',
  };
}

const checks = { einCheck: true, ofacCheck: true, bgCheck: false, websiteCheck: false };
const pricing = { pricingPlanName: 'flat', commissionName: 'none', commissionReferrerName: '' };
const delivery = { shippingMethod: 'Mule', fundingSource: 'bank', receiptAction: 'print' };
const ids = { topParentId: 1, fundingId: 2, PlanId: 71, permPackageId: 9 };

/** A customer program. */
export function programShape({ rowId, n, name, customer, family, autoCreated, branded }: Program): JsonObject {
  return {
    rowId,
    productId: 4,
    customerId: customer.v1Id,
    planId: 71,
    commissionId: 0,
    ...checks,
    launchDate: '2019W07',
    status: 'running',
    productType: family,
    productName: name,
    hasVirtualFunding: false,
    isInstantIssue: n % 2 === 0,
    permSubprogramId: 500 + n,
    tmpSubProgramId: 600 + n,
    tmpPackageId: 0,
    virtualSubprogramId: 700 + n,
    permSubProgramName: `perm ${n}`,
    tmpSubProgramName: `tmp ${n}`,
    virtualSubprogramName: '',
    ...pricing,
    permPackageName: 'P',
    tmpPackageName: 'T',
    invoicePymtOption: 'monthly',
    VirtualPackageName: 'V',
    ...delivery,
    customerName: customer.name,
    activeCount: 3,
    inventoryCount: 1000,
    isDeleted: false,
    autoCreated,
    hideOtherCards: false,
    ...ids,
    dueDiligenceNotes: '',
    brand: branded ? 'house' : undefined,
  };
}
