import { expect, test } from 'vitest';
import { operation } from '../../contracts/operations.ts';
import { requestExamples } from '../../contracts/publish/examples.ts';
import { flawsOf } from '../../helpers/contract-rules/flaws.ts';

const person = requestExamples()['portal.getCIPCheck']!.body as Record<string, unknown>;
const order = requestExamples()['portal.orderCards']!.body as Record<string, unknown>;
const flawsOfPerson = (more: Record<string, unknown>) =>
  flawsOf(operation('portal.getCIPCheck'), { json: { ...person, ...more } }).join();
const flawsOfOrder = (more: Record<string, unknown>) =>
  flawsOf(operation('portal.orderCards'), { json: { ...order, ...more } }).join();
const flawsOfQuery = (id: string, query: Record<string, string | undefined>) =>
  flawsOf(operation(id), { query }).join();

test('of a right request there are none', () => {
  expect([flawsOfPerson({}), flawsOfOrder({})]).toEqual(['', '']);
  expect(flawsOfOrder({ customerId: 2n ** 60n })).toBe('');
});

test('an absent member, and one beyond its limit', () => {
  expect(flawsOfPerson({ zip: undefined })).toBe('zip absent');
  expect(flawsOfPerson({ zip: 999_999 })).toBe('zip maximum');
  expect(flawsOfPerson({ address: 'x'.repeat(41) })).toBe('address maxLength');
  expect(flawsOf(operation('portal.getCIPCheck'), {})).toEqual(['body absent']);
});

test.each([
  ['abc', 'max type'],
  ['1.5', 'max type'],
  ['51', 'max maximum'],
  ['50', ''],
  ['', 'max spelling'],
  ['1.0', 'max spelling'],
  ['+5', 'max spelling'],
  ['1e1', 'max spelling'],
  ['0x10', 'max spelling'],
])('max=%s has the flaw "%s"', (max, flaws) => {
  expect(flawsOfQuery('users.list', { max })).toBe(flaws);
});

test('a parameter under another spelling of its name is not absent', () => {
  const query = { customerId: '1', showAutoCreated: 'true' };
  expect(flawsOfQuery('portal.getCustomerProgramList', query)).toBe('showBranded absent');
  expect(flawsOfQuery('portal.getCustomerProgramList', { ...query, showbranded: 'true' })).toBe('showBranded spelling');
  expect(flawsOfPerson({ lastName: undefined, last_name: 'Example' })).toBe('lastName spelling');
});

test('a value that differs from a listed one in how it is written is not an unlisted one', () => {
  const listed = 'Non Reloadable-Corporate Reward Orde';
  expect(flawsOfOrder({ orderProdType: `${listed}r` })).toBe('orderProdType spelling');
  expect(flawsOfOrder({ orderProdType: listed.toLowerCase() })).toBe('orderProdType spelling');
  expect(flawsOfOrder({ orderProdType: `${listed} Plus` })).toBe('orderProdType enum');
  expect(flawsOfOrder({ cardType: 'Physical2' })).toContain('cardType enum');
});
