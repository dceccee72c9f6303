/** Suspension of a card, and the record that has to show it (reading 28). */
import { ACTIVE } from '../../../contracts/v3/cards.ts';
import { describe, succeeded } from '../../../helpers/answer.ts';
import { isActive } from '../../../helpers/cards/card-state.ts';
import { defineSuite } from '../../../helpers/check.ts';
import type { Configuration } from '../../../helpers/configuration/types.ts';
import { attempt, values } from '../../../helpers/engine/step.ts';
import { requireAccepted } from '../../../helpers/expect.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { expectAcceptedInState } from './accepted-in-state.ts';
import { failByRecord, requireStateAfter } from './judge-state.ts';
import { expectBooks } from './money/bookkeeping.ts';
import { isSuspendedElsewhere, suspension } from './scenarios/suspension.ts';
import type { Transition } from './scenarios/transition.ts';
import { TRANSITIONS } from './scenarios/transitions.ts';
import { suspendedBooks, walletPinReissue } from './scenarios/wallet-pin-reissue.ts';

const { check, suite } = defineSuite();
export const suspendSuite = suite;

/** Whether the run may give cards a PIN and provision them to a wallet. */
const maySpend = ({ run, fixtures }: Configuration) =>
  run.risk === 'irreversible' && (fixtures.cards?.disposable?.length ?? 0) > 0;

check('cards.suspend.required-only', 'an Active card', async (t) => {
  const { suspend, paysBefore, wasSuspendedBefore } = (await t.shared(suspension.first)).facts;
  if (!succeeded(suspend.answer()) && wasSuspendedBefore)
    inconclusive('it is refused for a card that was suspended before in this run');
  const pays = values([paysBefore]).length > 0;
  await expectAcceptedInState(t, TRANSITIONS['cards.suspend'], 'the suspension of an Active card', pays);
});

check('cards.suspend.not-active', 'by getStatus and the record', async (t) => {
  const { facts } = await t.shared(suspension.first);
  if (!isActive(requireStateAfter(facts.suspend))) return;
  if ((await isSuspendedElsewhere(t)).byNumber)
    inconclusive('getStatus gives another number than before, but the record does not follow it');
  fail('a suspended card is Active', { expected: `not ${ACTIVE}`, actual: ACTIVE, pointer: '/status' });
});

check('cards.suspend.record-readable', 'after the suspension', async (t) => {
  const recordOf = ({ answer, after }: Transition) => (succeeded(answer()) ? after().record : undefined);
  const { suspend, partner } = (await t.shared(suspension.first)).facts;
  const record = recordOf(suspend) ?? inconclusive('the card is not suspended, or cards.get not in scope');
  if (succeeded(record)) return;
  const [another] = values([await attempt(async () => recordOf(await TRANSITIONS['cards.suspend'].again(t)))]);
  if (!another || succeeded(another))
    inconclusive('the record of one suspended card cannot be read, that of another can');
  const control = await t.call('cards.get', { path: { identifier: partner } }, { intent: 'refusable' });
  requireAccepted(control, 'the record of an Active card');
  fail('the record of a suspended card cannot be read', { expected: 'success', actual: describe(record), in: record });
});

check('cards.suspend.not-active', 'once it was asked to pay and to be paid', async (t) => {
  const { suspend, unsuspend } = (await t.shared(suspension.first)).facts;
  const { before } = unsuspend();
  if (!isActive(requireStateAfter(suspend)) && isActive(before))
    await failByRecord(t, 'a suspended card is Active after requests to pay and to be paid', `not ${ACTIVE}`, ACTIVE);
});

check('cards.suspend.not-active', 'after a PIN and a wallet', { applies: maySpend }, async (t) => {
  const { suspended } = await t.shared(walletPinReissue);
  for (const { facts } of values([suspended]))
    if (isActive(facts.after))
      await failByRecord(t, 'a suspended card is Active after a PIN and a wallet', `not ${ACTIVE}`, ACTIVE);
});

check(
  'cards.suspend.stops-payments',
  'before anything is read of it, and after a PIN and a wallet',
  { applies: maySpend },
  (t) => expectBooks(t, suspendedBooks, 'cards.suspend.stops-payments'),
);

check('cards.getStatus.refreshes-record', 'after a suspension', async (t) => {
  const { facts } = await t.shared(suspension.first);
  if (!isActive(requireStateAfter(facts.suspend))) return;
  const { byNumber, byPayment } = await isSuspendedElsewhere(t);
  if (!byNumber && !byPayment) inconclusive('no change of status was seen');
  fail('the record of a suspended card still says Active after getStatus', {
    expected: `not ${ACTIVE}`,
    actual: ACTIVE,
    pointer: '/status',
  });
});

check('cards.suspend.stops-payments', 'a transfer from a suspended card', (t) =>
  expectBooks(t, suspension, 'cards.suspend.stops-payments'),
);

check('cards.transfer.refused-moves-nothing', 'to a suspended card', (t) =>
  expectBooks(t, suspension, 'cards.transfer.refused-moves-nothing'),
);
