/** Joins the records of one run's shards into the record that the whole run would have written. */
import { join, resolve } from 'node:path';
import type {
  Account,
  CheckResult,
  Conformance,
  Observation,
  RequirementResult,
  Retrial,
  Rotated,
  Verdict,
} from '../contracts/record.ts';
import { writeFileJson } from '../files/json.ts';
import { LineFile, makeDirectory, writeWholeFile } from '../files/write.ts';
import { CHANGES, CONFORMANCE, EXCHANGES, RecordError, type RunRecord } from './record.ts';
import { isInShard, isSelected, shardOf } from './selection.ts';
import { summarise } from './verdicts.ts';

/**
 * The verdict over shards: the worst decides, but a requirement that one shard saw kept counts as seen, even if another
 * shard had no evidence.
 */
const ACROSS_SHARDS: readonly Verdict[] = ['failed', 'blocked', 'passed', 'notApplicable', 'inconclusive', 'skipped'];

/**
 * The record of the whole run. Ids of exchanges and changes are prefixed with the shard to stay distinct: `x00012` of
 * shard 2 becomes `s2x00012`.
 *
 * @example
 * const whole = merge(['reports/shard-1', 'reports/shard-2'].map(readRecord));
 *
 * @throws RecordError when the records are not all the shards of one run
 */
export function merge(records: readonly RunRecord[]): Conformance {
  const shards = inOrder(records);
  const conformances = shards.map(({ conformance }, i) => renumbered(conformance, i + 1));
  const first = conformances[0]!;
  const shardsById = conformances.map(({ requirements }) => new Map(requirements.map((one) => [one.id, one])));
  const requirements = first.requirements.map(({ id }) =>
    mergeRequirement(
      id,
      shardsById.map((byId) => byId.get(id)!),
    ),
  );
  const run = mergeRuns(
    conformances.map(({ run }) => run),
    shardOf(first.run.selection)!.whole,
  );
  return {
    ...first,
    run,
    summary: summarise(requirements, run.complete),
    requirements,
    observations: mergeObservations(conformances.flatMap(({ observations }) => observations)),
  };
}

/** @throws RecordError when the directory is that of a shard, so that the merged record would replace it */
export function refuseShard(records: readonly RunRecord[], directory: string): void {
  const own = records.find(({ path }) => resolve(path) === resolve(directory));
  if (own) throw new RecordError(`${own.path}: is a shard, so the merged record cannot be written there`);
}

/**
 * Writes a merged record, with its shards' exchanges and changes, as a report directory that has no record.
 *
 * @throws RecordError when a file of a shard cannot be read
 */
export function writeMerged(records: readonly RunRecord[], merged: Conformance, directory: string): void {
  const shards = inOrder(records);
  makeDirectory(directory);
  writeLines(join(directory, EXCHANGES), shards, function* (record, prefix) {
    for (const { id, credential, gives, ...exchange } of record.exchanges())
      yield {
        ...exchange,
        id: prefix + id,
        ...(credential && { credential: prefix + credential }),
        ...(gives && { gives: prefix + gives }),
      };
  });
  writeLines(join(directory, CHANGES), shards, function* (record, prefix) {
    for (const change of record.changes()) {
      yield { ...change, id: prefix + change.id, ...(change.exchange && { exchange: prefix + change.exchange }) };
    }
  });
  writeWholeFile(join(directory, CONFORMANCE), `${writeFileJson(merged, 2)}\n`);
}

/** The records in the order of their shards, after checking that they are all the shards of one run. */
function inOrder(records: readonly RunRecord[]): RunRecord[] {
  const [first] = records;
  if (first === undefined) throw new RecordError('name the report directories of the shards to merge');
  const whole = shardOf(first.conformance.run.selection);
  const shards = new Map<number, RunRecord>();
  for (const record of records) {
    const { conformance, path } = record;
    const part = shardOf(conformance.run.selection);
    if (!whole || !part) throw new RecordError(`${(whole ? record : first).path}: is not the record of a shard`);
    const differing = Object.keys(SAME).find((name) => SAME[name]!(conformance) !== SAME[name]!(first.conformance));
    if (differing)
      throw new RecordError(`${path}: has another ${differing} than ${first.path}, so they are not shards of one run`);
    const twice = shards.get(part.shard.index);
    if (twice) throw new RecordError(`${path}: is shard ${part.shard.index}, and so is ${twice.path}`);
    shards.set(part.shard.index, record);
  }
  return Array.from({ length: whole!.shard.count }, (_, i) => {
    const shard = shards.get(i + 1);
    if (!shard) throw new RecordError(`shard ${i + 1}/${whole!.shard.count} is missing`);
    return shard;
  });
}

