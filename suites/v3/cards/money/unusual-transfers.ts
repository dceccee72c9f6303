/** Transfers between two active cards on which the documents are silent (readings 9 and 27). */
import * as Forms from '../../../../helpers/engine/forms/index.ts';
import * as Amounts from '../../../shared/amounts.ts';
import type * as Effects from './effects.ts';
import * as MovingTransfers from './moving-transfers.ts';

/** Cents, where the target takes fractions of a unit, else the least amount. */
type OrLeast = (cents: number) => number;

/** Amounts in cents, by the names of their steps. */
const NEGATIVE_AMOUNTS: Readonly<Record<string, (orLeast: OrLeast) => number>> = {
  'a transfer of a negative amount': (orLeast) => -orLeast(97),
  'a transfer of a cent below zero': () => -1,
};
const SMALL_AMOUNTS: Readonly<Record<string, () => number>> = {
  'a transfer of zero': () => 0,
  'a transfer of half a cent': () => 100.5,
};
const ODD_AMOUNTS = 'transfers of odd amounts';
/** What takes all of the source's money takes little where it has little. */
export const BEYOND = 'a transfer of more than the balance';
const NOT_ACTIVE = 'a transfer to a card that is not Active';

/** The steps of negative amounts, and of all others on which the documents are silent. */
export const NEGATIVE: readonly string[] = Object.keys(NEGATIVE_AMOUNTS);
export const UNUSUAL: readonly string[] = [...NEGATIVE, ...Object.keys(SMALL_AMOUNTS), ODD_AMOUNTS, BEYOND, NOT_ACTIVE];

type Sending = MovingTransfers.Sending;

const sendUnusual = (on: Sending, name: string, make: () => Effects.Payment | Promise<Effects.Payment>, more = {}) =>
  on.books.send({ name, isUnusual: true, ...more }, async () => [
    { ...(await make()), options: { intent: 'unusual' } },
  ]);

/** Transfers of amounts on which the documents are silent. @param takesCents whether the target takes fractions of a unit */
export const ofOddAmounts: MovingTransfers.Add = (life) => {
  for (const [name, centsOf] of Object.entries({ ...SMALL_AMOUNTS, ...NEGATIVE_AMOUNTS }))
    life.does(name, (on) => sendUnusual(on, name, () => on.pair.get().there(centsOf(orLeastOf(on)))));
  return life
    .does(ODD_AMOUNTS, sendOddAmounts)
    .does(BEYOND, (on) => sendUnusual(on, BEYOND, () => payBeyond(on), { after: [MovingTransfers.EVERYTHING] }))
    .does(NOT_ACTIVE, payNotActive)
    .does('balances after unusual transfers', ({ books }) => books.check(), { leads: true });
};

async function sendOddAmounts(on: Sending): Promise<void> {
  const odd = on.t.rotated('transfers: odd amounts', Object.entries(Forms.ODD_AMOUNTS), { name: ([name]) => name });
  for (const [name, cents] of odd)
    await sendUnusual(on, `a transfer of ${name}`, () => on.pair.get().there(cents), { step: ODD_AMOUNTS });
}

const orLeastOf =
  (on: Sending): OrLeast =>
  (cents) =>
    MovingTransfers.takesCents(on) ? cents : Amounts.ruleOf(on.t).least;

async function payBeyond(on: Sending): Promise<Effects.Payment> {
  const { source, there } = on.pair.get();
  return there((await on.books.balance(source)) + orLeastOf(on)(1));
}

/** Pays a card whose money may not come back: the last of several, since the first is led through its life at the same time. */
async function payNotActive(on: Sending): Promise<void> {
  const { t, pair } = on;
  const pools = t.allows('irreversible')
    ? (['unused', 'fraud'] as const).filter((pool) => (t.fixtures.cards?.[pool]?.length ?? 0) > 1)
    : [];
  for (const pool of t.rotated('transfers: to a card that is not Active', pools)) {
    const to = t.fixtures.cards![pool]!.at(-1)!;
    const { there } = pair.get();
    const make = () => ({ ...there(Amounts.ruleOf(t).least, { targetCardIdentifier: to }), to });
    await sendUnusual(on, `a transfer to a card of cards.${pool}`, make, { step: NOT_ACTIVE });
  }
}
