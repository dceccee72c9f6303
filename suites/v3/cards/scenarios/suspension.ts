/** An active card suspended and unsuspended: its state, and what it pays. */
import { ACTIVE } from '../../../../contracts/v3/cards.ts';
import { type Answer, succeeded } from '../../../../helpers/answer.ts';
import { amount, isActive } from '../../../../helpers/cards/card-state.ts';
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import { scenario } from '../../../../helpers/check.ts';
import { operationInScope } from '../../../../helpers/configuration/scope.ts';
import type { Context } from '../../../../helpers/context.ts';
import { requireAccepted } from '../../../../helpers/expect.ts';
import { skip } from '../../../../helpers/verdict.ts';
import { outcome } from '../../../observed.ts';
import { known, type Told, told } from '../../../shared/step.ts';
import { Balances, type Gains, type Movement, movedExactly, nothingMoved, paysFrom } from './balances.ts';
import { effectOf } from './transfer-observations.ts';
import { type Transition, transition } from './transition.ts';

export interface SuspensionFacts {
  card: string;
  partner: string;
  /** Transfers from the card to its partner: before, while suspended, and after. */
  paysBefore: Told<Movement>;
  suspend: Transition;
  paysSuspended: Told<Movement>;
  /** What moved afterwards, when nothing more was asked for. */
  late: Told<Gains>;
  /** Inconclusive where the card could not be suspended. */
  unsuspend: Told<Transition>;
  paysAgain: Told<Movement>;
}

const BEFORE = 107;
const SUSPENDED = 108;
const TO_SUSPENDED = 109;
const AGAIN = 111;

export const suspension = scenario('a card suspended and unsuspended', async (t): Promise<SuspensionFacts> => {
  if (!operationInScope(t.run.configuration, 'cards.unsuspend'))
    skip('needs cards.unsuspend, which is not in scope, to undo a suspension');
  const [[leased, other]] = (await t.lease({ pool: 'active', count: 2 })) as [[LeasedCard, LeasedCard]];
  const [card, partner] = [leased.identifier, other.identifier];
  const balances = new Balances(t, [card, partner]);

  const paysBefore = await told(() => balances.pay(card, partner, BEFORE));
  const suspend = await transition(t, 'cards.suspend', card, leased, (state) => !isActive(state));
  /** What is asked of a suspended card, be it that a call with a bad token suspended it. */
  const whenSuspended = <T>(step: () => Promise<T>) =>
    told(() => {
      if (!known([suspend.after]).some(({ status }) => status !== undefined && status !== ACTIVE))
        requireAccepted(suspend.answer(), 'the suspension');
      return step();
    });
  const refusable = (from: string, to: string, cents: number) => {
    const json = { targetCardIdentifier: to, amount: amount(cents) };
    return balances.attempt(from, { json }, { intent: 'refusable' }, cents);
  };
  const paysSuspended = await whenSuspended(() => refusable(card, partner, SUSPENDED));
  const receives = await whenSuspended(() => refusable(partner, card, TO_SUSPENDED));
  const unsuspend = await whenSuspended(() => transition(t, 'cards.unsuspend', card, suspend.after(), isActive));
  const late = await told(() => balances.late());
  const paysAgain = await whenSuspended(() => balances.pay(card, partner, AGAIN));

  for (const movement of known([receives]))
    t.observe('cards.transfer', 'to a suspended card', effectOf(movement, partner, card, balances.success));
  for (const { answer } of known([unsuspend]))
    for (const unsuspended of known([answer])) await observeUnsuspendActive(t, card, unsuspended);
  return { card, partner, paysBefore, suspend, paysSuspended, late, unsuspend, paysAgain };
});

async function observeUnsuspendActive(t: Context, identifier: string, unsuspended: Answer): Promise<void> {
  if (!succeeded(unsuspended)) return;
  const again = await t.call('cards.unsuspend', { path: { identifier } }, { intent: 'refusable' });
  t.observe('cards.unsuspend', 'on a card that is not suspended', outcome(again));
}

/** Whether the card is seen to be suspended otherwise than by its record: by the number of its status, or by what it no longer pays. */
export function isSuspendedElsewhere({ card, partner, suspend, paysBefore, paysSuspended, late }: SuspensionFacts): {
  byNumber: boolean;
  byPayment: boolean;
} {
  const [after] = known([suspend.after]);
  const numbers = [suspend.before.statusNumber, after?.statusNumber];
  const stopped =
    known([paysSuspended]).every(({ gains }) => nothingMoved(gains)) && !known([late]).some(paysFrom(card));
  const paid = known([paysBefore]).some(({ gains }) => movedExactly(gains, card, partner, BEFORE));
  return {
    byNumber: !numbers.includes(undefined) && numbers[0] !== numbers[1],
    byPayment: paid && known([paysSuspended]).length > 0 && stopped,
  };
}

/**
 * Whether getStatus was seen to leave the record of a suspended card behind: then a record that shows no change is no
 * evidence against another operation.
 */
export async function recordIsLeftBehind(t: Context): Promise<boolean> {
  const [facts] = known([await told(() => t.shared(suspension))]);
  if (!facts) return false;
  const { answer, after } = facts.suspend;
  const stillActive = known([answer]).some(succeeded) && known([after]).some(isActive);
  const { byNumber, byPayment } = isSuspendedElsewhere(facts);
  return stillActive && (byNumber || byPayment);
}
