/** Persons for CIP checks. */
import { operation } from '../../../contracts/operations.ts';
import type { CIP_DIGITS } from '../../../contracts/v1/cip.ts';
import { type Answer, describe, succeeded } from '../../../helpers/answer.ts';
import { scenario } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import { inconclusive } from '../../../helpers/verdict.ts';
import { expectWrongRefused, type Refusal, type RightTwin, sendWrong } from '../../shared/right-twins.ts';
import { attempt, type Step, values } from '../../shared/step.ts';
import { without } from '../orders/bodies.ts';

export const CIP = 'portal.getCIPCheck';
/** Members that the document marks as required in a CIP check. */
export const CIP_REQUIRED: readonly string[] = operation(CIP).body!.requiredMembers;

/** The body of a CIP check. */
export type Person = Record<string, unknown>;

/** A fictional person; every integer has its full number of digits. */
export const MADE_UP = {
  firstName: 'Jordan',
  lastName: 'Example',
  address: '100 Main Street',
  zip: 62701,
  dobMonth: 10,
  dobYear: 1980,
  dobDay: 15,
  ssn: 541_234_567,
  ssnLast4: 4567,
  city: 'Springfield',
  state: 'IL',
} satisfies Record<keyof typeof CIP_DIGITS | 'firstName' | 'lastName' | 'address' | 'city' | 'state', unknown>;

/** Keys of portal.cip in the fixtures file; the located person comes first. */
const PERSONS = ['pass', 'fail', 'partialDifferentiator', 'partialQuestions'] as const;
export type PersonKey = (typeof PERSONS)[number];

/** Checks the persons of the fixtures file simultaneously. A target may refuse that, so a refused person is checked again alone. */
export const knownPersons = scenario(
  'CIP checks of known persons',
  async (t): Promise<Map<PersonKey, Step<Answer>>> => {
    const given = PERSONS.filter((key) => t.fixtures.portal?.cip?.[key]);
    const check = (key: PersonKey, atOnce: boolean) =>
      attempt(() =>
        t.call(CIP, { json: t.fixtures.portal!.cip![key] }, { intent: atOnce ? 'refusable' : 'valid', atOnce }),
      );
    const together = await Promise.all(given.map(async (key) => [key, await check(key, given.length > 1)] as const));
    const answers = new Map<PersonKey, Step<Answer>>();
    for (const [key, answer] of together)
      answers.set(key, given.length === 1 || values([answer]).some(succeeded) ? answer : await check(key, false));
    return answers;
  },
);

interface BasePerson {
  person: Person;
  answer: Answer;
}

const requiredOf = (person: Person): Person =>
  Object.fromEntries(Object.entries(person).filter(([name]) => CIP_REQUIRED.includes(name)));

/**
 * The first person whose CIP check is accepted: one of the fixtures file, else the fictional one, with all members or the
 * required ones alone. Where none is accepted, the first that was tried.
 */
export const basePerson = scenario('CIP check of a plain person', async (t): Promise<BasePerson> => {
  const tried: BasePerson[] = [];
  for (const [key, step] of await t.shared(knownPersons))
    for (const answer of values([step])) tried.push({ person: t.fixtures.portal!.cip![key]!, answer });
  const accepted = () => tried.find(({ answer }) => succeeded(answer));
  const attempt = async (person: Person) =>
    tried.push({ person, answer: await t.call(CIP, { json: person }, { intent: 'refusable' }) });
  if (tried.length > 0 && !accepted()) await attempt(requiredOf(tried[0]!.person));
  if (!accepted()) await attempt(MADE_UP);
  if (!accepted()) await attempt(requiredOf(MADE_UP));
  return accepted() ?? tried[0]!;
});

/** A person whose CIP check is accepted. @throws Inconclusive when the target takes none */
export async function requireAcceptedPerson(t: Context): Promise<Person> {
  const { person, answer } = await t.shared(basePerson);
  if (succeeded(answer)) return person;
  return inconclusive(
    `the CIP check that the others are based on is refused: ${describe(answer)}${t.fixtures.portal?.cip ? '' : ': give a person as portal.cip in the fixtures file'}`,
  );
}

/** The accepted person with the required members alone. */
export const requiredPerson = async (t: Context): Promise<Person> => requiredOf(await requireAcceptedPerson(t));

