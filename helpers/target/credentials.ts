/** The access token and the portal session of the run: shared, renewed before they end, and judged when they end early. */
import { setTimeout as sleep } from 'node:timers/promises';
import { TOKEN_LIFETIME_SECONDS } from '../../contracts/v3/token.ts';
import { type Answer, header, member, succeeded } from '../answer.ts';
import { eventually } from '../eventually.ts';
import { Blocked } from '../verdict.ts';

/** An access token of the token endpoint, or one obtained elsewhere. */
export interface Token {
  value: string;
  /** When it was first handed out: milliseconds since the epoch, by the local clock plus what the test clock was moved. */
  issuedAt: number;
  /** Seconds that it was said to live then, at most 60 minutes. */
  lifetime: number;
  /** Seconds of expires_in when it was first handed out; undefined where that says none. */
  expiresIn: number | undefined;
  /** The exchange that issued it; undefined for one obtained elsewhere. */
  exchange: string | undefined;
  /** When it was first handed out, in milliseconds of `performance.now()`; undefined for one obtained elsewhere. */
  givenAt: number | undefined;
  /** Milliseconds between issuedAt and the end that the target says; undefined where it says none. */
  endsAfter: number | undefined;
}

/** More than tokens of one target differ in what they say of their end, in milliseconds. */
const MOVED_MS = 60_000;

/** Whether the target's clock was moved forward between the issues of two tokens, by somebody else than the run. */
export const isFurtherAhead = (later: Token, earlier: Token): boolean =>
  later.endsAfter !== undefined && earlier.endsAfter !== undefined && later.endsAfter - earlier.endsAfter > MOVED_MS;

/** Seconds since the epoch, from seconds or milliseconds distinguished by size; undefined for anything else. */
export function epochSeconds(value: unknown): number | undefined {
  if (typeof value !== 'number') return undefined;
  if (value > 1e9 && value < 1e10) return value;
  return value > 1e12 && value < 1e13 ? value / 1000 : undefined;
}

/** When the target sent an answer, in seconds since the epoch by its own clock; undefined where it does not say. */
export function sentOn(answer: Answer): number | undefined {
  const date = Date.parse(header(answer, 'date') ?? '');
  return Number.isNaN(date) ? undefined : date / 1000;
}

/** Longest time to its not_before that a token is not used for: it may be the next whole second. */
const LONGEST_BEFORE_SECONDS = 5;

/** Waits until the token of an answer is valid: not_before is the time after which it is. */
async function untilValid(answer: Answer): Promise<void> {
  const begin = epochSeconds(member(answer, 'not_before'));
  const before = begin === undefined ? 0 : begin - (sentOn(answer) ?? answer.sentAt / 1000);
  if (before > 0 && before <= LONGEST_BEFORE_SECONDS) await sleep(before * 1000);
}

/** Seconds before its end at which a token is renewed, or a tenth of its life where that is less. */
const RENEW_BEFORE_SECONDS = 120;

