/** The statements of the token, users and cards document, section by section. */
import type { Section } from './statement.ts';

const NOT_SHOWN = 'the document says that it does not show this';

export const v3Sections: readonly Section[] = [
  {
    heading: 'Token, Users and Cards Interface (v3.0.0)',
    statements: [
      {
        row: 'Address placeholders',
        text: 'Token and authorization endpoints are below {auth_url}, users and cards below {base_url}, with /users and /cards',
        judged: ['token.issue.status', 'users.list.required-only', 'cards.list.required-only'],
      },
    ],
  },
  {
    heading: 'What the service does',
    statements: [
      {
        row: 'The token endpoint',
        text: 'It issues OAuth 2.0 access tokens, and every other call of users and cards requires one',
        judged: ['token.issue.shape', '*.requires-token'],
      },
      {
        row: 'The users resource',
        text: 'It searches customers, retrieves one, and updates permissions to search load and spend records',
        judged: ['users.list.filter-name', 'users.get.same-customer', 'users.setPermissions.same-customer'],
        excluded: ['users.setPermissions.effect'],
      },
      {
        row: 'The cards service',
        text: 'Its resources are cards, cardholders, orders, registrations, loads/unloads, programs and funding management',
        silent: 'it names what the service has; the operations that are shown are judged one by one',
      },
      {
        row: 'This document details',
        text: 'Endpoints of orders, registrations, loads/unloads, programs and funding are not shown',
        silent: NOT_SHOWN,
      },
    ],
  },
  {
    heading: 'Resources and their fields',
    statements: [
      {
        row: 'All bodies are JSON',
        text: 'All bodies are JSON except the token request',
        judged: [
          'token.*.shape',
          'users.*.shape',
          'cards.*.shape',
          'users.*.media-type',
          'cards.*.media-type',
          '*.byte-order-mark',
        ],
      },
    ],
  },
  {
    heading: 'tokenRequest (form-encoded, every field optional)',
    statements: [
      {
        row: 'heading',
        text: 'The request is form-encoded and every field is optional',
        judged: ['token.issue.status'],
        observed: 'a token request without one of its fields, and one for another scope',
      },
      {
        row: 'grant_type',
        text: 'It selects the grant, on which the loaded programs and sub programs depend',
        excluded: ['token.issue.grant-selects-programs'],
      },
      {
        row: 'scope',
        text: 'It says to which resources the token gives access',
        excluded: ['token.issue.scope-of-access'],
      },
      { row: 'client_id', text: 'It identifies the user', judged: ['token.issue.unknown-client-refused'] },
      { row: 'client_secret', text: 'It is the secret of the client', judged: ['token.issue.wrong-secret-refused'] },
    ],
  },
  {
    heading: 'tokenResponse (every field optional)',
    statements: [
      { row: 'access_token', text: 'The access token is a string', judged: ['token.issue.shape'] },
      {
        row: 'token_type',
        text: 'The kind of token, OAuth 2.0',
        judged: ['token.issue.token-type', 'token.issue.shape'],
      },
      {
        row: 'not_before',
        text: 'The time after which the token is valid',
        judged: [
          'token.issue.expires-after-not-before',
          'token.issue.valid-from-not-before',
          'token.issue.epoch-times',
        ],
      },
      {
        row: 'expires_in',
        text: 'The lifetime of the token, 60 minutes from generation',
        judged: ['token.issue.expires-in'],
      },
      {
        row: 'expires_on',
        text: 'The time at which the token stops being valid',
        judged: ['token.issue.expires-on', 'token.issue.epoch-times'],
      },
      {
        row: 'resource',
        text: 'The resources that the token can access',
        judged: ['token.issue.shape'],
        excluded: ['token.issue.scope-of-access'],
      },
      {
        row: 'heading',
        text: 'Every field is optional',
        judged: ['token.issue.null-members', 'token.issue.member-names'],
      },
    ],
  },
  {
    heading: 'customer',
    statements: [
      {
        row: 'identifier',
        text: 'The customer identifier is a string',
        judged: ['users.get.shape', 'users.list.shape', 'users.setPermissions.shape', 'users.*.member-names'],
      },
    ],
  },
  {
    heading: 'customerResults',
    statements: [
      {
        row: 'continuationToken',
        text: 'The continuation token leads through the pages',
        judged: [
          'users.list.pagination-ends',
          'users.list.pagination-repeats-nobody',
          'users.list.pagination-same-set',
          'users.list.null-members',
        ],
      },
      {
        row: 'results',
        text: 'The matching customers',
        judged: ['users.list.shape', 'users.list.entries-present'],
      },
    ],
  },
  {
    heading: 'customerPermissions (all fields optional)',
    statements: [
      {
        row: 'canSearchLoads',
        text: 'The customer may search load records',
        judged: ['users.setPermissions.any-members-accepted', 'users.setPermissions.body-types'],
        excluded: ['users.setPermissions.effect'],
      },
      {
        row: 'canSearchSpends',
        text: 'The customer may search unload records',
        judged: ['users.setPermissions.any-members-accepted', 'users.setPermissions.body-types'],
        excluded: ['users.setPermissions.effect'],
      },
    ],
  },
  {
    heading: 'error and errors',
    statements: [
      {
        row: 'errors',
        text: 'errors is an array of error, whose errorCode, errorMessage and fieldName are optional strings',
        judged: ['users.*.error-shape', 'cards.*.error-shape', '*.error-not-empty'],
      },
    ],
  },
  {
    heading: 'card',
    statements: [
      {
        row: 'identifier',
        text: 'The card identifier',
        judged: [
          'cards.get.same-card',
          'cards.get.shape',
          'cards.list.shape',
          'cards.list.no-duplicates',
          'cards.get.identifier-present',
          'cards.*.member-names',
        ],
      },
      {
        row: 'customerIdentifier',
        text: 'The owning customer',
        judged: ['cards.get.shape', 'cards.list.shape', 'cards.list.filter-customer', 'cards.list.filtered-members'],
      },
      {
        row: 'externalIdentifier',
        text: 'The identifier that the client gave when the card was created',
        judged: ['cards.get.shape', 'cards.list.shape', 'cards.list.filter-external', 'cards.list.filtered-members'],
      },
      {
        row: 'isRefreshing',
        text: 'A refresh flag',
        judged: ['cards.get.shape', 'cards.list.shape'],
        excluded: ['cards.get.descriptive-members'],
      },
      {
        row: 'proxyNumber',
        text: 'The proxy number of the card',
        judged: ['cards.get.by-proxy', 'cards.get.shape', 'cards.list.shape'],
      },
      {
        row: 'status',
        text: 'The card status is a string, and Active is the only value named',
        judged: ['cards.get.shape', 'cards.list.shape', 'cards.unsuspend.active', 'cards.activate.active'],
        observed: 'the other names of status that occur, and the numbers that go with them',
      },
      {
        row: 'balance',
        text: 'The card balance is a number',
        judged: ['cards.get.shape', 'cards.list.shape', 'cards.getBalance.refreshes-record'],
      },
      {
        row: 'isProvisionedToWallet, provisionedDate',
        text: 'Whether the card is provisioned to a mobile wallet, and since when',
        judged: [
          'cards.get.shape',
          'cards.list.shape',
          'cards.markWalletProvisioned.provisioned',
          'cards.*.time-offsets',
        ],
      },
      {
        row: 'cardNumberLastFour',
        text: 'The last four digits of the card number',
        judged: ['cards.get.shape', 'cards.list.shape'],
      },
      {
        row: 'expiration, creationDate, lastUpdateDate',
        text: 'Date-times',
        judged: ['cards.get.shape', 'cards.list.shape', 'cards.*.time-offsets'],
        excluded: ['cards.get.descriptive-members'],
      },
      {
        row: 'deepLink, tinyUrl',
        text: 'A deep link and a short URL',
        judged: ['cards.get.shape', 'cards.list.shape'],
        excluded: ['cards.get.descriptive-members'],
      },
      {
        row: 'customFields',
        text: 'Strings customField1, customField2, customField3, customField4 and customField5',
        judged: ['cards.get.shape', 'cards.list.shape'],
      },
      {
        row: 'cardholder',
        text: 'The holder of the card',
        judged: ['cards.get.shape', 'cards.list.shape', 'cards.*.null-members'],
      },
    ],
  },
  {
    heading: 'cardholder',
    statements: [
      {
        row: 'firstName, lastName, email, phone, dateOfBirth, ssnLastFour, relation, other, billingAddress, mailingAddress, customFields',
        text: 'Strings, a date of birth as YYYY-MM-DD, two addresses and custom fields',
        judged: ['cards.get.shape', 'cards.list.shape'],
        excluded: ['cards.get.descriptive-members'],
      },
    ],
  },
  {
    heading: 'address',
    statements: [
      {
        row: 'line1 to postalCode',
        text: 'line1, line2, locality, region, country and postalCode are strings',
        judged: ['cards.get.shape', 'cards.list.shape'],
      },
    ],
  },
  {
    heading: 'Other shapes',
    statements: [
      {
        row: 'cards',
        text: 'results is an array of card, correlationId a string',
        judged: ['cards.list.shape', 'cards.listRelated.shape', 'cards.*.entries-present'],
      },
      { row: 'encryptedPayload', text: 'encryptedPayload is a string', judged: ['cards.encryptForVde.shape'] },
      { row: 'temporaryToken', text: 'token and correlationId are strings', judged: ['cards.createToken.shape'] },
      { row: 'balance', text: 'balance is a number', judged: ['cards.getBalance.shape'] },
      {
        row: 'status',
        text: 'status is a number',
        judged: ['cards.getStatus.shape'],
        observed: 'which number goes with which name of status',
      },
      { row: 'cardReissue', text: 'externalIdentifier is a string', judged: ['cards.reissue.body-types'] },
      {
        row: 'cardTransferFunds',
        text: 'targetCardIdentifier and amount, a comment and customFields',
        judged: [
          'cards.transfer.moves-amount',
          'cards.transfer.body-types',
          'cards.transfer.no-target',
          'cards.transfer.no-amount',
        ],
      },
      {
        row: 'transfer',
        text: 'identifier, customerIdentifier, creationDate, lastUpdateDate, status, errorCode, errorMessage, senderIdentifier, receiverIdentifier, amount, comment, transferType, customFields',
        judged: ['cards.transfer.shape', 'cards.transfer.amount-answered', 'cards.transfer.claims-truly'],
        observed: 'which card senderIdentifier and receiverIdentifier name',
      },
      { row: 'updatePin', text: 'pin is a string', judged: ['cards.setPin.body-types', 'cards.setPin.pin-not-echoed'] },
      {
        row: 'encryption request',
        text: 'nonce is an optional string, usable once in a cryptographic exchange',
        judged: [
          'cards.encryptForVde.required-only',
          'cards.encryptForVde.nonce-accepted',
          'cards.encryptForVde.body-types',
        ],
        excluded: ['cards.encryptForVde.nonce-once'],
      },
      { row: 'Required flags', text: 'Required flags of the fields above are not shown', silent: NOT_SHOWN },
      { row: 'Allowed values of card status', text: 'They are not shown', silent: NOT_SHOWN },
    ],
  },
  {
    heading: 'States and transitions',
    statements: [
      { row: 'The card has a status field', text: 'Active is the only value named', judged: ['cards.get.shape'] },
      {
        row: 'A suspended card',
        text: 'It cannot make transactions',
        judged: [
          'cards.suspend.stops-payments',
          'cards.suspend.not-active',
          'cards.suspend.record-readable',
          'cards.transfer.to-closed-loses-nothing',
        ],
        observed: 'a transfer to a suspended card',
      },
      {
        row: 'Activate applies to',
        text: 'Activate applies to a deactivated or unused card',
        judged: ['cards.activate.active', 'cards.activate.required-only'],
        excluded: ['cards.activate.deactivated'],
      },
      {
        row: 'Unsuspend applies to',
        text: 'Unsuspend applies to a suspended card',
        judged: ['cards.unsuspend.active', 'cards.unsuspend.pays-again'],
        observed: 'unsuspend of a card that is not suspended',
      },
      {
        row: 'An access token',
        text: 'It is valid for 60 minutes from generation and has to be regenerated then',
        judged: ['token.issue.lives-60-minutes', 'token.issue.ends-after-60-minutes', '*.requires-live-token'],
      },
      { row: 'Transitions', text: 'They are not shown', silent: NOT_SHOWN },
    ],
  },
  {
    heading: 'Endpoints',
    statements: [
      {
        row: 'Authorization',
        text: 'Every call except the token call carries the access token',
        judged: ['users.*.requires-token', 'cards.*.requires-token', 'cardholders.*.requires-token'],
      },
    ],
  },
  {
    heading: 'Token',
    statements: [
      {
        row: 'POST .../token',
        text: 'A form body tokenRequest is answered with 200 and tokenResponse',
        judged: ['token.issue.status', 'token.issue.shape', 'token.issue.media-type'],
      },
    ],
  },
  {
    heading: 'Users',
    statements: [
      {
        row: 'GET /users/customers',
        text: 'All query parameters are optional, and success is 200 with customerResults',
        judged: ['users.list.required-only', 'users.list.status', 'users.list.shape'],
      },
      {
        row: 'GET /users/customers: max',
        text: 'An integer, at most 50 per request',
        judged: [
          'users.list.at-most-50',
          'users.list.max-accepted',
          'users.list.max-respected',
          'users.list.integer-parameters',
        ],
        observed: 'max=0 and negative values',
      },
      {
        row: 'GET /users/customers: token',
        text: 'The continuation',
        judged: ['users.list.pagination-ends'],
        observed: 'an invented token',
      },
      {
        row: 'GET /users/customers: parentIdentifier',
        text: 'The parent customer to search within',
        judged: ['users.list.filter-parent', 'users.list.unknown-filter-value'],
      },
      {
        row: 'GET /users/customers: name',
        text: 'Customers whose name contains the value',
        judged: ['users.list.filter-name', 'users.list.unmatched-name-empty'],
      },
      {
        row: 'GET /users/customers: v1Identifier',
        text: 'The identifier in the v1 portal system',
        judged: [
          'users.list.filter-v1-identifier',
          'users.list.unknown-filter-value',
          'users.list.padded-filter-value',
        ],
      },
      {
        row: 'GET /users/customers: 400',
        text: 'A bad request is answered with 400 and errors',
        judged: ['users.list.integer-parameters', 'users.list.error-shape'],
      },
      {
        row: 'GET /users/customers/{identifier}',
        text: 'One customer, 200',
        judged: [
          'users.get.status',
          'users.get.same-customer',
          'users.get.padded-identifier',
          'users.get.required-only',
          'users.get.unknown-identifier',
          'users.get.unknown-identifier-404',
        ],
      },
      {
        row: 'PUT .../permissions',
        text: 'The body customerPermissions is required, and success is 200 with the customer',
        judged: [
          'users.setPermissions.status',
          'users.setPermissions.same-customer',
          'users.setPermissions.required-only',
          'users.setPermissions.missing-body',
          'users.setPermissions.missing-body-400',
          'users.setPermissions.unknown-identifier',
          'users.setPermissions.unknown-identifier-404',
        ],
      },
    ],
  },
  {
    heading: 'Cards',
    statements: [
      {
        row: 'All paths below',
        text: 'They start with {base_url}/cards, and {identifier} identifies a card',
        judged: [
          'cards.*.status',
          'cards.*.unknown-identifier',
          'cards.*.unknown-identifier-404',
          'cards.*.nothing-else',
        ],
      },
      {
        row: 'GET /cards',
        text: 'All query parameters are optional, and success is 200 with cards',
        judged: ['cards.list.required-only', 'cards.list.status', 'cards.list.shape'],
      },
      {
        row: 'GET /cards: max',
        text: 'An integer whose default is 50',
        judged: [
          'cards.list.max-accepted',
          'cards.list.max-respected',
          'cards.list.integer-parameters',
          'cards.list.default-at-most-50',
        ],
        observed: 'max=0, negative values and more than 50',
      },
      { row: 'GET /cards: token', text: 'A continuation, though the answer has none', observed: 'what token takes' },
      {
        row: 'GET /cards: customerIdentifier, programIdentifier, orderIdentifier, externalIdentifier',
        text: 'They filter the listing',
        judged: [
          'cards.list.filter-customer',
          'cards.list.filter-program',
          'cards.list.filter-order',
          'cards.list.filter-external',
          'cards.list.filtered-members',
          'cards.list.unknown-filter-value',
          'cards.list.padded-filter-value',
        ],
      },
      {
        row: 'GET /cards: 400',
        text: 'A bad request is answered with 400 and errors',
        judged: ['cards.list.integer-parameters', 'cards.list.error-shape'],
      },
      {
        row: 'POST .../encrypt-for-vde',
        text: 'A JSON body with nonce gives 201 and the encrypted card data',
        judged: [
          'cards.encryptForVde.status',
          'cards.encryptForVde.required-only',
          'cards.encryptForVde.nonce-accepted',
        ],
        excluded: ['cards.encryptForVde.effect'],
      },
      {
        row: 'GET .../token',
        text: 'It creates a temporary token that identifies the card: 201',
        judged: ['cards.createToken.status', 'cards.createToken.required-only', 'cards.get.by-token'],
        excluded: ['cards.createToken.reveals-little'],
        observed: 'whether each call gives the same token or a new one',
      },
      {
        row: 'POST .../wallet-provisioned',
        text: 'It flags the card as provisioned to a mobile wallet: 201 without a body',
        judged: [
          'cards.markWalletProvisioned.status',
          'cards.markWalletProvisioned.shape',
          'cards.markWalletProvisioned.required-only',
          'cards.markWalletProvisioned.provisioned',
          'cards.markWalletProvisioned.date-about-now',
        ],
      },
      {
        row: 'GET /cards/{identifier}',
        text: 'One card, 200',
        judged: [
          'cards.get.status',
          'cards.get.shape',
          'cards.get.same-card',
          'cards.get.required-only',
          'cards.get.padded-identifier',
        ],
      },
      {
        row: 'GET /cards/{identifier}: byToken',
        text: 'Looks the card up by an authorization token',
        judged: ['cards.get.by-token', 'cards.get.by-token-found', 'cards.get.boolean-parameters'],
      },
      {
        row: 'GET /cards/{identifier}: byProxy',
        text: 'Looks the card up by its proxy, with programIdentifier and isDigital required',
        judged: [
          'cards.get.by-proxy',
          'cards.get.by-proxy-needs-program',
          'cards.get.by-proxy-needs-digital',
          'cards.get.by-proxy-wrong-program',
          'cards.get.boolean-parameters',
        ],
        observed: 'byProxy with isDigital of the other kind, and with another programIdentifier',
      },
      {
        row: 'GET .../balance',
        text: 'The balance, 200; the stored record is refreshed with it',
        judged: [
          'cards.getBalance.status',
          'cards.getBalance.required-only',
          'cards.getBalance.same-card',
          'cards.getBalance.refreshes-record',
          'cards.list.agrees-with-record',
        ],
      },
      {
        row: 'GET .../status',
        text: 'The status, 200; the stored record is refreshed with it',
        judged: ['cards.getStatus.status', 'cards.getStatus.required-only', 'cards.getStatus.refreshes-record'],
      },
      {
        row: 'GET .../related',
        text: 'The cards related to the card, 200',
        judged: ['cards.listRelated.status', 'cards.listRelated.required-only', 'cards.listRelated.related-found'],
      },
      {
        row: 'POST .../reissue',
        text: 'The body is required; the card is reprinted and shipped: 200 without a body',
        judged: [
          'cards.reissue.status',
          'cards.reissue.shape',
          'cards.reissue.missing-body',
          'cards.reissue.missing-body-400',
        ],
        excluded: ['cards.reissue.effect'],
      },
      {
        row: 'POST .../transfer',
        text: 'The body is required; funds move from this card to the target card: 200 with the transfer',
        judged: [
          'cards.transfer.status',
          'cards.transfer.required-only',
          'cards.transfer.moves-amount',
          'cards.transfer.refused-moves-nothing',
          'cards.transfer.repeated',
          'cards.transfer.simultaneous',
          'cards.transfer.conserves-money',
          'cards.transfer.negative-amount',
          'cards.transfer.to-itself',
          'cards.transfer.unknown-target',
          'cards.transfer.foreign-target',
          'cards.transfer.missing-body',
          'cards.transfer.missing-body-400',
        ],
        observed: 'zero, more than the balance, and fractions of a cent',
      },
      {
        row: 'POST .../activate',
        text: '200 without a body',
        judged: [
          'cards.activate.status',
          'cards.activate.shape',
          'cards.activate.required-only',
          'cards.activate.active',
          'cards.activate.leaves-closed',
        ],
      },
      {
        row: 'POST .../close',
        text: 'It closes the account: 200 without a body',
        judged: [
          'cards.close.status',
          'cards.close.shape',
          'cards.close.required-only',
          'cards.close.not-active',
          'cards.close.stops-payments',
          'cards.close.stays-closed',
        ],
      },
      {
        row: 'POST .../suspend',
        text: '200 without a body',
        judged: [
          'cards.suspend.status',
          'cards.suspend.shape',
          'cards.suspend.required-only',
          'cards.suspend.not-active',
        ],
      },
      {
        row: 'POST .../unsuspend',
        text: '200 without a body',
        judged: [
          'cards.unsuspend.status',
          'cards.unsuspend.shape',
          'cards.unsuspend.required-only',
          'cards.unsuspend.active',
          'cards.unsuspend.leaves-others',
        ],
      },
      {
        row: 'POST .../unmarkfraud',
        text: 'It unmarks reported fraud: 200 without a body',
        judged: ['cards.unmarkFraud.status', 'cards.unmarkFraud.shape', 'cards.unmarkFraud.required-only'],
        excluded: ['cards.unmarkFraud.effect'],
        observed: 'the status of the card afterwards',
      },
      {
        row: 'POST .../marklost',
        text: 'It marks the account lost: 200 without a body',
        judged: [
          'cards.markLost.status',
          'cards.markLost.shape',
          'cards.markLost.required-only',
          'cards.markLost.not-active',
          'cards.markLost.refused-changes-nothing',
        ],
      },
      {
        row: 'POST .../pin',
        text: 'The body updatePin is required: 200 without a body',
        judged: [
          'cards.setPin.status',
          'cards.setPin.shape',
          'cards.setPin.missing-body',
          'cards.setPin.missing-body-400',
        ],
        excluded: ['cards.setPin.effect'],
      },
      {
        row: 'resync and replace',
        text: 'They are listed; parameters, bodies and responses are not shown',
        judged: ['cards.resync.requires-token', 'cards.replace.requires-token'],
        excluded: ['cards.replace.not-shown'],
      },
    ],
  },
  {
    heading: 'Cardholders',
    statements: [
      {
        row: 'Listed',
        text: 'Four cardholder endpoints are listed; parameters, bodies and responses are not shown',
        judged: ['cardholders.*.requires-token', 'cardholders.*.requires-live-token'],
        excluded: ['cards.replace.not-shown'],
        observed: 'what the reading ones answer',
      },
    ],
  },
  {
    heading: 'Authentication',
    statements: [
      {
        row: '1',
        text: 'Tokens follow OAuth 2.0 and are sent as Bearer in the Authorization header',
        judged: [
          '*.requires-token',
          '*.challenge',
          'token.issue.token-type',
          'token.issue.no-store',
          'token.issue.error-response',
        ],
        observed: 'the scheme in another case of letters',
      },
      {
        row: '2',
        text: 'The clientCredentials flow involves no user; its token address is given',
        judged: ['token.issue.status', 'token.issue.wrong-secret-refused', 'token.issue.unknown-client-refused'],
      },
      {
        row: '3',
        text: 'The authorizationCode flow gives access on behalf of a user',
        excluded: ['token.authorize.authorization-code-flow'],
        observed: 'what the authorization address answers',
      },
      {
        row: '4',
        text: 'One scope gives full access to user calls and customer-specific access to card and payment calls',
        judged: ['cards.*.foreign', 'cards.transfer.foreign-target'],
        excluded: ['token.issue.scope-of-access'],
      },
      { row: '5', text: 'Users register with the provider first', excluded: ['token.issue.registration'] },
      {
        row: '6',
        text: 'A token lives 60 minutes, and a new one is requested after that',
        judged: [
          'token.issue.ends-after-60-minutes',
          'token.issue.earlier-token-lives',
          'token.issue.usable-until-expiry',
        ],
      },
      { row: '7', text: 'Allowed values of grant_type are not shown', silent: NOT_SHOWN },
    ],
  },
  { heading: 'Events', statements: [{ row: 'Events', text: 'Not shown', excluded: ['token.issue.events'] }] },
  {
    heading: 'Errors',
    statements: [
      {
        row: 'Error bodies',
        text: 'They are an array of error objects',
        judged: ['users.*.error-shape', 'cards.*.error-shape', '*.error-shape-other', '*.error-not-empty'],
      },
      {
        row: 'GET users customers and GET cards',
        text: 'They answer a bad request with 400 and this body, the standard error response',
        judged: [
          'users.list.integer-parameters',
          'cards.list.integer-parameters',
          'users.list.error-shape',
          'cards.list.error-shape',
        ],
      },
      { row: 'Error code values', text: 'Not shown', silent: NOT_SHOWN },
    ],
  },
  {
    heading: 'Limits',
    statements: [
      {
        row: 'max',
        text: 'At most 50 customers per request',
        judged: ['users.list.at-most-50', 'users.list.never-more-than-50'],
      },
      {
        row: 'max default',
        text: 'The cards listing gives 50 records when max is not given',
        judged: ['cards.list.default-at-most-50', 'cards.list.default-50-where-more'],
      },
      {
        row: 'Token lifetime',
        text: '60 minutes',
        judged: [
          'token.issue.lives-60-minutes',
          'token.issue.ends-after-60-minutes',
          'token.issue.usable-until-expiry',
          'token.issue.expires-in',
        ],
      },
      {
        row: 'Upper bound of max on the cards listing',
        text: 'Not shown',
        observed: 'more than 50 as max of the cards listing',
      },
      { row: 'Rate limits', text: 'Not shown', excluded: ['token.issue.rate-limits'] },
    ],
  },
  {
    heading: 'Versioning',
    statements: [
      {
        row: 'Version label',
        text: 'The interfaces are labelled 3.0.0, paths carry no version segment, negotiation and deprecation are not shown',
        excluded: ['token.issue.deprecation'],
      },
    ],
  },
];
