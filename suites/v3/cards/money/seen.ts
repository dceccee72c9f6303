/** The books of cards between which others made transfers: balances that were read before and after one show what it moved (readings 10, 27, 28 and 49). */
import { numbers } from '../../../../contracts/numbers.ts';
import { ACTIVE, STATE_CHANGING } from '../../../../contracts/v3/cards.ts';
import { type Answer, isObject, memberOf, succeeded } from '../../../../helpers/answer.ts';
import { balanceIn, cents } from '../../../../helpers/cards/card-state.ts';
import {
  contradiction,
  type Known,
  kept,
  type Monitor,
  nothing,
  type Shown,
} from '../../../../helpers/evidence/monitor.ts';
import { watch } from '../../../declare.ts';
import * as Phases from '../states/phases.ts';
import type * as Contradictions from './contradictions.ts';
import * as Effects from './effects.ts';
import { mayBeFees } from './fee.ts';

/** Kinds of single transfers, by what they ask for, in words that follow "a transfer". */
export type Kind =
  | 'of a plain amount'
  | 'of an odd amount'
  | 'of a negative amount'
  | 'without a body'
  | 'without a target'
  | 'without an amount'
  | 'from a card to itself'
  | typeof FROM_SUSPENDED;

const FROM_SUSPENDED = 'from a suspended card';

/** The kinds that may move money. */
export const PAYING: readonly Kind[] = ['of a plain amount', 'of an odd amount', 'of a negative amount'];

/** A transfer with the balances around it. */
interface Seen {
  sent: Effects.Sent;
  kind: Kind;
  gains: Effects.Gains;
  /** The readings that show it, and last the transfer. */
  by: Shown['by'];
  /** Whether the balances were read when every effect has had its time to show. */
  isSettled: boolean;
}

/** What a transfer asks for. */
function kindOf({ input: { path, json } }: Answer, isSuspended: boolean): Kind {
  const [to, amount] = [memberOf(json, 'targetCardIdentifier'), memberOf(json, 'amount')];
  if (isSuspended) return FROM_SUSPENDED;
  if (json === undefined) return 'without a body';
  if (to === undefined) return 'without a target';
  if (amount === undefined) return 'without an amount';
  if (to === path?.identifier) return 'from a card to itself';
  if (Number(amount) < 0) return 'of a negative amount';
  const isPlainAmount = typeof amount === 'number' && amount > 0 && Number.isInteger(cents(amount));
  return isPlainAmount ? 'of a plain amount' : 'of an odd amount';
}

/** The line of the books for it. */
const rowOf = (kind: Kind): Effects.Row =>
  PAYING.includes(kind)
    ? { name: 'a transfer', isUnusual: kind !== 'of a plain amount' }
    : { name: `a transfer ${kind}`, movesNothing: true };

const isTransfer = ({ operation: { id } }: Answer) => id === 'cards.transfer';

/** What was read of a card before and after one transfer, with no other one between; undefined where that is not known. */
function around(transfer: Answer, own: readonly Answer[]): { before: Answer; after: Answer } | undefined {
  const others = own.filter(
    (one) => one !== transfer && (isTransfer(one) || (Phases.mayChange(one) && one.status === 0)),
  );
  const from = Math.max(...others.filter((one) => one.sentAt <= transfer.sentAt).map((one) => one.answeredAt));
  const until = Math.min(...others.filter((one) => one.sentAt > transfer.sentAt).map((one) => one.sentAt));
  const read = own.filter((one) => one.operation.id === 'cards.getBalance' && balanceIn(one) !== undefined);
  const before = read.findLast((one) => one.sentAt >= from && one.answeredAt <= transfer.sentAt);
  const after = read.findLast((one) => one.sentAt >= transfer.answeredAt && one.answeredAt <= until);
  return before && after && { before, after };
}

/** Whether the balance of a card changes though nothing is asked for: what its transfers do cannot be told. */
function drifts(own: readonly Answer[], settleMs: number): boolean {
  let settled: number | undefined;
  let quietFrom = Number.NEGATIVE_INFINITY;
  for (const one of own.toSorted((a, b) => a.sentAt - b.sentAt)) {
    const balance = one.operation.id === 'cards.getBalance' ? balanceIn(one) : undefined;
    if (Phases.mayChange(one)) {
      settled = undefined;
      quietFrom = one.answeredAt + settleMs;
    } else if (balance !== undefined && one.sentAt >= quietFrom) {
      if (settled !== undefined && !Effects.sameCents(settled, balance)) return true;
      settled = balance;
    }
  }
  return false;
}

