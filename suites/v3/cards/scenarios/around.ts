/** What an operation on a card leaves alone (reading 10): other cards, its money, or its status. It is read before and after. */
import { numbers } from '../../../../contracts/numbers.ts';
import { ACTIVE, LEAVING_ALONE } from '../../../../contracts/v3/cards.ts';
import { type Answer, member, memberOf, now, succeeded } from '../../../../helpers/answer.ts';
import { type Call, type CardState, readBalance, readState } from '../../../../helpers/cards/card-state.ts';
import { identifiersOf, pooledCards } from '../../../../helpers/cards/discovery.ts';
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import type { Context } from '../../../../helpers/check.ts';
import { inconclusive } from '../../../../helpers/verdict.ts';
import * as ByItself from './by-itself.ts';
import * as Bystanders from './bystanders.ts';
import * as Looks from './looks.ts';

/** Operations that leave the balance of the card itself: one that is closed may be paid out, one that is activated has none yet. */
const LEAVE_BALANCE = [
  'cards.suspend',
  'cards.unsuspend',
  'cards.unmarkFraud',
  'cards.markLost',
  'cards.reissue',
  ...LEAVING_ALONE,
];
/** Around how many of these other cards are read in a run that may change everything, beside listings. */
const OFTEN_READ = 4;
/** Operations that end a card: what it had is on no other card then. */
const ENDING = ['cards.markLost', 'cards.close'];

/** An operation on a card, and the state of that card; as it was leased, so that what was refused since has to leave it alone, too. */
interface OnCard extends Looks.OnCard {
  state: CardState & Partial<LeasedCard>;
}

/** What changed; undefined for nothing. @throws Inconclusive where nothing could be read */
type ReadAgain = () => Promise<Looks.Change | undefined>;

/**
 * Reads what an operation on a card should leave alone.
 * @param isRetrial whether another card showed something: then all bystanders are looked at, as they are once a card of the operation did
 * @returns reads it again, once an effect would show
 */
export async function watching(
  t: Context,
  operation: string,
  identifier: string,
  state: OnCard['state'],
  isRetrial = false,
): Promise<ReadAgain> {
  const suspected = t.run.once(watching, () => new Set<string>());
  const readAgain = await look(t, { operation, identifier, state }, isRetrial || suspected.has(operation));
  return async () => {
    const change = await readAgain();
    if (change) suspected.add(operation);
    return change;
  };
}

async function look(t: Context, on: OnCard, isRetrial: boolean): Promise<ReadAgain> {
  const { operation, identifier, state } = on;
  const read: Call = (asked, input) => t.call(asked, input, { intent: 'refusable' });
  const since = now();
  const around = t.rotated('operations around which other cards are read', LEAVE_BALANCE, { amply: OFTEN_READ });
  const isTurn = isRetrial || !LEAVE_BALANCE.includes(operation) || around.includes(operation);
  // A listing of long ago shows what others did since.
  if (isRetrial) await Looks.listAround(t, state);
  const ids = isTurn ? await Bystanders.find(t, { ...on, isRetrial }) : [];
  const others = await watchingOthers(t, read, ids, since);
  const balance = await balanceBefore(t, read, on);
  const ending = isRetrial ? ENDING : t.rotated('operations after which others have what a card had', ENDING);
  const isEnded = ending.includes(operation);
  const had = isEnded ? (balance ?? (await readBalance(read, identifier))) : undefined;
  const heirs = await watchingHeirs(t, read, isEnded ? await Bystanders.heirsOf(t, on, ids) : []);
  const readAt = now();
  return async () => {
    await t.settle();
    const besideIt = (change: Looks.Change) => ({ ...change, beside: identifier });
    const listed = await Looks.listedChanges(t, { identifier, state, had, since: readAt });
    const heir = had === undefined || had < numbers.leastBalance ? undefined : await heirs(had, listed);
    if (heir) return besideIt(heir);
    const left = balance === undefined ? undefined : await readBalance(read, identifier);
    const own = LEAVING_ALONE.includes(operation)
      ? await readUntil(t, read, identifier, Looks.looksOf(state), Looks.statusChange)
      : undefined;
    const other = await others(listed);
    if (other) return besideIt({ ...other, inWords: `another card, which ${other.inWords}` });
    if (ids.length === 0 && own?.status === undefined && balance === undefined)
      inconclusive('nothing else could be read');
    const ownStatus = own && statusOf(state, own);
    if (ownStatus) return { ...ownStatus, ...unused(t, identifier, since) };
    return balanceOf(balance, left) ?? gainOf(t, identifier, balance, left);
  };
}

