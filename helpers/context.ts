/** The context that a check runs in. */

import { setTimeout as sleep } from 'node:timers/promises';
import { numbers } from '../contracts/numbers.ts';
import { operation as operationById } from '../contracts/operations.ts';
import type { Risk } from '../contracts/record.ts';
import { requirementById, requirementsOf } from '../contracts/requirements/index.ts';
import { type Answer, type Input, identifiersIn, succeeded } from './answer.ts';
import type { Exclusivity } from './budget.ts';
import type { RequestOptions } from './call.ts';
import { type Call, type CardState, isLeftBehind, readBalance, readState } from './cards/card-state.ts';
import { type CardRequest, type LeasedCard, readCard } from './cards/pools.ts';
import { askedTransfer } from './changes/inverse.ts';
import type { Leave, Purpose } from './changes/money-account.ts';
import { Undo } from './changes/undo.ts';
import { AWAITED, AWAITED_ONE_BY_ONE } from './client/http/limiter.ts';
import {
  allows,
  type Condition,
  exercises,
  isDone,
  isSelected,
  operationInScope,
  requirementInScope,
} from './configuration/scope.ts';
import { eventually } from './eventually.ts';
import type { Quiet } from './quiet.ts';
import { drawnBy, type Rotation, rotated, rotatedMade } from './rotation.ts';
import type { Run } from './run.ts';
import { Blocked, Inconclusive, isLoss, optional, skip } from './verdict.ts';

/** Added to the priority of contexts with a long chain of requests. Otherwise the longest chain so far goes first. */
const LONG_CHAIN_PRIORITY = 1000;

interface ContextOptions {
  urgent?: boolean;
  quiet?: Quiet;
  isAwaited?: boolean;
  isRepeated?: boolean;
}

