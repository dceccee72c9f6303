/** Identifiers of customers of the portal: integers of any size. */
import { entries, succeeded } from '../../../helpers/answer.ts';
import { scenario } from '../../../helpers/check.ts';
import { operationInScope } from '../../../helpers/configuration/scope.ts';
import type { Context } from '../../../helpers/context.ts';
import { skip } from '../../../helpers/verdict.ts';

/** A customerId as it is read: `bigint` beyond 2^53 - 1. */
export type CustomerId = number | bigint;

/** Whether a member is a customerId: an integer of any size, not one written as text. */
export const isCustomerId = (value: unknown): value is CustomerId =>
  typeof value === 'bigint' || Number.isInteger(value);

/** An integer as text, so that 7, 7n and 7.0 are the same; undefined for anything else. */
export const idText = (value: unknown): string | undefined => (isCustomerId(value) ? String(value) : undefined);

/** Fits into 32 bits, and is nobody's. */
export const UNKNOWN_CUSTOMER = 1_999_999_937;

/** Whether the target shows the hierarchy of a customer; what it does not claim to show tells nothing against the customer. */
async function isReached(t: Context, customerId: CustomerId): Promise<boolean> {
  const hierarchy = 'portal.getCustomerHierarchy';
  if (!operationInScope(t.run.configuration, hierarchy)) return true;
  return succeeded(await t.call(hierarchy, { query: { customerId } }, { intent: 'refusable' }));
}

/** The customer of the login: from the fixtures file, unless the login says another one and that one is refused; else as the login says it, else the first that is listed. @throws Skipped */
export const ownCustomer = scenario('the customer of the login', async (t): Promise<CustomerId> => {
  const given = t.fixtures.portal?.customerId;
  const { customerId: said } = await t.run.client.sessions.current();
  if (given !== undefined && (!isCustomerId(said) || idText(given) === idText(said) || (await isReached(t, given))))
    return given;
  if (isCustomerId(said)) return said;
  const list = 'portal.getCustomerList';
  const listed = operationInScope(t.run.configuration, list) ? entries(await t.call(list)) : [];
  const found = listed.map(({ customerId }) => customerId).find(isCustomerId);
  return found ?? skip('needs portal.customerId in the fixtures file');
});
