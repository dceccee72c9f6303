/** The run's access token and portal session: shared, renewed before they end, and judged if they end early. */
import { setTimeout as sleep } from 'node:timers/promises';
import { TOKEN_LIFETIME_SECONDS } from '../../contracts/v3/token.ts';
import { type Answer, header, member, succeeded } from '../answer.ts';
import { eventually } from '../eventually.ts';
import { Blocked } from '../verdict.ts';

/** An access token from the token endpoint, or one obtained elsewhere. */
export interface Token {
  value: string;
  /** When it was first issued: milliseconds since the epoch, by the local clock plus the test clock's advance. */
  issuedAt: number;
  /** Its announced lifetime in seconds, at most 60 minutes. */
  lifetime: number;
  /** expires_in when it was first issued, in seconds; undefined if absent. */
  expiresIn: number | undefined;
  /** The exchange that issued it; undefined for one obtained elsewhere. */
  exchange: string | undefined;
  /** When it was first issued, by `performance.now()`; undefined for one obtained elsewhere. */
  givenAt: number | undefined;
  /** Milliseconds between issuedAt and the end announced by the target; undefined if it announces none. */
  endsAfter: number | undefined;
}

/** Difference in announced ends, in milliseconds, that only a moved clock explains. */
const MOVED_MS = 60_000;

/** Whether somebody other than the run moved the target's clock forward between the issue of two tokens. */
export const isFurtherAhead = (later: Token, earlier: Token): boolean =>
  later.endsAfter !== undefined && earlier.endsAfter !== undefined && later.endsAfter - earlier.endsAfter > MOVED_MS;

/** Seconds since the epoch from seconds or milliseconds, told apart by size; undefined for anything else. */
export function epochSeconds(value: unknown): number | undefined {
  if (typeof value !== 'number') return undefined;
  if (value > 1e9 && value < 1e10) return value;
  return value > 1e12 && value < 1e13 ? value / 1000 : undefined;
}

/** When the target sent an answer, in seconds since the epoch by its own clock; undefined without a Date header. */
export function sentOn(answer: Answer): number | undefined {
  const date = Date.parse(header(answer, 'date') ?? '');
  return Number.isNaN(date) ? undefined : date / 1000;
}

/** Longest wait for a token's not_before, in seconds: it may be the next whole second. */
const LONGEST_BEFORE_SECONDS = 5;

/** Waits until an answer's token is valid, by its not_before. */
async function untilValid(answer: Answer): Promise<void> {
  const begin = epochSeconds(member(answer, 'not_before'));
  const before = begin === undefined ? 0 : begin - (sentOn(answer) ?? answer.sentAt / 1000);
  if (before > 0 && before <= LONGEST_BEFORE_SECONDS) await sleep(before * 1000);
}

/** How long before its end a token is renewed, in seconds; a tenth of its lifetime if that is less. */
const RENEW_BEFORE_SECONDS = 120;

/** Tokens of the clientCredentials flow, or one obtained elsewhere, which cannot be renewed. */
export class Tokens {
  readonly #issue: () => Promise<Answer>;
  readonly #now: () => number;
  #current: Promise<Token> | undefined;
  readonly #given: string | undefined;
  readonly #seen = new Map<string, Token>();
  #areHandedOutAgain = false;
  #replacedAlone: Token | undefined;

  constructor(options: { issue: () => Promise<Answer>; now: () => number; given: string | undefined }) {
    this.#issue = options.issue;
    this.#now = options.now;
    this.#given = options.given;
  }

