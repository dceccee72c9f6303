/** Customers of the fixtures file. The file may be out of date, so a customer is looked up at the target before the file accuses. */
import { describe, member, succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/context.ts';
import { inconclusive, Skipped, skip } from '../../../helpers/verdict.ts';
import { contains, walkByName, walkByParent, walkOfAll } from './walks.ts';

/** A key of the fixtures file that names a customer. */
export type CustomerKey =
  | 'customerIdentifier'
  | 'parentIdentifier'
  | 'childIdentifier'
  | 'unrelatedIdentifier'
  | 'nameMatchIdentifier'
  | 'nameMismatchIdentifier'
  | 'v1MatchIdentifier'
  | 'writableCustomerIdentifier';

/** Whether a customer was listed in one of the walks of this run. */
export async function isListed(t: Context, customer: string): Promise<boolean> {
  const walks = await Promise.all([walkByParent, walkByName, walkOfAll].map((one) => t.shared(one)));
  return walks.some((walked) => walked && contains(walked, customer));
}

/** A customer of the fixtures file. @throws Skipped when it is not given */
export const requireGiven = (t: Context, key: CustomerKey): string =>
  t.fixtures.users?.[key] ?? skip(`needs users.${key} in the fixtures file`);

/**
 * Looks for a customer of the fixtures file by its identifier and in the listings; does nothing if the file names none.
 * @returns the name in its record, an undocumented member; undefined where there is none
 * @throws Inconclusive when the target neither returns the customer nor lists it: the fixtures file is out of date
 */
export async function requireKnownCustomer(t: Context, key: CustomerKey): Promise<string | undefined> {
  const identifier = t.fixtures.users?.[key];
  if (identifier === undefined) return undefined;
  try {
    const answer = await t.call('users.get', { path: { identifier } }, { intent: 'refusable' });
    const name = member(answer, 'name');
    if (succeeded(answer)) return typeof name === 'string' ? name : undefined;
    if (await isListed(t, identifier)) return undefined;
    return inconclusive(
      `users.${key} of the fixtures file is not known to the target: users.get answers ${describe(answer)}, and no listing has it`,
    );
  } catch (error) {
    if (error instanceof Skipped) return undefined;
    throw error;
  }
}
