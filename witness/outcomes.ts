/** The outcome of every requirement by what was witnessed. */
import { SUSPECTED } from '../contracts/record.ts';
import { type Requirement, requirements } from '../contracts/requirements/index.ts';
import type { Answer } from '../helpers/answer.ts';
import type { Suite } from '../helpers/check.ts';
import type { Known, Shown, Watched } from '../helpers/evidence/monitor.ts';
import { type Judged, judgeExchanges, reasonToLeaveOut, redacted, type Untried } from '../helpers/runner/execute.ts';
import type { Outcome } from '../helpers/runner/outcome.ts';
import type { Witness } from './witness.ts';

/** The name of the check that stands for what exchanges show together. */
const TOGETHER = 'all exchanges together';
/** Limit on exchanges that are cited for a requirement that is kept. */
const MOST_CITED = 25;

/** What was witnessed, with the configuration of the target as it is known by then. */
type Witnessed = Pick<Witness, 'configuration' | 'redactor' | 'ledger' | 'coverage' | 'seen'>;

/** Judges every requirement. @param history all exchanges for monitors */
export function outcomesOf(
  witness: Witnessed,
  history: readonly Answer[],
  { monitors = [] }: Pick<Suite, 'monitors'>,
): Outcome[] {
  const { fixtures, run } = witness.configuration;
  const { settleMs } = run;
  // What one recording holds soon after another one may have been sent before it.
  const isSettleGiven = run.isSettleGiven || witness.seen.recordings.size > 1;
  const known: Known = { fixtures, settleMs, isSettleGiven };
  const watching = Map.groupBy(monitors, ({ requirement }) => requirement);
  return requirements.map((requirement) => {
    if (requirement.everyExchange) return judgeExchanges(witness, requirement, whyUnseen(witness, requirement));
    const leftOut = reasonToLeaveOut(witness, requirement);
    const { exchanges, ...judged } = leftOut
      ? { ...leftOut, exchanges: [] }
      : together(witness, requirement, watching.get(requirement.id) ?? [], history, known);
    return {
      requirement: requirement.id,
      name: TOGETHER,
      ...redacted(witness, judged),
      durationMs: 0,
      exchanges,
    };
  });
}

/** What a monitor finds, and what of it is a suspicion. */
function findingsOf({ monitor, isSuspicion, isConfirmed }: Watched, history: readonly Answer[], known: Known) {
  const found = [...monitor(history, known)];
  const contradictions = found.filter((shown) => shown.shows === 'contradiction');
  const stands = (shown: Shown) => shown.shows === 'contradiction' && isConfirmed?.(shown, contradictions, known);
  return found.map((shown) => ({ shown, isSuspicion: isSuspicion && !stands(shown) }));
}

const cited = (found: readonly Shown[]): string[] =>
  [...new Set(found.flatMap(({ by }) => by.map(({ exchange }) => exchange)))].slice(0, MOST_CITED);

/** What monitors find about a requirement: a plain contradiction accuses, a suspicion says how it is tried again. */
function together(
  witness: Witnessed,
  requirement: Requirement,
  watching: readonly Watched[],
  history: readonly Answer[],
  known: Known,
): Judged & { exchanges: string[] } {
  const found = watching.flatMap((watched) => findingsOf(watched, history, known));
  const contradictions = found.flatMap(({ shown, isSuspicion }) =>
    shown.shows === 'contradiction' ? [{ shown, isSuspicion }] : [],
  );
  const plain = contradictions.find(({ isSuspicion }) => !isSuspicion)?.shown;
  if (plain) {
    const { message, difference, by } = plain;
    return { verdict: 'failed', message, difference, shownBy: by.at(-1)!.exchange, exchanges: cited([plain]) };
  }
  const [suspicion] = contradictions;
  if (suspicion) {
    const message = `${SUSPECTED}${suspicion.shown.message}; ${again(requirement)}`;
    return { verdict: 'inconclusive', message, exchanges: cited([suspicion.shown]) };
  }
  const kept = found.map(({ shown }) => shown).filter(({ shows }) => shows === 'kept');
  if (kept.length > 0) return { verdict: 'passed', message: '', exchanges: cited(kept) };
  const open = found.map(({ shown }) => shown).filter((shown) => shown.shows === 'nothing');
  if (open[0]) {
    const verdict = open[0].isNotApplicable ? 'notApplicable' : 'inconclusive';
    return { verdict, message: open[0].reason, exchanges: cited(open) };
  }
  const reason = whyUnseen(witness, requirement) ?? unseen(watching);
  return { ...reason, exchanges: [] };
}

/** What settles a suspicion: the requests, and the options of a run that makes them. */
const again = ({ id, risk, operations }: Requirement): string =>
  `requests of ${operations.join(', ')} to the target settle it: --only ${id}${risk === 'safe' ? '' : ` --risk ${risk}`}, or --settle with this report directory for all that is suspected`;

const skipped = (message: string) => ({ verdict: 'skipped', message }) as const;

const unseen = (watching: readonly Watched[]) =>
  skipped(
    watching.length === 0
      ? 'only a run can show it, which makes requests of its own for it'
      : 'nothing that was seen shows it',
  );

/** Why a requirement was not judged: none of its operations was called, or none of the calls was about it. */
function whyUnseen({ coverage, ledger }: Witnessed, { operations, id, everyExchange }: Requirement): Untried {
  const called = operations.filter((operation) => coverage.has(operation));
  if (called.length === 0) return skipped('no request for the operation was seen');
  return everyExchange && ledger.tally(id).without.length === 0 ? skipped('nothing that was seen shows it') : undefined;
}
