/** What the documents say of the named shapes and their members, in our words, with an example of each. */
import { v1, v3 } from '../documents.ts';
import type { Source } from '../record.ts';

export interface ShapeNote {
  readonly source: Source;
  /** Members whose meaning the document tells; the others are named only. */
  readonly members?: Readonly<Record<string, string>>;
  /** A value of the shape; every person, card and program in it is invented. */
  readonly example: unknown;
}

const customFields = { customField1: 'blue envelope', customField2: 'branch 7' };
const address = {
  line1: '1 Example Street',
  line2: 'Floor 2',
  locality: 'Springfield',
  region: 'IL',
  country: 'US',
  postalCode: '62701',
};
const cardholder = {
  firstName: 'Ada',
  lastName: 'Example',
  email: 'ada@example.org',
  phone: '555-0100',
  dateOfBirth: '1990-02-03',
  ssnLastFour: '0000',
  relation: 'employee',
  billingAddress: address,
  mailingAddress: address,
  customFields,
};
const card = {
  identifier: 'card-0001',
  customerIdentifier: 'customer-0001',
  externalIdentifier: 'order-line-17',
  isRefreshing: false,
  proxyNumber: '9000000000001',
  status: 'Active',
  balance: 25.5,
  isProvisionedToWallet: false,
  cardNumberLastFour: '4242',
  expiration: '2031-05-31T23:59:59Z',
  creationDate: '2026-05-04T09:30:00Z',
  lastUpdateDate: '2026-06-01T12:00:00Z',
  customFields,
  cardholder,
};
const cardMembers = {
  identifier: 'Card identifier.',
  customerIdentifier: 'The customer that owns the card.',
  externalIdentifier: 'Identifier that the client supplied when the card was created.',
  isRefreshing: 'Refresh flag.',
  proxyNumber: 'Proxy number of the card.',
  status: 'Card status; Active is the only value that the document names.',
  balance: 'Card balance.',
  isProvisionedToWallet: 'Whether the card is provisioned to a mobile wallet.',
  provisionedDate: 'When the card was provisioned to the wallet.',
  cardNumberLastFour: 'Last four digits of the card number.',
  expiration: 'When the card expires.',
  creationDate: 'When the card was created.',
  lastUpdateDate: 'When the card was last updated.',
  deepLink: 'Deep link.',
  tinyUrl: 'Short URL.',
  customFields: 'Up to five strings of the client.',
  cardholder: 'Holder of the card.',
};
const error = { errorCode: 'INVALID_VALUE', errorMessage: 'max is above 50', fieldName: 'max' };
const customer = { identifier: 'customer-0001' };
const otherShapes = v3('Other shapes');

