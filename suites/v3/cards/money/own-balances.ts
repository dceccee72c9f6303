/** The balance of a card is its own, whatever else is asked for at the same moment (readings 10 and 23). */
import { type Answer, identifiersIn, member, succeeded } from '../../../../helpers/answer.ts';
import type { Context } from '../../../../helpers/check.ts';
import { knownOf } from '../../../../helpers/engine/monitor.ts';
import { contradiction, kept, type Monitor, type Shown } from '../../../../helpers/evidence/monitor.ts';
import { inconclusive } from '../../../../helpers/verdict.ts';

export const cardOf = ({ input }: Answer) => input.path?.identifier;
export const balanceIn = (answer: Answer) => member(answer, 'balance');
export const isReading = (one: Answer) =>
  one.operation.id === 'cards.getBalance' && succeeded(one) && typeof balanceIn(one) === 'number';
const overlap = (one: Answer, other: Answer) => one.sentAt < other.answeredAt && other.sentAt < one.answeredAt;

/** A balance that is asked for beside that of another card, and differs from what the same card shows before and after, is not the other one's. */
export const ownBalances: Monitor = function* (history): Generator<Shown> {
  const all = history.filter(isReading);
  const byCard = Map.groupBy(all, cardOf);
  const changes = history.filter((one) => one.operation.risk !== 'safe');
  const isStill = (card: string | undefined, from: Answer, until: Answer) =>
    !changes.some(
      (one) =>
        identifiersIn(one.input).includes(card!) && one.answeredAt >= from.sentAt && one.sentAt <= until.answeredAt,
    );
  for (const reading of all) {
    const card = cardOf(reading);
    const [own, value] = [byCard.get(card)!, balanceIn(reading)];
    const before = own.findLast((one) => one.answeredAt <= reading.sentAt && isStill(card, one, reading));
    const after = own.find((one) => one.sentAt >= reading.answeredAt && isStill(card, reading, one));
    const beside = all.filter((one) => cardOf(one) !== card && overlap(one, reading));
    const asOther = beside.find((one) => byCard.get(cardOf(one))!.some((other) => balanceIn(other) === value));
    const held = before ?? after;
    if (beside.length > 0 && held && balanceIn(held) === value) yield kept([held, reading]);
    const isLeft = before && after && balanceIn(before) === balanceIn(after) && balanceIn(before) !== value;
    if (isLeft && asOther)
      yield contradiction(
        [asOther, before, after, reading],
        'a card has the balance of another one, which was asked for at the same moment',
        String(balanceIn(before)),
        String(value),
        '/balance',
      );
  }
};

/** Money is judged by balances. @throws Inconclusive where those of two cards are mixed up, which is a finding of its own */
export function requireOwnBalances(t: Context): void {
  for (const { shows } of ownBalances(t.run.answers, knownOf(t)))
    if (shows === 'contradiction')
      inconclusive('balances that are asked for at the same moment are mixed up: see cards.getBalance.same-card');
}