/** A card that changed, and how long it was unused. @param since when it was first looked at */
const unused = (t: Context, of: string, since: number): Pick<Looks.Change, 'of' | 'unusedMs'> => ({
  of,
  unusedMs: Math.max(t.run.history.sinceChange([of]), now() - since),
});

/** The balance that a card has, or had when it was leased, as long as it has paid nothing; undefined where the operation may change it. */
async function balanceBefore(
  t: Context,
  read: Call,
  { operation, identifier, state }: OnCard,
): Promise<number | undefined> {
  if (!LEAVE_BALANCE.includes(operation)) return undefined;
  const hasPaid = t.run.history.timesAccepted('cards.transfer', identifier) > 0;
  return (hasPaid ? undefined : state.balance) ?? readBalance(read, identifier);
}

/** Reads a card until it looks as before, or the settle time is over. */
function readUntil(
  t: Context,
  read: Call,
  card: string,
  before: Looks.Looks,
  changeIn: typeof Looks.changeOf,
): Promise<CardState> {
  const isAsBefore = (now: CardState) => now.status === undefined || changeIn(before, Looks.looksOf(now)) === undefined;
  return t.confirmed(() => readState(read, card), isAsBefore);
}

/** A card, and how it looked. */
type Seen = readonly [card: string, before: Looks.Looks];

/** Reads other cards. @returns reads them again, and those that a listing shows to have changed: what changed of the first that did */
async function watchingOthers(t: Context, read: Call, ids: readonly string[], since: number) {
  const states = await Promise.all(ids.map((id) => readState(read, id)));
  const seen = ids.map((id, index): Seen => [id, Looks.looksOf(states[index]!)]);
  return async (listed: readonly Seen[]): Promise<Looks.Change | undefined> => {
    for (const [id, before] of [...seen, ...listed]) {
      // What others of this run did to it says nothing.
      const isTouched = () => t.run.history.sinceChange([id]) < now() - since;
      if (isTouched()) continue;
      const change = Looks.changeOf(before, Looks.looksOf(await readUntil(t, read, id, before, Looks.changeOf)));
      if (!change || isTouched()) continue;
      // What this run moved before, or where others of it asked for the balance, they may have refreshed a record that was out of date.
      const isSeen =
        change.member !== undefined ||
        (Looks.isLeftAlone(t, id) &&
          !Looks.isAskedSince(t, id, since, ['cards.getBalance']) &&
          Looks.isGone(before.balance, await readBalance(read, id)));
      if (isSeen) return { ...change, ...unused(t, id, since) };
    }
    return undefined;
  };
}

/** Reads what cards have. @returns reads them again, and those that a listing shows to have changed: whether one gained just that, but for what this run moves */
async function watchingHeirs(t: Context, read: Call, others: readonly string[]) {
  const since = now();
  const seen = await Promise.all(others.map(async (card) => [card, await readBalance(read, card)] as const));
  return async (had: number, listed: readonly Seen[]): Promise<Looks.Change | undefined> => {
    const before = [...seen, ...listed.map(([card, { balance }]) => [card, balance] as const)];
    const after = await Promise.all(before.map(([card]) => readBalance(read, card)));
    const isHeir = ([card, balance = 0]: (typeof before)[number], index: number) =>
      t.run.history.sinceChange([card]) > now() - since && Looks.isSameMoney((after[index] ?? 0) - balance, had);
    const to = 'what the card had';
    return before.some(isHeir) ? { inWords: `another card, which gained ${to}`, to } : undefined;
  };
}

