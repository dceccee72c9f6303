/** One run against one target: what all its checks share. */
import type { Operation } from '../contracts/operation.ts';
import type { Observation, UsedFixture } from '../contracts/record.ts';
import { type Answer, type Input, member, memberOf, succeeded } from './answer.ts';
import { Budget } from './budget.ts';
import { Leases } from './cards/pools.ts';
import { StateMatrix } from './cards/state-matrix.ts';
import { ChangeLog } from './changes/change-log.ts';
import type { Scenario } from './check.ts';
import { operationInScope } from './configuration/scope.ts';
import type { Configuration } from './configuration/types.ts';
import { Context } from './context.ts';
import { contractRules, prepareShapes } from './contract-rules/index.ts';
import { SeenMembers } from './contract-rules/members.ts';
import { DuplicateMembers } from './evidence/duplicate-members.ts';
import { type ExchangeRule, Ledger } from './evidence/ledger.ts';
import { Recorder } from './evidence/recorder.ts';
import type { Redactor } from './evidence/redaction/types.ts';
import type { BlockedInterface, Reachability } from './runner/outcome.ts';
import { Client } from './target/client.ts';
import { configuredRedactor, configuredTransport } from './target/configured.ts';
import { Sessions, Tokens } from './target/credentials.ts';
import type { Transport } from './target/http/types.ts';
import { Blocked } from './verdict.ts';

/** Milliseconds beyond the time limit of a request until what is still not done after the end of the run is left undone. */
const OVERDUE_MS = 1000;

export class Run {
  readonly configuration: Configuration;
  readonly redactor: Redactor;
  readonly transport: Transport;
  readonly recorder: Recorder;
  readonly changes: ChangeLog;
  readonly ledger: Ledger;
  readonly client: Client;
  readonly leases: Leases;
  readonly stateMatrix = new StateMatrix();
  readonly observations = new Map<string, Observation>();
  readonly notes: string[] = [];
  /** Says in words what the run waits for now; '' when it waits no more. */
  readonly waitingFor: (waiting: string) => void;
  /** What of the target's data the run used, by key of the fixtures file. */
  readonly usedFixtures = new Map<string, UsedFixture>();
  /** Why the run is over before its end: interrupted, or the time was up. */
  ended: string | undefined;
  /** Seconds that the test clock was moved forward so far. */
  clockAdvanced = 0;
  readonly #end = new AbortController();
  readonly #overdue = Promise.withResolvers<never>();
  #overdueTimer: NodeJS.Timeout | undefined;
  readonly #blocked = new Map<Operation['interface'], BlockedInterface>();
  readonly #scenarios = new Map<Scenario<unknown>, Promise<{ result: unknown; exchanges: () => string[] }>>();
  readonly #budgets: Record<string, Budget>;
  readonly #runId = Math.floor(Math.random() * 36 ** 6)
    .toString(36)
    .padStart(6, '0');
  readonly #members = new SeenMembers();
  readonly #duplicates = new DuplicateMembers();
  #uniques = 0;
  /** When a request that may change something was last sent, by the identifier of what it may change. */
  readonly #lastChanges = new Map<string, number>();

