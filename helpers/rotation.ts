/**
 * Rotates what a run tries only in part, so that consecutive runs try everything (reading 52): by what earlier runs tried, and by the seed among what
 * is equally due. `--as` has the same tried again.
 */
import { operations } from '../contracts/operations.ts';
import { digestOf } from '../contracts/past.ts';
import type { Rotated } from '../contracts/record.ts';
import { choose, type Due, dueAgain } from './evidence/choice.ts';
import type { Sent, Table } from './evidence/rotations.ts';
import type { Run } from './run.ts';

export interface Rotation<T> {
  /** Number of forms to try at least; one by default. */
  count?: number;
  /** The same for a run that may change everything, since it sends three times what a safe one does anyway. */
  amply?: number;
  /** The operation whose requests cost something if accepted: `--thorough` tries all forms only if its budget leaves enough for the other checks. */
  costs?: string;
  /** Something that can be tried only once per run, even with `--thorough`. */
  isOnce?: boolean;
  /** The form's name in the record. */
  name?: (form: T) => string;
  /** What a form covers, where several cover the same: `--thorough` tries as many as cover everything. */
  covers?: (form: T) => readonly string[];
  /** The cells of the table whose cells the forms are, those among them that this run cannot try: what they cover is counted, and not the forms. */
  table?: readonly T[];
  /** What can only be tried where a form is there, by its subject: where that failed, the form is due, too. */
  leadsTo?: readonly { subject: string; formsOf: (form: T) => readonly string[] }[];
}

/**
 * The forms that this run tries: some, chosen by what earlier runs tried and by the seed, or all with `--thorough`. The record names them.
 * @param subject what the forms belong to: `<operation>: <what>` where other operations have the like, which then follow one another; others
 * rotate independently
 * @param sent by whoever tries them
 */
export function rotated<T>(run: Run, subject: string, forms: readonly T[], sent: Sent, how: Rotation<T> = {}): T[] {
  offer(run, subject, forms, how);
  const tried = chosen(run, subject, forms, how);
  if (forms.length > 0) run.recordRotation(subject, tried.map(how.name ?? nameOf), forms.length, sent);
  noteLimit(run, subject, forms, how);
  if (how.table) run.rotations.noteTable(subject, tableOf(run, subject, how.table, tried, how));
  return tried;
}

/** What the cells of a table cover, and in how many nights all of it will have been tried, if each tries what covers most of what is left. */
function tableOf<T>(run: Run, subject: string, forms: readonly T[], tried: readonly T[], how: Rotation<T>): Table {
  const { name = nameOf, covers = () => [] } = how;
  const cells = forms.map((form) => ({ name: run.nameOfForm(name(form)), isTried: tried.includes(form), form }));
  const before = new Set(run.rotations.pastOf(subject).flatMap((one) => one.tried));
  const isKnown = (one: (typeof cells)[number]) => one.isTried || before.has(digestOf(one.name));
  const known = new Set(cells.filter(isKnown).flatMap(({ form }) => covers(form)));
  const left = choose(cells, {
    most: cells.length,
    keyOf: (cell) => cell.name,
    covers: ({ form }) => covers(form).filter((target) => !known.has(target)),
    past: [],
  });
  return {
    covers: new Map(cells.map((cell) => [cell.name, covers(cell.form)])),
    nightsLeft: Math.ceil(left.length / mostOf(run, how)),
  };
}

/**
 * The same of forms that take requests to make: only what is tried is made. Where a form is not to be had, the run tries another.
 * @param make gives undefined for such a form
 * @returns the forms that this run tries, with what was made
 */
export async function rotatedMade<T, M>(
  run: Run,
  subject: string,
  forms: readonly T[],
  make: (form: T) => Promise<M | undefined>,
  sent: Sent,
  how: Rotation<T> = {},
): Promise<(readonly [T, M])[]> {
  const made = new Map<T, M | undefined>();
  const isHad = (form: T) => !made.has(form) || made.get(form) !== undefined;
  offer(run, subject, forms, how);
  for (;;) {
    const had = forms.filter(isHad);
    const tried = chosen(run, subject, had, how);
    for (const form of tried) if (!made.has(form)) made.set(form, await make(form));
    if (!tried.every(isHad)) continue;
    // Where all are tried nothing rotates; it may have, when there were more.
    if (had.length > (how.count ?? 1) || run.rotations.pastOf(subject).length > 0)
      run.recordRotation(subject, tried.map(how.name ?? nameOf), had.length, sent);
    noteLimit(run, subject, had, how);
    return tried.map((form) => [form, made.get(form)!]);
  }
}

/** Of how many runs before, by their seeds, what was drawn can be drawn again. */
const DRAWN_AGO = 60;
/** How much of it is drawn again at the most. */
const MOST_DRAWN_AGAIN = 2;

