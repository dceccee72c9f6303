/**
 * The state of one running sandbox: its world, and what expires by itself (tokens, sessions, continuations, nonces).
 */
import type { Clock } from '../clock.ts';
import type { Rules } from '../rules.ts';
import type { Credentials } from '../seed/credentials.ts';
import type { Seed } from '../seed/seed.ts';
import type { World } from '../world.ts';
import { SessionStore } from './session-store.ts';
import { TemporaryTokens } from './temporary-tokens.ts';
import { TokenStore } from './token-store.ts';

/** The state of one sandbox. */
export class Backend {
  readonly rules: Rules;
  readonly clock: Clock;
  readonly credentials: Credentials;
  readonly #makeSeed: () => Seed;
  /** The content of the fixtures file. */
  readonly fixtures: Seed['fixtures'];
  world: World;
  tokens: TokenStore;
  sessions: SessionStore;
  temporaryTokens: TemporaryTokens;
  /** The position that a continuation token refers to. */
  continuations = new Map<string, { from: number; page: number }>();
  /** Nonces used per card: `identifier nonce`. */
  nonces = new Set<string>();
  /** Number of calls per operation. */
  callNumbers = new Map<string, number>();

  constructor(rules: Rules, clock: Clock, credentials: Credentials, makeSeed: () => Seed) {
    this.rules = rules;
    this.clock = clock;
    this.credentials = credentials;
    this.#makeSeed = makeSeed;
    ({ world: this.world, fixtures: this.fixtures } = makeSeed());
    this.tokens = new TokenStore(rules);
    this.sessions = new SessionStore(rules);
    this.temporaryTokens = new TemporaryTokens(rules);
  }

  /** Resets to the initial state: world, clock, tokens and sessions. */
  reset(): void {
    this.clock.reset();
    this.world = this.#makeSeed().world;
    this.tokens = new TokenStore(this.rules);
    this.sessions = new SessionStore(this.rules);
    this.temporaryTokens = new TemporaryTokens(this.rules);
    this.continuations = new Map();
    this.nonces = new Set();
    this.callNumbers = new Map();
  }

  nextCallNumber(operation: string): number {
    const number = (this.callNumbers.get(operation) ?? 0) + 1;
    this.callNumbers.set(operation, number);
    return number;
  }
}
