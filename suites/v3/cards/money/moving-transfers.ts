/** Transfers between two active cards that should move their amounts: one by one, repeated, at the same moment, and of the whole balance (reading 27). */
import type { Context } from '../../../../helpers/check.ts';
import * as Forms from '../../../../helpers/engine/forms/index.ts';
import { attempt } from '../../../../helpers/verdict.ts';
import * as Amounts from '../../../shared/amounts.ts';
import { type Books, WHOLE } from './books.ts';
import type * as Effects from './effects.ts';
import * as Payments from './payments.ts';

/** What transfers that move their amounts show, and those at the same moment. */
export const MOVES = [...WHOLE, 'cards.transfer.refused-moves-nothing', 'cards.transfer.amount-answered'];
export const AT_ONCE = ['cards.transfer.simultaneous', 'cards.transfer.conserves-money'];

/** Cents by which the plain amounts of one trial differ from those of the one before. */
const MORE = 37;

/** Transfers between two cards, in the form that moved money. @param takesCents whether the target is known to take fractions of a unit */
export function between(
  t: Context,
  books: Books,
  { from, to, members }: Pick<Payments.Form, 'from' | 'to' | 'members'>,
  takesCents = false,
) {
  const there = (cents: number, more = {}): Effects.Payment => Payments.of(from, to, cents, { ...members, ...more });
  const back = (cents: number, more = {}): Effects.Payment => Payments.of(to, from, cents, { ...members, ...more });
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
  return { t, books, source: from, target: to, there, back, plain, control };
}

export type Between = ReturnType<typeof between>;

/** Comments sent in every run: the odd characters in one text, and 300 characters (reading 9). */
const EACH_RUN = [`Zoë's 100% "A_1" # & <b> {2} \\ ;-- 漢字`, 'x'.repeat(300)];

/** The row that shows whether the target takes fractions of a unit. */
export const CENTS = 'a transfer of 1.15';

/**
 * Transfers that should move their amounts: there and back by turns, so that a card with little has enough. The largest goes last, and alone between
 * readings: what is lost of large amounts alone costs that one.
 */
export async function byTurns({ t, books, there, back }: Between): Promise<void> {
  const odd = t.rotated('transfers: odd texts', Forms.oddTextsOf('json'));
  const texts = [...EACH_RUN, ...odd.map(({ text }) => text)];
  const fields = Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`customField${n}`, `text ${n}`]));
  const plain = (n: number) => Amounts.plain(Amounts.ruleOf(t), n);
  const rows: [name: string, Effects.Payment][] = [
    ['back again', back(plain(2))],
    ['with comment and customFields', there(plain(4), { comment: 'transfer', customFields: fields })],
    // Amounts that binary fractions get wrong: 1.15 * 100 is below 115, 1.10 * 100 above 110. All in one direction, so that no error hides another.
    ['of 1.15', there(115)],
    ['of 1.10', there(110)],
    ['of 4.35', there(435)],
    ['of a cent', there(1)],
    ...texts.map((comment, index): [string, Effects.Payment] => {
      const more = { comment, customFields: Object.fromEntries(Object.keys(fields).map((name) => [name, comment])) };
      return [`with the text ${comment.slice(0, 20)}`, (index % 2 ? there : back)(plain(1 + (index % 3)), more)];
    }),
  ];
  const send = async (which: string, payment: Effects.Payment) => {
    const name = `a transfer ${which}`;
    await books.send({ name, about: MOVES, isNeeded: name === CENTS }, () => [payment]);
  };
  for (const [which, payment] of rows) await send(which, payment);
  await books.check();
  await send('with customFields without members', back(plain(9), { customFields: {} }));
  await books.check();
}

/** Transfers that belong together: one that is repeated, and some at the same moment. */
export async function several({ books, there, back, plain }: Between): Promise<void> {
  const same = there(plain(5));
  const about = ['cards.transfer.repeated', 'cards.transfer.conserves-money', 'cards.transfer.amount-answered'];
  await books.send({ name: 'a transfer and the same twice more', about }, () => [same, same, same]);
  await books.check();
  const atOnce = { name: 'two transfers and one back at the same moment', about: AT_ONCE, atOnce: true };
  await books.send(atOnce, () => [there(plain(0)), there(plain(1)), back(plain(3))]);
  await books.check();
}

/** The row after which the source has little, so that little is lost by what takes all that it has. */
export const EVERYTHING = 'a transfer of the whole balance';

/**
 * Transfers of the whole balance: one, and two at the same moment of the plain amount that is moved back to the empty card. It keeps such an amount then;
 * the rest is moved back in the end.
 */
export async function everything({ books, source, target, there, back, plain }: Between): Promise<void> {
  const all = Math.floor(await books.balance(source));
  const little = Math.min(all, plain(5));
  await books.send({ name: EVERYTHING, about: MOVES }, () => [there(all)]);
  await books.check();
  const some = { name: 'a transfer to an empty card', about: MOVES, after: [EVERYTHING] };
  await books.send(some, () => [back(little)]);
  await books.check();
  const name = 'two transfers of the whole balance at the same moment';
  const sent = await books.send({ name, about: AT_ONCE, atOnce: true, isBeyond: true }, async () => {
    const cents = Math.floor(await books.balance(source));
    return [there(cents), there(cents)];
  });
  await books.check();
  const giveBack = async (most: number, ...moved: (Effects.Gains | undefined)[]): Promise<void> => {
    const given = moved.reduce((sum, gains) => sum + (gains?.get(target) ?? 0), 0);
    const cents = Math.min(most, Math.floor(given));
    if (cents > 0) await attempt(() => books.prepare('a return', back(cents)));
  };
  const cents = sent?.payments[0]?.cents ?? 0;
  const timesMoved = (gains: Effects.Gains | undefined): number =>
    cents > 0 ? Math.round((gains?.get(target) ?? 0) / cents) : 0;
  const isSpentTwice = timesMoved(books.gains(name)) >= 2;
  await giveBack(isSpentTwice ? 2 * cents : little, ...[EVERYTHING, some.name, name].map(books.gains));
  if (!isSpentTwice || (await books.balance(source)) < cents) return;
  // A card may be overdrawn, or balances booked after the answer: then the second of two consecutive ones moves money, too.
  const inTurn = await attempt(() =>
    books.prepare('two transfers of the whole balance in turn', there(cents), there(cents)),
  );
  if (!inTurn.value) return;
  const { gains } = inTurn.value;
  await giveBack(little, gains);
  const message = `${name} both move it, but of two consecutive ones the second does not`;
  if (timesMoved(gains) === 1 && !books.showsLate) books.suspect('cards.transfer.simultaneous', sent!, message);
}
