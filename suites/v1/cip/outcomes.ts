/** Identity verification: the outcomes of known persons, and the requirements on the body of a CIP check. */
import { SUMMARY_RESULTS } from '../../../contracts/v1/cip.ts';
import { expectAccepted } from '../../../helpers/acceptance.ts';
import { type Answer, describe, member, memberOf, succeeded } from '../../../helpers/answer.ts';
import { defineSuite } from '../../../helpers/check.ts';
import { operationInScope } from '../../../helpers/configuration/scope.ts';
import type { Context } from '../../../helpers/context.ts';
import { expectRefused } from '../../../helpers/expect.ts';
import { rotated } from '../../../helpers/rotation.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { outcomeInWords } from '../../shared/observed.ts';
import { attempt, values } from '../../shared/step.ts';
import { NOT_JSON, wrongTypes } from '../../shared/wrong-types.ts';
import { without } from '../orders/bodies.ts';
import { expectOperation } from '../scenarios/operation.ts';
import { mayChange } from '../scenarios/valid-requests.ts';
import {
  basePerson,
  CIP,
  CIP_REQUIRED,
  expectCheckRefused,
  expectChecksRefused,
  FORM_IN_WORDS,
  knownPersons,
  MADE_UP,
  PERSON_FORMS,
  type PersonKey,
  RULED_FORMS,
  requireAcceptedPerson,
  requiredPerson,
  strangerCheck,
} from './person.ts';

const { afterwards, check, everyExchange, suite } = defineSuite();
export const cipOutcomesSuite = suite;

check('portal.getCIPCheck.required-only', 'without ssn and ssnLast4', async (t) => {
  const { person, answer } = await t.shared(basePerson);
  await expectOperation(t, answer, {});
  const json = await requiredPerson(t);
  if (Object.keys(json).length === Object.keys(person).length && succeeded(answer)) return;
  await expectAccepted(t, {
    operation: CIP,
    what: 'a person with the required members alone',
    input: { json },
    control: { json: person },
    fixture: 'portal.cip',
  });
});

for (const [what, input, statuses] of [
  ['declared as JSON', { emptyJson: true }, [400]],
  ['without Content-Type', {}, [400, 415]],
] as const)
  check('portal.getCIPCheck.missing-body', `zero bytes ${what}`, async (t) =>
    expectCheckRefused(t, `a body of zero bytes ${what}`, input, statuses),
  );

/** Empty values of required members. The documents are silent on them, so the answer is observed. */
const EMPTY_VALUES: readonly { member: string; value: unknown }[] = [
  { member: 'firstName', value: '' },
  { member: 'firstName', value: null },
  { member: 'zip', value: null },
];
const inWords = ({ member, value }: (typeof EMPTY_VALUES)[number]) => `${member} is ${JSON.stringify(value)}`;

for (const name of CIP_REQUIRED)
  check('portal.getCIPCheck.required-members', `without ${name}`, async (t) => {
    for (const form of ['whole', 'required'] as const)
      await expectCheckRefused(
        t,
        `a person without ${name}`,
        { json: without(await PERSON_FORMS[form](t), name) },
        [400],
      );
    for (const of of rotated(t.run, 'empty members of a person', EMPTY_VALUES, 1, inWords)) {
      if (of.member !== name) continue;
      const json = { ...(await requireAcceptedPerson(t)), [name]: of.value };
      t.observe(CIP, inWords(of), outcomeInWords(await t.call(CIP, { json }, { intent: 'malformed' })));
    }
  });

/** Members that belong together: a lenient target may do without all of them, though it requires each beside the others. */
const WHERE = ['address', 'zip', 'city', 'state'];
const WHOLES: readonly { name: string; members: readonly string[] }[] = [
  { name: 'a person without birth', members: ['dobMonth', 'dobDay', 'dobYear'] },
  { name: 'a person without name', members: ['firstName', 'lastName'] },
  { name: 'a person of whom nothing is given', members: [...CIP_REQUIRED, 'ssn', 'ssnLast4'] },
];

check('portal.getCIPCheck.required-members', 'several that belong together', async (t) => {
  const person = await requireAcceptedPerson(t);
  const tried = rotated(t.run, 'persons without several members', WHOLES);
  for (const { name, members } of [{ name: 'a person without any address', members: WHERE }, ...tried])
    await expectCheckRefused(t, name, { json: members.reduce(without, person) }, [400]);
});

/** Persons of other forms who lack a member: as many per run as there are forms. */
const LACKING = CIP_REQUIRED.flatMap((member) =>
  RULED_FORMS.map((form) => ({ name: `a person ${FORM_IN_WORDS[form]} without ${member}`, form, member })),
);

check(
  'portal.getCIPCheck.required-members',
  'of a person with one number alone, and of one who is not located',
  async (t) => {
    const tried = rotated(t.run, 'other persons without a member', LACKING, RULED_FORMS.length);
    const wrong = tried.map(async ({ name, form, member }) => ({
      what: name,
      json: without(await PERSON_FORMS[form](t), member),
    }));
    await expectChecksRefused(t, await Promise.all(wrong));
  },
);

