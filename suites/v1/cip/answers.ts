/** What CIP checks are answered with: the outcomes of known persons, return codes and questions (reading 38). */
import { FICTIONAL_PERSON } from '../../../contracts/v1/fictional.ts';
import { type Answer, describe, member, memberOf, shown, succeeded } from '../../../helpers/answer.ts';
import { type Context, scenario } from '../../../helpers/check.ts';
import { contradicts } from '../../../helpers/evidence/ledger.ts';
import { attempt, fail, inconclusive, notApplicable, valuesOf } from '../../../helpers/verdict.ts';
import { afterwards, everyExchange } from '../../declare.ts';
import * as InEachSession from '../scenarios/in-each-session.ts';
import * as ValidRequests from '../scenarios/valid-requests.ts';
import * as Persons from './persons.ts';

for (const [requirement, key, summary, list] of [
  ['portal.getCIPCheck.outcome-pass', 'pass', 'Pass', undefined],
  ['portal.getCIPCheck.outcome-fail', 'fail', 'Fail', undefined],
  ['portal.getCIPCheck.outcome-partial-differentiator', 'partialDifferentiator', 'Partial', 'diffQuestionList'],
  ['portal.getCIPCheck.outcome-partial-questions', 'partialQuestions', 'Partial', 'questionList'],
] as const) {
  /** What an answer reports otherwise than it should, if anything: the member, and what it should be. */
  const differenceIn = (answer: Answer): [string, string] | undefined => {
    const data = member(answer, 'data');
    if (memberOf(data, 'summaryResult') !== summary) return ['summaryResult', summary];
    return list && (memberOf(data, list) ?? null) === null ? [list, 'a list of questions'] : undefined;
  };
  const expectOutcome = (answer: Answer, when = '', retrial?: Persons.CheckedAgain['retrial']): void => {
    if (Persons.isDown(answer)) inconclusive('returnCode is 0: the server is down or the network is poor');
    const [name, expected] = differenceIn(answer) ?? [];
    if (name === undefined) return;
    const actual = shown(memberOf(member(answer, 'data'), name));
    fail(`${name} is ${actual}${when}`, expected!, actual, { pointer: `/data/${name}`, in: answer, retrial });
  };

  Persons.checks.check(requirement, 'person of the fixtures file', ['known'], async (t, { known }) =>
    expectOutcome(await expectPersonAccepted(t, key, known.get().get(key)!.get())),
  );

  Persons.checks.check(requirement, 'the person once more', ['known', 'again'], async (t, { known, again }) => {
    const asked = again.get().get(key) ?? notApplicable('this run checks other persons again');
    const [first, second] = [known.get().get(key)!.get(), asked.get()];
    if (!succeeded(second)) notApplicable(`a limit of checks: the person is refused with ${describe(second)}`);
    const isChanged = (answer: Answer) => !Persons.isDown(answer) && differenceIn(answer) !== undefined;
    if (Persons.isDown(first) || isChanged(first)) inconclusive('the first check of the person has another outcome');
    if (!isChanged(second)) return expectOutcome(second);
    const { answer, retrial } = await Persons.checkUntilShown(t, key, isChanged);
    expectOutcome(answer, ' when the same person is checked again', retrial);
  });
}

InEachSession.judgeEachSession('portal.getCIPCheck.outcome-pass', 'a known person', ({ answer, isRight, retrial }) => {
  const outcome = shown(Persons.outcomeOf(answer));
  if (!isRight && succeeded(answer))
    fail('the person does not pass in one session of the user', 'Pass', outcome, { in: answer, retrial });
});

/** Expects the check of a known person to be accepted. @param answer to it, when it was first asked for @returns its answer @throws Nonconformance, Inconclusive; see expectAccepted */
async function expectPersonAccepted(t: Context, key: Persons.Key, answer: Answer): Promise<Answer> {
  if (succeeded(answer)) return answer;
  const person = await Persons.requireAccepted(t);
  // A target may limit checks of one person, and there is no other accepted person to tell.
  if (person === FICTIONAL_PERSON) inconclusive(`the person is refused: ${describe(answer)}`);
  const asked = t.fixtures.portal!.cip![key]!;
  return Persons.expectTaken(t, 'the person', asked, Persons.alike(person, asked), { fixture: `portal.cip.${key}` });
}

const strangerCheck = scenario('CIP check of a stranger', (t) =>
  t.call(Persons.CIP, { json: Persons.leastOf(FICTIONAL_PERSON) }, { intent: 'refusable' }),
);

const contradictsItself = (answer: Answer) => Persons.isDown(answer) && Persons.outcomeOf(answer) !== undefined;

const CODE_ZERO = 'portal.getCIPCheck.return-code-zero';
const ASKED = ['known', 'again', 'base'] as const;
Persons.checks.check(CODE_ZERO, 'known persons, and a stranger', ASKED, async (t, { known, again, base }) => {
  const stranger = await attempt(() => t.shared(strangerCheck));
  const asked = [...known.get().values(), ...again.get().values(), base.map(({ answer }) => answer), stranger];
  const answers = valuesOf(asked).filter(succeeded);
  const codes = answers.map((answer) => member(answer, 'returnCode'));
  if (codes.every((code) => code === undefined)) inconclusive('no answer has a returnCode');
  const contradictions = answers.filter(contradictsItself);
  for (const { input } of contradictions) {
    const again = await t.call(Persons.CIP, input, { intent: 'refusable' });
    if (succeeded(again) && contradictsItself(again))
      fail('returnCode is 0 together with an outcome, again for the same person', '1 or -1', '0', {
        pointer: '/returnCode',
        in: again,
      });
  }
  if (contradictions.length > 0) inconclusive('returnCode is 0: the server is down or the network is poor');
});

everyExchange('portal.getCIPCheck.return-code-present', Persons.CIP, (answer) => {
  if (!succeeded(answer) || !answer.json?.ok) return undefined;
  if (member(answer, 'returnCode') !== undefined) return 'kept';
  return contradicts('returnCode is absent', '0, 1 or -1', 'absent');
});

/** Judges the question lists of each answer that has a documented outcome: with Partial it may have any. */
const onlyPartial = (
  requirement: string,
  isNone: (lists: unknown[][]) => boolean,
  contradicted: (summary: string) => ReturnType<typeof contradicts>,
): void =>
  everyExchange(requirement, Persons.CIP, (answer) => {
    const summary = Persons.outcomeOf(answer);
    if (!succeeded(answer) || Persons.isDown(answer) || summary === undefined) return undefined;
    const data = member(answer, 'data');
    const lists = ['diffQuestionList', 'questionList'].map((name) => memberOf(data, name)).filter(Array.isArray);
    return summary === 'Partial' || isNone(lists) ? 'kept' : contradicted(summary);
  });

onlyPartial(
  'portal.getCIPCheck.questions-only-partial',
  (lists) => lists.flat().length === 0,
  (summary) => contradicts(`questions come with ${summary}`, 'questions only with Partial', summary),
);
onlyPartial(
  'portal.getCIPCheck.empty-lists-only-partial',
  (lists) => lists.length === 0,
  (summary) => contradicts(`a question list comes with ${summary}`, 'null or absent', 'an array'),
);

/** Checks a stranger, whose answer is judged like any other: persons of the fixtures file may be special cases. */
afterwards(Persons.CIP, async (t) => {
  if (!t.isInScope(Persons.CIP) || !ValidRequests.mayChange(t, Persons.CIP)) return;
  const { person } = await Persons.requireBase(t);
  if (person === FICTIONAL_PERSON) return;
  t.observe(Persons.CIP, 'a person who is not known', await t.shared(strangerCheck));
});
