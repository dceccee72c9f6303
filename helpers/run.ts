/** One run against one target: what all its checks share. */
import type { Dispatcher } from 'undici';
import type { Operation } from '../contracts/operation.ts';
import type { Conformance, Observation, Rotated, UsedFixture } from '../contracts/record.ts';
import { Budget } from './budget.ts';
import { CardQueue } from './cards/card-queue.ts';
import type { CardState } from './cards/card-state.ts';
import { CardPools } from './cards/pools.ts';
import { StateMatrix } from './cards/state-matrix.ts';
import { ChangeLog } from './changes/change-log.ts';
import { ChangeHistory } from './changes/history.ts';
import type { WritableCustomer } from './changes/inverse.ts';
import { unencrypted } from './configuration/addresses.ts';
import type { Configuration } from './configuration/types.ts';
import { contractRules } from './contract-rules/index.ts';
import { SeenMembers } from './contract-rules/members.ts';
import { DuplicateMembers } from './evidence/duplicate-members.ts';
import { type ExchangeRule, Ledger } from './evidence/ledger.ts';
import { Recorder } from './evidence/recorder.ts';
import { configuredRedactor } from './evidence/redaction/configured.ts';
import type { Redactor } from './evidence/redaction/types.ts';
import { Client } from './target/client.ts';
import { configuredTransport } from './target/configured.ts';
import { Sessions, Tokens } from './target/credentials.ts';
import type { Transport } from './target/http/types.ts';
import { Blocked } from './verdict.ts';

/** Characters of the name of a form that the record keeps. */
const LONGEST_FORM = 60;

/** Milliseconds beyond the time limit of a request until what is still not done after the end of the run is left undone. */
const OVERDUE_MS = 1000;

/** What a run knows beside the outcomes of its checks. */
export interface RunFacts {
  requests: number;
  observations: Observation[];
  rotated: Rotated[];
  notes: string[];
  pools: NonNullable<Conformance['run']['pools']>;
  fixtures: NonNullable<Conformance['run']['fixtures']>;
  absent: NonNullable<Conformance['run']['absent']>;
  /** Why the run ended early. */
  ended: string | undefined;
  /** Whether a person or the system ended it. */
  interrupted: boolean;
}

/** What of a run is not as its configuration has it. */
export interface RunOptions {
  /** Called with what the run waits for, in words; '' when it waits no more. */
  onWait?: (waiting: string) => void;
  /** Where it is written; the report directory of the configuration, emptied, unless given. */
  recorder?: Recorder;
  /** What takes out of it what must not be written. */
  redactor?: Redactor;
  /** What takes the requests instead of connections. */
  dispatcher?: Dispatcher | undefined;
}

/** What the checks of one run share. It knows no check. */
export class Run {
  readonly configuration: Configuration;
  readonly redactor: Redactor;
  readonly transport: Transport;
  readonly recorder: Recorder;
  readonly changes: ChangeLog;
  readonly history = new ChangeHistory();
  readonly ledger: Ledger;
  readonly client: Client;
  readonly pools: CardPools;
  readonly cardQueue = new CardQueue();
  readonly stateMatrix = new StateMatrix();
  readonly observations = new Map<string, Observation>();
  readonly #rotated = new Map<string, { tried: Set<string>; forms: number }>();
  readonly notes: string[] = [];
  /** Says in words what the run waits for now; '' when it waits no more. */
  readonly waitingFor: (waiting: string) => void;
  /** What of the target's data the run used, by key of the fixtures file. */
  readonly usedFixtures = new Map<string, UsedFixture>();
  /** What was last read of the state of cards, by their identifiers. */
  readonly states = new Map<string, CardState>();
  /** Why the run is over before its end: interrupted, or the time was up. */
  ended: string | undefined;
  /** Seconds that the test clock was moved forward so far. */
  clockAdvanced = 0;
  readonly #timeMayPass = Promise.withResolvers<void>();
  readonly #timeHasStopped = Promise.withResolvers<void>();
  readonly #end = new AbortController();
  readonly #overdue = Promise.withResolvers<never>();
  #overdueTimer: NodeJS.Timeout | undefined;
  readonly #blocked = new Map<Operation['interface'], string>();
  readonly #made = new Map<object, unknown>();
  readonly #budgets: Record<string, Budget>;
  readonly #runId = Math.floor(Math.random() * 36 ** 6)
    .toString(36)
    .padStart(6, '0');
  readonly #members = new SeenMembers();
  readonly #duplicates = new DuplicateMembers();
  readonly #startedMinutes = Math.floor(Date.now() / 60_000);
  #uniques = 0;
  /** Of the six digits that distinguish the identifiers of one minute; runs that begin together rarely share a thousand. */
  #uniqueDigits = 1000 * Math.floor(1000 * Math.random());
  #isInterrupted = false;

