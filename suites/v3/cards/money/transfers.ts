/** Transfers between active cards, of which books are kept (reading 27). */
import { member, succeeded } from '../../../../helpers/answer.ts';
import { type Context, scenario } from '../../../../helpers/check.ts';
import type { Configuration } from '../../../../helpers/configuration/types.ts';
import { attempt, inconclusive } from '../../../../helpers/verdict.ts';
import * as Amounts from '../../../shared/amounts.ts';
import { bookkeeping, leaseActive } from './bookkeeping.ts';
import { Books, type Paid } from './books.ts';
import * as Effects from './effects.ts';
import * as MovingTransfers from './moving-transfers.ts';
import * as Payments from './payments.ts';
import { transferNothing, transferUnusual } from './refusable-transfers.ts';

/** Shows that the source still pays, and that what was refused before has no effect on it. */
export const LAST = {
  name: 'a transfer after those that are refused',
  about: MovingTransfers.MOVES,
  after: [MovingTransfers.EVERYTHING, 'a transfer of more than the balance'],
  isNeeded: true,
};

interface TransferFacts {
  source: string;
  target: string;
  /** A transfer with target and amount alone, plus what the fixtures add to every transfer. */
  alone: Paid;
  /** The first form that moved money; undefined where none did. */
  plain: Payments.Form | undefined;
  /** Whether the target takes fractions of a unit. */
  takesCents: boolean;
}

/** All transfers between two active cards; they are moved back in the end. @throws Skipped without two active cards */
export const betweenTwo = bookkeeping<TransferFacts>(
  'transfers between two active cards',
  (t, avoiding) => leaseActive(t, 2, avoiding),
  async (t, books, cards, earlier) => {
    const [a, b] = cards.map(({ identifier }) => identifier) as [string, string];
    const members = t.fixtures.cards?.transferBody ?? {};
    const first = MovingTransfers.between(t, books, { from: a, to: b, members }, earlier?.takesCents);
    const cents = first.plain(1);
    const row = { name: 'a transfer with target and amount alone', about: MovingTransfers.MOVES, showsLoss: true };
    const alone = await books.prepare(row, first.there(cents));
    const plain = Effects.nothingMoved(alone.gains)
      ? await Payments.firstThatMoves(t, books, { ...row, name: 'a plain transfer' }, [a, b], { orBack: true })
      : Payments.noteForm(t, { from: a, to: b, cents, members, answer: alone.answer });
    const pair = plain ? MovingTransfers.between(t, books, plain, earlier?.takesCents) : first;
    if (plain) {
      books.control = pair.control;
      await MovingTransfers.byTurns(pair);
      await MovingTransfers.several(pair);
      await MovingTransfers.everything(pair);
    }
    // After the balances with cents come the records, which show them.
    const read = async (identifier: string) => {
      await t.quiet([identifier]);
      await t.balance(identifier);
      await t.call('cards.get', { path: { identifier } });
    };
    if (!earlier && t.needs('cards.getBalance.refreshes-record')) await attempt(() => Promise.all([a, b].map(read)));
    const takesCents = earlier?.takesCents ?? !Effects.nothingMoved(books.gains(MovingTransfers.CENTS) ?? new Map());
    await transferUnusual(pair, takesCents);
    await transferNothing(pair, takesCents);
    if (plain) await books.send(LAST, async () => [await pair.control()]);
    if (!earlier && plain) observeAnswer(t, plain);
    const { source, target } = pair;
    return { source, target, alone, plain, takesCents };
  },
);

/** Observes whom the answer to a transfer that moved money names, and in which status. */
function observeAnswer(t: Context, { from, to, answer }: Payments.Form): void {
  const parties = new Map<unknown, string>([
    [to, 'the target card'],
    [from, 'the source card'],
    [undefined, 'absent'],
  ]);
  for (const name of ['senderIdentifier', 'receiverIdentifier'])
    t.observe('cards.transfer', name, parties.get(member(answer, name)) ?? 'neither card');
  for (const name of ['status', 'transferType']) {
    const value = member(answer, name) ?? 'absent';
    t.observe('cards.transfer', `${name} of a success`, typeof value === 'object' ? 'not a text' : String(value));
  }
}

/** Whether a transfer with target and amount alone moves money between any two active cards. */
export const movesAlone = scenario('a transfer with target and amount alone, once more', async (t) => {
  const cards = (await leaseActive(t, 2, [])).map(({ identifier }) => identifier);
  const [from, to] = cards as [string, string];
  const books = new Books(t, cards);
  const made = Payments.of(from, to, Amounts.plain(Amounts.ruleOf(t), 1), t.fixtures.cards?.transferBody);
  const { answer, gains } = await books.prepare('target and amount alone', made);
  return succeeded(answer) && !Effects.nothingMoved(gains);
});

/** Size of the pool from which three cards are taken, so that other checks need not wait for them. */
const MANY = 6;

/** Whether the pool is large enough for a third card. */
export const hasMany = ({ fixtures }: Configuration): boolean => (fixtures.cards?.active?.length ?? 0) >= MANY;

/** Transfers between three cards at the same moment: each pays and is paid, one pays two others, and one is paid by two. */
export const betweenThree = bookkeeping(
  'transfers between three active cards',
  (t, avoiding) => leaseActive(t, 3, avoiding),
  async (t, books, cards) => {
    const [a, b, c] = cards.map(({ identifier }) => identifier) as [string, string, string];
    const plain =
      (await Payments.firstThatMoves(t, books, 'a plain transfer', [a, b], { orBack: true })) ??
      inconclusive('no transfer was seen to move its amount');
    const pay = (from: string, to: string, n: number) =>
      Payments.of(from, to, Amounts.plain(Amounts.ruleOf(t), n), plain.members);
    books.control = () => Payments.of(plain.from, plain.to, plain.cents, plain.members);
    const name = 'transfers between three cards at the same moment';
    const row = { name, about: MovingTransfers.AT_ONCE, atOnce: true };
    await books.send(row, () => [pay(a, b, 0), pay(a, c, 1), pay(b, c, 2), pay(c, a, 3)]);
  },
);
