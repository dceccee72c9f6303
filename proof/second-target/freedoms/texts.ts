import type { Json, JsonObject } from '../json.ts';
import { bodyWith, cardsWith, itemsWith, onBody } from '../tools.ts';
import type { Card, CardState } from '../world.ts';
import { answers, type Change, replied, set } from './changes.ts';
import { doubtful, exactly, type Freedom, family, ways } from './freedom.ts';

const statesOf = (shown: Record<CardState, unknown>) => Object.keys(shown) as CardState[];

const others =
  (form: (state: CardState) => string): Change =>
  (c) => {
    for (const state of statesOf(c.cardStatus)) if (state !== 'active') c.cardStatus[state] = form(state);
  };

const numbered =
  (form: (state: CardState, at: number) => number): Change =>
  (c) => {
    for (const [at, state] of statesOf(c.cardStatusNumber).entries()) c.cardStatusNumber[state] = form(state, at);
  };

const errorsAs = (form: (reason: string, field: string | undefined) => Json): Change =>
  set({ error: ({ reason, field }) => form(reason, field) });

const portalErrorsAs = (form: (reason: string, status: number) => Json): Change =>
  set((c) => ({ portalError: ({ reason, status }) => form(reason, status ?? c.statuses[reason]) }));

const correlated =
  (correlationId: string): Change =>
  (c) =>
    bodyWith(c, ['cards.list', 'cards.listRelated', 'cards.createToken'], { correlationId });

const renamed =
  (name: string): Change =>
  (c) =>
    onBody(c, 'portal.getATMLocation', (body) => {
      body[name] = body.machines;
      delete body.machines;
    });

const externals =
  (form: (card: Card) => string): Change =>
  (c) =>
    void c.created.push(({ cards }) => {
      for (const card of cards) card.externalIdentifier = form(card);
    });

