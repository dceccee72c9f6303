/** What a check works with. */
import { setTimeout as sleep } from 'node:timers/promises';
import { operation as operationById } from '../contracts/operations.ts';
import type { Risk } from '../contracts/record.ts';
import { type Answer, type Input, memberOf, succeeded } from './answer.ts';
import type { Company } from './budget.ts';
import type { RequestOptions } from './call.ts';
import { type CardState, isLeftBehind, readBalance, readState } from './cards/card-state.ts';
import type { CardRequest, LeasedCard } from './cards/pools.ts';
import { Undo } from './changes/undo.ts';
import { allows } from './configuration/scope.ts';
import { eventually } from './eventually.ts';
import type { Run } from './run.ts';
import { AWAITED, AWAITED_ONE_BY_ONE } from './target/http/limiter.ts';
import { Blocked, Inconclusive, skip } from './verdict.ts';

/** Of the requests that are queued those of the longest chain go first; and those of chains that are known to become long before them. */
const LONG_CHAIN_PRIORITY = 1000;

/** Readings, the settle time apart, of what is not as expected; and how many of all such readings no replica that lags explains. */
const READ_ON = 4;
const STAYS = 3;

/**
 * What a check, or a scenario, works with: it sends requests, leases cards, waits for effects, and undoes at its end what it changed.
 *
 * @example
 * check('cards.get.required-only', 'the identifier alone', async (t) => {
 *   expectSuccess(await t.call('cards.get', { path: { identifier: await t.shared(aCard) } }));
 * });
 */
export class Context {
  readonly run: Run;
  /** Requirement and check, for the record. */
  readonly name: string;
  /** Ids of the exchanges that it made or looked at, in order. */
  readonly exchanges: string[] = [];
  readonly #leased: LeasedCard[] = [];
  #isLongChain = false;
  #askedWith = 0;
  readonly #undo: Undo;
  readonly #urgent: boolean;

