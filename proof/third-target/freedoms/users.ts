import type { Freedom } from '../core/changes.ts';
import { after, around, freedom, members } from '../core/changes.ts';
import type { Fields } from '../core/model.ts';
import { Refusal } from '../core/model.ts';

export const userFreedoms: Freedom[] = [
  freedom('users-max-is-capped', 'More than 50 asked for gives 50', [18], (world) =>
    around(world, 'users.list', (call, next) => {
      const max = call.query.get('max') ?? '';
      if (/^\d+$/.test(max) && Number(max) > 50) call.query.set('max', '50');
      return next();
    }),
  ),
  freedom('users-max-of-nothing-is-the-default', 'max of zero or less means the default', [18], (world) =>
    around(world, 'users.list', (call, next) => {
      if (/^-?\d+$/.test(call.query.get('max') ?? '') && Number(call.query.get('max')) <= 0) call.query.delete('max');
      return next();
    }),
  ),
  freedom('users-page-of-twenty', 'A page without max has twenty customers', [18, 19], (world) =>
    around(world, 'users.list', (call, next) => {
      if (!call.query.get('max')) call.query.set('max', '20');
      return next();
    }),
  ),
  freedom('users-pages-are-not-full', 'A page may be shorter than asked for, though more follow', [18, 19], (world) =>
    around(world, 'users.list', (call, next) => {
      // With a token that comes alone nothing is to be read beside it.
      const max = call.query.get('max') ?? (call.query.has('token') ? '' : '50');
      if (/^\d+$/.test(max) && Number(max) > 10) call.query.set('max', String(Number(max) - 7));
      return next();
    }),
  ),
  freedom('users-last-page-is-empty', 'The walk ends with an empty page', [19], (world) => {
    const end = Buffer.from(JSON.stringify({ after: '~', filters: {} })).toString('base64url');
    after(world, 'users.list', (call, answer) => {
      const { results, continuationToken } = answer.body as { results: unknown[]; continuationToken?: string };
      const last = results.length > 0 && continuationToken === undefined;
      return last && call.query.get('token') ? members(answer, { continuationToken: end }) : undefined;
    });
  }),
  freedom('users-walk-ends-with-empty-text', 'On the last page continuationToken is empty', [19], (world) => {
    world.rules.pageEnd = () => ({ continuationToken: '' });
  }),
  freedom('users-token-comes-alone', 'With a continuation token nothing else is sent', [19], (world) =>
    around(world, 'users.list', (call, next) => {
      const others = [...call.query.keys()].filter((name) => name !== 'token');
      if (call.query.get('token') && others.length > 0) throw new Refusal(400, others[0]!, 'Send the token alone');
      return next();
    }),
  ),
  freedom(
    'users-unknown-token-starts-again',
    'A continuation token that is not known begins at the first page',
    [19],
    (world) =>
      around(world, 'users.list', async (call, next) => {
        const answer = await next();
        if (answer.status !== 400 || !call.query.get('token')) return answer;
        if (!(answer.body as Fields[]).some(({ fieldName }) => fieldName === 'token')) return answer;
        call.query.delete('token');
        return next();
      }),
  ),
  freedom('users-name-in-any-case', 'Names are searched in any case of letters', [20], (world) => {
    const { customerMatches } = world.rules;
    world.rules.customerMatches = (customer, filters) =>
      customerMatches(
        { ...customer, name: customer.name.toLowerCase() },
        { ...filters, name: filters.name?.toLowerCase(), parentIdentifier: undefined },
      ) && customerMatches(customer, { ...filters, name: undefined });
  }),
  freedom('users-name-of-three-letters', 'A search needs three characters of a name', [46, 20], (world) =>
    around(world, 'users.list', (call, next) => {
      const name = call.query.get('name');
      if (name && name.length < 3) throw new Refusal(400, 'name', 'Three characters at least');
      return next();
    }),
  ),
  freedom('users-children-only', 'parentIdentifier gives the children, not their children', [20], (world) => {
    const { customerMatches } = world.rules;
    world.rules.customerMatches = (customer, filters) =>
      customerMatches(customer, filters) &&
      (!filters.parentIdentifier || customer.parent?.identifier === filters.parentIdentifier);
  }),
  freedom('users-page-in-no-order', 'The customers of a page come in no order', [19, 20], (world) =>
    after(world, 'users.list', (_call, answer) => {
      const { results } = answer.body as { results: Fields[] };
      return members(answer, { results: results.toReversed() });
    }),
  ),
  freedom('users-say-more', 'A customer has its parent, an address and a count', [4], (world) => {
    world.rules.customerView = ({ identifier, name, parent }) => ({
      links: [{ rel: 'self', href: `/users/customers/${identifier}` }],
      identifier,
      name,
      parent: parent ? { identifier: parent.identifier } : null,
      cards: 4,
    });
  }),
  freedom('users-say-their-identifier-alone', 'A customer is its identifier', [4, 20], (world) => {
    world.rules.customerView = ({ identifier }) => ({ identifier });
  }),
  freedom('users-permissions-in-the-answer', 'The answer to new permissions shows all of them', [21], (world) =>
    after(world, 'users.setPermissions', (call, answer) =>
      members(answer, { ...world.customers.find(({ identifier }) => identifier === call.identifier)?.permissions }),
    ),
  ),
];
