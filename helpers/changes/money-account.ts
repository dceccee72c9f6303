/** The account of money of a run: what transfers move, what balances show to be missing, and what may still be moved (RUN_MAX_LOSS). */
import { setTimeout as sleep } from 'node:timers/promises';
import { numbers } from '../../contracts/numbers.ts';
import { now } from '../answer.ts';
import { Blocked } from '../verdict.ts';
import type { AskedTransfer } from './inverse.ts';
import { MoneyWindows, type Moving, mostOfFee, type Shown } from './money-windows.ts';

/** What a transfer is for: a check, trying again what is suspected, or undoing. */
export type Purpose = 'check' | 'retrial' | 'undoing';

/** A transfer that is not sent, since money goes missing at the target. */
export class NotMoved extends Blocked {
  /** @param seen what was seen before, where it would be made again */
  constructor(seen?: string) {
    super(
      seen === undefined
        ? 'not sent: money goes missing at this target, see cards.transfer.conserves-money; a run then moves no more than RUN_MAX_LOSS'
        : `${seen}, but it could not be made again: money goes missing at this target, and a run then moves no more than RUN_MAX_LOSS`,
    );
  }
}

/** Reads balances of cards, as far as they can be read, once all that was sent to them has had its time to show. */
export type ReadBalances = (cards: readonly string[]) => Promise<unknown>;

/** Leave to send one transfer. */
export interface Leave {
  /** Call when it is sent. @returns to call when it is answered, with undefined where no answer arrived */
  sending(): (isAccepted: boolean | undefined) => void;
  /** Call when nothing more is sent with it. */
  end(): void;
}

const NOTHING_AT_STAKE: Leave = { sending: () => () => {}, end: () => {} };

/** The share of RUN_MAX_LOSS that is kept for trying again what is suspected. */
const KEPT_SHARE = 1 / 2;
/** How many times what was lost has to arrive for size not to be the reason. */
const MUCH_MORE = 5;
/** Milliseconds beyond the settle time in which whoever made the first transfer reads what it did. */
const READING_MS = 500;

export class MoneyAccount {
  readonly #limit: number;
  readonly #settleMs: number;
  readonly #windows: MoneyWindows;
  #losses: Shown[] = [];
  /** The losses that a further reading has not shown yet. */
  readonly #unconfirmed = new Set<Shown>();
  #missing = 0;
  /** Cents that transfers seem to have made: what is missing of them later was never there. */
  #made = 0;
  #moved = 0;
  #transfers = 0;
  /** The largest amount, in cents, that was seen to arrive; 0 where none was. */
  #arrived = 0;
  /** Cents, by card, of fees of its transfers that may be booked with the next ones. */
  readonly #mayBeLate = new Map<string, number>();
  /** Cents that may be moved, and are not sent yet. */
  #granted = 0;
  /** Until the first transfer of the run has shown what it does; undefined while none is under way. */
  #first: PromiseWithResolvers<void> | undefined;
  readonly #firstShown = Promise.withResolvers<void>();
  #isOpen = false;
  #mayUndo = true;
  #turn: Promise<unknown> = Promise.resolve();

  /** @param limit RUN_MAX_LOSS, in cents */
  constructor(limit: number, settleMs: number) {
    this.#limit = limit;
    this.#settleMs = settleMs;
    this.#windows = new MoneyWindows(settleMs, (shown) => this.#note(shown));
  }

  /** Whether balances show that money goes missing: more than fees take, and not the same each time. */
  get isLosing(): boolean {
    return this.#losses.length > 0 && !areFlat(this.#losses);
  }

  /** Whether money goes missing, and none was seen to arrive. */
  get isLosingAll(): boolean {
    return this.isLosing && this.#arrived === 0;
  }

  /** Cents that balances show to be missing, over all cards; what may be fees included. */
  get missing(): number {
    return this.#missing;
  }