/** Properties that the shards of one run share. The embedded sandbox is a target of its own in each shard. */
const SAME: Record<string, (conformance: Conformance) => string> = {
  target: ({ target }) => (target.embedded ? 'embedded' : target.name),
  'version of the target': ({ target }) => target.version,
  'version of the suite': ({ suite }) => `${suite.name} ${suite.version}`,
  catalogue: ({ suite, requirements }) =>
    [suite.catalogueDigest, ...requirements.map(({ id }) => id).sort()].join('\n'),
  risk: ({ run }) => run.risk,
  'number of shards': ({ run }) => `${shardOf(run.selection)?.shard.count}`,
  selection: ({ run }) => shardOf(run.selection)?.whole ?? '',
  'list of operations': ({ run }) => (run.operations ?? []).join(),
};

function renumbered(conformance: Conformance, shard: number): Conformance {
  const idOf = (exchange: string) => prefixOf(shard) + exchange;
  const renumberedRetrial = ({ control, exchanges, once, ...retrial }: Retrial): Retrial => ({
    ...retrial,
    exchanges: exchanges.map(idOf),
    ...(control && { control: idOf(control) }),
    ...(once && { once: once.map(idOf) }),
  });
  const renumberedCheck = ({ shownBy, retrial, further, ...check }: CheckResult): CheckResult => ({
    ...check,
    exchanges: check.exchanges.map(idOf),
    ...(shownBy && { shownBy: idOf(shownBy) }),
    ...(retrial && { retrial: renumberedRetrial(retrial) }),
    ...(further && { further: further.map((one) => ({ ...one, example: idOf(one.example) })) }),
  });
  const requirements = conformance.requirements.map(({ retrial, checks, ...one }) => ({
    ...one,
    ...(retrial && { retrial: renumberedRetrial(retrial) }),
    checks: checks.map(renumberedCheck),
  }));
  const suspected = conformance.run.suspected?.map((one) => ({ ...one, exchanges: one.exchanges.map(idOf) }));
  return { ...conformance, run: { ...conformance.run, ...(suspected && { suspected }) }, requirements };
}

const prefixOf = (shard: number): string => `s${shard}`;

function mergeRequirement(id: string, results: readonly RequirementResult[]): RequirementResult {
  if (!results.some(isInShard))
    throw new RecordError(`${id} is in none of the shards, so they are not shards of one run`);
  const selected = results.filter(isSelected);
  const tried = selected.length > 0 ? selected : results;
  const deciding = worst(tried);
  const checks = Map.groupBy(
    tried.flatMap(({ checks }) => checks),
    ({ name }) => name,
  );
  // Known and outdated failures are determined for the whole run.
  return { ...deciding, known: null, checks: [...checks.values()].map(mergeChecks) };
}

function mergeChecks(checks: CheckResult[]): CheckResult {
  return {
    ...worst(checks),
    durationMs: checks.reduce((sum, { durationMs }) => sum + durationMs, 0),
    exchanges: checks.flatMap(({ exchanges }) => exchanges),
  };
}

/** The shard result whose verdict decides. */
const worst = <T extends { verdict: Verdict }>(results: readonly T[]): T =>
  results.toSorted((a, b) => ACROSS_SHARDS.indexOf(a.verdict) - ACROSS_SHARDS.indexOf(b.verdict))[0]!;

type Settled = NonNullable<Conformance['run']['settled']>;

/** What two shards measured of effects. */
const slower = (one: Settled, other: Settled): Settled => ({
  settleMs: Math.max(one.settleMs, other.settleMs),
  effects: one.effects + other.effects,
  slowestMs: Math.max(one.slowestMs, other.slowestMs),
  waitedMs: one.waitedMs + other.waitedMs,
});

