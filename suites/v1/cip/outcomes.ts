/** Identity verification: outcomes of known persons, and what a CIP check asks of its body. */
import { SUMMARY_RESULTS } from '../../../contracts/v1/cip.ts';
import { type Answer, describe, member, memberOf, succeeded } from '../../../helpers/answer.ts';
import { defineSuite } from '../../../helpers/check.ts';
import { operationInScope } from '../../../helpers/configuration/scope.ts';
import { accepted, expectRefusedAsListed } from '../../../helpers/expect.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { outcome } from '../../observed.ts';
import { wrongTypes } from '../../shared/wrong-types.ts';
import { without } from '../orders/bodies.ts';
import { inSession } from '../scenarios/session-lifecycle.ts';
import { mayChange } from '../scenarios/valid-requests.ts';
import { acceptedPerson, CIP, CIP_REQUIRED, cipBase, MADE_UP } from './person.ts';

const { afterwards, check, everyExchange, suite } = defineSuite();
export const cipSuite = suite;

check(
  'portal.getCIPCheck.required-only',
  'without ssn and ssnLast4',
  inSession(async (t) => {
    accepted((await t.shared(cipBase)).requiredOnly, 'a person with the required members alone');
  }),
);

for (const [what, input] of [
  ['declared as JSON', { emptyJson: true }],
  ['without Content-Type', {}],
] as const)
  check(
    'portal.getCIPCheck.missing-body',
    `zero bytes ${what}`,
    inSession(async (t) => {
      await acceptedPerson(t);
      expectRefusedAsListed(await t.call(CIP, input, { intent: 'malformed' }), `a body of zero bytes ${what}`);
    }),
  );

/** Values of required members that the documents say nothing about. */
const EMPTY_VALUES: Record<string, readonly unknown[]> = { firstName: ['', null], zip: [null] };

for (const name of CIP_REQUIRED)
  check(
    'portal.getCIPCheck.required-members',
    `without ${name}`,
    inSession(async (t) => {
      const person = await acceptedPerson(t);
      const answer = await t.call(CIP, { json: without(person, name) }, { intent: 'malformed' });
      expectRefusedAsListed(answer, `a person without ${name}`);
      for (const value of EMPTY_VALUES[name] ?? []) {
        const empty = await t.call(CIP, { json: { ...person, [name]: value } }, { intent: 'malformed' });
        t.observe(CIP, `${name} is ${JSON.stringify(value)}`, outcome(empty));
      }
    }),
  );

check(
  'portal.getCIPCheck.body-types',
  'each member',
  inSession(async (t) => {
    const person = await acceptedPerson(t);
    for (const { name, value } of wrongTypes(person)) {
      const answer = await t.call(CIP, { json: { ...person, [name]: value } }, { intent: 'malformed' });
      if (succeeded(answer))
        fail(`${name} as a JSON ${typeof value} is accepted`, { expected: 'a refusal', actual: describe(answer) });
    }
  }),
);

const OUTCOMES = [
  ['portal.getCIPCheck.outcome-pass', 'pass', 'Pass', undefined],
  ['portal.getCIPCheck.outcome-fail', 'fail', 'Fail', undefined],
  ['portal.getCIPCheck.outcome-partial-differentiator', 'partialDifferentiator', 'Partial', 'diffQuestionList'],
  ['portal.getCIPCheck.outcome-partial-questions', 'partialQuestions', 'Partial', 'questionList'],
] as const;

for (const [requirement, key, summary, list] of OUTCOMES)
  check(
    requirement,
    'person of the fixtures file',
    inSession(async (t) => {
      const person = t.fixtures.portal!.cip![key]!;
      await acceptedPerson(t);
      const base = await t.shared(cipBase);
      const answer = accepted(base.person === person ? base.answer : await t.call(CIP, { json: person }), 'the person');
      if (member(answer, 'returnCode') === 0)
        inconclusive('returnCode is 0: the server is down or the network is poor');
      const data = member(answer, 'data');
      const result = memberOf(data, 'summaryResult');
      if (result !== summary)
        fail(`summaryResult is ${shown(result)}`, {
          expected: summary,
          actual: shown(result),
          pointer: '/data/summaryResult',
        });
      if (list && (memberOf(data, list) ?? null) === null)
        fail(`${list} is ${shown(memberOf(data, list))}`, {
          expected: 'a list of questions',
          actual: shown(memberOf(data, list)),
          pointer: `/data/${list}`,
        });
    }),
  );

/** A short JSON value in words. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}

everyExchange('portal.getCIPCheck.return-code-present', CIP, (answer) => {
  if (!succeeded(answer) || !answer.json?.ok) return undefined;
  if (member(answer, 'returnCode') !== undefined) return 'kept';
  return { message: 'returnCode is absent', difference: { expected: '0, 1 or -1', actual: 'absent' } };
});

/** Question lists and outcome of an answer; undefined where it tells nothing of them. */
function questionsOf(answer: Answer): { summary: string; lists: unknown[][] } | undefined {
  if (!succeeded(answer) || member(answer, 'returnCode') === 0) return undefined;
  const data = member(answer, 'data');
  const summary = memberOf(data, 'summaryResult');
  if (!SUMMARY_RESULTS.some((one) => one === summary)) return undefined;
  const lists = ['diffQuestionList', 'questionList'].map((name) => memberOf(data, name)).filter(Array.isArray);
  return { summary: summary as string, lists };
}

everyExchange('portal.getCIPCheck.questions-only-partial', CIP, (answer) => {
  const found = questionsOf(answer);
  if (!found) return undefined;
  if (found.summary === 'Partial' || found.lists.every((list) => list.length === 0)) return 'kept';
  return {
    message: `questions come with ${found.summary}`,
    difference: { expected: 'questions only with Partial', actual: found.summary },
  };
});

everyExchange('portal.getCIPCheck.empty-lists-only-partial', CIP, (answer) => {
  const found = questionsOf(answer);
  if (!found) return undefined;
  if (found.summary === 'Partial' || found.lists.length === 0) return 'kept';
  return {
    message: `a question list comes with ${found.summary}`,
    difference: { expected: 'null or absent', actual: 'an array' },
  };
});

/** What is said of a stranger is judged as every answer is: the persons of the fixtures file are known too well. */
afterwards(async (t) => {
  if (!operationInScope(t.run.configuration, CIP) || !mayChange(t, CIP)) return;
  const { person } = await t.shared(cipBase);
  if (person === MADE_UP) return;
  t.observe(CIP, 'a person who is not known', outcome(await t.call(CIP, { json: MADE_UP }, { intent: 'refusable' })));
});
