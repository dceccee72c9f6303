/** What the effect of a row of transfers contradicts (reading 27). Each is pure, and says in words what is wrong; undefined where nothing is. */
import { numbers } from '../../../../contracts/numbers.ts';
import { type Answer, succeeded } from '../../../../helpers/answer.ts';
import * as Claims from './claims.ts';
import * as Effects from './effects.ts';

/** What must not be, by the balances. @param success the answer to a transfer that moved money, where there was one before */
export type Contradiction = (sent: Effects.Sent, gains: Effects.Gains, success?: Answer) => string | undefined;

/** By step, what its rows must not contradict. */
export type Judging = ReadonlyMap<string, ReadonlySet<Contradiction>>;

/** A contradiction that was found of a row. */
export interface Found {
  contradiction: Contradiction;
  message: string;
  sent: Effects.Sent;
  gains: Effects.Gains;
  /** Ids of its exchanges; with the readings before and after it where it stands alone between them. */
  exchanges: readonly string[];
}

/** Cents below which a transfer may claim success and move nothing. */
const NEGLIGIBLE = 1;

const isSingle = ({ payments }: Effects.Sent): boolean => payments.length === 1;
const isAccepted = ({ answers: [answer] }: Effects.Sent): boolean => succeeded(answer!);

/** Whether money moved, beyond what may be charged. */
function isPaid({ payments: [payment] }: Effects.Sent, gains: Effects.Gains): boolean {
  if (Effects.nothingMoved(gains)) return false;
  const least = Math.min(payment?.cents ?? 0, numbers.chargeOfRefusal) - numbers.sameCents;
  return Effects.centsOf(gains).some((gain) => gain > 0 || -gain > least);
}

/** Whether it was carried out, whatever came of it: one that is refused may have a charge. */
const isCarriedOut = (sent: Effects.Sent, gains: Effects.Gains): boolean => isAccepted(sent) || isPaid(sent, gains);

export const claimsFalsely: Contradiction = ({ row, payments: [payment], answers: [answer] }, gains, success) => {
  const isNegligible = payment?.cents !== undefined && Math.abs(payment.cents) < NEGLIGIBLE;
  return Claims.isSuccess(answer!, success) && Effects.nothingMoved(gains) && !isNegligible
    ? `${row.name} is answered with success, but moves no money`
    : undefined;
};

export const movesThoughRefused: Contradiction = (sent, gains) =>
  isSingle(sent) && !isAccepted(sent) && isPaid(sent, gains)
    ? `${sent.row.name} is refused, but moves money`
    : undefined;

export const movesAnything: Contradiction = (sent, gains) =>
  isPaid(sent, gains) ? `${sent.row.name} moves money` : undefined;

export const makesOrLosesMoney: Contradiction = (sent, gains) => {
  const isWhole = sent.payments.every(({ from, to }) => gains.has(from) && to !== undefined && gains.has(to));
  return isCarriedOut(sent, gains) && isWhole && Effects.netChange(gains) !== 0
    ? `${sent.row.name} creates or destroys money`
    : undefined;
};

/** Of several transfers: the balances differ from what the answers say, by amounts of these. */
export const differsFromAnswers: Contradiction = (sent, gains, success) => {
  if (isSingle(sent) || !isCarriedOut(sent, gains)) return undefined;
  const isRight = Effects.rightEffects(sent, success).some((effect) => Effects.sameGains(gains, effect));
  return !isRight && differsByAmounts(sent.payments, gains)
    ? `${sent.row.name}: the balances contradict the answers`
    : undefined;
};

/** Whether what each card gained consists of amounts that it was to pay or to receive, once or twice: transfers were lost, or booked twice. */
function differsByAmounts(payments: readonly Effects.Payment[], gains: Effects.Gains): boolean {
  return [...gains].every(([card, gain]) => {
    const own = payments.flatMap(({ from, to, cents = 0 }) => (from === card ? [-cents] : to === card ? [cents] : []));
    const sums = own.reduce((some, one) => some.flatMap((sum) => [sum, sum + one, sum + 2 * one]), [0]);
    return sums.some((sum) => Effects.sameCents(sum, gain));
  });
}

/** The source pays the amount, and the target does not get it. */
export const losesOnTheWay: Contradiction = (sent, gains) => {
  const [{ from, to = '', cents }] = sent.payments as [Effects.Payment];
  const isLost = gains.get(to) === 0 && Effects.sameCents(-gains.get(from)!, cents!);
  return isSingle(sent) && isAccepted(sent) && isLost
    ? `${sent.row.name} takes money that the card does not get`
    : undefined;
};

export const drawsFromTarget: Contradiction = (sent, gains) => {
  const [{ to = '', cents = 0 }] = sent.payments as [Effects.Payment];
  return isSingle(sent) && cents < 0 && (gains.get(to) ?? 0) <= -numbers.sameCents && isCarriedOut(sent, gains)
    ? `${sent.row.name} draws from the target`
    : undefined;
};

export const movesAnotherAmount: Contradiction = (sent, gains) => {
  const [payment] = sent.payments as [Effects.Payment];
  return isSingle(sent) && isAccepted(sent) && !Effects.nothingMoved(gains) && !Effects.isExact(payment, gains)
    ? `${sent.row.name} is not moved exactly`
    : undefined;
};
