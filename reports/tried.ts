/** What a run tried of what rotates, and what failed by it: whether two runs can be compared depends on that (reading 52). */
import { digested } from '../contracts/past.ts';
import type { Conformance, Rotated } from '../contracts/record.ts';

/** Forms by the digests of their subject and name. */
export interface Tried {
  forms: ReadonlySet<string>;
  /** How many forms there are of each subject. */
  all: ReadonlyMap<string, number>;
  /** By id of a requirement that failed, the forms by which it did; absent where it failed by what every run sends. */
  failedBy: ReadonlyMap<string, readonly string[]>;
}

/**
 * What a run tried.
 * @param rotated with digests for names
 * @param plainlyFailed requirements that failed by what every run sends, too
 */
export function triedOf(rotated: readonly Rotated[], plainlyFailed: readonly string[] = []): Tried {
  const forms = new Set<string>();
  const all = new Map(rotated.map((one) => [one.subject, one.forms]));
  const failedBy = new Map<string, string[]>();
  for (const { subject, tried, suspected = [] } of rotated) {
    for (const form of tried) forms.add(`${subject} ${form}`);
    for (const { form, failed } of suspected)
      for (const id of failed) failedBy.set(id, [...(failedBy.get(id) ?? []), `${subject} ${form}`]);
  }
  for (const id of plainlyFailed) failedBy.delete(id);
  return { forms, all, failedBy };
}

/** What the run of a record tried. */
export const triedIn = ({ run }: Pick<Conformance, 'run'>): Tried =>
  triedOf((run.rotated ?? []).map(digested), run.plainlyFailed);

/** Whether a requirement that fails in two runs fails in the later one by what the earlier one had tried, and had not failed by. */
export function failsByMore(id: string, earlier: Tried, later: Tried): boolean {
  const [before, now] = [earlier, later].map(({ failedBy }) => failedBy.get(id) ?? []) as [
    readonly string[],
    readonly string[],
  ];
  return now.length === 0 || now.some((form) => earlier.forms.has(form) && !before.includes(form));
}

/** Whether another run tried something by which a requirement failed in one. */
export function isTriedAgain(id: string, { failedBy }: Tried, other: Tried): boolean {
  const forms = failedBy.get(id) ?? [];
  return forms.length === 0 || forms.some((form) => other.forms.has(form));
}