function mergeRuns(runs: readonly Conformance['run'][], selection: string): Conformance['run'] {
  const startedAt = runs.map((run) => run.startedAt).sort()[0]!;
  const finishedAt = runs
    .map((run) => run.finishedAt)
    .sort()
    .at(-1)!;
  const seeds = [...new Set(runs.map(({ seed }) => seed))];
  const all = <T>(list: (run: Conformance['run']) => T[] | undefined) => runs.flatMap((run) => list(run) ?? []);
  const notes = [...new Set(all(({ notes }) => notes))];
  if (seeds.length > 1) notes.push(`the shards ran with different seeds: ${seeds.join(', ')}`);
  const outOfReach = runs.every((run) => run.outOfReach?.length) ? all((run) => run.outOfReach) : [];
  const because = [...new Set(all(({ incompleteBecause }) => (incompleteBecause ? [incompleteBecause] : [])))];
  const { outOfReach: _, cardStates: __, settled: ___, account: ____, asBaseline: _____, ...first } = runs[0]!;
  const accounts = all(({ account }) => account && [account]);
  const settled = all(({ settled: one }) => one && [one]);
  const cardStates = all(({ cardStates: seen }) => seen && [seen]);
  return {
    ...first,
    ...(outOfReach.length > 0 ? { outOfReach: distinct(outOfReach) } : {}),
    startedAt,
    finishedAt,
    durationMs: Date.parse(finishedAt) - Date.parse(startedAt),
    selection,
    complete: runs.every(({ complete }) => complete),
    requests: runs.reduce((sum, { requests }) => sum + requests, 0),
    interrupted: runs.some(({ interrupted }) => interrupted === true),
    incompleteBecause: because.join('; '),
    shards: runs.map(({ risk, seed, options }) => options ?? { risk, seed: String(seed) }),
    fixtures: distinct(all(({ fixtures }) => fixtures)),
    absent: distinct(all(({ absent }) => absent)),
    pools: mergePools(all(({ pools }) => pools)),
    seen: mergeSeen(all(({ seen }) => seen)),
    ...(accounts.length > 0 && { account: mergeAccounts(accounts) }),
    ...(settled.length > 0 && { settled: settled.reduce(slower) }),
    ...(cardStates.length > 0 && {
      cardStates: {
        states: [...new Set(cardStates.flatMap(({ states }) => states))].sort(),
        transitions: distinct(cardStates.flatMap(({ transitions }) => transitions)),
      },
    }),
    rotated: mergeRotated(all(({ rotated }) => rotated)),
    suspected: all(({ suspected }) => suspected),
    readings: mergeReadings(all(({ readings }) => readings)),
    ...mergedAsBaseline(all(({ asBaseline }) => asBaseline && [asBaseline])),
    plainlyFailed: [...new Set(all(({ plainlyFailed }) => plainlyFailed))].sort(),
    notes,
  };
}

type AsBaseline = NonNullable<Conformance['run']['asBaseline']>;

/** What the shards tried in the forms of one baseline. */
const mergedAsBaseline = (all: readonly AsBaseline[]): Pick<Conformance['run'], 'asBaseline'> =>
  new Set(all.map(({ startedAt }) => startedAt)).size === 1
    ? { asBaseline: { startedAt: all[0]!.startedAt, verdicts: all.flatMap(({ verdicts }) => verdicts) } }
    : {};

type Seen = NonNullable<Conformance['run']['seen']>[number];
/** What all shards did: each saw the cards for itself, the first before, the last after. */
export function mergeAccounts(accounts: readonly Account[]): Account {
  const sum = (of: (account: Account) => number) => accounts.reduce((total, account) => total + of(account), 0);
  const inCents = (units: number) => Math.round(units * 100) / 100;
  const changes = Map.groupBy(
    accounts.flatMap((account) => account.changes),
    ({ operation }) => operation,
  );
  const cards = Map.groupBy(
    accounts.flatMap((account) => account.cards),
    ({ identifier }) => identifier,
  );
  return {
    cards: [...cards.values()].map((parts) => ({ ...parts[0]!, after: { ...parts.at(-1)!.after } })),
    money: {
      transfers: sum(({ money }) => money.transfers),
      moved: inCents(sum(({ money }) => money.moved)),
      missing: inCents(sum(({ money }) => money.missing)),
    },
    orders: sum(({ orders }) => orders),
    cipChecks: sum(({ cipChecks }) => cipChecks),
    usedUp: [...new Set(accounts.flatMap(({ usedUp }) => usedUp))],
    changes: [...changes].map(([operation, parts]) => {
      const count = (of: 'accepted' | 'undone' | 'stays' | 'open') => parts.reduce((all, one) => all + one[of], 0);
      return {
        operation,
        accepted: count('accepted'),
        undone: count('undone'),
        stays: count('stays'),
        open: count('open'),
      };
    }),
  };
}

