/** What was read before and after: the one way to say that a request had an effect, or had none (reading 49). */
import type { Context } from './context.ts';

/** What was read of something, by name; undefined where it was not read, or not given. */
export type Snapshot = Readonly<Record<string, string | number | boolean | undefined>>;

/** A value that was read twice, and differed. */
export interface Difference {
  name: string;
  before: string | number | boolean;
  after: string | number | boolean;
}

/** What differs between two snapshots. A value that one of them did not read is no value. */
function differences(before: Snapshot, after: Snapshot): Difference[] {
  return Object.keys(before).flatMap((name) => {
    const [one, other] = [before[name], after[name]];
    return one === undefined || other === undefined || one === other ? [] : [{ name, before: one, after: other }];
  });
}

/**
 * Reads what a request is judged by before it is sent, once what this run changed of the things named has had its time to show, and again
 * once the reading has: it refreshes the stored record of a card, which a replica that lags shows as it was before.
 * @param known what was read just now, after that time
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
 * Looks for an effect once it has had its time to show. What differs is read again after the same time: replicas may go back for a while.
 * @returns what both readings show otherwise than before
 */
export async function effectsSince(t: Context, before: Snapshot, read: () => Promise<Snapshot>): Promise<Difference[]> {
  await t.settle();
  const first = differences(before, await read());
  if (first.length === 0) return [];
  await t.settle();
  const again = differences(before, await read());
  return again.filter(({ name, after }) => first.some((one) => one.name === name && one.after === after));
}
