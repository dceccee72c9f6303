/** Identifiers that resemble an existing one but name nothing (readings 11 and 52). */
import { succeeded } from '../../helpers/answer.ts';
import type { Context } from '../../helpers/context.ts';
import { lookAlikes } from '../../helpers/engine/forms/look-alikes.ts';
import type { Probe } from '../../helpers/engine/guard.ts';
import { oneOf, rotated } from '../../helpers/rotation.ts';
import { carries } from './identifiers.ts';
import { perOperation } from './per-operation.ts';

/** Identifiers that resemble an existing one but name nothing. */
const formsLike = (identifier: string) =>
  lookAlikes('identifier', identifier).map(({ name, text }) => ({ name: `an identifier ${name}`, identifier: text }));

/** An existing identifier, changed so that it names nothing, in one way chosen by the seed. */
export const misnamed = (t: Context, operation: string, identifier: string): { name: string; identifier: string } =>
  oneOf(t.run, `${operation}: misnamed once`, formsLike(identifier));

/** As `misnamed`, in every way that this run tries. @param others further identifiers that name nothing, for the run to choose from */
export const allMisnamed = (
  t: Context,
  operation: string,
  identifier: string,
  others: readonly { name: string; identifier: string }[] = [],
): { name: string; identifier: string }[] =>
  rotated(t.run, `${operation}: misnamed`, [...formsLike(identifier), ...others], others.length > 0 ? 2 : 1);

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
