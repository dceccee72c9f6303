import { type Fixtures, fixtures } from '../../contracts/fixtures.ts';
import { readJson } from '../json.ts';
import { Invalid } from './invalid.ts';
import { schemaFaults } from './schema-faults.ts';

/** A placeholder left in a copied template says as little as a missing key. */
const isPlaceholder = (value: unknown) =>
  value === '' || value === 0 || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

/** Without the placeholders, except inside bodies that are sent as they are. */
function given(value: unknown, key = '', parent = ''): unknown {
  if (key === 'order' || parent === 'cip' || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.filter((item) => !isPlaceholder(item));
  const members = Object.entries(value).map(([name, member]) => [name, given(member, name, key)]);
  return Object.fromEntries(members.filter(([, member]) => !isPlaceholder(member)));
}

/**
 * Reads a fixtures file. Integers beyond 2^53 become bigint; keys that hold "", 0, [] or {} count as not given.
 * Throws {@link Invalid} with a fault for every key that is unknown, given twice or of the wrong type.
 */
export function parseFixtures(bytes: Buffer): Fixtures {
  const json = readJson(bytes);
  if (!json.ok) throw new Invalid(`the fixtures cannot be read: ${json.reason}`);
  const { success, data, error } = fixtures.safeParse(json.value);
  const faults = [
    ...json.duplicateKeys.map((pointer) => `key given twice: ${pointer}`),
    ...(error ? schemaFaults(error) : []),
  ];
  if (!success || faults.length) throw new Invalid(...faults);
  return given(data) as Fixtures;
}
