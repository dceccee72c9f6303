/** Persons for CIP checks. */
import { operation } from '../../../contracts/operations.ts';
import { SUMMARY_RESULTS } from '../../../contracts/v1/cip.ts';
import { FICTIONAL_PERSON } from '../../../contracts/v1/fictional.ts';
import { type Answer, describe, type Intent, member, memberOf, succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import { expectAccepted, type RequestToAccept } from '../../../helpers/engine/acceptance.ts';
import { always, type Maker, without } from '../../../helpers/engine/rows.ts';
import { attempt, type Fact, inconclusive } from '../../../helpers/verdict.ts';
import { life, probeTable } from '../../declare.ts';

export const CIP = 'portal.getCIPCheck';
export const REQUIRED: readonly string[] = operation(CIP).body!.requiredMembers;

/** The body of a CIP check. */
export type Person = Record<string, unknown>;

/** Keys of portal.cip in the fixtures file; the located person comes first. */
const PERSONS = ['pass', 'fail', 'partialDifferentiator', 'partialQuestions'] as const;
export type Key = (typeof PERSONS)[number];

const keysOf = (t: Context) => PERSONS.filter((key) => t.fixtures.portal?.cip?.[key]);

/** Checks the persons of the fixtures file simultaneously. A target may refuse that, so a refused person is checked again alone. */
export async function checkKnown(t: Context): Promise<ReadonlyMap<Key, Fact<Answer>>> {
  const given = keysOf(t);
  const check = (key: Key, atOnce: boolean) => {
    const json = t.fixtures.portal!.cip![key];
    return attempt(() => t.call(CIP, { json }, { intent: atOnce ? 'refusable' : 'valid', atOnce }));
  };
  const together = await Promise.all(given.map(async (key) => [key, await check(key, given.length > 1)] as const));
  const answers = new Map<Key, Fact<Answer>>();
  for (const [key, answer] of together)
    answers.set(key, given.length === 1 || succeeded(answer.value) ? answer : await check(key, false));
  return answers;
}

/** Checks some of the persons again whose first check was accepted, before anything else asks for them: a target may have a limit for each. */
export async function checkAgain(
  t: Context,
  known: ReadonlyMap<Key, Fact<Answer>>,
): Promise<ReadonlyMap<Key, Fact<Answer>>> {
  const accepted = [...known].flatMap(([key, { value }]) => (value && succeeded(value) ? [key] : []));
  const again = new Map<Key, Fact<Answer>>();
  for (const key of t.rotated('known persons who are checked again', accepted))
    again.set(key, await attempt(() => askAgain(t, key)));
  return again;
}

/** Checks a person of the fixtures file once more. */
export const askAgain = (t: Context, key: Key): Promise<Answer> =>
  t.call(CIP, { json: t.fixtures.portal!.cip![key] }, { intent: 'refusable' });

export const leastOf = (person: Person): Person =>
  Object.fromEntries(Object.entries(person).filter(([name]) => REQUIRED.includes(name)));

/** The documented outcome that an answer reports, if it reports one. */
export function outcomeOf(answer: Answer): string | undefined {
  const summary = memberOf(member(answer, 'data'), 'summaryResult');
  return SUMMARY_RESULTS.find((one) => one === summary);
}

/** Whether nobody was looked for, since the server is down. */
export const isDown = (answer: Answer): boolean => member(answer, 'returnCode') === 0;

/** A person, and how the CIP check of that person was answered. */
interface Checked {
  person: Person;
  answer: Answer;
}

/**
 * Looks for a person whose CIP check is accepted: one of the fixtures file, else the fictional one, with all members or the required ones alone.
 * @param known the answers to checks of the fixtures file's persons, where these were made
 * @returns the first accepted one; where none is accepted, the first that was tried
 */
export async function findBase(t: Context, known: ReadonlyMap<Key, Fact<Answer>> = new Map()): Promise<Checked> {
  const personOf = (key: Key): Person => t.fixtures.portal!.cip![key]!;
  const tried: Checked[] = [];
  for (const [key, { value: answer }] of known) if (answer) tried.push({ person: personOf(key), answer });
  const accepted = () => tried.find(({ answer }) => succeeded(answer));
  const check = async (person: Person, intent: Intent) => {
    if (!accepted()) tried.push({ person, answer: await t.call(CIP, { json: person }, { intent }) });
  };
  for (const key of keysOf(t)) if (!known.has(key)) await check(personOf(key), 'valid');
  const [first = FICTIONAL_PERSON] = keysOf(t).map(personOf);
  for (const person of [leastOf(first), FICTIONAL_PERSON, leastOf(FICTIONAL_PERSON)]) await check(person, 'refusable');
  return accepted() ?? tried[0]!;
}

/** CIP checks of the fixtures file's persons, and of a plain person, whom all other checks vary. */
export const checks = life('CIP checks of persons', async () => ({}))
  .shows('known', ({ t }) => checkKnown(t))
  .shows('again', ({ t, known }) => checkAgain(t, known.get()), { after: ['known'] })
  .shows('base', ({ t, known }) => findBase(t, known.value), { of: CIP });

/** The person whom all other checks vary, with the answer to the check, accepted or not; see {@link requireAccepted}. */
export const requireBase = async (t: Context): Promise<Checked> => (await checks.first(t)).base.get();

/** A person whose CIP check is accepted. @throws Inconclusive when the target takes none */
export async function requireAccepted(t: Context): Promise<Person> {
  const { person, answer } = await requireBase(t);
  if (succeeded(answer)) return person;
  return inconclusive(
    `the CIP check that the others are based on is refused: ${describe(answer)}${t.fixtures.portal?.cip ? '' : ': give a person as portal.cip in the fixtures file'}`,
  );
}

/** Such a person with the required members alone. @throws Inconclusive */
export const least = async (t: Context): Promise<Person> => leastOf(await requireAccepted(t));

const NUMBERS = ['ssn', 'ssnLast4'] as const;

/** An accepted person who gives the same numbers as another: a target may have rules for those who don't (reading 47). */
export const alike = (accepted: Person, other: Person): Person => ({
  ...without(accepted, ...NUMBERS),
  ...Object.fromEntries(
    NUMBERS.filter((name) => name in other).map((name) => [name, accepted[name] ?? FICTIONAL_PERSON[name]]),
  ),
});

/**
 * Expects a person to be accepted.
 * @param control an accepted person, who differs only in what is asserted
 * @throws Nonconformance, Inconclusive; see expectAccepted
 */
export const expectTaken = (
  t: Context,
  what: string,
  person: Person,
  control: Person,
  more: Pick<RequestToAccept, 'fixture' | 'shownBy'> = {},
) =>
  expectAccepted(t, {
    operation: CIP,
    what,
    input: { json: person },
    control: { json: control },
    fixture: 'portal.cip',
    ...more,
  });

/** Persons by the optional numbers that they give, the plainest first, and one who is not located. Every documented rule holds for each of them. */
export const FORMS = {
  whole: requireAccepted,
  required: least,
  withoutNumbers: async (t) => without(await requireAccepted(t), ...NUMBERS),
  lastFour: async (t) => ({ ...(await least(t)), ssnLast4: FICTIONAL_PERSON.ssnLast4 }),
  ssn: async (t) => ({ ...(await least(t)), ssn: FICTIONAL_PERSON.ssn }),
  // A target may search before it validates.
  notLocated: async (t) => t.fixtures.portal?.cip?.fail ?? FICTIONAL_PERSON,
} satisfies Record<string, (t: Context) => Promise<Person>>;
type Form = keyof typeof FORMS;

/** Forms for which a target may have a rule of its own, before it reports an error: one number without the other, an unknown person. */
export const RULED = {
  lastFour: 'with ssnLast4 alone',
  ssn: 'with ssn alone',
  notLocated: 'who is not located',
} as const satisfies Partial<Record<Form, string>>;
export const RULED_FORMS = Object.keys(RULED) as (keyof typeof RULED)[];

/** The table of CIP checks: persons that are accepted, from whom wrong ones are made (reading 39). */
export const cip = probeTable({
  operation: CIP,
  rights: Object.fromEntries(Object.entries(FORMS).map(([form, of]) => [form, always(of)])) as Record<
    Form,
    (t: Context) => Promise<Maker>
  >,
  inputOf: (json) => ({ json }),
  async twin() {
    return { key: CIP, send: async (t) => t.call(CIP, { json: await requireAccepted(t) }, { intent: 'refusable' }) };
  },
  // Any where the target may have a rule for the form, or may compare ssn and ssnLast4 first.
  statusesOf(form, wrong, { member = '' }) {
    const isCompared = member.startsWith('ssn') && wrong.ssn !== undefined && wrong.ssnLast4 !== undefined;
    return isCompared || form in RULED ? undefined : [400];
  },
  fixture: 'portal.cip',
});
