/** The persons that CIP checks are made of. */
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
/** Members that a CIP check must have, as the document flags them. */
export const CIP_REQUIRED: readonly string[] = operation(CIP).body!.requiredMembers;

/** The body of a CIP check. */
export type Person = Record<string, unknown>;

/** A person who does not exist, every integer with all of its digits. */
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

/** Keys of portal.cip in the fixtures file; who is located comes first. */
const PERSONS = ['pass', 'fail', 'partialDifferentiator', 'partialQuestions'] as const;
export type PersonKey = (typeof PERSONS)[number];

/** The persons of the fixtures file, all at the same moment; who is refused so, which nothing forbids, alone afterwards. */
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

/** The first person whose CIP check is accepted: one of the fixtures file, else one made up, whole or with what is required alone; else the first. */
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
    `the CIP check that the others are made of is refused: ${describe(answer)}${t.fixtures.portal?.cip ? '' : ': give a person as portal.cip in the fixtures file'}`,
  );
}

/** The accepted person with the required members alone. */
export const requiredPerson = async (t: Context): Promise<Person> => requiredOf(await requireAcceptedPerson(t));

/** The accepted person without the optional numbers, of which one may be held against the other. */
export const personWithoutSsn = async (t: Context): Promise<Person> =>
  without(without(await requireAcceptedPerson(t), 'ssn'), 'ssnLast4');

/** A person whom the target does not locate: it may look for somebody before it looks at what it was sent. */
const notLocated = async (t: Context): Promise<Person> => t.fixtures.portal?.cip?.fail ?? MADE_UP;

/** Persons by which of the optional numbers they give, and one who is not located; what is documented of a person holds for each. */
export const PERSON_FORMS = {
  whole: requireAcceptedPerson,
  required: requiredPerson,
  lastFour: async (t: Context): Promise<Person> => ({ ...(await requiredPerson(t)), ssnLast4: MADE_UP.ssnLast4 }),
  ssn: async (t: Context): Promise<Person> => ({ ...(await requiredPerson(t)), ssn: MADE_UP.ssn }),
  notLocated,
} as const;
export type PersonForm = keyof typeof PERSON_FORMS;

/** Forms of persons of whom a target may have a rule, which it may name first: of one number without the other, of somebody whom it does not know. */
export const RULED_FORMS = ['lastFour', 'ssn', 'notLocated'] as const satisfies readonly PersonForm[];
/** Statuses of which a refusal is to have one; undefined where any will do. */
type Statuses = Refusal['statuses'];
/** The statuses of the refusal of such a person: 400, or any where the target may have a rule of such persons. */
export const statusesFor = (form: PersonForm): Statuses =>
  RULED_FORMS.some((one) => one === form) ? undefined : [400];

/** As {@link statusesFor}, for a wrong number of the person: a target may hold the one number against the other first. */
function statusesForNumber(form: PersonForm, { ssn, ssnLast4 }: Person, name: string): Statuses {
  const isHeld = name.startsWith('ssn') && ssn !== undefined && ssnLast4 !== undefined;
  return isHeld ? undefined : statusesFor(form);
}

/** What a refusal of a wrong number of a person of a form is held against: a status, or the right person where any refusal will do. */
export function dueForNumber(form: PersonForm, person: Person, wrong: Person, name: string): Partial<Refusal> {
  const statuses = statusesForNumber(form, wrong, name);
  return statuses ? { statuses } : { right: { json: person } };
}

/** In words, after "a person". */
export const FORM_IN_WORDS: Record<PersonForm, string> = {
  whole: '',
  required: 'without ssn and ssnLast4',
  lastFour: 'with ssnLast4 alone',
  ssn: 'with ssn alone',
  notLocated: 'who is not located',
};

/** The check of a person who is not known, of whom no more is given than is required. */
export const strangerCheck = scenario('CIP check of a stranger', (t) =>
  t.call(CIP, { json: requiredOf(MADE_UP) }, { intent: 'refusable' }),
);

/** The check of the accepted person, again. */
export const plainCheck: RightTwin = {
  key: CIP,
  send: async (t, atOnce = false) =>
    t.call(CIP, { json: await requireAcceptedPerson(t) }, { intent: 'refusable', atOnce }),
};

/**
 * CIP checks that lack or exceed what is documented are refused: of persons of whom a target may have a rule, with any status.
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
 * A CIP check that lacks or exceeds what is documented is refused, with 400 where no rule of the target may go before (reading 39).
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
