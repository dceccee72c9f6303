/** Whose entries a filter finds: listed cards have the value asked for, or belong to a customer below it (readings 20 and 22). */
import { ACTIVE } from '../../../contracts/v3/cards.ts';
import { type Answer, entries, memberOf, succeeded } from '../../../helpers/answer.ts';
import * as Laws from '../../../helpers/engine/laws.ts';
import * as Searches from '../../../helpers/engine/searches.ts';
import { contradicts } from '../../../helpers/evidence/ledger.ts';
import { inconclusive } from '../../../helpers/verdict.ts';
import { everyExchange } from '../../declare.ts';
import { certainlySame, identifiersOf, isText, sameText } from '../../shared/identifiers.ts';
import * as Requests from '../../shared/requests.ts';
import * as Known from './known.ts';
import * as Listings from './listings.ts';
import * as Views from './views.ts';

const { law, laws } = Views.lawsOf(Listings.cards);

const byMember = Listings.cards.filters.filter(({ isMember }) => isMember);

// ---- cards by what they show ---------------------------------------------------------------------------------------

/** What cards show that were listed by filters, each beside the value that its filter asked for. */
const carriedIn = (answer: Answer) =>
  byMember.flatMap(({ name }) => {
    const asked = answer.input.query?.[name];
    if (!succeeded(answer) || typeof asked !== 'string') return [];
    const shown = entries(answer).map((card) => memberOf(card, name));
    const { exchange } = answer;
    return shown
      .filter(isText)
      .map((carried) => ({ name, asked, carried, exchange, isSame: sameText(carried, asked) }));
  });

everyExchange('cards.list.filtered-members', 'cards.list', (answer) => {
  const listed = carriedIn(answer);
  const other = listed.find(({ name, isSame }) => !isSame && name !== 'customerIdentifier');
  if (other) return contradicts(`a card with another ${other.name} is listed`, other.asked, other.carried);
  return listed.some(({ isSame }) => isSame) ? 'kept' : undefined;
});

laws(
  'cards.list.filtered-members',
  'customers other than the one asked for: users.list finds them below it',
  async ({ t }) => {
    const listed = t.run.answers.filter(({ operation }) => operation.id === 'cards.list').flatMap(carriedIn);
    const others = listed.filter(({ name, isSame }) => !isSame && name === 'customerIdentifier');
    return [...Map.groupBy(others, ({ asked }) => asked)];
  },
  async (view, [asked, others]) => {
    const outside = await notBelow(view, asked, [...new Set(others.map(({ carried }) => carried))]);
    const showing = others.filter(({ carried }) => outside.includes(carried));
    view.t.suspect(showing.map(({ exchange }) => exchange));
    return Laws.surplus(`a card of a customer is listed who is not below ${asked}`, outside);
  },
  { phase: 'last' },
);

/** Number of customers whose children are searched for the customers of listed cards. */
const MOST_PARENTS = 20;

/** Which of some customers are not below another one, however deep users.list searches. @throws Inconclusive where users.list does not show it */
async function notBelow({ find }: Views.View, asked: string, carried: readonly string[]): Promise<string[]> {
  const parents = [asked];
  const below = new Set<string>();
  /** Whether the customers below some customer were listed with those below its parent: then users.list includes every level at once. */
  let isDeep = false;
  for (const parentIdentifier of parents) {
    if (parents.indexOf(parentIdentifier) >= MOST_PARENTS) {
      if (isDeep) break;
      inconclusive('too many customers are below the one asked for');
    }
    const found = await find(Listings.searchOf(Listings.customers, { parentIdentifier }));
    if (!found.hasEnded && (parentIdentifier === asked || found.isAccepted))
      inconclusive('users.list does not show who is below the customer asked for');
    const lower = found.ids.filter((customer) => customer !== parentIdentifier);
    isDeep ||= parentIdentifier !== asked && lower.length > 0 && lower.every((customer) => below.has(customer));
    for (const customer of found.ids) if (!below.has(customer)) parents.push(customer);
    for (const customer of found.ids) below.add(customer);
    if (carried.every((one) => below.has(one))) return [];
  }
  return carried.filter((one) => !below.has(one));
}

