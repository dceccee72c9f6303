/** Chooses what a run tries of what it can try only in part: a pure function of what earlier runs tried (reading 52). */
import type { Rotated } from '../../contracts/record.ts';

/** How often what failed or was suspected is tried again without showing anything before it counts as others do. */
const PASSES = 2;

/**
 * The forms of a subject that failed or were suspected when they were last tried, and have not passed twice since, with the requirements that failed.
 * @param past what runs tried of it, the latest first
 */
export function dueAgain(past: readonly Rotated[]): Map<string, readonly string[]> {
  const due = new Map<string, readonly string[]>();
  const passes = new Map<string, number>();
  for (const { tried, suspected = [] } of past) {
    const failed = new Map(suspected.map((one) => [one.form, one.failed]));
    for (const form of tried) {
      const times = passes.get(form) ?? 0;
      if (due.has(form) || times >= PASSES) continue;
      const requirements = failed.get(form);
      if (requirements) due.set(form, requirements);
      else passes.set(form, times + 1);
    }
  }
  return due;
}

interface Choice<T> {
  /** How many are tried at the most, besides those that are tried again. */
  most: number;
  /** Whether what is tried again is tried in place of others, and not beside them. */
  isOnce?: boolean;
  /** The name of a form in the past. */
  keyOf: (form: T) => string;
  /** What earlier runs tried of the subject, the latest first. */
  past: readonly Rotated[];
}

/**
 * The forms to try: first what failed or was suspected, as much of it as is wanted of others and whatever each requirement that failed needs;
 * then what was never tried, then what was tried longest ago. Of what is equally due those that come first.
 */
export function choose<T>(forms: readonly T[], { most, isOnce = false, keyOf, past }: Choice<T>): T[] {
  if (past.length === 0) return forms.slice(0, most);
  const keys = new Map(forms.map((form) => [form, keyOf(form)]));
  const due = dueAgain(past);
  const again: T[] = [];
  const failing = new Set<string>();
  for (const form of forms) {
    const requirements = due.get(keys.get(form)!);
    if (!requirements || (again.length >= most && requirements.every((one) => failing.has(one)))) continue;
    again.push(form);
    for (const one of requirements) failing.add(one);
  }
  if (isOnce) again.splice(most);
  // What could not be tried though it was due makes way for others, as what was tried does.
  const ages = new Map<string, number>();
  for (const [age, { tried, left = [] }] of past.entries())
    for (const key of [...tried, ...left]) if (!ages.has(key)) ages.set(key, age);
  const ageOf = (form: T) => ages.get(keys.get(form)!) ?? past.length;
  const others = forms.filter((form) => !again.includes(form)).toSorted((a, b) => ageOf(b) - ageOf(a));
  return [...again, ...others.slice(0, isOnce ? most - again.length : most)];
}
