/** Parameter checks of the portal's reading operations, generated from their contracts. */
import type { Parameter } from '../../../contracts/operation.ts';
import { operation } from '../../../contracts/operations.ts';
import { requireNotBusy } from '../../../helpers/acceptance.ts';
import { bodyOf, describe, type Input, isObject, type QueryValue, succeeded } from '../../../helpers/answer.ts';
import { defineSuite } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import { expectRefused, expectSuccess, requireAccepted } from '../../../helpers/expect.ts';
import { rotated } from '../../../helpers/rotation.ts';
import { inconclusive } from '../../../helpers/verdict.ts';
import { outcomeInWords } from '../../shared/observed.ts';
import { expectReadingRefused } from '../../shared/right-twins.ts';
import { PROGRAM_LIST, READING_OPERATIONS, validRequests } from '../scenarios/valid-requests.ts';

const { check, suite } = defineSuite();
export const parametersSuite = suite;

/** Values that are not integers, made from a valid one. */
const NOT_INTEGERS: readonly [string, (valid: string) => string][] = [
  ['a word', () => 'abc'],
  ['with a fraction', (valid) => `${valid}.5`],
  ['followed by a letter', (valid) => `${valid}x`],
];

/** Required parameters of all reading operations. Each run observes the answer to one of them empty. */
const REQUIRED = READING_OPERATIONS.flatMap((id) =>
  operation(id)
    .query.filter(({ required }) => required)
    .map(({ name }) => `${id} ${name}`),
);

for (const id of READING_OPERATIONS) {
  const { query, success } = operation(id);
  const booleans = query.filter(({ type }) => type === 'boolean').map(({ name }) => name);

  for (const parameter of query.filter(({ required }) => required))
    check(`${id}.required-parameters`, `without ${parameter.name}`, async (t) => {
      const input = await requireAcceptedInput(t, id);
      const lacking = having(withFlags(t, input, booleans), parameter, undefined);
      const answer = await t.call(id, lacking, { intent: 'malformed' });
      await expectReadingRefused(t, input, answer, `a request without ${parameter.name}`);
      if (!rotated(t.run, 'empty parameters', REQUIRED).includes(`${id} ${parameter.name}`)) return;
      const empty = await t.call(id, having(input, parameter, ''), { intent: 'malformed' });
      t.observe(id, `an empty ${parameter.name}`, outcomeInWords(empty));
    });

  for (const parameter of query.filter(({ type }) => type === 'integer'))
    for (const [what, wrong] of NOT_INTEGERS)
      check(`${id}.integer-parameters`, `${parameter.name} ${what}`, async (t) => {
        const input = await requireAcceptedInput(t, id);
        const value = wrong(String(input.query?.[parameter.name]));
        const spoilt = having(withFlags(t, input, booleans), parameter, value);
        const answer = await t.call(id, spoilt, { intent: 'malformed' });
        await expectReadingRefused(t, input, answer, `${parameter.name} ${what}`);
      });

  for (const parameter of query.filter(({ type }) => type === 'boolean'))
    check(`${id}.boolean-parameters`, parameter.name, async (t) => {
      const input = await requireAcceptedInput(t, id);
      if (!rotated(t.run, `${id}: boolean parameters`, booleans).includes(parameter.name)) return;
      const answer = await t.call(id, having(input, parameter, 'maybe'), { intent: 'malformed' });
      expectRefused(answer, `${parameter.name}=maybe`);
    });

  // customer-programs.ts checks each combination of its flags.
  if (id === PROGRAM_LIST) continue;
  check(`${id}.required-only`, 'nothing optional', async (t) => {
    const { answer } = await t.shared(validRequests[id]!);
    if (id === 'portal.getATMLocation' && !succeeded(answer) && !t.fixtures.portal?.atm)
      inconclusive(`the default place is answered with ${describe(answer)}: give portal.atm in the fixtures file`);
    requireNotBusy(answer, 'a request that holds only what is required');
    expectSuccess(answer, 'a request that holds only what is required');
    if (success?.body === 'not shown')
      t.observe(id, 'shape of the answer', shapeOf(bodyOf(answer)).slice(0, LONGEST_SHAPE));
  });
}

/** The input of the accepted valid request of an operation. @throws Inconclusive when it is refused */
async function requireAcceptedInput(t: Context, id: string): Promise<Input> {
  const { answer } = await t.shared(validRequests[id]!);
  return requireAccepted(answer, 'the request that is varied').input;
}

/** The input with its boolean parameters set by the seed. */
function withFlags({ run }: Context, input: Input, booleans: readonly string[]): Input {
  const flags = booleans.map((name, index) => [name, ((run.configuration.run.seed >> index) & 1) === 0]);
  return { ...input, query: { ...input.query, ...Object.fromEntries(flags) } };
}

const having = (input: Input, { name }: Parameter, value: QueryValue): Input => ({
  ...input,
  query: { ...input.query, [name]: value },
});

/** Characters of an observed shape. */
const LONGEST_SHAPE = 2000;

/** The shape of a JSON value: names and types of members, and the first item of each list; no values. */
function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${shapeOf(value[0])}]`;
  if (!isObject(value)) return value === null ? 'null' : typeof value;
  const members = Object.keys(value)
    .toSorted()
    .map((name) => `${name}: ${shapeOf(value[name])}`);
  return `{${members.join(', ')}}`;
}
