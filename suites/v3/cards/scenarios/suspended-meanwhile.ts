/** A suspended disposable card that is given a wallet and a PIN: neither ends the suspension. */
import { succeeded } from '../../../../helpers/answer.ts';
import { type CardState, isActive } from '../../../../helpers/cards/card-state.ts';
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import type { Context } from '../../../../helpers/check.ts';
import { requireAccepted } from '../../../../helpers/expect.ts';
import { inconclusive } from '../../../../helpers/verdict.ts';
import { amountRule, plainAmount } from '../../../shared/amounts.ts';
import type { Kept } from '../money/bookkeeping.ts';
import { Books } from '../money/books.ts';
import { acceptedForm, payment } from '../money/forms.ts';
import { setSomePin } from './pins.ts';
import { isProvisioned } from './provisioning.ts';
import { STOPPED } from './suspension.ts';
import { requireUnsuspendInScope } from './transition.ts';

/** What a suspended card shows to which other things were done, besides its states. */
export interface SuspendedMeanwhile {
  /** Whether the card was provisioned while suspended, but its record says after the PIN that it is not. */
  isNoLongerProvisioned: boolean;
}

/**
 * Suspends a card that never paid before, and gives it a wallet and a PIN. It is asked to pay before anything is read of it, and after that.
 * @throws Skipped, Inconclusive when it cannot be suspended, or has nothing to pay with
 */
export async function suspendedMeanwhile(
  t: Context,
  card: LeasedCard,
  partner: LeasedCard | undefined,
): Promise<Kept<SuspendedMeanwhile>> {
  if (!partner) inconclusive('there is no active card to pay');
  requireUnsuspendInScope(t);
  const { identifier } = card;
  const { cents, members } = acceptedForm(t) ?? { cents: plainAmount(amountRule(t), 0), members: {} };
  const [first, second] = [cents, amountRule(t).least];
  const before = new Books(t, [identifier, partner.identifier]);
  if ((await before.balance(identifier)) < first + second)
    await before.prepare({ name: 'money for the card', about: [] }, [
      payment(partner.identifier, identifier, cents, members),
    ]);
  if ((await before.balance(identifier)) < first) inconclusive('the card has no balance to pay from');
  const path = { identifier };
  const pay = (amount: number) => () => [payment(identifier, partner.identifier, amount, members)];
  /** Only the balance of the partner: a loss of the suspended card may be a charge, and reading it may end what is to be seen. */
  const books = new Books(t, [partner.identifier]);
  await books.balance(partner.identifier);
  requireAccepted(await t.call('cards.suspend', { path }, { intent: 'refusable' }), 'the suspension');
  await t.settle();
  await books.send({ name: 'a payment of a suspended card that was not read', ...STOPPED }, pay(first));
  const provisioning = await t.call('cards.markWalletProvisioned', { path }, { intent: 'refusable' });
  await setSomePin(t, identifier);
  const losesWallet = ({ record }: CardState) => succeeded(provisioning) && isProvisioned(record) === false;
  const after = await t.confirmed(
    () => t.state(identifier),
    (state) => !isActive(state) && !losesWallet(state),
  );
  await books.send({ name: 'a payment of a suspended card with a wallet and a PIN', ...STOPPED }, pay(second));
  await books.check({ late: true });
  return {
    facts: { isNoLongerProvisioned: losesWallet(after) },
    books,
    cards: [card],
    drifts: await books.drifts(),
  };
}
