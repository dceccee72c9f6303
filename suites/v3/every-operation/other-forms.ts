/** Documented forms of a request that reads, other than the plain one: a look-up, a filter, a later page (reading 17). */
import { type Input, member, succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import { compare } from '../../../helpers/engine/guard.ts';
import { NO_TOKEN } from '../../shared/bad-tokens.ts';
import { aCard } from '../../shared/requests.ts';
import { listings } from '../listings/listings.ts';

/** Another documented form of a request. */
interface OtherForm {
  /** For messages: `byToken`. */
  name: string;
  /** Builds the request anew each time, since temporary and continuation tokens expire; undefined where no value for it is known. */
  input: (t: Context) => Promise<Input | undefined>;
  /** Whether another form contains this one: each run tries only some of these. */
  isPart?: boolean;
}

/** A listing by each filter for which the fixtures give a value, and by all of them. */
const byFilters = ({ filters }: (typeof listings)[number]): OtherForm[] => {
  const values = (t: Context) =>
    Object.fromEntries(filters.flatMap(({ name, given }) => (given(t) === undefined ? [] : [[name, given(t)!]])));
  return [
    ...filters.map(({ name, given }) => ({
      name: `by ${name}`,
      isPart: true,
      input: async (t: Context) => (given(t) === undefined ? undefined : { query: { max: 1, [name]: given(t) } }),
    })),
    {
      name: 'by all filters',
      async input(t) {
        const all = values(t);
        return Object.keys(all).length > 1 ? { query: { max: 1, ...all } } : undefined;
      },
    },
  ];
};

const ofListings = Object.fromEntries(listings.map((listing) => [listing.operation, byFilters(listing)]));

/** By operation. */
export const OTHER_FORMS: Record<string, readonly OtherForm[]> = {
  'cards.get': [
    {
      name: 'by its temporary token',
      async input(t) {
        const path = { identifier: await t.shared(aCard) };
        const made = await t.call('cards.createToken', { path }, { intent: 'refusable' });
        const token = member(made, 'token');
        return succeeded(made) && typeof token === 'string'
          ? { path: { identifier: token }, query: { byToken: true } }
          : undefined;
      },
    },
    {
      name: 'by its proxy',
      async input({ fixtures }) {
        const { proxyNumber, programIdentifier, isDigital } = fixtures.cards?.byProxy ?? {};
        return proxyNumber === undefined
          ? undefined
          : { path: { identifier: proxyNumber }, query: { byProxy: true, programIdentifier, isDigital } };
      },
    },
  ],
  ...ofListings,
  'users.list': [
    ...ofListings['users.list']!,
    {
      name: 'on a later page',
      async input(t) {
        const token = member(await t.call('users.list', { query: { max: 1 } }), 'continuationToken');
        return typeof token === 'string' && token !== '' ? { query: { max: 1, token } } : undefined;
      },
    },
  ],
};

/** One of the other forms of an operation, chosen by the seed. */
export const rotatedOtherForms = (t: Context, operation: string): OtherForm[] =>
  t.rotated(`${operation}: other forms`, OTHER_FORMS[operation] ?? []);

/** The other forms of an operation that this run tries: all those that no other form contains, and one of the rest. */
function mostOtherForms(t: Context, operation: string): OtherForm[] {
  const forms = OTHER_FORMS[operation] ?? [];
  const parts = forms.filter(({ isPart }) => isPart);
  const some = parts.length > 0 ? t.rotated(`${operation}: single filters`, parts) : [];
  return [...forms.filter(({ isPart }) => !isPart), ...some];
}

/** Calls an operation without a token, once in each other form. */
export async function tryOtherFormsWithoutToken(t: Context, operation: string): Promise<void> {
  for (const form of mostOtherForms(t, operation)) {
    const input = await form.input(t);
    if (input === undefined) continue;
    const { name, authorisation } = NO_TOKEN;
    const wrong = { what: `${name}, ${form.name}` };
    const answer = await t.call(operation, input, { intent: 'unauthorised', authorisation, wrong });
    await compare([answer], () => t.call(operation, input, { intent: 'refusable' }));
  }
}
