/** Transfers that should move their amounts: one after the other, repeated, at the same moment, and of all that a card has. */
import type { Answer } from '../../../../helpers/answer.ts';
import { rotated } from '../../../../helpers/rotation.ts';
import { inconclusive } from '../../../../helpers/verdict.ts';
import { amountRule, plainAmount } from '../../../shared/amounts.ts';
import { attempt, type Step, values } from '../../../shared/step.ts';
import { type BalanceChanges, movedExactly, nothingMoved, sameCents, type TransferAttempt } from './balance-changes.ts';
import type { Balances } from './balances.ts';
import { isOdd } from './oddities.ts';
import { claimsSuccess, dueBy } from './transfer-claims.ts';
import type { DoubleSpend, TransferFacts, TransferSetting } from './transfer-facts.ts';

/** What the transfers came to that should move their amounts. */
export type ValidTransfers = Pick<TransferFacts, 'further' | 'repeated' | 'together' | 'spentTwice'>;
type Further = TransferFacts['further'];
type Paid = TransferAttempt & { from: string; to: string };

/** Makes them one after the other, each with a verdict of its own. */
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

/** A transfer, asked for as the one that moved money. Its step throws what that one throws. */
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

/** Texts that an implementation may stumble over. */
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
/** Their marks in one text, and a comment of 300 characters (reading 9): each run sees whether they are too much. */
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
    // Cents that are missed by implementations which count in binary fractions: 1.15 * 100 is below 115, 1.10 * 100 above 110.
    'of 1.15': await there(115),
    'of 1.10': await back(110),
    'of 8.95': await back(895),
    'of a cent': await there(1),
  };
  // Each of another amount, there and back in turn, so that a card with little has enough.
  for (const [index, text] of [...EACH_RUN, ...rotated(t.run, 'transfers: odd comments', ODD_TEXTS)].entries()) {
    const pay = index % 2 === 0 ? there : back;
    further[`with the comment ${text.slice(0, 20)}`] = await pay(whole(6 + (index % 3)), { comment: text });
  }
  further['with customFields without members'] = await back(whole(9), { customFields: {} });
  return further;
}

/** The plain transfer, asked for twice more. @throws what that one throws */
async function twiceMore({ balances, plain, members }: TransferSetting): Promise<TransferAttempt[]> {
  const { attempt, from, to } = plain();
  const pay = () => balances.pay(from, to, attempt.cents!, members, { intent: 'refusable' });
  return [await pay(), await pay()];
}

/** Two in one direction and one in the other. @throws what the plain one throws */
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

/** The whole balance, and back again; where either changes balances oddly, once more. @param further gets what is paid back to the card that has nothing left */
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
  // Here, and not later: then the card has something.
  const [there, back] = first.some(isOdd) ? (await payAll()).map(noted) : first;
  if (back) further['to an empty card'] = () => back;
  return there!;
}

/**
 * Gives the source back what it paid. A target may take the money that goes back for a transfer that it has made already: in another
 * amount it comes back, and what follows has some.
 */
async function payBack({ t, balances, source, target, members }: TransferSetting, { cents }: Paid): Promise<void> {
  const { least } = amountRule(t);
  const missing = cents! - (await balances.of(source));
  if (missing > least) await balances.pay(target, source, missing - least, members, { intent: 'refusable' });
}

/**
 * Sends the whole balance twice at the same moment. Where both move it, the money goes back, and the same is asked for one after the other,
 * the second as soon as the first is answered.
 * @param everything the transfer of the whole balance alone
 * @throws Inconclusive where that did not move the balance, the money does not come back, or a target that books later may have done so in between
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
  // Where a balance is booked later than a transfer is answered, the second in a row finds the money there, too.
  const inTurn = await balances.inTurn([request, request], due);
  await payBack(timesPaid(inTurn));
  const isSpentTwice = movedExactly(inTurn.gains, from, to, all);
  if (isSpentTwice && balances.showsLate)
    inconclusive('transfers are booked later than they are answered: the second in a row may have come after that');
  return { ...together, cents: all, isSpentTwice };
}
