/** How much of what rotates has been tried, by this run and by the nights before it, and when all will have been (reading 52). */
import { operations } from '../contracts/operations.ts';
import { digestOf } from '../contracts/past.ts';
import type { Conformance, Rotated } from '../contracts/record.ts';
import type { PastRun, TargetHistory } from './history.ts';
import { count } from './text.ts';

/** Numbers of forms, of one operation or of all. */
export interface Counted {
  /** How many there are. */
  forms: number;
  /** How many this run tried. */
  now: number;
  /** How many this run or a night before it tried. */
  soFar: number;
  /** In how many more nights all will have been tried, at the pace of this run; 0 where all have. */
  nightsLeft: number;
}

export interface Breadth extends Counted {
  /** How many nights are counted, this run among them. */
  nights: number;
  /** The share of all forms that was tried by the end of each night, the earliest first, by when it began. */
  trend: ReadonlyMap<string, number>;
  /** The forms by operation, in the order of the contracts; what belongs to several comes last. */
  operations: readonly (Counted & { operation: string })[];
}

/** The name under which forms are counted that belong to no single operation. */
const SEVERAL = 'several operations';

/** What is drawn by seeds has no end. */
const DRAWN = /^--seed \d+$/;

/** A subject that rotates, in the history and in this run. */
interface Subject {
  operation: string;
  key: string;
  forms: number;
  /** The digests of what this run tried. */
  tried: readonly string[];
}

/**
 * How much has been tried of what this run could try.
 * @param history of the target; nights of another catalogue are not counted
 * @returns undefined where nothing rotates
 */
export function breadthOf(
  { run, suite }: Pick<Conformance, 'run' | 'suite'>,
  history?: TargetHistory,
): Breadth | undefined {
  const subjects = (run.rotated ?? []).filter(({ tried }) => !tried.some((name) => DRAWN.test(name))).map(subjectOf);
  if (subjects.length === 0) return undefined;
  const nights = (history?.runs ?? []).filter(
    ({ startedAt, catalogue, tried }) => tried && catalogue === suite.catalogueDigest && startedAt < run.startedAt,
  );
  const before = triedBefore(nights);
  const counted = subjects.map((subject) => ({ operation: subject.operation, ...countedOf(subject, before) }));
  const byOperation = Map.groupBy(counted, ({ operation }) => operation);
  const order = [...operations.map(({ id }) => id), SEVERAL];
  return {
    ...sumOf(counted),
    nights: nights.length + 1,
    trend: trendOf(subjects, nights, run.startedAt),
    operations: order.flatMap((operation) => {
      const own = byOperation.get(operation);
      return own ? [{ operation, ...sumOf(own) }] : [];
    }),
  };
}

function subjectOf({ subject, forms, tried }: Rotated): Subject {
  const [first = ''] = subject.split(': ', 1);
  const isOperation = operations.some(({ id }) => id === first);
  return { operation: isOperation ? first : SEVERAL, key: digestOf(subject), forms, tried: tried.map(digestOf) };
}

/** By subject, the forms that some nights tried. */
function triedBefore(nights: readonly PastRun[]): Map<string, Set<string>> {
  const before = new Map<string, Set<string>>();
  for (const { tried } of nights)
    for (const one of tried!.forms) {
      const [subject = '', form = ''] = one.split(' ', 2);
      before.set(subject, (before.get(subject) ?? new Set()).add(form));
    }
  return before;
}

function countedOf({ key, forms, tried }: Subject, before: ReadonlyMap<string, ReadonlySet<string>>): Counted {
  const known = before.get(key) ?? new Set();
  const fresh = tried.filter((form) => !known.has(form)).length;
  // Forms that are gone were tried, too.
  const soFar = Math.min(forms, known.size + fresh);
  return { forms, now: tried.length, soFar, nightsLeft: Math.ceil((forms - soFar) / Math.max(1, fresh)) };
}

const sumOf = (all: readonly Counted[]): Counted => ({
  forms: all.reduce((sum, { forms }) => sum + forms, 0),
  now: all.reduce((sum, { now }) => sum + now, 0),
  soFar: all.reduce((sum, { soFar }) => sum + soFar, 0),
  nightsLeft: Math.max(...all.map(({ nightsLeft }) => nightsLeft)),
});

/** The share of what this run could try that had been tried by the end of each night. */
function trendOf(subjects: readonly Subject[], nights: readonly PastRun[], now: string): Map<string, number> {
  const formsOf = new Map(subjects.map(({ key, forms }) => [key, forms]));
  const all = [...formsOf.values()].reduce((sum, forms) => sum + forms, 0);
  const own = subjects.flatMap(({ key, tried }) => tried.map((form) => `${key} ${form}`));
  const known = new Map<string, Set<string>>();
  const trend = new Map<string, number>();
  for (const [startedAt, forms] of [
    ...nights.map((one) => [one.startedAt, one.tried!.forms] as const),
    [now, own] as const,
  ]) {
    for (const one of forms) {
      const [subject = '', form = ''] = one.split(' ', 2);
      if (formsOf.has(subject)) known.set(subject, (known.get(subject) ?? new Set()).add(form));
    }
    const tried = [...known].reduce((sum, [subject, of]) => sum + Math.min(of.size, formsOf.get(subject)!), 0);
    trend.set(startedAt, tried / all);
  }
  return trend;
}

/** `812 of 3120 forms tried, 2011 in the last 5 nights, all in about 9 more`. */
export function breadthInWords({ forms, now, soFar, nights, nightsLeft }: Breadth): string {
  const before = nights > 1 ? `, ${soFar} in the last ${count(nights, 'night')}` : '';
  const left = soFar === forms ? ', which are all' : `, all in about ${count(nightsLeft, 'more night')}`;
  return `${now} of ${forms} forms tried${before}${left}`;
}

/** What `--thorough` would add to a run; empty if nothing. */
export const thoroughInWords = ({ forms, now }: Counted): string =>
  forms > now ? `--thorough would try up to ${forms - now} more at once` : '';
