/** Query parameters of every operation, from the contracts: each that is required, integer or boolean (readings 6, 8, 18, 22, 40 and 41). */
import { operation as operationById, operations } from '../../contracts/operations.ts';
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
  const flags = operationById(id).query.filter(({ type }) => type === 'boolean');
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
  const inPath = operationById(id).pathParameters.map(({ name }) => name);
  const path = Object.fromEntries(Object.entries(members).filter(([name]) => inPath.includes(name)));
  return { path, query: without(members, ...inPath) } as Input;
}

/** Whether the catalogue has a requirement. */
const isRequired = (id: string): boolean => requirements.some((requirement) => requirement.id === id);

type Operation = (typeof operations)[number];

/** The parameters of an operation that are of a type. */
const ofType = ({ query }: Operation, type: 'integer' | 'boolean'): string[] =>
  query.filter((parameter) => parameter.type === type).map(({ name }) => name);

type Table = ReturnType<typeof probeTable>;

/** Operations that have required parameters, which may be sent empty: a login like that may lock its user. */
const WITH_REQUIRED = operations
  .filter(({ id, query }) => isRequired(`${id}.required-parameters`) && query.some(({ required }) => required))
  .map(({ id }) => id)
  .filter((id) => id !== 'portal.login');

/** How many of them are, where a run may change everything. */
const HALF = { amply: Math.ceil(WITH_REQUIRED.length / 2) };

/** Declares that required parameters may not be absent: all, half of them, or one. */
function refuseAbsent(table: Table, { id, query }: Operation): void {
  const requirement = `${id}.required-parameters`;
  if (!isRequired(requirement)) return;
  const required = query.filter((parameter) => parameter.required).map(({ name }) => name);
  const half = Math.ceil(required.length / 2);
  const wholes = [required, required.slice(0, half), required.slice(half)].filter((names) => names.length > 1);
  const several = wholes.map((names) => lackingAll('a request', names));
  if (several.length > 0) table.refuses(requirement, 'several absent', several, { tries: 1 });
  // A login without one of the two may lock its user: login.ts sends it where that disturbs nobody.
  if (id === 'portal.login') return;
  table.refuses(requirement, 'each absent', lacking('a request', required));
  const empty = required.flatMap((name) => valuesOf(name, ['']));
  const isTurn = (t: Context) =>
    t.rotated('operations that are sent empty parameters', WITH_REQUIRED, HALF).includes(id);
  table.records('empty parameters', empty, { tries: 1, isTurn });
}

/** Declares that integers are integers, in each form of request. */
function refuseNoIntegers(table: Table, operation: Operation, rights: Readonly<Record<string, Right>>): void {
  const requirement = `${operation.id}.integer-parameters`;
  if (!isRequired(requirement)) return;
  // Every other row is made from the plain request.
  const [plain = '', ...others] = Object.keys(rights);
  const on = others.length > 0 ? others.flatMap((other) => [plain, other]) : [plain];
  const rows = ofType(operation, 'integer').flatMap((name) => formsOf(name, Forms.formsLike('integer', '50')));
  table.refuses(requirement, 'not integers', rows, { on, tries: 2, amply: 4 });
}

/** Declares that flags are true or false. */
function adviseBooleans(table: Table, operation: Operation): void {
  const requirement = `${operation.id}.boolean-parameters`;
  if (!isRequired(requirement)) return;
  const rows = ofType(operation, 'boolean').flatMap((name) => {
    const [row] = valuesOf(name, ['maybe']);
    return name === 'isDigital' ? { ...row!, on: ['byProxy'] } : row!;
  });
  table.advisesAgainst(requirement, 'neither true nor false', rows, { tries: 1 });
}

for (const operation of operations.filter(({ listedOnly }) => !listedOnly)) {
  const { id } = operation;
  const rights = RIGHTS[id] ?? { plain: always((t) => ofPortal(t, id)) };
  const table = probeTable({ operation: id, rights, inputOf: (members) => inputOf(id, members) });
  refuseAbsent(table, operation);
  refuseNoIntegers(table, operation, rights);
  adviseBooleans(table, operation);
}
