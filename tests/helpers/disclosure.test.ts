/** What a refusal discloses: values of a right answer, whatever their names, and nothing else. */
import { expect, test } from 'vitest';
import type { Answer } from '../../helpers/answer.ts';
import { expectNothingGiven } from '../../helpers/engine/disclosure.ts';
import { answerTo } from '../tools/answers.ts';

const NOW = Date.UTC(2026, 10, 28, 12);
const LIST = 'portal.getCustomerList';
const CUSTOMER = { customerId: 5007, name: 'Northwind Payments', contactName: 'Kim Northwind', state: 'VT' };

const right = (of: string, body: unknown, more: Partial<Answer> = {}) => answerTo(of, body, { sentAt: NOW, ...more });
const refusal = (of: string, body: unknown, more: Partial<Answer> = {}) =>
  right(of, body, { status: 401, intent: 'unauthorised', ...more });

/** Whether a refusal discloses something beside the right answer to the same request. */
function discloses(
  of: string,
  refused: unknown,
  good: unknown,
  { input = {}, history = [] }: { input?: Answer['input']; history?: Answer[] } = {},
): boolean {
  const beside = good === undefined ? {} : { good: right(of, good, { input }) };
  try {
    expectNothingGiven(refusal(of, refused, { input }), 'a request', { ...beside, history });
    return false;
  } catch {
    return true;
  }
}

test.each<[string, unknown]>([
  ['the listing itself', { items: [CUSTOMER] }],
  ['the listing beside an error', { error: 'no', data: { items: [CUSTOMER] } }],
  ['a name under another name', { error: 'no', klient: 'Northwind Payments' }],
  ['a name within a sentence', { error: 'Northwind Payments is not shown.' }],
  ['a short value under its own name', { error: 'no', items: [{ customerId: 5007 }] }],
  ['a text that is not JSON', 'Northwind Payments'],
])('%s is disclosed', (_, refused) => {
  expect(discloses(LIST, refused, { items: [CUSTOMER] })).toBe(true);
});

test.each<[string, unknown]>([
  ['errors that are listed as items', { items: [{ message: 'The session has ended.', code: 4001 }] }],
  ['members of a customer with other values', { items: [{ name: 'Help desk', contactName: 'Pat', city: 'Rome' }] }],
  ['values that anything may have', { items: [{ customerId: 0, name: '', isDeleted: true, zip: null }] }],
  ['a short value under another name', { code: 5007, region: 'VT' }],
  ['no body', ''],
])('%s disclose nothing', (_, refused) => {
  expect(discloses(LIST, refused, { items: [{ ...CUSTOMER, name: '', isDeleted: true }] })).toBe(false);
});

test('what was sent, or is made of it, discloses nothing', () => {
  const input = { path: { identifier: 'card-4711' } };
  const card = { identifier: 'card-4711', deepLink: 'https://cards.invalid/card-4711', proxyNumber: '8800471100' };
  const refused = [{ errorMessage: 'card-4711 is not shown', errorCode: 'https://cards.invalid/card-4711' }];
  expect(discloses('cards.get', refused, card, { input })).toBe(false);
  expect(discloses('cards.get', [{ errorMessage: '8800471100' }], card, { input })).toBe(true);
});

test('what was sent discloses nothing in another form, or in part', () => {
  const card = { identifier: 'card-4711-0815', proxyNumber: '8800471100' };
  const forms: Record<string, string> = {
    '[card-4711-0815]': '/cards/%5Bcard-4711-0815%5D',
    'card-4711-0815 ': '/cards/card-4711-0815%20',
    'CARD-4711-0815': 'card-4711-0815',
    'card%2D4711-0815': 'nothing at /cards/card-4711-0815',
  };
  for (const [identifier, path] of Object.entries(forms))
    expect(discloses('cards.get', [{ errorCode: '404', path }], card, { input: { path: { identifier } } })).toBe(false);
  const input = { path: { identifier: 'card-4711-0816' } };
  expect(discloses('cards.get', [{ errorMessage: 'of card-4711-0815' }], card, { input })).toBe(true);
});

test('the time of both answers discloses nothing', () => {
  const at = { timestamp: '2026-11-28T12:00:00Z', at: NOW / 1000, lastUpdateDate: '2026-11-28T11:59:59Z' };
  expect(discloses('cards.getBalance', at, { balance: 12.5, ...at })).toBe(false);
});

test('an outcome, and a status that cards may have, disclose nothing', () => {
  expect(discloses('cards.get', { status: 'Suspended' }, { status: 'Suspended', balance: 12.5 })).toBe(false);
  const cip = { returnCode: -1, data: { summaryResult: 'Fail' } };
  expect(discloses('portal.getCIPCheck', cip, cip)).toBe(false);
});

test('what all answers carry, or refusals for other reasons, discloses nothing', () => {
  const service = { service: 'portal of the Northwind group' };
  const others = ['portal.getShippingMethods', 'portal.getCustomerHierarchy', 'portal.getCustomerProgramList'];
  const successes = others.map((id) => right(id, { ...service, items: [] }));
  const malformed = right(LIST, service, { status: 400, intent: 'malformed' });
  const isDisclosed = (history: Answer[]) => discloses(LIST, service, { ...service, items: [] }, { history });
  expect(isDisclosed([])).toBe(true);
  expect(isDisclosed(successes)).toBe(false);
  expect(isDisclosed([malformed])).toBe(false);
});

test('what the login tells a user is no secret', () => {
  const login = right('portal.login', { customerName: 'Northwind Payments' });
  const refused = { error: 'Users of Northwind Payments may not list customers.', of: 'Northwind Payments' };
  expect(discloses(LIST, refused, { items: [CUSTOMER] }, { history: [login] })).toBe(false);
});

test('without a right answer, most of a documented thing discloses it, and one of its members does not', () => {
  const card = { customerIdentifier: 'c-1', proxyNumber: '8800471100', balance: 12.5 };
  expect(discloses('cards.get', [{ errorCode: 'foreign', card }], undefined)).toBe(true);
  expect(discloses('cards.get', [{ errorCode: 'foreign', proxyNumber: '8800471100' }], undefined)).toBe(false);
  expect(discloses('cards.getBalance', { balance: 12.5 }, undefined)).toBe(true);
  expect(discloses('cards.getBalance', { balance: 0 }, undefined)).toBe(false);
});

test('a payload is disclosed, though each is another one', () => {
  const good = { encryptedPayload: 'eyJhbGciOiJkaXIifQ.first' };
  const of = 'cards.encryptForVde';
  expect(discloses(of, { encryptedPayload: 'eyJhbGciOiJkaXIifQ.other' }, good)).toBe(true);
  expect(discloses(of, { encryptedPayload: 'It needs a token that is live.' }, good)).toBe(false);
});

test('what is known of a foreign thing is disclosed under any name', () => {
  const answer = refusal('cards.get', [{ errorMessage: 'It is a card of customer-4711.' }], { intent: 'foreign' });
  expect(() => expectNothingGiven(answer, 'a request', { history: [], known: ['customer-4711'] })).toThrow(/discloses/);
  expect(() => expectNothingGiven(answer, 'a request', { history: [], known: ['customer-4712'] })).not.toThrow();
});
