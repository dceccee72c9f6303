/** Reads the fixtures file. */
import { type Fixtures, fixtures } from '../../contracts/fixtures.ts';
import { writeJson } from '../../files/json.ts';
import { memberOf } from '../answer.ts';
import { readJson } from '../json.ts';
import { fixtureAt } from './fixtures.ts';
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

/** Cards that must be within reach. */
const OWN_CARDS = ['active', 'disposable', 'unused', 'fraud', 'withRelated'] as const;

/** Customers that must be within reach. */
const OWN_CUSTOMERS = ['customer', 'parent', 'child', 'nameMatch', 'v1Match', 'writableCustomer'];

/** Keys, and those whose values must be others. */
const APART: Record<string, readonly string[]> = {
  'users.unrelatedIdentifier': ['users.childIdentifier'],
  'users.childIdentifier': ['users.parentIdentifier'],
  'users.nameMismatchIdentifier': ['users.nameMatchIdentifier'],
  'users.foreignCustomerIdentifier': OWN_CUSTOMERS.map((name) => `users.${name}Identifier`),
  'portal.foreignCustomerId': ['portal.customerId'],
  'portal.programs.digitalOff': ['portal.programs.digitalOn'],
  'portal.programs.loadOff': ['portal.programs.loadOn'],
  'portal.cip.fail': ['portal.cip.pass'],
  // Persons whose identity checks end in neither Pass nor Fail.
  'portal.cip.partialDifferentiator': ['portal.cip.pass', 'portal.cip.fail'],
  'portal.cip.partialQuestions': ['portal.cip.pass', 'portal.cip.fail'],
};

/** The value under a key as a text, of a program its custProgId; undefined if there is none. */
function textAt(read: Fixtures, key: string): string | undefined {
  const value = fixtureAt(read, key);
  const compared = key.startsWith('portal.programs.') ? (memberOf(value, 'custProgId') ?? value) : value;
  return typeof compared === 'object' ? writeJson(compared) : compared === undefined ? undefined : String(compared);
}

/** Finds keys that contradict each other for every target, so that the file would accuse all of them. */
function* contradictions(read: Fixtures): Generator<string> {
  for (const [one, others] of Object.entries(APART))
    for (const other of others) {
      const text = textAt(read, one);
      if (text !== undefined && text === textAt(read, other)) yield `${one} and ${other} are the same`;
    }
  const { cards = {} } = read;
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
