/**
 * `npm run mutate`: tests the suite with mutants, prints the scores, unexplained survivors and how many each class takes, and
 * writes its section of docs/trust.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { subjects } from '../proof/mutation/build.ts';
import { described, type Mutant } from '../proof/mutation/instrument.ts';
import { patternsOf, percentKilled, type Score, scoreOf } from '../proof/mutation/score.ts';
import { mutationSection } from '../proof/mutation/section.ts';
import { classes } from '../proof/mutation/survivors.ts';
import { tryAll } from '../proof/mutation/try-all.ts';
import { withSection } from '../proof/section.ts';
import { program } from './command.ts';
import { EXIT_FINDING } from './exit-codes.ts';

const TRUST = join(import.meta.dirname, '../docs/trust.md');
/** Interval of progress lines, in milliseconds. */
const INTERVAL_MS = 10_000;
/** Minimum percentage of condemned mutants among those that break a must. */
const LEAST_SCORE = 95;

const command = new Command()
  .description('Tests the suite with mutants of the sandbox and of the second target.')
  .option('--part <i/n>', 'one of n parts of the mutants, since all of them take long; a part writes no file', '1/1')
  .option('--list', 'lists the mutants of each class');

const mutate = program('mutate', command, async () => {
  const { part, list } = command.opts<{ part: string; list?: boolean }>();
  const [index, of] = part.split('/').map(Number) as [number, number];
  const scores: Score[] = [];
  for (const subject of subjects) {
    const countOne = progress(`mutants of the ${subject.name}`);
    const chosen = ({ number }: Mutant) => number % of === index % of;
    const trials = await tryAll(subject, { chosen, onTried: countOne });
    scores.push(scoreOf(subject.name, trials, classes));
  }
  const isExplained = report(scores, { isWhole: of === 1, list: list === true });
  if (of === 1) writeFileSync(TRUST, withSection(readFileSync(TRUST, 'utf8'), 'mutate', mutationSection(scores)));
  return isExplained ? 0 : EXIT_FINDING;
});

/** Prints what was found. @returns whether every survivor is explained, by classes that are needed, and enough are condemned */
function report(scores: readonly Score[], { isWhole, list }: { isWhole: boolean; list: boolean }): boolean {
  for (const one of classes) {
    const taken = scores.flatMap((score) =>
      (score.taken.get(one) ?? []).map((mutant) => ({ subject: score.subject, mutant })),
    );
    const condemned = scores.reduce((sum, score) => sum + (score.condemned.get(one) ?? 0), 0);
    const broad = condemned > 0 ? ` (would take ${condemned} condemned ones)` : '';
    console.log(`${String(taken.length).padStart(4)} ${one.why}: ${one.reason}${broad}`);
    if (list) for (const { subject, mutant } of taken) console.log(`       ${subject}: ${described(mutant)}`);
  }
  const survivors = scores.flatMap(({ subject, unexplained }) => unexplained.map((one) => ({ subject, ...one })));
  for (const { subject, mutant, differences } of survivors)
    console.log(`survives: ${subject}: ${described(mutant)}${differences.map((one) => `\n  ${one}`).join('')}`);
  const stale = classes.flatMap(patternsOf).filter((pattern) => !scores.some(({ needed }) => needed.has(pattern)));
  if (isWhole) for (const pattern of stale) console.log(`explains nothing: ${pattern}`);
  for (const score of scores)
    console.log(
      `${score.subject}: ${percentKilled(score)} % of the mutants that break a must are condemned (${score.killed})`,
    );
  return (
    survivors.length === 0 &&
    (stale.length === 0 || !isWhole) &&
    scores.every((one) => percentKilled(one) >= LEAST_SCORE)
  );
}

/** Counts finished trials, and prints a line at intervals. */
function progress(what: string): (of: number) => void {
  let done = 0;
  let printedAt = performance.now();
  return (of) => {
    done++;
    if (performance.now() - printedAt < INTERVAL_MS) return;
    printedAt = performance.now();
    console.error(`${done}/${of} ${what}`);
  };
}

process.exitCode = await mutate(process.argv.slice(2));