  /** Cents that accepted transfers asked for, and the number of these. */
  get moved(): { cents: number; transfers: number } {
    return { cents: this.#moved, transfers: this.#transfers };
  }

  /** Call when a balance was read. @param askedAt when it was asked for, in milliseconds since the epoch */
  read(card: string, cents: number, askedAt: number): void {
    this.#windows.read(card, cents, askedAt);
  }

  /** Call when something else than a transfer may change cards. */
  disturb(cards: readonly string[]): void {
    this.#windows.disturb(cards);
  }

  /** Call when money that was moved back does not arrive: no more is moved back. */
  endUndoing(): void {
    this.#mayUndo = false;
  }

  /**
   * Asks for leave to send a transfer. The first of a run goes alone, until balances show what it does. Once money goes missing, a transfer goes
   * only as long as RUN_MAX_LOSS allows that all of it is lost, too.
   * @throws NotMoved where it does not
   */
  async ask(asked: AskedTransfer, purpose: Purpose, read: ReadBalances): Promise<Leave> {
    if (purpose === 'undoing' && !this.#mayUndo) throw new NotMoved();
    // Nothing is lost by what is asked of a card that is not there, or of which nothing can be read.
    if (!this.#windows.wasRead(asked.from)) return NOTHING_AT_STAKE;
    const isFirst = purpose !== 'undoing' && (await this.#isFirst(asked, read));
    let mayHaveMoved = false;
    const endFirst = () => {
      if (isFirst) this.#endFirst(mayHaveMoved);
    };
    const grant = () => this.#inTurn(() => this.#grant(asked, purpose, read));
    let granted = this.isLosing ? await onFailure(grant(), endFirst) : 0;
    const settle = () => {
      this.#granted -= granted;
      granted = 0;
    };
    return {
      sending: () => {
        settle();
        const moving = this.#windows.sending(asked);
        mayHaveMoved = true;
        return (isAccepted) => {
          mayHaveMoved = isAccepted !== false;
          this.#noteAnswer(moving, isAccepted);
        };
      },
      end: () => {
        settle();
        endFirst();
      },
    };
  }

  /** Lets those go on that wait for the first transfer. Where it cannot have moved anything, the next one is the first. */
  #endFirst(mayHaveMoved: boolean): void {
    this.#first!.resolve();
    if (!mayHaveMoved) this.#first = undefined;
  }

  /** Waits until the first transfer of the run has shown what it does. @returns whether this one is it */
  async #isFirst({ from, to }: AskedTransfer, read: ReadBalances): Promise<boolean> {
    while (!this.#isOpen && this.#first) {
      await this.#first.promise;
      if (this.#first) await this.#showFirst(read);
    }
    if (this.#isOpen || !this.#windows.isKnown(from) || !this.#windows.isKnown(to)) return false;
    this.#first = Promise.withResolvers<void>();
    return true;
  }

  /** Waits until whoever made the first transfer has read what it did, or else reads it. */
  async #showFirst(read: ReadBalances): Promise<void> {
    const waiting = new AbortController();
    const late = sleep(this.#settleMs + READING_MS, undefined, { signal: waiting.signal }).catch(() => undefined);
    await Promise.race([this.#firstShown.promise, late]);
    waiting.abort();
    await this.#inTurn(async () => {
      if (!this.#isOpen) await read(this.#windows.unread);
      this.#isOpen = true;
    });
  }

  /** @returns the cents that it may lose */
  async #grant({ from, units }: AskedTransfer, purpose: Purpose, read: ReadBalances): Promise<number> {
    for (const loss of this.#unconfirmed) {
      await read([...loss.before.keys()]);
      this.#unconfirmed.delete(loss);
      if (!this.#windows.isBack(loss)) continue;
      this.#losses = this.#losses.filter((other) => other !== loss);
      this.#missing -= loss.missing;
    }
    // What was moved and not seen to arrive counts as lost.
    const { unread } = this.#windows;
    if (unread.length > 0) await read(unread);
    const asked = units * 100;
    if (!this.isLosing || this.#isTrusted(asked, purpose)) return 0;
    const worst = worstOf(this.#losses);
    // A card does not lose more than it has.
    const cents = worst * Math.min(asked, Math.max(0, this.#windows.heldBy(from) ?? asked));
    const left = this.#limit - this.#missing - this.#granted - this.#windows.open * worst;
    const kept = purpose === 'check' ? this.#limit * KEPT_SHARE : 0;
    const mayArrive = this.#arrived > 0 || (purpose === 'check' && this.#losses.length < numbers.losses);
    if (cents > left - kept || (purpose !== 'retrial' && !mayArrive)) throw new NotMoved();
    this.#granted += cents;
    return cents;
  }

  /**
   * Whether what is asked for is larger than what was lost, and as much was seen to arrive: or, where it is tried again, much more than what was lost.
   * @param asked in cents
   */
  #isTrusted(asked: number, purpose: Purpose): boolean {
    const lost = this.#losses.flatMap(({ transfers }) => transfers.filter(({ isAccepted }) => isAccepted !== false));
    const largest = Math.max(0, ...lost.map(({ cents }) => cents));
    const isMuchMore = purpose === 'retrial' && this.#arrived >= MUCH_MORE * largest;
    return asked > largest && (this.#arrived >= asked || (this.#arrived > 0 && isMuchMore));
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  #noteAnswer(moving: Moving, isAccepted: boolean | undefined): void {
    moving.isAccepted = isAccepted;
    moving.answeredAt = now();
    if (!isAccepted) return;
    this.#moved += moving.cents;
    this.#transfers++;
  }

  #note(shown: Shown): void {
    const { transfers, missing, made } = shown;
    const isMoved = transfers.some(({ isAccepted }) => isAccepted);
    if (isMoved) {
      this.#isOpen = true;
      this.#firstShown.resolve();
    }
    const lost = Math.max(0, missing - this.#made);
    this.#made = Math.max(0, this.#made - missing) + Math.min(made, sumOfAccepted(transfers));
    this.#missing += lost;
    const most = transfers.reduce(
      (sum, one) => sum + (one.isAccepted ? mostOfFee(one.cents) : numbers.chargeOfRefusal),
      0,
    );
    const cards = [...shown.before.keys()];
    const late = Math.max(...cards.map((card) => this.#mayBeLate.get(card) ?? 0));
    const small = transfers.reduce((sum, { cents }) => sum + Math.min(numbers.chargeOfRefusal, cents / 2), 0);
    for (const card of cards)
      this.#mayBeLate.set(card, Math.min(numbers.lateFees, Math.max(0, late + small - missing)));
    const asFees = Math.max(most + late, numbers.leastLoss);
    if (lost > asFees) {
      const loss = { ...shown, missing: lost };
      this.#losses.push(loss);
      this.#unconfirmed.add(loss);
    } else if (missing <= asFees) {
      for (const { isAccepted, cents } of transfers) if (isAccepted) this.#arrived = Math.max(this.#arrived, cents);
    }
  }
}

/** Cents that accepted transfers asked for: what is more than that somebody else paid in. */
const sumOfAccepted = (transfers: readonly Moving[]): number =>
  transfers.reduce((sum, { cents, isAccepted }) => sum + (isAccepted ? Math.abs(cents) : 0), 0);

/** What a promise gives. @param handle called where it fails, with which it fails still */
async function onFailure<T>(promise: Promise<T>, handle: () => void): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    handle();
    throw error;
  }
}

/** The largest loss, as a multiple of what was asked for; 1 at least. */
const worstOf = (losses: readonly Shown[]): number =>
  Math.max(
    1,
    ...losses.map(({ transfers, missing }) => missing / transfers.reduce((sum, { cents }) => sum + cents, 0)),
  );

/** Whether each transfer cost the same, whatever it moved: that may be a fee. */
function areFlat(losses: readonly Shown[]): boolean {
  const paid = ({ transfers }: Shown) => transfers.filter(({ isAccepted }) => isAccepted).length;
  const costs = losses.map((loss) => loss.missing / paid(loss));
  const amounts = new Set(losses.map(({ transfers }) => transfers[0]!.cents));
  return amounts.size > 1 && costs.every((cost) => Math.abs(cost - costs[0]!) < 1);
}
