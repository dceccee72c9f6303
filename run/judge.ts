/** Judges traffic that others made, recorded or passing through. */
import { setImmediate } from 'node:timers/promises';
import type { Entry } from 'har-format';
import type { Conformance } from '../contracts/record.ts';
import { whileHolding } from '../files/hold.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import { Recorder } from '../helpers/evidence/recorder.ts';
import { type OddEntry, UnusableRecording } from '../witness/archive.ts';
import { exchangeOf } from '../witness/har.ts';
import type { Recorded } from '../witness/recorded.ts';
import { assemble, type Findings, NO_FACTS } from './assemble.ts';
import { writeRecord } from './finish.ts';
import { Judgement } from './judgement.ts';
import { configurationOf, type RunOptions } from './options.ts';
import { prepare } from './prepare.ts';

/** Nothing in what was witnessed belongs to the interfaces. */
export class NothingSeen extends Error {
  override name = 'NothingSeen';
}

/** Traffic that was judged, with what is known of its target by then. */
export interface JudgedTraffic {
  configuration: Configuration;
  findings: Findings;
}

/**
 * The findings about all that was judged.
 * @param ended why it is not all
 * @throws NothingSeen when nothing belongs to the interfaces
 */
export function findingsOf(
  judgement: Judgement,
  source: 'recording' | 'proxy',
  startedAt: Date,
  { ended, interrupted = false }: { ended?: string | undefined; interrupted?: boolean } = {},
): JudgedTraffic {
  const { witness } = judgement;
  witness.settle();
  const { seen } = witness;
  if (seen.exchanges === 0)
    throw new NothingSeen(
      [ended, 'nothing was seen that belongs to the interfaces', ...witness.notes()].filter(Boolean).join('; '),
    );
  const { configuration, outcomes } = judgement;
  const facts = {
    ...NO_FACTS,
    requests: seen.exchanges,
    notes: witness.notes().map((note) => witness.redactor.text(note)),
    ...witness.coverage.facts(witness.redactor),
    ended,
    interrupted,
  };
  const reachability = { reached: [], blocked: new Map() };
  return { configuration, findings: { startedAt, finishedAt: new Date(), outcomes, facts, source, reachability } };
}

/** Exchanges that others made, in any order, and entries that are none. */
export type Recording = AsyncIterable<Recorded | OddEntry> | Iterable<Recorded | OddEntry>;

/** How long exchanges are taken in, in milliseconds, before signals and timers have their turn. */
const TURN_MS = 50;

async function* inTurn(recordings: Iterable<Recording>): AsyncGenerator<Recorded | OddEntry> {
  let turn = performance.now();
  for (const recording of recordings)
    for await (const one of recording) {
      yield one;
      if (performance.now() - turn < TURN_MS) continue;
      await setImmediate();
      turn = performance.now();
    }
}

/**
 * Judges the exchanges of recordings.
 * @param options.begin called once there is one: until then the report directory keeps what it holds
 * @param options.signal ends it early
 * @throws NothingSeen when nothing of them belongs to the interfaces
 */
export async function judgeRecordings(
  configuration: Configuration,
  recordings: Iterable<Recording>,
  recordIn: string | undefined,
  {
    begin,
    signal,
    onExchange,
  }: { begin?: () => void; signal?: AbortSignal | undefined; onExchange?: (count: number) => void } = {},
): Promise<JudgedTraffic> {
  const startedAt = new Date();
  const exchanges = inTurn(recordings);
  const first = await exchanges.next().catch((error: Error) => {
    throw error instanceof UnusableRecording ? new NothingSeen(error.message) : error;
  });
  if (first.done) throw new NothingSeen('nothing was seen that belongs to the interfaces');
  begin?.();
  const recorder = new Recorder(recordIn);
  const judgement = new Judgement(configuration, recorder);
  const { witness } = judgement;
  let ended: string | undefined;
  try {
    for (let next: IteratorResult<Recorded | OddEntry> = first; !next.done; next = await exchanges.next()) {
      if (signal?.aborted) break;
      if ('odd' in next.value) witness.pass(next.value);
      else judgement.take(next.value);
      onExchange?.(witness.seen.exchanges);
    }
  } catch (error) {
    if (!(error instanceof UnusableRecording)) throw error;
    ended = error.message;
  } finally {
    await exchanges.return(undefined);
    recorder.close();
  }
  const interrupted = signal?.aborted ?? false;
  return findingsOf(judgement, 'recording', startedAt, { ended: interrupted ? 'interrupted' : ended, interrupted });
}

/** Options of a judgement. */
export type JudgeOptions = Omit<RunOptions, 'risk' | 'concurrency' | 'rate' | 'bail' | 'confirmHost'>;

/**
 * Judges recorded traffic against both documents. Nothing is sent, and nothing written unless `reportDir` is given.
 *
 * @example
 * const { log } = JSON.parse(await readFile('traffic.har', 'utf8'));
 * const record = await judge(log.entries, { target: { baseUrl: 'https://cards.example' } });
 *
 * @param entries entries of an HTTP Archive (HAR 1.2)
 * @returns the record, as written to conformance.json
 * @throws ConfigurationError with all faults of the options
 * @throws NothingSeen when none of them belongs to the interfaces
 * @throws DirectoryInUse when another run writes to `reportDir`
 */
export async function judge(
  entries: Iterable<Entry> | AsyncIterable<Entry>,
  options: JudgeOptions = {},
): Promise<Conformance> {
  const given = await configurationOf(options, { purpose: 'judgement' });
  async function* exchanges(): AsyncGenerator<Recorded | OddEntry> {
    let number = 0;
    for await (const entry of entries) yield* exchangeOf(entry, ++number, 'the entries');
  }
  if (options.reportDir === undefined) {
    const { configuration, findings } = await judgeRecordings(given, [exchanges()], undefined);
    return assemble(configuration, findings);
  }
  const { reportDir } = given.run;
  return whileHolding(reportDir, 'a judgement', async () => {
    const begin = () => void prepare(given);
    const { configuration, findings } = await judgeRecordings(given, [exchanges()], reportDir, { begin });
    return writeRecord(configuration, findings);
  });
}
