/** The state that all checks of one run against one target share. */
import type { Dispatcher } from 'undici';
import type { Operation } from '../contracts/operation.ts';
import type { Conformance, Observation, Suspected, UsedFixture } from '../contracts/record.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { asRedacted, type Redacted } from '../redaction/types.ts';
import type { Answer } from './answer.ts';
import { Budget } from './budget.ts';
import { CardQueue } from './cards/card-queue.ts';
import { balanceIn, type CardState, cents } from './cards/card-state.ts';
import { CardPools, customersIn } from './cards/pools.ts';
import { StateMatrix } from './cards/state-matrix.ts';
import { accountOf } from './changes/account.ts';
import { ChangeLog } from './changes/change-log.ts';
import type { WritableCustomer } from './changes/inverse.ts';
import { MoneyAccount } from './changes/money-account.ts';
import { Client } from './client/client.ts';
import { Sessions, Tokens } from './client/credentials.ts';
import { Transport } from './client/http/transport.ts';
import { unencrypted } from './configuration/addresses.ts';
import { configuredRedactor } from './configuration/redactor.ts';
import type { Configuration } from './configuration/types.ts';
import { Coverage } from './contract-rules/coverage.ts';
import { contractRules } from './contract-rules/index.ts';
import { DuplicateMembers } from './evidence/duplicate-members.ts';
import { History } from './evidence/history.ts';
import { Incidents } from './evidence/incidents.ts';
import { type ExchangeRule, Ledger } from './evidence/ledger.ts';
import { Recorder } from './evidence/recorder.ts';
import { Rotations, type Sent, type Unplayed } from './evidence/rotations.ts';
import { type Clock, Quiet } from './quiet.ts';
import { Settling, settlingInWords } from './settling.ts';
import { Blocked } from './verdict.ts';

/** Maximum length of a form's name in the record, in characters. */
const LONGEST_FORM = 100;

/** Grace period beyond the time limit of a request, in milliseconds, before unfinished work is abandoned. */
const OVERDUE_MS = 1000;

interface RedactedObservation extends Observation {
  id: Redacted;
  subject: Redacted;
  value: Redacted;
}

type Recorded = Required<
  Pick<
    Conformance['run'],
    'requests' | 'pools' | 'fixtures' | 'absent' | 'seen' | 'rotated' | 'plainlyFailed' | 'suspected' | 'readings'
  >
>;

/** Facts of a run besides the outcomes of its checks. */
export interface RunFacts extends Recorded {
  observations: RedactedObservation[];
  notes: Redacted[];
  /** What failed in earlier runs and was not tried again: what passes all the same is not known to be kept. */
  unplayed: Unplayed[];
  /** What would be a regression, in the forms of the baseline; absent where nothing would, or nobody tried it. */
  asBaseline?: Conformance['run']['asBaseline'];
  /** Bugs that the suite met in itself: what they keep from being seen makes the run incomplete. */
  defects: Redacted[];
  settled: Conformance['run']['settled'];
  cardStates: Conformance['run']['cardStates'];
  account: Conformance['run']['account'];
  ended: string | undefined;
  /** Whether a person or the system ended it. */
  interrupted: boolean;
}

/** Options that override the configuration. */
export interface RunOptions {
  /** Called with what the run is waiting for, in words; '' when it no longer waits. */
  onWait?: (waiting: string) => void;
  /** Writes the record; by default into the configured report directory, which is emptied. */
  recorder?: Recorder;
  /** Removes from the record what must not be written; by default built from the configuration. */
  redactor?: Redactor;
  /** Replaces network connections: a target in this process. */
  dispatcher?: Dispatcher | undefined;
  /** By which silence is measured: the machine's, unless the target's locks go by another. */
  clock?: Clock;
}

/** A promise and what resolves it; not PromiseWithResolvers, which compilers of older targets do not know. */
interface Deferred {
  promise: Promise<void>;
  resolve(): void;
}

