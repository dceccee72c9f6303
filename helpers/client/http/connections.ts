/**
 * Manages connections to the target, and decides which requests may reuse one.
 *
 * A server may close a kept connection just as a request goes out on it, and then nobody knows whether the request was
 * carried out. A request that may be sent twice is simply sent again, on a new connection. One that may not gets a
 * connection of its own: no number of answers shows that the next one will come. Kept connections are dropped after a
 * second of idleness, before servers do so. (RFC 9112 section 9.3.1: a client automatically retries only requests known
 * to be idempotent.)
 */
import { createRequire } from 'node:module';
import type { Dispatcher, EnvHttpProxyAgent as ProxyAgent } from 'undici';
import { isLoopback } from '../../configuration/addresses.ts';
import type { TransportOptions } from './types.ts';

// Not imported: a test runner with a context of its own (vmThreads) loads imports before the polyfills that Node 20 needs.
const { Agent, EnvHttpProxyAgent } = createRequire(import.meta.url)('undici') as typeof import('undici');

const IDLE_MS = 1000;
const MAX_HEADER_BYTES = 32 * 1024;

/** The connections to an origin. */
interface Connected {
  kept: Dispatcher;
  /** Opens a connection for each request. */
  single: Dispatcher;
}

/** The connections of a run, by origin. A request gets a kept one or one of its own. */
export class Connections {
  /** Uses the environment's proxy, if any, except for loopback, which a proxy could only reach as its own machine. */
  readonly #made: (origin: string) => Connected;
  readonly #connected = new Map<string, Connected>();

  constructor({ dispatcher, timeoutMs, clientCert, clientKey }: TransportOptions) {
    const tls = { cert: clientCert, key: clientKey };
    const common: ProxyAgent.Options = {
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
    const { single, kept } = this.#of(origin);
    return alone ? single : kept;
  }

  async destroy(): Promise<void> {
    const all = [...this.#connected.values()].flatMap(({ kept, single }) => [kept, single]);
    await Promise.all(all.map((dispatcher) => dispatcher.destroy()));
  }

  #of(origin: string): Connected {
    const connected = this.#connected.get(origin) ?? this.#made(origin);
    this.#connected.set(origin, connected);
    return connected;
  }
}
