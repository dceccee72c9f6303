import { isObject, type JsonObject } from '../json.ts';
import { bodyWith, cardsWith, customerLists, drop, itemsWith, onBody, onCards, onItems, recordsOf } from '../tools.ts';
import { onPerson } from './changes.ts';
import { also, type Draft, doubtful, type Freedom, family } from './freedom.ts';

function kebab(name: string): string {
  return name
    .replace(/_/g, '-')
    .replace(/(?<!^)(?=[A-Z])/g, '-')
    .toLowerCase();
}

/** Leaves nothing of a record but the named members. */
const only =
  (names: string) =>
  (record: JsonObject): void => {
    for (const name of Object.keys(record)) if (!names.split(' ').includes(name)) delete record[name];
  };

const more = {
  id: null,
  '': 'nameless',
  'na-me': [[]],
  __typename: 'X',
  nested: { deep: { deeper: [null, 1e21] } },
  constructor: 'c',
};

function without(prefix: string, basis: string, names: string, change: (name: string) => Draft['change']): Draft[] {
  return names.split(' ').map((name) => ({
    id: `${prefix}-without-${kebab(name)}${/^[A-Z]/.test(name) ? '-capital' : ''}`,
    basis: `${basis}, ${name}: may be absent`,
    change: change(name),
  }));
}

/** Which optional fields are there, and which beyond the documented. */
export const presenceFreedoms: Freedom[] = family('presence', [
  ...without(
    'card',
    'v3, card (required flags: not shown)',
    'externalIdentifier isRefreshing proxyNumber isProvisionedToWallet cardNumberLastFour expiration creationDate ' +
      'lastUpdateDate deepLink tinyUrl customFields cardholder',
    (name) => (c) => onCards(c, (card) => drop(card, name)),
  ),
  ...without(
    'listed-card',
    'v3, GET cards (required flags: not shown)',
    'customerIdentifier proxyNumber balance provisionedDate cardholder status',
    (name) => (c) => onCards(c, (card) => drop(card, name), ['cards.list', 'cards.listRelated']),
  ),
  ...without(
    'holder',
    'v3, cardholder (required flags: not shown)',
    'firstName lastName email phone dateOfBirth ssnLastFour relation other billingAddress mailingAddress customFields',
    (name) => (c) => onCards(c, ({ cardholder }) => drop(cardholder, name)),
  ),
  ...without(
    'address',
    'v3, address (required flags: not shown)',
    'line1 line2 locality region country postalCode',
    (name) => (c) =>
      onCards(c, ({ cardholder }) => {
        if (!isObject(cardholder)) return;
        drop(cardholder.billingAddress, name);
        drop(cardholder.mailingAddress, name);
      }),
  ),
  ...without(
    'transfer',
    'v3, transfer (required flags: not shown)',
    'customerIdentifier creationDate lastUpdateDate status senderIdentifier receiverIdentifier comment transferType customFields',
    (name) => (c) => onBody(c, 'cards.transfer', (body) => drop(body, name)),
  ),
  ...without(
    'token-response',
    'v3, tokenResponse (every field optional)',
    'token_type not_before expires_in expires_on resource',
    (name) => (c) => onBody(c, 'token.issue', (body) => drop(body, name)),
  ),
  ...without(
    'portal-customer',
    'portal, Customer (all fields optional)',
    'name address1 address2 city state zip zip4 ein website businessType businessYrs noEmployees contactName contactEmail ' +
      'contactPhone customerType topClientId clientId accountMgr accountMgrId launchDate parentId parentName ' +
      'showVirtualAccountDashboard twoFactorEnabled hideOtherCards notificationEmail referredBy ftpPath ftpUserId ftpPassword phoneExtn',
    (name) => (c) => onItems(c, customerLists, (item) => drop(item, name)),
  ),
  ...without(
    'program',
    'portal, CustomerProgram (all fields optional)',
    'productId customerId planId commissionId einCheck ofacCheck bgCheck websiteCheck launchDate status productType productName ' +
      'hasVirtualFunding isInstantIssue permSubprogramId tmpSubProgramId tmpPackageId virtualSubprogramId permSubProgramName ' +
      'tmpSubProgramName virtualSubprogramName pricingPlanName commissionName commissionReferrerName permPackageName tmpPackageName ' +
      'invoicePymtOption VirtualPackageName shippingMethod fundingSource receiptAction customerName activeCount inventoryCount ' +
      'isDeleted autoCreated hideOtherCards topParentId fundingId PlanId permPackageId dueDiligenceNotes',
    (name) => (c) => onItems(c, 'portal.getCustomerProgramList', (item) => drop(item, name)),
  ),
  ...doubtful(
    'the table of the login response does not say that its fields are optional',
    without(
      'user',
      'portal, User (login response)',
      'email kind etag role customerType deleted',
      (name) => (c) => onBody(c, 'portal.login', (body) => drop(body, name)),
    ),
  ),
  ...also('v3 and portal, Resources: fields beyond those shown, or none but the identifier', {
    'card-with-nothing-but-the-documented': (c) => onCards(c, (card) => drop(card, 'plasticColour')),
    'customer-with-nothing-but-the-identifier': (c) => {
      onBody(c, ['users.get', 'users.setPermissions'], only('identifier'));
      onBody(c, 'users.list', (body) => recordsOf(body, 'results').forEach(only('identifier')));
    },
    'listed-cards-with-little': (c) =>
      onCards(c, only('identifier status customerIdentifier'), ['cards.list', 'cards.listRelated']),
    'portal-customers-with-id-and-name-only': (c) => onItems(c, customerLists, only('customerId name parentId')),
    'programs-with-row-id-only': (c) => onItems(c, 'portal.getCustomerProgramList', only('rowId')),
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
    'cip-lists-absent-unless-partial': (c) =>
      onPerson(c, (data) => {
        for (const name of ['diffQuestionList', 'questionList']) if (data[name] === null) drop(data, name);
      }),
    'cip-messages-absent': (c) => onPerson(c, (data) => drop(data, 'detailedMessages')),
    'cip-error-absent': (c) => onPerson(c, (data) => drop(data, 'Error')),
    'cip-id-only-for-partial': (c) =>
      onPerson(c, (data) => {
        if (data.summaryResult !== 'Partial') drop(data, 'Idnumber');
      }),
  }),
]);
