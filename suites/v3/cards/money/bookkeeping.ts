/** Transfers of which books are kept (readings 27, 47 and 49). What contradicts is tried again on other cards; what shows twice more accuses. */
import type { Retrial } from '../../../../contracts/record.ts';
import { succeeded } from '../../../../helpers/answer.ts';
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import { NotMoved } from '../../../../helpers/changes/money-account.ts';
import { type Context, type Scenario, scenario } from '../../../../helpers/check.ts';
import { attempt } from '../../../../helpers/verdict.ts';
import { Books } from './books.ts';
import type * as Contradictions from './contradictions.ts';
import * as Effects from './effects.ts';
import { areNoFees, feesAmong } from './fee.ts';
import { sendFurtherAmounts } from './further-amounts.ts';

/** What a drive gave, its books, and what showed when its suspicions were tried again at once. */
export interface Kept<Facts> {
  facts: Facts;
  books: Books;
  cards: readonly LeasedCard[];
  /** Where they cannot be had twice: whether their balances change by themselves, and what shows at once. */
  drifts?: boolean;
  tried?: Tried;
}

/** Transfers of which books are kept. */
export interface Bookkeeping<Facts> {
  first: Scenario<Kept<Facts>>;
  /** What shows when its suspicions are tried again on other cards. */
  again: Scenario<Tried>;
}

/** What the trials of suspicions showed. */
export interface Tried {
  shown: readonly (Contradictions.Found & { retrial: Retrial })[];
  /** Why nothing else accuses. */
  reason: string;
}

const costsOf = ({ effects }: Books) =>
  effects.flatMap(({ sent, gains }) => {
    const cost = gains && Effects.costOf(sent, gains);
    return cost ? { ...cost, row: sent.row.name } : [];
  });

/**
 * The contradictions of books but those that may be fees: a cost of transfers that is alike each time, for each card, or a share of all amounts.
 * @param other books of the same rows, which show more amounts
 */
function beyondFees(books: Books, other?: Books): Contradictions.Found[] {
  const { found } = books;
  const [own, others] = [costsOf(books), other ? costsOf(other) : []];
  const fees = areNoFees(others) ? [] : feesAmong(own, others);
  const isFee = ({ sent: { row, payments }, gains }: Contradictions.Found) =>
    payments.length > 1 ? fees.length > 0 && Effects.netChange(gains) < 0 : fees.some((fee) => fee.row === row.name);
  // Too few payments are drawn to tell what may be a fee of theirs.
  const mayBeFee = (one: Contradictions.Found) =>
    one.sent.row.among !== undefined &&
    Effects.costOf(one.sent, one.gains) !== undefined &&
    Effects.netChange(one.gains) < 0 &&
    !isPlain(one);
  return found.filter((one) => !isFee(one) && !mayBeFee(one));
}

/** Whether each card gained what was asked for, once or twice, or nothing: somebody else hardly moves the same amounts. */
export const isPlain = ({ sent: { payments }, gains }: Contradictions.Found): boolean =>
  payments.length === 1 &&
  Effects.centsOf(gains).every((gain) =>
    [0, 1, 2].some((times) => Effects.sameCents(Math.abs(gain), times * Math.abs(payments[0]!.cents ?? 0))),
  );

const identifiersOf = (cards: readonly LeasedCard[]): string[] => cards.map(({ identifier }) => identifier);

/** Whether a transfer lost its amount: what it took from one card, no other got. */
export const isLost = (one: Contradictions.Found): boolean => isPlain(one) && Effects.netChange(one.gains) < 0;

/** Whether two show the same: in the same row, or that an amount is lost, which some transfers alone may be. */
const isSame = (one: Contradictions.Found, other: Contradictions.Found): boolean =>
  one.contradiction === other.contradiction &&
  (one.sent.row.name === other.sent.row.name || (isLost(one) && isLost(other)));

const DRIFTS: Tried = { shown: [], reason: 'the balances of the cards change without a request' };

/** What shows with two cards, neither of which changes by itself. */
export const shownTwice = (once: Kept<unknown>, twice: Kept<unknown>): Tried =>
  once.drifts || twice.drifts ? DRIFTS : shownAgain(once.books, twice.books);

/** What shows in two plays of the same rows. */
function shownAgain(once: Books, twice: Books): Tried {
  const shown = beyondFees(twice, once).flatMap((one) => {
    const before = beyondFees(once, twice).find((other) => isSame(one, other));
    if (!before) return [];
    const exchanges = [...before.exchanges, ...one.exchanges];
    const controls = twice.control ? 1 : 0;
    return { ...one, retrial: { tries: 2, shown: 2, controls, exchanges, once: [...one.exchanges] } };
  });
  return { shown, reason: 'not with another card' };
}

/**
 * Tries suspicions again: each row alone, with a settle time and readings of its own; where that shows nothing, also those between the same
 * readings. What shows twice is shown, unless balances change by themselves.
 */