/**
 * The context of a check or scenario: sends requests, leases cards, waits for effects, and undoes its changes when it
 * ends.
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
  /** Ids of the exchanges that it made or used, in order. */
  readonly exchanges: string[] = [];
  /** The same, by which what rotates is blamed for what it shows: whatever becomes of the evidence. */
  readonly #sent = { made: new Set<string>(), used: new Set<string>() };
  /** Ids of exchanges that seemed to contradict something, whatever came of it. */
  readonly suspected: string[] = [];
  readonly #leased: LeasedCard[] = [];
  readonly #watched: LeasedCard[] = [];
  #isLongChain = false;
  #askedWith = 0;
  /** Contexts of scenarios that this one waits for. */
  readonly #awaited = new Set<Context>();
  readonly #undo: Undo;
  readonly #urgent: boolean;
  /** Of the interface of its check, else of its last request. */
  #quiet: Quiet | undefined;
  #isTryingAgain = false;
  readonly #isRepeated: boolean;
  readonly #isAwaited: boolean;
  #hasLoss = false;

  /**
   * @param options.urgent goes ahead of all others, even after the run has ended: for the credentials, which undoing needs
   * @param options.quiet of the interface that it uses
   * @param options.isAwaited whether it has entered, so that others who want quiet wait for it
   * @param options.isRepeated carried out once more after an answer was lost: so are the scenarios that lost one
   */
  constructor(
    run: Run,
    name: string,
    { urgent = false, quiet, isAwaited = quiet !== undefined, isRepeated = false }: ContextOptions = {},
  ) {
    this.run = run;
    this.#isRepeated = isRepeated;
    this.#isAwaited = isAwaited;
    this.name = name;
    this.#urgent = urgent;
    this.#quiet = quiet;
    this.#undo = new Undo({
      call: (operation, input, options) => this.#callUrgently(operation, input, options),
      changes: run.changes,
      note: (note) => run.note(note),
      defect: (where, error) => run.defect(where, error),
      settleMs: run.configuration.run.settleMs,
      customer: run.writableCustomer,
      isCautious: false,
      endMoney: () => run.money.endUndoing(),
    });
  }

  get fixtures() {
    return this.run.configuration.fixtures;
  }

  allows(risk: Risk): boolean {
    return allows(this.run.configuration.run.risk, risk);
  }

  isInScope(operation: string): boolean {
    return operationInScope(this.run.configuration, operation);
  }

  /** Whether one of these requirements is judged, or makes exchanges for one that is: what none of them needs is not sent. */
  needs(...ids: readonly string[]): boolean {
    const { configuration } = this.run;
    return ids
      .map(requirementById)
      .filter((one) => requirementInScope(configuration, one))
      .some((one) => isSelected(configuration, one) || exercises(configuration, one));
  }

  /** Whether a requirement of this operation {@link needs} exchanges; of some names, as far as there are such. */
  needsOperation(operation: string, ...names: readonly string[]): boolean {
    const of = requirementsOf(operation).map(({ id }) => id);
    return this.needs(...of.filter((id) => names.length === 0 || names.includes(id.slice(operation.length + 1))));
  }

  /**
   * Sends one request. A successful request that can be undone is undone when the context ends.
   *
   * @example
   * const answer = await t.call('cards.suspend', { path: { identifier: card.identifier } }, { intent: 'refusable' });
   *
   * @throws Blocked when no readable answer arrives; see Client
   * @throws Skipped when the target does not claim the operation, when the request would exceed the allowed risk on a
   * leased card, or by an order or a CIP check, or when RUN_MAX_ORDERS or RUN_MAX_CIP_CHECKS is used up
   * @throws NotMoved when money goes missing and RUN_MAX_LOSS does not allow the transfer
   */
  async call(operation: string, input: Input = {}, options: RequestOptions = {}): Promise<Answer> {
    if (this.run.ended && !this.#urgent) throw new Blocked(this.run.ended);
    const { risk, interface: of } = operationById(operation);
    if (!this.#isAwaited) this.#quiet = this.run.quietOf(of);
    const isOfLeased = this.#leased.some(({ identifier }) => identifier === input.path?.identifier);
    const budget = this.run.budgetOf(operation);
    if ((isOfLeased || budget) && mayTakeEffect(options) && !this.allows(risk)) skip(`needs RUN_RISK=${risk}`);
    const exclusivity = exclusivityOf(options, this.#isTryingAgain);
    const settle = await budget?.reserve(exclusivity, () => this.#priority);
    if (budget && !settle) skip(`needs a larger ${budget.variable}: the limit is reached`);
    const purpose = this.#urgent ? 'undoing' : options.isRetrial ? 'retrial' : 'check';
    const leave = await this.#leave(operation, input, purpose, (id, of) => this.call(id, of));
    let answer: Answer | undefined;
    try {
      const cards = cardsOf(operation, input).filter((card) => !this.fixtures.cards?.foreign?.includes(card));
      // Other requests of its kind, or about the same card, wait for this one.
      const awaited = exclusivity === 'malformed' ? AWAITED : AWAITED_ONE_BY_ONE;
      const own = this.#priority;
      const ofCards = cards.length > 0 ? LONG_CHAIN_PRIORITY : 0;
      const priority = () => (settle ? awaited : Math.max(own, this.#askedWith) + ofCards);
      const send = () => this.#send(operation, input, { ...options, urgent: this.#urgent, priority, leave });
      answer = options.atOnce ? await send() : await this.run.cardQueue.inTurn(cards, priority, send);
      return answer;
    } finally {
      // Without an answer, the request may have been accepted.
      settle?.(answer === undefined || (succeeded(answer) && !options.isFree?.(answer)));
      leave?.end();
    }
  }

  /** Sends a request that undoes something, also after the run has ended. */
  async #callUrgently(operation: string, input: Input, options: RequestOptions = {}): Promise<Answer> {
    const leave = await this.#leave(operation, input, 'undoing', (id, of) => this.#callUrgently(id, of));
    const send = () => this.#send(operation, input, { ...options, urgent: true, leave });
    try {
      return await this.run.cardQueue.inTurn(cardsOf(operation, input), () => this.#priority, send);
    } finally {
      leave?.end();
    }
  }

  /** Asks the account of money for leave to send a transfer; undefined for what moves none. @throws NotMoved */
  async #leave(operation: string, input: Input, purpose: Purpose, call: Call): Promise<Leave | undefined> {
    const asked = operation === 'cards.transfer' ? askedTransfer(input) : undefined;
    if (!asked) return undefined;
    return this.run.money.ask(asked, purpose, async (cards) => {
      await sleep(this.run.configuration.run.settleMs);
      await Promise.all(cards.map((card) => optional(readBalance(call, card))));
    });
  }

  get #priority(): number {
    return Math.max(this.#askedWith, this.exchanges.length + (this.#isLongChain ? LONG_CHAIN_PRIORITY : 0));
  }

  /** Raises the priority of this context's requests, those that wait to be sent among them, to that of a caller that waits for it. */
  raisePriority(priority: number): void {
    if (priority <= this.#askedWith) return;
    this.#askedWith = priority;
    for (const context of this.#awaited) context.raisePriority(priority);
    this.run.transport.reorder();
  }

  async #send(
    operation: string,
    input: Input,
    { leave, ...options }: RequestOptions & { urgent?: boolean; priority?: () => number; leave?: Leave | undefined },
  ): Promise<Answer> {
    const { money, history } = this.run;
    const mayChange = operationById(operation).risk !== 'safe';
    /** What is no transfer of an amount may cost something, from now on until it is answered. */
    const disturb = () => mayChange && !leave && money.disturb(identifiersIn(input));
    if (mayChange) {
      this.#undo.sending(operation, input);
      history.noteChange(input);
    }
    disturb();
    const answered = leave?.sending();
    const sent = this.run.client.call(operation, input, {
      ...options,
      check: this.name,
      leased: [...this.#leased, ...this.#watched],
    });
    const answer = await sent
      .catch((error: unknown) => {
        this.#hasLoss ||= isLoss(error);
        const change = error instanceof Blocked || error instanceof Inconclusive ? error.change : undefined;
        answered?.(change === undefined ? false : undefined);
        if (change) this.#undo.unanswered(change, operation, input);
        throw error;
      })
      .finally(() => {
        // It may have waited for its turn, and takes effect at some time before it is answered.
        if (mayChange) history.noteChange(input);
      });
    answered?.(succeeded(answer));
    disturb();
    this.exchanges.push(answer.exchange);
    this.#sent.made.add(answer.exchange);
    this.#undo.answered(answer);
    return answer;
  }

  /**
   * Returns the result of a scenario, which runs once per run; its exchanges count as evidence of this check.
   * @throws Skipped where it is left to other runs
   */
  async shared<T>(scenario: Scenario<T>): Promise<T> {
    const { result, exchanges } = await this.#gathered(scenario);
    this.exchanges.push(...exchanges);
    return result;
  }

  /** Returns the result of a scenario without counting its exchanges as evidence of this check. */
  async known<T>(scenario: Scenario<T>): Promise<T> {
    return (await this.#gathered(scenario)).result;
  }

  async #gathered<T>(scenario: Scenario<T>) {
    if (!isDone(scenario, this.run.configuration)) skip('it is not selected');
    if (this.#isRepeated) await forgetLoss(this.run, scenario);
    const { context, outcome } = runScenario(this.run, scenario, this.#priority, this.#isRepeated);
    this.#awaited.add(context);
    try {
      return await outcome;
    } finally {
      this.#awaited.delete(context);
      this.#hasLoss ||= context.hasLoss;
      for (const exchange of context.exchanges) this.#sent.used.add(exchange);
    }
  }

  /** Whether it, or a scenario that it used, lost an answer for good. */
  get hasLoss(): boolean {
    return this.#hasLoss;
  }

  /** Whether it is carried out once more after an answer was lost. */
  get isRepeated(): boolean {
    return this.#isRepeated;
  }

  /**
   * Leases cards from pools of the fixtures file until the context ends. A check calls it at most once, and while it
   * holds cards it must not ask for a scenario that leases some: each would wait for the other.
   * @throws Skipped, Inconclusive; see CardPools
   */
  async lease(...requests: CardRequest[]): Promise<LeasedCard[][]> {
    if (this.#leased.length > 0) throw new Error('a check leases all its cards at once');
    this.prioritise();
    const taken = await this.run.pools.take(requests, async (operation, input) => {
      // A lagging replica would show a card as it was before another check changed it.
      if (input.path?.identifier !== undefined) await this.quiet([input.path.identifier]);
      return this.call(operation, input);
    });
    this.#leased.push(...taken.flat());
    for (const card of taken.flat()) this.run.states.set(card.identifier, card);
    return taken;
  }

  /** Reads cards of no pool that are about to be changed, as far as they can be read, so that this can be undone. */
  async watch(identifiers: Iterable<string>): Promise<void> {
    for (const identifier of new Set(identifiers)) {
      const read = readCard('active', identifier, (operation, input) => this.call(operation, input));
      const card = await read.catch(() => undefined);
      if (card) this.#watched.push(card);
    }
  }

  /**
   * Gives this context's requests priority over others. Call it before a long chain of requests that wait for one
   * another, so that the run does not end up waiting for this chain alone. Leasing cards does it, since others wait for
   * the cards.
   */
  prioritise(): void {
    this.#isLongChain = true;
  }

  /** Gives its requests priority over all others: for the longest chains, which determine how long a run takes. */
  prioritiseAboveAll(): void {
    this.raisePriority(AWAITED);
  }

  /** Reads a card's state; again, until the settle time is over, while its record lags behind getStatus. */
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

  /** Reads a card's balance, in cents. @throws Inconclusive when the target gives none */
  async balance(identifier: string): Promise<number> {
    const balance = await readBalance((operation, input) => this.call(operation, input), identifier);
    if (balance === undefined) throw new Inconclusive('the balance of a card cannot be read');
    return balance;
  }

  /** Reads until an effect shows or the settle time (RUN_SETTLE_MS) is over. @returns the last value */
  async eventually<T>(read: () => Promise<T>, isShown: (value: T) => boolean): Promise<T> {
    const { configuration, settling } = this.run;
    const begun = performance.now();
    let askedAt = begun;
    const timed = () => {
      askedAt = performance.now();
      return read();
    };
    const value = await settling.during(eventually(timed, isShown, configuration.run.settleMs));
    // A reading may take its time where others are in flight: what counts is when the one that shows it was asked.
    if (isShown(value)) settling.shown(askedAt - begun);
    return value;
  }

  /** Reads until a mandatory effect shows: {@link eventually}, and then as {@link confirmed} does. */
  async shown<T>(read: () => Promise<T>, isShown: (value: T) => boolean): Promise<T> {
    const value = await this.eventually(read, isShown);
    return isShown(value) ? value : this.confirmed(read, isShown);
  }

  /**
   * Reads a value that must not have changed. An unexpected value is read twice more, a settle time apart: a replica
   * may fall back for a while, and the stored record of a card, which each reading refreshes, may itself come from one
   * (reading 49).
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
   * Repeats a reading that was as expected, since reading changes nothing. An unexpected value is read again, a settle
   * time apart: a replica may have fallen back for a while, but one that shows it twice more never learns of the
   * effect.
   * @returns an unexpected value if three readings were unexpected, else an expected one
   */
  async lasting<T>(read: () => Promise<T>, isExpected: (value: T) => boolean): Promise<T> {
    const first = await read();
    if (isExpected(first)) return first;
    let expected: T | undefined;
    for (let times = 0, others = 1; times < numbers.readOn; times++) {
      await this.settle();
      const value = await read();
      if (isExpected(value)) expected = value;
      else if (++others === numbers.staying) return value;
    }
    return expected ?? first;
  }

  /** Waits until the absence of an effect can be judged. @throws Blocked when the run ends meanwhile */
  settle(): Promise<void> {
    return this.pause(this.run.configuration.run.settleMs);
  }

  /** Waits until every change of these things has had its settle time. @throws Blocked when the run ends meanwhile */
  async quiet(identifiers: readonly string[]): Promise<void> {
    const rest = this.run.configuration.run.settleMs - this.run.history.sinceChange(identifiers);
    if (rest > 0) await this.pause(rest);
  }

  /** @throws Blocked when the run ends meanwhile */
  async pause(milliseconds: number): Promise<void> {
    const slept = sleep(milliseconds, undefined, { signal: this.run.signal });
    await this.run.settling.during(slept).catch(() => {
      throw new Blocked(this.run.ended);
    });
  }

  /**
   * Waits until its interface is quiet: nobody else sends requests to it, the settle time since the last request is over, and the target has forgotten
   * the last bad credential (readings 47 and 51). It stays quiet until the check ends. Only the engine tries again.
   * @param silenceMs how long nothing with a bad credential was answered; as long as a target may remember one if absent
   * @throws Blocked when the run ends meanwhile
   */
  async untilQuiet(silenceMs?: number): Promise<void> {
    await this.inQuiet(async () => {}, silenceMs);
  }

  /** Does something {@link untilQuiet} that sends no bad credential itself: those of others are held back until it is done. */
  async inQuiet<T>(work: () => Promise<T>, silenceMs?: number): Promise<T> {
    // Others may wait for the cards that it holds.
    if (this.#isAwaited && this.#leased.length === 0 && !this.#isTryingAgain) await this.#quiet?.wait();
    if (this.suspected.length === 0) this.suspect([...this.#sent.made]);
    this.#isTryingAgain = true;
    await this.settle();
    return this.#quiet ? this.#quiet.rest(this.run.signal, silenceMs, work) : work();
  }

  /** Notes that exchanges seem to contradict something: what of it rotates is tried again by later runs. */
  suspect(exchanges: readonly string[]): void {
    this.suspected.push(...exchanges);
    this.run.suspect(this.name, exchanges);
  }

  /**
   * Records how the target behaves where the documents are silent.
   * @param seen what it does in words, or an answer: whether it was accepted, and if not, with which status it was refused
   */
  observe(operation: string, subject: string, seen: string | Answer): void {
    const refusal = (answer: Answer) => `refused with status ${answer.status}`;
    this.run.observe(
      operation,
      subject,
      typeof seen === 'string' ? seen : succeeded(seen) ? 'accepted' : refusal(seen),
    );
  }

  /**
   * The forms that this run tries: some, chosen by what earlier runs tried and by the seed, or all with `--thorough`; see {@link rotated}.
   *
   * @example
   * for (const form of t.rotated('users.list: bad tokens', badTokens)) ...
   */
  rotated<T>(subject: string, forms: readonly T[], how?: Rotation<T>): T[] {
    return rotated(this.run, subject, forms, this.#sent, how);
  }

  /** Those of them that `make` makes, with what it gives; see {@link rotatedMade}. */
  rotatedMade<T, M>(
    subject: string,
    forms: readonly T[],
    make: (form: T) => Promise<M | undefined>,
    how?: Rotation<T>,
  ): Promise<(readonly [T, M])[]> {
    return rotatedMade(this.run, subject, forms, make, this.#sent, how);
  }

  /** The seeds by which this run draws something; none where that is left to other runs. See {@link drawnBy}. */
  seedsOf(subject: string, when: Condition = {}): number[] {
    return isDone(when, this.run.configuration) ? drawnBy(this.run, subject, this.#sent) : [];
  }

  /** One form, chosen likewise, of something that can be tried only once per run. */
  oneOf<T>(subject: string, forms: readonly T[], how: Rotation<T> = {}): T {
    return this.rotated(subject, forms, { ...how, isOnce: true })[0]!;
  }

  /** A text that is unique across runs and calls. */
  unique(prefix: string): string {
    return this.run.unique(prefix);
  }

  /** Undoes what can be undone and releases the leased cards. Never throws. */
  async end(): Promise<void> {
    await this.#undo.run([...this.#leased, ...this.#watched]);
    for (const card of this.#leased) this.run.pools.release(card, this.#undo.isSpent(card));
  }
}

/** Whether a conformant target may act on the request; other requests are probes. */
const mayTakeEffect = ({ intent = 'valid' }: RequestOptions): boolean =>
  ['valid', 'refusable', 'unusual'].includes(intent);

/** Malformed and unauthorised requests have no effect and hold up no others. */
function exclusivityOf({ atOnce, alone, intent, mayUseKept }: RequestOptions, isTryingAgain: boolean): Exclusivity {
  if (atOnce) return 'atOnce';
  if (isTryingAgain || mayUseKept) return 'again';
  return !alone && (intent === 'malformed' || intent === 'unauthorised') ? 'malformed' : 'alone';
}

/** The cards that a request is about: a target may answer a second request to the same card with 409. */
export const cardsOf = (operation: string, input: Input): string[] =>
  operation.startsWith('cards.') && input.path?.identifier !== undefined ? identifiersIn(input) : [];

/** Facts that several checks use, gathered once per run by the first that asks. */
export interface Scenario<T> extends Condition {
  name: string;
  body: (t: Context) => Promise<T>;
  /** Never carried out a second time, whatever is lost: it cannot be undone, as where it lets time pass. */
  isFinal?: boolean;
}

/** A scenario of a run, and what it gathers. */
interface Gathering<T> {
  context: Context;
  outcome: Promise<{ result: T; exchanges: readonly string[] }>;
}

/** Runs a scenario once and shares its result. It takes the highest priority among those that ask. */
function runScenario<T>(run: Run, scenario: Scenario<T>, priority: number, isRepeated: boolean): Gathering<T> {
  const running = run.once(scenario, (): Gathering<T> => {
    const context = new Context(run, scenario.name, { isRepeated });
    context.raisePriority(priority);
    const outcome = async () => {
      try {
        return { result: await run.untilOver(scenario.body(context)), exchanges: context.exchanges };
      } finally {
        await context.end();
      }
    };
    return { context, outcome: outcome() };
  });
  running.context.raisePriority(priority);
  return running;
}

/** Has a scenario that lost an answer carried out once more. */
async function forgetLoss<T>(run: Run, scenario: Scenario<T>): Promise<void> {
  const earlier = run.made<Gathering<T>>(scenario);
  await earlier?.outcome.catch(() => {});
  if (earlier?.context.hasLoss && !earlier.context.isRepeated && !scenario.isFinal) run.forget(scenario, earlier);
}
