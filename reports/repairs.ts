/** What became of the failures of an earlier run: repaired, still there, and what a repair brought to light. */
import type { Conformance, RequirementResult } from '../contracts/record.ts';
import { callAlone } from './call-of.ts';
import type { Cause } from './causes.ts';
import { count, cut, dateInWords, some, visible } from './text.ts';

/** The failures of an earlier run. */
export interface Earlier {
  startedAt: string;
  causes: readonly Cause[];
}

/** What became of one cause. */
export interface Repair {
  cause: Cause;
  /** `not seen`: what was tried again gave no verdict, or was not tried. */
  state: 'repaired' | 'still there' | 'not seen';
  /** Why it was not seen; empty otherwise. */
  reason: string;
  /** What the cause hid, by what is known of it now. */
  unhid: { passed: string[]; failed: string[]; unseen: string[] };
}

/** Verdicts that show a requirement to be kept. */
const KEPT: readonly RequirementResult['verdict'][] = ['passed', 'notApplicable'];

/** What became of each cause, in the order of the earlier run, and requirements that fail only now and were not hidden. */
export function repairsOf(
  { causes }: Earlier,
  { requirements }: Pick<Conformance, 'requirements'>,
): { repairs: Repair[]; others: string[] } {
  const now = new Map(requirements.map(({ id, verdict }) => [id, verdict]));
  const reasons = new Map(requirements.map((one) => [one.id, whyNotSeen(one)]));
  const failed = (id: string) => now.get(id) === 'failed';
  const kept = (id: string) => KEPT.includes(now.get(id)!);
  const repairs = causes.map((cause): Repair => {
    const ids = idsOf(cause.requirements);
    const hid = idsOf(cause.unseen);
    const state = ids.some(failed) ? 'still there' : ids.every(kept) ? 'repaired' : 'not seen';
    return {
      cause,
      state,
      reason: state === 'not seen' ? (reasons.get(ids.find((id) => !kept(id))!) ?? '') : '',
      unhid: {
        passed: hid.filter(kept),
        failed: hid.filter(failed),
        unseen: hid.filter((id) => !kept(id) && !failed(id)),
      },
    };
  });
  const told = new Set(causes.flatMap((cause) => [...idsOf(cause.requirements), ...idsOf(cause.unseen)]));
  const isNew = ({ id, verdict, level, inScope }: RequirementResult) =>
    inScope && level === 'must' && verdict === 'failed' && !told.has(id);
  return { repairs, others: idsOf(requirements.filter(isNew)) };
}

/** Why a requirement has no verdict: where its checks passed, only what failed before was not tried again. */
function whyNotSeen({ reason, checks }: RequirementResult): string {
  const tried = checks.filter(({ exchanges }) => exchanges.length > 0);
  const isKept = tried.length > 0 && tried.every(({ verdict }) => KEPT.includes(verdict));
  return isKept ? 'it passes, but not in the form that failed, which was not tried again' : reason;
}

const idsOf = (requirements: readonly RequirementResult[]): string[] => requirements.map(({ id }) => id);

/** Number of ids that one line names, and of characters of a reason. */
const NAMED = 3;
const LONGEST = 90;

/** What became of the failures of an earlier run, in lines for a terminal. */
export function repairsInWords(earlier: Earlier, conformance: Pick<Conformance, 'requirements'>): string[] {
  const { repairs, others } = repairsOf(earlier, conformance);
  const repaired = repairs.filter(({ state }) => state === 'repaired').length;
  return [
    `Of ${count(repairs.length, 'cause')} in the run of ${visible(dateInWords(earlier.startedAt))}, ${repaired} ${repaired === 1 ? 'is' : 'are'} repaired`,
    ...repairs.map(
      ({ state, cause, reason, unhid }) =>
        `  ${state.padEnd(11)}  ${visible(cause.requirements[0]!.id)}${reason && `: ${cut(visible(reason), LONGEST)}`}${unhidInWords(unhid)}`,
    ),
    ...(others.length > 0 ? [`  fails now    ${visible(some(others, NAMED))}`] : []),
    ...(repaired === repairs.length && others.length === 0
      ? [`${callAlone('run')} tries the rest again, and other forms`]
      : []),
  ];
}

function unhidInWords({ passed, failed, unseen }: Repair['unhid']): string {
  const parts = [
    ...(passed.length > 0 ? [`${some(passed, NAMED)} ${passed.length === 1 ? 'passes' : 'pass'}`] : []),
    ...(failed.length > 0 ? [`${some(failed, NAMED)} ${failed.length === 1 ? 'fails' : 'fail'}`] : []),
    ...(unseen.length > 0 ? [`${some(unseen, NAMED)} not judged yet`] : []),
  ];
  return parts.length === 0 ? '' : `; of what it hid, ${visible(parts.join(', '))}`;
}
