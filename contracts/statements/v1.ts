/** The statements of the portal document, section by section. */
import type { Section } from './statement.ts';

const NOT_SHOWN = 'the document says that it does not show this';

export const v1Sections: readonly Section[] = [
  {
    heading: 'Session-Based Portal Interface (v1)',
    statements: [
      {
        row: 'Address placeholder',
        text: 'Every operation is at {portal_url}/_ah/api/<operation>, and all but login take sessionId as a query parameter',
        judged: ['portal.*.status', 'portal.*.requires-session'],
      },
    ],
  },
  {
    heading: 'What the service does',
    statements: [
      {
        row: 'It is a JSON REST interface',
        text: 'HTTP status codes signal errors',
        judged: ['portal.*.media-type', 'portal.*.server-error'],
      },
      {
        row: 'Operations are grouped',
        text: 'They are grouped into userendpoint, customerendpoint and orderendpoint',
        silent: 'it orders the operations; TARGET_PORTAL_PATH can address a target by it',
      },
      {
        row: 'Operation flow',
        text: "login's customerId feeds the customer and program lookups, and the rowId of a program feeds card ordering",
        judged: [
          'portal.login.customer-id-accepted',
          'portal.getCustomerProgramList.known-programs',
          'portal.orderCards.required-only',
        ],
      },
    ],
  },
  {
    heading: 'User (login response)',
    statements: [
      {
        row: 'userId, customerId',
        text: 'Integers',
        judged: ['portal.login.shape', 'portal.login.member-names', 'portal.login.null-members'],
      },
      {
        row: 'loginId, sessionId, firstName, lastName, email',
        text: 'Strings',
        judged: ['portal.login.shape', 'portal.login.login-id'],
        excluded: ['portal.login.describes-user'],
      },
      {
        row: 'customerType, customerName, role, isHost, isHostAdmin, deleted, canLoadCard, canViewLoadHistory, kind, etag',
        text: 'Strings and booleans that describe the user',
        judged: ['portal.login.shape'],
        excluded: ['portal.login.describes-user'],
      },
    ],
  },
  {
    heading: 'Customer (all fields optional)',
    statements: [
      {
        row: 'customerId',
        text: 'The customer linked with the logged-in user',
        judged: [
          'portal.getCustomerHierarchy.members',
          'portal.getCustomerHierarchy.shape',
          'portal.getCustomerList.shape',
        ],
      },
      {
        row: 'name, address1, address2, city, state, zip, zip4, website, businessType, businessYrs, noEmployees, contactName, contactEmail, contactPhone, customerType',
        text: 'Strings, and integers for zip, zip4 and businessYrs',
        judged: [
          'portal.getCustomerHierarchy.shape',
          'portal.getCustomerList.shape',
          'portal.*.null-members',
          'portal.*.member-names',
        ],
      },
      {
        row: 'ein',
        text: 'The employer identification number, nine digits',
        judged: ['portal.getCustomerHierarchy.shape', 'portal.getCustomerList.shape'],
      },
      {
        row: 'topClientId, clientId, accountMgr, accountMgrId, launchDate',
        text: 'A value from a top-client list operation, and other fields of the customer',
        judged: ['portal.getCustomerHierarchy.shape', 'portal.getCustomerList.shape'],
        excluded: ['portal.getCustomerList.describes-customer'],
      },
      {
        row: 'parentId, parentName',
        text: 'The parent customer',
        judged: [
          'portal.getCustomerHierarchy.shape',
          'portal.getCustomerList.shape',
          'portal.getCustomerHierarchy.children',
          'portal.getCustomerHierarchy.parent-within-reach',
          'portal.getCustomerHierarchy.parent',
        ],
      },
      {
        row: 'showVirtualAccountDashboard, twoFactorEnabled, hideOtherCards, notificationEmail, referredBy, phoneExtn',
        text: 'Flags and texts of the customer',
        judged: ['portal.getCustomerHierarchy.shape', 'portal.getCustomerList.shape'],
        excluded: ['portal.getCustomerList.describes-customer'],
      },
      {
        row: 'ftpPath, ftpUserId, ftpPassword',
        text: 'Returned with a placeholder for the password',
        judged: ['portal.getCustomerHierarchy.shape', 'portal.getCustomerList.shape'],
        excluded: ['portal.getCustomerList.ftp-password'],
      },
    ],
  },
  {
    heading: 'CustomerProgram (all fields optional)',
    statements: [
      {
        row: 'rowId, productId, customerId, planId, commissionId, permSubprogramId, tmpSubProgramId, tmpPackageId, virtualSubprogramId, activeCount, inventoryCount, topParentId, fundingId, PlanId, permPackageId',
        text: 'Integers; planId and PlanId are two fields',
        judged: ['portal.getCustomerProgramList.shape', 'portal.getCustomerProgramList.of-customer'],
      },
      {
        row: 'einCheck, ofacCheck, bgCheck, websiteCheck, hasVirtualFunding, isInstantIssue, isDeleted, autoCreated, hideOtherCards',
        text: 'Booleans that describe the program',
        judged: ['portal.getCustomerProgramList.shape', 'portal.getCustomerProgramList.auto-created'],
        excluded: ['portal.getCustomerProgramList.describes-program'],
      },
      {
        row: 'launchDate, status, productType, productName, permSubProgramName, tmpSubProgramName, virtualSubprogramName, pricingPlanName, commissionName, commissionReferrerName, permPackageName, tmpPackageName, invoicePymtOption, VirtualPackageName, shippingMethod, fundingSource, receiptAction, customerName, dueDiligenceNotes',
        text: 'Strings that describe the program',
        judged: ['portal.getCustomerProgramList.shape', 'portal.getCustomerProgramList.auto-created'],
        excluded: ['portal.getCustomerProgramList.describes-program'],
      },
    ],
  },
  {
    heading: 'CIP check request and response',
    statements: [
      {
        row: 'returnCode',
        text: '0, 1 or -1; 0 only if the server is down or the network is poor',
        judged: [
          'portal.getCIPCheck.shape',
          'portal.getCIPCheck.return-code-present',
          'portal.getCIPCheck.return-code-zero',
        ],
        excluded: ['portal.getCIPCheck.return-code-meaning'],
      },
      {
        row: 'data.Idnumber, data.Error',
        text: 'The verification id and an error message',
        judged: ['portal.getCIPCheck.shape'],
      },
      {
        row: 'data.summaryResult',
        text: 'Pass, Fail or Partial',
        judged: ['portal.getCIPCheck.shape', 'portal.getCIPCheck.outcome-pass', 'portal.getCIPCheck.outcome-fail'],
      },
      {
        row: 'data.detailedMessages',
        text: 'An array of objects with a message',
        judged: ['portal.getCIPCheck.shape'],
      },
      {
        row: 'data.diffQuestionList',
        text: 'Differentiator questions',
        judged: ['portal.getCIPCheck.outcome-partial-differentiator', 'portal.getCIPCheck.questions-only-partial'],
      },
      {
        row: 'data.questionList',
        text: 'Questions per customer configuration',
        judged: ['portal.getCIPCheck.outcome-partial-questions', 'portal.getCIPCheck.questions-only-partial'],
      },
      {
        row: 'question',
        text: 'question, type and Options, the answer texts to send',
        judged: ['portal.getCIPCheck.shape'],
      },
      {
        row: 'Meaning of returnCode 1 and -1',
        text: 'Not shown',
        excluded: ['portal.getCIPCheck.return-code-meaning'],
      },
    ],
  },
  {
    heading: 'Order request',
    statements: [
      {
        row: 'orderCards response; shipping fee types and ATM locations',
        text: 'Their fields are not shown',
        judged: ['portal.orderCards.shape', 'portal.getShippingFeeTypes.shape', 'portal.getATMLocation.shape'],
        observed: 'the shape of the answers',
      },
    ],
  },
  {
    heading: 'States and transitions',
    statements: [
      {
        row: 'no session',
        text: 'login with a valid loginID and password creates a sessionId that authenticates later calls',
        judged: [
          'portal.login.required-only',
          'portal.login.shape',
          'portal.login.begins-session',
          'portal.getCustomerHierarchy.required-only',
        ],
        observed: 'what a second login does to the session of the first',
      },
      {
        row: 'session active',
        text: 'logout with a valid session ends it',
        judged: ['portal.logout.ends-session', 'portal.logout.required-only'],
      },
      {
        row: 'Pass',
        text: 'Verification is completed and the subject located',
        judged: ['portal.getCIPCheck.outcome-pass'],
        excluded: ['portal.getCIPCheck.effect'],
      },
      { row: 'Fail', text: 'The subject is not found', judged: ['portal.getCIPCheck.outcome-fail'] },
      {
        row: 'Partial',
        text: 'Several individuals matched; a list of questions that is not null says which operation follows',
        judged: ['portal.getCIPCheck.outcome-partial-differentiator', 'portal.getCIPCheck.outcome-partial-questions'],
        excluded: ['portal.getCIPCheck.answers'],
      },
      {
        row: 'Both lists',
        text: 'They are non-null only for Partial',
        judged: ['portal.getCIPCheck.questions-only-partial', 'portal.getCIPCheck.empty-lists-only-partial'],
      },
      { row: 'Values of the customer program status', text: 'Not shown', silent: NOT_SHOWN },
      { row: 'Order lifecycle', text: 'Not shown', excluded: ['portal.orderCards.lifecycle'] },
    ],
  },
  {
    heading: 'Endpoints',
    statements: [
      {
        row: 'All paths',
        text: 'Responses are JSON, and sessionId is a required query parameter wherever listed',
        judged: [
          'portal.*.shape',
          'portal.*.media-type',
          'portal.*.error-shape',
          'portal.*.error-json',
          'portal.*.requires-session',
        ],
      },
      {
        row: 'login',
        text: 'Query parameters loginID and password are required: 200 User',
        judged: [
          'portal.login.status',
          'portal.login.shape',
          'portal.login.required-only',
          'portal.login.required-parameters',
        ],
      },
      {
        row: 'login: 400',
        text: 'Invalid login id or password, or incorrect verification code',
        judged: ['portal.login.wrong-password', 'portal.login.unknown-login-id'],
        excluded: ['portal.login.verification-code'],
      },
      {
        row: 'logout',
        text: '200 without a body, 400 when the logout failed',
        judged: [
          'portal.logout.status',
          'portal.logout.shape',
          'portal.logout.required-only',
          'portal.logout.requires-session',
        ],
      },
      {
        row: 'getCustomerList (deprecated)',
        text: '200 with items, an array of Customer; 400, 401, 403, 404, 500 with error objects',
        judged: [
          'portal.getCustomerList.status',
          'portal.getCustomerList.shape',
          'portal.getCustomerList.required-only',
          'portal.getCustomerList.foreign-customer',
          'portal.*.entries-present',
          'portal.getCustomerList.error-object',
        ],
      },
      {
        row: 'getCustomerHierarchy',
        text: '200 with the customers under the given id plus its parent; 400, 401, 500 with error objects',
        judged: [
          'portal.getCustomerHierarchy.status',
          'portal.getCustomerHierarchy.shape',
          'portal.getCustomerHierarchy.required-only',
          'portal.getCustomerHierarchy.members',
          'portal.getCustomerHierarchy.children',
          'portal.getCustomerHierarchy.parent',
          'portal.getCustomerHierarchy.foreign-customer',
        ],
      },
      {
        row: 'getCustomerHierarchy: customerId',
        text: 'A required integer',
        judged: ['portal.getCustomerHierarchy.required-parameters', 'portal.getCustomerHierarchy.integer-parameters'],
        observed: 'a customerId that does not exist',
      },
      {
        row: 'getCIPCheck',
        text: 'A JSON body gives 200 with the CIP response; 400, 401, 500 with error objects',
        judged: [
          'portal.getCIPCheck.status',
          'portal.getCIPCheck.shape',
          'portal.getCIPCheck.required-only',
          'portal.getCIPCheck.missing-body',
        ],
      },
      {
        row: 'getShippingFeeTypes',
        text: '200, the shape not stated',
        judged: ['portal.getShippingFeeTypes.status', 'portal.getShippingFeeTypes.required-only'],
        observed: 'the shape of the answer',
      },
      {
        row: 'getShippingMethods',
        text: '200 with items, an array of string',
        judged: [
          'portal.getShippingMethods.status',
          'portal.getShippingMethods.shape',
          'portal.getShippingMethods.required-only',
        ],
      },
      {
        row: 'getShippingFeeTypes, getShippingMethods: 400',
        text: 'Unable to retrieve',
        excluded: ['portal.getShippingMethods.unable-to-retrieve'],
      },
      {
        row: 'getCustomerProgramList',
        text: '200 with items, an array of CustomerProgram',
        judged: [
          'portal.getCustomerProgramList.status',
          'portal.getCustomerProgramList.shape',
          'portal.getCustomerProgramList.required-only',
          'portal.getCustomerProgramList.known-programs',
          'portal.getCustomerProgramList.of-customer',
          'portal.getCustomerProgramList.foreign-customer',
        ],
      },
      {
        row: 'getCustomerProgramList: customerId',
        text: 'A required int64',
        judged: [
          'portal.getCustomerProgramList.required-parameters',
          'portal.getCustomerProgramList.integer-parameters',
          'portal.getCustomerProgramList.unknown-customer',
          'portal.getCustomerProgramList.unknown-customer-status',
        ],
      },
      {
        row: 'getCustomerProgramList: showAutoCreated',
        text: 'A required boolean; true selects auto-created programs',
        judged: [
          'portal.getCustomerProgramList.auto-created',
          'portal.getCustomerProgramList.required-parameters',
          'portal.getCustomerProgramList.boolean-parameters',
        ],
      },
      {
        row: 'getCustomerProgramList: showBranded',
        text: 'A required boolean; true selects branded programs',
        judged: [
          'portal.getCustomerProgramList.required-parameters',
          'portal.getCustomerProgramList.boolean-parameters',
        ],
        excluded: ['portal.getCustomerProgramList.branded'],
        observed: 'whether showBranded=false lists other programs',
      },
      {
        row: 'getCustomerProgramList: 400',
        text: 'Invalid sessionId or customerId',
        judged: ['portal.getCustomerProgramList.requires-session', 'portal.getCustomerProgramList.integer-parameters'],
      },
      {
        row: 'getCustomerProgramList: 404',
        text: 'Failed to get the list',
        excluded: ['portal.getCustomerProgramList.failed-to-get-list'],
      },
      {
        row: 'getATMLocation',
        text: 'latitude, longitude, pageOffset and pageLength are required: 200, 400 for bad request data',
        judged: [
          'portal.getATMLocation.status',
          'portal.getATMLocation.required-only',
          'portal.getATMLocation.required-parameters',
          'portal.getATMLocation.integer-parameters',
        ],
        observed: 'the shape of the answer',
      },
      {
        row: 'orderCards',
        text: 'sessionId and a JSON body: 200, other statuses not shown',
        judged: [
          'portal.orderCards.status',
          'portal.orderCards.required-only',
          'portal.orderCards.missing-body',
          'portal.orderCards.missing-body-400',
          'portal.orderCards.refused-with-400',
        ],
      },
      {
        row: 'Operations after orderCards',
        text: 'Order details, answers to questions, card management and a shipping-fee lookup are not shown',
        excluded: ['portal.getCIPCheck.answers', 'portal.orderCards.details'],
      },
    ],
  },
  {
    heading: 'getCIPCheck body',
    statements: [
      {
        row: 'firstName, lastName, city, state',
        text: 'Required strings',
        judged: ['portal.getCIPCheck.required-members', 'portal.getCIPCheck.body-types'],
      },
      {
        row: 'address',
        text: 'A required street address of at most 40 characters',
        judged: [
          'portal.getCIPCheck.required-members',
          'portal.getCIPCheck.address-40-accepted',
          'portal.getCIPCheck.address-41-refused',
          'portal.getCIPCheck.address-counts-characters',
        ],
      },
      {
        row: 'zip',
        text: 'A required integer of 5 digits',
        judged: ['portal.getCIPCheck.zip-digits', 'portal.getCIPCheck.fewer-digits-accepted'],
      },
      {
        row: 'dobMonth, dobDay',
        text: 'Required integers of 2 digits',
        judged: [
          'portal.getCIPCheck.dobMonth-digits',
          'portal.getCIPCheck.dobDay-digits',
          'portal.getCIPCheck.one-digit-accepted',
          'portal.getCIPCheck.unusual-values',
          'portal.getCIPCheck.calendar',
        ],
      },
      { row: 'dobYear', text: 'A required integer of 4 digits', judged: ['portal.getCIPCheck.dobYear-digits'] },
      {
        row: 'ssn, ssnLast4',
        text: 'Optional integers of 9 and 4 digits',
        judged: [
          'portal.getCIPCheck.ssn-digits',
          'portal.getCIPCheck.ssnLast4-digits',
          'portal.getCIPCheck.required-only',
        ],
      },
    ],
  },
  {
    heading: 'orderCards body',
    statements: [
      {
        row: 'Required fields at top level',
        text: 'address1, address2, attn, city, state, zip (the ship-to block), custProgId, shippingFee, cardFee, orderDetails, orderProdType and customerId',
        judged: [
          'portal.orderCards.unknown-program',
          'portal.orderCards.required-members',
          'portal.orderCards.body-types',
          'portal.orderCards.foreign-customer',
          'portal.orderCards.unusual-values',
        ],
      },
      {
        row: 'Optional fields at top level',
        text: 'isInstantIssue, qty, shippingMethod, totalValue, campaignName, reasonCode, host',
        judged: ['portal.orderCards.required-only'],
        observed: 'values of host and of shippingMethod',
      },
      {
        row: 'cardType',
        text: 'Physical or Digital; empty or null means Physical',
        judged: ['portal.orderCards.card-type-optional', 'portal.orderCards.unlisted-card-type'],
      },
      {
        row: 'externalIdentifier',
        text: 'Unique per program, to prevent duplicate orders',
        judged: [
          'portal.orderCards.duplicate-order',
          'portal.orderCards.duplicate-other-program',
          'portal.orderCards.distinct-identifiers',
        ],
      },
      {
        row: 'orderDetails',
        text: 'One item per card, with firstName, lastName, phone and ssn required',
        judged: ['portal.orderCards.required-item-members', 'portal.orderCards.required-members'],
      },
      {
        row: 'orderDetails: recommended and optional fields',
        text: 'dateOfBirth, email, embossedMessage, mailingAddr1, mailingAddr2, mailingCity, mailingState, mailingPostalCode, shippingAddress1, shippingAddress2, shippingCity, shippingState, shippingZip, shippingMethod, purseNo, comment, clientDefinedField1, clientDefinedField2, clientDefinedField3, clientDefinedField4, clientDefinedField5',
        judged: ['portal.orderCards.required-only'],
        excluded: ['portal.orderCards.effect'],
      },
      {
        row: 'orderDetails: otherInfo',
        text: 'A unique value, to prevent duplicate cards',
        judged: [
          'portal.orderCards.other-info-required',
          'portal.orderCards.other-info-repeated-in-order',
          'portal.orderCards.other-info-repeated-over-orders',
        ],
      },
      {
        row: 'orderDetails: amount, externalIdentifier',
        text: 'The load amount, and a unique value to prevent duplicate loads',
        judged: ['portal.orderCards.load-accepted', 'portal.orderCards.duplicate-load'],
      },
      {
        row: 'Allowed orderProdType values',
        text: 'A list of values; Corporate Purchasing takes Instant Issue Purchase Order and Personalized Purchasing Order',
        judged: ['portal.orderCards.unlisted-order-type'],
        observed: 'which listed types a program takes, and the untruncated spelling',
      },
      { row: 'Allowed cardType values', text: 'Physical, Digital', judged: ['portal.orderCards.unlisted-card-type'] },
    ],
  },
  {
    heading: 'Order rules',
    statements: [
      {
        row: '1',
        text: 'Instant issue ships the number of cards in qty to the address',
        excluded: ['portal.orderCards.effect'],
      },
      {
        row: '2',
        text: 'A single personalized order answers with an instant personalized proxy, a multiple order with an orderId',
        judged: ['portal.orderCards.proxy', 'portal.orderCards.order-identifier'],
        excluded: ['portal.orderCards.details'],
      },
      {
        row: '3',
        text: 'Digital cards need the program option; shippingMethod is optional and may be null',
        judged: ['portal.orderCards.digital-accepted', 'portal.orderCards.digital-off'],
      },
      {
        row: '4',
        text: 'A load needs the program setting, amount, totalValue and externalIdentifier; a flag prevents duplicate loads',
        judged: ['portal.orderCards.load-accepted', 'portal.orderCards.load-off', 'portal.orderCards.duplicate-load'],
      },
      {
        row: '5',
        text: 'A required and unique otherInfo prevents duplicate cards',
        judged: [
          'portal.orderCards.other-info-required',
          'portal.orderCards.other-info-repeated-in-order',
          'portal.orderCards.other-info-repeated-over-orders',
        ],
      },
      {
        row: '6',
        text: 'A unique externalIdentifier at order level prevents duplicate orders',
        judged: ['portal.orderCards.duplicate-order', 'portal.orderCards.corrected-order-accepted'],
      },
    ],
  },
  {
    heading: 'Authentication',
    statements: [
      {
        row: '1',
        text: 'login takes loginID and password as query parameters, and its sessionId authenticates later calls',
        judged: [
          'portal.login.required-only',
          'portal.login.required-parameters',
          'portal.login.wrong-password',
          'portal.login.begins-session',
        ],
      },
      {
        row: '2',
        text: 'Every other operation takes sessionId, which is valid until logout',
        judged: [
          'portal.*.requires-session',
          'portal.*.session-status',
          'portal.logout.ends-session',
          'portal.logout.leaves-other-users',
          'portal.login.leaves-other-users',
          'portal.login.sessions-differ',
        ],
      },
      { row: '3', text: 'A user who is not entitled to the operation gets 401', judged: ['portal.not-entitled'] },
      { row: '4', text: 'Authentication pre-requisites are not shown', silent: NOT_SHOWN },
      {
        row: '5',
        text: 'How a verification code is supplied is not shown',
        excluded: ['portal.login.verification-code'],
      },
    ],
  },
  { heading: 'Events', statements: [{ row: 'Events', text: 'Not shown', excluded: ['portal.login.events'] }] },
  {
    heading: 'Errors',
    statements: [
      {
        row: '200',
        text: 'Success',
        judged: ['portal.*.status'],
      },
      {
        row: '400, 401, 403, 404',
        text: 'Invalid input, not entitled, understood but refused, not found',
        judged: ['portal.*.required-parameters', 'portal.*.session-status', 'portal.not-entitled'],
      },
      {
        row: '500, 503',
        text: 'Server error while processing, service unavailable',
        judged: ['portal.*.status', 'portal.*.server-error'],
      },
      {
        row: 'ErrorObj400 to ErrorObj500',
        text: 'Operations that list these statuses answer them with error objects, whose fields are not shown',
        judged: ['portal.*.error-shape', 'portal.*.error-object', 'portal.*.error-json'],
      },
    ],
  },
  {
    heading: 'Limits',
    statements: [
      {
        row: 'getCIPCheck address',
        text: 'At most 40 characters',
        judged: ['portal.getCIPCheck.address-40-accepted', 'portal.getCIPCheck.address-41-refused'],
      },
      { row: 'Rate limits', text: 'Not shown', excluded: ['portal.login.rate-limits'] },
      { row: 'Maximum pageLength', text: 'Not shown', silent: NOT_SHOWN },
    ],
  },
  {
    heading: 'Versioning',
    statements: [
      {
        row: 'Version label',
        text: 'The label is V1, paths carry no version, negotiation and deprecation are not shown',
        excluded: ['portal.login.deprecation'],
      },
    ],
  },
];
