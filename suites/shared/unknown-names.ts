/** Identifiers that resemble an existing one but name nothing (readings 11 and 52). */
import { succeeded } from '../../helpers/answer.ts';
import type { Context } from '../../helpers/context.ts';
import { rotated } from '../../helpers/rotation.ts';
import type { Probe } from './bad-tokens.ts';
import { carries } from './identifiers.ts';
import { invented } from './invented.ts';
import { perOperation } from './per-operation.ts';

/** Shorter identifiers may be consecutive numbers: only a much longer one is certain not to be the next of them. */
const LEAST_LENGTH = 15;

// By two characters, since a decoder may ignore an odd hexadecimal digit.
const CONTINUED = { name: 'an identifier that is continued', of: (identifier: string) => `${identifier}00` };
const CUT_OFF = { name: 'an identifier that is cut off', of: (identifier: string) => identifier.slice(0, -1) };
const PRECEDED = {
  name: 'an identifier that begins with another character',
  // A parser may drop leading zeros of a number, hexadecimal too, and read only the last digits of each part of a UUID.
  of: (identifier: string) => `${/^\d+$/.test(identifier) ? 9 : 'x'}${identifier}`,
};

/** Ways to change an identifier so that it names nothing; decoders may ignore changes to the end of padded base64. */
const formsFor = (identifier: string) => (identifier.endsWith('=') ? [PRECEDED] : [CONTINUED, CUT_OFF, PRECEDED]);

/** An existing identifier, changed so that it names nothing, in the first way that this run tries. */
export function misnamed(t: Context, operation: string, identifier: string): { name: string; identifier: string } {
  return allMisnamed(t, operation, identifier)[0]!;
}

/** As `misnamed`, in every way that this run tries. @param others further identifiers that name nothing, for the run to choose from */
export function allMisnamed(
  t: Context,
  operation: string,
  identifier: string,
  others: readonly { name: string; identifier: string }[] = [],
): { name: string; identifier: string }[] {
  if (identifier.length < LEAST_LENGTH) {
    const digits = invented('');
    // Decoders may ignore whatever follows the padding of base64.
    const longer = identifier.endsWith('=') ? `${digits}${identifier}` : `${identifier}${digits}`;
    return [{ name: 'an identifier that is longer by many digits', identifier: longer }];
  }
  const forms = [...formsFor(identifier).map(({ name, of }) => ({ name, identifier: of(identifier) })), ...others];
  return rotated(t.run, `${operation}: misnamed`, forms, others.length > 0 ? 2 : 1);
}

/**
 * Whether the identifier names something after all: where things are numbered, a similar identifier may be another one's. Asked once
 * per run, before a changing operation is tried with it, so that nobody else's card is changed.
 */
export const exists = (t: Context, operation: string, identifier: string): Promise<boolean> =>
  t.shared(found(`${operation.startsWith('users.') ? 'users' : 'cards'}.get ${identifier}`));

const found = perOperation(
  (asked) => `whether ${asked} finds something`,
  async (t, asked) => {
    const [get, identifier] = asked.split(/ (.*)/s) as [string, string];
    const answer = await t.call(get, { path: { identifier } }, { intent: 'unknown' });
    return succeeded(answer) && carries(answer, identifier);
  },
);

/** Calls an operation with identifiers that resemble an existing one but name nothing, one for each way that this run tries. */
export async function callMisnamed(
  t: Context,
  operation: string,
  identifier: string,
  json?: unknown,
): Promise<Probe[]> {
  const probes: Probe[] = [];
  for (const other of allMisnamed(t, operation, identifier)) {
    if (await exists(t, operation, other.identifier)) continue;
    const input = { path: { identifier: other.identifier }, json };
    probes.push({ name: other.name, answer: await t.call(operation, input, { intent: 'unknown' }) });
  }
  return probes;
}