for (const filter of byMember) {
  const { requirement, name } = filter;

  law(requirement, 'no card that the unfiltered listing shows with another value', async (view) => {
    const value = view.knownOf(filter);
    const found = await Known.requireAcceptedFilter(view, filter);
    const ids = new Set(found.ids);
    const others = (await view.all()).entries.filter((card) => {
      const carried = memberOf(card, name);
      return isText(carried) && !sameText(carried, value) && ids.has(card.identifier as string);
    });
    if (await areBelow(view, filter, value, others)) return undefined;
    return Laws.surplus(`a card with another ${name} is found`, identifiersOf(others), found);
  });

  laws(
    requirement,
    'the value of a card that is not Active, or has no holder',
    async ({ t }) => {
      const listed = entries(await t.shared(Requests.firstCards));
      if (!t.rotated('cards.list: a filter by another value', byMember).includes(filter)) return [];
      const unlike = listed.filter(({ status, cardholder }) => status !== ACTIVE || !cardholder);
      return t.rotated(`cards.list: another ${name}`, unlike.map((card) => memberOf(card, name)).filter(isText));
    },
    async (view, value) => {
      const all = await view.first();
      const found = await view.by(filter, value);
      const having = all.entries.filter((card) => certainlySame(String(memberOf(card, name)), value));
      const lost = found.isWhole ? identifiersOf(having).filter((one) => !Laws.holds(found, one)) : [];
      return Laws.missing(`a card with that ${name} is not found`, lost, found);
    },
  );
}

/** Whether cards are of customers below the one asked for. */
async function areBelow(view: Views.View, { name }: Listings.Filter, asked: string, found: readonly unknown[]) {
  const carried = [...new Set(found.map((card) => memberOf(card, name)).filter(isText))];
  return name === 'customerIdentifier' && carried.length > 0 && (await notBelow(view, asked, carried)).length === 0;
}

laws(
  Listings.cards.filters[0]!.requirement,
  'customers that no listed card names',
  async ({ t }) => {
    const listed = entries(await t.shared(Requests.firstCards));
    const named = new Set(listed.map(({ customerIdentifier }) => String(customerIdentifier).toLowerCase()));
    const customers = identifiersOf(await Requests.listedOn(t, Requests.firstCustomers));
    const others = customers.filter((one) => !named.has(one.toLowerCase()));
    return t.rotated('cards.list: customers', others).map((customer) => ({ customer, named: named.size }));
  },
  async (view, { customer, named }) => {
    const found = await view.search({ max: Searches.PAGE, customerIdentifier: customer }, { intent: 'unknown' });
    const all = await view.first();
    const isAll = named > 1 && Views.areAll(found, all);
    const isTheirs = found.entries.some(({ customerIdentifier }) => sameText(String(customerIdentifier), customer));
    if (!isAll || isTheirs || (await areBelow(view, Listings.cards.filters[0]!, customer, found.entries)))
      return undefined;
    return {
      about: [customer],
      message: 'a customer that no listed card names gives the whole listing',
      expected: 'its cards, if any',
      actual: 'all cards',
      found,
    };
  },
);

// ---- customers below a parent --------------------------------------------------------------------------------------

const [byParent] = Listings.customers.filters as [Listings.Filter];

Views.lawsOf(Listings.customers).laws(
  byParent.requirement,
  'customers below the parent, most of whom have no children',
  async (view) => {
    const { ids } = await Known.requireAcceptedFilter(view, byParent);
    const below = ids.filter((customer) => !sameText(customer, view.knownOf(byParent)));
    // The last ones are the likeliest to have none.
    return view.t.rotated('users.list: parents', below.slice(-4));
  },
  async (view, customer) => {
    const [own, all, found] = [await view.by(byParent), await view.first(), await view.by(byParent, customer)];
    const [child] = found.ids.filter((one) => !sameText(one, customer));
    if (child !== undefined && Laws.holds(await view.by(byParent, child), customer))
      return Laws.surplus('a customer is found below one that is found below it', [child], found);
    if (!own.hasEnded || Views.areAll(own, all) || !Views.areAll(found, all)) return undefined;
    return Laws.surplus('a filter by a child finds customers outside its parent', Laws.beyond(found, own), found);
  },
);

// ---- cards listed twice --------------------------------------------------------------------------------------------

everyExchange('cards.list.no-duplicates', 'cards.list', (answer) => {
  const found = identifiersOf(entries(answer));
  const twice = Searches.repeatedIn(found);
  if (!succeeded(answer) || found.length < 2) return undefined;
  return twice === undefined ? 'kept' : contradicts('a card is listed twice in one answer', 'once', twice);
});
