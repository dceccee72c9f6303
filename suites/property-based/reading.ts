/** Generated requests that only read: parameters of every operation, and filters and identifiers that match nothing. */
import fc from 'fast-check';
import { operation as operationById, operations } from '../../contracts/operations.ts';
import { CARDS_DEFAULT_MAX } from '../../contracts/v3/cards.ts';
import { USERS_MAX } from '../../contracts/v3/users.ts';
import { expectAccepted } from '../../helpers/acceptance.ts';
import { type Answer, entries, type Input, succeeded } from '../../helpers/answer.ts';
import { defineSuite, type Scenario } from '../../helpers/check.ts';
import type { Context } from '../../helpers/context.ts';
import { expectRefused, requireAccepted } from '../../helpers/expect.ts';
import { rotated } from '../../helpers/rotation.ts';
import { fail, inconclusive } from '../../helpers/verdict.ts';
import { namedInput } from '../shared/requests.ts';
import { expectReadingRefused } from '../shared/right-twins.ts';
import { firstCards, firstCustomers } from '../shared/target-data.ts';
import { requireServedNow, validRequests } from '../v1/scenarios/valid-requests.ts';
import { notIntegers, severalOf, unknownIdentifier, unmatchedText } from './inputs.ts';
import { forAll } from './search.ts';

const { check, suite } = defineSuite();
export const generatedReadingSuite = suite;

const shown = operations.filter(({ listedOnly }) => !listedOnly);
/** The query of an accepted request, in which drawn values replace or remove parameters. @throws Inconclusive when it is refused */
async function requireAcceptedQuery(t: Context, id: string): Promise<NonNullable<Input['query']>> {
  if (id === 'portal.login') return t.run.loginQuery();
  if (!id.startsWith('portal.')) return {};
  const { answer } = await t.shared(validRequests[id]!);
  return requireAccepted(answer, 'the request that is varied').input.query ?? {};
}

for (const { id, query } of shown) {
  const integers = query.filter(({ type }) => type === 'integer').map(({ name }) => name);
  if (integers.length > 0)
    check(`${id}.integer-parameters`, 'generated: what is not an integer', async (t) => {
      const complete = await requireAcceptedQuery(t, id);
      const kinds = rotated(t.run, `${id}: what is not an integer`, notIntegers).map(({ values }) =>
        fc.tuple(fc.constantFrom(...integers), values),
      );
      await forAll(t, kinds, 1, async ([name, value]) => {
        const answer = await t.call(id, { query: { ...complete, [name]: value } }, { intent: 'malformed' });
        await expectReadingRefused(t, { query: complete }, answer, `${name} that is not an integer`);
      });
    });

  const required = query.filter((parameter) => parameter.required).map(({ name }) => name);
  if (required.length > 1)
    check(`${id}.required-parameters`, 'generated: several absent', async (t) => {
      const complete = await requireAcceptedQuery(t, id);
      await forAll(t, severalOf(required), 1, async (absent) => {
        const rest = Object.fromEntries(Object.entries(complete).filter(([name]) => !absent.includes(name)));
        const answer = await t.call(id, { query: rest }, { intent: 'malformed' });
        // A valid login as the control would begin a session, and may end the run's.
        if (id === 'portal.login' && !succeeded(answer) && answer.status !== 400) await requireServedNow(t);
        await expectReadingRefused(t, { query: complete }, answer, 'a request without required parameters');
      });
    });
}

// Every run tries the ends of the range anyway.
for (const [requirement, id, limit] of [
  ['users.list.max-accepted', 'users.list', USERS_MAX],
  ['cards.list.max-accepted', 'cards.list', CARDS_DEFAULT_MAX],
] as const)
  check(requirement, 'generated: max from 3 to 48', async (t) => {
    await forAll(t, fc.noBias(fc.integer({ min: 3, max: limit - 2 })), 1, async (max) => {
      await expectAccepted(t, { operation: id, what: 'a max from 1 to 50', input: { query: { max } }, control: {} });
    });
  });

check('users.list.unmatched-name-empty', 'generated: reserved characters and letters beyond ASCII', async (t) => {
  await forAll(t, unmatchedText, 1, async (name) => {
    const answer = await t.call('users.list', { query: { name } }, { intent: 'refusable' });
    const found = entries(answer).length;
    if (succeeded(answer) && found > 0)
      fail('a name that matches nobody finds customers', { expected: 'no results', actual: `${found}`, in: answer });
  });
});

/** Declares checks that a filter with an unknown value never gives the whole listing. */
function unknownValues(requirement: string, id: string, whole: Scenario<Answer>): void {
  const filters = operationById(id)
    .query.map(({ name }) => name)
    .filter((name) => name.endsWith('Identifier'));
  check(requirement, 'generated: reserved characters and letters beyond ASCII', async (t) => {
    const all = entries(await t.shared(whole)).length;
    if (all === 0) inconclusive('the listing is empty without a filter, too');
    const some = rotated(t.run, `${id}: filters with generated values`, filters, Math.ceil(filters.length / 2));
    const kinds = some.map((name) => fc.tuple(fc.constant(name), unmatchedText));
    await forAll(t, kinds, 1, async ([name, value]) => {
      const answer = await t.call(id, { query: { max: 50, [name]: value } }, { intent: 'unknown' });
      const found = entries(answer).length;
      if (succeeded(answer) && found >= all)
        fail(`an unknown ${name} gives the whole listing`, {
          expected: `fewer than ${all}`,
          actual: String(found),
          in: answer,
        });
    });
  });
}
unknownValues('users.list.unknown-filter-value', 'users.list', firstCustomers);
unknownValues('cards.list.unknown-filter-value', 'cards.list', firstCards);

for (const { id, risk, pathParameters } of shown)
  if (pathParameters.length > 0 && risk === 'safe')
    check(`${id}.unknown-identifier`, 'generated: letters beyond ASCII and marks', async (t) => {
      await forAll(t, unknownIdentifier, 1, async (identifier) => {
        const answer = await t.call(id, namedInput(t, id, identifier, identifier), { intent: 'unknown' });
        expectRefused(answer, 'an identifier that names nothing');
      });
    });
