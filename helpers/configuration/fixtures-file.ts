import { type Fixtures, fixtures } from '../../contracts/fixtures.ts';
import { Invalid } from './invalid.ts';
import { schemaFaults } from './schema-faults.ts';

/** Integers that a number cannot hold become bigint: identifiers of the portal are int64. */
function lossless(_key: string, value: unknown, context?: { source?: string }): unknown {
  const exact = !Number.isInteger(value) || Number.isSafeInteger(value) || !/^-?\d+$/.test(context?.source ?? '');
  return exact ? value : BigInt(context?.source ?? '');
}

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
 * Reads the text of a fixtures file. Integers beyond 2^53 become bigint; keys that hold "", 0, [] or {} count as not given.
 * Throws {@link Invalid} with a fault for every key that is unknown or of the wrong type.
 */
export function parseFixtures(text: string): Fixtures {
  let data: unknown;
  try {
    data = JSON.parse(text, lossless);
  } catch {
    throw new Invalid('the fixtures are not valid JSON');
  }
  const result = fixtures.safeParse(data);
  if (!result.success) throw new Invalid(...schemaFaults(result.error));
  return given(result.data) as Fixtures;
}
