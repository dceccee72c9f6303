/** What the fixtures file says of the listings. It may be out of date, so that the target is asked before the file accuses. */
import { member, memberOf, succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import * as Laws from '../../../helpers/engine/laws.ts';
import * as Searches from '../../../helpers/engine/searches.ts';
import { inconclusive, skip } from '../../../helpers/verdict.ts';
import { certainlySame, identifiersOf, isText } from '../../shared/identifiers.ts';
import * as KnownCards from '../../shared/known-cards.ts';
import * as Requests from '../../shared/requests.ts';
import * as Listings from './listings.ts';
import * as Views from './views.ts';

/** A customer of the fixtures file. @throws Skipped when it is not given */
export const requireGiven = (t: Context, key: Listings.CustomerKey): string =>
  t.fixtures.users?.[key] ?? skip(`needs users.${key} in the fixtures file`);

/** Whether a customer is in the listings by the values of the fixtures file, or in the unfiltered one. */
export async function isListed(t: Context, customer: string): Promise<boolean> {
  const view = await Views.viewOf(t, Listings.customers);
  for (const filter of view.known.filter(({ leavesOut }) => leavesOut))
    if (Laws.holds(await view.by(filter), customer)) return true;
  return Laws.holds(await view.all(), customer);
}

/** Reads a listed customer that is not the one that is given, where there is one. */
export async function readAnother(t: Context, customer: string): Promise<void> {
  const listed = identifiersOf(await Requests.listedOn(t, Requests.firstCustomers));
  const identifier = listed.find((one) => one !== customer);
  if (identifier !== undefined) await t.call('users.get', { path: { identifier } }, { intent: 'refusable' });
}

/**
 * Looks for a customer of the fixtures file by its identifier and in the listings; does nothing if the file names none.
 * @returns the name in its record, an undocumented member; undefined where there is none
 * @throws Inconclusive when the target neither returns the customer nor lists it: the fixtures file is out of date
 */
export async function requireKnownCustomer(t: Context, key: Listings.CustomerKey): Promise<string | undefined> {
  const identifier = t.fixtures.users?.[key];
  if (identifier === undefined) return undefined;
  const named = { operation: 'users.get', key: `users.${key}`, identifier } as const;
  const record = await KnownCards.requireKnown(t, named, () => isListed(t, identifier), ', and no listing has it');
  const name = record && succeeded(record) ? member(record, 'name') : undefined;
  return typeof name === 'string' ? name : undefined;
}

/**
 * What a filter finds by its known value; it has to be accepted.
 * @throws Nonconformance when it is refused with other filters beside it, too; Inconclusive when no value is known
 */
export async function requireAcceptedFilter(view: Views.View, filter: Listings.Filter): Promise<Searches.Found> {
  const found = await view.by(filter);
  if (found.isAccepted) return found;
  const { query } = found.search;
  // Which filters go together is not shown.
  const others = view.known.filter((one) => one !== filter);
  const single = others.map((one) => [one]);
  const fuller = (single.length > 1 ? [others, ...single] : single).map((together) => {
    const values = together.map((one) => [one.name, view.knownOf(one)]);
    return { query: { ...query, ...Object.fromEntries(values) } };
  });
  const what = `the filter ${filter.name}`;
  const accepted = await view.accepted(query, { what, fuller, control: { query: { max: Searches.PAGE } } });
  const beside = others.filter(({ name }) => accepted.search.query[name] !== undefined).map(({ name }) => name);
  if (beside.length > 0) inconclusive(`${filter.name} is refused alone, and accepted beside ${beside.join(', ')}`);
  return accepted;
}

/** Identifiers of entries that a filter has to find by its known value. @throws Skipped when the fixtures file does not give what it finds */
export async function wantedOf(view: Views.View, filter: Listings.Filter): Promise<string[]> {
  if (filter.finds) return [requireGiven(view.t, filter.finds)];
  const value = view.knownOf(filter);
  const { programIdentifier = '', identifier } = view.t.fixtures.cards?.byProxy ?? {};
  // There are sub programs: another program that finds the card may be above its own.
  if (filter.name === 'programIdentifier' && identifier && certainlySame(programIdentifier, value)) return [identifier];
  const { entries } = await (filter.isMember ? view.all() : view.first());
  return identifiersOf(entries.filter((entry) => certainlySame(String(memberOf(entry, filter.name)), value)));
}

/** Asks the target whether the fixtures are out of date, since something was not found. @throws Inconclusive when they are */
export async function requireCurrent(view: Views.View, filter: Listings.Filter): Promise<void> {
  if (filter.finds) {
    if (filter.name === 'parentIdentifier') await requireKnownCustomer(view.t, 'parentIdentifier');
    const name = await requireKnownCustomer(view.t, filter.finds);
    if (filter.name === 'name' && name && !name.toLowerCase().includes(view.knownOf(filter).toLowerCase()))
      inconclusive(`users.${filter.finds} of the fixtures file has a name that does not contain users.nameFragment`);
    return;
  }
  const shown = (await view.all()).entries.map((entry) => memberOf(entry, filter.name));
  const other = shown.find(isText);
  if (other === undefined || shown.includes(view.knownOf(filter))) return;
  if ((await view.by(filter, other)).entries.length > 0)
    inconclusive(
      `cards.filters.${filter.name} of the fixtures file finds no card, but the value of a listed card finds some`,
    );
}
