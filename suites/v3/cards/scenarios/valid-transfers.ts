/** Transfers that should move their amounts: one after the other, repeated, at the same moment, and of the whole balance. */
import type { Answer } from '../../../../helpers/answer.ts';
import { attempt, type Step, values } from '../../../../helpers/engine/step.ts';
import { rotated } from '../../../../helpers/rotation.ts';
import { inconclusive } from '../../../../helpers/verdict.ts';
import { amountRule, plainAmount } from '../../../shared/amounts.ts';
import { type BalanceChanges, movedExactly, nothingMoved, sameCents, type TransferAttempt } from './balance-changes.ts';
import type { Balances } from './balances.ts';
import { isOdd } from './oddities.ts';
import { claimsSuccess, dueBy } from './transfer-claims.ts';
import type { DoubleSpend, TransferFacts, TransferSetting } from './transfer-facts.ts';

/** The outcomes of transfers that should move their amounts. */
export type ValidTransfers = Pick<TransferFacts, 'further' | 'repeated' | 'together' | 'spentTwice'>;
type Further = TransferFacts['further'];
type Paid = TransferAttempt & { from: string; to: string };

/** Makes the transfers one after the other, each with a verdict of its own. */
export async function validTransfers(setting: TransferSetting): Promise<ValidTransfers> {
  const { balances, members } = setting;
  const further = await oneByOne(setting);
  const repeated = await attempt(() => twiceMore(setting));
  const together = await attempt(() => atTheSameMoment(setting));
  const everything = await attempt(() => payEverything(setting, further));
  further['of the whole balance'] = everything;
  const spentTwice = await attempt(() => spendTwice(balances, everything(), members));
  await attempt(() => payBack(setting, everything()));
  return { further, repeated, together, spentTwice };
}

/** Makes a transfer in the form that moved money. Its step throws the verdict of the plain transfer if that has one. */
export function payAgain(
  { balances, plain, members }: TransferSetting,
  from: string,
  to: string,
  cents: number,
  more: Record<string, unknown> = {},
): Promise<Step<Paid>> {
  return attempt(async () => {
    plain();
    return { from, to, ...(await balances.pay(from, to, cents, { ...members, ...more }, { intent: 'refusable' })) };
  });
}

/** Comments that an implementation may mishandle. */
const ODD_TEXTS = [
  "O'Neill's",
  '100 % of it',
  'a "quoted" word',
  '# 1; --',
  'Zoë Łukasz 漢字',
  'x'.repeat(256),
  '<b>&amp;</b> {{1}}',
  '_under_score_ \\ back',
  'paid 💳',
  '0123',
  '',
];
/** Comments sent in every run: the odd characters in one text, and 300 characters (reading 9). */
const EACH_RUN = [`Zoë's 100% "A_1" # & <b> {2} \\ ;-- 漢字`, 'x'.repeat(300)];

async function oneByOne(setting: TransferSetting): Promise<Further> {
  const { t, source, target } = setting;
  const rule = amountRule(t);
  const whole = (n: number) => plainAmount(rule, n);
  const there = (cents: number, more?: Record<string, unknown>) => payAgain(setting, source, target, cents, more);
  const back = (cents: number, more?: Record<string, unknown>) => payAgain(setting, target, source, cents, more);
  const further: Further = {
    'back again': await back(whole(2)),
    'with comment and customFields': await there(whole(4), {
      comment: 'transfer',
      customFields: Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`customField${n}`, `text ${n}`])),
    }),
    // Amounts that binary fractions get wrong: 1.15 * 100 is below 115, 1.10 * 100 above 110.
    'of 1.15': await there(115),
    'of 1.10': await back(110),
    'of 8.95': await back(895),
    'of a cent': await there(1),
  };
  // Each of another amount, alternately there and back, so that a card with little has enough.
  for (const [index, text] of [...EACH_RUN, ...rotated(t.run, 'transfers: odd comments', ODD_TEXTS)].entries()) {
    const pay = index % 2 === 0 ? there : back;
    further[`with the comment ${text.slice(0, 20)}`] = await pay(whole(6 + (index % 3)), { comment: text });
  }
  further['with customFields without members'] = await back(whole(9), { customFields: {} });
  return further;
}

