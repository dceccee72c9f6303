/** Which statuses cards have, by what this run did to them; and what that says of a card whose pool may be out of date. */
import { ACTIVE } from '../../../../contracts/v3/cards.ts';
import { type Answer, member } from '../../../../helpers/answer.ts';
import type { Known } from '../../../../helpers/evidence/monitor.ts';
import * as Phases from './phases.ts';

/** Statuses, Active aside, by the cards that have them. */
export interface Statuses {
  /** Those of unused cards that became Active. */
  activated: ReadonlySet<string | undefined>;
  suspended: ReadonlySet<string>;
  /** Those of suspended, lost and closed cards. */
  ended: ReadonlySet<string>;
  /** Those of disposable cards to which this run did nothing. */
  spent: ReadonlySet<string>;
}

const ENDS: readonly Phases.State[] = ['suspended', 'lost', 'closed'];
/** The statuses that the cards of a history have. */
export function statusesIn(
  history: readonly Answer[],
  known: Known,
  phases = Phases.phasesIn(history, known),
): Statuses {
  const disposable = new Set(known.fixtures.cards?.disposable);
  const read = (wants: (phase: Phases.Phase) => boolean) =>
    new Set(phases.filter(wants).flatMap(({ readings }) => readings.map(({ status }) => status)));
  const asked = new Set(phases.flatMap((phase) => phase.asked.map(({ input }) => input.path?.identifier)));
  const untouched = history.filter(({ operation: { id }, input: { path } }) => {
    const card = path?.identifier ?? '';
    return id === 'cards.get' && disposable.has(card) && !asked.has(card);
  });
  const withoutActive = (all: Iterable<unknown>) =>
    new Set([...all].filter((status) => typeof status === 'string').filter((status) => status !== ACTIVE));
  const isOfUnused = ({ state, by }: Phases.Phase) => state === 'active' && by?.from === 'unused';
  const becameActive = phases.filter(
    (phase) => isOfUnused(phase) && phase.readings.some(({ status }) => status === ACTIVE),
  );
  return {
    activated: new Set(becameActive.map(({ by }) => by!.before?.status)),
    suspended: withoutActive(read(({ state }) => state === 'suspended')),
    ended: withoutActive(read((phase) => ENDS.includes(phase.state) && !Phases.mayBeUnused(phase))),
    spent: withoutActive(untouched.map((answer) => member(answer, 'status'))),
  };
}

/** Why an unused card of this status may not be one: its pool may be out of date. */
export function whySpent(was: string | undefined, { activated, ended, spent }: Statuses): string | undefined {
  if (was === ACTIVE) return 'the card was Active before, but its pool promises otherwise';
  if (was !== undefined && ended.has(was))
    return `the card was ${was}, as cards are that were suspended, lost or closed: its pool may be spent`;
  if (was !== undefined && spent.has(was))
    return `the card was ${was}, like a used-up card of cards.disposable: its pool may be spent, too`;
  return activated.size > 0 && !activated.has(was)
    ? `the card was ${was ?? 'of no known status'}, unlike one that becomes Active: its pool may be spent`
    : undefined;
}
