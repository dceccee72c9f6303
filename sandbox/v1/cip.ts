/** Identity verification. Source: "getCIPCheck body", "CIP check request and response" and "Limits". */
import type { Call } from '../call.ts';
import { members, readMembers } from '../members.ts';
import type { CipOutcome } from '../world.ts';

const cipBody = members({
  firstName: 'string!',
  lastName: 'string!',
  address: 'string!',
  zip: 'integer!',
  dobMonth: 'integer!',
  dobYear: 'integer!',
  dobDay: 'integer!',
  ssn: 'integer',
  ssnLast4: 'integer',
  city: 'string!',
  state: 'string!',
});

/** Minimum and maximum number of digits. Integers lose leading zeros, so only a year has all of its digits. */
const digits: Record<string, { least: number; most: number }> = {
  zip: { least: 1, most: 5 },
  dobMonth: { least: 1, most: 2 },
  dobDay: { least: 1, most: 2 },
  dobYear: { least: 4, most: 4 },
  ssn: { least: 1, most: 9 },
  ssnLast4: { least: 1, most: 4 },
};

const summaries: Record<CipOutcome, string> = {
  pass: 'Pass',
  fail: 'Fail',
  partialDifferentiator: 'Partial',
  partialQuestions: 'Partial',
};

const detail: Record<CipOutcome, string> = {
  pass: 'The subject was located.',
  fail: 'The subject was not found.',
  partialDifferentiator: 'Several individuals match.',
  partialQuestions: 'Several individuals match.',
};

function checkNumber(call: Call, name: string, value: unknown): void {
  const limits = digits[name];
  if (typeof value !== 'number' || !limits) return;
  call.check(value >= 0, 'negative', name, `${name} is not negative.`);
  const count = String(Math.abs(value)).length;
  const most = call.rules.cipDigits(name, limits.most);
  const least = call.rules.cipLeastDigits(name, limits.least);
  call.check(count >= least && count <= most, 'limit', name, `${name} has ${limits.most} digits.`);
}

function checkRange(call: Call, name: string, value: unknown, last: number): void {
  const within = value === undefined || (Number(value) >= 1 && Number(value) <= last);
  call.check(within, 'range', name, `${name} is between 1 and ${last}.`);
}

function outcomeOf(call: Call, firstName: string, lastName: string): CipOutcome {
  const known = call.world.data.cipPersons.find(
    (person) => person.firstName === firstName && person.lastName === lastName,
  );
  return call.rules.cipOutcome({ firstName, lastName }, known?.outcome ?? 'fail');
}

function question(text: string, answers: string[]): unknown {
  return { question: text, type: 'choice', Options: answers };
}

function questionsFor(outcome: CipOutcome, kind: CipOutcome): unknown {
  if (outcome !== kind) return null;
  return kind === 'partialDifferentiator'
    ? [question('In which month were you born?', ['March', 'July', 'None of these'])]
    : [
        question('Which street have you lived on?', ['Elm Street', 'Mill Lane', 'None of these']),
        question('Which county have you lived in?', ['Kent', 'York', 'None of these']),
      ];
}

/** POST getCIPCheck */
export function getCIPCheck(call: Call): unknown {
  const person = readMembers(call, call.object(), cipBody);
  const { cipAddressLength, cipAddressLimit } = call.rules;
  const length = cipAddressLength(String(person.address ?? ''));
  call.check(length <= cipAddressLimit, 'limit', 'address', `address has at most ${cipAddressLimit} characters.`);
  for (const name of Object.keys(digits)) checkNumber(call, name, person[name]);
  checkRange(call, 'dobMonth', person.dobMonth, 12);
  checkRange(call, 'dobDay', person.dobDay, 31);
  const outcome = outcomeOf(call, String(person.firstName ?? ''), String(person.lastName ?? ''));
  const number = call.world.cipChecks + 1;
  call.effect(() => {
    call.world.cipChecks += 1;
  });
  return {
    returnCode: call.rules.cipReturnCode(outcome),
    data: {
      Idnumber: 900_000 + number,
      Error: outcome === 'fail' ? detail.fail : '',
      summaryResult: summaries[outcome],
      detailedMessages: [{ message: detail[outcome] }],
      diffQuestionList: questionsFor(outcome, 'partialDifferentiator'),
      questionList: questionsFor(outcome, 'partialQuestions'),
    },
  };
}
