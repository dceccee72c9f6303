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

/** How many pairs of factors were tried, of tables of which nobody tries all cells. */
export interface Pairs {
  of: number;
  now: number;
  soFar: number;
  /** In how many more nights, at the least, all will have been tried. */
  nightsLeft: number;
}

export interface Breadth extends Counted {
  /** How many nights are counted, this run among them. */
  nights: number;
  /** The share of all forms that was tried by the end of each night, the earliest first, by when it began. */
  trend: ReadonlyMap<string, number>;
  /** The forms by operation, in the order of the contracts; the others come last. */
  operations: readonly (Counted & { operation: string })[];
  /** Whether this run tried everything that can be tried at once. */
  isThorough: boolean;
  /** What is left of forms and pairs that limits of this run are too small for, and the settings of these. */
  limited: { forms: number; pairs: number; settings: readonly string[] };
  /** The pairs of all tables, and of each; undefined where this run played none. */
  pairs: (Pairs & { tables: readonly (Pairs & { subject: string })[] }) | undefined;
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
 * @returns undefined where nothing rotates but tables
 */
export function breadthOf(record: Pick<Conformance, 'run' | 'suite'>, history?: TargetHistory): Breadth | undefined {
  const rotated = (record.run.rotated ?? []).filter((one) => !isUncounted(one));
  if (rotated.length === 0) return undefined;
  const nights = nightsOf(record, history);
  const now = countBySubject(nights.at(-1)!.tried.forms);
  const seen = countBySubject(new Set(nights.flatMap(({ tried }) => [...tried.forms])));
  const all = mostBySubject(nights, seen);
  const countOf = (subject: string): Counted => {
    const [forms, soFar] = [all.get(subject)!, seen.get(subject) ?? 0];
    const pace = Math.max(1, soFar) / nights.length;
    return { forms, now: now.get(subject) ?? 0, soFar, nightsLeft: Math.ceil((forms - soFar) / pace) };
  };
  const counted = sumOf([...all.keys()].map(countOf));
  return {
    ...counted,
    nights: nights.length,
    trend: trendOf(nights, counted.forms),
    operations: subjectsByOperation(rotated, [...all.keys()]).map(([operation, subjects]) => ({
      operation,
      ...sumOf(subjects.map(countOf)),
    })),
    pairs: pairsOf(record.run.rotated ?? []),
    isThorough: record.run.options?.thorough === 'true',
    limited: limitedIn(record.run.rotated ?? []),
  };
}

function limitedIn(all: readonly Rotated[]): Breadth['limited'] {
  const limited = all.filter(({ limitedBy, pairs }) => limitedBy !== undefined && (!pairs || pairs.now < pairs.of));
  const sum = (of: (one: Rotated) => number) => limited.reduce((total, one) => total + of(one), 0);
  return {
    forms: sum((one) => (isUncounted(one) ? 0 : one.forms - one.tried.length)),
    pairs: sum(({ pairs }) => (pairs ? pairs.of - pairs.now : 0)),
    settings: [...new Set(limited.map(({ limitedBy }) => limitedBy!))].sort(),
  };
}

function pairsOf(rotated: readonly Rotated[]): Breadth['pairs'] {
  const tables = rotated.flatMap(({ subject, pairs }) => (pairs ? [{ subject, ...pairs }] : []));
  if (tables.length === 0) return undefined;
  const sum = (of: (one: Pairs) => number) => tables.reduce((total, one) => total + of(one), 0);
  return {
    of: sum(({ of }) => of),
    now: sum(({ now }) => now),
    soFar: sum(({ soFar }) => soFar),
    nightsLeft: Math.max(...tables.map(({ nightsLeft }) => nightsLeft)),
    tables,
  };
}

/** Of what no forms are counted: what is drawn, and tables. */
const isUncounted = (one: Rotated): boolean => one.pairs !== undefined || isDrawn(one);

const isDrawn = ({ tried }: Rotated): boolean => tried.some((name) => DRAWN.test(name));

/** The nights like this run, the earliest first, and it at the end; without what is not counted. */
function nightsOf({ run, suite }: Pick<Conformance, 'run' | 'suite'>, history: TargetHistory | undefined): Night[] {
  const isAlike = (one: PastRun) =>
    one.catalogue === suite.catalogueDigest && one.risk === run.risk && one.selection === run.selection;
  const rotated = (run.rotated ?? []).map((one) => ({ ...digested(one), isUncounted: isUncounted(one) }));
  const uncounted = new Set(rotated.filter((one) => one.isUncounted).map(({ subject }) => subject));
  const before = (history?.runs ?? []).flatMap((one): Night[] =>
    one.tried && isAlike(one) && one.startedAt < run.startedAt ? [{ startedAt: one.startedAt, tried: one.tried }] : [],
  );
  return [...before, { startedAt: run.startedAt, tried: triedOf(rotated) }].map(({ startedAt, tried }) => ({
    startedAt,
    tried: {
      ...tried,
      forms: new Set([...tried.forms].filter((form) => !uncounted.has(subjectOf(form)))),
      all: new Map([...tried.all].filter(([subject]) => !uncounted.has(subject))),
    },
  }));
}

/** How many of some forms are of each subject. */
function countBySubject(forms: ReadonlySet<string>): Map<string, number> {
  const counted = new Map<string, number>();
  for (const subject of [...forms].map(subjectOf)) counted.set(subject, (counted.get(subject) ?? 0) + 1);
  return counted;
}

/** How many forms there are of each subject: the most that a night had, or as many as were tried in all. */
function mostBySubject(nights: readonly Night[], seen: ReadonlyMap<string, number>): Map<string, number> {
  const most = new Map<string, number>();
  for (const { tried } of nights)
    for (const [subject, forms] of tried.all)
      most.set(subject, Math.max(forms, most.get(subject) ?? 0, seen.get(subject) ?? 0));
  return most;
}

/** The subject of a form. */
const subjectOf = (form: string): string => form.split(' ', 1)[0]!;

/** Which share of all forms had been tried by the end of each night. */
function trendOf(nights: readonly Night[], all: number): Map<string, number> {
  const forms = new Set<string>();
  return new Map(
    nights.map(({ startedAt, tried }) => {
      for (const form of tried.forms) forms.add(form);
      return [startedAt, forms.size / all];
    }),
  );
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

/** `812 of 3120 forms tried, 2011 in the last 5 nights, all in about 9 more nights (last those of cards.get)`, and the pairs in words of their own. */
export function breadthLines({ forms, now, soFar, nights, nightsLeft, operations, pairs }: Breadth): string[] {
  if (soFar === 0) return [`None of ${forms} forms tried`];
  const before = nights > 1 ? `, ${soFar} in the last ${count(nights, 'night')}` : '';
  const last = operations.find((one) => one.nightsLeft === nightsLeft);
  const slowest =
    last && last.operation !== OTHERS && operations.length > 1 ? ` (last those of ${last.operation})` : '';
  const left = soFar === forms ? ', which are all' : `, all in about ${count(nightsLeft, 'more night')}${slowest}`;
  return [`${now} of ${forms} forms tried${before}${left}`, ...(pairs ? [pairsInWords(pairs)] : [])];
}

/** The same in one line. */
export const breadthInWords = (breadth: Breadth): string => breadthLines(breadth).join('; ');

/** `42 of 106 pairs of factors tried, 67 so far, all in at least 7 more nights`. */
function pairsInWords({ of, now, soFar, nightsLeft }: Pairs): string {
  const before = soFar > now ? `, ${soFar} so far` : '';
  const left = soFar === of ? ', which are all' : `, all in at least ${count(nightsLeft, 'more night')}`;
  return `${now} of ${of} pairs of factors tried${before}${left}`;
}

/** The limit of orders, and of CIP checks, that leaves room for every form of them. */
export const AMPLE_LIMIT = 200;

/**
 * What a run left out, and how another tries it; empty if nothing, or if it could not try any: `--thorough would try up to 2393 more forms and 761 more
 * pairs at once, 44 forms and 690 pairs of these with RUN_MAX_ORDERS=200`. Of a thorough run, what larger limits would add.
 */
export function thoroughInWords({ forms, now, pairs, isThorough, limited }: Breadth): string {
  if (now === 0) return '';
  const ofLimits = inWords(limited.forms, limited.pairs, '');
  const settings = limited.settings.map((name) => `${name}=${AMPLE_LIMIT}`).join(' and ');
  if (isThorough)
    return ofLimits && `${settings} would let --thorough try up to ${inWords(limited.forms, limited.pairs)}`;
  const more = inWords(forms - now, pairs ? pairs.of - pairs.now : 0);
  return more && `--thorough would try up to ${more} at once${ofLimits && `, ${ofLimits} of these with ${settings}`}`;
}

/** `2393 more forms and 761 more pairs`; empty for none. */
function inWords(forms: number, pairs: number, more = 'more '): string {
  return [
    ...(forms > 0 ? [count(forms, `${more}form`)] : []),
    ...(pairs > 0 ? [count(pairs, `${more}pair`)] : []),
  ].join(' and ');
}
