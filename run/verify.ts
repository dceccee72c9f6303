/** Verifies a record: whether it is consistent, and whether its verdicts follow from its exchanges by the catalogue that judged it. */
import { tmpdir } from 'node:os';
import type { CheckResult, Exchange, RequirementResult } from '../contracts/record.ts';
import { SUSPECTED } from '../contracts/record.ts';
import { MARKER } from '../contracts/redaction.ts';
import { requirementById, requirements } from '../contracts/requirements/index.ts';
import { readConfiguration } from '../helpers/configuration/index.ts';
import type { Outcome } from '../helpers/runner/outcome.ts';
import { RecordError, type RunRecord } from '../reports/record.ts';
import { cited } from '../reports/steps.ts';
import { requirementVerdict, summarise } from '../reports/verdicts.ts';
import type { OddEntry } from '../witness/archive.ts';
import type { Recorded } from '../witness/recorded.ts';
import { recordedIn } from '../witness/reports.ts';
import { SUITE } from './assemble.ts';
import { judgeRecordings } from './judge.ts';

/** What a record claims of a requirement: one that is neither passed nor failed claims nothing. */
export interface Claim {
  id: string;
  verdict: 'passed' | 'failed';
}

/** What came of verifying a record. */
export interface Verification {
  /** Number of recorded exchanges. */
  exchanges: number;
  /** Claims that the recorded exchanges show by themselves. */
  follows: Claim[];
  /** Claims that rest on how the run came to its exchanges, which only another run can show. */
  needsRun: Claim[];
  /** Number of requirements about which the record claims nothing. */
  unclaimed: number;
  /** Why the record does not hold, one sentence each: claims that its exchanges contradict, and what does not fit together. */
  faults: string[];
}

/**
 * Judges the exchanges of a record again, without its target and without its environment.
 * @throws RecordError when it cannot be read, or was judged by another catalogue
 * @throws NothingSeen when it holds no exchange
 */
export async function verify(record: RunRecord, onExchange?: (count: number) => void): Promise<Verification> {
  const { conformance } = record;
  expectSameCatalogue(record);
  const exchanges = new Map(Array.from(record.exchanges(), (one) => [one.id, one]));
  const outcomes = await outcomesOf(record, exchanges.values(), onExchange);
  const failed = conformance.requirements.filter(({ verdict }) => verdict === 'failed');
  const blamed = new Set(failed.flatMap(({ checks }) => checks.flatMap(cited)));
  const judged: Judged = { record, exchanges, blamed };
  const verification: Verification = {
    exchanges: exchanges.size,
    follows: [],
    needsRun: [],
    unclaimed: 0,
    faults: inconsistencies(record, exchanges),
  };
  for (const requirement of conformance.requirements) {
    const outcome = outcomes.get(requirement.id);
    const claim = claimOf(requirement);
    if (outcome && (await contradicts(requirement, outcome, judged)))
      verification.faults.push(contradictionInWords(requirement, outcome));
    else if (!claim) verification.unclaimed++;
    else if (outcome && shows(outcome, claim)) verification.follows.push(claim);
    else verification.needsRun.push(claim);
  }
  return verification;
}

/** @throws RecordError when the record is not of the catalogue that this version of the suite has */
export function expectSameCatalogue({ path, conformance: { suite } }: RunRecord): void {
  if (suite.catalogueDigest !== SUITE.catalogueDigest)
    throw new RecordError(
      `${path}: was judged by catalogue ${suite.catalogueDigest} of ${suite.name} ${suite.version}; this is ${SUITE.version} with catalogue ${SUITE.catalogueDigest}. Install that version, and call it there`,
    );
}

const claimOf = ({ id, inScope, verdict }: RequirementResult): Claim | undefined =>
  inScope && (verdict === 'passed' || verdict === 'failed') ? { id, verdict } : undefined;

/** What exchanges alone show of each requirement. The data that the run was given is not in a record, and does not count. */
async function outcomesOf(
  { path, conformance: { run } }: RunRecord,
  exchanges: Iterable<Exchange>,
  onExchange?: (count: number) => void,
): Promise<Map<string, Outcome>> {
  const settleMs = run.options?.['settle-ms'] ?? (run.settled && String(run.settled.settleMs));
  const given = await readConfiguration({
    env: {},
    options: settleMs === undefined ? {} : { 'settle-ms': settleMs },
    cwd: tmpdir(),
    withoutEnvFile: true,
    purpose: 'judgement',
  });
  const { findings } = await judgeRecordings(
    given,
    [recordedOf(exchanges, path)],
    undefined,
    onExchange && { onExchange },
  );
  return new Map(findings.outcomes.map((outcome) => [outcome.requirement, outcome]));
}

