/**
 * What the readings of a phase must show: that the card is Active, or that it is not, as its state says (readings 28 and 29). Each is undefined where
 * that is none of its business; `unless` says why the readings show nothing all the same.
 */
import { ACTIVE, STATE_CHANGING } from '../../../../contracts/v3/cards.ts';
import { declined } from '../../../../helpers/answer.ts';
import * as Phases from './phases.ts';
import { type Statuses, whySpent } from './statuses.ts';

export type Expectation = (phase: Phases.Phase, statuses: Statuses) => { unless?: string | undefined } | undefined;

const expectedIf = (isMeant: boolean) => (isMeant ? {} : undefined);

const changesIn = ({ asked }: Phases.Phase) => asked.filter(({ operation }) => STATE_CHANGING.includes(operation.id));

/** Whether an operation was all that was asked that may change the state. */
function isAlone(phase: Phases.Phase, operation: string): boolean {
  const [change, ...others] = changesIn(phase);
  return change?.operation.id === operation && others.length === 0;
}

export const suspendedIsNotActive: Expectation = ({ state }) => expectedIf(state === 'suspended');

export const unsuspendedIsActive: Expectation = ({ state, by }) => {
  if (state !== 'active' || by?.from !== 'suspended') return undefined;
  const was = by.before?.status;
  const wasSeen = was !== undefined && was !== ACTIVE;
  return { unless: wasSeen ? undefined : 'the card was not seen to be suspended' };
};

export const activatedIsActive: Expectation = ({ state, by }, statuses) =>
  state === 'active' && by && by.from !== 'suspended' ? { unless: whySpent(by.before?.status, statuses) } : undefined;

export const closedIsNotActive: Expectation = (phase) => expectedIf(phase.state === 'closed' && Phases.isNewIn(phase));

/** A card that was closed before, and what may explain that it is not. */
const onceClosed = (phase: Phases.Phase, isMeant: boolean) =>
  phase.state === 'closed' && isMeant
    ? { unless: Phases.mayBeUnused(phase) ? 'nothing shows that the unused card was closed' : undefined }
    : undefined;

export const closedStaysSo: Expectation = (phase) => onceClosed(phase, !Phases.isNewIn(phase));

/** A card that another operation made Active again is none that activate leaves closed. */
export const activateLeavesClosed: Expectation = (phase) =>
  onceClosed(phase, isAlone(phase, 'cards.activate') && phase.before[0]?.status !== ACTIVE);

export const lostIsNotActive: Expectation = (phase) => expectedIf(phase.state === 'lost' && Phases.isNewIn(phase));

export const refusedLeavesLost: Expectation = (phase) =>
  expectedIf(phase.state === 'lost' && changesIn(phase).length > 0 && phase.asked.every(declined));

/** States out of which unsuspend does not lead. */
const NOT_SUSPENDED: readonly Phases.State[] = ['unused', 'reported as fraud', 'lost', 'closed'];

export const unsuspendLeavesOthers: Expectation = (phase, statuses) => {
  const { state, by, before } = phase;
  if (!NOT_SUSPENDED.includes(state) || !isAlone(phase, 'cards.unsuspend')) return undefined;
  const was = before[0]?.status;
  if (was === undefined || was === ACTIVE) return { unless: 'the card was not seen to be out of use' };
  const mayBeSuspended = state === 'lost' ? by?.from === 'suspended' : state !== 'closed';
  const isAsSuspended = mayBeSuspended && statuses.suspended.has(was);
  return { unless: isAsSuspended ? `the card was ${was}, as suspended cards are` : undefined };
};
