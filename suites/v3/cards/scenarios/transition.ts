/** An operation that changes the state of a card: tried with bad tokens where it would succeed, then with a good one. */
import { type Answer, succeeded } from '../../../../helpers/answer.ts';
import type { CardState } from '../../../../helpers/cards/card-state.ts';
import type { Context } from '../../../../helpers/context.ts';
import { accepted } from '../../../../helpers/expect.ts';
import { inconclusive } from '../../../../helpers/verdict.ts';
import { callBadly, type Probe } from '../../../shared/bad-tokens.ts';
import { known, type Told, told } from '../../../shared/step.ts';

export interface Transition {
  before: CardState;
  badly: Told<Probe[]>;
  /** The state after the calls with bad tokens, when an effect of them would show. */
  untouched: Told<CardState>;
  /** With a good token. */
  answer: Told<Answer>;
  /** As soon as the effect shows. */
  after: Told<CardState>;
}

/**
 * @param before state of the card now
 * @param isShown whether a state is one that the operation leads to
 * @param intent 'refusable' where the documents leave it open whether the card is in a state in which it succeeds
 */
export async function transition(
  t: Context,
  operation: string,
  identifier: string,
  before: CardState,
  isShown: (state: CardState) => boolean,
  intent: 'valid' | 'refusable' = 'valid',
): Promise<Transition> {
  const input = { path: { identifier } };
  const badly = await told(() => callBadly(t, operation, input));
  const untouched = await told(async () => {
    await t.settle();
    return t.state(identifier);
  });
  const answer = await told(() => t.call(operation, input, { intent }));
  const after = await told(() =>
    t.eventually(
      () => t.state(identifier),
      (state) => !succeeded(answer()) || isShown(state),
    ),
  );
  for (const state of [before, ...known([untouched, after])]) observeNumber(t, state);
  return { before, badly, untouched, answer, after };
}

/** Whether two states are seen to differ; a record without a status shows nothing. */
export const differ = (one: CardState, other: CardState): boolean =>
  one.status !== undefined && other.status !== undefined && one.status !== other.status;

/** Judges that the operation is accepted. @throws Nonconformance otherwise, Inconclusive where the card may not have been in the right state */
export function acceptedInState({ before, untouched, answer }: Transition, what: string): void {
  if (succeeded(answer())) return;
  if (before.status === undefined)
    inconclusive(`it is refused, and whether the card is one that it takes is not shown`);
  if (differ(before, untouched())) inconclusive('it is refused after calls with bad tokens changed the card');
  accepted(answer(), what);
}

/** The state that an accepted operation led to. @throws Inconclusive where it was refused, or had no effect left to have */
export function stateAfter({ before, untouched, answer, after }: Transition): CardState {
  if (!succeeded(answer())) inconclusive(`it is refused with status ${answer().status}`);
  if (differ(before, untouched())) inconclusive('calls with bad tokens changed the card before');
  if (after().status === undefined) inconclusive('the record of the card carries no status');
  return after();
}

/** How the numbers of the status operation correspond to the words of the record. */
function observeNumber(t: Context, { status, statusNumber }: CardState): void {
  if (status !== undefined && statusNumber !== undefined)
    t.observe('cards.getStatus', `the number of a card that is ${status}`, String(statusNumber));
}