export const v3Shapes: Record<string, ShapeNote> = {
  tokenRequest: {
    source: v3('tokenRequest (form-encoded, every field optional)'),
    members: {
      grant_type: 'Selects the grant; the programs and sub programs loaded depend on it. Its values are not shown.',
      scope: 'Access to resources that is granted to the token.',
      client_id: 'Unique reference that identifies the user.',
      client_secret: 'Secret of the client.',
    },
    example: {
      grant_type: 'client_credentials',
      scope: 'https://resource.example/.default',
      client_id: 'client-0001',
      client_secret: 'invented',
    },
  },
  tokenResponse: {
    source: v3('tokenResponse (every field optional)'),
    members: {
      access_token: 'The access token.',
      token_type: 'Token kind (OAuth 2.0).',
      not_before: 'Time after which the token is valid: seconds or milliseconds since the epoch.',
      expires_in: 'Lifetime of the token in seconds: 60 minutes from generation.',
      expires_on: 'Time at which the token stops being valid: seconds or milliseconds since the epoch.',
      resource: 'API resources that the token can access.',
    },
    example: {
      access_token: 'invented-access-token',
      token_type: 'Bearer',
      not_before: 1790000000,
      expires_in: 3600,
      expires_on: 1790003600,
      resource: 'https://resource.example',
    },
  },
  customer: { source: v3('customer'), members: { identifier: 'Customer identifier.' }, example: customer },
  listedCustomer: { source: v3('customer'), members: { identifier: 'Customer identifier.' }, example: customer },
  customerResults: {
    source: v3('customerResults'),
    members: {
      continuationToken: 'Sent back as the parameter token it gives the next page; absent on the last one.',
      results: 'Matching customers.',
    },
    example: { continuationToken: 'page-2', results: [customer, { identifier: 'customer-0002' }] },
  },
  customerPermissions: {
    source: v3('customerPermissions (all fields optional)'),
    members: {
      canSearchLoads: 'Whether the customer may search load records.',
      canSearchSpends: 'Whether the customer may search unload (spend) records.',
    },
    example: { canSearchLoads: true, canSearchSpends: false },
  },
  error: {
    source: v3('error and errors'),
    members: { fieldName: 'The field that caused the error.' },
    example: error,
  },
  errors: { source: v3('error and errors'), example: [error] },
  card: { source: v3('card'), members: cardMembers, example: card },
  listedCard: { source: v3('card'), members: cardMembers, example: card },
  cards: {
    source: otherShapes,
    members: { results: 'Matching cards.' },
    example: { results: [card], correlationId: 'correlation-0001' },
  },
  cardholder: {
    source: v3('cardholder'),
    members: { dateOfBirth: 'YYYY-MM-DD.', customFields: 'Up to five strings of the client.' },
    example: cardholder,
  },
  address: { source: v3('address'), example: address },
  customFields: { source: v3('card'), example: customFields },
  encryptedPayload: { source: otherShapes, example: { encryptedPayload: 'ZW5jcnlwdGVkIGNhcmQgZGF0YQ==' } },
  temporaryToken: {
    source: otherShapes,
    members: { token: 'Temporary token that identifies the card.' },
    example: { token: 'temporary-0001', correlationId: 'correlation-0001' },
  },
  balance: { source: otherShapes, example: { balance: 25.5 } },
  status: { source: otherShapes, example: { status: 1 } },
  cardReissue: { source: otherShapes, example: { externalIdentifier: 'reissue-0001' } },
  cardTransferFunds: {
    source: otherShapes,
    members: { targetCardIdentifier: 'The card that gains the amount.', amount: 'The amount moved.' },
    example: { targetCardIdentifier: 'card-0002', amount: 1.25, comment: 'lunch', customFields },
  },
  transfer: {
    source: otherShapes,
    members: { creationDate: 'A date or a date-time.', lastUpdateDate: 'A date or a date-time.' },
    example: {
      identifier: 'transfer-0001',
      customerIdentifier: 'customer-0001',
      creationDate: '2026-06-01T12:00:00Z',
      lastUpdateDate: '2026-06-01',
      status: 'Completed',
      senderIdentifier: 'card-0001',
      receiverIdentifier: 'card-0002',
      amount: 1.25,
      comment: 'lunch',
      customFields,
    },
  },
  updatePin: { source: otherShapes, example: { pin: '7294' } },
  encryptionRequest: { source: otherShapes, example: { nonce: 'used-once-0001' } },
};

const portalCustomer = {
  customerId: 4711,
  name: 'Example Rewards',
  city: 'Springfield',
  state: 'IL',
  zip: 62701,
  ein: '12-3456789',
  contactName: 'Ada Example',
  parentId: 4700,
  parentName: 'Example Holding',
  twoFactorEnabled: false,
};
const program = {
  rowId: 815,
  customerId: 4711,
  productType: 'Corporate Reward',
  productName: 'Example Reward Card',
  status: 'Active',
  isInstantIssue: false,
  activeCount: 12,
  inventoryCount: 40,
  autoCreated: false,
};
const question = {
  question: 'Which of these streets have you lived in?',
  type: 'residence',
  Options: ['Example Street', 'Sample Road', 'None of these'],
};
const orderDetail = { firstName: 'Ada', lastName: 'Example', phone: '555-0100', ssn: '000000000' };
const outcome = v1('CIP check request and response');

