/** How much of what rotates has been tried, by this run and by the nights before it, and when all will have been (reading 52). */
import { operations } from '../contracts/operations.ts';
import { digested } from '../contracts/past.ts';
import type { Conformance, Rotated } from '../contracts/record.ts';
import type { PastRun, TargetHistory } from './history.ts';
import { count } from './text.ts';
import { type Tried, triedOf } from './tried.ts';

/** Numbers of forms, of one operation or of all. */
export interface Counted {
  /** How many there are. */
  forms: number;
  /** How many this run tried. */
  now: number;
  /** How many this run or a night before it tried. */
  soFar: number;
  /** In how many more nights all will have been tried, at the pace of those so far; 0 where all have. */
  nightsLeft: number;
}

export interface Breadth extends Counted {
  /** How many nights are counted, this run among them. */
  nights: number;
  /** The share of all forms that was tried by the end of each night, the earliest first, by when it began. */
  trend: ReadonlyMap<string, number>;
  /** The forms by operation, in the order of the contracts; the others come last. */
  operations: readonly (Counted & { operation: string })[];
}

/** The name under which forms are counted that belong to no single operation, or that this run did not come to. */
const OTHERS = 'others';

/** What is drawn by seeds has no end. */
const DRAWN = /^--seed \d+$/;

/** A night, and what it tried. */
interface Night {
  startedAt: string;
  tried: Tried;
}

/**
 * How much has been tried of what runs like this one can try: with the same catalogue, risk and selection.
 * @param history of the target
 * @returns undefined where nothing rotates
 */
export function breadthOf(
  { run, suite }: Pick<Conformance, 'run' | 'suite'>,
  history?: TargetHistory,
): Breadth | undefined {
  const { rotated = [], startedAt } = run;
  const isDrawn = ({ tried }: Rotated) => tried.some((name) => DRAWN.test(name));
  const drawn = new Set(rotated.filter(isDrawn).map((one) => digested(one).subject));
  const ended = rotated.filter((one) => !isDrawn(one));
  if (ended.length === 0) return undefined;
  const isAlike = (one: PastRun) =>
    one.catalogue === suite.catalogueDigest && one.risk === run.risk && one.selection === run.selection;
  const before = (history?.runs ?? []).flatMap((one): Night[] =>
    one.tried && isAlike(one) && one.startedAt < startedAt ? [{ startedAt: one.startedAt, tried: one.tried }] : [],
  );
  const tried = triedOf(ended.map(digested));
  const nights = [...before, { startedAt, tried }];
  const all = new Map(nights.flatMap((one) => [...one.tried.all].filter(([subject]) => !drawn.has(subject))));
  const { soFar, trend } = add(nights, all);
  const countOf = (subject: string): Counted => {
    const [forms, known] = [all.get(subject)!, soFar.get(subject) ?? 0];
    const pace = Math.max(1, known) / nights.length;
    const nightsLeft = Math.ceil((forms - known) / pace);
    return { forms, now: formsOf(subject, tried), soFar: known, nightsLeft };
  };
  return {
    ...sumOf([...all.keys()].map(countOf)),
    nights: nights.length,
    trend,
    operations: subjectsByOperation(ended, [...all.keys()]).map(([operation, subjects]) => ({
      operation,
      ...sumOf(subjects.map(countOf)),
    })),
  };
}

/** How many forms of a subject a run tried. */
const formsOf = (subject: string, { forms }: Tried): number =>
  [...forms].filter((form) => form.startsWith(`${subject} `)).length;

/**
 * By subject, how many of its forms some nights tried, and which share of all was tried by the end of each. Forms that are gone were tried, too.
 * @param all how many forms there are of each subject
 */
function add(nights: readonly Night[], all: ReadonlyMap<string, number>) {
  const total = [...all.values()].reduce((sum, forms) => sum + forms, 0);
  const forms = new Set<string>();
  const soFar = new Map<string, number>();
  const trend = new Map<string, number>();
  for (const { startedAt, tried } of nights) {
    for (const form of tried.forms) {
      const [subject = ''] = form.split(' ', 1);
      const most = all.get(subject);
      if (most === undefined || forms.has(form)) continue;
      forms.add(form);
      soFar.set(subject, Math.min(most, (soFar.get(subject) ?? 0) + 1));
    }
    trend.set(startedAt, [...soFar.values()].reduce((sum, one) => sum + one, 0) / total);
  }
  return { soFar, trend };
}

/** The digests of subjects by their operation. @param rotated those whose names are known */
function subjectsByOperation(rotated: readonly Rotated[], subjects: readonly string[]): [string, string[]][] {
  const named = new Map(rotated.map((one) => [digested(one).subject, one.subject.split(': ', 1)[0]!]));
  const order = [...operations.map(({ id }) => id), OTHERS];
  const operationOf = (subject: string) => {
    const name = named.get(subject) ?? OTHERS;
    return order.includes(name) ? name : OTHERS;
  };
  const groups = Map.groupBy(subjects, operationOf);
  return order.flatMap((operation): [string, string[]][] => {
    const own = groups.get(operation);
    return own ? [[operation, own]] : [];
  });
}

const sumOf = (all: readonly Counted[]): Counted => ({
  forms: all.reduce((sum, { forms }) => sum + forms, 0),
  now: all.reduce((sum, { now }) => sum + now, 0),
  soFar: all.reduce((sum, { soFar }) => sum + soFar, 0),
  nightsLeft: Math.max(...all.map(({ nightsLeft }) => nightsLeft)),
});

/** `812 of 3120 forms tried, 2011 in the last 5 nights, all in about 9 more nights`. */
export function breadthInWords({ forms, now, soFar, nights, nightsLeft }: Breadth): string {
  const before = nights > 1 ? `, ${soFar} in the last ${count(nights, 'night')}` : '';
  const left = soFar === forms ? ', which are all' : `, all in about ${count(nightsLeft, 'more night')}`;
  return `${now} of ${forms} forms tried${before}${left}`;
}

/** What `--thorough` would add to a run; empty if nothing. */
export const thoroughInWords = ({ forms, now }: Counted): string =>
  forms > now ? `--thorough would try up to ${forms - now} more at once` : '';
