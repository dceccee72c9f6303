/** A suspended disposable card that is given a wallet and a PIN: neither ends the suspension. */
import { succeeded } from '../../../../helpers/answer.ts';
import { amount, type CardState, isActive } from '../../../../helpers/cards/card-state.ts';
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import type { Context } from '../../../../helpers/context.ts';
import { attempt, type Step } from '../../../../helpers/engine/step.ts';
import { requireAccepted } from '../../../../helpers/expect.ts';
import { inconclusive } from '../../../../helpers/verdict.ts';
import { amountRule, plainAmount } from '../../../shared/amounts.ts';
import type { BalanceChanges, TransferAttempt } from './balance-changes.ts';
import { acceptedForm, Balances } from './balances.ts';
import { setSomePin } from './pins.ts';
import { isProvisioned } from './provisioning.ts';
import { requireUnsuspendInScope } from './transition.ts';

/** The payments and state of a suspended card to which other things were done. */
export interface SuspendedMeanwhile {
  card: string;
  /** The card that it is asked to pay. Its gain shows a payment, while a loss of the suspended card may be a charge. */
  partner: string;
  /** Payments requested before the suspended card was read in any way, and after it got a wallet and a PIN. */
  pays: readonly TransferAttempt[];
  /** The state of the card afterwards. */
  after: CardState;
  /** Whether the card was provisioned while suspended, but its record says after the PIN that it is not. */
  isNoLongerProvisioned: boolean;
  late: BalanceChanges;
  /** Whether the balances change by themselves. */
  drift: Step<boolean>;
}

/**
 * Suspends a card that never paid before, and gives it a wallet and a PIN.
 * @throws Skipped, Inconclusive when it cannot be suspended, or has nothing to pay with
 */
export async function suspendedMeanwhile(
  t: Context,
  { identifier: card }: LeasedCard,
  partner: LeasedCard | undefined,
): Promise<SuspendedMeanwhile> {
  if (!partner) inconclusive('there is no active card to pay');
  requireUnsuspendInScope(t);
  const balances = new Balances(t, [card, partner.identifier]);
  const { cents, members } = acceptedForm(t) ?? { cents: plainAmount(amountRule(t), 0), members: {} };
  if ((await balances.of(card)) < cents)
    await balances.pay(partner.identifier, card, cents, members, { intent: 'refusable' });
  if ((await balances.of(card)) < cents) inconclusive('the card has no balance to pay from');
  /** The balance of the partner: that of a suspended card need not be readable. */
  const ofPartner = new Balances(t, [partner.identifier]);
  const pay = () => {
    const json = { ...members, targetCardIdentifier: partner.identifier, amount: amount(cents) };
    return ofPartner.attempt(card, { json }, { intent: 'refusable' }, cents);
  };
  const path = { identifier: card };
  requireAccepted(await t.call('cards.suspend', { path }, { intent: 'refusable' }), 'the suspension');
  await t.settle();
  const pays = [await pay()];
  const provisioning = await t.call('cards.markWalletProvisioned', { path }, { intent: 'refusable' });
  await setSomePin(t, card);
  const losesWallet = ({ record }: CardState) => succeeded(provisioning) && isProvisioned(record) === false;
  const after = await t.confirmed(
    () => t.state(card),
    (state) => !isActive(state) && !losesWallet(state),
  );
  pays.push(await pay());
  await t.settle();
  return {
    card,
    partner: partner.identifier,
    pays,
    after,
    isNoLongerProvisioned: losesWallet(after),
    late: await ofPartner.late(),
    drift: await attempt(() => ofPartner.drifts()),
  };
}