function* recordedOf(exchanges: Iterable<Exchange>, path: string): Generator<Recorded | OddEntry> {
  for (const one of exchanges) yield recordedIn(one, path);
}

/** Whether the exchanges show what is claimed. What they make suspect was tried again by the run that says it failed. */
const shows = ({ verdict, message }: Outcome, claim: Claim): boolean =>
  verdict === claim.verdict || (claim.verdict === 'failed' && message.startsWith(SUSPECTED));

/** A record that was judged again. */
interface Judged {
  record: RunRecord;
  exchanges: ReadonlyMap<string, Exchange>;
  /** The exchanges that failed requirements cite: what they show is accounted for. */
  blamed: ReadonlySet<string>;
}

/**
 * Whether the exchanges show the opposite of what is recorded. What several show together may be blamed on another requirement by the run, which knew
 * what each request was for; and what a rule holds against the data that the run was given may show nothing without it.
 */
async function contradicts(requirement: RequirementResult, outcome: Outcome, judged: Judged): Promise<boolean> {
  const { id, inScope, verdict, leftOut, checks } = requirement;
  if (!inScope || leftOut) return false;
  const { everyExchange } = requirementById(id);
  if (outcome.verdict === 'failed')
    return everyExchange ? verdict !== 'failed' : verdict === 'passed' && !isBlamed(outcome, judged);
  if (verdict !== 'failed' || !everyExchange) return false;
  const evidence = checks.flatMap(cited).flatMap((one) => judged.exchanges.get(one) ?? []);
  if (evidence.length === 0 || evidence.some(isMasked)) return false;
  return (await outcomesOf(judged.record, evidence)).get(id)?.verdict === 'passed';
}

/** Whether a failed requirement cites one of the exchanges that show something. A judgement numbers them in their order. */
function isBlamed(outcome: Outcome, { exchanges, blamed }: Judged): boolean {
  const recorded = [...exchanges.keys()];
  return outcome.exchanges.some((id) => blamed.has(recorded[Number(/\d+$/.exec(id)) - 1] ?? ''));
}

const MASKED = new RegExp(MARKER);

/** Whether a value of the answer is masked, so that it is not known any more what was wrong with it. */
const isMasked = ({ response }: Exchange): boolean => MASKED.test(response?.body ?? '');

function contradictionInWords({ id, verdict }: RequirementResult, outcome: Outcome): string {
  const shown = outcome.verdict === 'failed' ? `break it: ${outcome.message}` : 'do not show that';
  return `${id}: recorded as ${verdict}, but the recorded exchanges ${shown}`;
}

/** What in a record does not fit together. */
function inconsistencies({ conformance }: RunRecord, exchanges: ReadonlyMap<string, Exchange>): string[] {
  const { requirements: results, summary, run } = conformance;
  const faults = results.flatMap((one) => requirementFaults(one, exchanges));
  const ids = new Set(results.map(({ id }) => id));
  const missing = requirements.filter(({ id }) => !ids.has(id)).map(({ id }) => `${id}: is not in the record`);
  const counted = JSON.stringify(summarise(results, run.complete));
  const isCounted = counted === JSON.stringify(summary);
  return [
    ...faults,
    ...missing,
    ...(isCounted ? [] : ['summary: does not follow from the verdicts of the requirements']),
  ];
}

function requirementFaults(
  { id, level, text, verdict, checks, inScope }: RequirementResult,
  exchanges: ReadonlyMap<string, Exchange>,
): string[] {
  const stated = requirements.find((one) => one.id === id);
  if (stated?.level !== level || stated.text !== text) return [`${id}: is not so in the catalogue`];
  const followed = checks.length > 0 ? requirementVerdict(checks) : undefined;
  const isClaim = inScope && (verdict === 'passed' || verdict === 'failed');
  if (followed ? followed !== verdict : isClaim)
    return [`${id}: recorded as ${verdict}, but its checks say ${followed ?? 'nothing'}`];
  const lost = isClaim ? lostOf(checks, exchanges) : [];
  return lost.length > 0 ? [`${id}: its evidence ${lost.join(', ')} is not among the recorded exchanges`] : [];
}

const lostOf = (checks: readonly CheckResult[], exchanges: ReadonlyMap<string, Exchange>): string[] =>
  [...new Set(checks.flatMap(cited))].filter((id) => !exchanges.has(id)).slice(0, 3);
