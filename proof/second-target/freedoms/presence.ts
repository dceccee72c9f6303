import { isObject } from '../json.ts';
import { bodyWith, cardsWith, customerLists, drop, itemsWith, onBody, onCards, onItems, recordsOf } from '../tools.ts';
import { also, type Draft, doubtful, type Freedom, family } from './freedom.ts';

const words = (text: string) => text.split(' ');

function kebab(name: string): string {
  return name
    .replace(/_/g, '-')
    .replace(/(?<!^)(?=[A-Z])/g, '-')
    .toLowerCase();
}

function without(prefix: string, basis: string, names: string, change: (name: string) => Draft['change']): Draft[] {
  return words(names).map((name) => ({
    id: `${prefix}-without-${kebab(name)}${/^[A-Z]/.test(name) ? '-capital' : ''}`,
    basis: `${basis}, ${name}: may be absent`,
    change: change(name),
  }));
}

const cards = without(
  'card',
  'v3, card (required flags: not shown)',
  'externalIdentifier isRefreshing proxyNumber isProvisionedToWallet cardNumberLastFour expiration creationDate ' +
    'lastUpdateDate deepLink tinyUrl customFields cardholder',
  (name) => (c) => onCards(c, (card) => drop(card, name)),
);

const listed = without(
  'listed-card',
  'v3, GET cards (required flags: not shown)',
  'customerIdentifier proxyNumber balance provisionedDate cardholder status',
  (name) => (c) => onCards(c, (card) => drop(card, name), ['cards.list', 'cards.listRelated']),
);

const holders = without(
  'holder',
  'v3, cardholder (required flags: not shown)',
  'firstName lastName email phone dateOfBirth ssnLastFour relation other billingAddress mailingAddress customFields',
  (name) => (c) => onCards(c, ({ cardholder }) => drop(cardholder, name)),
);

const addresses = without(
  'address',
  'v3, address (required flags: not shown)',
  'line1 line2 locality region country postalCode',
  (name) => (c) =>
    onCards(c, ({ cardholder }) => {
      if (!isObject(cardholder)) return;
      drop(cardholder.billingAddress, name);
      drop(cardholder.mailingAddress, name);
    }),
);

const transfers = without(
  'transfer',
  'v3, transfer (required flags: not shown)',
  'customerIdentifier creationDate lastUpdateDate status senderIdentifier receiverIdentifier comment transferType customFields',
  (name) => (c) => onBody(c, 'cards.transfer', (body) => drop(body, name)),
);

const tokens = without(
  'token-response',
  'v3, tokenResponse (every field optional)',
  'token_type not_before expires_in expires_on resource',
  (name) => (c) => onBody(c, 'token.issue', (body) => drop(body, name)),
);

const customers = without(
  'portal-customer',
  'portal, Customer (all fields optional)',
  'name address1 address2 city state zip zip4 ein website businessType businessYrs noEmployees contactName contactEmail ' +
    'contactPhone customerType topClientId clientId accountMgr accountMgrId launchDate parentId parentName ' +
    'showVirtualAccountDashboard twoFactorEnabled hideOtherCards notificationEmail referredBy ftpPath ftpUserId ftpPassword phoneExtn',
  (name) => (c) => onItems(c, customerLists, (item) => drop(item, name)),
);

const programs = without(
  'program',
  'portal, CustomerProgram (all fields optional)',
  'productId customerId planId commissionId einCheck ofacCheck bgCheck websiteCheck launchDate status productType productName ' +
    'hasVirtualFunding isInstantIssue permSubprogramId tmpSubProgramId tmpPackageId virtualSubprogramId permSubProgramName ' +
    'tmpSubProgramName virtualSubprogramName pricingPlanName commissionName commissionReferrerName permPackageName tmpPackageName ' +
    'invoicePymtOption VirtualPackageName shippingMethod fundingSource receiptAction customerName activeCount inventoryCount ' +
    'isDeleted autoCreated hideOtherCards topParentId fundingId PlanId permPackageId dueDiligenceNotes',
  (name) => (c) => onItems(c, 'portal.getCustomerProgramList', (item) => drop(item, name)),
);

