/** What the reading operations of the portal ask of their parameters: the same for each, from its contract. */
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

/** What is not an integer, made from one that is valid. */
const NOT_INTEGERS: readonly [string, (valid: string) => string][] = [
  ['a word', () => 'abc'],
  ['with a fraction', (valid) => `${valid}.5`],
  ['followed by a letter', (valid) => `${valid}x`],
];

/** Required parameters of all reading operations; what an empty one is answered with is observed, of one per run. */
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

  // Each combination of its flags has a check of its own.
  if (id === PROGRAM_LIST) continue;
  check(`${id}.required-only`, 'nothing optional', async (t) => {
    const { answer } = await t.shared(validRequests[id]!);
    if (id === 'portal.getATMLocation' && !succeeded(answer) && !t.fixtures.portal?.atm)
      inconclusive(`a made-up place is answered with ${describe(answer)}: give portal.atm in the fixtures file`);
    requireNotBusy(answer, 'a request that holds only what is required');
    expectSuccess(answer, 'a request that holds only what is required');
    if (success?.body === 'not shown')
      t.observe(id, 'shape of the answer', shapeOf(bodyOf(answer)).slice(0, LONGEST_SHAPE));
  });
}

/** The input of a request that is accepted. @throws Inconclusive when none is */
async function requireAcceptedInput(t: Context, id: string): Promise<Input> {
  const { answer } = await t.shared(validRequests[id]!);
  return requireAccepted(answer, 'the request that is varied').input;
}

/** The input with its flags set or not, otherwise in each run. */
function withFlags({ run }: Context, input: Input, booleans: readonly string[]): Input {
  const flags = booleans.map((name, index) => [name, ((run.configuration.run.seed >> index) & 1) === 0]);
  return { ...input, query: { ...input.query, ...Object.fromEntries(flags) } };
}

const having = (input: Input, { name }: Parameter, value: QueryValue): Input => ({
  ...input,
  query: { ...input.query, [name]: value },
});

/** Characters of a shape that is observed. */
const LONGEST_SHAPE = 2000;

/** Names of members, down to what the entries of lists hold: no values. */
function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${shapeOf(value[0])}]`;
  if (!isObject(value)) return value === null ? 'null' : typeof value;
  const members = Object.keys(value)
    .toSorted()
    .map((name) => `${name}: ${shapeOf(value[name])}`);
  return `{${members.join(', ')}}`;
}
