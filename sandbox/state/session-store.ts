/** Portal sessions. Source: "States and transitions" and "Authentication" of the portal document. */
import { randomBytes } from 'node:crypto';
import type { Rules } from '../rules.ts';
import type { LoginUser } from '../world.ts';

/** A session that was started. */
export interface Session {
  id: string;
  user: LoginUser;
  ended: boolean;
}

/** All sessions ever started, including ended ones, which are told apart from invented ones. */
export class SessionStore {
  readonly #rules: Rules;
  readonly #byId = new Map<string, Session>();
  /**
   * Wrong passwords since the last successful login, per login id: their number, and when the last one came (epoch
   * milliseconds).
   */
  readonly #wrongPasswords = new Map<string, { count: number; lastAtMs: number }>();

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  start(user: LoginUser): Session {
    this.#wrongPasswords.delete(user.loginId);
    const own = [...this.#byId.values()].filter((session) => session.user === user);
    if (this.#rules.singleSessionPerUser) for (const session of own) session.ended = true;
    const { sessionId } = this.#rules;
    const earlier = sessionId === 'same-while-active' ? own.find(({ ended }) => !ended) : own[0];
    const id = sessionId !== 'new' && earlier ? earlier.id : randomBytes(20).toString('base64url');
    const session: Session = { id, user, ended: false };
    this.#byId.set(id, session);
    return session;
  }

  /** The session of an identifier, ended or not. */
  find(id: string): Session | undefined {
    return this.#byId.get(id);
  }

  /** Ends the session, or all of its user's. */
  end(session: Session): void {
    session.ended = true;
    if (!this.#rules.logoutEndsAll) return;
    for (const other of this.#byId.values()) if (other.user === session.user) other.ended = true;
  }

  /** Whether the user has reached the session limit. */
  hasAllSessions(user: LoginUser): boolean {
    const living = [...this.#byId.values()].filter((session) => session.user === user && !session.ended);
    return living.length >= this.#rules.mostSessionsPerUser;
  }

  /** @param nowMs epoch milliseconds */
  noteWrongPassword(user: LoginUser, nowMs: number): void {
    const count = (this.#wrongPasswords.get(user.loginId)?.count ?? 0) + 1;
    this.#wrongPasswords.set(user.loginId, { count, lastAtMs: nowMs });
    if (!this.#rules.wrongPasswordEndsSessions) return;
    for (const session of this.#byId.values()) if (session.user === user) session.ended = true;
  }

  /** @param nowMs epoch milliseconds */
  isLocked(loginId: string, nowMs: number): boolean {
    const wrong = this.#wrongPasswords.get(loginId);
    const { wrongPasswordsBeforeLock, lockSeconds } = this.#rules;
    return (
      wrong !== undefined && wrong.count >= wrongPasswordsBeforeLock && nowMs < wrong.lastAtMs + lockSeconds * 1000
    );
  }
}