const users = doubtful(
  'the table of the login response does not say that its fields are optional',
  without(
    'user',
    'portal, User (login response)',
    'email kind etag role customerType deleted',
    (name) => (c) => onBody(c, 'portal.login', (body) => drop(body, name)),
  ),
);

const whole = also('v3 and portal, Resources: fields beyond those shown, or none but the identifier', {
  'card-with-nothing-but-the-documented': (c) => onCards(c, (card) => drop(card, 'plasticColour')),
  'customer-with-nothing-but-the-identifier': (c) => {
    onBody(c, ['users.get', 'users.setPermissions'], plainCustomer);
    onBody(c, 'users.list', (body) => recordsOf(body, 'results').forEach(plainCustomer));
  },
  'listed-cards-with-little': (c) => {
    onCards(
      c,
      (card) => {
        for (const name of Object.keys(card))
          if (!['identifier', 'status', 'customerIdentifier'].includes(name)) drop(card, name);
      },
      ['cards.list', 'cards.listRelated'],
    );
  },
  'portal-customers-with-id-and-name-only': (c) => {
    onItems(c, customerLists, (item) => {
      for (const name of Object.keys(item)) if (!['customerId', 'name', 'parentId'].includes(name)) drop(item, name);
    });
  },
  'programs-with-row-id-only': (c) => {
    onItems(c, 'portal.getCustomerProgramList', (item) => {
      for (const name of Object.keys(item)) if (name !== 'rowId') drop(item, name);
    });
  },
  'cards-with-many-more-members': (c) => cardsWith(c, more),
  'portal-customers-with-many-more-members': (c) => itemsWith(c, customerLists, more),
  'programs-with-many-more-members': (c) => itemsWith(c, 'portal.getCustomerProgramList', more),
  'user-with-many-more-members': (c) => bodyWith(c, 'portal.login', more),
  'token-response-with-refresh-token': (c) =>
    bodyWith(c, 'token.issue', { refresh_token: 'rt', ext_expires_in: '3600' }),
  'listings-with-counts': (c) => bodyWith(c, ['users.list', 'cards.list'], { count: 1, _links: { self: '/' } }),
  'provisioned-date-always-given': (c) =>
    cardsWith(c, ({ provisionedDate, creationDate }) => ({
      provisionedDate: provisionedDate ?? creationDate ?? undefined,
    })),
  'cip-lists-absent-unless-partial': (c) => {
    onBody(c, 'portal.getCIPCheck', ({ data }) => {
      if (!isObject(data)) return;
      for (const name of ['diffQuestionList', 'questionList']) if (data[name] === null) drop(data, name);
    });
  },
  'cip-messages-absent': (c) => onBody(c, 'portal.getCIPCheck', ({ data }) => drop(data, 'detailedMessages')),
  'cip-error-absent': (c) => onBody(c, 'portal.getCIPCheck', ({ data }) => drop(data, 'Error')),
  'cip-id-only-for-partial': (c) => {
    onBody(c, 'portal.getCIPCheck', ({ data }) => {
      if (isObject(data) && data.summaryResult !== 'Partial') drop(data, 'Idnumber');
    });
  },
});

function plainCustomer(customer: { [name: string]: unknown }): void {
  for (const name of Object.keys(customer)) if (name !== 'identifier') delete customer[name];
}

const more = {
  id: null,
  '': 'nameless',
  'na-me': [[]],
  __typename: 'X',
  nested: { deep: { deeper: [null, 1e21] } },
  constructor: 'c',
};

/** Which optional fields are there, and which beyond the documented. */
export const presenceFreedoms: Freedom[] = family('presence', [
  ...cards,
  ...listed,
  ...holders,
  ...addresses,
  ...transfers,
  ...tokens,
  ...customers,
  ...programs,
  ...users,
  ...whole,
]);