  /** The run's token, renewed when it is about to end. @throws Blocked when the token endpoint issues none */
  async current(): Promise<Token> {
    this.#current ??= this.fresh();
    const token = await this.#current;
    const margin = Math.min(RENEW_BEFORE_SECONDS, token.lifetime / 10);
    if (this.#given !== undefined || this.ageOf(token) < token.lifetime - margin) return token;
    return this.renew(token);
  }

  /** Replaces the token `used`, unless another call already has. */
  async renew(used: Token): Promise<Token> {
    const current = this.#current;
    if ((await current) === used && this.#current === current) {
      if (this.#seen.size === 1) this.#replacedAlone = used;
      this.#current = this.fresh();
    }
    return this.#current!;
  }

  /** Whether further tokens can be obtained. */
  get renewable(): boolean {
    return this.#given === undefined;
  }

  /** Obtains another token without replacing the run's. @throws Blocked when the token endpoint issues none */
  async fresh(): Promise<Token> {
    if (this.#given !== undefined) return this.#token(this.#given, undefined);
    const answer = await this.#issue();
    const token = this.#tokenOf(answer);
    await untilValid(answer);
    return token;
  }

  /** Makes an answer's token the run's. @throws Blocked when it holds none */
  use(answer: Answer): void {
    const token = this.#tokenOf(answer);
    this.#current = untilValid(answer).then(() => token);
  }

  #tokenOf(answer: Answer): Token {
    const value = member(answer, 'access_token');
    if (!succeeded(answer) || typeof value !== 'string' || value === '')
      throw new Blocked(`the token endpoint gave no token: status ${answer.status}`);
    return this.#token(value, answer);
  }

  /** Remembers an answer's token without replacing the run's. @throws Blocked when it holds none */
  remember(answer: Answer): void {
    this.#tokenOf(answer);
  }

  /** Whether the target has issued the same token twice. */
  get areHandedOutAgain(): boolean {
    return this.#areHandedOutAgain;
  }

  /**
   * Whether a token may be older than the run knows: the target reissues tokens, or this was the only one it had issued
   * when it was replaced.
   */
  mayBeOlder(token: Token): boolean {
    return this.#areHandedOutAgain || this.#replacedAlone === token;
  }

  /** The tokens that this run obtained, oldest first. */
  known(): Token[] {
    return [...this.#seen.values()].toSorted((one, other) => one.issuedAt - other.issuedAt);
  }

  /**
   * Whether somebody else, such as another run, moves the target's test clock, so that a new token ends later than the
   * run can explain.
   * @throws Blocked when the token endpoint issues none
   */
  async clockIsMovedByOthers(): Promise<boolean> {
    const fresh = await this.fresh();
    return this.known().some((earlier) => isFurtherAhead(fresh, earlier));
  }

  /** The token's age, in seconds. */
  ageOf(token: Token): number {
    return (this.#now() - token.issuedAt) / 1000;
  }

  /** A reissued token keeps its age; expires_in gives what remains of one from before this run. */
  #token(value: string, answer: Answer | undefined): Token {
    const earlier = this.#seen.get(value);
    if (earlier) {
      this.#areHandedOutAgain = true;
      return earlier;
    }
    const issuedAt = this.#now();
    const expiresIn = answer && member(answer, 'expires_in');
    const endsOn = answer && epochSeconds(member(answer, 'expires_on'));
    const announced = typeof expiresIn === 'number' ? expiresIn : undefined;
    const token: Token = {
      value,
      issuedAt,
      lifetime:
        announced === undefined || announced < 0 ? TOKEN_LIFETIME_SECONDS : Math.min(announced, TOKEN_LIFETIME_SECONDS),
      expiresIn: announced,
      exchange: answer?.exchange,
      givenAt: answer && performance.now(),
      endsAfter: endsOn === undefined ? undefined : endsOn * 1000 - issuedAt,
    };
    this.#seen.set(value, token);
    return token;
  }
}

/** A portal session. */
export interface Session {
  id: string;
  customerId: unknown;
  /** When it began, by `performance.now()`; undefined for one obtained elsewhere. */
  givenAt: number | undefined;
}

/** Minimum time for which a refused login is retried, in milliseconds. */
const LOGIN_PAUSE_MS = 250;

/**
 * The run's portal session; logging in again replaces it. A target may limit a user's sessions, and lock the user for a
 * while after a wrong password (reading 51), so a refused login is retried after logging out the run's sessions, and
 * later.
 */
export class Sessions {
  readonly #login: () => Promise<Answer>;
  readonly #logout: (sessionId: string) => Promise<unknown>;
  readonly #given: string | undefined;
  readonly #settleMs: number;
  #current: Promise<Session> | undefined;
  /** Sessions that this run began and that may still be open. */
  readonly #open = new Set<string>();

  constructor(options: {
    login: () => Promise<Answer>;
    logout: (sessionId: string) => Promise<unknown>;
    given: string | undefined;
    /** How long an effect may take to show, in milliseconds. */
    settleMs: number;
  }) {
    this.#login = options.login;
    this.#logout = options.logout;
    this.#given = options.given;
    this.#settleMs = options.settleMs;
  }

  /** The run's session. @throws Blocked when the login gives none */
  current(): Promise<Session> {
    this.#current ??= this.fresh();
    return this.#current;
  }

  /** Whether further sessions can be obtained: not if TARGET_PORTAL_SESSION_ID is set. */
  get renewable(): boolean {
    return this.#given === undefined;
  }

  /** Replaces the session `used`, unless another call already has. */
  async renew(used: Session): Promise<Session> {
    const current = this.#current;
    if ((await current) === used && this.#current === current) this.#current = this.fresh();
    return this.#current!;
  }

  /** Makes an answer's session the run's. @throws Blocked when it holds none */
  use(answer: Answer): void {
    this.#current = Promise.resolve(this.#begun(answer));
  }

  /** Call after logging out a session. If it was the run's, the next call logs in again. */
  async forget(sessionId: string): Promise<void> {
    this.#open.delete(sessionId);
    const current = this.#current;
    const id = await current?.then(
      (session) => session.id,
      () => sessionId,
    );
    if (id === sessionId && this.#current === current) this.#current = undefined;
  }

  /** Logs out every session that this run began and that may still be open. */
  async close(): Promise<void> {
    const open = [...this.#open];
    this.#open.clear();
    this.#current = undefined;
    await Promise.allSettled(open.map(this.#logout));
  }

  /** Obtains another session without replacing the run's. @throws Blocked when the login gives none */
  async fresh(): Promise<Session> {
    if (this.#given !== undefined) return { id: this.#given, customerId: undefined, givenAt: undefined };
    const answer = await this.#login();
    if (succeeded(answer)) return this.#begun(answer);
    const open = [...this.#open];
    this.#open.clear();
    await Promise.allSettled(open.map(this.#logout));
    return this.#begun(await eventually(this.#login, succeeded, Math.max(this.#settleMs, LOGIN_PAUSE_MS)));
  }

  #begun(answer: Answer): Session {
    const session = sessionOf(answer);
    this.#open.add(session.id);
    return session;
  }
}

function sessionOf(answer: Answer): Session {
  const id = member(answer, 'sessionId');
  if (!succeeded(answer) || typeof id !== 'string' || id === '')
    throw new Blocked(`the login gave no session: status ${answer.status}`);
  return { id, customerId: member(answer, 'customerId'), givenAt: performance.now() };
}