/** The status of the card itself, which should be as it was. */
export function statusOf(before: Pick<CardState, 'status'>, now: CardState): Looks.Change | undefined {
  const change = Looks.statusChange(before, now);
  return change && { ...change, inWords: `the card, which ${change.inWords}` };
}

/** The balance in cents of the card itself, which should be as it was but for a charge. */
export const balanceOf = (before: number | undefined, now: number | undefined): Looks.Change | undefined =>
  Looks.isGone(before, now)
    ? { inWords: 'most of the balance of the card is gone', gone: before! - now!, left: now! }
    : undefined;

/** Money that the card itself has since, in cents: it moves by transfers alone. One to a suspended card may be credited when that is free (reading 28). */
function gainOf(t: Context, card: string, before = Number.NaN, now = Number.NaN): Looks.Change | undefined {
  const gain = now - before;
  if (!(gain >= numbers.leastBalance) || Looks.isPaid(t, card, gain)) return undefined;
  return { inWords: 'the card has more money than before', gainedBy: card };
}

/** Whether a card gains money while nothing is asked of it. */
export async function gainsByItself(t: Context, card: string): Promise<boolean> {
  const before = await t.balance(card);
  await t.pause(numbers.longestWatch);
  return (await t.balance(card)) - before >= numbers.sameCents;
}

/**
 * Whether the card that changed, or others of the pools, come to show the same while nothing is asked of them: others use them, or the target suspends
 * what nobody uses.
 */
export async function isSeenToBeDone(t: Context, operation: string, change: Looks.Change): Promise<boolean> {
  if (await ByItself.changesByItself(t, change)) return true;
  for (let watch = 1; ; watch++) {
    const since = now() - t.run.configuration.run.settleMs;
    if (!(await isShownBySome(t, change))) return false;
    // What this run does with another card meanwhile may reach them.
    const isOwn = (one: Answer) => one.operation.id === operation && one.answeredAt >= since && succeeded(one);
    if (watch === numbers.watches || !t.run.answers.some(isOwn)) return true;
  }
}

/** Whether a card of the pools comes to show what another one does: those of its own pool first, since others hardly use cards of all kinds. */
async function isShownBySome(t: Context, { of = '', member: name, to }: Looks.Change): Promise<boolean> {
  if (name === undefined) return false;
  const pool = t.run.pools.poolOf(of);
  const isMate = (card: string) => Number(t.run.pools.poolOf(card) === pool);
  const still = [...pooledCards(t.fixtures)]
    .filter((card) => Looks.isStill(t, card))
    .toSorted((one, other) => isMate(other) - isMate(one))
    .slice(0, numbers.watchedCards);
  const call: Call = (operation, input) => t.call(operation, input, { intent: 'refusable' });
  const showing = async () => {
    const states = await Promise.all(still.map((card) => readState(call, card)));
    return still.filter((_, index) => states[index]!.record && member(states[index]!.record!, name) === to);
  };
  const before = await showing();
  await t.pause(numbers.longestWatch);
  return (await showing()).some((card) => !before.includes(card));
}

/**
 * Whether several further cards all show now what another card shows: listed ones that were as that one was, or mates of the card that was named. What
 * another operation leads to may have come from that, and shows nothing.
 */
export async function isDoneToAll(t: Context, operation: string, change: Looks.Change): Promise<boolean> {
  const { beside, member: name, from, to } = change;
  if (name === undefined || Looks.isLedToByAnother(t, operation, change)) return false;
  const alike = identifiersOf((await Bystanders.unused(t)).filter((one) => memberOf(one, name) === from));
  // Those of a pool of Active cards were so before.
  const pool = t.run.pools.poolOf(beside ?? '');
  const areActive = to === ACTIVE && ByItself.POOLS.some((name) => name === pool);
  for (const further of [alike, beside === undefined || areActive ? [] : Bystanders.matesOf(t, beside)]) {
    const call: Call = (operation, input) => t.call(operation, input);
    const states = await Promise.all(further.slice(0, numbers.furtherCards).map((id) => readState(call, id)));
    const isShown = states.every(({ record }) => record && member(record, name) === to);
    if (states.length >= numbers.leastFurtherCards && isShown) return true;
  }
  return false;
}
