/** Runs checks and determines their outcomes. */
import { numbers } from '../../contracts/numbers.ts';
import { operation, operations } from '../../contracts/operations.ts';
import { type CheckResult, EVERY_EXCHANGE } from '../../contracts/record.ts';
import { type Requirement, requirementById, requirements } from '../../contracts/requirements/index.ts';
import { redactedFinding } from '../../redaction/difference.ts';
import type { Redacted } from '../../redaction/types.ts';
import { NotMoved } from '../changes/money-account.ts';
import type { Check } from '../check.ts';
import { fixtureInWords, missingFixture } from '../configuration/fixtures.ts';
import { allows, exercises, inShard, isSelected, requirementInScope, riskOf } from '../configuration/scope.ts';
import { Context } from '../context.ts';
import type { Broken } from '../evidence/ledger.ts';
import type { Quiet } from '../quiet.ts';
import type { Run } from '../run.ts';
import { isLoss, Nonconformance } from '../verdict.ts';
import { type Outcome, verdictOf } from './outcome.ts';

export type Judged = Pick<
  CheckResult,
  'verdict' | 'message' | 'difference' | 'shownBy' | 'retrial' | 'leftOut' | 'further'
>;

/** Runs one check. A bug in the suite makes it inconclusive and the run incomplete: it accuses nobody. */
export async function execute(run: Run, check: Check): Promise<Outcome> {
  const requirement = requirementById(check.requirement);
  const leftOut = reasonToLeaveOut(run, requirement);
  // The target's time passes only for what is selected, never for the exchanges of a check alone.
  const isExercised = !leftOut || (check.phase !== 'clock' && exercises(run.configuration, requirement));
  const untried = isExercised ? reasonHindered(run, requirement) : leftOut;
  const { name } = check;
  if (untried)
    return { requirement: requirement.id, name, ...redacted(run, leftOut ?? untried), durationMs: 0, exchanges: [] };
  const quiet = run.quietOf(operation(requirement.operations[0]!).interface);
  // Checks that wait for the target's time to pass are not waited for.
  const isAwaited = check.phase !== 'clock';
  for (const key of requirement.needs)
    run.noteUse(key, 'fixtures file', fixtureInWords(run.configuration.fixtures, key));
  if (isAwaited) quiet.enter();
  try {
    const { outcome, isLost } = await carryOut(run, check, leftOut, { quiet, isAwaited });
    const lost: Outcome = isLost && outcome.verdict === 'blocked' ? { ...outcome, isLost } : outcome;
    if (!isLost || !mayBeRepeated(check) || reasonHindered(run, requirement)) return lost;
    const { outcome: again } = await carryOut(run, check, leftOut, { quiet, isAwaited, isRepeated: true });
    return DECISIVE.includes(again.verdict) ? again : lost;
  } finally {
    if (isAwaited) quiet.leave();
  }
}

/** Whether a check may be carried out once more: the last ones of the portal have an order, which that would break. */
const mayBeRepeated = ({ requirement, phase }: Check): boolean =>
  phase === 'main' || operation(requirementById(requirement).operations[0]!).interface !== 'v1';

/** Verdicts of the repetition that count; any other is for want of what the lost answer has used up. */
const DECISIVE: readonly CheckResult['verdict'][] = ['passed', 'failed', 'notApplicable'];

/** Carries out the body of a check. @returns its outcome, and whether that is for want of an answer that was lost */
async function carryOut(
  run: Run,
  check: Check,
  leftOut: Untried,
  options: { quiet: Quiet; isAwaited: boolean; isRepeated?: boolean },
): Promise<{ outcome: Outcome; isLost: boolean }> {
  const { requirement, name } = check;
  const start = performance.now();
  const context = new Context(run, `${requirement}: ${name}`, options);
  const result = (verdict: Judged, isLost = false): { outcome: Outcome; isLost: boolean } => ({
    isLost,
    outcome: {
      requirement,
      name,
      ...redacted(run, leftOut ?? verdict),
      durationMs: Math.round(performance.now() - start),
      exchanges: [...new Set(context.exchanges)],
    },
  });
  try {
    await run.untilOver(check.body(context));
    const seen = context.exchanges.length > 0;
    return result(
      seen ? { verdict: 'passed', message: '' } : { verdict: 'inconclusive', message: 'the check made no exchange' },
    );
  } catch (error) {
    if (error instanceof Nonconformance) {
      const shown = error.shownBy === undefined ? context.exchanges : [error.shownBy];
      run.rotations.suspect([...shown, ...context.suspected], requirement, context.exchanges);
    }
    const { outcome, isLost } = result(verdictOrDefect(run, context.name, error), isLoss(error));
    return { outcome: error instanceof NotMoved ? { ...outcome, isUnmoved: true } : outcome, isLost };
  } finally {
    await context.end();
  }
}

export const redacted = (
  { redactor }: Pick<Run, 'redactor'>,
  { further, ...judged }: Judged,
): Judged & { message: Redacted } => ({
  ...redactedFinding(redactor, judged),
  ...(further && { further: further.map((one) => redactedFinding(redactor, one)) }),
});

/** Limit on exchanges that one outcome cites. */
const MOST_CITED = 50;

