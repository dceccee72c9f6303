/** The run's access token and portal session: shared, renewed before they end, and judged if they end early. */

import { setTimeout as sleep } from 'node:timers/promises';
import { numbers } from '../../contracts/numbers.ts';
import { TOKEN_LIFETIME_SECONDS } from '../../contracts/v3/token.ts';
import { type Answer, header, member, succeeded } from '../answer.ts';
import { Blocked, isLoss } from '../verdict.ts';

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
  /** Its {@link announcedOffset}. */
  offset: number | undefined;
  /** Milliseconds between issuedAt and the end, else the begin, announced by the target; undefined if it announces none. */
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
function sentOn(answer: Answer): number | undefined {
  const date = Date.parse(header(answer, 'date') ?? '');
  return Number.isNaN(date) ? undefined : date / 1000;
}

/** When something was answered, in seconds since the epoch: the answer's Date, else the local clock. */
export const answeredOn = (answer: Answer): number => sentOn(answer) ?? answer.sentAt / 1000;

/**
 * Seconds from 60 minutes after the issue of a token until its announced end; undefined if it announces none. Far from
 * 0 where the target's clock stands elsewhere than that of its Date header, as after an earlier run moved it.
 */
export function announcedOffset(answer: Answer): number | undefined {
  const end = epochSeconds(member(answer, 'expires_on'));
  return end === undefined ? undefined : end - answeredOn(answer) - TOKEN_LIFETIME_SECONDS;
}

/** The same from its announced begin, where it announces no end. */
function offsetOf(answer: Answer): number | undefined {
  const begin = epochSeconds(member(answer, 'not_before'));
  return announcedOffset(answer) ?? (begin === undefined ? undefined : begin - answeredOn(answer));
}

/** Longest wait for a token's not_before, in seconds. */
const LONGEST_BEFORE_SECONDS = 30;

/** How long before its end a token is renewed, in seconds; a tenth of its lifetime if that is less. */
const RENEW_BEFORE_SECONDS = 120;

interface TokenOptions {
  issue(): Promise<Answer>;
  /** Milliseconds since the epoch, by the local clock plus the test clock's advance. */
  now(): number;
  /** When the run last moved the test clock, in milliseconds since the epoch; infinite while it does. */
  clockMovedAt(): number;
  given: string | undefined;
  note(note: string): void;
}

/** Tokens of the clientCredentials flow, or one obtained elsewhere, which cannot be renewed. */
export class Tokens {
  readonly #options: TokenOptions;
  #current: Promise<Token> | undefined;
  readonly #seen = new Map<string, Token>();
  /** Whether the target has issued the same token twice. */
  areHandedOutAgain = false;
  #replacedAlone: Token | undefined;
  /** How far the clock of the answers' Date is ahead of this machine's, in seconds, when the first token was issued. */
  #dateAhead: number | undefined;
  /** How far the clock by which the first token is announced is ahead of its Date, in seconds; undefined where it announces no time. */
  offset: number | undefined;
  /** How far the target's clock was ahead of its Date then, in seconds: an earlier run may have moved it. */
  clockAhead = 0;

  constructor(options: TokenOptions) {
    this.#options = options;
  }