check('portal.getCIPCheck.body-types', 'each member, and what is not JSON', async (t) => {
  const person = await requireAcceptedPerson(t);
  // A gateway in front of the target may never answer it.
  const [broken] = values([await attempt(() => t.call(CIP, { text: NOT_JSON }, { intent: 'malformed' }))]);
  if (broken) expectRefused(broken, 'a body that is not JSON');
  const tried = rotated(t.run, 'persons of wrong types', wrongTypes(person));
  // One after the other: accepting one is only advised against, and each accepted check costs.
  for (const { name, value } of tried) {
    const answer = await t.call(CIP, { json: { ...person, [name]: value } }, { intent: 'malformed' });
    expectRefused(answer, `${name} as a JSON ${typeof value}`);
  }
});

for (const [requirement, key, summary, list] of [
  ['portal.getCIPCheck.outcome-pass', 'pass', 'Pass', undefined],
  ['portal.getCIPCheck.outcome-fail', 'fail', 'Fail', undefined],
  ['portal.getCIPCheck.outcome-partial-differentiator', 'partialDifferentiator', 'Partial', 'diffQuestionList'],
  ['portal.getCIPCheck.outcome-partial-questions', 'partialQuestions', 'Partial', 'questionList'],
] as const)
  check(requirement, 'person of the fixtures file', async (t) => {
    const answer = await expectPersonAccepted(t, key);
    if (member(answer, 'returnCode') === 0) inconclusive('returnCode is 0: the server is down or the network is poor');
    const data = member(answer, 'data');
    const result = memberOf(data, 'summaryResult');
    if (result !== summary)
      fail(`summaryResult is ${shown(result)}`, {
        expected: summary,
        actual: shown(result),
        pointer: '/data/summaryResult',
        in: answer,
      });
    if (list && (memberOf(data, list) ?? null) === null)
      fail(`${list} is ${shown(memberOf(data, list))}`, {
        expected: 'a list of questions',
        actual: shown(memberOf(data, list)),
        pointer: `/data/${list}`,
        in: answer,
      });
  });

/** Expects the check of a known person to be accepted. @returns its answer @throws Nonconformance, Inconclusive; see expectAccepted */
async function expectPersonAccepted(t: Context, key: PersonKey): Promise<Answer> {
  const answer = (await t.shared(knownPersons)).get(key)!();
  if (succeeded(answer)) return answer;
  const person = await requireAcceptedPerson(t);
  // A target may limit checks of one person, and there is no other accepted person to tell.
  if (person === MADE_UP) inconclusive(`the person is refused: ${describe(answer)}`);
  const control = { json: person };
  const input = { json: t.fixtures.portal!.cip![key] };
  return expectAccepted(t, { operation: CIP, what: 'the person', input, control, fixture: `portal.cip.${key}` });
}

/** Whether an answer reports both a failed check (returnCode 0) and an outcome. */
const contradictsItself = (answer: Answer): boolean => {
  const summary = memberOf(member(answer, 'data'), 'summaryResult');
  return member(answer, 'returnCode') === 0 && SUMMARY_RESULTS.some((one) => one === summary);
};

check('portal.getCIPCheck.return-code-zero', 'known persons, and a stranger', async (t) => {
  const answers = values([
    ...(await t.shared(knownPersons)).values(),
    await attempt(async () => (await t.shared(basePerson)).answer),
    await attempt(() => t.shared(strangerCheck)),
  ]).filter(succeeded);
  const codes = answers.map((answer) => member(answer, 'returnCode'));
  if (codes.every((code) => code === undefined)) inconclusive('no answer has a returnCode');
  const contradictions = answers.filter(contradictsItself);
  for (const { input } of contradictions) {
    const again = await t.call(CIP, input, { intent: 'refusable' });
    if (succeeded(again) && contradictsItself(again))
      fail('returnCode is 0 together with an outcome, again for the same person', {
        expected: '1 or -1',
        actual: '0',
        pointer: '/returnCode',
        in: again,
      });
  }
  if (contradictions.length > 0) inconclusive('returnCode is 0: the server is down or the network is poor');
});

/** A value as JSON, cut to 60 characters; "absent" for undefined. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}

everyExchange('portal.getCIPCheck.return-code-present', CIP, (answer) => {
  if (!succeeded(answer) || !answer.json?.ok) return undefined;
  if (member(answer, 'returnCode') !== undefined) return 'kept';
  return { message: 'returnCode is absent', difference: { expected: '0, 1 or -1', actual: 'absent' } };
});

/** The outcome and the question lists of an answer; undefined unless it has a documented outcome. */
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

/** Checks a stranger, whose answer is judged like any other: persons of the fixtures file may be special cases. */
afterwards(CIP, async (t) => {
  if (!operationInScope(t.run.configuration, CIP) || !mayChange(t, CIP)) return;
  const { person } = await t.shared(basePerson);
  if (person === MADE_UP) return;
  t.observe(CIP, 'a person who is not known', outcomeInWords(await t.shared(strangerCheck)));
});
