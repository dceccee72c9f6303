/** Moves money back where transfers took it from, as the balances show it. */
import { amount, cents } from '../cards/card-state.ts';
import type { AskedTransfer } from './inverse.ts';
import { mostOfFee } from './money-windows.ts';

/** A transfer that was sent. */
interface SentTransfer extends AskedTransfer {
  /** Undefined while it is not known. */
  isAccepted: boolean | undefined;
}

/** A card as it was before anything was moved. */
interface Card {
  identifier: string;
  pool: string;
  /** In cents. */
  balance: number;
}

interface Parts {
  /** Whether nothing is known of the target but what the balances show: where money is missing, none is moved back. */
  isCautious: boolean;
  /** Call when money that was moved back does not arrive. */
  endMoney(): void;
  note(note: string): void;
  /** Moves whole cents. @returns whether that was accepted; undefined where nothing tells */
  move(from: string, to: string, moved: number): Promise<boolean | undefined>;
  /** Reads balances until they are as expected or the settle time is over, in whole cents; undefined where one cannot be read. */
  readUntil(expected: ReadonlyMap<string, number>): Promise<Map<string, number | undefined>>;
}

/**
 * Moves money back as the balances show it: an accepted transfer may have moved nothing, and a refused one may have
 * moved money. Never more than the transfers explain, since others may have moved money too.
 */
export class MoneyBack {
  readonly #cards: readonly Card[];
  readonly #transfers: readonly SentTransfer[];
  readonly #parts: Parts;
  /** Balances in whole cents, as they are once what was asked for is done. */
  readonly #balances: Map<string, number>;
  /** Balances in whole cents as last read. */
  readonly #shown: Map<string, number>;
  /** What the transfers left on each card, in whole cents: less than 0 if it is missing there. */
  readonly #due: Map<string, number>;
  /** Cards of a transfer that was sent and not answered: nothing more is moved before somebody looks at them again. */
  readonly #unsure = new Set<string>();
  /** Whether money goes missing here: then no more is moved. */
  #hasEnded: boolean;

  /**
   * @param balances in whole cents, of the cards that still show one
   * @param transfers that may be moved back
   */
  constructor(
    cards: readonly Card[],
    balances: ReadonlyMap<string, number>,
    transfers: readonly SentTransfer[],
    parts: Parts,
  ) {
    this.#cards = cards.filter(({ identifier }) => balances.has(identifier));
    this.#transfers = transfers;
    this.#parts = parts;
    this.#balances = new Map(balances);
    this.#shown = new Map(balances);
    const surplus = this.#cards.map(({ identifier, balance }) => balances.get(identifier)! - Math.round(balance));
    const identifiers = this.#cards.map(({ identifier }) => identifier);
    this.#due = movedBy(transfers, identifiers, surplus);
    this.#hasEnded = parts.isCautious && isMissing(this.#due, surplus, transfers);
  }

