/** Transfers between two active cards that should move their amounts: one by one, repeated, at the same moment, and of the whole balance (reading 27). */
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import type { Context } from '../../../../helpers/check.ts';
import * as Forms from '../../../../helpers/engine/forms/index.ts';
import type { Life, On } from '../../../../helpers/engine/life.ts';
import { attempt, inconclusive, optional } from '../../../../helpers/verdict.ts';
import * as Amounts from '../../../shared/amounts.ts';
import type { Books } from './books.ts';
import * as Contradictions from './contradictions.ts';
import * as Effects from './effects.ts';
import * as Payments from './payments.ts';

/** Cents by which the plain amounts of one trial differ from those of the one before. */
const MORE = 37;

/** Transfers between two cards, in the form that moved money. @param takesCents whether the target is known to take fractions of a unit */
export function between(
  t: Context,
  books: Books,
  { from, to, members }: Pick<Payments.Form, 'from' | 'to' | 'members'>,
  takesCents = false,
) {
  const there = (cents: number, more = {}): Effects.Payment => Payments.make(from, to, cents, { ...members, ...more });
  const back = (cents: number, more = {}): Effects.Payment => Payments.make(to, from, cents, { ...members, ...more });
  /** The nth plain amount in cents; those of a trial were not asked for before, where the target takes cents. The least where all that is moved is lost. */
  const plain = (n: number): number =>
    t.run.money.isLosingAll
      ? Amounts.plain(Amounts.ruleOf(t), books.round)
      : Amounts.plain(Amounts.ruleOf(t), n + books.round) + (takesCents ? MORE * books.round : 0);
  let controls = 3;
  /** A plain transfer, each time of another amount, from the source as long as it has enough; the least where money goes missing. */
  const control = async (): Promise<Effects.Payment> => {
    const cents = t.run.money.isLosing ? Amounts.ruleOf(t).least : plain(controls++);
    return (await books.balance(from)) >= cents ? there(cents) : back(cents);
  };
  let times = 0;
  /** A transfer that must move nothing, told apart from others by its amount, where the target takes fractions of a unit. */
  const refusable = (isFraction: boolean, more = {}): Effects.Payment => {
    const { least } = Amounts.ruleOf(t);
    return there(isFraction ? least + ++times : least, more);
  };
  return { source: from, target: to, there, back, plain, control, refusable };
}

export type Between = ReturnType<typeof between>;

/** What such a life begins with. */
export interface Start {
  books: Books;
  cards: readonly LeasedCard[];
  /** Whether an earlier play found that the target takes fractions of a unit; undefined in the first play. */
  tookCents: boolean | undefined;
}

/** What its first steps show. */
export type Found = {
  /** The first form that moved money; undefined where none did. */
  plain: Payments.Form | undefined;
  /** The two cards, in the form that moved money, else in the plainest. */
  pair: Between;
};
/** A step once these are known. */
export type Sending = On<Start, Found>;

/** The two cards, where a transfer between them moves money. @throws Inconclusive otherwise */
function movingPair({ plain, pair }: Sending): Between {
  return plain.get() ? pair.get() : inconclusive('no transfer was seen to move its amount');
}

/** Whether the target takes fractions of a unit. */
export const takesCents = ({ books, tookCents }: Sending): boolean =>
  tookCents ?? !Effects.nothingMoved(books.gains(CENTS) ?? new Map());

/** Adds the steps of transfers to a life of two cards. */
export type Add = <F extends Found>(life: Life<Start, F>) => Life<Start, F>;

/** Comments sent in every run: the odd characters in one text, and 300 characters (reading 9). */
const EACH_RUN = [`Zoë's 100% "A_1" # & <b> {2} \\ ;-- 漢字`, 'x'.repeat(300)];
const FIELDS = Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`customField${n}`, `text ${n}`]));

/** The row that shows whether the target takes fractions of a unit. */
const CENTS = 'a transfer of 1.15';

/** Plain transfers, by the names of their steps; there and back by turns, so that a card with little has enough. @param plain the nth plain amount */
const PLAIN: Readonly<Record<string, (pair: Between, plain: (n: number) => number) => Effects.Payment>> = {
  'a transfer back again': ({ back }, plain) => back(plain(2)),
  'a transfer with comment and customFields': ({ there }, plain) =>
    there(plain(4), { comment: 'transfer', customFields: FIELDS }),
  // Amounts that binary fractions get wrong: 1.15 * 100 is below 115, 1.10 * 100 above 110. All in one direction, so that no error hides another.
  [CENTS]: ({ there }) => there(115),
  'a transfer of 1.10': ({ there }) => there(110),
  'a transfer of 4.35': ({ there }) => there(435),
  'a transfer of a cent': ({ there }) => there(1),
};
const ODD_COMMENTS = 'transfers with odd comments';
const NO_FIELDS = 'a transfer with customFields without members';
const EVERYTHING = 'a transfer of the whole balance';
const TO_EMPTY = 'a transfer to an empty card';
const REPEATED = 'a transfer, the same twice more, back, and there again';
const AT_ONCE = [
  'two transfers and one back at the same moment',
  'two transfers of the whole balance at the same moment',
];

/** The steps of transfers one by one, of those that are repeated, and of those at the same moment. */
export const ONE_BY_ONE: readonly string[] = [...Object.keys(PLAIN), ODD_COMMENTS, NO_FIELDS, EVERYTHING, TO_EMPTY];
export { AT_ONCE, EVERYTHING, REPEATED };

const plainOf = (t: Context) => (n: number) => Amounts.plain(Amounts.ruleOf(t), n);

/**
 * Transfers that should move their amounts. The largest goes last, and alone between readings: what is lost of large amounts alone costs
 * that one.
 */
