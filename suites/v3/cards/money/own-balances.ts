/** The balance of a card is its own, whatever else is asked for at the same moment (readings 10 and 23). */
import { type Answer, identifiersIn, member, succeeded } from '../../../../helpers/answer.ts';
import type { Context } from '../../../../helpers/check.ts';
import { knownOf } from '../../../../helpers/engine/monitor.ts';
import { contradiction, kept, type Monitor, type Shown } from '../../../../helpers/evidence/monitor.ts';
import { optional, refer } from '../../../../helpers/verdict.ts';

export const cardOf = ({ input }: Answer) => input.path?.identifier;
export const balanceIn = (answer: Answer) => member(answer, 'balance');
export const isReading = (one: Answer) =>
  one.operation.id === 'cards.getBalance' && succeeded(one) && typeof balanceIn(one) === 'number';

/** The readings of other cards that were under way at the same moment, by reading. */
function besideEach(readings: readonly Answer[]): Map<Answer, Answer[]> {
  const beside = new Map<Answer, Answer[]>(readings.map((one) => [one, []]));
  let underWay: Answer[] = [];
  for (const reading of readings.toSorted((one, other) => one.sentAt - other.sentAt)) {
    underWay = underWay.filter((one) => reading.sentAt < one.answeredAt);
    for (const other of underWay.filter((one) => cardOf(one) !== cardOf(reading))) {
      beside.get(reading)!.push(other);
      beside.get(other)!.push(reading);
    }
    underWay.push(reading);
  }
  return beside;
}

/** What may change the balance of each card. */
function changesIn(history: readonly Answer[]): ReadonlyMap<string | undefined, readonly Answer[]> {
  const about = history
    .filter(({ operation }) => operation.risk !== 'safe')
    .flatMap((change) => identifiersIn(change.input).map((card) => ({ card, change })));
  const byCard = Map.groupBy(about, ({ card }) => card);
  return new Map([...byCard].map(([card, changes]) => [card, changes.map(({ change }) => change)]));
}

/** A balance that is asked for beside that of another card, and differs from what the same card shows before and after, is not the other one's. */
export const ownBalances: Monitor = function* (history): Generator<Shown> {
  const all = history.filter(isReading);
  const byCard = Map.groupBy(all, cardOf);
  const changes = changesIn(history);
  const isStill = (card: string | undefined, from: Answer, until: Answer) =>
    !changes.get(card)?.some((one) => one.answeredAt >= from.sentAt && one.sentAt <= until.answeredAt);
  for (const [reading, beside] of besideEach(all)) {
    const card = cardOf(reading);
    if (beside.length === 0) continue;
    const [own, value] = [byCard.get(card)!, balanceIn(reading)];
    const before = own.findLast((one) => one.answeredAt <= reading.sentAt && isStill(card, one, reading));
    const after = own.find((one) => one.sentAt >= reading.answeredAt && isStill(card, reading, one));
    const held = before ?? after;
    if (held && balanceIn(held) === value) yield kept([held, reading]);
    const isLeft = before && after && balanceIn(before) === balanceIn(after) && balanceIn(before) !== value;
    const hasValue = (one: Answer) => byCard.get(cardOf(one))!.some((other) => balanceIn(other) === value);
    const asOther = isLeft && beside.find(hasValue);
    if (asOther)
      yield contradiction(
        [asOther, before, after, reading],
        'a card has the balance of another one, which was asked for at the same moment',
        String(balanceIn(before)),
        String(value),
        '/balance',
      );
  }
};

/** Whether something that may change a balance was answered since it was read. */
const isChangedSince = (history: readonly Answer[], card: string, { sentAt }: Answer): boolean =>
  changesIn(history)
    .get(card)
    ?.some((one) => one.answeredAt >= sentAt) ?? false;

/** How often balances are read at the same moment before they accuse. */
const TIMES_TOGETHER = 4;

const readOne = (t: Context, identifier: string, atOnce = false) =>
  t.call('cards.getBalance', { path: { identifier } }, { intent: 'refusable', atOnce });

/** Reads balances one after the other, at the same moment, and one after the other. */
async function readTogether(t: Context, cards: readonly string[]): Promise<void> {
  for (const card of cards) await readOne(t, card);
  await Promise.all(cards.map((card) => readOne(t, card, true)));
  for (const card of cards) await readOne(t, card);
}

/** Reads balances at the same moment; before it what the run has not read since it asked for a change, and after it what shows something else then. */
export async function readBeside(t: Context, cards: readonly string[]): Promise<void> {
  const { answers } = t.run;
  const lastOf = (card: string) => answers.findLast((one) => isReading(one) && cardOf(one) === card);
  const isKnown = (card: string) => {
    const last = lastOf(card);
    return last !== undefined && !isChangedSince(answers, card, last);
  };
  for (const card of cards) if (!isKnown(card)) await readOne(t, card);
  const before = cards.map(lastOf);
  const read = await Promise.all(cards.map((card) => readOne(t, card, true)));
  const isSame = read.every((one, index) => before[index] && balanceIn(one) === balanceIn(before[index]));
  if (!isSame) for (const card of cards) await readOne(t, card);
}

/** Two cards of which balances were read. */
const cardsRead = ({ run: { answers } }: Context): string[] =>
  [...new Set(answers.filter(isReading).map(cardOf))].filter((card) => card !== undefined).slice(0, 2);

/**
 * Money is judged by balances. Reads those of some cards once more before that accuses.
 * @throws Inconclusive where the balances of two cards are mixed up, which is a finding of its own
 */
export async function requireOwnBalances(t: Context, cards = cardsRead(t)): Promise<void> {
  const { answers } = t.run;
  requireNotMixedUp(t, answers);
  // Others read balances meanwhile: where theirs are mixed up with these, one time shows nothing.
  for (let times = 0; times < TIMES_TOGETHER; times++) {
    const before = answers.length;
    await optional(readTogether(t, cards));
    requireNotMixedUp(t, answers.slice(before));
  }
}

function requireNotMixedUp(t: Context, answers: readonly Answer[]): void {
  for (const { shows } of ownBalances(answers, knownOf(t)))
    if (shows === 'contradiction')
      refer('balances that are asked for at the same moment are mixed up', 'cards.getBalance.same-card');
}