  /** Moves back all that is due. Never throws. */
  async moveAll(): Promise<void> {
    for (const from of this.#due.keys()) for (const to of this.#due.keys()) await this.#moveBetween(from, to);
    // A broken target may have moved money to or from a card outside the pools.
    for (const { from, to, units } of this.#transfers) {
      const moved = wholeCents(units);
      if (this.#due.has(from) === this.#due.has(to)) continue;
      const isDue = this.#due.has(from) ? this.#due.get(from)! <= -moved : this.#due.get(to)! >= moved;
      if (isDue) await this.#moveBack(to, from, moved);
    }
  }

  /** The cards that have their money again. */
  settled(): Set<string> {
    // A fraction of a cent cannot be moved back.
    const leftovers = this.#transfers.filter(({ units }) => !Number.isInteger(cents(units))).length;
    const isSettled = ({ identifier }: Card) => {
      const left = this.#due.get(identifier)!;
      const isBack = this.#shown.get(identifier)! >= this.#balances.get(identifier)!;
      return isBack && left >= 0 && left <= leftovers && !this.#unsure.has(identifier);
    };
    return new Set(this.#cards.filter(isSettled).map(({ identifier }) => identifier));
  }

  /** Notes what is missing, and what stays where it was moved. */
  say(): void {
    const { note } = this.#parts;
    for (const { identifier, pool, balance } of this.#cards) {
      const less = Math.round(balance) - this.#shown.get(identifier)!;
      if (less > 0) note(`A card of cards.${pool} is left with ${inUnits(less)} less than it had: ${identifier}`);
    }
    if (!this.#hasEnded) return;
    const stays = this.#cards.flatMap(({ identifier }) => {
      const left = this.#due.get(identifier)!;
      return left > 0 ? [`${inUnits(left)} on ${identifier}`] : [];
    });
    const what = stays.length === 0 ? '' : `: what was moved stays, ${stays.join(', ')}`;
    note(`Money goes missing at this target, so no more is moved back${what}.`);
  }

  async #moveBetween(from: string, to: string): Promise<void> {
    const most = () => Math.min(this.#due.get(from)!, -this.#due.get(to)!);
    if (most() <= 0 || (await this.#moveBack(from, to, most()))) return;
    // The sum may exceed a transfer limit in either direction, so the original amounts go back one by one.
    for (const { units } of this.#transfers.filter((sent) => sent.from === to && sent.to === from))
      if (wholeCents(units) <= most()) await this.#moveBack(from, to, wholeCents(units));
  }

  /** @returns whether it was accepted */
  async #moveBack(from: string, to: string, moved: number): Promise<boolean> {
    if (this.#hasEnded || this.#unsure.has(from) || this.#unsure.has(to)) return false;
    const isAccepted = await this.#parts.move(from, to, moved);
    if (isAccepted === undefined) this.#unsure.add(from).add(to);
    if (!isAccepted) return false;
    this.#count(from, -moved);
    this.#count(to, moved);
    await this.#look([from, to], moved);
    return true;
  }

  #count(identifier: string, gained: number): void {
    if (!this.#due.has(identifier)) return;
    this.#due.set(identifier, this.#due.get(identifier)! + gained);
    this.#balances.set(identifier, this.#balances.get(identifier)! + gained);
  }

  /** Looks whether what was moved has arrived. */
  async #look(identifiers: readonly string[], moved: number): Promise<void> {
    const own = identifiers.filter((identifier) => this.#balances.has(identifier));
    const expected = new Map(own.map((identifier) => [identifier, this.#balances.get(identifier)!]));
    for (const [identifier, now] of await this.#parts.readUntil(expected)) {
      if (now === undefined) this.#unsure.add(identifier);
      else this.#shown.set(identifier, now);
      this.#hasEnded ||= now !== undefined && now < expected.get(identifier)! - mostOfFee(moved);
    }
    if (this.#hasEnded) this.#parts.endMoney();
  }
}

const inUnits = (inCents: number): string => amount(inCents).toFixed(2);

/**
 * Whether more is missing on cards that were read than the fees of the transfers between them may have taken; where others were paid, nobody can tell.
 * @param gains of the cards, in whole cents
 */
function isMissing(
  read: ReadonlyMap<string, unknown>,
  gains: readonly number[],
  transfers: readonly AskedTransfer[],
): boolean {
  if (!transfers.every(({ from, to }) => read.has(from) && read.has(to))) return false;
  const fees = transfers.reduce((sum, { units }) => sum + mostOfFee(cents(units)), 0);
  return -gains.reduce((sum, gain) => sum + gain, 0) > fees;
}

/** Rounds to whole cents: an accepted fraction of a cent cannot be moved back. */
const wholeCents = (units: number): number => Math.round(cents(units));

/** Number of sums of transfers that are looked at to explain the balances. */
const MOST_SUMS = 4096;

/**
 * What transfers left on each card, in cents. If some of them, each at most once, explain what the cards gained, it is
 * that. Otherwise somebody else moved money as well, and of what a card gained it is no more than its accepted transfers
 * moved, and those without an answer may have moved.
 * @param gains of each card since the first transfer, in whole cents
 */
function movedBy(
  transfers: readonly SentTransfer[],
  cards: readonly string[],
  gains: readonly number[],
): Map<string, number> {
  const effects = transfers.map(({ from, to, units, isAccepted }) => {
    const sign = cards.map((card) => Number(card === to) - Number(card === from));
    // A target may round a fraction of a cent either way.
    const amounts = [...new Set([Math.floor(cents(units)), Math.ceil(cents(units))])];
    return { isAccepted, ways: amounts.map((amount) => sign.map((one) => one * amount)) };
  });
  const nothing = cards.map(() => 0);
  let sums = new Map([[nothing.join(), nothing]]);
  for (const { ways } of effects) {
    if (sums.has(gains.join())) break;
    const more = [...sums.values()].flatMap((sum) => ways.map((way) => sum.map((one, i) => one + way[i]!)));
    if (sums.size < MOST_SUMS) sums = new Map([...sums.values(), ...more].map((sum) => [sum.join(), sum]));
  }
  if (sums.has(gains.join())) return new Map(cards.map((card, i) => [card, gains[i]!]));
  return new Map(
    cards.map((card, i) => {
      const possible = effects
        .filter(({ isAccepted }) => isAccepted !== false)
        .map(({ isAccepted, ways }) => [...ways.map((way) => way[i]!), ...(isAccepted ? [] : [0])]);
      const least = possible.reduce((sum, amounts) => sum + Math.min(...amounts), 0);
      const most = possible.reduce((sum, amounts) => sum + Math.max(...amounts), 0);
      return [card, Math.min(Math.max(gains[i]!, least), most)];
    }),
  );
}
