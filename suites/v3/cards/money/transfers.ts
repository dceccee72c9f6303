/** Lives of active cards between which money is transferred, of which books are kept (reading 27). */
import { member, succeeded } from '../../../../helpers/answer.ts';
import { type Context, scenario } from '../../../../helpers/check.ts';
import type { Configuration } from '../../../../helpers/configuration/types.ts';
import type { Played } from '../../../../helpers/engine/life.ts';
import { inconclusive } from '../../../../helpers/verdict.ts';
import * as Amounts from '../../../shared/amounts.ts';
import { Books, type Paid } from './books.ts';
import * as Effects from './effects.ts';
import { keptLife } from './kept-life.ts';
import * as MovingTransfers from './moving-transfers.ts';
import * as Payments from './payments.ts';
import * as UnusualTransfers from './unusual-transfers.ts';

/** A transfer with target and amount alone, plus what the fixtures add to every transfer. */
export const ALONE = 'a transfer with target and amount alone';
/** Shows that the source still pays, and that what was refused before has no effect on it. */
export const LAST = 'a transfer after those that are refused';

/** The steps of transfers one by one that should move their amounts. */
export const MOVING: readonly string[] = [ALONE, ...MovingTransfers.ONE_BY_ONE, LAST];

export interface Alone extends Paid {
  cents: number;
}
type On = MovingTransfers.Start & { t: Context };

const firstPair = ({ t, cards: [source, target] }: On) => ({
  from: source!.identifier,
  to: target!.identifier,
  members: t.fixtures.cards?.transferBody ?? {},
});

async function payAlone(on: On): Promise<Alone> {
  const { t, books, tookCents } = on;
  const first = MovingTransfers.between(t, books, firstPair(on), tookCents);
  const cents = first.plain(1);
  return { cents, ...(await books.prepare({ name: ALONE, showsLoss: true }, first.there(cents))) };
}

/** The first form of transfer that moves money. */
async function findPlain(on: On, { cents, answer, gains }: Alone): Promise<Payments.Form | undefined> {
  const { t, books } = on;
  const { from, to, members } = firstPair(on);
  if (!Effects.nothingMoved(gains)) return Payments.noteForm(t, { from, to, cents, members, answer });
  const row = { name: 'a plain transfer', step: ALONE, showsLoss: true };
  return Payments.firstThatMoves(t, books, row, [from, to], { orBack: true });
}

function pairOf(on: On, plain: Payments.Form | undefined): MovingTransfers.Between {
  const { t, books, tookCents } = on;
  const pair = MovingTransfers.between(t, books, plain ?? firstPair(on), tookCents);
  if (plain) books.control = { step: LAST, make: pair.control };
  return pair;
}

/** The record of the card that paid, after its balance with cents, which it shows. */
async function readRecord({ t, cards: [card], books }: On): Promise<void> {
  if (books.round > 0) return;
  const { identifier } = card!;
  await t.quiet([identifier]);
  await t.balance(identifier);
  await t.call('cards.get', { path: { identifier } });
}

/**
 * Begins the life of two active cards with all transfers between them that may move money; they are moved back in the end. Whoever begins it adds those
 * that must move nothing, then what ends it.
 * @throws Skipped without two active cards, when it is played
 */
export function beginTransfers() {
  const kept = keptLife<MovingTransfers.Start>(
    'transfers between two active cards',
    (t, avoiding) => Payments.leaseActive(t, 2, avoiding),
    (books, cards, earlier) => {
      const before = earlier as Partial<Played<{ 'takes cents': boolean }>> | undefined;
      return { books, cards, tookCents: before?.['takes cents']?.value };
    },
  );
  const life = kept.life
    .shows(ALONE, payAlone, { leads: true })
    .shows('plain', (on) => findPlain(on, on[ALONE].get()), { leads: true })
    .shows('pair', (on) => pairOf(on, on.plain.get()), { leads: true })
    .with(MovingTransfers.byTurns)
    .with(MovingTransfers.several)
    .with(MovingTransfers.everything)
    .does('the record after cents', readRecord)
    .shows('takes cents', MovingTransfers.takesCents, { leads: true })
    .with(UnusualTransfers.ofOddAmounts);
  return { kept, life };
}

/** Adds what ends the life: whether the source still pays. */
export function endTransfers({ life }: ReturnType<typeof beginTransfers>): void {
  const after = [MovingTransfers.EVERYTHING, UnusualTransfers.BEYOND];
  life
    .does(LAST, async ({ books, plain, pair }) => {
      if (plain.get()) await books.send({ name: LAST, after }, async () => [await pair.get().control()]);
    })
    .does('whom the answer names', ({ t, books, plain }) => books.round === 0 && observeAnswer(t, plain.get()), {
      of: 'cards.transfer',
    });
}

/** Observes whom the answer to a transfer that moved money names, and in which status. */
function observeAnswer(t: Context, plain: Payments.Form | undefined): void {
  if (!plain) return;
  const { from, to, answer } = plain;
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
  const cards = (await Payments.leaseActive(t, 2, [])).map(({ identifier }) => identifier);
  const [from, to] = cards as [string, string];
  const books = new Books(t, cards);
  const made = Payments.make(from, to, Amounts.plain(Amounts.ruleOf(t), 1), t.fixtures.cards?.transferBody);
  const { answer, gains } = await books.prepare('target and amount alone', made);
  return succeeded(answer) && !Effects.nothingMoved(gains);
});

/** Size of the pool from which three cards are taken, so that other checks need not wait for them. */
const MANY = 6;

/** Whether the pool is large enough for a third card. */
export const hasMany = ({ fixtures }: Configuration): boolean => (fixtures.cards?.active?.length ?? 0) >= MANY;

export const AMONG_THREE = 'transfers between three cards at the same moment';

/** Transfers between three cards at the same moment: each pays and is paid, one pays two others, and one is paid by two, the same by both. */
export const betweenThree = keptLife<Pick<MovingTransfers.Start, 'books' | 'cards'>>(
  'transfers between three active cards',
  (t, avoiding) => Payments.leaseActive(t, 3, avoiding),
  (books, cards) => ({ books, cards }),
);
betweenThree.life.does(AMONG_THREE, async ({ t, books, cards }) => {
  const [a, b, c] = cards.map(({ identifier }) => identifier) as [string, string, string];
  const plain =
    (await Payments.firstThatMoves(t, books, 'a plain transfer', [a, b], { orBack: true })) ??
    inconclusive('no transfer was seen to move its amount');
  const pay = (from: string, to: string, n: number) =>
    Payments.make(from, to, Amounts.plain(Amounts.ruleOf(t), n), plain.members);
  const make = () => Payments.make(plain.from, plain.to, plain.cents, plain.members);
  books.control = { step: AMONG_THREE, make };
  await books.send({ name: AMONG_THREE, atOnce: true }, () => [pay(a, b, 0), pay(a, c, 1), pay(b, c, 1), pay(c, a, 3)]);
});
