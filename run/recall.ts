/** What a run knows of earlier ones: which seed comes next, what was tried, and what is to be tried again (reading 52). */
import { digested } from '../contracts/past.ts';
import { matches } from '../contracts/pattern.ts';
import type { RequirementResult } from '../contracts/record.ts';
import { requirements as catalogue } from '../contracts/requirements/index.ts';
import { configuredRedactor } from '../helpers/configuration/redactor.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import { findings } from '../reports/causes.ts';
import { noteBegin, readPast } from '../reports/history.ts';
import { RecordError, type RunRecord, readRecord } from '../reports/record.ts';
import type { Earlier } from '../reports/repairs.ts';
import { idsToRerun, makersOf } from '../reports/rerun.ts';
import { FAILED_BEFORE, SUITE } from './assemble.ts';

type Settings = Configuration['run'];

/**
 * Completes a configuration by what earlier runs tried: from the history of the target, else from the baseline; with `--as` and `--last-failed` from
 * that record alone. Call it before anything is written.
 * @throws RecordError when the record to repeat cannot be read, or nothing failed in it
 */
export function recall(configuration: Configuration): Configuration {
  const { run } = configuration;
  const lastFailed = pathOfFailed(run);
  const failed = lastFailed === undefined ? undefined : readRecord(lastFailed);
  const repeated = run.as === undefined ? failed : readRecord(run.as);
  const recalled = repeated === undefined ? fromHistory(configuration) : asIn(repeated);
  const seed = run.isSeedDrawn ? (recalled.seed ?? run.seed) : run.seed;
  return {
    ...configuration,
    run: {
      ...run,
      ...(failed !== undefined && { only: failedIn(failed, run.only) }),
      ...recalled,
      seed,
      repeated: { ...run.repeated, seed: String(seed) },
    },
  };
}

/**
 * Notes in the history of the target that a run begins: one that begins meanwhile tries other forms. Nothing is noted of shards, which share a night, nor of a
 * run that tries again what a record tried.
 */
export function begin(configuration: Configuration): Configuration {
  const { run } = configuration;
  if (run.shard !== undefined || run.as !== undefined || run.lastFailed !== undefined) return configuration;
  return { ...configuration, run: { ...run, beside: noteBegin(nameOf(configuration), run.history) } };
}

/** The name of the target in records. */
const nameOf = (configuration: Configuration): string =>
  configuredRedactor(configuration).sentence(configuration.target.name);

/** The record that `--last-failed` names; undefined without it. */
const pathOfFailed = ({ lastFailed, reportDir }: Settings): string | undefined =>
  lastFailed === true ? reportDir : lastFailed;

/**
 * The failures that `--last-failed` tries again. Call it before anything is written.
 * @throws RecordError when the record cannot be read
 */
export function earlierFailures({ run }: Configuration): Earlier | undefined {
  const path = pathOfFailed(run);
  if (path === undefined) return undefined;
  const { conformance, exchanges } = readRecord(path);
  const evidence = new Map(Array.from(exchanges(), (one) => [one.id, one]));
  return { startedAt: conformance.run.startedAt, causes: findings(conformance, evidence).failures };
}

const asIn = ({ path, conformance: { run } }: RunRecord): Pick<Settings, 'as' | 'past' | 'seed'> => ({
  as: path,
  past: [(run.rotated ?? []).map(digested)],
  seed: run.seed,
});

function fromHistory(configuration: Configuration): Pick<Settings, 'past' | 'before'> & { seed?: number } {
  const { run } = configuration;
  const { past, seed: last } = readPast(nameOf(configuration), SUITE, run.history);
  const before = ofBaseline(run.baseline);
  return {
    past: past.length > 0 || before === undefined ? past : [before.rotated],
    before,
    ...(last !== undefined && { seed: (last + 1 + run.beside) % 2 ** 31 }),
  };
}

/** What the baseline tried, and what passed there; nothing where it cannot be read, which whoever keeps it says. */
function ofBaseline(baseline: string | undefined): Settings['before'] {
  if (baseline === undefined) return undefined;
  try {
    const { run, requirements } = readRecord(baseline).conformance;
    const musts = requirements.filter((one) => one.level === 'must' && one.inScope && one.verdict === 'passed');
    return (
      run.rotated && { startedAt: run.startedAt, passed: musts.map(({ id }) => id), rotated: run.rotated.map(digested) }
    );
  } catch (error) {
    if (error instanceof RecordError) return undefined;
    throw error;
  }
}

/**
 * What failed in a run, was suspected, or was hidden by a failure, with what made the exchanges that show it.
 * @param only patterns of which an id has to match one, if there are any
 */
function failedIn({ conformance, exchanges, path }: RunRecord, only: readonly string[]): string[] {
  const evidence = new Map(Array.from(exchanges(), (one) => [one.id, one]));
  const { failures, advice } = findings(conformance, evidence);
  const hidden = new Set([...failures, ...advice].flatMap(({ unseen }) => unseen.map(({ id }) => id)));
  const isMeant = (one: RequirementResult) => one.verdict === 'failed' || hidden.has(one.id) || isOpen(one);
  const named = conformance.requirements.filter((one) => one.inScope && isMeant(one));
  const known = catalogue.map(({ id }) => id);
  const ids = idsToRerun(named, makersOf(conformance.requirements, evidence)).filter((id) =>
    known.some((one) => matches(id, one) && (only.length === 0 || only.some((pattern) => matches(pattern, one)))),
  );
  if (ids.length === 0)
    throw new RecordError(
      conformance.run.outOfReach?.length
        ? `${path}: that run did not reach the target, so what fails is not known; start one without --last-failed`
        : `${path}: nothing of what is selected failed there, so there is nothing to check again`,
    );
  return ids;
}

/** Whether what was tried told nothing: what seemed to fail did not stand, or was not tried again. */
const isOpen = ({ verdict, checks }: RequirementResult): boolean =>
  verdict === 'inconclusive' &&
  checks.some((check) => check.verdict === verdict && (check.exchanges.length > 0 || check.name === FAILED_BEFORE));
