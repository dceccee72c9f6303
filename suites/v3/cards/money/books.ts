/** The books of some cards while transfers are made between them (readings 10, 27 and 49): a choice of effects must explain what their balances gain. */
import { type Answer, succeeded } from '../../../../helpers/answer.ts';
import { NotMoved } from '../../../../helpers/changes/money-account.ts';
import type { Context } from '../../../../helpers/check.ts';
import { Blocked, inconclusive, isLoss, Verdict } from '../../../../helpers/verdict.ts';
import { Balances, gained } from './balances.ts';
import * as Effects from './effects.ts';

/** A contradiction of one row. */
export interface Found {
  requirement: string;
  message: string;
  sent: Effects.Sent;
  gains: Effects.Gains;
  /** Ids of its exchanges; with the readings before and after it where it stands alone between them. */
  exchanges: readonly string[];
}

/** Makes the requests of a row, when it is their turn. It may throw a verdict: the row is not sent then. */
type Make = () => readonly Effects.Payment[] | Promise<readonly Effects.Payment[]>;

/** The answer to a transfer, and what it did. */
export type Paid = { answer: Answer; gains: Effects.Gains };

/** How a drive is played: quickly, or again for some rows. */
interface Play {
  /** How often it was played before: amounts differ from time to time. */
  round?: number;
  /** The rows to send; all if absent. */
  only?: ReadonlySet<string>;
  /** Whether each row has readings of its own, a settle time after it. */
  alone?: boolean;
  /** What the cards have in cents when it begins; read when it is wanted if absent. */
  held?: Effects.Gains;
}

/** What a row did, where that is known, and between which readings it was sent. */
type Effect = { sent: Effects.Sent; gains: Effects.Gains | undefined; window: number };

export class Books {
  readonly #t: Context;
  readonly #cards: readonly string[];
  readonly #balances: Balances;
  readonly #play: Play;
  readonly #open: Effects.Sent[] = [];
  /** Balances in cents before the open rows; a balance that cannot be read is absent. */
  #before: Effects.Gains | undefined;
  readonly #effects = new Map<string, Effect>();
  #window = 0;
  /** Number of exchanges before the readings before the open rows. */
  #from = 0;
  readonly #unsent: { row: Effects.Row; error: Verdict }[] = [];
  found: Found[] = [];
  /** The answer to the first transfer that moved money. */
  success: Answer | undefined;
  /** Whether a transfer was answered before the balances showed it. */
  showsLate = false;
  readonly round: number;
  /** Makes a transfer that is accepted, where one was seen to be. */
  control: (() => Effects.Payment | Promise<Effects.Payment>) | undefined;

  constructor(t: Context, cards: readonly string[], play: Play = {}) {
    this.#t = t;
    this.#cards = cards;
    this.#balances = new Balances(t, cards, play.held);
    this.#play = play;
    this.round = play.round ?? 0;
  }

