/** Persons for CIP checks. */
import { operation } from '../../../contracts/operations.ts';
import { FICTIONAL_PERSON } from '../../../contracts/v1/fictional.ts';
import { type Answer, describe, succeeded } from '../../../helpers/answer.ts';
import { type Context, scenario } from '../../../helpers/check.ts';
import { expectAccepted, type RequestToAccept } from '../../../helpers/engine/acceptance.ts';
import { always, type Maker, without } from '../../../helpers/engine/rows.ts';
import { attempt, type Fact, inconclusive } from '../../../helpers/verdict.ts';
import { probeTable } from '../../declare.ts';

export const CIP = 'portal.getCIPCheck';
export const REQUIRED: readonly string[] = operation(CIP).body!.requiredMembers;

/** The body of a CIP check. */
export type Person = Record<string, unknown>;

/** Keys of portal.cip in the fixtures file; the located person comes first. */
const PERSONS = ['pass', 'fail', 'partialDifferentiator', 'partialQuestions'] as const;
export type Key = (typeof PERSONS)[number];

const keysOf = (t: Context) => PERSONS.filter((key) => t.fixtures.portal?.cip?.[key]);
const OUTCOMES = ['pass', 'fail', 'partial-differentiator', 'partial-questions'].map((one) => `outcome-${one}`);
const ABOUT_ALL = [...OUTCOMES, 'return-code-zero', 'questions-only-partial', 'empty-lists-only-partial'];

/** Checks the needed persons of the fixtures file simultaneously. A target may refuse that, so a refused person is checked again alone. */
export const known = scenario('CIP checks of known persons', async (t) => {
  const given = keysOf(t).slice(0, t.needsOperation(CIP, ...ABOUT_ALL) ? undefined : 1);
  const check = (key: Key, atOnce: boolean) => {
    const json = t.fixtures.portal!.cip![key];
    return attempt(() => t.call(CIP, { json }, { intent: atOnce ? 'refusable' : 'valid', atOnce }));
  };
  const together = await Promise.all(given.map(async (key) => [key, await check(key, given.length > 1)] as const));
  const answers = new Map<Key, Fact<Answer>>();
  for (const [key, answer] of together)
    answers.set(key, given.length === 1 || succeeded(answer.value) ? answer : await check(key, false));
  return answers;
});

export const leastOf = (person: Person): Person =>
  Object.fromEntries(Object.entries(person).filter(([name]) => REQUIRED.includes(name)));

/**
 * The first person whose CIP check is accepted: one of the fixtures file, else the fictional one, with all members or the
 * required ones alone. Where none is accepted, the first that was tried.
 */
export const base = scenario('CIP check of a plain person', async (t) => {
  const tried: { person: Person; answer: Answer }[] = [];
  const checked = await t.shared(known);
  for (const [key, { value: answer }] of checked)
    if (answer) tried.push({ person: t.fixtures.portal!.cip![key]!, answer });
  const accepted = () => tried.find(({ answer }) => succeeded(answer));
  const left = keysOf(t).flatMap((key): Person[] => (checked.has(key) ? [] : [t.fixtures.portal!.cip![key]!]));
  const [first] = [...tried.map(({ person }) => person), ...left];
  for (const person of [...left, ...(first ? [leastOf(first)] : []), FICTIONAL_PERSON, leastOf(FICTIONAL_PERSON)])
    if (!accepted()) tried.push({ person, answer: await t.call(CIP, { json: person }, { intent: 'refusable' }) });
  return accepted() ?? tried[0]!;
});

/** A person whose CIP check is accepted. @throws Inconclusive when the target takes none */
export async function requireAccepted(t: Context): Promise<Person> {
  const { person, answer } = await t.shared(base);
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
    ...{ operation: CIP, what, input: { json: person }, control: { json: control }, fixture: 'portal.cip' },
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
