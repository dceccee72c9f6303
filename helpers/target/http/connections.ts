/**
 * Connections to the target, and which request may go over one that was used before.
 *
 * A server may close a kept connection at the very moment when a request goes out on it; then nobody knows whether the
 * request was carried out. A request that changes nothing is simply sent again, on a connection of its own. One that changes something
 * must not be, so it goes over a used connection only where those of that origin have proved to last: several
 * answers over kept connections and no closing seen, ever. Kept connections are dropped after a second without use,
 * before servers do that. (RFC 9112 section 9.3.1: a client retries automatically only what it knows to be idempotent.)
 */
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { isLoopback } from '../../configuration/addresses.ts';

/** Answers over kept connections, without a closing, after which those of an origin are taken to last. */
const PROOF = 20;
const IDLE_MS = 1000;
const MAX_HEADER_BYTES = 32 * 1024;

/** What every connection of a run is made with. */
export interface ConnectionOptions {
  /** What takes the requests instead of connections. */
  dispatcher?: Dispatcher | undefined;
  /** Milliseconds that connecting may take. */
  timeoutMs: number;
  /** PEM text of the certificate that this side shows, for mutual TLS; with its key, or neither. */
  clientCert?: string;
  clientKey?: string;
}

/** Connections that are used again and again, and a connection for each request. */
interface Pair {
  kept: Dispatcher;
  single: Dispatcher;
}

/** The connections of a run, by origin: a request gets a kept one or one of its own. */
export class Connections {
  /** By the proxy of the environment, where there is one; but to loopback without: what a proxy got, it would get from this machine to pass on to itself. */
  readonly #made: (origin: string) => Pair;
  readonly #pairs = new Map<string, Pair>();
  /** By origin: answers over kept connections; minus infinity once one was closed under a request. */
  readonly #proof = new Map<string, number>();

  constructor(options: ConnectionOptions) {
    const { dispatcher } = options;
    const tls = { cert: options.clientCert, key: options.clientKey };
    const common: EnvHttpProxyAgent.Options = {
      allowH2: false,
      // The time limit of the whole request governs; undici's own, in coarse steps, would only blur it.
      headersTimeout: 0,
      bodyTimeout: 0,
      connectTimeout: options.timeoutMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      ...(options.clientCert && { connect: tls, requestTls: tls }),
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

  /** Whether a request may go over a connection that was used before. @param repeatable whether it may be sent twice */
  mayShare(origin: string, repeatable: boolean): boolean {
    return repeatable || this.#proofOf(origin) >= PROOF;
  }

  /** Call when a request over a kept connection was answered. */
  answered(origin: string): void {
    this.#proof.set(origin, this.#proofOf(origin) + 1);
  }

  /** Call when a kept connection was closed before the answer came: from then on only what may be sent twice shares one. */
  closedUnderRequest(origin: string): void {
    this.#proof.set(origin, Number.NEGATIVE_INFINITY);
  }

  /** Ends all connections at once; what is in flight fails. */
  async destroy(): Promise<void> {
    const all = [...this.#pairs.values()].flatMap(({ kept, single }) => [kept, single]);
    await Promise.all(all.map((dispatcher) => dispatcher.destroy()));
  }

  #proofOf(origin: string): number {
    return this.#proof.get(origin) ?? 0;
  }
}
