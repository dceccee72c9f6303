import type { Answer } from '../../helpers/answer.ts';
import type { Known, Shown } from '../../helpers/evidence/monitor.ts';
import { suite } from '../../suites/index.ts';

/** What the monitors of a requirement make of exchanges that others made. */
export function shownBy(
  requirement: string,
  history: readonly Answer[],
  known: Known,
): 'failed' | 'suspected' | 'kept' | 'nothing' {
  const found = suite.monitors
    .filter((one) => one.requirement === requirement)
    .flatMap(({ monitor, isSuspicion, isConfirmed }) => {
      const shown: Shown[] = [...monitor(history, known)];
      const contradictions = shown.filter((one) => one.shows === 'contradiction');
      const stands = (one: Shown) =>
        one.shows === 'contradiction' && (!isSuspicion || isConfirmed?.(one, contradictions, known) === true);
      return shown.map((one) => ({ shows: one.shows, stands: stands(one) }));
    });
  if (found.some(({ stands }) => stands)) return 'failed';
  if (found.some(({ shows }) => shows === 'contradiction')) return 'suspected';
  return found.some(({ shows }) => shows === 'kept') ? 'kept' : 'nothing';
}
