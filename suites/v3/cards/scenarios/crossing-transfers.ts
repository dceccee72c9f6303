/** Simultaneous transfers between three cards: each pays and is paid, one pays two others, and one is paid by two (reading 27). */
import type { Answer } from '../../../../helpers/answer.ts';
import type { Context } from '../../../../helpers/context.ts';
import { attempt, type Step } from '../../../../helpers/engine/step.ts';
import { inconclusive } from '../../../../helpers/verdict.ts';
import { amountRule, plainAmount } from '../../../shared/amounts.ts';
import type { BalanceChanges } from './balance-changes.ts';
import { acceptedForm, Balances } from './balances.ts';
import { dueBy, type WholeTransfer } from './transfer-claims.ts';

/** The transfers, their answers in the order of the requests, and their effect on the balances. */
export interface CrossingTransfers {
  requests: readonly WholeTransfer[];
  answers: readonly Answer[];
  gains: BalanceChanges;
  /** Whether the balances change by themselves. */
  drift: Step<boolean>;
}

/** @throws Inconclusive when no transfer moved money in this run before, or a balance cannot be read */
export async function transfersThatCross(
  t: Context,
  cards: readonly [string, string, string],
): Promise<CrossingTransfers> {
  const { members, answer } = acceptedForm(t) ?? inconclusive('no transfer was seen to move its amount');
  const [a, b, c] = cards;
  const balances = new Balances(t, cards);
  const pairs = [
    [a, b],
    [a, c],
    [b, c],
    [c, a],
  ] as const;
  const requests = pairs.map(([from, to], n) => ({ from, to, cents: plainAmount(amountRule(t), n), members }));
  const done = await balances.together(requests, (answers) => dueBy(requests, answers, answer));
  return { requests, ...done, drift: await attempt(() => balances.drifts()) };
}
