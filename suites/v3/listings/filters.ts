/** Filters narrow the listings of customers and of cards: what each finds alone, beside others, and on pages of any size (readings 11, 20 and 22). */
import { entries, memberOf } from '../../../helpers/answer.ts';
import * as Forms from '../../../helpers/engine/forms/index.ts';
import * as Laws from '../../../helpers/engine/laws.ts';
import * as Searches from '../../../helpers/engine/searches.ts';
import { inconclusive } from '../../../helpers/verdict.ts';
import { certainlySame, identifiersOf, isText } from '../../shared/identifiers.ts';
import * as UnknownNames from '../../shared/unknown-names.ts';
import * as Known from './known.ts';
import * as Listings from './listings.ts';
import * as Views from './views.ts';

/** A value of max beyond what the documents mention. */
const LARGE = 200;
/** The size of pages small enough for what two filters find to need another one. */
const FEW = 2;
/** Filters that a run combines, with max: a pair or two, and several of four: those that several entries have in common, or all. */
function combinations({ t, listing: { operation, pages }, known }: Views.View) {
  const pairs = known.flatMap((one, at) => known.slice(at + 1).map((other) => [one, other]));
  const several = known.length > 3 ? [known.slice(0, 3), known] : [];
  const name = (together: readonly Listings.Filter[]) => together.map((one) => one.name).join(' and ');
  const tried = [
    ...t.rotated(`${operation}: several filters together`, several, { name }),
    ...t.rotated(`${operation}: filters together`, pairs, { amply: 2, name }),
  ];
  const sizes =
    pages > 1 ? t.rotated(`${operation}: filters together with max`, [Searches.PAGE, FEW]) : [Searches.PAGE];
  return tried.flatMap((together) => sizes.map((max) => ({ together, max })));
}

/** An entry, and values by which as many filters as possible find it, one left out: known ones, and what it shows. */
async function findingTogether(view: Views.View, left: Listings.Filter) {
  const others = view.known.filter((one) => one !== left);
  const [first] = view.t.rotated(`${view.listing.operation}: filters beside ${left.name}`, others);
  if (!first) return undefined;
  const each = await Promise.all(others.map(async (filter) => ({ filter, found: await view.by(filter) })));
  const findingOf = (id: string) => each.filter(({ found }) => Laws.holds(found, id)).map(({ filter }) => filter);
  const { ids, entries } = await view.by(first);
  const [id] = ids.toSorted((a, b) => findingOf(b).length - findingOf(a).length);
  if (id === undefined) return undefined;
  const entry = entries.find(({ identifier }) => identifier === id);
  const members = others.filter(({ isMember }) => isMember).map(({ name }) => [name, memberOf(entry, name)]);
  const shown = members.filter(([, value]) => isText(value));
  const finding = findingOf(id).map((one) => [one.name, view.knownOf(one)]);
  return { id, query: Object.fromEntries([...shown, ...finding]) };
}

/** A contradiction where a search finds everything. */
async function wholeListing(view: Views.View, found: Searches.Found, message: string) {
  if (!Views.areAll(found, await view.first())) return undefined;
  const whole = 'the whole listing';
  return { about: [whole], message, expected: 'fewer entries, or a refusal', actual: whole, found };
}

/** A contradiction where another value of a filter finds what the known one finds. @param form what it is beside that */
async function alsoFound(view: Views.View, filter: Listings.Filter, form: string, text: string) {
  const own = await view.by(filter);
  const other = await view.search({ max: Searches.PAGE, [filter.name]: text }, { intent: 'unknown' });
  const common = other.isAccepted ? Laws.inEach([own, other]) : [];
  return Laws.surplus(`a ${view.listing.noun} is found by its ${filter.name} ${form}`, common, other);
}

