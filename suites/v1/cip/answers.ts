/** What CIP checks are answered with: return codes and questions (reading 38). */
import { FICTIONAL_PERSON } from '../../../contracts/v1/fictional.ts';
import { type Answer, member, memberOf, succeeded } from '../../../helpers/answer.ts';
import { scenario } from '../../../helpers/check.ts';
import { contradicts } from '../../../helpers/evidence/ledger.ts';
import { attempt, fail, inconclusive, valuesOf } from '../../../helpers/verdict.ts';
import { afterwards, everyExchange } from '../../declare.ts';
import * as ValidRequests from '../scenarios/valid-requests.ts';
import * as Persons from './persons.ts';

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
