/** Builds the command that reruns the checks of a failure so that they fail in the same way. */

import { relative } from 'node:path';
import {
  type CheckResult,
  type Conformance,
  EVERY_EXCHANGE,
  type Exchange,
  REPEATED_OPTIONS,
  type RequirementResult,
  RISKS,
  type Risk,
} from '../contracts/record.ts';
import { requirements } from '../contracts/requirements/index.ts';
import { callOf } from './call-of.ts';
import { failedChecks } from './causes.ts';
import { word } from './shell.ts';

/** Maximum number of requirements that one command names. */
const MOST = 12;

/** Number of exchanges that broke a requirement for which the checks that made them are rerun. */
const DECIDING = 3;

/** Returns the command for requirements that failed in a run. */
export type Rerun = (requirements: readonly RequirementResult[]) => string;

/**
 * The commands of one run. Each selects the failed requirements and, if every exchange judges them, the checks that
 * made the deciding exchanges; with the risk, seed and settings of the run, and a report directory of its own. What others
 * made needs the risk of its requirements, and had no settings. It relies on the environment of the run: no command holds addresses or credentials.
 * @param recordIn the report directory of the run, so that the same forms are tried again, whatever was tried since; undefined where nobody knows it
 *
 * @example npm start -- --only cards.get.shape --risk safe --seed 42 --as reports/latest --report-dir reports/rerun/20260511-020000/cards.get.shape
 */
export function rerunsOf(
  { run, requirements: results }: Pick<Conformance, 'run' | 'requirements'>,
  evidence: ReadonlyMap<string, Exchange> = new Map(),
  recordIn?: string,
): Rerun {
  const isOwn = (run.source ?? 'target') === 'target';
  // Checks make nothing of what others sent.
  const makers = makersOf(results, isOwn ? evidence : new Map());
  const directory = run.startedAt.replace(/\..*$/, '').replaceAll(/[-:]/g, '').replace('T', '-');
  return (failed) => {
    const named = failed.slice(0, MOST);
    const as = recordIn !== undefined && run.rotated ? { as: typed(recordIn) } : {};
    const given: Partial<Record<string, string>> = isOwn
      ? { ...optionsOf(run, named), ...as }
      : { risk: riskOf(named) };
    const options = REPEATED_OPTIONS.flatMap((name) => {
      const value = given[name];
      if (value === undefined) return [];
      return value === 'true' ? `--${name}` : `--${name} ${word(value)}`;
    });
    return [
      `${callOf('run')} --only ${idsToRerun(named, makers).map(word).join(',')}`,
      ...options,
      `--report-dir ${word(`reports/rerun/${directory}/${named[0]!.id}`)}`,
    ].join(' ');
  };
}

/** The requirements that failed, and those whose checks made the exchanges that show it. */
export function idsToRerun(failed: readonly RequirementResult[], makers: ReadonlyMap<string, string[]>): string[] {
  const idsOf = (one: RequirementResult) => failedChecks(one).flatMap((check) => makersOfDeciding(one, check, makers));
  return [...new Set(failed.flatMap((one) => [one.id, ...idsOf(one)]))];
}

/** A directory as a person would type it. */
function typed(directory: string): string {
  const path = relative(process.cwd(), directory);
  return path.startsWith('..') ? directory : path || '.';
}

/** The highest risk of the checks of requirements; a record may name some that there are no longer. */
function riskOf(named: readonly RequirementResult[]): Risk {
  const ids = new Set(named.map(({ id }) => id));
  const risks = new Set(requirements.filter(({ id }) => ids.has(id)).map(({ risk }) => risk));
  return RISKS.findLast((risk) => risks.has(risk)) ?? 'safe';
}

/** The options of a run that its replays need, too. */
const OF_REPLAYS: readonly string[] = ['risk', 'confirm-host', 'settle-ms', 'env-file'];

/**
 * The command that sends the requests of a failure again, in the environment of the run.
 * @param directory the report directory, as a person would type it
 *
 * @example npm run replay -- reports/latest cards.get.shape --risk safe
 */
export function replayCommand(
  { risk, options = { risk } }: Pick<Conformance['run'], 'risk' | 'options'>,
  directory: string,
  id: string,
): string {
  const given = Object.entries(options).filter(([name]) => OF_REPLAYS.includes(name));
  return [callOf('replay'), word(directory), id, ...given.map(([name, value]) => `--${name} ${word(value)}`)].join(' ');
}

/** The command that tries again what failed in a run or was hidden by a failure, in the environment of that run. */
export function againCommand(
  { risk, options = { risk } }: Pick<Conformance['run'], 'risk' | 'options'>,
  directory: string,
): string {
  const given = Object.entries(options).filter(([name]) => OF_REPLAYS.includes(name));
  return [
    `${callOf('run')} --last-failed ${word(directory)}`,
    ...given.map(([name, value]) => `--${name} ${word(value)}`),
  ].join(' ');
}

/**
 * For each exchange, the requirements whose own checks made or used it, makers first; its operation before them where none or several do.
 */
export function makersOf(
  results: readonly RequirementResult[],
  evidence: ReadonlyMap<string, Exchange>,
): Map<string, string[]> {
  const known = new Set(results.map(({ id }) => id));
  const makers = new Map<string, string[]>();
  const ofOneCheck = new Set<string>();
  for (const { id: exchange, check } of evidence.values()) {
    const [id = ''] = check.split(': ', 1);
    if (!known.has(id)) continue;
    makers.set(exchange, [id]);
    ofOneCheck.add(exchange);
  }
  for (const { id, checks } of results)
    for (const exchange of checks.filter(({ name }) => name !== EVERY_EXCHANGE).flatMap((check) => check.exchanges)) {
      const ids = makers.get(exchange);
      if (ids) ids.push(id);
      else makers.set(exchange, [id]);
    }
  // What several checks share is made in part for each of them, and nothing tells for which one an exchange was.
  for (const { id: exchange, operation } of evidence.values()) {
    const ids = makers.get(exchange) ?? [];
    if (ids.length !== 1 && !ofOneCheck.has(exchange)) makers.set(exchange, [operation, ...ids]);
  }
  return makers;
}

/** The checks that made the deciding exchanges of a failed check, unless the requirement's own checks did. */
function makersOfDeciding(
  { id }: RequirementResult,
  { name, exchanges }: Pick<CheckResult, 'exchanges'> & { name?: string },
  makers: ReadonlyMap<string, string[]>,
): string[] {
  if (name !== EVERY_EXCHANGE) return [];
  const deciding = exchanges.slice(0, DECIDING).map((exchange) => makers.get(exchange) ?? []);
  return deciding.flatMap((ids) => (ids.includes(id) ? [] : ids.slice(0, 1)));
}

/** The options of the run; for a merged run, those of the shard that saw the failure. */
function optionsOf({ risk, seed, options, shards }: Conformance['run'], failed: readonly RequirementResult[]) {
  const [exchange = ''] = failed.flatMap(failedChecks).flatMap(({ exchanges }) => exchanges);
  const shard = /^s(\d+)x/.exec(exchange)?.[1];
  return shards?.[Number(shard) - 1] ?? options ?? { risk, seed: String(seed) };
}
