import { ok, type Reply } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import type { Json, JsonObject } from '../json.ts';

const texts = ['firstName', 'lastName', 'address', 'city', 'state'];
const numbers = { zip: 99999, dobMonth: 12, dobDay: 31, dobYear: 9999 };
const optional = { ssn: 999999999, ssnLast4: 9999 };

function isWhole(value: Json, most: number): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most;
}

function checkPerson(x: Exchange, sent: JsonObject): void {
  for (const name of texts) x.refuseIf(typeof sent[name] !== 'string', 'bad-person', name);
  x.refuseIf(String(sent.address).length > 40, 'bad-person', 'address');
  for (const [name, most] of Object.entries(numbers)) x.refuseIf(!isWhole(sent[name], most), 'bad-person', name);
  for (const [name, most] of Object.entries(optional)) {
    x.refuseIf(sent[name] != null && !isWhole(sent[name], most), 'bad-person', name);
  }
  const { dobYear, dobMonth, dobDay } = sent as Record<string, number>;
  const born = new Date(Date.UTC(dobYear!, dobMonth! - 1, dobDay));
  const real = dobYear! >= 1000 && born.getUTCMonth() === dobMonth! - 1 && born.getUTCDate() === dobDay;
  x.refuseIf(!real, 'bad-person', 'dobDay');
}

const questions = [
  { question: 'Which of these streets do you know?', type: 'street', Options: ['Elm', 'None of "these"', 'Ånga'] },
  { question: 'Born in?', type: 'year', Options: ['1970', '1971'] },
];

function outcomeOf(x: Exchange, sent: JsonObject): string {
  const told = ['firstName', 'lastName', 'zip', 'dobYear', 'dobMonth', 'dobDay'];
  const person = x.world.people.find(({ body }) => told.every((name) => body[name] === sent[name]));
  return person?.outcome ?? 'Fail';
}

/** POST getCIPCheck: whoever is not known fails. */
export function getCIPCheck(x: Exchange): () => Reply {
  const sent = x.json();
  checkPerson(x, sent);
  return () => {
    const outcome = outcomeOf(x, sent);
    const summaryResult = outcome === 'Pass' || outcome === 'Fail' ? outcome : 'Partial';
    return ok({
      returnCode: x.choices.cipCodes[summaryResult],
      data: {
        Idnumber: 8_000_000_000 + x.world.next('check'),
        Error: summaryResult === 'Fail' ? 'no such subject' : '',
        summaryResult,
        detailedMessages: summaryResult === 'Pass' ? [] : [{ message: 'see summary' }, { message: '' }],
        diffQuestionList: outcome === 'differentiator' ? structuredClone(questions) : null,
        questionList: outcome === 'questions' ? [structuredClone(questions[1]!)] : null,
      },
    });
  };
}