/** Filters that take identifiers, each with values that nothing has; undefined stands for an invented one. */
async function unknownValues({ t, listing: { operation, filters, first } }: Views.View) {
  if (identifiersOf(entries(await t.shared(first))).length === 0) inconclusive('no entry is listed with an identifier');
  const identifying = filters.filter(({ like }) => like);
  const odd = t.rotated(`${operation}: odd values`, Forms.oddTextsOf('query'));
  const oddly = t.rotated(`${operation}: a filter with an odd value`, identifying);
  const foreign = t.fixtures.users?.foreignCustomerIdentifier;
  const byCustomer = identifying.filter(({ like }) => foreign !== undefined && like === 'filterOfCustomer');
  // All of them where a run may change everything, and so may send more.
  const all = { amply: identifying.length };
  const oddEach = t.rotated(`${operation}: a filter with odd characters`, identifying, all);
  return [
    ...byCustomer.map((filter) => ({ filter, value: foreign })),
    ...identifying.map((filter) => ({ filter, value: undefined })),
    ...oddEach.map((filter) => ({ filter, value: Forms.ALL_ODD })),
    ...oddly.flatMap((filter) => odd.map(({ text }) => ({ filter, value: text }))),
  ];
}

for (const listing of Listings.both) {
  const { operation, noun, filters } = listing;
  const { law, laws } = Views.lawsOf(listing);

  for (const filter of filters) {
    const { requirement, name, finds, leavesOut, like } = filter;

    law(requirement, 'finds what it has to', async (view) => {
      const found = await Known.requireAcceptedFilter(view, filter);
      const lost = (await Known.wantedOf(view, filter)).filter((one) => !Laws.holds(found, one));
      const isEmpty = !finds && found.entries.length === 0;
      if (lost.length === 0 && !isEmpty) return undefined;
      if (!found.isWhole) return finds ? inconclusive('the listing could not be read completely') : undefined;
      await Known.requireCurrent(view, filter);
      return isEmpty
        ? Laws.missing(`no ${noun} is found by ${name}`, [`a ${noun}`], found)
        : Laws.missing(`a ${noun} that matches ${name} is not found`, lost, found);
    });

    if (leavesOut)
      law(requirement, `leaves out users.${leavesOut}`, async (view) => {
        const found = await Known.requireAcceptedFilter(view, filter);
        const unwanted = Known.requireGiven(view.t, leavesOut);
        const certain = found.ids.filter((one) => certainlySame(one, unwanted));
        if (certain.length === 0 && Laws.holds(found, unwanted))
          inconclusive('a customer is found whose identifier differs from that one by case alone');
        if (certain.length === 0 && !found.isWhole) inconclusive('the listing could not be read completely');
        return Laws.surplus(`a ${noun} that does not match ${name} is found`, certain, found);
      });

    laws(
      requirement,
      'with other values of max',
      async ({ t, known }) => {
        const usual = t.rotated(`${operation}: ${name} with max`, [undefined, 1], { amply: 2, name: String });
        const able = operation === 'cards.list' ? known : [];
        const large = t.rotated(`${operation}: a filter with a large max`, able, { count: 0, amply: 1 });
        return large.includes(filter) ? [...usual, LARGE] : usual;
      },
      async (view, max: number | undefined) => {
        const whole = await Known.requireAcceptedFilter(view, filter);
        const other = await view.search({ max, [name]: view.knownOf(filter) });
        const how = Searches.sizeInWords(other.search);
        if (!other.isAccepted && max !== LARGE)
          await view.accepted(other.search.query, { what: `${name} ${how}`, control: { query: whole.search.query } });
        // Where one page does not hold all that the filter finds, what it finds by an invented value shows whether it is ignored.
        const unknown = whole.isWhole ? undefined : await view.byInvented(filter, { max });
        const ignored = unknown && (await wholeListing(view, unknown, `${name} ${how} is ignored`));
        // How many a page holds of which more are asked for than may be is open.
        const lost = max === LARGE ? [] : Laws.beyond(whole, other);
        return (
          ignored ??
          Laws.surplus(`${how} a ${noun} is found that ${name} leaves out`, Laws.beyond(other, whole), other) ??
          Laws.missing(`${how} a ${noun} is missing that ${name} finds`, lost, other)
        );
      },
    );

    laws(
      requirement,
      'beside other filters',
      async (view) => combinations(view).filter(({ together }) => together.includes(filter)),
      async (view, { together, max }) => {
        const alone = await view.by(filter);
        const each: Searches.Found[] = [];
        for (const one of together) each.push(await view.by(one));
        const query = { max, ...Object.fromEntries(together.map((one) => [one.name, view.knownOf(one)])) };
        const both = await view.search(query, { pages: Math.min(listing.pages, 2) });
        const lost = both.isWhole ? Laws.inEach([alone, ...each]).filter((one) => !Laws.holds(both, one)) : [];
        const how = `beside another filter a ${noun} is`;
        return (
          Laws.surplus(`${how} found that ${name} alone leaves out`, Laws.beyond(both, alone), both) ??
          Laws.missing(`${how} missing that each of them finds alone`, lost, both)
        );
      },
    );

    laws(
      requirement,
      'an invented value beside known ones of other filters',
      async ({ t }) => {
        const tried = t.rotated(`${operation}: an invented value beside others`, filters, { amply: filters.length });
        return tried.filter((one) => one === filter);
      },
      async (view) => {
        const others = await findingTogether(view, filter);
        if (!others) return undefined;
        const alone = await view.byInvented(filter);
        const both = await view.byInvented(filter, others.query);
        const isIgnored = both.isAccepted && !alone.isAccepted && Laws.holds(both, others.id);
        const message = `a ${noun} is found by an invented ${name} beside ${Object.keys(others.query).join(' and ')}`;
        return Laws.surplus(message, isIgnored ? both.ids : Laws.beyond(both, alone), both);
      },
    );

    if (like)
      laws(
        requirement,
        'what resembles the value',
        async (view) => {
          // A part of it is always searched for.
          const [part, ...forms] = Forms.lookAlikes(view.t, like, view.knownOf(filter));
          const others = view.t.rotated(`${operation}: like a ${name}`, forms, { amply: 2 });
          return [{ name: 'invented', text: view.inventedOf(filter) }, ...(part ? [part] : []), ...others];
        },
        async (view, { name: form, text }) => {
          const found = await alsoFound(view, filter, form, text);
          // Where customers are numbered, it may be another one's.
          const isAnothers =
            found && like === 'filterOfCustomer' && (await UnknownNames.exists(view.t, 'users.get', text));
          return isAnothers ? undefined : found;
        },
      );
  }

  laws(
    listing.paddedValue,
    'a known value with a blank',
    async ({ t, known, knownOf }) => {
      const identifying = known.filter(({ like }) => like);
      const padded = identifying.flatMap((filter) =>
        Forms.takenBy('trimming', knownOf(filter)).map((blank) => ({
          name: `${filter.name} ${blank.name}`,
          filter,
          blank,
        })),
      );
      return t.rotated(`${operation}: a blank around a value`, padded, { amply: 2 });
    },
    async (view, { filter, blank }) => alsoFound(view, filter, blank.name, blank.text),
  );

  laws(
    listing.unknownValue,
    'invented values, marks, letters beyond ASCII, and 300 characters',
    unknownValues,
    async (view, { filter, value }) => {
      const unknown = await view.byInvented(filter, value === undefined ? {} : { [filter.name]: value });
      const isEmpty = unknown.isAccepted && unknown.entries.length === 0;
      if (value === undefined)
        view.t.observe(operation, `an unknown ${filter.name}`, isEmpty ? 'an empty listing' : unknown.pages[0]!);
      return wholeListing(view, unknown, `an unknown ${filter.name} gives the whole listing`);
    },
  );
}
