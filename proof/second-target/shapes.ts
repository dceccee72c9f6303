import type { Exchange } from './exchange.ts';
import type { JsonObject } from './json.ts';
import { type Card, type Customer, familyOf, type Holder, type Program } from './world.ts';

/** A customer as the users interface shows it, with members that the document does not name. */
export function customerShape(customer: Customer): JsonObject {
  return { identifier: customer.identifier, displayName: customer.name, tier: familyOf(customer).length };
}

/** A cardholder. */
export function holderShape(holder: Holder): JsonObject {
  const address = {
    line1: '7 Ånga Street',
    line2: '',
    locality: 'Rutland',
    region: 'VT',
    country: 'US',
    postalCode: '05701',
  };
  return {
    firstName: holder.firstName,
    lastName: holder.lastName,
    email: holder.email,
    phone: holder.phone,
    dateOfBirth: holder.dateOfBirth,
    ssnLastFour: holder.ssnLastFour,
    relation: 'self',
    other: '',
    billingAddress: address,
    mailingAddress: { ...address, line2: 'Floor 2' },
    customFields: { customField1: 'blue', customField5: '' },
  };
}

/** A card record: balance and status are those stored when it was last refreshed. */
export function cardShape(card: Card, x: Exchange): JsonObject {
  const { choices } = x;
  const facts = choices.seen(card, x);
  const state = choices.recordsLag ? facts.recordedState : facts.state;
  const cents = choices.recordsLag ? facts.recordedCents : facts.cents;
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

/** A customer as the portal shows it. */
export function portalCustomerShape(customer: Customer): JsonObject {
  const { parent, v1Id, name } = customer;
  return {
    customerId: v1Id,
    name,
    address1: '1 Quay #4',
    address2: '',
    city: 'Rutland',
    state: 'VT',
    zip: 5701,
    zip4: 12,
    ein: '012345678',
    website: '',
    businessType: 'Trade & crafts',
    businessYrs: 0,
    noEmployees: '10-50',
    contactName: 'Zoë Ångström',
    contactEmail: 'z+1@second.example',
    contactPhone: '+1 (802) 555-0101',
    customerType: 'B',
    topClientId: v1Id % 9973,
    clientId: customer.identifier,
    accountMgr: 'nobody',
    accountMgrId: 0,
    launchDate: '31/12/1999',
    parentId: parent?.v1Id,
    parentName: parent?.name,
    showVirtualAccountDashboard: true,
    twoFactorEnabled: false,
    hideOtherCards: false,
    notificationEmail: '',
    referredBy: '-',
    ftpPath: '/in/box',
    ftpUserId: `ftp${customer.n}`,
    ftpPassword: '<FTP_PASSWORD>',
    phoneExtn: '0007',
    kind: 'second#customer',
  };
}

/** A customer program. */
export function programShape(program: Program): JsonObject {
  const { rowId, n, name } = program;
  return {
    rowId,
    productId: 4,
    customerId: program.customer.v1Id,
    planId: 71,
    commissionId: 0,
    einCheck: true,
    ofacCheck: true,
    bgCheck: false,
    websiteCheck: false,
    launchDate: '2019W07',
    status: 'running',
    productType: program.family,
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
    pricingPlanName: 'flat',
    commissionName: 'none',
    commissionReferrerName: '',
    permPackageName: 'P',
    tmpPackageName: 'T',
    invoicePymtOption: 'monthly',
    VirtualPackageName: 'V',
    shippingMethod: 'Mule',
    fundingSource: 'bank',
    receiptAction: 'print',
    customerName: program.customer.name,
    activeCount: 3,
    inventoryCount: 1000,
    isDeleted: false,
    autoCreated: program.autoCreated,
    hideOtherCards: false,
    topParentId: 1,
    fundingId: 2,
    PlanId: 71,
    permPackageId: 9,
    dueDiligenceNotes: '',
    brand: program.branded ? 'house' : undefined,
  };
}