export const v1Shapes: Record<string, ShapeNote> = {
  User: {
    source: v1('User (login response)'),
    members: {
      sessionId: 'Authenticates later calls, until logout.',
      customerId: 'Feeds the customer and program lookups.',
    },
    example: {
      userId: 1,
      loginId: 'ada',
      sessionId: 'invented-session',
      firstName: 'Ada',
      lastName: 'Example',
      customerId: 4711,
      customerName: 'Example Rewards',
      role: 'admin',
      isHost: false,
      canLoadCard: true,
    },
  },
  Customer: {
    source: v1('Customer (all fields optional)'),
    members: {
      customerId: 'Customer linked with the logged-in user.',
      zip4: 'Extended zip.',
      ein: 'Employer identification number: nine digits, a hyphen allowed.',
      businessYrs: 'Years in business.',
      noEmployees: 'Number of employees.',
      topClientId: 'A value from the top client ids of an operation that lists top clients.',
      clientId: 'Client identification number.',
      accountMgr: 'Account manager name.',
      parentId: 'Parent customer id.',
      parentName: 'Parent customer name.',
      ftpPassword: 'Returned as a placeholder.',
    },
    example: portalCustomer,
  },
  CustomerItems: { source: v1('Endpoints'), example: { items: [portalCustomer] } },
  CustomerProgram: {
    source: v1('CustomerProgram (all fields optional)'),
    members: { rowId: 'Customer program id; card ordering takes it as custProgId.' },
    example: program,
  },
  CustomerProgramItems: { source: v1('Endpoints'), example: { items: [program] } },
  ShippingMethodItems: { source: v1('Endpoints'), example: { items: ['Standard', 'Overnight'] } },
  CIPCheck: {
    source: v1('getCIPCheck body'),
    members: {
      address: 'Street address, at most 40 characters.',
      zip: '5 digits; fewer where leading zeros are lost.',
      dobMonth: '2 digits; fewer where leading zeros are lost.',
      dobYear: '4 digits.',
      dobDay: '2 digits; fewer where leading zeros are lost.',
      ssn: '9 digits; fewer where leading zeros are lost.',
      ssnLast4: 'Last 4 digits; fewer where leading zeros are lost.',
    },
    example: {
      firstName: 'Ada',
      lastName: 'Example',
      address: '1 Example Street',
      zip: 62701,
      dobMonth: 2,
      dobYear: 1990,
      dobDay: 3,
      ssnLast4: 0,
      city: 'Springfield',
      state: 'IL',
    },
  },
  CIPResponse: {
    source: outcome,
    members: { returnCode: '0 only if the server is down or the network is poor; 1 and -1 are not explained.' },
    example: { returnCode: 1, data: { Idnumber: 99, summaryResult: 'Partial', diffQuestionList: [question] } },
  },
  CIPData: {
    source: outcome,
    members: {
      Idnumber: 'Verification id; relates to a Partial result.',
      Error: 'Error message.',
      summaryResult: 'Pass: subject located. Fail: subject not found. Partial: several individuals matched.',
      detailedMessages: 'Detailed messages.',
      diffQuestionList: 'Differentiator questions; not null only for Partial.',
      questionList: 'Questions per customer configuration; not null only for Partial.',
    },
    example: {
      summaryResult: 'Pass',
      detailedMessages: [{ message: 'located' }],
      diffQuestionList: null,
      questionList: null,
    },
  },
  Question: { source: outcome, members: { Options: 'The answer texts to send.' }, example: question },
  Order: {
    source: v1('orderCards body'),
    members: {
      custProgId: 'rowId from getCustomerProgramList.',
      qty: 'Number of cards for instant issue.',
      shippingMethod: 'From getShippingMethods; optional, and null allowed, for digital cards.',
      cardType: 'Empty or null means Physical.',
      totalValue: 'Overall load amount of the order.',
      externalIdentifier: 'Unique value that prevents duplicate orders, checked per program.',
      orderDetails: 'One per card.',
      orderProdType:
        'As written in the document, a truncated value included; which of them a program takes depends on its product.',
      host: 'Prepaid, or a second value that names a processing platform.',
    },
    example: {
      address1: '1 Example Street',
      address2: 'Floor 2',
      attn: 'Ada Example',
      city: 'Springfield',
      state: 'IL',
      zip: '62701',
      custProgId: 815,
      shippingMethod: 'Standard',
      cardType: 'Physical',
      shippingFee: 4.5,
      cardFee: 2,
      externalIdentifier: 'order-0001',
      orderDetails: [orderDetail],
      orderProdType: 'Personalized Payroll Order',
      customerId: 4711,
    },
  },
  OrderDetail: {
    source: v1('orderCards body'),
    members: {
      dateOfBirth: 'Recommended.',
      mailingAddr1: 'Recommended, like the other mailing members, when a replacement card is mailed to the cardholder.',
      shippingMethod: 'Recommended for physical cards.',
      otherInfo: 'Unique value, an employee id for instance, that prevents duplicate cards.',
      amount: 'Load amount for the card.',
      externalIdentifier: 'Unique value that prevents duplicate loads.',
    },
    example: orderDetail,
  },
};
