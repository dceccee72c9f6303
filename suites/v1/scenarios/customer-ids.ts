/** Identifiers of portal customers: integers of any size. */
import { entries, succeeded } from '../../../helpers/answer.ts';
import { type Context, scenario } from '../../../helpers/check.ts';
import { skip } from '../../../helpers/verdict.ts';

/** A customerId as read from JSON: `bigint` beyond 2^53 - 1. */
export type CustomerId = number | bigint;

/** Whether a value is a customerId: an integer of any size, not its text. */
export const isCustomerId = (value: unknown): value is CustomerId =>
  typeof value === 'bigint' || Number.isInteger(value);

/** An integer as text, so that 7, 7n and 7.0 compare as equal; undefined for anything else. */
export const idText = (value: unknown): string | undefined => (isCustomerId(value) ? String(value) : undefined);

/** A customerId that no customer has; it fits into 32 bits. */
export const UNKNOWN_CUSTOMER = 1_999_999_937;

/** The customer of the fixtures file that is outside the reach of the login. */
export const foreignId = (t: Context): CustomerId => t.fixtures.portal!.foreignCustomerId!;

/** Whether the target shows the hierarchy of a customer; also true where that operation is out of scope. */
async function isReached(t: Context, customerId: CustomerId): Promise<boolean> {
  const hierarchy = 'portal.getCustomerHierarchy';
  if (!t.isInScope(hierarchy)) return true;
  return succeeded(await t.call(hierarchy, { query: { customerId } }, { intent: 'refusable' }));
}

/**
 * The customer of the login: the one of the fixtures file, unless the login names another and the target refuses the given one;
 * else the one that the login names, else the first listed. @throws Skipped when there is none
 */
export const ownCustomer = scenario('the customer of the login', async (t): Promise<CustomerId> => {
  const given = t.fixtures.portal?.customerId;
  const { customerId: said } = await t.run.client.sessions.current();
  if (given !== undefined && (!isCustomerId(said) || idText(given) === idText(said) || (await isReached(t, given))))
    return given;
  if (isCustomerId(said)) return said;
  const list = 'portal.getCustomerList';
  const listed = t.isInScope(list) ? entries(await t.call(list)) : [];
  const found = listed.map(({ customerId }) => customerId).find(isCustomerId);
  return found ?? skip('needs portal.customerId in the fixtures file');
});