type Readings = NonNullable<Conformance['run']['readings']>[number];

/** The readings of all shards, by operation. */
const mergeReadings = (readings: readonly Readings[]): Readings[] =>
  [...Map.groupBy(readings, ({ operation }) => operation)].map(([operation, parts]) => ({
    operation,
    asked: parts.reduce((sum, { asked }) => sum + asked, 0),
    refused: parts.reduce((sum, { refused }) => sum + refused, 0),
  }));

type Pool = NonNullable<Conformance['run']['pools']>[number];

/** Combines the shards' pools. One shard uses cards up: a later one sees these as spent, an earlier one as left. */
export const mergePools = (pools: readonly Pool[]): Pool[] =>
  [...Map.groupBy(pools, ({ pool }) => pool).values()].map((parts) =>
    parts.reduce((all, part) => ({
      pool: all.pool,
      given: Math.max(all.given, part.given),
      spentBefore: Math.min(all.spentBefore, part.spentBefore),
      used: all.used + part.used,
      left: Math.min(all.left, part.left),
      ...(all.runsLeft !== undefined &&
        part.runsLeft !== undefined && { runsLeft: Math.min(all.runsLeft, part.runsLeft) }),
    })),
  );

/** What shards saw of each operation, in the order in which they first did. */
const mergeSeen = (seen: readonly Seen[]): Seen[] =>
  [...Map.groupBy(seen, ({ operation }) => operation)].map(([operation, same]) => {
    const statuses: Record<string, number> = {};
    for (const [status, times] of same.flatMap((one) => Object.entries(one.statuses)))
      statuses[status] = (statuses[status] ?? 0) + times;
    const [first, ...others] = same.map((one) => one.membersNeverSeen);
    return {
      operation,
      statuses,
      membersNeverSeen: first!.filter((name) => others.every((one) => one.includes(name))),
    };
  });

/** Combines the forms that the shards tried. */
const mergeRotated = (rotated: readonly Rotated[]): Rotated[] =>
  [...Map.groupBy(rotated, ({ subject }) => subject).values()].map((same) => {
    const tried = new Set(same.flatMap((one) => one.tried));
    const left = [...new Set(same.flatMap((one) => one.left ?? []))].filter((form) => !tried.has(form));
    const suspected = [
      ...Map.groupBy(
        same.flatMap((one) => one.suspected ?? []),
        ({ form }) => form,
      ),
    ].map(([form, shown]) => ({ form, failed: [...new Set(shown.flatMap(({ failed }) => failed))] }));
    const pairs = same.find((one) => one.pairs)?.pairs;
    return {
      subject: same[0]!.subject,
      tried: [...tried],
      forms: same[0]!.forms,
      ...(suspected.length > 0 && { suspected }),
      ...(left.length > 0 && { left }),
      ...(pairs && { pairs }),
    };
  });

/** One observation per id, with all values if the shards' differ. */
const mergeObservations = (observations: readonly Observation[]): Observation[] =>
  [...Map.groupBy(observations, ({ id }) => id).values()].map((same) => ({
    ...same[0]!,
    value: [...new Set(same.map(({ value }) => value))].join('; '),
  }));

const distinct = <T>(list: readonly T[]): T[] => [
  ...new Map(list.map((item) => [JSON.stringify(item), item])).values(),
];

function writeLines(
  file: string,
  shards: readonly RunRecord[],
  lines: (record: RunRecord, prefix: string) => Iterable<unknown>,
): void {
  const out = new LineFile(file, false);
  try {
    for (const [i, record] of shards.entries()) {
      for (const line of lines(record, prefixOf(i + 1))) out.write(writeFileJson(line));
    }
  } finally {
    out.close();
  }
}
