/**
 * `npm run mutate`: tests the suite with mutants, prints the scores and unexplained survivors, and writes its section of
 * docs/trust.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { subjects } from '../proof/mutation/build.ts';
import { percentKilled, type Score, scoreOf } from '../proof/mutation/score.ts';
import { mutationSection, withSection } from '../proof/mutation/section.ts';
import { survivors } from '../proof/mutation/survivors.ts';
import { tryAll } from '../proof/mutation/try-all.ts';
import { program } from './command.ts';
import { EXIT_FINDING } from './exit-codes.ts';

const TRUST = join(import.meta.dirname, '../docs/trust.md');
/** Interval of progress lines, in milliseconds. */
const INTERVAL_MS = 10_000;
/** Minimum percentage of condemned mutants among those that break a must. */
const LEAST_SCORE = 95;

const command = new Command()
  .description('Tests the suite with mutants of the sandbox and of the second target.')
  .option(
    '--part <i/n>',
    'one of n parts of the mutants, since all of them take 10 to 20 minutes on two quiet cores; a part writes no file',
    '1/1',
  );

const mutate = program('mutate', command, async () => {
  const { part } = command.opts<{ part: string }>();
  const [index, of] = part.split('/').map(Number) as [number, number];
  const scores: Score[] = [];
  for (const subject of subjects) {
    const countOne = progress(`mutants of the ${subject.name}`);
    const trials = await tryAll(subject, {
      chosen: ({ number }) => number % of === index % of,
      onTried: (_, all) => countOne(all),
    });
    scores.push(scoreOf(subject.name, trials, survivors[subject.name]));
  }
  if (of === 1) writeFileSync(TRUST, withSection(readFileSync(TRUST, 'utf8'), mutationSection(scores)));
  report(scores, of === 1);
  const isBad = scores.some((score) => score.unexplained.length > 0 || percentKilled(score) < LEAST_SCORE);
  return isBad ? EXIT_FINDING : 0;
});

function report(scores: readonly Score[], isWhole: boolean): void {
  for (const { subject, unexplained, stale } of scores) {
    for (const key of unexplained) console.log(`survives: ${subject}: ${key}`);
    if (isWhole) for (const pattern of stale) console.log(`stale explanation: ${subject}: ${pattern}`);
  }
  for (const score of scores)
    console.log(
      `${score.subject}: ${percentKilled(score)} % of the mutants that break a must are condemned (${score.killed})`,
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
