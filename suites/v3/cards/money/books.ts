/** The books of some cards while transfers are made between them (readings 10, 27 and 49): a choice of effects must explain what their balances gain. */
import { type Answer, succeeded } from '../../../../helpers/answer.ts';
import { NotMoved } from '../../../../helpers/changes/money-account.ts';
import type { Context } from '../../../../helpers/check.ts';
import { Blocked, inconclusive, isLoss, Verdict } from '../../../../helpers/verdict.ts';
import { Balances, gained } from './balances.ts';
import type * as Contradictions from './contradictions.ts';
import * as Effects from './effects.ts';
import type { Control, Play } from './play.ts';

/** Makes the requests of a row, when it is their turn. It may throw a verdict: the row is not sent then. */
type Make = () => readonly Effects.Payment[] | Promise<readonly Effects.Payment[]>;

/** The answer to a transfer, and what it did. */
export type Paid = { answer: Answer; gains: Effects.Gains };

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
  found: Contradictions.Found[] = [];
  /** The answer to the first transfer that moved money. */
  success: Answer | undefined;
  /** Whether a transfer was answered before the balances showed it. */
  showsLate = false;
  readonly round: number;
  /** Makes a transfer that is accepted, where one was seen to be. */
  control: Control | undefined;

  constructor(t: Context, cards: readonly string[], play: Play = {}) {
    this.#t = t;
    this.#cards = cards;
    this.#balances = new Balances(t, cards, play.held);
    this.#play = play;
    this.round = play.round ?? 0;
  }

  /** Books of the same rows, some of which are made again: each alone, with readings of its own. */
  again(t: Context, cards: readonly string[], play: Pick<Play, 'round' | 'only'>): Books {
    return new Books(t, cards, { ...play, alone: true, judging: this.#play.judging });
  }

  /** Sends a row, unless this play leaves it out; what it does is read where something judges that. @returns undefined if it was not sent */
  async send(row: Effects.Row, make: Make): Promise<Effects.Sent | undefined> {
    const { only, alone } = this.#play;
    if (only && !only.has(row.name)) return undefined;
    try {
      const sent = await (this.isJudged(row) ? this.#ask(row, make) : this.#askUnread(row, make));
      if (alone && !row.isOpen) await this.check();
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

  /** Sends what every play needs, and reads what it did. */
  async prepare(what: Effects.Row | string, ...payments: readonly Effects.Payment[]): Promise<Paid> {
    const row = typeof what === 'string' ? { name: what } : what;
    await this.check();
    try {
      const { answers } = await this.#ask(row, () => payments);
      await this.check();
      return { answer: answers[0]!, gains: this.gains(row.name)! };
    } catch (error) {
      if (error instanceof Verdict) this.#unsent.push({ row, error });
      throw error;
    }
  }

  /** Asks for the transfers of a row. Balances that were read before say nothing of later ones. */
  async #askUnread(row: Effects.Row, make: Make): Promise<Effects.Sent> {
    await this.restart();
    return this.#request(row, await make());
  }

  async #ask(row: Effects.Row, make: Make): Promise<Effects.Sent> {
    if (this.#play.alone) this.#before = undefined;
    if (this.#open.length === 0) this.#from = this.#t.exchanges.length - (this.#before ? this.#cards.length : 0);
    this.#before ??= await this.#balances.settled();
    const sent = await this.#request(row, await make());
    this.#open.push(sent);
    this.#effects.set(row.name, { sent, gains: undefined, window: this.#window });
    return sent;
  }

  async #request(row: Effects.Row, payments: readonly Effects.Payment[]): Promise<Effects.Sent> {
    const { atOnce = false } = row;
    const how = { intent: 'refusable', atOnce, isRetrial: this.#play.alone || row.showsLoss } as const;
    const answers: Answer[] = [];
    const ask = ({ from: identifier, input, options }: Effects.Payment) =>
      this.#t.call('cards.transfer', { path: { identifier }, ...input }, { ...how, ...options });
    if (atOnce) answers.push(...(await Promise.all(payments.map(ask))));
    else for (const payment of payments) answers.push(await ask(payment));
    return { row, payments, answers };
  }

  /**
   * Makes a transfer that is accepted, after all others. Where it moves nothing now, the target has a limit of its own, and nothing was found;
   * where it may not be sent, that explains what moved nothing.
   */
  async sendControl(): Promise<void> {
    if (!this.control) return;
    const { step, make } = this.control;
    const row = { name: 'a transfer after all others', step };
    try {
      const { answers } = await this.#ask(row, async () => [await make()]);
      await this.check();
      const gains = this.gains(row.name);
      if (!succeeded(answers[0]!) && (!gains || Effects.nothingMoved(gains))) this.found = [];
    } catch (error) {
      if (!(error instanceof NotMoved)) throw error;
      this.found = this.found.filter(({ gains }) => !Effects.nothingMoved(gains));
    }
  }

  /** The balance of a card in cents, after all that was sent; undefined where it cannot be read. */
  async held(card: string): Promise<number | undefined> {
    await this.check();
    if (!this.#before?.has(card)) this.#before = await this.#balances.settled();
    return this.#before.get(card);
  }

  /** The same. @throws Inconclusive where it cannot be read */
  balance = async (card: string): Promise<number> =>
    (await this.held(card)) ?? inconclusive('the balance of a card cannot be read');

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
    const nothing = gained(before, before);
    const due = open.reduce((sum, one) => Effects.plus(sum, Effects.rightEffects(one, this.success)[0]!), nothing);
    // What an unusual amount does is not known: an effect is given time.
    if (late || open.some(({ row, answers }) => row.isUnusual && answers.some(succeeded))) await this.#t.settle();
    const hasMoved = (shown: Effects.Gains) => !Effects.nothingMoved(gained(before, shown));
    const { now, isLate } = await this.#balances.until(
      (shown) => Effects.sameGains(gained(before, shown), due),
      Effects.nothingMoved(due) ? undefined : hasMoved,
    );
    this.showsLate ||= isLate;
    const exchanges = this.#t.exchanges.slice(this.#from);
    const effects = this.#explain(open, gained(before, now));
    for (const sent of effects?.keys() ?? open) {
      const gains = effects?.get(sent);
      // One of earlier moved nothing then, nor has it now.
      if (!open.includes(sent) && Effects.nothingMoved(gains!)) continue;
      this.#effects.set(sent.row.name, { ...this.#effects.get(sent.row.name)!, sent, gains });
      const own = open.length > 1 ? sent.answers.map(({ exchange }) => exchange) : exchanges;
      if (gains) this.#judge(sent, gains, own);
    }
    this.#before = now;
    this.#window++;
  }

  /** What each row did; that of one of earlier, too, where it moved nothing then and does now. */
  #explain(open: readonly Effects.Sent[], gains: Effects.Gains): Map<Effects.Sent, Effects.Gains> | undefined {
    const { success } = this;
    const isUnmoved = ({ sent, gains: own }: Effect) =>
      own !== undefined && Effects.nothingMoved(own) && sent.payments.length === 1;
    const earlier = () => this.effects.filter(isUnmoved).map(({ sent }) => sent);
    return Effects.explain(open, gains, { success }) ?? Effects.explain(open, gains, { success, earlier: earlier() });
  }

  #judge(sent: Effects.Sent, gains: Effects.Gains, exchanges: readonly string[]): void {
    const [answer, ...others] = sent.answers;
    if (answer && others.length === 0 && succeeded(answer) && !Effects.nothingMoved(gains)) this.success ??= answer;
    for (const contradiction of this.#judgingOf(sent.row)) {
      const message = contradiction(sent, gains, this.success);
      if (message !== undefined) this.found.push({ contradiction, message, sent, gains, exchanges });
    }
  }

  readonly #judgingOf = (row: Effects.Row): ReadonlySet<Contradictions.Contradiction> =>
    this.#play.judging?.get(Effects.stepOf(row)) ?? new Set();

  /** Whether a balance changes by itself; see {@link Balances.drifts}. Watched only where something contradicts. */
  drifts = async (): Promise<boolean> => this.suspects.size > 0 && this.#balances.drifts();

  /** Adds what a drive found by itself. @param contradiction the kind that it is of */
  suspect(contradiction: Contradictions.Contradiction, sent: Effects.Sent, message: string): void {
    const exchanges = this.#t.exchanges.slice(this.#from);
    this.found.push({ contradiction, message, sent, gains: this.gains(sent.row.name)!, exchanges });
  }

  /** Whether what a row did is judged. */
  isJudged = (row: Effects.Row): boolean => this.#judgingOf(row).size > 0;

  /** The rows that contradict, or that nothing explains, with those that they need. */
  get suspects(): Set<string> {
    const unexplained = this.effects.filter(({ sent, gains }) => !gains && this.isJudged(sent.row));
    return withNeeded([...this.found, ...unexplained].map(({ sent }) => sent.row));
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

  /** @throws the verdict for which no row at all was sent */
  requireSent(): void {
    if (this.#effects.size === 0 && this.#unsent[0]) throw this.#unsent[0].error;
  }

  /** The rows of some steps. */
  rowsOf(steps: readonly string[]) {
    const isOf = (row: Effects.Row) => steps.includes(Effects.stepOf(row));
    const sent = this.effects.filter((effect) => isOf(effect.sent.row));
    return { sent, unsent: this.#unsent.filter(({ row }) => isOf(row)) };
  }
}

/** The names of rows, after those of the rows that they need. */
const withNeeded = (rows: readonly Effects.Row[]): Set<string> =>
  new Set(rows.flatMap(({ name, after = [] }) => [...after, name]));