export class Run {
  readonly configuration: Configuration;
  readonly redactor: Redactor;
  readonly transport: Transport;
  readonly recorder: Recorder;
  readonly changes: ChangeLog;
  readonly history = new History();
  readonly ledger: Ledger;
  readonly incidents: Incidents;
  readonly client: Client;
  readonly pools: CardPools;
  readonly cardQueue = new CardQueue();
  readonly money: MoneyAccount;
  readonly stateMatrix = new StateMatrix();
  readonly settling: Settling;
  readonly observations = new Map<string, RedactedObservation>();
  /** What it tries of what rotates. */
  readonly rotations: Rotations;
  /** By the name of a check, the exchanges that seemed to contradict something. */
  readonly #suspected = new Map<string, Set<string>>();
  readonly notes: Redacted[] = [];
  readonly #defects = new Set<Redacted>();
  /** Reports what the run is waiting for, in words; '' when it no longer waits. */
  readonly waitingFor: (waiting: string) => void;
  /** The target's data that the run used, by key of the fixtures file. */
  readonly usedFixtures = new Map<string, UsedFixture>();
  /** Card states as last read, by identifier. */
  readonly states = new Map<string, CardState>();
  /** By requirement, a reading that was refused and then accepted when it was repeated; see `retryReadings`. */
  readonly suspicions = new Map<string, { requirement: string; refused: Answer }>();
  /** Why the run ended early: interrupted, or out of time. */
  ended: string | undefined;
  /** Seconds by which the test clock has been moved forward. */
  clockAdvanced = 0;
  /** When the run last moved the test clock, in milliseconds since the epoch; infinite while it does. */
  clockMovedAt = Number.NEGATIVE_INFINITY;
  /** Until nobody uses a session or token that the passing of the target's time may end. */
  readonly timeMayPass: Deferred = Promise.withResolvers<void>();
  /** Until the target's time is no longer advanced: what that ends has ended. */
  readonly timeHasStopped: Deferred = Promise.withResolvers<void>();
  readonly #end = new AbortController();
  readonly #overdue = Promise.withResolvers<never>();
  #overdueTimer: NodeJS.Timeout | undefined;
  readonly #blocked = new Map<Operation['interface'], string>();
  readonly #made = new Map<object, unknown>();
  readonly #budgets: Record<string, Budget>;
  readonly #quiet: Quiet;
  readonly #quietPortal: Quiet;
  readonly #runId = Math.floor(Math.random() * 36 ** 6)
    .toString(36)
    .padStart(6, '0');
  readonly coverage = new Coverage();
  readonly #duplicates = new DuplicateMembers();
  readonly #begunAt = performance.now();
  #uniques = 0;
  /** Digits around the count in the run's identifiers, drawn, since runs that begin together must not share them. */
  readonly #firstDigits = String(1e4 + Math.floor(9e4 * Math.random()));
  readonly #lastDigits = String(Math.floor(1000 * Math.random())).padStart(3, '0');
  #uniqueDigits = 0;
  #isInterrupted = false;

