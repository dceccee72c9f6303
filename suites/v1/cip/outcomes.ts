/** The outcomes of known persons: when they are first checked, checked again, and checked in each session (reading 38). */
import { numbers } from '../../../contracts/numbers.ts';
import { FICTIONAL_PERSON } from '../../../contracts/v1/fictional.ts';
import { type Answer, describe, member, memberOf, shown, succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import * as Retrial from '../../../helpers/engine/retrial.ts';
import { fail, inconclusive, notApplicable } from '../../../helpers/verdict.ts';
import * as InEachSession from '../scenarios/in-each-session.ts';
import * as Persons from './persons.ts';

type Retried = Awaited<ReturnType<typeof Retrial.shownEachTime>>;

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
  const expectOutcome = (answer: Answer, when = '', retrial?: Retried['retrial']): void => {
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
    const { answer, retrial } = await Retrial.shownEachTime(
      t,
      () => Persons.askAgain(t, key),
      numbers.checkedPerson,
      isChanged,
    );
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