/** The seeds by which a run draws something of which there is no end: its own, and those of earlier runs by which it failed or was suspected. */
export function drawnBy(run: Run, subject: string, sent: Sent): number[] {
  const { seed } = run.configuration.run;
  const seeds = Array.from({ length: Math.min(DRAWN_AGO, seed + 1) }, (_, ago) => seed - ago);
  const name = (one: number) => `--seed ${one}`;
  offer(run, subject, seeds, { name });
  const due = dueAgain(run.rotations.pastOf(subject));
  const again = seeds.slice(1).filter((one) => due.has(digestOf(name(one))));
  const drawn = [seed, ...again.slice(0, MOST_DRAWN_AGAIN)];
  run.recordRotation(subject, drawn.map(name), seeds.length, sent);
  return drawn;
}

/** Notes which forms there are, where earlier runs tried some. */
function offer<T>(run: Run, subject: string, forms: readonly T[], { name = nameOf }: Rotation<T>): void {
  if (run.rotations.pastOf(subject).length > 0)
    run.rotations.offer(
      subject,
      forms.map((form) => run.nameOfForm(name(form))),
    );
}

/** How many forms a run tries at the most. */
const mostOf = <T>({ configuration: { run } }: Run, { count = 1, amply = count }: Rotation<T>): number =>
  run.risk === 'irreversible' ? amply : count;

/** The setting whose limit is too small for all forms of something, whether or not the run would try them. */
function limitOf<T>(run: Run, { costs, isOnce = false }: Rotation<T>): string | undefined {
  const budget = costs === undefined || isOnce ? undefined : run.budgetOf(costs);
  return budget && !budget.isAmple ? budget.variable : undefined;
}

function noteLimit<T>(run: Run, subject: string, forms: readonly T[], how: Rotation<T>): void {
  const setting = limitOf(run, how);
  if (setting !== undefined && forms.length > mostOf(run, how)) run.rotations.noteLimit(subject, setting);
}

/** What a run tries of some forms. */
function chosen<T>(run: Run, subject: string, forms: readonly T[], how: Rotation<T>): T[] {
  if (forms.length === 0) return [];
  const { isOnce = false, name = nameOf, covers } = how;
  const { seed, thorough, as } = run.configuration.run;
  const past = run.rotations.pastOf(subject);
  const keyOf = (form: T) => digestOf(run.nameOfForm(name(form)));
  const same = as === undefined ? [] : forms.filter((form) => past[0]?.tried.includes(keyOf(form)));
  if (same.length > 0) return isOnce ? same.slice(0, 1) : same;
  const most = mostOf(run, how);
  const isWhole = (thorough && !limitOf(run, how) && !isOnce) || forms.length <= most;
  if (isWhole && !covers) return [...forms];
  const first = (seed + placeOf(subject, most)) % forms.length;
  const inTurn = [...forms.slice(first), ...forms.slice(0, first)];
  const beside = isWhole ? 0 : besideOf(run, past.length);
  const due = dueOf(run, past, forms, keyOf, how);
  return choose(inTurn, { most: isWhole ? forms.length : most, beside, isOnce, keyOf, covers, past, due });
}

/** Why forms are tried again: they failed, or what can only be tried with them did. */
function dueOf<T>(
  run: Run,
  past: readonly Rotated[],
  forms: readonly T[],
  keyOf: (form: T) => string,
  { leadsTo = [] }: Rotation<T>,
): Map<string, Due> {
  const due = dueAgain(past);
  for (const { subject, formsOf } of leadsTo) {
    const later = dueAgain(run.rotations.pastOf(subject));
    for (const form of later.size > 0 ? forms : []) {
      const found = formsOf(form).flatMap((name) => later.get(digestOf(run.nameOfForm(name))) ?? []);
      const all = [due.get(keyOf(form)) ?? [], found].flat();
      if (found.length > 0)
        due.set(keyOf(form), {
          failed: all.flatMap(({ failed }) => failed),
          times: Math.max(...all.map(({ times }) => times)),
        });
    }
  }
  return due;
}

/** How many runs have their turns before this one: those that began before it; of shards each has every turn on some night. */
function besideOf({ configuration: { run } }: Run, nights: number): number {
  return run.shard ? (run.shard.index - 1 + nights) % run.shard.count : run.beside;
}

/** The name of a form: its `name` if it has one, else its text. */
const nameOf = (form: unknown): string =>
  typeof form === 'object' && form !== null && 'name' in form ? String(form.name) : String(form);

/**
 * Where a subject begins: operations of which the same is tried, `cards.get: misnamed` and `cards.close: misnamed`, follow one another, since what is
 * wrong with all of them alike then shows in one run.
 */
function placeOf(subject: string, most: number): number {
  const at = operations.findIndex(({ id }) => subject.startsWith(`${id}: `));
  return at < 0 ? hashOf(subject) : at * most + hashOf(subject.slice(operations[at]!.id.length));
}

function hashOf(text: string): number {
  let hash = 0;
  for (const character of text) hash = (Math.imul(hash, 31) + character.codePointAt(0)!) >>> 0;
  return hash;
}
