/**
 * Odd values in every documented input of the operations that only read, each parameter twice, bodies that are no object, and optional parameters in pairs: none
 * is answered with status 500, and each 400 has its shape (readings 9 and 12). Identifiers in a path and the values of filters are tried where what they find
 * is judged, and what changes something where a right request does.
 */
import type { Operation } from '../../contracts/operation.ts';
import { operations } from '../../contracts/operations.ts';
import type { Input, Intent } from '../../helpers/answer.ts';
import type { Context } from '../../helpers/check.ts';
import { outlineOf } from '../../helpers/contract-rules/outline.ts';
import * as Forms from '../../helpers/engine/forms/index.ts';
import { optional } from '../../helpers/verdict.ts';
import { check } from '../declare.ts';
import * as Requests from '../shared/requests.ts';
import * as ValidRequests from '../v1/scenarios/valid-requests.ts';
import * as Listings from '../v3/listings/listings.ts';

/** A request with something odd. */
interface Cell {
  name: string;
  intent: Intent;
  of(right: Input): Input;
}

const filters = new Set(Listings.both.flatMap((one) => one.filters.map(({ name }) => `${one.operation} ${name}`)));

/** What a request of an operation can hold, beside what is tried elsewhere. */
const slotsOf = ({ id, query, body }: Operation): Forms.Slot[] => [
  // Values of max that are not documented are observed by the listings (readings 18 and 22).
  ...query
    .filter(({ name, maximum }) => maximum === undefined && !filters.has(`${id} ${name}`))
    .map(({ name, type }) => ({ place: 'query' as const, name, type })),
  ...[...(body ? (outlineOf(body.schema).members ?? []) : [])]
    .filter(([, { outline }]) => outline.isText)
    .map(([name]) => ({ place: 'json' as const, name, type: 'string' as const })),
];

const having = (right: Input, { place, name }: Pick<Forms.Slot, 'place' | 'name'>, value: unknown): Input => ({
  ...right,
  [place]: { ...(right[place] as object | undefined), [name]: value },
});

/** Each odd value in each input; another customer than the one asked for is unknown. */
const single = (slots: readonly Forms.Slot[]): Cell[] =>
  slots.flatMap((slot) =>
    Forms.oddValuesOf(slot).map(([name, value]) => ({
      name: `${slot.name} ${name}`,
      intent: slot.name === 'customerId' ? 'unknown' : 'unusual',
      of: (right) => having(right, slot, value),
    })),
  );

/** Values of parameters that name nothing. */
const USUAL = { string: 'text', integer: '1', boolean: 'true' } as const;

/** Each parameter twice, with the same value. */
const twice = ({ query }: Operation): Cell[] =>
  query.map(({ name, type }) => {
    const of = (right: Input) => {
      const value = String(right.query?.[name] ?? USUAL[type]);
      return having(right, { place: 'query', name }, [value, value]);
    };
    return { name: `${name} twice`, intent: 'refusable', of };
  });

/** Each two of the optional parameters. */
function pairs({ query }: Operation): Cell[] {
  const optional = query.filter(({ required, maximum }) => !required && maximum === undefined);
  const together = optional.flatMap((one, at) => optional.slice(at + 1).map((other) => [one, other]));
  return together.map((some) => ({
    name: some.map(({ name }) => name).join(' beside '),
    intent: 'unusual',
    of: (right) => some.reduce((made, { name, type }) => having(made, { place: 'query', name }, USUAL[type]), right),
  }));
}

const bodies = ({ body }: Operation): Cell[] =>
  body
    ? Forms.oddBodies.map(({ name, input }) => ({
        name: `a body ${name}`,
        intent: 'malformed',
        of: ({ json: _, ...right }) => ({ ...right, ...input }),
      }))
    : [];

/** A right request, which shows by itself what the requirement is about where it is another operation's turn. */
const rightOf = async (t: Context, { id, interface: of }: Operation): Promise<Input> =>
  of === 'v1'
    ? (await t.shared(ValidRequests.requestOf(id))).answer.input
    : (await t.shared(Requests.harmlessAnswer(id))).input;

const reading = operations
  .filter(({ risk, listedOnly, interface: of }) => risk === 'safe' && !listedOnly && of !== 'token')
  // Logins and logouts are tried where they disturb nobody.
  .filter(({ endpointSet }) => endpointSet !== 'userendpoint')
  .map((operation) => ({
    operation,
    cells: [...single(slotsOf(operation)), ...twice(operation), ...pairs(operation), ...bodies(operation)],
  }))
  .filter(({ cells }) => cells.length > 0);

/** Operations that a run tries; the others follow with other seeds. */
const SOME = { count: 2, name: ({ operation }: (typeof reading)[number]) => operation.id };

for (const one of reading) {
  const { id } = one.operation;
  check(`${id}.status`, 'odd values of each input', async (t) => {
    const right = await rightOf(t, one.operation);
    if (!t.rotated('operations with odd values', reading, SOME).includes(one)) return;
    for (const { name, intent, of } of t.rotated(`${id}: odd values`, one.cells))
      await optional(t.call(id, of(right), { intent }).then((answer) => t.observe(id, name, answer)));
  });
}