  /** @param rules judge every exchange, in addition to the operations' contracts */
  constructor(configuration: Configuration, rules: readonly ExchangeRule[], options: RunOptions = {}) {
    const {
      onWait = () => {},
      recorder = new Recorder(configuration.run.reportDir),
      redactor = configuredRedactor(configuration),
      dispatcher,
      clock,
    } = options;
    this.#quiet = new Quiet(clock);
    this.#quietPortal = new Quiet(clock);
    this.waitingFor = onWait;
    const { target, run, fixtures } = configuration;
    this.configuration = configuration;
    this.rotations = new Rotations(run.past);
    this.settling = new Settling(run.settleMs);
    this.#overdue.promise.catch(() => {});
    this.redactor = redactor;
    const endsAt = this.#begunAt + run.maxMinutes * 60_000;
    this.transport = new Transport({
      ...run,
      ...target,
      signal: this.#end.signal,
      timeLeftMs: () => endsAt - performance.now(),
      onWait,
      dispatcher,
    });
    this.recorder = recorder;
    for (const note of unencrypted(target)) this.note(note);
    recorder.onFailure = (reason) => this.end(reason);
    this.changes = new ChangeLog(this.recorder, this.redactor, this.writableCustomer);
    this.money = new MoneyAccount(cents(run.maxLoss), run.settleMs);
    this.ledger = new Ledger([...contractRules, ...rules], fixtures, (answer) => {
      this.coverage.note(answer);
      const twice = this.#duplicates.note(answer);
      if (twice) this.observe(answer.operation.id, 'duplicate members of an object', twice);
      this.stateMatrix.note(answer);
      this.history.add(answer);
      this.#noteBalance(answer);
    });
    this.incidents = new Incidents(this.ledger, (requirement, refused) =>
      this.suspicions.set(requirement, { requirement, refused }),
    );
    this.client = new Client(this);
    const own = { check: 'run', urgent: true };
    this.client.tokens = new Tokens({
      issue: () => this.client.call('token.issue', { form: this.tokenForm() }, own),
      now: () => this.now(),
      clockMovedAt: () => this.clockMovedAt,
      given: target.accessToken,
      note: (note) => this.note(note),
    });
    this.client.sessions = new Sessions({
      login: () => this.client.call('portal.login', { query: this.loginQuery() }, own),
      logout: (sessionId) =>
        this.client.call('portal.logout', {}, { ...own, intent: 'unauthorised', authorisation: { sessionId } }),
      given: target.portalSessionId,
    });
    this.pools = new CardPools(fixtures.cards ?? {}, () => customersIn(this.answers));
    this.#budgets = {
      'portal.orderCards': new Budget('RUN_MAX_ORDERS', run.maxOrders),
      'portal.getCIPCheck': new Budget('RUN_MAX_CIP_CHECKS', run.maxCipChecks),
    };
  }

  /** The quiet of an interface; the token endpoint shares that of users and cards. */
  quietOf(of: Operation['interface']): Quiet {
    return of === 'v1' ? this.#quietPortal : this.#quiet;
  }

  /** Why an interface cannot be used; undefined if it can. */
  blockedReason(of: Operation['interface']): string | undefined {
    return this.#blocked.get(of);
  }

  block(of: Operation['interface'], reason: string): void {
    this.#blocked.set(of, reason);
  }

  tokenForm(): Record<string, string | undefined> {
    const { grantType, scope, clientId, clientSecret } = this.configuration.target;
    return { grant_type: grantType, scope, client_id: clientId, client_secret: clientSecret };
  }

  loginQuery(): Record<string, string | undefined> {
    const { portalLoginId, portalPassword } = this.configuration.target;
    return { loginID: portalLoginId, password: portalPassword };
  }

  now(): number {
    return Date.now() + this.clockAdvanced * 1000;
  }

  /** All answers so far, in the order in which they arrived, for monitors. */
  get answers(): readonly Answer[] {
    return this.history.answers;
  }

  /** Seconds by which the target's clock is ahead of that of its answers' Date, by all that moved it. */
  get clockAhead(): number {
    return this.client.tokens.clockAhead + this.clockAdvanced;
  }

  /** Makes a value once per run, for the first that asks. @param key identifies the value: a scenario, or a function */
  once<T extends object>(key: object, make: () => T): T {
    const made = this.made<T>(key) ?? make();
    this.#made.set(key, made);
    return made;
  }

  /** The value that was made; undefined where none was. */
  made<T extends object>(key: object): T | undefined {
    return this.#made.get(key) as T | undefined;
  }

  /** Has a value made again for the next that asks. @param stale the value; a newer one stays */
  forget(key: object, stale: object): void {
    if (this.#made.get(key) === stale) this.#made.delete(key);
  }

  /**
   * Records how the target behaves where the documents are silent; nothing fails because of it. The last value of a
   * subject wins.
   * @param subject what was observed, in words that are the same in every run
   * @param value without volatile parts, so that runs can be compared
   */
  observe(operation: string, subject: string, value: string): void {
    const about = this.redactor.sentence(subject);
    const id = this.redactor.sentence(`${operation}: ${subject}`);
    this.observations.set(id, { id, operation, subject: about, value: this.redactor.text(value) });
  }

  /** The name of a form in the record. */
  nameOfForm(name: string): string {
    return this.redactor.text(name.slice(0, LONGEST_FORM));
  }

  /**
   * Records which forms of something this run tries, and how many there are.
   * @param sent by whoever tries them: what one of their further exchanges shows is blamed on these forms
   */
  recordRotation(subject: string, tried: readonly string[], forms: number, sent: Sent): void {
    const names = tried.map((name) => this.nameOfForm(name));
    this.rotations.begin(subject, names, forms, sent);
  }

  /** Records that data of the target is used, and its origin; once per key. */
  noteUse(key: string, origin: UsedFixture['origin'], detail: string): void {
    if (!this.usedFixtures.has(key)) this.usedFixtures.set(key, { key, origin, detail: this.redactor.text(detail) });
  }

  /** Notes that exchanges seem to contradict something, whatever comes of it. @param by requirement and check */
  suspect(by: string, exchanges: readonly string[]): void {
    this.rotations.suspect(exchanges);
    if (exchanges.length === 0) return;
    this.#suspected.set(by, new Set([...(this.#suspected.get(by) ?? []), ...exchanges]));
  }

  /** Adds a sentence to the report's notes, without duplicates. */
  note(note: string): void {
    const redacted = this.redactor.text(note);
    if (!this.notes.includes(redacted)) this.notes.push(redacted);
  }

  /**
   * Records a bug that the suite met in itself, which accuses nobody and leaves the run incomplete.
   * @param where what was being done, in words
   * @returns a sentence that says so
   */
  defect(where: string, error: unknown): string {
    const { name, message } = error as Error;
    const sentence = `this is a bug in the suite, please report it: ${name}: ${message}`;
    this.#defects.add(this.redactor.text(`${where}: ${sentence}`));
    return sentence;
  }

  /** A text that is unique across runs and calls: `prefix-RUN-N`. */
  unique(prefix: string): string {
    return `${prefix}-${this.#runId}-${++this.#uniques}`;
  }

  /** Twelve digits that are unique across runs and calls: the plainest possible identifier (reading 48). */
  uniqueDigits(): string {
    const count = String(++this.#uniqueDigits % 10_000).padStart(4, '0');
    return this.#firstDigits + count + this.#lastDigits;
  }

  /** Enters into the account of money what a balance shows. */
  #noteBalance(answer: Answer): void {
    const { operation, input, sentAt } = answer;
    const balance = operation.id === 'cards.getBalance' ? balanceIn(answer) : undefined;
    if (balance !== undefined && input.path?.identifier !== undefined)
      this.money.read(input.path.identifier, balance, sentAt);
  }

  /** The customer of the fixtures file whose permissions the run may change. */
  get writableCustomer(): WritableCustomer {
    const { writableCustomerIdentifier: identifier, writableCustomerPermissions: permissions } =
      this.configuration.fixtures.users ?? {};
    return { identifier, permissions };
  }

  /** The budget of an operation; undefined if its requests cost nothing. */
  budgetOf(operation: string): Budget | undefined {
    return this.#budgets[operation];
  }

  /** Ends the run early: refuses queued requests, lets those in flight finish, and undoes what is reversible. */
  end(reason: string): void {
    if (this.ended) return;
    this.ended = reason;
    this.#end.abort();
    const after = this.configuration.run.timeoutMs + OVERDUE_MS;
    this.#overdueTimer = setTimeout(() => this.#overdue.reject(new Blocked(reason)), after);
  }

  /** Ends the run early on behalf of a person or the system. */
  interrupt(): void {
    this.#isInterrupted = !this.ended;
    this.end('interrupted');
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /**
   * Awaits work. After an early end it may take no longer than a request in flight.
   * @throws Blocked when it takes longer, and whatever the work throws
   */
  untilOver<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#overdue.promise]);
  }

  facts(): RunFacts {
    return {
      requests: this.transport.stats().requests,
      observations: [...this.observations.values()],
      ...this.#rotatedFacts(),
      suspected: this.#suspectedFacts(),
      readings: this.incidents.readings(),
      notes: [
        ...this.pools.causes().map((cause) => this.redactor.text(cause)),
        ...this.notes,
        ...this.#settlingNote(),
        ...this.#throttlingNote(),
      ],
      defects: [...this.#defects],
      pools: this.pools.report(this.states),
      settled: this.settling.facts(),
      account: accountOf(this),
      fixtures: [...this.usedFixtures.values()],
      absent: this.ledger.absentOperations(),
      ...this.coverage.facts(this.redactor),
      ended: this.ended,
      interrupted: this.#isInterrupted,
    };
  }

  #rotatedFacts(): Pick<RunFacts, 'rotated' | 'plainlyFailed' | 'unplayed'> {
    for (const { requirement, exchanges } of this.ledger.broken()) this.rotations.suspect(exchanges, requirement);
    return {
      rotated: this.rotations.facts(),
      plainlyFailed: this.rotations.plainlyFailed(),
      unplayed: this.rotations.unplayed((id) => this.#isCutOff(id)),
    };
  }

  /** Whether the run no longer sends what a requirement is tried by. */
  #isCutOff(id: string): boolean {
    return this.ended !== undefined || this.transport.hasGivenUp(id.startsWith('portal.') ? 'v1' : 'v3');
  }

  #suspectedFacts(): Suspected[] {
    return [...this.#suspected].map(([by, exchanges]) => {
      const end = by.indexOf(': ');
      return { requirement: by.slice(0, end), check: by.slice(end + 2), exchanges: [...exchanges] };
    });
  }

  #settlingNote(): Redacted[] {
    const words = settlingInWords(this.settling.facts());
    return words === undefined ? [] : [asRedacted(words)];
  }

  #throttlingNote(): Redacted[] {
    const { throttled, requests: all } = this.transport.stats();
    if (throttled === 0) return [];
    const requests = throttled === 1 ? 'request' : 'requests';
    const seconds = (performance.now() - this.#begunAt) / 1000;
    const rate = Math.max(1, Math.floor((all - throttled) / seconds));
    return [
      asRedacted(
        `The target throttled ${throttled} ${requests} (429, or 403 or 503 with Retry-After). It answered ${rate} a second: RUN_RATE=${rate} would have stayed below its limit, or a smaller RUN_CONCURRENCY, if that is what it limits.`,
      ),
    ];
  }

  /** Logs out, unless the run ended early, and closes connections and files. */
  async close(): Promise<void> {
    if (!this.ended) await this.client.sessions.close();
    clearTimeout(this.#overdueTimer);
    await this.transport.close();
    this.recorder.close();
  }
}