/** What words, numbers and shapes stand where the documents show none. */
export const textFreedoms: Freedom[] = family('format', [
  ...ways('cardStatus', 'v3, card, status: Active is the only value named, the others are open', {
    'card-status-capitals': others((state) => state.toUpperCase()),
    'card-status-one-word-for-all': others(() => 'Inactive'),
    'card-status-contains-active': others((state) => `Active - ${state}`),
    'card-status-empty-unless-active': others(() => ''),
    'card-status-in-another-language': others((state) => `gesperrt: ${state}`),
    'card-status-letters': others((state) => state.slice(0, 2)),
    'card-status-like-active': others((state) => `active/${state}`),
    'card-status-digits': others((state) => String(state.length)),
  }),
  ...ways('cardStatusNumber', 'v3, Other shapes, status: "shown as a number", which numbers is open', {
    'status-number-zero-is-active': numbered((state, at) => (state === 'active' ? 0 : at + 5)),
    'status-number-negative': numbered((_state, at) => -1 - at),
    'status-number-large': numbered((_state, at) => 2 ** 40 + at),
    'status-number-fraction': numbered((_state, at) => at + 0.5),
    'status-number-two-values': numbered((state) => (state === 'active' ? 1 : 0)),
    'status-number-like-http': numbered((_state, at) => 200 + at),
  }),
  ...ways('error', 'v3, error and errors: all fields are optional strings, their values not shown', {
    'error-code-only': errorsAs((reason) => [{ errorCode: reason.toUpperCase() }]),
    'error-message-only': errorsAs((reason) => [{ errorMessage: `sorry, ${reason}` }]),
    'error-field-only': errorsAs((_reason, field) => [{ fieldName: field ?? 'request' }]),
    'error-all-fields': errorsAs((reason, field) => [
      { errorCode: '17', errorMessage: reason, fieldName: field ?? '' },
    ]),
    'error-empty-object': errorsAs(() => [{}]),
    'error-several': errorsAs((reason, field) => [
      { errorCode: reason },
      { fieldName: field },
      { errorMessage: 'and so on' },
    ]),
    'error-long-message': errorsAs((reason) => [{ errorMessage: reason.padEnd(9000, ' blah') }]),
    'error-message-with-markup': errorsAs((reason) => [{ errorMessage: `<b>${reason}</b>\n\t"\\` }]),
    'error-not-ascii': errorsAs((reason) => [{ errorMessage: `ошибка ${reason} ⚠`, errorCode: 'é' }]),
    'error-field-as-path': errorsAs((_reason, field) => [{ fieldName: `$.request['${field}']`, errorCode: '' }]),
  }),
  ...doubtful(
    'an array without any error is an array of error, but says nothing',
    exactly('v3, errors is an array of error: its length is open', { 'errors-empty': errorsAs(() => []) }, 'error'),
  ),
  ...ways('portalError', 'portal, Errors: the fields of the error objects are not shown', {
    'portal-error-nested': portalErrorsAs((reason, code) => ({
      error: { code, message: reason, errors: [{ reason }] },
    })),
    'portal-error-flat': portalErrorsAs((reason) => ({ errorCode: 7, errorMessage: reason })),
    'portal-error-empty-object': portalErrorsAs(() => ({})),
    'portal-error-named': portalErrorsAs((reason, code) => ({ [`ErrorObj${code}`]: { reason } })),
    'portal-error-long': portalErrorsAs((reason) => ({ message: reason.padEnd(9000, '.') })),
    'portal-error-not-ascii': portalErrorsAs((reason) => ({ 'mensagem é': `não: ${reason}` })),
  }),
  ...ways('correlation', 'v3, cards, correlationId is a string: its form is open', {
    'correlation-empty': correlated(''),
    'correlation-always-the-same': correlated('same'),
    'correlation-long': correlated('c-'.repeat(400)),
  }),
  ...ways('payload', 'v3, encryptedPayload is a string: its form is open', {
    'payload-of-20000-characters': (c) => bodyWith(c, 'cards.encryptForVde', { encryptedPayload: 'f0'.repeat(10_000) }),
    'payload-with-newlines': (c) => bodyWith(c, 'cards.encryptForVde', { encryptedPayload: 'AAAA\nBBBB==\n' }),
    'payload-compact-jwe': (c) => bodyWith(c, 'cards.encryptForVde', { encryptedPayload: 'eyJ9..iv.cipher.tag' }),
  }),
  ...ways('transferStatus', 'v3, transfer: values of status and transferType are not shown', {
    'transfer-pending': (c) => bodyWith(c, 'cards.transfer', { status: 'Pending', transferType: '' }),
    'transfer-status-digits': (c) => bodyWith(c, 'cards.transfer', { status: '0', transferType: '42' }),
    'transfer-status-success': (c) =>
      bodyWith(c, 'cards.transfer', { status: 'SUCCESS', errorCode: '', errorMessage: '' }),
    'transfer-error-code-for-none': (c) => bodyWith(c, 'cards.transfer', { errorCode: '00', errorMessage: 'Approved' }),
  }),
  ...ways('orderReply', 'portal, Order request: fields of the orderCards response are not shown', {
    'order-reply-flat': replied(({ proxy = null, orderId = null }) => ({ proxyNumber: proxy, orderId })),
    'order-reply-with-id-as-text': replied(({ proxy, orderId }) => (proxy ? { proxy } : { orderId: `ORD-${orderId}` })),
    'order-reply-in-data': replied((facts) => ({ status: 'ok', data: { ...facts } })),
    'order-reply-in-array': replied((facts) => [{ ...facts }]),
    'order-reply-with-both': replied(({ proxy, orderId = 1 }) => ({ orderId, proxies: proxy ? [proxy] : [] })),
  }),
  ...ways('fees', 'portal, getShippingFeeTypes: the shape of the body is not stated', {
    'fee-types-array': answers('portal.getShippingFeeTypes', [{ name: 'standard', fee: 0 }]),
    'fee-types-names': answers('portal.getShippingFeeTypes', ['standard', 'express']),
    'fee-types-items': answers('portal.getShippingFeeTypes', { items: [{ id: 1 }] }),
    'fee-types-none': answers('portal.getShippingFeeTypes', { items: [] }),
  }),
  ...ways('machines', 'portal, getATMLocation: the fields of the response are not shown', {
    'machines-as-items': renamed('items'),
    'machines-as-locations': renamed('atmLocations'),
    'machines-as-array': answers('portal.getATMLocation', (body) => (body as JsonObject).machines),
  }),
  ...ways('customerTexts', 'portal, Customer, strings without a format', {
    'customer-names-repeat': (c) => itemsWith(c, 'portal.getCustomerList', { name: 'The Same' }),
    'customer-texts-empty': (c) =>
      itemsWith(c, 'portal.getCustomerList', { contactName: '', city: '', state: '', address1: '' }),
    'customer-texts-long': (c) => itemsWith(c, 'portal.getCustomerList', { website: 'w'.repeat(2000) }),
  }),
  ...ways('externalIdentifier', 'v3, card, externalIdentifier is the client’s: what clients sent is open', {
    'external-identifiers-repeat-over-cards': externals(({ n }) => `batch ${n % 9}`),
    'external-identifiers-of-digits': externals(({ n }) => String(100 + n)),
  }),
  ...ways('customFields', 'v3, card, customFields holds customField1 to customField5: which of them is open', {
    'custom-fields-empty': (c) => cardsWith(c, { customFields: {} }),
    'custom-fields-all': (c) =>
      cardsWith(c, {
        customFields: {
          customField1: '',
          customField2: '2',
          customField3: 'x'.repeat(500),
          customField4: '{}',
          customField5: 'ß',
        },
      }),
  }),
]);