  /** @param rules what every exchange is judged by, beside the contracts of the operations */
  constructor(configuration: Configuration, rules: readonly ExchangeRule[], options: RunOptions = {}) {
    const {
      onWait = () => {},
      recorder = new Recorder(configuration.run.reportDir),
      redactor = configuredRedactor(configuration),
      dispatcher,
    } = options;
    this.waitingFor = onWait;
    const { target, run, fixtures } = configuration;
    this.configuration = configuration;
    this.#overdue.promise.catch(() => {});
    this.redactor = redactor;
    const endsAt = performance.now() + run.maxMinutes * 60_000;
    this.transport = configuredTransport(configuration, {
      signal: this.#end.signal,
      timeLeftMs: () => endsAt - performance.now(),
      onWait,
      dispatcher,
    });
    this.recorder = recorder;
    this.notes.push(...unencrypted(target));
    recorder.onFailure = (reason) => this.end(reason);
    this.changes = new ChangeLog(this.recorder, this.redactor, this.writableCustomer);
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
      signal: this.signal,
      blockedReason: (of) => this.blockedReason(of),
      block: (of, reason) => this.block(of, reason),
    });
    const own = { check: 'run', urgent: true };
    this.client.tokens = new Tokens({
      issue: () => this.client.call('token.issue', { form: this.tokenForm() }, own),
      now: () => this.now(),
      given: target.accessToken,
    });
    this.client.sessions = new Sessions({
      login: () => this.client.call('portal.login', { query: this.loginQuery() }, own),
      logout: (sessionId) =>
        this.client.call('portal.logout', {}, { ...own, intent: 'unauthorised', authorisation: { sessionId } }),
      given: target.portalSessionId,
      settleMs: run.settleMs,
    });
    this.pools = new CardPools(fixtures.cards ?? {});
    this.#budgets = {
      'portal.orderCards': new Budget('RUN_MAX_ORDERS', run.maxOrders),
      'portal.getCIPCheck': new Budget('RUN_MAX_CIP_CHECKS', run.maxCipChecks),
    };
  }

  /** Why an interface cannot be tried; undefined when it can. */
  blockedReason(of: Operation['interface']): string | undefined {
    return this.#blocked.get(of);
  }

  /** Nothing more is sent to the interface. */
  block(of: Operation['interface'], reason: string): void {
    this.#blocked.set(of, reason);
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

  /** Fulfilled once nobody uses a session, or a token, which the time of the target may end. */
  get timeMayPass(): Promise<void> {
    return this.#timeMayPass.promise;
  }

  /** Call when nobody uses a session, or a token, which the time of the target may end. */
  allowTimeToPass(): void {
    this.#timeMayPass.resolve();
  }

  /** Fulfilled once nothing lets the target's time pass any more: what it ends has ended. */
  get timeHasStopped(): Promise<void> {
    return this.#timeHasStopped.promise;
  }

  /** Call when nothing lets the target's time pass any more. */
  stopTime(): void {
    this.#timeHasStopped.resolve();
  }

  /** What is made once in a run, by the first that asks for it. @param key what it is known by */
  once<T extends object>(key: object, make: () => T): T {
    const made = (this.#made.get(key) as T | undefined) ?? make();
    this.#made.set(key, made);
    return made;
  }

  /**
   * Records what the target does where the documents are silent; nothing fails by it. The last value of a subject stays.
   * @param subject what was observed, in words that are the same in every run
   * @param value free of volatile values, so that two runs can be compared
   */
  observe(operation: string, subject: string, value: string): void {
    const id = `${operation}: ${subject}`;
    this.observations.set(id, { id, operation, subject, value: this.redactor.text(value) });
  }

  /** Says which forms of something this run tries, of how many. */
  recordRotation(subject: string, tried: readonly string[], forms: number): void {
    const known = this.#rotated.get(subject) ?? { tried: new Set<string>(), forms };
    this.#rotated.set(subject, known);
    for (const name of tried) known.tried.add(this.redactor.text(name.slice(0, LONGEST_FORM)));
  }

  /** Says what of the target's data is used, and from where; noted once per key. */
  noteUse(key: string, origin: UsedFixture['origin'], detail: string): void {
    if (!this.usedFixtures.has(key)) this.usedFixtures.set(key, { key, origin, detail: this.redactor.text(detail) });
  }

  /** Adds a sentence for the reader of the report; the same one once. */
  note(note: string): void {
    if (!this.notes.includes(note)) this.notes.push(this.redactor.text(note));
  }

  /** Documented members of the success body of an operation that no answer carried. */
  membersNeverSeen(operation: string): string[] {
    return this.#members.neverSeen(operation);
  }

  /** A text that no other run and no other call of this one uses: `prefix-RUN-N`. */
  unique(prefix: string): string {
    return `${prefix}-${this.#runId}-${++this.#uniques}`;
  }

  /** Twelve digits that no other run and no other call of this one uses: the plainest identifier there is (reading 48). */
  uniqueDigits(): string {
    const time = String(this.#startedMinutes % 1e6).padStart(6, '0');
    return time.replace(/^0/, '1') + String(++this.#uniqueDigits % 1e6).padStart(6, '0');
  }

  /** The customer of the fixtures file whose permissions the run may change. */
  get writableCustomer(): WritableCustomer {
    const { writableCustomerIdentifier: identifier, writableCustomerPermissions: permissions } =
      this.configuration.fixtures.users ?? {};
    return { identifier, permissions };
  }

  /** How many requests of an operation may be accepted; undefined where none of them costs anything. */
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

  /** Ends the run early since a person or the system wants it. */
  interrupt(): void {
    this.#isInterrupted = !this.ended;
    this.end('interrupted');
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

  /** What is known of the run beside the outcomes of its checks. */
  facts(): RunFacts {
    return {
      requests: this.transport.stats().requests,
      observations: [...this.observations.values()],
      rotated: [...this.#rotated].map(([subject, { tried, forms }]) => ({ subject, tried: [...tried], forms })),
      notes: [...this.notes, ...this.#throttlingNote()],
      pools: this.pools.report(),
      fixtures: [...this.usedFixtures.values()],
      absent: this.ledger.absentOperations(),
      ended: this.ended,
      interrupted: this.#isInterrupted,
    };
  }

  /** Whether the target throttled the run, which took longer for it; RUN_RATE or RUN_CONCURRENCY would spare both sides. */
  #throttlingNote(): string[] {
    const { throttled } = this.transport.stats();
    if (throttled === 0) return [];
    const requests = throttled === 1 ? 'request' : 'requests';
    return [
      `The target throttled ${throttled} ${requests} (429, or 403 or 503 with Retry-After). RUN_RATE and RUN_CONCURRENCY keep below its limit.`,
    ];
  }

  /** Logs out, unless the run ended early, and ends connections and files. */
  async close(): Promise<void> {
    if (!this.ended) await this.client.sessions.close();
    clearTimeout(this.#overdueTimer);
    await this.transport.close();
    this.recorder.close();
  }
}