  /** @param urgent goes before all others and after the end of the run too: for the credentials, which undoing needs */
  constructor(run: Run, name: string, urgent = false) {
    this.run = run;
    this.name = name;
    this.#urgent = urgent;
    this.#undo = new Undo({
      call: (operation, input, options) =>
        run.cardQueue.inTurn(cardsOf(operation, input), () =>
          this.#send(operation, input, { ...options, urgent: true }),
        ),
      changes: run.changes,
      note: (note) => run.note(note),
      settleMs: run.configuration.run.settleMs,
      customer: run.writableCustomer,
    });
  }

  get fixtures() {
    return this.run.configuration.fixtures;
  }

  /** Whether the run may make requests of this risk. */
  allows(risk: Risk): boolean {
    return allows(this.run.configuration.run.risk, risk);
  }

  /**
   * Sends one request. A request that succeeds and can be undone is undone when the context ends.
   * @throws Blocked when no readable answer came; see Client
   * @throws Skipped when the target does not claim the operation, when it would do more to a leased card than the risk allows, or when as
   * many orders or CIP checks were accepted as RUN_MAX_ORDERS or RUN_MAX_CIP_CHECKS allows
   */
  async call(operation: string, input: Input = {}, options: RequestOptions = {}): Promise<Answer> {
    if (this.run.ended && !this.#urgent) throw new Blocked(this.run.ended);
    const { risk } = operationById(operation);
    const isOfLeased = this.#leased.some(({ identifier }) => identifier === input.path?.identifier);
    if (isOfLeased && mayTakeEffect(options) && !this.allows(risk)) skip(`needs RUN_RISK=${risk}`);
    const budget = this.run.budgetOf(operation);
    const company = companyOf(options);
    const settle = await budget?.reserve(company, this.#priority);
    if (budget && !settle) skip(`needs a larger ${budget.variable}: as many were accepted as it allows`);
    let answer: Answer | undefined;
    try {
      const cards = cardsOf(operation, input).filter((card) => !this.fixtures.cards?.foreign?.includes(card));
      // Others of its kind, or about the same card, wait until it is over.
      const awaited = company === 'malformed' ? AWAITED : AWAITED_ONE_BY_ONE;
      const priority = settle ? awaited : this.#priority + (cards.length > 0 ? LONG_CHAIN_PRIORITY : 0);
      const send = () => this.#send(operation, input, { ...options, urgent: this.#urgent, priority });
      answer = options.atOnce ? await send() : await this.run.cardQueue.inTurn(cards, send);
      return answer;
    } finally {
      // Without an answer nobody knows whether it was accepted.
      settle?.(answer === undefined || (succeeded(answer) && !options.isFree?.(answer)));
    }
  }

  get #priority(): number {
    return Math.max(this.#askedWith, this.exchanges.length + (this.#isLongChain ? LONG_CHAIN_PRIORITY : 0));
  }

  /** Puts the requests of this context no later than those of somebody who waits for what it does. */
  raisePriority(priority: number): void {
    this.#askedWith = Math.max(this.#askedWith, priority);
  }

  async #send(
    operation: string,
    input: Input,
    options: RequestOptions & { urgent?: boolean; priority?: number },
  ): Promise<Answer> {
    if (operationById(operation).risk !== 'safe') {
      this.#undo.sending(operation, input);
      this.run.history.noteSent(input);
    }
    const sent = this.run.client.call(operation, input, {
      priority: this.#priority,
      ...options,
      check: this.name,
      leased: this.#leased,
    });
    const answer = await sent.catch((error: unknown) => {
      if (error instanceof Blocked && error.change) this.#undo.unanswered(error.change, operation, input);
      throw error;
    });
    this.exchanges.push(answer.exchange);
    this.#undo.answered(answer);
    if (answer.operation.risk !== 'safe' && succeeded(answer)) this.run.history.noteAccepted(answer);
    return answer;
  }

  /** The result of a scenario, which is run once in a run; its exchanges are evidence of this check, too. */
  async shared<T>(scenario: Scenario<T>): Promise<T> {
    const { result, exchanges } = await play(this.run, scenario, this.#priority);
    this.exchanges.push(...exchanges);
    return result;
  }

  /** The result of a scenario that a check needs to know, and that is not evidence of it. */
  async known<T>(scenario: Scenario<T>): Promise<T> {
    const { result } = await play(this.run, scenario, this.#priority);
    return result;
  }

  /**
   * Leases cards from pools of the fixtures file until the context ends. Called at most once by a check; who holds cards asks for no
   * scenario that leases some, since each would wait for the other.
   * @throws Skipped, Inconclusive; see CardPools
   */
  async lease(...requests: CardRequest[]): Promise<LeasedCard[][]> {
    if (this.#leased.length > 0) throw new Error('a check leases all its cards at once');
    this.prioritise();
    const taken = await this.run.pools.take(requests, async (operation, input) => {
      // A replica that lags would show a card as it was before another check changed it.
      if (input.path?.identifier !== undefined) await this.quiet([input.path.identifier]);
      return this.call(operation, input);
    });
    this.#leased.push(...taken.flat());
    for (const card of taken.flat()) this.run.states.set(card.identifier, card);
    return taken;
  }

  /**
   * Lets the requests of this context go before those of others: call it where many follow, each of which has to wait for the one before, so
   * that the run does not wait for them alone in the end. Leasing cards does it, since others wait for the cards.
   */
  prioritise(): void {
    this.#isLongChain = true;
  }

  /** Lets the requests of this context go before all others: for one of the longest chains, since the run takes as long as these do. */
  prioritiseAboveAll(): void {
    this.raisePriority(AWAITED);
  }

  /**
   * State of a card, by the record after it was refreshed. One that says what it said before, while the number of getStatus is another,
   * may be read from a replica that lags: it is read again for as long as an effect may take to show.
   */
  async state(identifier: string): Promise<CardState> {
    const before = this.run.states.get(identifier);
    const read = () => readState((operation, input) => this.call(operation, input), identifier);
    const first = await read();
    const state = isLeftBehind(first, before)
      ? await this.eventually(read, (now) => !isLeftBehind(now, before))
      : first;
    this.run.states.set(identifier, state);
    this.#undo.read(identifier, state);
    return state;
  }

  /**
   * Balance of a card, in cents.
   * @throws Inconclusive when the target gives none
   */
  async balance(identifier: string): Promise<number> {
    const balance = await readBalance((operation, input) => this.call(operation, input), identifier);
    if (balance === undefined) throw new Inconclusive('the balance of a card cannot be read');
    return balance;
  }

  /**
   * Reads until the value is what an effect makes it, for as long as an effect may take to show (RUN_SETTLE_MS).
   * @returns the last value, accepted or not
   */
  eventually<T>(read: () => Promise<T>, isShown: (value: T) => boolean): Promise<T> {
    return eventually(read, isShown, this.run.configuration.run.settleMs);
  }

  /**
   * Reads until an effect shows that has to show: within the settle time, and where it does not, as {@link confirmed} does.
   * @returns the last value, shown or not
   */
  async shown<T>(read: () => Promise<T>, isShown: (value: T) => boolean): Promise<T> {
    const value = await this.eventually(read, isShown);
    return isShown(value) ? value : this.confirmed(read, isShown);
  }

  /**
   * Reads what is expected to be as it was. What is not is read twice more, the settle time apart: a replica may go back for a while, and
   * the stored record of a card, which each reading refreshes, may itself be read from one (reading 49).
   * @returns the last value, expected or not
   */
  async confirmed<T>(read: () => Promise<T>, isExpected: (value: T) => boolean): Promise<T> {
    let value = await read();
    for (let times = 0; times < 2 && !isExpected(value); times++) {
      await this.settle();
      value = await read();
    }
    return value;
  }

  /**
   * Reads once more what was seen to be as expected, since a reading changes nothing. What is not is read on, the settle time apart: it may
   * come from a replica that went back for a while, but one of which that is read twice more never learns of the effect.
   * @returns a value that is not as expected where there are three of them, else one that is
   */
  async lasting<T>(read: () => Promise<T>, isExpected: (value: T) => boolean): Promise<T> {
    const first = await read();
    if (isExpected(first)) return first;
    let expected: T | undefined;
    for (let times = 0, others = 1; times < READ_ON; times++) {
      await this.settle();
      const value = await read();
      if (isExpected(value)) expected = value;
      else if (++others === STAYS) return value;
    }
    return expected ?? first;
  }

  /**
   * Waits as long as an effect may take to show, so that its absence can be judged.
   * @throws Blocked when the run ends meanwhile
   */
  settle(): Promise<void> {
    return this.pause(this.run.configuration.run.settleMs);
  }

  /**
   * Waits until all that this run sent to change these things has had its time to show.
   * @throws Blocked when the run ends meanwhile
   */
  async quiet(identifiers: readonly string[]): Promise<void> {
    const rest = this.run.configuration.run.settleMs - this.run.history.sinceSent(identifiers);
    if (rest > 0) await this.pause(rest);
  }

  /** @throws Blocked when the run ends meanwhile */
  async pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.run.signal }).catch(() => {
      throw new Blocked(this.run.ended);
    });
  }

  /**
   * Does work when no other request of an operation that costs is under way, once what was sent before has lost its effect: a target may
   * refuse two consecutive ones (reading 47). The requests of the work are sent `atOnce`.
   */
  async alone<T>(operation: string, work: () => Promise<T>): Promise<T> {
    const budget = this.run.budgetOf(operation);
    await budget?.hold();
    try {
      await this.settle();
      return await work();
    } finally {
      budget?.release();
    }
  }

  /** Records what the target does where the documents are silent. */
  observe(operation: string, subject: string, value: string): void {
    this.run.observe(operation, subject, value);
  }

  /** Text that no other run and no other call of this one uses. */
  unique(prefix: string): string {
    return this.run.unique(prefix);
  }

  /** Undoes what can be undone and gives the leased cards back. Never throws. */
  async end(): Promise<void> {
    await this.#undo.run(this.#leased);
    await Promise.all(this.#leased.map(async (card) => this.run.pools.release(card, await this.#undo.isSpent(card))));
  }
}

/** Whether a sound target may do what is asked for; the others are probes. */
const mayTakeEffect = ({ intent = 'valid' }: RequestOptions): boolean =>
  ['valid', 'refusable', 'unusual'].includes(intent);

/** Nothing is made of what is malformed or comes without credentials: it keeps nothing else waiting. */
function companyOf({ atOnce, alone, intent }: RequestOptions): Company {
  if (atOnce) return 'atOnce';
  return !alone && (intent === 'malformed' || intent === 'unauthorised') ? 'malformed' : 'alone';
}

/** The cards that a request is about: a target may refuse a second one to the same card with 409. To a foreign card none is accepted anyway. */
function cardsOf(operation: string, { path, json }: Input): string[] {
  if (!operation.startsWith('cards.') || path?.identifier === undefined) return [];
  const target = memberOf(json, 'targetCardIdentifier');
  return typeof target === 'string' ? [path.identifier, target] : [path.identifier];
}

/** A piece of work that several checks look at: done once in a run, by the first that asks. */
export interface Scenario<T> {
  name: string;
  body: (t: Context) => Promise<T>;
}

/** Runs a scenario once, and gives its result to all that ask: it is as urgent as the most urgent of them. */
function play<T>(
  run: Run,
  scenario: Scenario<T>,
  priority: number,
): Promise<{ result: T; exchanges: readonly string[] }> {
  const playing = run.once(scenario, () => {
    const context = new Context(run, scenario.name);
    context.raisePriority(priority);
    const played = async () => {
      try {
        return { result: await run.untilOver(scenario.body(context)), exchanges: context.exchanges };
      } finally {
        await context.end();
      }
    };
    return { context, played: played() };
  });
  playing.context.raisePriority(priority);
  return playing.played;
}
