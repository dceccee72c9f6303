/** Single customers by their identifier (readings 7 and 21). */
import { type Answer, type Input, succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import { expectAccepted } from '../../../helpers/engine/acceptance.ts';
import * as Laws from '../../../helpers/engine/laws.ts';
import * as Searches from '../../../helpers/engine/searches.ts';
import { optional } from '../../../helpers/verdict.ts';
import { check, everyExchange } from '../../declare.ts';
import { identifiersOf, sameIdentifier } from '../../shared/identifiers.ts';
import * as Requests from '../../shared/requests.ts';
import * as Known from '../listings/known.ts';
import * as Listings from '../listings/listings.ts';
import * as Views from '../listings/views.ts';

/** The unfiltered listing, as far as this run reads it. */
const allCustomers = async (t: Context) => (await Views.viewOf(t, Listings.customers)).all();

/** Answers for the fixture's customer and others at the same moment, then twice more for that one: each is the customer asked for. */
async function someCustomers(t: Context): Promise<Answer[]> {
  const listed = identifiersOf(await Requests.listedOn(t, Requests.firstCustomers));
  const { parentIdentifier, childIdentifier } = t.fixtures.users ?? {};
  const one = await Requests.aCustomer(t);
  const all = (await optional(allCustomers(t)))?.ids ?? [];
  const late = [all.at(-1), all[t.run.configuration.run.seed % all.length]];
  const known = [parentIdentifier, childIdentifier, listed[0], listed.at(-1), ...late];
  const different = [...new Set(known)].filter((other) => other !== undefined && other !== one) as string[];
  const others = t.rotated('users.get: customers', different, { count: 2 });
  const read = (identifier: string) => t.call('users.get', { path: { identifier } });
  // In parallel, to show whether answers are swapped.
  const answers = await Promise.all([one, ...others].map(read));
  return [...answers, await read(one), await read(one)];
}

check('users.get.required-only', 'customers that exist', async (t) => {
  const answers = await someCustomers(t);
  const what = 'the request for a customer that exists';
  for (const { operation, input } of answers.filter((one) => !succeeded(one))) {
    // A customer of the fixtures file or of an earlier listing may be gone: that is not judged if others are answered and no listing has it any more.
    const isStale = answers.some(succeeded) && !(await isStillListed(t, input));
    if (!isStale) await expectAccepted(t, { operation: operation.id, what, input });
  }
});

/** Whether the customer asked for is in the listings of the run, and in one made now; one that is cut off counts as a yes. */
async function isStillListed(t: Context, input: Input): Promise<boolean> {
  const identifier = input.path!.identifier!;
  if (!(await Known.isListed(t, identifier))) return false;
  const now = await Searches.makeSearch(t, (await allCustomers(t)).search);
  return (!now.hasEnded && !now.stop) || Laws.holds(now, identifier);
}

everyExchange('users.get.same-customer', 'users.get', sameIdentifier('customer'));