/** The accepted person without the optional numbers, which a target may compare with each other. */
export const personWithoutSsn = async (t: Context): Promise<Person> =>
  without(without(await requireAcceptedPerson(t), 'ssn'), 'ssnLast4');

/** A person whom the target does not locate: it may search before it validates. */
const notLocated = async (t: Context): Promise<Person> => t.fixtures.portal?.cip?.fail ?? MADE_UP;

/** Persons by the optional numbers that they give, and one who is not located. Every documented rule holds for each of them. */
export const PERSON_FORMS = {
  whole: requireAcceptedPerson,
  required: requiredPerson,
  lastFour: async (t: Context): Promise<Person> => ({ ...(await requiredPerson(t)), ssnLast4: MADE_UP.ssnLast4 }),
  ssn: async (t: Context): Promise<Person> => ({ ...(await requiredPerson(t)), ssn: MADE_UP.ssn }),
  notLocated,
} as const;
export type PersonForm = keyof typeof PERSON_FORMS;

/** Forms that a target may refuse by a rule of its own before it reports the error: one number without the other, an unknown person. */
export const RULED_FORMS = ['lastFour', 'ssn', 'notLocated'] as const satisfies readonly PersonForm[];
/** Statuses that a refusal may have; undefined for any. */
type Statuses = Refusal['statuses'];
/** The statuses expected of a refusal: 400, or any (undefined) where the target may have a rule for the form. */
export const statusesFor = (form: PersonForm): Statuses =>
  RULED_FORMS.some((one) => one === form) ? undefined : [400];

/** {@link statusesFor} a wrong number: a target may compare ssn and ssnLast4 with each other first. */
function statusesForNumber(form: PersonForm, { ssn, ssnLast4 }: Person, name: string): Statuses {
  const isCompared = name.startsWith('ssn') && ssn !== undefined && ssnLast4 !== undefined;
  return isCompared ? undefined : statusesFor(form);
}

/** The judgement of a refused wrong number: by status, or by comparison with the right person where any status will do. */
export function dueForNumber(form: PersonForm, person: Person, wrong: Person, name: string): Partial<Refusal> {
  const statuses = statusesForNumber(form, wrong, name);
  return statuses ? { statuses } : { right: { json: person } };
}

/** Forms in words, to follow "a person". */
export const FORM_IN_WORDS: Record<PersonForm, string> = {
  whole: '',
  required: 'without ssn and ssnLast4',
  lastFour: 'with ssnLast4 alone',
  ssn: 'with ssn alone',
  notLocated: 'who is not located',
};

/** The check of an unknown person with the required members alone. */
export const strangerCheck = scenario('CIP check of a stranger', (t) =>
  t.call(CIP, { json: requiredOf(MADE_UP) }, { intent: 'refusable' }),
);

/** Repeats the check of the accepted person. */
export const plainCheck: RightTwin = {
  key: CIP,
  send: async (t, atOnce = false) =>
    t.call(CIP, { json: await requireAcceptedPerson(t) }, { intent: 'refusable', atOnce }),
};

/**
 * Expects invalid CIP checks of forms that a target may have rules for to be refused, with any status.
 * @throws Nonconformance, Inconclusive; see {@link expectWrongRefused}
 */
export async function expectChecksRefused(t: Context, wrong: readonly { what: string; json: Person }[]): Promise<void> {
  await requireAcceptedPerson(t);
  const requests = wrong.map(({ what, json }) => ({
    what,
    send: (alone?: boolean) => t.call(CIP, { json }, { intent: 'malformed', alone: alone === true }),
  }));
  await expectWrongRefused(t, plainCheck, await sendWrong(requests));
}

/**
 * Expects an invalid CIP check to be refused, with one of the statuses (reading 39).
 * @throws Nonconformance, Inconclusive; see {@link expectWrongRefused}
 */
export async function expectCheckRefused(
  t: Context,
  what: string,
  input: { json?: unknown; emptyJson?: boolean },
  statuses: Statuses,
): Promise<void> {
  await requireAcceptedPerson(t);
  const answer = await t.call(CIP, input, { intent: 'malformed' });
  await expectWrongRefused(t, plainCheck, [{ what, answer, statuses }]);
}
