/** What a check works with. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Risk } from '../contracts/record.ts';
import { type Answer, type Input, type Intent, succeeded } from './answer.ts';
import { amount, type CardState, cents, isActive, readBalance, readState } from './cards.ts';
import type { Scenario } from './check.ts';
import type { Authorisation } from './client.ts';
import type { LeasedCard, Wish } from './leases.ts';
import type { Run } from './run.ts';
import { allows } from './scope.ts';
import { Blocked, Inconclusive, Nonconformance, Skipped, skip } from './verdict.ts';

export interface RequestOptions {
  /** What the request is meant to be; 'valid' by default. */
  intent?: Intent;
  authorisation?: Authorisation;
}

/** A reversible change that this context made and that is still in force. */
interface OpenChange {
  id: string;
  operation: 'cards.suspend' | 'cards.transfer' | 'users.setPermissions';
  identifier: string;
  target?: string;
}

export class Context {
  readonly run: Run;
  /** Requirement and check, for the record. */
  readonly name: string;
  /** Ids of the exchanges that it made or looked at, in order. */
  readonly exchanges: string[] = [];
  readonly #leased: LeasedCard[] = [];
  readonly #open: OpenChange[] = [];
  #urgent = false;

  constructor(run: Run, name: string) {
    this.run = run;
    this.name = name;
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
   */
  async call(operation: string, input: Input = {}, options: RequestOptions = {}): Promise<Answer> {
    if (this.run.ended && !this.#urgent) throw new Blocked(this.run.ended);
    const spends = this.run.budgetOf(operation);
    if (spends && spends.left <= 0) skip(`needs a larger ${spends.variable}: as many were accepted as it allows`);
    const answer = await this.run.client.call(operation, input, {
      ...options,
      check: this.name,
      priority: this.exchanges.length,
      urgent: this.#urgent,
    });
    this.exchanges.push(answer.exchange);
    if (spends && succeeded(answer)) spends.left--;
    if (succeeded(answer)) this.#note(answer);
    return answer;
  }

  /** The result of a scenario, which is run once in a run; its exchanges are evidence of this check, too. */
  async shared<T>(scenario: Scenario<T>): Promise<T> {
    const { result, exchanges } = await this.run.once(scenario);
    this.exchanges.push(...exchanges());
    return result;
  }

  /**
   * Leases cards from pools of the fixtures file until the context ends. Called at most once by a check.
   * @throws Skipped, Inconclusive; see Leases
   */
  async lease(...wishes: Wish[]): Promise<LeasedCard[][]> {
    if (this.#leased.length > 0) throw new Error('a check leases all its cards at once');
    const taken = await this.run.leases.take(wishes, (operation, input) => this.call(operation, input));
    this.#leased.push(...taken.flat());
    return taken;
  }

  /** State of a card, by the record after it was refreshed. */
  state(identifier: string): Promise<CardState> {
    return readState((operation, input) => this.call(operation, input), identifier);
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
  async eventually<T>(read: () => Promise<T>, isShown: (value: T) => boolean): Promise<T> {
    const end = performance.now() + this.run.configuration.run.settleMs;
    for (let pause = 50; ; pause = Math.min(pause * 2, 400)) {
      const value = await read();
      const left = end - performance.now();
      if (isShown(value) || left <= 0 || this.run.ended) return value;
      await sleep(Math.min(pause, left));
    }
  }

  /** Waits as long as an effect may take to show, so that its absence can be judged. */
  async settle(): Promise<void> {
    await sleep(this.run.configuration.run.settleMs);
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
    this.#urgent = true;
    try {
      await this.#undo();
    } catch (error) {
      if (!(error instanceof Blocked) && !(error instanceof Skipped) && !(error instanceof Inconclusive)) throw error;
      for (const change of this.#open) this.run.changes.lasting(change);
      this.run.note(`A change could not be undone: ${error.message}`);
    }
    for (const card of this.#leased) this.run.leases.giveBack(card, await this.#isSpent(card));
  }

  #note(answer: Answer): void {
    const { operation, input, change, intent } = answer;
    const identifier = input.path?.identifier;
    if (change === undefined || identifier === undefined) return;
    if (operation.id === 'cards.suspend') this.#open.push({ id: change, operation: 'cards.suspend', identifier });
    if (operation.id === 'cards.unsuspend') this.#close('cards.suspend', identifier, answer.exchange);
    if (operation.id === 'cards.transfer') {
      const target = (input.json as { targetCardIdentifier?: string } | undefined)?.targetCardIdentifier;
      this.#open.push({ id: change, operation: 'cards.transfer', identifier, target });
    }
    if (operation.id === 'users.setPermissions' && intent === 'valid')
      this.#open.push({ id: change, operation: 'users.setPermissions', identifier });
  }

  #close(operation: OpenChange['operation'], identifier: string, exchange: string): void {
    for (const change of this.#open.filter((c) => c.operation === operation && c.identifier === identifier)) {
      this.run.changes.undone(change, exchange);
      this.#open.splice(this.#open.indexOf(change), 1);
    }
  }

  async #undo(): Promise<void> {
    for (const { identifier } of this.#open.filter((change) => change.operation === 'cards.suspend'))
      await this.call('cards.unsuspend', { path: { identifier } }, { intent: 'refusable' });
    if (this.#open.some((change) => change.operation === 'cards.transfer')) await this.#restoreBalances();
    const permissions = this.fixtures.users?.writableCustomerPermissions;
    for (const change of this.#open.filter((c) => c.operation === 'users.setPermissions')) {
      if (!permissions) continue;
      const restored = await this.call(
        'users.setPermissions',
        { path: { identifier: change.identifier }, json: permissions },
        { intent: 'refusable' },
      );
      if (succeeded(restored)) this.#close('users.setPermissions', change.identifier, restored.exchange);
    }
  }

  /** Moves back what transfers moved, as the balances show it: a refusal by 200 moved nothing. */
  async #restoreBalances(): Promise<void> {
    const differences = new Map<string, number>();
    for (const card of this.#leased) {
      if (card.balance === undefined) continue;
      const now = await readBalance((operation, input) => this.call(operation, input), card.identifier);
      if (now !== undefined) differences.set(card.identifier, Math.round(now - card.balance));
    }
    const transfers = this.#open.filter((change) => change.operation === 'cards.transfer');
    for (const [from, surplus] of differences) {
      if (surplus <= 0) continue;
      for (const [to, lack] of differences) {
        const back = Math.min(differences.get(from)!, -lack);
        if (back <= 0) continue;
        const moved = await this.call(
          'cards.transfer',
          { path: { identifier: from }, json: { targetCardIdentifier: to, amount: amount(back) } },
          { intent: 'refusable' },
        );
        if (!succeeded(moved)) continue;
        differences.set(from, differences.get(from)! - back);
        differences.set(to, lack + back);
        for (const change of transfers) this.run.changes.undone(change, moved.exchange);
      }
    }
  }

  /** Whether the card is no longer in the state that its pool promises. */
  async #isSpent(card: LeasedCard): Promise<boolean> {
    if (card.pool === 'active' || card.pool === 'fraud') return card.pool === 'fraud';
    if (this.run.ended) return true;
    try {
      const { status } = await this.state(card.identifier);
      return status !== card.status;
    } catch {
      return true;
    }
  }
}

export { cents, isActive };

/** What a thrown verdict says, for the result of a check; anything else is a defect of the suite and thrown again. */
export function verdictOf(
  error: unknown,
): Pick<import('../contracts/record.ts').CheckResult, 'verdict' | 'message' | 'difference'> {
  if (error instanceof Nonconformance)
    return { verdict: 'failed', message: error.message, difference: error.difference };
  if (error instanceof Inconclusive) return { verdict: 'inconclusive', message: error.message };
  if (error instanceof Skipped) return { verdict: 'skipped', message: error.message };
  if (error instanceof Blocked) return { verdict: 'blocked', message: error.message };
  throw error;
}
