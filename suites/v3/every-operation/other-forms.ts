/** Documented forms of a request that reads, other than the plain one: a look-up, a filter, a later page (reading 17). */
import type { Input } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import * as Searches from '../../../helpers/engine/searches.ts';
import * as BadTokens from '../../shared/bad-tokens.ts';
import { givenToken } from '../../shared/identifiers.ts';
import * as Requests from '../../shared/requests.ts';
import * as Listings from '../listings/listings.ts';

/** Another documented form of a request. */
interface OtherForm {
  /** For messages: `byToken`. */
  name: string;
  /** Builds the request anew each time, since temporary and continuation tokens expire; undefined where no value for it is known. */
  input: (t: Context) => Promise<Input | undefined>;
}

/** Those of an operation. Of the `parts`, which `all` contains too, each run tries one. */
type OtherForms = Record<'all' | 'parts', readonly OtherForm[]>;

/** A listing by those filters for which the fixtures give a value: by all of them, and by each. */
function filtered({ filters }: Listings.Listing): OtherForms {
  const by = (name: string, some: readonly Listings.Filter[]): OtherForm => ({
    name,
    async input(t) {
      const given = some.map((filter) => [filter.name, filter.given(t)]).filter(([, value]) => value !== undefined);
      return given.length > 0 ? { query: { max: 1, ...Object.fromEntries(given) } } : undefined;
    },
  });
  return { all: [by('by all filters', filters)], parts: filters.map((filter) => by(`by ${filter.name}`, [filter])) };
}

const BY_TOKEN: OtherForm = {
  name: 'by its temporary token',
  async input(t) {
    const path = { identifier: await t.shared(Requests.aCard) };
    const token = givenToken(await t.call('cards.createToken', { path }, { intent: 'refusable' }));
    return token ? { path: { identifier: token }, query: { byToken: true } } : undefined;
  },
};

const BY_PROXY: OtherForm = {
  name: 'by its proxy',
  async input({ fixtures }) {
    const { proxyNumber: identifier, programIdentifier, isDigital } = fixtures.cards?.byProxy ?? {};
    const query = { byProxy: true, programIdentifier, isDigital };
    return identifier === undefined ? undefined : { path: { identifier }, query };
  },
};

const ON_LATER_PAGE: OtherForm = {
  name: 'on a later page',
  async input(t) {
    const token = Searches.continuationOf(await t.call('users.list', { query: { max: 1 } }));
    return token === undefined ? undefined : { query: { max: 1, token } };
  },
};

const { all, parts } = filtered(Listings.customers);
const OTHER_FORMS: Record<string, OtherForms> = {
  'cards.get': { all: [BY_TOKEN, BY_PROXY], parts: [] },
  'cards.list': filtered(Listings.cards),
  'users.list': { all: [...all, ON_LATER_PAGE], parts },
};

export const has = (operation: string): boolean => operation in OTHER_FORMS;

/**
 * Calls an operation with a bad token in other forms: in all that no other form contains, and one of the rest; with an expired one in one of
 * all, chosen by the seed.
 */
export async function tryAll(t: Context, operation: string, bad: BadTokens.BadToken): Promise<void> {
  const { all, parts } = OTHER_FORMS[operation]!;
  const forms = bad.hasExpired
    ? t.rotated(`${operation}: other forms`, [...parts, ...all])
    : [...all, ...t.rotated(`${operation}: single filters`, parts)];
  for (const { name, input } of forms) {
    const made = await input(t);
    if (made) await BadTokens.tryOne(t, operation, made, { ...bad, name: `${bad.name}, ${name}` });
  }
}
