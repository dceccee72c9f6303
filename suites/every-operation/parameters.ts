/** Query parameters of every operation, from the contracts: each that is required, integer or boolean (readings 6, 8, 18, 22, 40 and 41). */
import { operation, operations } from '../../contracts/operations.ts';
import { requirements } from '../../contracts/requirements/index.ts';
import type { Input } from '../../helpers/answer.ts';
import type { Context } from '../../helpers/check.ts';
import * as Forms from '../../helpers/engine/forms/index.ts';
import { always, formsOf, lacking, lackingAll, type Members, valuesOf, without } from '../../helpers/engine/rows.ts';
import { requireAccepted } from '../../helpers/expect.ts';
import { probeTable } from '../declare.ts';
import * as KnownCards from '../shared/known-cards.ts';
import * as Requests from '../shared/requests.ts';
import * as ValidRequests from '../v1/scenarios/valid-requests.ts';
import * as Listings from '../v3/listings/listings.ts';
import * as Views from '../v3/listings/views.ts';

/** The query of the accepted request of a portal operation, with its boolean parameters set by the seed. */
async function ofPortal(t: Context, id: string): Promise<Members> {
  const { answer } = await t.shared(ValidRequests.requestOf(id));
  const { query = {} } = requireAccepted(answer, 'the request that is varied').input;
  const flags = operation(id).query.filter(({ type }) => type === 'boolean');
  const { seed } = t.run.configuration.run;
  return { ...query, ...Object.fromEntries(flags.map(({ name }, index) => [name, ((seed >> index) & 1) === 0])) };
}

/** Right searches of a listing: the plain one, one by each filter, which stands beside max, and of a later page. */
const searches = (listing: typeof Listings.cards): Record<string, Right> => ({
  plain: always(async () => ({ max: 50 })),
  ...Object.fromEntries(
    listing.filters.map((filter) => [
      `by ${filter.name}`,
      async (t) => {
        const view = await Views.viewOf(t, listing);
        return view.known.includes(filter) ? () => ({ max: 50, [filter.name]: view.knownOf(filter) }) : undefined;
      },
    ]),
  ),
  ...(listing.pages > 1 && {
    'of a later page': async (t) => {
      const query = await Views.laterPage(t, listing);
      return query && (() => query);
    },
  }),
});

type Right = (t: Context) => Promise<(() => Members) | undefined>;

/** Right requests of operations that the portal's valid requests do not cover, by form. */
const RIGHTS: Record<string, Record<string, Right>> = {
  'users.list': searches(Listings.customers),
  'cards.list': searches(Listings.cards),
  'portal.login': { plain: always(async (t) => t.run.loginQuery()) },
  'cards.get': {
    plain: always(async (t) => ({ identifier: await t.shared(Requests.aCard) })),
    byProxy: always(async (t) => {
      const { proxyNumber: identifier, programIdentifier, isDigital } = KnownCards.requireProxy(t);
      return { identifier, byProxy: true, programIdentifier, isDigital };
    }),
  },
};

/** The request with these members, in its path or its query as the contract says. */
function inputOf(id: string, members: Members): Input {
  const inPath = operation(id).pathParameters.map(({ name }) => name);
  const path = Object.fromEntries(Object.entries(members).filter(([name]) => inPath.includes(name)));
  return { path, query: without(members, ...inPath) } as Input;
}

const isRequired = (id: string) => requirements.some((requirement) => requirement.id === id);

for (const { id, query } of operations.filter(({ listedOnly }) => !listedOnly)) {
  const rights = RIGHTS[id] ?? { plain: always((t) => ofPortal(t, id)) };
  // Every other row is made from the plain request.
  const [plain = '', ...others] = Object.keys(rights);
  const forms = others.length > 0 ? others.flatMap((other) => [plain, other]) : [plain];
  const rowsOf = <R>(type: string, of: (name: string) => R[]): R[] =>
    query.filter((parameter) => parameter.type === type).flatMap(({ name }) => of(name));
  const table = probeTable({ operation: id, rights, inputOf: (members) => inputOf(id, members) });

  const required = query.filter((parameter) => parameter.required).map(({ name }) => name);
  if (isRequired(`${id}.required-parameters`)) {
    const half = Math.ceil(required.length / 2);
    const wholes = [required, required.slice(0, half), required.slice(half)].filter((names) => names.length > 1);
    const several = wholes.map((names) => lackingAll('a request', names));
    if (several.length > 0) table.refuses(`${id}.required-parameters`, 'several absent', several, { tries: 1 });
    // A login without one of the two may lock its user: login.ts sends it where that disturbs nobody.
    if (id === 'portal.login') continue;
    table.refuses(`${id}.required-parameters`, 'each absent', lacking('a request', required));
    const empty = required.flatMap((name) => valuesOf(name, ['']));
    table.records('empty parameters', empty, { tries: 1 });
  }

  const integers = rowsOf('integer', (name) => formsOf(name, Forms.formsLike('integer', '50')));
  if (isRequired(`${id}.integer-parameters`))
    table.refuses(`${id}.integer-parameters`, 'not integers', integers, { on: forms, tries: 2, amply: 4 });

  const booleans = rowsOf('boolean', (name) =>
    valuesOf(name, ['maybe']).map((row) => (name === 'isDigital' ? { ...row, on: ['byProxy'] } : row)),
  );
  if (isRequired(`${id}.boolean-parameters`))
    table.advisesAgainst(`${id}.boolean-parameters`, 'neither true nor false', booleans, { tries: 1 });
}