/** Repeats the plain transfer twice. @throws the verdict of the plain transfer */
async function twiceMore({ balances, plain, members }: TransferSetting): Promise<TransferAttempt[]> {
  const { attempt, from, to } = plain();
  const pay = () => balances.pay(from, to, attempt.cents!, members, { intent: 'refusable' });
  return [await pay(), await pay()];
}

/** Sends two transfers in one direction and one in the other. @throws the verdict of the plain transfer */
async function atTheSameMoment({ t, balances, plain, source, target, members }: TransferSetting) {
  plain();
  const whole = (n: number) => plainAmount(amountRule(t), n);
  const requests = [
    { from: source, to: target, cents: whole(0), members },
    { from: source, to: target, cents: whole(1), members },
    { from: target, to: source, cents: whole(3), members },
  ];
  const due = (answers: readonly Answer[]) => dueBy(requests, answers, balances.success);
  const done = await balances.together(requests, due);
  return { requests, ...done, due: due(done.answers) };
}

/** Moves the whole balance and returns it; if either is odd, once more. @param further gets the transfer back to the empty card */
async function payEverything(setting: TransferSetting, further: Further): Promise<Paid> {
  const { balances, plain, source, target, members } = setting;
  plain();
  const payAll = async (): Promise<Paid[]> => {
    const all = Math.floor(await balances.of(source));
    const paid = await balances.pay(source, target, all, members, { intent: 'refusable' });
    const back = nothingMoved(paid.gains) ? [] : [await payAgain(setting, target, source, all)];
    return [{ from: source, to: target, ...paid }, ...values(back)];
  };
  const noted = (one: Paid): Paid => (isOdd(one) ? { ...one, gainsAgain: one.gains } : one);
  const first = await payAll();
  // Repeated here and not later, while the card has a balance.
  const [there, back] = first.some(isOdd) ? (await payAll()).map(noted) : first;
  if (back) further['to an empty card'] = () => back;
  return there!;
}

/**
 * Returns to the source what it paid. A target may take the first return for a duplicate: a different amount gets through, so that later
 * transfers have a balance.
 */
async function payBack({ t, balances, source, target, members }: TransferSetting, { cents }: Paid): Promise<void> {
  const { least } = amountRule(t);
  const missing = cents! - (await balances.of(source));
  if (missing > least) await balances.pay(target, source, missing - least, members, { intent: 'refusable' });
}

/**
 * Sends the whole balance twice at the same moment. If both move it, the money is returned and the same is done one after the other, the
 * second as soon as the first is answered.
 * @param everything the transfer of the whole balance alone
 * @throws Inconclusive where that one did not move the balance, the money does not come back, or the target may have booked a transfer late
 */
async function spendTwice(
  balances: Balances,
  { from, to, cents, gains: alone }: TransferAttempt & { from: string; to: string },
  members: Record<string, unknown>,
): Promise<DoubleSpend> {
  const all = cents!;
  if (all <= 0 || !movedExactly(alone, from, to, all)) inconclusive('the whole balance is not moved by one transfer');
  if (!sameCents(await balances.of(from), all)) inconclusive('the whole balance does not come back');
  const request = { from, to, cents: all, members };
  const once = new Map([
    [from, -all],
    [to, all],
  ]);
  const due = (given: readonly Answer[]) =>
    given.some((answer) => claimsSuccess(answer, balances.success)) ? once : new Map<string, number>();
  const timesPaid = ({ gains }: { gains: BalanceChanges }) => Math.round(gains.get(to)! / all);
  const payBack = async (times: number) => {
    for (let paid = 0; paid < times; paid++) await balances.pay(to, from, all, members, { intent: 'refusable' });
  };
  const together = await balances.together([request, request], due);
  await payBack(timesPaid(together));
  if (timesPaid(together) < 2) return { ...together, cents: all, isSpentTwice: false };
  if (!sameCents(await balances.of(from), all)) inconclusive('the money of two transfers does not come back');
  // Where balances are booked after the answer, the second of two consecutive transfers finds the money there, too.
  const inTurn = await balances.inTurn([request, request], due);
  await payBack(timesPaid(inTurn));
  const isSpentTwice = movedExactly(inTurn.gains, from, to, all);
  if (isSpentTwice && balances.showsLate)
    inconclusive(
      'transfers are booked later than they are answered: the second of two may have been booked after that',
    );
  return { ...together, cents: all, isSpentTwice };
}
