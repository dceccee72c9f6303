/** Chooses what a run tries of what it can try only in part: a pure function of what earlier runs tried (reading 52). */
import type { Rotated } from '../../contracts/record.ts';

/** How often what failed or was suspected is tried again without showing anything before it counts as others do. */
const PASSES = 2;

/** Of what is tried again, besides one for each requirement that failed: so many times what is wanted of others. */
const AGAIN = 2;

/** Why a form is tried again. */
export interface Due {
  /** The requirements that failed by it when it was last tried; none where what was suspected did not stand. */
  failed: readonly string[];
  /** In how many runs it failed or was suspected. */
  times: number;
}

/**
 * The forms of a subject that failed or were suspected when they were last tried, and have not passed twice since.
 * @param past what runs tried of it, the latest first
 */
export function dueAgain(past: readonly Rotated[]): Map<string, Due> {
  const due = new Map<string, Due>();
  const passes = new Map<string, number>();
  for (const { tried, suspected = [] } of past) {
    const failed = new Map(suspected.map((one) => [one.form, one.failed]));
    for (const form of tried) {
      const [known, times, requirements] = [due.get(form), passes.get(form) ?? 0, failed.get(form)];
      if (known) known.times += requirements ? 1 : 0;
      else if (times >= PASSES) continue;
      else if (requirements) due.set(form, { failed: requirements, times: 1 });
      else passes.set(form, times + 1);
    }
  }
  return due;
}

interface Choice<T> {
  /** How many are tried at the most, besides those that are tried again. */
  most: number;
  /** How many others choose by the same past, and have the first turns: what they try is left to them. */
  beside?: number;
  /** Whether what is tried again is tried in place of others, and not beside them. */
  isOnce?: boolean;
  /** The name of a form in the past. */
  keyOf: (form: T) => string;
  /** What a form covers: another that covers the same need not be tried, too. By default itself. */
  covers?: (form: T) => readonly string[];
  /** What earlier runs tried of the subject, the latest first. */
  past: readonly Rotated[];
  /** By the names of forms, why they are tried again. By default by that past. */
  due?: ReadonlyMap<string, Due>;
}

/**
 * The forms to try: first what failed or was suspected, what did so most often before the rest; then what covers most of what was never tried, then of
 * what was tried longest ago. Of what is equally due those that come first. With no end of `most` everything is covered.
 */
export function choose<T>(
  forms: readonly T[],
  { most, beside = 0, isOnce = false, keyOf, covers, past, due = dueAgain(past) }: Choice<T>,
): T[] {
  const keyed = forms.map((form) => {
    const key = keyOf(form);
    return { form, key, covers: covers?.(form) ?? [key] };
  });
  const again = chooseAgain(keyed, due, AGAIN * most).slice(0, isOnce ? most : keyed.length);
  const ages = agesOf(keyed, past);
  const covered = new Set(again.flatMap((one) => one.covers));
  const left = new Set(keyed.filter((one) => !again.includes(one)));
  const others: typeof keyed = [];
  const wanted = isOnce ? most - again.length : most;
  while (left.size > 0 && others.length < wanted * (beside + 1)) {
    const aged = [...left].map((one) => {
      const open = one.covers.filter((target) => !covered.has(target));
      return { one, age: open.reduce((sum, target) => sum + (ages.get(target) ?? NEVER), 0) };
    });
    const next = aged.reduce((best, candidate) => (candidate.age > best.age ? candidate : best));
    if (next.age === 0) break;
    others.push(next.one);
    left.delete(next.one);
    for (const target of next.one.covers) covered.add(target);
  }
  const first = Math.min(wanted * beside, Math.max(0, others.length - wanted));
  return [...again, ...others.slice(first)].map(({ form }) => form);
}

/** The age of what was never tried, in runs: older than any past. */
const NEVER = 1_000_000;

/**
 * How many runs ago what forms cover was tried, from 1. What could not be tried though it was due makes way for others, as what was tried does.
 */
function agesOf(forms: readonly { key: string; covers: readonly string[] }[], past: readonly Rotated[]) {
  const covers = new Map(forms.map((one) => [one.key, one.covers]));
  const ages = new Map<string, number>();
  for (const [index, { tried, left = [] }] of past.entries())
    for (const target of [...tried, ...left].flatMap((key) => covers.get(key) ?? []))
      if (!ages.has(target)) ages.set(target, index + 1);
  return ages;
}

/** Those that are tried again: so many, and one of each requirement that failed. */
function chooseAgain<T extends { key: string }>(forms: readonly T[], due: ReadonlyMap<string, Due>, most: number): T[] {
  const chosen: T[] = [];
  const covered = new Set<string>();
  const timesOf = ({ key }: T) => due.get(key)!.times;
  for (const form of forms.filter(({ key }) => due.has(key)).toSorted((a, b) => timesOf(b) - timesOf(a))) {
    const { failed } = due.get(form.key)!;
    if (chosen.length >= most && failed.every((one) => covered.has(one))) continue;
    chosen.push(form);
    for (const one of failed) covered.add(one);
  }
  return chosen;
}
