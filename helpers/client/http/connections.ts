/**
 * Manages connections to the target, and decides which requests may reuse one.
 *
 * A server may close a kept connection just as a request goes out on it, and then nobody knows whether the request was
 * carried out. A request that changes nothing is simply sent again, on a new connection. One that changes something
 * must not be, so it reuses a connection only once those of its origin have proved to last: several answers over kept
 * connections, and none ever closed under a request. Kept connections are dropped after a second of idleness, before
 * servers do so. (RFC 9112 section 9.3.1: a client automatically retries only requests known to be idempotent.)
 */
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { isLoopback } from '../../configuration/addresses.ts';
import type { TransportOptions } from './types.ts';

/**
 * Number of answers over kept connections, with none closed under a request, that prove that an origin's connections
 * last.
 */
const PROOF = 20;
const IDLE_MS = 1000;
const MAX_HEADER_BYTES = 32 * 1024;

/** A dispatcher that keeps connections, and one that opens a connection per request. */
interface Pair {
  kept: Dispatcher;
  single: Dispatcher;
}

/** The connections of a run, by origin. A request gets a kept one or one of its own. */
export class Connections {
  /** Uses the environment's proxy, if any, except for loopback, which a proxy could only reach as its own machine. */
  readonly #made: (origin: string) => Pair;
  readonly #pairs = new Map<string, Pair>();
  /** Answers over kept connections, by origin; minus infinity once one was closed under a request. */
  readonly #proof = new Map<string, number>();

  constructor({ dispatcher, timeoutMs, clientCert, clientKey }: TransportOptions) {
    const tls = { cert: clientCert, key: clientKey };
    const common: EnvHttpProxyAgent.Options = {
      allowH2: false,
      // The time limit of the whole request governs; undici's own coarse limits would only blur it.
      headersTimeout: 0,
      bodyTimeout: 0,
      connectTimeout: timeoutMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      ...(clientCert && { connect: tls, requestTls: tls }),
    };
    const kept = { ...common, keepAliveTimeout: IDLE_MS, keepAliveMaxTimeout: IDLE_MS };
    const single = { ...common, pipelining: 0 };
    this.#made = (origin) => {
      if (dispatcher) return { kept: dispatcher, single: dispatcher };
      return isLoopback(origin)
        ? { kept: new Agent(kept), single: new Agent(single) }
        : { kept: new EnvHttpProxyAgent(kept), single: new EnvHttpProxyAgent(single) };
    };
  }

  /** @param alone whether the request gets a connection of its own */
  to(origin: string, alone: boolean): Dispatcher {
    const pair = this.#pairs.get(origin) ?? this.#made(origin);
    this.#pairs.set(origin, pair);
    return alone ? pair.single : pair.kept;
  }

  /** Whether a request may reuse a connection. @param repeatable whether it may be sent twice */
  mayShare(origin: string, repeatable: boolean): boolean {
    return repeatable || this.#proofOf(origin) >= PROOF;
  }

  /** Call when a request over a kept connection was answered. */
  answered(origin: string): void {
    this.#proof.set(origin, this.#proofOf(origin) + 1);
  }

  /**
   * Call when a kept connection was closed before the answer arrived; from then on only repeatable requests share one.
   */
  closedUnderRequest(origin: string): void {
    this.#proof.set(origin, Number.NEGATIVE_INFINITY);
  }

  async destroy(): Promise<void> {
    const all = [...this.#pairs.values()].flatMap(({ kept, single }) => [kept, single]);
    await Promise.all(all.map((dispatcher) => dispatcher.destroy()));
  }

  #proofOf(origin: string): number {
    return this.#proof.get(origin) ?? 0;
  }
}
