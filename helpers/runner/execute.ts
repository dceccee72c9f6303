/** Runs checks and says what came of them. */
import { operations } from '../../contracts/operations.ts';
import { type CheckResult, EVERY_EXCHANGE } from '../../contracts/record.ts';
import { type Requirement, requirementById, requirements } from '../../contracts/requirements/index.ts';
import type { Check } from '../check.ts';
import { fixtureInWords, missingFixture } from '../configuration/fixtures.ts';
import { allows, exercises, inShard, isSelected, requirementInScope, riskOf } from '../configuration/scope.ts';
import { Context } from '../context.ts';
import type { Run } from '../run.ts';
import { type Outcome, verdictOf } from './outcome.ts';

type Judged = Pick<CheckResult, 'verdict' | 'message' | 'difference' | 'shownBy' | 'leftOut'>;

/** Runs one check. A mistake of the suite itself is an inconclusive verdict that says so: it accuses nobody and hides nothing. */
export async function execute(run: Run, check: Check): Promise<Outcome> {
  const requirement = requirementById(check.requirement);
  const leftOut = reasonToLeaveOut(run, requirement);
  const isExercised = !leftOut || exercises(run.configuration, requirement);
  const untried = isExercised ? reasonHindered(run, requirement) : leftOut;
  const { name } = check;
  if (untried)
    return { requirement: requirement.id, name, ...redacted(run, leftOut ?? untried), durationMs: 0, exchanges: [] };
  const start = performance.now();
  const context = new Context(run, `${requirement.id}: ${name}`);
  const result = (verdict: Judged): Outcome => ({
    requirement: requirement.id,
    name,
    ...redacted(run, verdict),
    durationMs: Math.round(performance.now() - start),
    exchanges: [...new Set(context.exchanges)],
  });
  for (const key of requirement.needs)
    run.noteUse(key, 'fixtures file', fixtureInWords(run.configuration.fixtures, key));
  try {
    await run.untilOver(check.body(context));
    if (leftOut) return result(leftOut);
    const seen = context.exchanges.length > 0;
    return result(
      seen ? { verdict: 'passed', message: '' } : { verdict: 'inconclusive', message: 'no exchange was seen' },
    );
  } catch (error) {
    return result(leftOut ?? verdictOrDefect(error));
  } finally {
    await context.end();
  }
}

/** A verdict as it may be shown. */
const redacted = ({ redactor }: Run, { message, difference, ...judged }: Judged): Judged => ({
  ...judged,
  message: redactor.text(message),
  ...(difference ? { difference: redactor.value(difference) as Judged['difference'] } : {}),
});

/** What is known of a requirement that every exchange is held against, once all checks are done. */
export function judgeExchanges(run: Run, requirement: Requirement): Outcome {
  const { kept, broken, findings, sample, lacks, without } = run.ledger.tally(requirement.id);
  const result = (verdict: Judged, exchanges: string[]): Outcome => ({
    requirement: requirement.id,
    name: EVERY_EXCHANGE,
    ...redacted(run, verdict),
    durationMs: 0,
    exchanges,
  });
  const leftOut = reasonToLeaveOut(run, requirement);
  if (leftOut) return result(leftOut, []);
  // Exchanges end in any order: which of their findings is shown does not depend on it.
  const [first, ...others] = findings.toSorted((a, b) => (a.message < b.message ? -1 : 1));
  if (first) {
    const often = broken > 1 ? ` (${broken} exchanges break it)` : '';
    return result(
      {
        verdict: 'failed',
        message: first.message + often,
        difference: first.difference,
        shownBy: first.exchange,
      },
      [first, ...others].map((finding) => finding.exchange),
    );
  }
  if (kept > 0) return result({ verdict: 'passed', message: neverSeen(run, requirement) }, sample);
  const hindered = reasonHindered(run, requirement);
  if (hindered) return result(hindered, []);
  if (without.length > 0)
    return result({ verdict: 'notApplicable', message: `${lacks} was never answered in this run` }, without);
  return result({ verdict: 'inconclusive', message: 'no conclusive answer came in this run' }, []);
}

/**
 * Requirements in scope or not that are judged by every exchange; and those that a valid request contradicts which only reads, is refused
 * and is accepted when it is repeated (reading 7).
 */
export const exchangeRequirements: readonly Requirement[] = requirements.filter(
  ({ id, everyExchange, risk }) =>
    everyExchange || (id.endsWith('.required-only') && risk === 'safe' && !id.startsWith('portal.logout.')),
);

type Untried = Pick<CheckResult, 'verdict' | 'message' | 'leftOut'> | undefined;

const skipped = (message: string, leftOut?: CheckResult['leftOut']) =>
  ({ verdict: 'skipped', message, ...(leftOut ? { leftOut } : {}) }) as const;

/** Out of scope or not selected: left out whatever the exchanges of the run showed. */
function reasonToLeaveOut(run: Run, requirement: Requirement): Untried {
  if (!requirementInScope(run.configuration, requirement)) return skipped('not in scope', 'scope');
  return isSelected(run.configuration, requirement) ? undefined : notSelected(run, requirement);
}

/** What of the target, the risk allowed or the fixtures is in the way of a check. */
function reasonHindered(run: Run, requirement: Requirement): Untried {
  const { configuration } = run;
  const judged = operations.find(({ id }) => requirement.operations[0] === id)!;
  const blocked = run.blockedReason(judged.interface) ?? run.ended;
  if (blocked) return { verdict: 'blocked', message: blocked };
  const risk = riskOf(configuration, requirement);
  if (!allows(configuration.run.risk, risk)) return skipped(`needs RUN_RISK=${risk}`);
  const missing = missingFixture(configuration.fixtures, requirement.needs);
  return missing ? skipped(`needs ${missing} in the fixtures file`) : undefined;
}

function notSelected({ configuration: { run } }: Run, requirement: Requirement) {
  return inShard(run.shard, requirement)
    ? skipped('not selected by --only', 'selection')
    : skipped(`not in this shard (${run.shard!.index}/${run.shard!.count})`, 'shard');
}

function neverSeen(run: Run, requirement: Requirement): string {
  const members = requirement.id.endsWith('.shape') ? run.membersNeverSeen(requirement.operations[0]!) : [];
  return members.length > 0 ? `documented members never seen: ${members.join(', ')}` : '';
}

function verdictOrDefect(error: unknown): Judged {
  try {
    return verdictOf(error);
  } catch (defect) {
    const { name, message } = defect as Error;
    return { verdict: 'inconclusive', message: `a mistake of the suite, please report it: ${name}: ${message}` };
  }
}
