/** All transfers between two active cards, with their effects on the balances. */
import { member } from '../../../../helpers/answer.ts';
import { cents as centsOf } from '../../../../helpers/cards/card-state.ts';
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import { scenario } from '../../../../helpers/check.ts';
import type { Context } from '../../../../helpers/context.ts';
import { attempt, type Step, values } from '../../../../helpers/engine/step.ts';
import { inconclusive } from '../../../../helpers/verdict.ts';
import { amountRule, plainAmount } from '../../../shared/amounts.ts';
import { nothingMoved, sameCents, type TransferAttempt } from './balance-changes.ts';
import { acceptedForm, Balances, firstThatMoves, type PlainTransfer } from './balances.ts';
import { attributeLateMoney } from './late-money.ts';
import { askAgain } from './oddities.ts';
import { refusableTransfers } from './refusable-transfers.ts';
import type { Recorded, TransferFacts, TransferSetting } from './transfer-facts.ts';
import { observeTransfers } from './transfer-observations.ts';
import { payAgain, validTransfers } from './valid-transfers.ts';

/**
 * Makes all transfers between two active cards whose effect is judged, one after the other; they are moved back when the context ends.
 * @throws Skipped without two active cards; see Context.lease
 */
export const transfers = scenario('transfers between two active cards', async (t): Promise<TransferFacts> => {
  t.prioritiseAboveAll();
  const [[{ identifier: a }, { identifier: b }]] = (await t.lease({ pool: 'active', count: 2 })) as [
    [LeasedCard, LeasedCard],
  ];
  const balances = new Balances(t, [a, b]);
  const given = t.fixtures.cards?.transferBody ?? {};

  const alone = await attempt(() => balances.pay(a, b, plainAmount(amountRule(t), 1), given));
  const plain = await attempt(() => plainTransfer(t, balances, [a, b], alone));
  const { from: source, to: target, members } = values([plain])[0] ?? { from: a, to: b, members: given };
  const setting: TransferSetting = { t, balances, plain, source, target, members };
  const valid = await validTransfers(setting);
  // After transfers with cents.
  const records = await attempt(() => {
    const { attempt } = plain();
    return Promise.all([source, target].map((card) => recorded(t, balances, card, attempt)));
  });
  const { unusedAmount, ...refusable } = await refusableTransfers(setting, valid);
  const late = await attempt(async () => {
    await t.settle();
    return balances.late();
  });
  const last = await payOnceMore(setting, unusedAmount);
  const drift = await attempt(() => balances.drifts());

  const facts: TransferFacts = {
    source,
    target,
    alone,
    plain,
    records,
    ...valid,
    further: { ...valid.further, 'after those that are refused': last },
    ...refusable,
    late,
    last,
    drift,
    success: balances.success,
  };
  attributeLateMoney(facts);
  if (values([drift]).includes(false)) await askAgain(facts);
  observeTransfers(t, facts);
  return facts;
});

/**
 * The first transfer that moves money, in any form, else the first of all.
 * @throws Inconclusive when none does, though one did before in this run
 */
async function plainTransfer(
  t: Context,
  balances: Balances,
  [a, b]: readonly [string, string],
  alone: Step<TransferAttempt>,
): Promise<PlainTransfer> {
  const first = { from: a, to: b, attempt: alone(), members: t.fixtures.cards?.transferBody ?? {} };
  if (!nothingMoved(first.attempt.gains)) return first;
  const found = await firstThatMoves(t, balances, [
    [a, b],
    [b, a],
  ]);
  if (!found && acceptedForm(t))
    inconclusive(
      'every transfer is refused now, but was not before: the target has a limit of its own, which cards.transferAmounts and cards.transferBody of the fixtures file may meet',
    );
  if (!found && Math.max(await balances.of(a), await balances.of(b)) < amountRule(t).least)
    inconclusive('cards.transferAmounts.least of the fixtures file is more than the cards of cards.active have');
  return found ?? first;
}

/**
 * The last transfer, which shows that the source still pays. If it moves nothing, other amounts are tried, since a target may take a
 * repetition for a duplicate.
 */
async function payOnceMore(setting: TransferSetting, unusedAmount: number) {
  const rule = amountRule(setting.t);
  const { source, target, plain } = setting;
  const pay = (cents: number) => payAgain(setting, source, target, cents);
  let last = await pay(values([plain])[0]?.attempt.cents ?? rule.least);
  for (const cents of [plainAmount(rule, 3), unusedAmount])
    if (values([last]).every(({ gains }) => nothingMoved(gains))) last = await pay(cents);
  return last;
}

/** A balance and the card's record. If they differ, both are read again: the balance may have changed in between. */
async function recorded(t: Context, balances: Balances, card: string, { gains }: TransferAttempt): Promise<Recorded> {
  const read = async () => {
    const shown = await balances.of(card);
    const balance = member(await t.call('cards.get', { path: { identifier: card } }), 'balance');
    return { shown, recorded: typeof balance === 'number' ? centsOf(balance) : undefined };
  };
  const isFresh = ({ shown, recorded }: Pick<Recorded, 'shown' | 'recorded'>) =>
    recorded === undefined || sameCents(recorded, shown);
  return { ...(await t.shown(read, isFresh)), changed: !nothingMoved(new Map([[card, gains.get(card)!]])) };
}
