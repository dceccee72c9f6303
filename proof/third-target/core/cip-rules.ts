import type { Fields, Person, Rules, World } from './model.ts';

const TEXTS = ['firstName', 'lastName', 'address', 'city', 'state'];
const NUMBERS: [name: string, least: number, most: number, optional?: boolean][] = [
  ['zip', 0, 99_999],
  ['dobMonth', 1, 12],
  ['dobDay', 1, 31],
  ['dobYear', 1000, 9999],
  ['ssn', 0, 999_999_999, true],
  ['ssnLast4', 0, 9999, true],
];

const question = (text: string, options: string[]) => ({ question: text, type: text.split(' ')[1], Options: options });

const DIFFERENTIATORS = [question('Which street did you live in?', ['Mill Lane', 'Quay Road', 'None of these'])];
const QUESTIONS = [question('Which year was your car built?', ['2009', '2014', 'None of these'])];

export function cipRules(world: World) {
  return {
    cipProblem(body: Fields): string | undefined {
      const text = TEXTS.find((name) => typeof body[name] !== 'string');
      if (text) return text;
      if ([...(body.address as string)].length > 40) return 'address';
      return NUMBERS.find(([name, least, most, optional]) => {
        const value = body[name];
        if (value === undefined || value === null) return !optional;
        return !Number.isInteger(value) || (value as number) < least || (value as number) > most;
      })?.[0];
    },
    cipPerson: (body: Fields): Person | undefined =>
      world.persons.find((person) =>
        ['firstName', 'lastName', 'zip', 'dobYear', 'dobMonth', 'dobDay'].every(
          (name) => person.body[name] === body[name],
        ),
      ),
    cipAnswer(person: Person | undefined): Fields {
      const partial = person?.result === 'Partial';
      return {
        data: {
          summaryResult: person?.result ?? 'Fail',
          detailedMessages: [{ message: person ? `Matched file ${person.number}` : 'No file matches' }],
          diffQuestionList: partial && person.differentiators ? DIFFERENTIATORS : null,
          questionList: partial && !person.differentiators ? QUESTIONS : null,
          ...(partial ? { Idnumber: person.number } : {}),
        },
        returnCode: 1,
      };
    },
  } satisfies Partial<Rules>;
}