  /** Sends a row, unless this play leaves it out. @returns undefined if it was not sent */
  async send(row: Effects.Row, make: Make): Promise<Effects.Sent | undefined> {
    const { only, alone } = this.#play;
    if (only ? !only.has(row.name) : !(row.isNeeded || this.#t.needs(...row.about))) return undefined;
    try {
      const sent = await this.#ask(row, make);
      if (alone) await this.check();
      return sent;
    } catch (error) {
      const isUnsent =
        error instanceof NotMoved || (error instanceof Verdict && (!(error instanceof Blocked) || error.isLoss));
      if (!isUnsent) throw error;
      this.#unsent.push({ row, error });
      if (isLoss(error)) await this.#leaveOut(error);
      return undefined;
    }
  }

  /** Leaves the open rows out, once an answer was lost: nobody knows what that transfer did, or will do yet. */
  async #leaveOut(error: Verdict): Promise<void> {
    for (const { row } of this.#open.splice(0)) {
      this.#effects.delete(row.name);
      this.#unsent.push({ row, error });
    }
    this.#before = undefined;
    await this.#t.settle();
  }

  /** Sends what a play needs, whatever it is about (nothing, by its name alone), and reads what it did. */
  async prepare(what: Effects.Row | string, ...payments: readonly Effects.Payment[]): Promise<Paid> {
    const row = typeof what === 'string' ? { name: what, about: [] } : what;
    await this.check();
    const { answers } = await this.#ask(row, () => payments);
    await this.check();
    return { answer: answers[0]!, gains: this.gains(row.name)! };
  }

  async #ask(row: Effects.Row, make: Make): Promise<Effects.Sent> {
    if (this.#play.alone) this.#before = undefined;
    if (this.#open.length === 0) this.#from = this.#t.exchanges.length - (this.#before ? this.#cards.length : 0);
    this.#before ??= await this.#balances.settled();
    const payments = await make();
    const { atOnce = false } = row;
    const how = { intent: 'refusable', atOnce, isRetrial: this.#play.alone || row.showsLoss } as const;
    const answers: Answer[] = [];
    const ask = ({ from: identifier, input, options }: Effects.Payment) =>
      this.#t.call('cards.transfer', { path: { identifier }, ...input }, { ...how, ...options });
    if (atOnce) answers.push(...(await Promise.all(payments.map(ask))));
    else for (const payment of payments) answers.push(await ask(payment));
    const sent = { row, payments, answers };
    this.#open.push(sent);
    this.#effects.set(row.name, { sent, gains: undefined, window: this.#window });
    return sent;
  }

  /**
   * Makes a transfer that is accepted, after all others. Where it moves nothing now, the target has a limit of its own, and nothing was found; where
   * it may not be sent, that explains what moved nothing.
   */
  async sendControl(): Promise<void> {
    if (!this.control) return;
    const row = { name: 'a transfer after all others', about: WHOLE };
    try {
      const { answers } = await this.#ask(row, async () => [await this.control!()]);
      await this.check();
      const gains = this.gains(row.name);
      if (!succeeded(answers[0]!) && (!gains || Effects.nothingMoved(gains))) this.found = [];
    } catch (error) {
      if (!(error instanceof NotMoved)) throw error;
      this.found = this.found.filter(({ gains }) => !Effects.nothingMoved(gains));
    }
  }

  /** The balance of a card in cents, after all that was sent. @throws Inconclusive where it cannot be read */
  async balance(card: string): Promise<number> {
    await this.check();
    if (!this.#before?.has(card)) this.#before = await this.#balances.settled();
    return this.#before.get(card) ?? inconclusive('the balance of a card cannot be read');
  }

  /** Takes balances as they are found before the next row: something else may have changed them. @param card this one alone */
  async restart(card?: string): Promise<void> {
    await this.check();
    const others = [...(this.#before ?? [])].filter(([one]) => card !== undefined && one !== card);
    this.#before = others.length > 0 ? new Map(others) : undefined;
  }

  /** What a row did; undefined where it was not sent, or that is not known. */
  gains = (name: string): Effects.Gains | undefined => this.#effects.get(name)?.gains;

  /** Reads the balances until they show what was sent, and judges it. @param late whether what is refused may still have an effect */
  async check({ late = this.#play.alone ?? false } = {}): Promise<void> {
    const open = this.#open.splice(0);
    if (open.length === 0) return;
    const before = this.#before!;
    const due = open.reduce(
      (sum, one) => Effects.plus(sum, Effects.rightEffects(one, this.success)[0]!),
      gained(before, before),
    );
    const isDue = (now: Effects.Gains) => Effects.sameGains(gained(before, now), due);
    // What an unusual amount does is not known: an effect is given time.
    if (late || open.some(({ row, answers }) => row.isUnusual && answers.some(succeeded))) await this.#t.settle();
    let reads = 0;
    const shown = await this.#t.eventually(() => {
      reads++;
      return this.#balances.read();
    }, isDue);
    this.showsLate ||= reads > 1 && isDue(shown);
    // A replica may fall back for a while, and money may move later than it is seen to.
    const now = isDue(shown) ? shown : await this.#balances.confirmed(shown);
    const [gains, success] = [gained(before, now), this.success];
    const unmoved = () =>
      this.effects.flatMap((one) =>
        one.gains && Effects.nothingMoved(one.gains) && one.sent.payments.length === 1 ? [one.sent] : [],
      );
    const effects =
      Effects.explain(open, gains, { success }) ?? Effects.explain(open, gains, { success, earlier: unmoved() });
    const exchanges = this.#t.exchanges.slice(this.#from);
    for (const sent of effects?.keys() ?? open) {
      const gains = effects?.get(sent);
      if (!open.includes(sent) && Effects.nothingMoved(gains!)) continue;
      this.#effects.set(sent.row.name, { ...this.#effects.get(sent.row.name)!, sent, gains });
      if (!gains) continue;
      const [answer] = sent.answers;
      if (!this.success && answer && succeeded(answer) && !Effects.nothingMoved(gains) && sent.answers.length === 1)
        this.success = answer;
      const own = open.length > 1 ? sent.answers.map(({ exchange }) => exchange) : exchanges;
      for (const one of Effects.contradictions(sent, gains, this.success))
        this.found.push({ ...one, sent, gains, exchanges: own });
    }
    this.#before = now;
    this.#window++;
  }

  /** Whether a balance changes by itself; see {@link Balances.drifts}. Watched only where something contradicts. */
  drifts = async (): Promise<boolean> => this.suspects.size > 0 && this.#balances.drifts();

  /** Adds what a drive found by itself. */
  suspect(requirement: string, sent: Effects.Sent, message: string): void {
    const exchanges = this.#t.exchanges.slice(this.#from);
    this.found.push({ requirement, message, sent, gains: this.gains(sent.row.name)!, exchanges });
  }

  /** The rows that contradict, or that nothing explains, with those that they need. */
  get suspects(): Set<string> {
    const judged = this.effects.filter(({ sent }) => sent.row.about.length > 0);
    const unexplained = judged.filter(({ gains }) => !gains).map(({ sent }) => sent.row);
    return withNeeded([...this.found.map(({ sent }) => sent.row), ...unexplained]);
  }

  /** The rows between the same readings as those that contradict, one of which may be wrong instead, and those among which they were made. */
  get besideSuspects(): Set<string> {
    const suspected = [...this.suspects].flatMap((name) => this.#effects.get(name) ?? []);
    const isBeside = ({ sent: { row }, window }: Effect) =>
      suspected.some((one) => one.window === window || (row.among !== undefined && one.sent.row.among === row.among));
    return withNeeded(this.effects.filter(isBeside).map(({ sent }) => sent.row));
  }

  /** The rows that were sent, with what they did where that is known. */
  get effects(): Effect[] {
    return [...this.#effects.values()];
  }

  /** The rows that are about a requirement. */
  about = (requirement: string) => ({
    sent: this.effects.filter(({ sent }) => sent.row.about.includes(requirement)),
    unsent: this.#unsent.filter(({ row }) => row.about.includes(requirement)),
  });
}

/** The names of rows, after those of the rows that they need. */
const withNeeded = (rows: readonly Effects.Row[]): Set<string> =>
  new Set(rows.flatMap(({ name, after = [] }) => [...after, name]));

/** What a transfer of its whole amount shows. */
export const WHOLE = ['cards.transfer.moves-amount', 'cards.transfer.conserves-money', 'cards.transfer.claims-truly'];