const furtherOf = ({ message, difference, exchanges, times }: Broken) => ({
  message,
  ...(difference && { difference }),
  times,
  example: exchanges[0]!,
});

/** What the outcome of all exchanges is determined from: a run, or what witnessed traffic that others made. */
type Judging = Pick<Run, 'configuration' | 'redactor' | 'ledger' | 'coverage'>;

/** The outcome of a requirement that every exchange is judged by. @param hindered why it could not be tried */
export function judgeExchanges(run: Judging, requirement: Requirement, hindered: Untried): Outcome {
  const { kept, findings, sample, lacks, without } = run.ledger.tally(requirement.id);
  const result = (verdict: Judged, exchanges: string[]): Outcome => ({
    requirement: requirement.id,
    name: EVERY_EXCHANGE,
    ...redacted(run, verdict),
    durationMs: 0,
    exchanges,
  });
  const leftOut = reasonToLeaveOut(run, requirement);
  if (leftOut) return result(leftOut, []);
  const [first, ...others] = findings.toSorted((a, b) => (a.message < b.message ? -1 : 1));
  if (first) {
    const { message, difference, retrial, exchanges, times } = first;
    return result(
      {
        verdict: 'failed',
        message: message + (times > 1 ? ` (in ${times} exchanges)` : ''),
        difference,
        shownBy: exchanges[0],
        ...(retrial && { retrial }),
        ...(others.length > 0 && { further: others.map(furtherOf) }),
      },
      [...new Set([first, ...others].flatMap((one) => one.exchanges))].slice(0, MOST_CITED),
    );
  }
  const conflicts = requirement.id.endsWith('.required-only') ? run.ledger.conflicts(requirement.operations[0]!) : [];
  // A reading that is never answered otherwise: 409 is no answer to it (reading 7).
  if (conflicts.length >= numbers.conflicts)
    return result(
      {
        verdict: 'failed',
        message: 'every valid request is answered with 409, though it only reads',
        difference: { expected: 'success', actual: '409' },
        shownBy: conflicts[0],
      },
      [...conflicts],
    );
  if (kept > 0) return result({ verdict: 'passed', message: neverSeen(run, requirement) }, sample);
  if (hindered) return result(hindered, []);
  if (without.length > 0)
    return result(
      {
        verdict: 'notApplicable',
        message: `no request of this run was answered with ${lacks}, so there is nothing to judge`,
      },
      without,
    );
  return result({ verdict: 'inconclusive', message: 'no answer in this run was conclusive' }, []);
}

/**
 * Requirements that are judged by all exchanges, in scope or not. Includes those that a valid, read-only request
 * contradicts if it is refused again in quiet (reading 7), or a new session in which it is refused (reading 33).
 */
export const exchangeRequirements: readonly Requirement[] = requirements.filter(
  ({ id, everyExchange, risk }) =>
    everyExchange ||
    id === 'portal.login.begins-session' ||
    (id.endsWith('.required-only') && risk === 'safe' && !id.startsWith('portal.logout.')),
);

export type Untried = Pick<CheckResult, 'verdict' | 'message' | 'leftOut'> | undefined;

const skipped = (message: string, leftOut?: CheckResult['leftOut']) =>
  ({ verdict: 'skipped', message, ...(leftOut ? { leftOut } : {}) }) as const;

/** Why a requirement is left out whatever the exchanges show: out of scope or not selected. */
export function reasonToLeaveOut(run: Pick<Run, 'configuration'>, requirement: Requirement): Untried {
  if (!requirementInScope(run.configuration, requirement)) return skipped('not in scope', 'scope');
  return isSelected(run.configuration, requirement) ? undefined : notSelected(run, requirement);
}

/** Why a check cannot run: the target, the allowed risk or the fixtures. */
export function reasonHindered(run: Run, requirement: Requirement): Untried {
  const { configuration } = run;
  const judged = operations.find(({ id }) => requirement.operations[0] === id)!;
  const blocked = run.blockedReason(judged.interface) ?? run.ended;
  if (blocked) return { verdict: 'blocked', message: blocked };
  const risk = riskOf(configuration, requirement);
  if (!allows(configuration.run.risk, risk)) return skipped(`needs RUN_RISK=${risk}`);
  const missing = missingFixture(configuration.fixtures, requirement.needs);
  return missing ? skipped(`needs ${missing} in the fixtures file`) : undefined;
}

function notSelected({ configuration: { run } }: Pick<Run, 'configuration'>, requirement: Requirement) {
  return inShard(run.shard, requirement)
    ? skipped('not selected by --only', 'selection')
    : skipped(`not in this shard (${run.shard!.index}/${run.shard!.count})`, 'shard');
}

function neverSeen(run: Judging, requirement: Requirement): string {
  const members = requirement.id.endsWith('.shape') ? run.coverage.membersNeverSeen(requirement.operations[0]!) : [];
  return members.length > 0 ? `documented members never seen: ${members.join(', ')}` : '';
}

function verdictOrDefect(run: Run, where: string, error: unknown): Judged {
  try {
    return verdictOf(error);
  } catch (defect) {
    return { verdict: 'inconclusive', message: run.defect(where, defect) };
  }
}