async function tryAgain(
  t: Context,
  cards: readonly LeasedCard[],
  before: Books,
  drive: (books: Books, round: number) => Promise<unknown>,
): Promise<Tried> {
  let round = 0;
  const play = async (only: ReadonlySet<string>) => {
    const books = before.again(t, identifiersOf(cards), { round: ++round, only });
    await drive(books, round);
    books.requireSent();
    await books.sendControl();
    // What may be a fee is asked for with other amounts.
    if (books.found.length > 0 && beyondFees(books, before).length === 0) await sendFurtherAmounts(t, books);
    return books;
  };
  let only = before.suspects;
  let once = await play(only);
  if (once.found.length === 0) {
    only = before.besideSuspects;
    once = await play(only);
  }
  if (beyondFees(once, before).length === 0)
    return { shown: [], reason: 'not when it was made again, or it may be a fee' };
  if (await once.drifts()) return DRIFTS;
  const shown = shownAgain(before, once).shown.filter(isPlain);
  const isOpen = beyondFees(once, before).some((one) => !shown.some((other) => isSame(one, other)));
  const twice = isOpen ? await attempt(() => play(only)) : undefined;
  const shownThen =
    twice?.ended instanceof NotMoved ? lostAmong(before, once) : twice ? shownAgain(once, twice.get()).shown : [];
  if (twice?.isEnded && shown.length + shownThen.length === 0) twice.get();
  return { shown: [...shown, ...shownThen], reason: 'not when it was made again' };
}

/**
 * What lost its amount when it was made again, and before was among transfers that lost some money, none of which explained it: where RUN_MAX_LOSS
 * allows no third time, that is the second.
 */
function lostAmong(before: Books, once: Books): Tried['shown'] {
  const isUnexplained = ({ name }: Effects.Row) =>
    before.effects.some(({ sent, gains }) => sent.row.name === name && gains === undefined);
  return beyondFees(once, before)
    .filter((one) => isLost(one) && isUnexplained(one.sent.row))
    .map((one) => {
      const exchanges = [...one.exchanges];
      return {
        ...one,
        retrial: {
          tries: 1,
          shown: 1,
          controls: once.control ? 1 : 0,
          exchanges,
          once: exchanges,
        },
      };
    });
}

/** Makes transfers. `earlier` is what they gave before, where they are made again. */
export type Drive<Facts> = (t: Context, books: Books, cards: readonly LeasedCard[], earlier?: Facts) => Promise<Facts>;

/** Observes what transfers did on which the documents are silent, in words that do not vary between runs. */
function observe(t: Context, { effects, success, isJudged }: Books): void {
  for (const { sent, gains } of effects) {
    const { row, answers } = sent;
    const [answer, ...others] = answers;
    if (!answer || !gains || row.movesNothing || row.among || !isJudged(row) || others.length > 0) continue;
    const [due] = Effects.rightEffects({ ...sent, row: { ...row, isUnusual: false } }, success);
    const some = Effects.sameGains(gains, due!) ? 'the amount' : 'another amount';
    const effect = Effects.nothingMoved(gains) ? 'nothing' : some;
    t.observe('cards.transfer', row.name, succeeded(answer) ? `accepted, moves ${effect}` : answer);
  }
}

/** Makes transfers, and tries what is suspected again at once if the cards cannot be had twice. @param judging what the rows are judged by */
export async function keepBooks<Facts>(
  t: Context,
  cards: readonly LeasedCard[],
  judging: Contradictions.Judging,
  drive: Drive<Facts>,
  { atOnce = false } = {},
): Promise<Kept<Facts>> {
  const held = new Map(
    cards.flatMap(({ identifier, balance }) => (balance === undefined ? [] : [[identifier, balance]])),
  );
  const books = new Books(t, identifiersOf(cards), { held, judging });
  const facts = await drive(t, books, cards);
  await books.check({ late: true });
  observe(t, books);
  if (!atOnce || books.suspects.size === 0) return { facts, books, cards };
  const drifts = await books.drifts();
  const tried = await tryAgain(t, cards, books, (own) => drive(t, own, cards, facts));
  return { facts, books, cards, drifts, tried };
}

/** Transfers that are made once in a run, and again on other cards where they raise a suspicion. */
export const bookkeeping = <Facts>(
  name: string,
  lease: (t: Context, avoiding: readonly string[]) => Promise<LeasedCard[]>,
  judgingIn: (t: Context) => Contradictions.Judging,
  drive: Drive<Facts>,
) => {
  const first = scenario(name, async (t) => {
    t.prioritiseAboveAll();
    return keepBooks(t, await lease(t, []), judgingIn(t), drive);
  });
  const again = scenario(`${name}, tried again`, async (t) => {
    const { facts, books, cards: before } = await t.known(first);
    const cards = await lease(t, identifiersOf(before));
    // By turns in the other direction, since what is wrong may use a card up.
    const inTurn = (round: number) => (round % 2 === 0 ? cards.toReversed() : cards);
    return tryAgain(t, cards, books, (own, round) => drive(t, own, inTurn(round), facts));
  });
  return { first, again } satisfies Bookkeeping<Facts>;
};
