/** The amount that a transfer answers (reading 27): where more than the balance is asked for, it may be what is there. */
import { numbers } from '../../../contracts/numbers.ts';
import { type Answer, identifiersIn, member, memberOf } from '../../../helpers/answer.ts';
import { balanceIn, cents } from '../../../helpers/cards/card-state.ts';
import type { Context } from '../../../helpers/check.ts';
import type { TryAgain } from '../../../helpers/engine/monitor.ts';
import { contradiction, kept, type Monitor } from '../../../helpers/evidence/monitor.ts';
import { attempt, inconclusive } from '../../../helpers/verdict.ts';
import { monitored } from '../../declare.ts';
import * as Claims from './money/claims.ts';
import * as Effects from './money/effects.ts';
import * as MovingTransfers from './money/moving-transfers.ts';
import * as Transfers from './money/transfers.ts';
import * as RefusedTransfers from './refused-transfers.ts';

const REQUIREMENT = 'cards.transfer.amount-answered';

/** A transfer that claims success, with the amounts that were asked for and answered, in cents. */
interface Answered {
  answer: Answer;
  asked: number;
  answered: number;
}

const isAsAsked = ({ asked, answered }: Answered): boolean => Effects.sameCents(answered, asked);

/**
 * Transfers that claim success and whose answers give an amount; not those of an amount on which the documents are silent, or of a fraction of a cent.
 * What a success claims is seen in answers with the amount that was asked for.
 */
function answeredIn(history: readonly Answer[]): Answered[] {
  const all = history.flatMap((answer): Answered[] => {
    if (answer.operation.id !== 'cards.transfer' || answer.intent === 'unusual') return [];
    const [asked, answered] = [memberOf(answer.input.json, 'amount'), member(answer, 'amount')];
    if (typeof asked !== 'number' || typeof answered !== 'number') return [];
    const isOfCents = asked > 0 && Number.isInteger(cents(asked));
    return isOfCents ? [{ answer, asked: cents(asked), answered: cents(answered) }] : [];
  });
  const success = all.find((one) => isAsAsked(one) && Claims.isSuccess(one.answer, undefined))?.answer;
  return all.filter(({ answer }) => Claims.isSuccess(answer, success));
}

const differs = ({ answer, asked }: Answered, by: readonly Answer[] = []) =>
  contradiction(
    [...by, answer],
    'the amount answered is not the amount asked for',
    String(asked / 100),
    String(member(answer, 'amount')),
    '/amount',
  );

/** No transfer answers more than was asked for. */
const answersNoMore: Monitor = function* (history) {
  for (const one of answeredIn(history))
    if (isAsAsked(one)) yield kept([one.answer]);
    else if (one.answered > one.asked) yield differs(one);
};

/** A transfer answers no less than was asked for where the last balance of its card is enough, less what it was asked to pay since. */
const answersNoLess: Monitor = function* (history) {
  for (const one of answeredIn(history)) {
    const { answer, asked, answered } = one;
    if (isAsAsked(one)) yield kept([answer]);
    if (answered > asked - numbers.sameCents) continue;
    const held = heldBefore(history, answer);
    if (held && held.cents >= asked) yield differs(one, [held.balance]);
  }
};

/** The last balance of the card that pays, and what is left of it in cents after the transfers that it was asked for since, with the largest fees; undefined if that is not known. */
function heldBefore(history: readonly Answer[], transfer: Answer): { balance: Answer; cents: number } | undefined {
  const card = transfer.input.path?.identifier ?? '';
  const balance = history.findLast(
    (one) =>
      one.operation.id === 'cards.getBalance' &&
      one.input.path?.identifier === card &&
      one.answeredAt <= transfer.sentAt &&
      balanceIn(one) !== undefined,
  );
  if (!balance) return undefined;
  const since = history.filter(
    (one) =>
      one !== transfer &&
      one.operation.risk !== 'safe' &&
      identifiersIn(one.input).includes(card) &&
      one.answeredAt > balance.sentAt &&
      one.sentAt < transfer.answeredAt,
  );
  const paid = since.map((one) => paidAtMost(one, card));
  if (paid.some((most) => most === undefined)) return undefined;
  return { balance, cents: paid.reduce<number>((left, most) => left - most!, balanceIn(balance)!) };
}

/** Most that a request took from a card, in cents; undefined where that is not known. */
function paidAtMost({ operation: { id }, input: { path, json } }: Answer, card: string): number | undefined {
  if (id !== 'cards.transfer') return undefined;
  if (path?.identifier !== card) return 0;
  const amount = memberOf(json, 'amount');
  if (typeof amount !== 'number' || amount < 0) return undefined;
  return cents(amount) + Math.max(numbers.mostOfSmallFee, numbers.largestFeeShare * cents(amount));
}

/** Somebody else may have spent what the balance showed, but hardly before two transfers. */
const shownTwice: TryAgain = async (t, [stands], monitor) => {
  const all = [...monitor(t.run.answers, { fixtures: t.fixtures, settleMs: 0 })];
  const found = all.filter(({ shows }) => shows === 'contradiction');
  const exchanges = found.flatMap(({ by }) => by.map(({ exchange }) => exchange));
  if (found.length < 2) inconclusive(`${stands.message}, but only once: somebody else may have spent the money`);
  return { stands, retrial: { tries: found.length, shown: found.length, controls: 0, exchanges } };
};

const transfer = RefusedTransfers.transfers.reads(REQUIREMENT, ...Transfers.MOVING, MovingTransfers.REPEATED);

/** Makes transfers, and looks at all of the run. */
async function everyTransfer(t: Context): Promise<void> {
  const driven = await attempt(() => transfer(t));
  const transfers = t.run.answers.filter(({ operation }) => operation.id === 'cards.transfer');
  t.exchanges.push(...transfers.map(({ exchange }) => exchange));
  if (driven.isEnded) driven.get();
}

const noMore = monitored(REQUIREMENT, answersNoMore);
noMore('not more, in any transfer', { phase: 'last' }, everyTransfer);
const noLess = monitored(REQUIREMENT, answersNoLess, { tryAgain: shownTwice });
noLess('not less, in transfers that the balance allows', { phase: 'last' }, everyTransfer);