/** The time in which a card was seen to be suspended, as its records show. @param card its identifier */
function* suspensions(phases: readonly Phases.Phase[], card: string): Generator<{ from: number; until: number }> {
  for (const { state, by, readings } of phases) {
    if (state !== 'suspended' || by?.answer.input.path?.identifier !== card) continue;
    const inactive = readings.filter(({ status }) => status !== ACTIVE);
    if (inactive.length > 0 && inactive.length === readings.length)
      yield { from: inactive[0]!.record.answeredAt, until: inactive.at(-1)!.record.sentAt };
  }
}

/** Whether a card was seen to be suspended before something was sent, with nothing asked of it since that changes its state. */
function isSuspendedFor(transfer: Answer, own: readonly Answer[], phases: readonly Phases.Phase[]): boolean {
  const spans = [...suspensions(phases, transfer.input.path!.identifier!)];
  const changes = own.filter((one) => STATE_CHANGING.includes(one.operation.id));
  const isSince = (from: number) => changes.some((one) => one.answeredAt >= from && one.sentAt <= transfer.answeredAt);
  return spans.some(({ from }) => from <= transfer.sentAt && !isSince(from));
}

/** Transfers between cards whose balances were read before and after. */
function transfersIn(history: readonly Answer[], known: Known): Seen[] {
  const phases = Phases.phasesIn(history, known);
  const byCard = Phases.byCard(history);
  const steady = new Map([...byCard].filter(([, own]) => !drifts(own, known.settleMs)));
  return history
    .filter((one) => isTransfer(one) && one.status > 0 && one.intent !== 'unauthorised')
    .flatMap((transfer) => {
      const { path, json } = transfer.input;
      const from = path?.identifier ?? '';
      const target = memberOf(json, 'targetCardIdentifier');
      const to = typeof target === 'string' ? target : undefined;
      const read = [from, ...(to === undefined || to === from ? [] : [to])].flatMap((card) => {
        const both = steady.has(card) ? around(transfer, steady.get(card)!) : undefined;
        return both ? [{ card, ...both }] : [];
      });
      if (!read.some(({ card }) => card === from)) return [];
      const amount = memberOf(json, 'amount');
      const payment = {
        from,
        ...(to !== undefined && { to }),
        ...(typeof amount === 'number' && { cents: cents(amount) }),
      };
      const kind = kindOf(transfer, isSuspendedFor(transfer, byCard.get(from)!, phases));
      return {
        sent: {
          row: rowOf(kind),
          payments: [{ ...payment, input: isObject(json) ? { json } : {} }],
          answers: [transfer],
        },
        kind,
        gains: new Map(read.map(({ card, before, after }) => [card, balanceIn(after)! - balanceIn(before)!])),
        by: [...read.flatMap(({ before, after }) => [before, after]), transfer] as unknown as Shown['by'],
        isSettled: read.every(({ after }) => after.sentAt >= transfer.answeredAt + known.settleMs),
      };
    });
}

/** What the transfers of a history did; several monitors ask. */
const seenIn = new WeakMap<readonly Answer[], Seen[]>();
function seenOf(history: readonly Answer[], known: Known): Seen[] {
  const seen = seenIn.get(history) ?? transfersIn(history, known);
  seenIn.set(history, seen);
  return seen;
}

const isWhole = ({ sent: { payments }, gains }: Seen): boolean => {
  const [{ from, to = '', cents: asked = 0 }] = payments as [Effects.Payment];
  return Effects.sameCents(gains.get(from) ?? 0, -asked) && Effects.sameCents(gains.get(to) ?? 0, asked);
};