  /** The run's token, renewed when it is about to end. @throws Blocked when the token endpoint issues none */
  async current(): Promise<Token> {
    this.#current ??= this.#next();
    const token = await this.#current;
    const margin = Math.min(RENEW_BEFORE_SECONDS, token.lifetime / 10);
    if (this.#options.given !== undefined || this.ageOf(token) < token.lifetime - margin) return token;
    return this.renew(token);
  }

  /** Replaces the token `used`, unless another call already has. */
  async renew(used: Token): Promise<Token> {
    const current = this.#current;
    if ((await current) === used && this.#current === current) {
      if (this.#seen.size === 1) this.#replacedAlone = used;
      this.#current = this.#next();
    }
    return this.#current!;
  }

  /** The token to come. One whose answer was lost is asked for again by the next that needs it. */
  #next(): Promise<Token> {
    const coming = this.fresh();
    coming.catch((error: unknown) => {
      if (isLoss(error) && this.#current === coming) this.#current = undefined;
    });
    return coming;
  }

  /** Whether further tokens can be obtained. */
  get renewable(): boolean {
    return this.#options.given === undefined;
  }

  /** Obtains another token without replacing the run's. @throws Blocked when the token endpoint issues none */
  async fresh(): Promise<Token> {
    const { given, issue } = this.#options;
    if (given !== undefined) return this.#token(given, undefined);
    const answer = await issue();
    const token = this.#tokenOf(answer);
    await this.#untilValid(answer);
    return token;
  }

  /** Makes an answer's token the run's. @throws Blocked when it holds none */
  use(answer: Answer): void {
    const token = this.#tokenOf(answer);
    this.#current = this.#untilValid(answer).then(() => token);
  }

  /** Waits until an answer's token is valid: not before its not_before, by the target's clock. */
  async #untilValid(answer: Answer): Promise<void> {
    const begin = epochSeconds(member(answer, 'not_before'));
    if (begin === undefined) return;
    const before = begin - (this.#options.now() / 1000 + (this.#dateAhead ?? 0) + this.clockAhead);
    if (before > LONGEST_BEFORE_SECONDS)
      this.#options.note(`A token was used although its not_before lay ${Math.round(before)} seconds ahead.`);
    // A timer may fire a millisecond early.
    else if (before > 0) await sleep(before * 1000 + 2);
  }

  /** Reads the target's clock from the first token that the run gets. */
  #readClock(answer: Answer): void {
    const date = sentOn(answer) ?? this.#options.now() / 1000;
    const dateAhead = date - this.#options.now() / 1000;
    this.#dateAhead = Math.abs(dateAhead) > numbers.clocks ? dateAhead : 0;
    this.offset = offsetOf(answer);
    const offset = this.offset ?? 0;
    if (Math.abs(offset) <= numbers.expiresOn) return;
    this.clockAhead = offset;
    this.#options.note(
      `By the times of its tokens, the target's clock is ${Math.abs(Math.round(offset))} seconds ${offset > 0 ? 'ahead of' : 'behind'} its Date header: an earlier run may have moved it.`,
    );
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

  /** Whether a token may be older than the run knows: handed out again, or the only one known when replaced. */
  mayBeOlder(token: Token): boolean {
    return this.areHandedOutAgain || this.#replacedAlone === token;
  }

  /** The tokens that this run obtained, oldest first. */
  known(): Token[] {
    return [...this.#seen.values()].toSorted((one, other) => one.issuedAt - other.issuedAt);
  }

  /** Whether somebody else moves the test clock, so that a new token ends late, or ended late before. @throws Blocked without a token */
  async clockIsMovedByOthers(): Promise<boolean> {
    await this.fresh();
    const all = this.known();
    return all.some((later) => all.some((earlier) => isFurtherAhead(later, earlier)));
  }

  /** The token's age, in seconds. */
  ageOf(token: Token): number {
    return (this.#options.now() - token.issuedAt) / 1000;
  }

  /** A reissued token keeps its age; expires_in gives what remains of one from before this run. */
  #token(value: string, answer: Answer | undefined): Token {
    const earlier = this.#seen.get(value);
    if (earlier) {
      this.areHandedOutAgain = true;
      return earlier;
    }
    const issuedAt = this.#options.now();
    const expiresIn = answer && member(answer, 'expires_in');
    const endsOn = answer && (epochSeconds(member(answer, 'expires_on')) ?? epochSeconds(member(answer, 'not_before')));
    const announced = typeof expiresIn === 'number' ? expiresIn : undefined;
    if (answer && this.#dateAhead === undefined) this.#readClock(answer);
    const token: Token = {
      value,
      offset: answer && announcedOffset(answer),
      issuedAt,
      lifetime:
        announced === undefined || announced < 0 ? TOKEN_LIFETIME_SECONDS : Math.min(announced, TOKEN_LIFETIME_SECONDS),
      expiresIn: announced,
      exchange: answer?.exchange,
      givenAt: answer && performance.now(),
      // One that was asked for before the run had moved the clock may be of either time.
      endsAfter:
        endsOn === undefined || answer!.sentAt <= this.#options.clockMovedAt() ? undefined : endsOn * 1000 - issuedAt,
    };
    if (this.known().some((other) => isFurtherAhead(token, other)))
      this.#options.note("Somebody else moved the target's test clock during the run.");
    this.#seen.set(value, token);
    return token;
  }
}

export interface Session {
  id: string;
  customerId: unknown;
  /** When it began, by `performance.now()`; undefined for one obtained elsewhere. */
  givenAt: number | undefined;
}

interface SessionOptions {
  login(): Promise<Answer>;
  logout(sessionId: string): Promise<unknown>;
  given: string | undefined;
}

/**
 * The run's portal session; logging in again replaces it. A target may limit a user's sessions (reading 51), so a
 * refused login is tried again after logging out those of the run.
 */
export class Sessions {
  readonly #options: SessionOptions;
  #current: Promise<Session> | undefined;
  /** Sessions that this run began and that may still be open. */
  readonly #open = new Set<string>();

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** The run's session. @throws Blocked when the login gives none */
  current(): Promise<Session> {
    this.#current ??= this.#next();
    return this.#current;
  }

  /** The session to come. One whose answer was lost is asked for again by the next that needs it. */
  #next(): Promise<Session> {
    const coming = this.fresh();
    coming.catch((error: unknown) => {
      if (isLoss(error) && this.#current === coming) this.#current = undefined;
    });
    return coming;
  }

  /** Whether further sessions can be obtained: not if TARGET_PORTAL_SESSION_ID is set. */
  get renewable(): boolean {
    return this.#options.given === undefined;
  }

  /** Replaces the session `used`, unless another call already has. */
  async renew(used: Session): Promise<Session> {
    const current = this.#current;
    if ((await current) === used && this.#current === current) this.#current = this.#next();
    return this.current();
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

  /** Logs a session out, as far as the target lets it; one that was given from outside is never ended. If it was the run's, the next call logs in again. */
  async end(sessionId: string): Promise<void> {
    if (sessionId === this.#options.given) return;
    await Promise.allSettled([this.#options.logout(sessionId)]);
    await this.forget(sessionId);
  }

  /** Logs out every session that this run began and that may still be open. */
  async close(): Promise<void> {
    this.#current = undefined;
    await this.#logoutAll();
  }

  async #logoutAll(): Promise<void> {
    const open = [...this.#open];
    this.#open.clear();
    await Promise.allSettled(open.map((id) => this.#options.logout(id)));
  }

  /** Obtains another session without replacing the run's. @throws Blocked when the login gives none */
  async fresh(): Promise<Session> {
    const { given, login } = this.#options;
    if (given !== undefined) return { id: given, customerId: undefined, givenAt: undefined };
    const answer = await login();
    if (succeeded(answer)) return this.#begun(answer);
    await this.#logoutAll();
    return this.#begun(await login());
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