/** Tokens of the clientCredentials flow (or one obtained elsewhere, which cannot be renewed). */
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

  /** The token of the run, renewed when it is about to end. @throws Blocked when the token endpoint gives none */
  async current(): Promise<Token> {
    this.#current ??= this.fresh();
    const token = await this.#current;
    const margin = Math.min(RENEW_BEFORE_SECONDS, token.lifetime / 10);
    if (this.#given !== undefined || this.ageOf(token) < token.lifetime - margin) return token;
    return this.renew(token);
  }

  /** A token that replaces `used`, unless another call has replaced it meanwhile. */
  async renew(used: Token): Promise<Token> {
    const current = this.#current;
    if ((await current) === used && this.#current === current) {
      if (this.#seen.size === 1) this.#replacedAlone = used;
      this.#current = this.fresh();
    }
    return this.#current!;
  }

  /** Whether another token can be had. */
  get renewable(): boolean {
    return this.#given === undefined;
  }

  /** Another token; the one of the run stays. @throws Blocked when the token endpoint gives none */
  async fresh(): Promise<Token> {
    if (this.#given !== undefined) return this.#token(this.#given, undefined);
    const answer = await this.#issue();
    const token = this.#tokenOf(answer);
    await untilValid(answer);
    return token;
  }

  /** The token of an answer is that of the run from now on. @throws Blocked when it gives none */
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

  /** Remembers the token of an answer; the one of the run stays. @throws Blocked when it gives none */
  remember(answer: Answer): void {
    this.#tokenOf(answer);
  }

  /** Whether the target was seen to hand out a token again. */
  get areHandedOutAgain(): boolean {
    return this.#areHandedOutAgain;
  }

  /** Whether a token may be older than this run knows: the target hands out tokens again, or had given that one alone when it was replaced. */
  mayBeOlder(token: Token): boolean {
    return this.#areHandedOutAgain || this.#replacedAlone === token;
  }

  /** Tokens that this run was given, the oldest first. */
  known(): Token[] {
    return [...this.#seen.values()].toSorted((one, other) => one.issuedAt - other.issuedAt);
  }

  /**
   * Whether somebody else, such as another run, moves the target's test clock: a new token ends later than the run knows of.
   * @throws Blocked when the token endpoint gives none
   */
  async clockIsMovedByOthers(): Promise<boolean> {
    const fresh = await this.fresh();
    return this.known().some((earlier) => isFurtherAhead(fresh, earlier));
  }

  /** Seconds since the token was issued. */
  ageOf(token: Token): number {
    return (this.#now() - token.issuedAt) / 1000;
  }

  /** A token that is handed out again has the age that it has; expires_in says what remains of one from before this run. */
  #token(value: string, answer: Answer | undefined): Token {
    const earlier = this.#seen.get(value);
    if (earlier) {
      this.#areHandedOutAgain = true;
      return earlier;
    }
    const issuedAt = this.#now();
    const expiresIn = answer && member(answer, 'expires_in');
    const endsOn = answer && epochSeconds(member(answer, 'expires_on'));
    const said = typeof expiresIn === 'number' ? expiresIn : undefined;
    const token: Token = {
      value,
      issuedAt,
      lifetime: said === undefined || said < 0 ? TOKEN_LIFETIME_SECONDS : Math.min(said, TOKEN_LIFETIME_SECONDS),
      expiresIn: said,
      exchange: answer?.exchange,
      givenAt: answer && performance.now(),
      endsAfter: endsOn === undefined ? undefined : endsOn * 1000 - issuedAt,
    };
    this.#seen.set(value, token);
    return token;
  }
}

/** A session of the portal. */
export interface Session {
  id: string;
  customerId: unknown;
  /** When it was begun, in milliseconds of `performance.now()`; undefined for one obtained elsewhere. */
  givenAt: number | undefined;
}

/** Longest pause between two tries of a login that was refused. */
const LOGIN_PAUSE_MS = 250;

/**
 * The portal session of the run; logging in again replaces it. A target may allow few sessions of a user, and lock it for a while after
 * a wrong password (reading 51): a login that is refused is tried again once the sessions of the run are logged out, and later.
 */
export class Sessions {
  readonly #login: () => Promise<Answer>;
  readonly #logout: (sessionId: string) => Promise<unknown>;
  readonly #given: string | undefined;
  readonly #settleMs: number;
  #current: Promise<Session> | undefined;
  /** Begun by this run, and not known to have ended. */
  readonly #open = new Set<string>();

  constructor(options: {
    login: () => Promise<Answer>;
    logout: (sessionId: string) => Promise<unknown>;
    given: string | undefined;
    /** Milliseconds that an effect may take to show. */
    settleMs: number;
  }) {
    this.#login = options.login;
    this.#logout = options.logout;
    this.#given = options.given;
    this.#settleMs = options.settleMs;
  }

  /** The session of the run. @throws Blocked when the login gives none */
  current(): Promise<Session> {
    this.#current ??= this.fresh();
    return this.#current;
  }

  /** Whether another session can be had: not where TARGET_PORTAL_SESSION_ID gives the one. */
  get renewable(): boolean {
    return this.#given === undefined;
  }

  /** A session that replaces `used`, unless another call has replaced it meanwhile. */
  async renew(used: Session): Promise<Session> {
    const current = this.#current;
    if ((await current) === used && this.#current === current) this.#current = this.fresh();
    return this.#current!;
  }

  /** The session of an answer is that of the run from now on. @throws Blocked when it gives none */
  use(answer: Answer): void {
    this.#current = Promise.resolve(this.#begun(answer));
  }

  /** The session was logged out: if it is that of the run, the next call logs in anew. */
  async forget(sessionId: string): Promise<void> {
    this.#open.delete(sessionId);
    const current = this.#current;
    const id = await current?.then(
      (session) => session.id,
      () => sessionId,
    );
    if (id === sessionId && this.#current === current) this.#current = undefined;
  }

  /** Logs out every session that this run began and may still be open. */
  async close(): Promise<void> {
    const open = [...this.#open];
    this.#open.clear();
    this.#current = undefined;
    await Promise.allSettled(open.map(this.#logout));
  }

  /** Another session; the one of the run stays. @throws Blocked when the login gives none */
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