  /**
   * @param rules what every exchange is judged by, beside the contracts of the operations
   * @param recorder where it is written; the report directory of the configuration, emptied, unless given
   */
  constructor(
    configuration: Configuration,
    rules: readonly ExchangeRule[],
    onWait: (waiting: string) => void = () => {},
    recorder = new Recorder(configuration.run.reportDir),
  ) {
    this.waitingFor = onWait;
    const { target, run, fixtures } = configuration;
    this.configuration = configuration;
    this.#overdue.promise.catch(() => {});
    this.redactor = configuredRedactor(configuration);
    this.transport = configuredTransport(configuration, { signal: this.#end.signal, onWait });
    this.recorder = recorder;
    this.changes = new ChangeLog(this.recorder, this.redactor, (operation, input) => this.#undoOf(operation, input));
    this.ledger = new Ledger([...contractRules, ...rules], fixtures, (answer) => {
      this.#members.note(answer);
      const twice = this.#duplicates.note(answer);
      if (twice) this.observe(answer.operation.id, 'members that stand twice in their object', twice);
      this.stateMatrix.note(answer);
    });
    this.client = new Client({
      configuration,
      transport: this.transport,
      redactor: this.redactor,
      recorder: this.recorder,
      ledger: this.ledger,
      changes: this.changes,
      blockedReason: (of) => this.blockedReason(of),
    });
    const own = new Context(this, 'run', true);
    this.client.tokens = new Tokens({
      issue: () => own.call('token.issue', { form: this.tokenForm() }),
      now: () => this.now(),
      given: target.accessToken,
    });
    this.client.sessions = new Sessions({
      login: () => own.call('portal.login', { query: this.loginQuery() }),
      given: target.portalSessionId,
    });
    this.leases = new Leases(fixtures.cards ?? {});
    this.#budgets = {
      'portal.orderCards': new Budget('RUN_MAX_ORDERS', run.maxOrders),
      'portal.getCIPCheck': new Budget('RUN_MAX_CIP_CHECKS', run.maxCipChecks),
    };
  }

  /**
   * Tries each configured interface; one that cannot be reached or refuses the credentials has its requirements blocked.
   * @returns the interfaces that can be tried, and why the others cannot
   */
  async begin(): Promise<Reachability> {
    const { target } = this.configuration;
    const own = new Context(this, 'run');
    const reached: string[] = [];
    const attempt = async (names: Operation['interface'][], tryOut: () => Promise<string | undefined>) => {
      let nonsense: string | undefined;
      try {
        nonsense = await tryOut();
        if (nonsense === undefined) return reached.push(...names);
      } catch (error) {
        if (!(error instanceof Blocked)) throw error;
        if (error.answered) nonsense = error.message;
        else for (const name of names) this.#blocked.set(name, { reason: error.message, outOfReach: true });
      }
      if (nonsense !== undefined)
        for (const name of names) this.#blocked.set(name, { reason: nonsense, outOfReach: false });
    };
    const v3: Operation['interface'][] = [
      ...(target.authUrl ? (['token'] as const) : []),
      ...(target.baseUrl ? (['v3'] as const) : []),
    ];
    // While the first answers are on their way.
    setImmediate(prepareShapes);
    await Promise.all([
      v3.length > 0 && attempt(v3, () => this.#tryToken(own)),
      target.portalUrl && attempt(['v1'], () => this.#tryLogin(own)),
    ]);
    return { reached, blocked: this.#blocked };
  }

  /** @returns what the token endpoint answers instead of a token. @throws Blocked when out of reach or the credentials are refused */
  async #tryToken(own: Context): Promise<string | undefined> {
    const given = this.configuration.target.accessToken !== undefined;
    if (!given) {
      const answer = await own.call('token.issue', { form: this.tokenForm() });
      if (answer.status >= 300 && answer.status < 500)
        throw new Blocked(
          `the token endpoint refuses the configured credentials: token.issue answers ${answer.status}`,
        );
      if (!succeeded(answer) || typeof member(answer, 'access_token') !== 'string')
        return `the token endpoint gives no token: token.issue answers ${answer.status}`;
      this.client.tokens.use(answer);
    }
    if (!this.configuration.target.baseUrl) return undefined;
    const answer = await this.#firstAnswer(own, ['users.list', 'cards.list'], { query: { max: 1 } });
    if (given && answer?.status === 401)
      throw new Blocked(`TARGET_ACCESS_TOKEN is refused: ${answer.operation.id} answers 401`);
    return undefined;
  }

  /**
   * The answer of the first of these operations that answers: one of them alone may be broken.
   * @returns undefined when none is in scope, or what came cannot be read
   * @throws Blocked when none answers
   */
  async #firstAnswer(own: Context, operations: string[], input: Input): Promise<Answer | undefined> {
    let blocked: Blocked | undefined;
    for (const id of operations.filter((id) => operationInScope(this.configuration, id)))
      try {
        return await own.call(id, input);
      } catch (error) {
        if (!(error instanceof Blocked)) throw error;
        if (error.answered) return undefined;
        blocked ??= error;
      }
    if (blocked) throw blocked;
    return undefined;
  }

  /** @returns what the portal answers instead of a session. @throws Blocked when out of reach or the credentials are refused */
  async #tryLogin(own: Context): Promise<string | undefined> {
    if (this.configuration.target.portalSessionId !== undefined) {
      const answer = await this.#firstAnswer(own, ['portal.getShippingMethods', 'portal.getCustomerList'], {});
      if (answer?.status === 401 || answer?.status === 400)
        throw new Blocked(`TARGET_PORTAL_SESSION_ID is refused: ${answer.operation.id} answers ${answer.status}`);
      return undefined;
    }
    const answer = await own.call('portal.login', { query: this.loginQuery() });
    if (answer.status >= 300 && answer.status < 500)
      throw new Blocked(`the portal refuses the configured login: portal.login answers ${answer.status}`);
    if (!succeeded(answer) || typeof member(answer, 'sessionId') !== 'string')
      return `the login gives no session: portal.login answers ${answer.status}`;
    this.client.sessions.use(answer);
    return undefined;
  }

  /** Why an interface cannot be tried; undefined when it can. */
  blockedReason(of: Operation['interface']): string | undefined {
    return this.#blocked.get(of)?.reason;
  }

  /** Form of a token request with the configured credentials. */
  tokenForm(): Record<string, string | undefined> {
    const { grantType, scope, clientId, clientSecret } = this.configuration.target;
    return { grant_type: grantType, scope, client_id: clientId, client_secret: clientSecret };
  }

  /** Query of a login with the configured credentials. */
  loginQuery(): Record<string, string | undefined> {
    const { portalLoginId, portalPassword } = this.configuration.target;
    return { loginID: portalLoginId, password: portalPassword };
  }

  /** Milliseconds since the epoch, moved with the test clock. */
  now(): number {
    return Date.now() + this.clockAdvanced * 1000;
  }

  /** Runs a scenario once, and gives its result to all that ask. */
  once<T>(scenario: Scenario<T>): Promise<{ result: T; exchanges: () => string[] }> {
    let running = this.#scenarios.get(scenario as Scenario<unknown>);
    if (!running) {
      running = this.#play(scenario);
      this.#scenarios.set(scenario as Scenario<unknown>, running);
    }
    return running as Promise<{ result: T; exchanges: () => string[] }>;
  }

  async #play<T>(scenario: Scenario<T>): Promise<{ result: T; exchanges: () => string[] }> {
    const context = new Context(this, scenario.name);
    try {
      const result = await this.untilOver(scenario.body(context));
      return { result, exchanges: () => context.exchanges };
    } finally {
      await context.end();
    }
  }

  observe(operation: string, subject: string, value: string): void {
    const id = `${operation}: ${subject}`;
    this.observations.set(id, { id, operation, subject, value: this.redactor.text(value) });
  }

  /** Says what of the target's data is used, and from where; told once per key. */
  used(key: string, origin: UsedFixture['origin'], detail: string): void {
    if (!this.usedFixtures.has(key)) this.usedFixtures.set(key, { key, origin, detail: this.redactor.text(detail) });
  }

  note(note: string): void {
    if (!this.notes.includes(note)) this.notes.push(this.redactor.text(note));
  }

  /** Documented members of the success body of an operation that no answer carried. */
  membersNeverSeen(operation: string): string[] {
    return this.#members.neverSeen(operation);
  }

  unique(prefix: string): string {
    return `${prefix}-${this.#runId}-${++this.#uniques}`;
  }

  /** Call when a request that may change something is sent. */
  noteChange({ path, json }: Input): void {
    for (const identifier of [path?.identifier, memberOf(json, 'targetCardIdentifier')])
      if (typeof identifier === 'string') this.#lastChanges.set(identifier, performance.now());
  }

  /** Milliseconds since a request that may have changed one of these things was last sent. */
  sinceLastChange(identifiers: readonly string[]): number {
    const last = identifiers.map((identifier) => this.#lastChanges.get(identifier) ?? Number.NEGATIVE_INFINITY);
    return performance.now() - Math.max(...last);
  }

  budgetOf(operation: string): Budget | undefined {
    return this.#budgets[operation];
  }

  /** Ends the run early: what is queued is refused, what is in flight finishes, what is reversible is undone. */
  end(reason: string): void {
    if (this.ended) return;
    this.ended = reason;
    this.#end.abort();
    const after = this.configuration.run.timeoutMs + OVERDUE_MS;
    this.#overdueTimer = setTimeout(() => this.#overdue.reject(new Blocked(reason)), after);
  }

  /** Fires when the run ends early. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /**
   * The work; once the run has ended early it may take as long as what is in flight, no longer.
   * @throws Blocked when it takes longer, and what the work throws
   */
  untilOver<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#overdue.promise]);
  }

  async close(): Promise<void> {
    clearTimeout(this.#overdueTimer);
    await this.transport.close();
    this.recorder.close();
  }

  #undoOf(operation: string, input: Answer['input']) {
    const identifier = input.path?.identifier;
    if (identifier === undefined) return undefined;
    if (operation === 'cards.suspend') return { operation: 'cards.unsuspend', input: { path: { identifier } } };
    if (operation === 'cards.transfer') {
      const { targetCardIdentifier: target, amount } = (input.json ?? {}) as Record<string, unknown>;
      if (typeof target !== 'string' || typeof amount !== 'number' || amount <= 0) return undefined;
      return {
        operation: 'cards.transfer',
        input: { path: { identifier: target }, json: { targetCardIdentifier: identifier, amount } },
      };
    }
    const { writableCustomerIdentifier, writableCustomerPermissions: permissions } =
      this.configuration.fixtures.users ?? {};
    if (operation === 'users.setPermissions' && permissions && identifier === writableCustomerIdentifier)
      return { operation, input: { path: { identifier }, json: permissions } };
    return undefined;
  }
}