/** Whether what was wrong with some transfers of a card is still so once everything has had its time to show. */
function isLasting(contradicting: readonly Seen[], history: readonly Answer[], { settleMs }: Known): boolean {
  const cards = new Set(contradicting.flatMap(({ gains }) => [...gains.keys()]));
  const all = seenOf(history, { fixtures: {}, settleMs });
  return [...cards].some((card) => {
    const own = Phases.byCard(history).get(card)!;
    const transfers = own.filter(isTransfer);
    const read = own.filter((one) => balanceIn(one) !== undefined && one.operation.id === 'cards.getBalance');
    const windows = all.filter(({ gains }) => gains.has(card));
    const [first, last] = [read[0]!, read.at(-1)!];
    const isSettled = transfers.filter(succeeded).every((one) => last.sentAt >= one.answeredAt + settleMs);
    const gained = windows.reduce((sum, { gains }) => sum + gains.get(card)!, 0);
    const due = windows.reduce((sum, { sent }) => sum + (Effects.rightEffects(sent)[0]!.get(card) ?? 0), 0);
    const isAll = windows.length === transfers.filter((one) => one.sentAt >= first.answeredAt).length;
    const whole = balanceIn(last)! - balanceIn(first)!;
    return isSettled && isAll && Effects.sameCents(whole, gained) && !Effects.sameCents(gained, due);
  });
}

/** Whether the costs of transfers are no fees: those of several amounts show it, or nothing arrives of more than a fee takes. */
function areNoFees(contradicting: readonly Seen[]): boolean {
  const costs = contradicting.flatMap(({ sent, gains }) => Effects.costOf(sent, gains) ?? []);
  const isLost = ({ cents: asked, paid, kept: lost }: (typeof costs)[number]) =>
    Effects.sameCents(paid, 0) &&
    Effects.sameCents(lost, asked) &&
    asked > Math.max(numbers.lateFees, numbers.largestFeeShare * asked);
  return costs.every(isLost) || !mayBeFees(costs);
}

/** Number of transfers that contradict alike, of which others' use of the cards explains one. */
const ENOUGH = 2;

/** Whether transfers show by themselves that something is wrong. One that a suspended card paid whole needs no other beside it. */
function isPlain(found: readonly Seen[], history: readonly Answer[], known: Known): boolean {
  const ours = found.filter((one) => isOurs(one, known));
  if (found[0]?.kind === FROM_SUSPENDED) return ours.some((one) => isWhole(one) && succeeded(one.sent.answers[0]));
  const isOften = ours.filter(({ isSettled }) => isSettled).length >= numbers.shownAgain;
  return found.length >= ENOUGH && areNoFees(found) && (isOften || isLasting(found, history, known));
}

/** Whether the fixtures file promises that nobody else uses the cards that pay. */
function isOurs({ sent: { payments } }: Seen, { fixtures: { cards } }: Known): boolean {
  const own = [...(cards?.active ?? []), ...(cards?.disposable ?? [])];
  return payments.every(({ from }) => own.includes(from));
}

/** What the balances around transfers of some kinds show. */
const moves = (contradicts: Contradictions.Contradiction, kinds: readonly Kind[], wantsPlain: boolean): Monitor =>
  function* (history, known) {
    const seen = seenOf(history, known).filter(({ kind }) => kinds.includes(kind));
    const success = seenOf(history, known).find((one) => isWhole(one))?.sent.answers[0];
    const messageOf = ({ sent, gains }: Seen) => contradicts(sent, gains, success);
    const found = seen.filter((one) => messageOf(one) !== undefined);
    if (isPlain(found, history, known) !== wantsPlain) {
      if (found.length === 0) for (const one of seen) if (one.isSettled || isWhole(one)) yield kept(one.by);
      return;
    }
    const [first] = found;
    if (!first) return;
    if (first.kind !== FROM_SUSPENDED && !areNoFees(found))
      return yield nothing(first.by, `${messageOf(first)}, which may be a fee`);
    const late =
      first.isSettled || wantsPlain
        ? ''
        : `, as read before the settle time of ${known.settleMs} ms was over (RUN_SETTLE_MS)`;
    const [expected, actual] = Effects.differenceOf(first.sent, first.gains);
    yield contradiction(first.by, `${messageOf(first)}${late}`, expected, actual);
  };

/** Declares what the balances around single transfers that others made must not show. @param kinds of the transfers that it is about */
export function watchTransfers(
  requirement: string,
  contradicts: Contradictions.Contradiction,
  kinds: readonly Kind[],
): void {
  for (const wantsPlain of [true, false])
    watch({ requirement, monitor: moves(contradicts, kinds, wantsPlain), isSuspicion: !wantsPlain });
}