export const byTurns: Add = (life) => {
  for (const [name, make] of Object.entries(PLAIN)) {
    const send = async (on: Sending) => {
      const pair = movingPair(on);
      await on.books.send({ name }, () => [make(pair, plainOf(on.t))]);
    };
    life.does(name, send, { leads: name === CENTS });
  }
  return life
    .does('balances after plain transfers', ({ books }) => books.check(), { leads: true })
    .does(ODD_COMMENTS, sendOddComments)
    .does(NO_FIELDS, async (on) => {
      const { back } = movingPair(on);
      await on.books.send({ name: NO_FIELDS }, () => [back(plainOf(on.t)(9), { customFields: {} })]);
      await on.books.check();
    });
};

async function sendOddComments(on: Sending): Promise<void> {
  const { t, books } = on;
  const { there, back } = movingPair(on);
  const odd = t.rotated('transfers: odd texts', Forms.oddTextsOf('json')).map(({ text }) => text);
  for (const [index, comment] of [...EACH_RUN, ...odd].entries()) {
    // What any text loses, those of each run show: what may be lost yet is for trying these again.
    if (index === EACH_RUN.length && odd.length > 1) await books.check();
    if (index >= EACH_RUN.length && t.run.money.isLosing) break;
    const row = { name: `a transfer with the text ${comment.slice(0, 20)}`, step: ODD_COMMENTS };
    const pay = index % 2 ? there : back;
    const members = { comment, customFields: Object.fromEntries(Object.keys(FIELDS).map((name) => [name, comment])) };
    await books.send(row, () => [pay(plainOf(t)(t.run.money.isLosing ? 0 : 1 + (index % 3)), members)]);
  }
}

/** Transfers that belong together: one that is repeated, and some at the same moment. */
export const several: Add = (life) =>
  life
    .does(REPEATED, async (on) => {
      const { there, back, plain } = movingPair(on);
      const same = there(plain(5));
      // What is taken for a reversal of the one before shows in two places: other transfers may come between.
      await on.books.send({ name: REPEATED }, () => [same, same, same, back(plain(5)), same]);
      await on.books.check();
    })
    .does(AT_ONCE[0]!, async (on) => {
      const { there, back, plain } = movingPair(on);
      const payments = [there(plain(0)), there(plain(1)), back(plain(3))];
      await on.books.send({ name: AT_ONCE[0]!, atOnce: true }, () => payments);
      await on.books.check();
    });

/**
 * Transfers of the whole balance, after which the source has little, so that little is lost by what takes all that it has: one, and two at the same
 * moment of the plain amount that is moved back to the empty card. It keeps such an amount then; the rest is moved back in the end.
 */
export const everything: Add = (life) =>
  life
    .shows('little', async (on) => Math.min(Math.floor(await balanceOf(on)), movingPair(on).plain(5)), { leads: true })
    .does(EVERYTHING, async (on) => {
      const all = Math.floor(await balanceOf(on));
      await on.books.send({ name: EVERYTHING }, () => [movingPair(on).there(all)]);
      await on.books.check();
    })
    .does(TO_EMPTY, async (on) => {
      const little = on.little.get();
      await on.books.send({ name: TO_EMPTY, after: [EVERYTHING] }, () => [movingPair(on).back(little)]);
      await on.books.check();
    })
    .shows(AT_ONCE[1]!, async (on) => {
      const row = { name: AT_ONCE[1]!, atOnce: true, isBeyond: true };
      const { there } = movingPair(on);
      const sent = await on.books.send(row, async () => {
        const cents = Math.floor(await balanceOf(on));
        return [there(cents), there(cents)];
      });
      await on.books.check();
      return sent;
    })
    .does('what was moved, given back', giveBack, { leads: true }) as never;

const balanceOf = (on: Sending): Promise<number> => on.books.balance(movingPair(on).source);

/** Gives back what the target got; and where the whole balance was moved twice at the same moment, tries whether it is in turn, too. */
async function giveBack(on: On<Start, Found & { little: number }>): Promise<void> {
  const { books, little } = on;
  const { source, target, there, back } = movingPair(on);
  const [, atOnce] = AT_ONCE as [string, string];
  const sent = books.rowsOf([atOnce]).sent[0]?.sent;
  const cents = sent?.payments[0]?.cents ?? 0;
  const gotBy = (gains: Effects.Gains | undefined): number => gains?.get(target) ?? 0;
  const timesMoved = (gains: Effects.Gains | undefined): number => (cents > 0 ? Math.round(gotBy(gains) / cents) : 0);
  const give = async (most: number, got: number): Promise<void> => {
    const given = Math.min(most, Math.floor(got));
    if (given > 0) await optional(books.prepare('a return', back(given)));
  };
  const isSpentTwice = timesMoved(books.gains(atOnce)) >= 2;
  const got = [EVERYTHING, TO_EMPTY, atOnce].reduce((sum, name) => sum + gotBy(books.gains(name)), 0);
  await give(isSpentTwice ? 2 * cents : little.get(), got);
  if (!isSpentTwice || (await books.balance(source)) < cents) return;
  // A card may be overdrawn, or balances booked after the answer, if only now and then: then the second of two consecutive ones moves money, too.
  for (const [time, most] of [cents, little.get()].entries()) {
    const name = `two transfers of the whole balance in turn, time ${time + 1}`;
    const inTurn = await attempt(() => books.prepare(name, there(cents), there(cents)));
    if (!inTurn.value) return;
    const { gains } = inTurn.value;
    await give(most, gotBy(gains));
    if (timesMoved(gains) !== 1) return;
  }
  const message = `${atOnce} both move it, but of two consecutive ones the second does not`;
  if (!books.showsLate) books.suspect(Contradictions.differsFromAnswers, sent!, message);
}
