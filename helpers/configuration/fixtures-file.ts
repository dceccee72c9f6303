/** Reads the fixtures file. */
import { type FixtureProgram, type Fixtures, fixtures } from '../../contracts/fixtures.ts';
import { writeJson } from '../../files/json.ts';
import { readJson } from '../json.ts';
import { Invalid } from './invalid.ts';
import { pathText, schemaFaults } from './schema-faults.ts';

/** Whether a value is a placeholder from the template, which counts as a missing key. */
const isPlaceholder = (value: unknown) =>
  value === '' || value === 0 || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

/** Removes placeholders, except inside bodies that are sent verbatim. */
function given(value: unknown, key = '', parent = ''): unknown {
  if (key === 'order' || parent === 'cip' || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.filter((item) => !isPlaceholder(item));
  const members = Object.entries(value).map(([name, member]) => [name, given(member, name, key)]);
  return Object.fromEntries(members.filter(([, member]) => !isPlaceholder(member)));
}

const programId = (program: FixtureProgram | undefined) => (typeof program === 'object' ? program.custProgId : program);

/** Customers that must be within reach. */
const OWN_CUSTOMERS = [
  'customerIdentifier',
  'parentIdentifier',
  'childIdentifier',
  'nameMatchIdentifier',
  'v1MatchIdentifier',
  'writableCustomerIdentifier',
] as const;

/** Cards that must be within reach. */
const OWN_CARDS = ['active', 'disposable', 'unused', 'fraud', 'withRelated'] as const;

/** Persons whose identity checks end in neither Pass nor Fail. */
const PARTIAL = ['partialDifferentiator', 'partialQuestions'] as const;

const bodyOf = (person: object | undefined) => person && writeJson(person);

/** Finds keys that contradict each other for every target, so that the file would accuse all of them. */
function* contradictions({ users = {}, cards = {}, portal = {} }: Fixtures): Generator<string> {
  const { digitalOn, digitalOff, loadOn, loadOff } = portal.programs ?? {};
  const { cip = {} } = portal;
  const foreign = users.foreignCustomerIdentifier;
  const apart: [string, unknown, string, unknown][] = [
    ['users.unrelatedIdentifier', users.unrelatedIdentifier, 'users.childIdentifier', users.childIdentifier],
    ['users.childIdentifier', users.childIdentifier, 'users.parentIdentifier', users.parentIdentifier],
    [
      'users.nameMismatchIdentifier',
      users.nameMismatchIdentifier,
      'users.nameMatchIdentifier',
      users.nameMatchIdentifier,
    ],
    ...OWN_CUSTOMERS.map((key): (typeof apart)[number] => [
      'users.foreignCustomerIdentifier',
      foreign,
      `users.${key}`,
      users[key],
    ]),
    ['portal.foreignCustomerId', portal.foreignCustomerId, 'portal.customerId', portal.customerId],
    ['portal.programs.digitalOff', programId(digitalOff), 'portal.programs.digitalOn', programId(digitalOn)],
    ['portal.programs.loadOff', programId(loadOff), 'portal.programs.loadOn', programId(loadOn)],
    ['portal.cip.fail', bodyOf(cip.fail), 'portal.cip.pass', bodyOf(cip.pass)],
    ...PARTIAL.flatMap((key): (typeof apart)[number][] => [
      [`portal.cip.${key}`, bodyOf(cip[key]), 'portal.cip.pass', bodyOf(cip.pass)],
      [`portal.cip.${key}`, bodyOf(cip[key]), 'portal.cip.fail', bodyOf(cip.fail)],
    ]),
  ];
  for (const [one, value, other, otherValue] of apart)
    if (value !== undefined && String(value) === String(otherValue)) yield `${one} and ${other} are the same`;
  for (const key of OWN_CARDS)
    if ([cards[key] ?? []].flat().some((card) => cards.foreign?.includes(card)))
      yield `a card of cards.foreign and one of cards.${key} are the same`;
  const { least, most } = cards.transferAmounts ?? {};
  if (least !== undefined && most !== undefined && least > most)
    yield 'cards.transferAmounts.least is more than cards.transferAmounts.most';
}

/**
 * Parses a fixtures file. Integers beyond 2^53 become bigint; keys that hold "", 0, [] or {} count as not given.
 * @throws {@link Invalid} with one fault for each key that is unknown, given twice or of the wrong type, and for each
 * contradiction between keys
 */
export function parseFixtures(bytes: Buffer): Fixtures {
  const json = readJson(bytes);
  if (!json.ok) throw new Invalid(`the fixtures cannot be read: ${json.reason}`);
  const { success, data, error } = fixtures.safeParse(json.value);
  const faults = [
    ...json.duplicates.map((path) => `key given twice: ${pathText(path)}`),
    ...(error ? schemaFaults(error) : []),
  ];
  if (!success || faults.length) throw new Invalid(...faults);
  const read = given(data) as Fixtures;
  const contradicting = [...contradictions(read)];
  if (contradicting.length > 0) throw new Invalid(...contradicting);
  return read;
}
