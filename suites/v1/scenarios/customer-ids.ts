/** Identifiers of customers of the portal: integers of any size. */
import { entries } from '../../../helpers/answer.ts';
import { scenario } from '../../../helpers/check.ts';
import { operationInScope } from '../../../helpers/configuration/scope.ts';
import { skip } from '../../../helpers/verdict.ts';

export type CustomerId = number | bigint;

export const isCustomerId = (value: unknown): value is CustomerId =>
  typeof value === 'bigint' || Number.isInteger(value);

/** An integer as text, so that 7, 7n and 7.0 are the same; undefined for anything else. */
export const idText = (value: unknown): string | undefined => (isCustomerId(value) ? String(value) : undefined);

/** Fits into 32 bits, and is nobody's. */
export const UNKNOWN_CUSTOMER = 1_999_999_937;

/** The customer of the login: from the fixtures file, else as the login says it, else the first that is listed. @throws Skipped */
export const ownCustomer = scenario('the customer of the login', async (t): Promise<CustomerId> => {
  const said = t.fixtures.portal?.customerId ?? (await t.run.client.sessions.current()).customerId;
  if (isCustomerId(said)) return said;
  const list = 'portal.getCustomerList';
  const listed = operationInScope(t.run.configuration, list) ? entries(await t.call(list)) : [];
  const found = listed.map(({ customerId }) => customerId).find(isCustomerId);
  return found ?? skip('needs portal.customerId in the fixtures file');
});
