/** Compares readings before and after a request: the one way to establish an effect, or none (reading 49). */
import type { Context } from './context.ts';

/** Values read from something, by name; undefined if not read or not given. */
export type Snapshot = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Difference {
  name: string;
  before: string | number | boolean;
  after: string | number | boolean;
}

/** The values that differ between two snapshots, ignoring those that one of them lacks. */
function differences(before: Snapshot, after: Snapshot): Difference[] {
  return Object.keys(before).flatMap((name) => {
    const [one, other] = [before[name], after[name]];
    return one === undefined || other === undefined || one === other ? [] : [{ name, before: one, after: other }];
  });
}

/**
 * Reads the state before a request. Waits until earlier changes of these things had time to show, and again after a
 * first reading: it refreshes the stored record of a card, which a lagging replica shows unrefreshed.
 * @param known a reading just made, after the first wait
 */
export async function baseline(
  t: Context,
  identifiers: readonly string[],
  read: () => Promise<Snapshot>,
  known?: Snapshot,
): Promise<Snapshot> {
  await t.quiet(identifiers);
  const first = known ?? (await read());
  if (t.run.configuration.run.settleMs === 0) return first;
  await t.settle();
  return read();
}

/**
 * Looks for an effect after the settle time. A difference is read again after the same time, since replicas may fall
 * back for a while.
 * @returns the differences that both readings show
 */
export async function effectsSince(t: Context, before: Snapshot, read: () => Promise<Snapshot>): Promise<Difference[]> {
  await t.settle();
  const first = differences(before, await read());
  if (first.length === 0) return [];
  await t.settle();
  const again = differences(before, await read());
  return again.filter(({ name, after }) => first.some((one) => one.name === name && one.after === after));
}
