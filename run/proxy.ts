/** Judges what passes through a reverse proxy in front of the target. */
import type { Conformance } from '../contracts/record.ts';
import { holdDirectory } from '../files/hold.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import { Recorder } from '../helpers/evidence/recorder.ts';
import { suite } from '../suites/index.ts';
import { outcomesOf } from '../witness/outcomes.ts';
import { type Serving, serveProxy } from '../witness/proxy.ts';
import type { Recorded } from '../witness/recorded.ts';
import { Witness } from '../witness/witness.ts';
import { assemble } from './assemble.ts';
import { writeRecord } from './finish.ts';
import { findingsOf, type JudgeOptions } from './judge.ts';
import { configurationOf } from './options.ts';
import { prepare } from './prepare.ts';

/** Interval at which exchanges are judged together while the proxy is idle, in milliseconds. */
const IDLE_MS = 1000;

/** A requirement that fails by what has passed so far. */
export interface Failing {
  requirement: string;
  message: string;
}

/** What lets the caller of a proxy watch it. */
export interface ProxyWatch {
  /** Called when a requirement is first seen to fail. */
  onFailing?: ((failing: Failing) => void) | undefined;
  /** Called with each exchange, secrets included, before it is judged. */
  onExchange?: ((recorded: Recorded) => void) | undefined;
}

/** A proxy, and what it has seen. */
export class JudgingProxy {
  readonly #witness: Witness;
  readonly #recorder: Recorder;
  readonly #serving: Serving;
  readonly #watch: ProxyWatch;
  readonly #startedAt = new Date();
  readonly #failing = new Set<string>();
  readonly #idle: NodeJS.Timeout;
  #lookedAt = 0;
  #closed: Promise<void> | undefined;

  private constructor(witness: Witness, recorder: Recorder, serving: Serving, watch: ProxyWatch) {
    this.#witness = witness;
    this.#recorder = recorder;
    this.#serving = serving;
    this.#watch = watch;
    this.#idle = setInterval(() => this.#look(), IDLE_MS).unref();
  }

  /**
   * Starts to serve.
   * @param recordIn the report directory; undefined to record nothing
   * @throws Error with the system's code when the port is in use
   */
  static async start(
    configuration: Configuration,
    port: number,
    recordIn: string | undefined,
    watch: ProxyWatch = {},
  ): Promise<JudgingProxy> {
    const recorder = new Recorder(recordIn);
    const witness = new Witness(configuration, suite, recorder);
    const serving = await serveProxy(configuration, port, (recorded) => {
      watch.onExchange?.(recorded);
      // Whoever waits for the answer need not wait for the judgement.
      setImmediate(() => proxy.#take(recorded));
    });
    const proxy = new JudgingProxy(witness, recorder, serving, watch);
    return proxy;
  }

  /** The proxy's addresses, by the variable that they stand for. */
  get environment(): Record<string, string> {
    return this.#serving.environment;
  }

  /** Number of exchanges, requests under way, and requirements that fail so far. */
  stats(): { exchanges: number; inFlight: number; failing: number } {
    const { exchanges } = this.#witness.seen;
    return { exchanges, inFlight: this.#serving.inFlight(), failing: this.#failing.size };
  }

  /**
   * Stops serving, and judges all that passed.
   * @throws NothingSeen when nothing did that belongs to the interfaces
   */
  async end(): Promise<ReturnType<typeof findingsOf>> {
    await this.close();
    return findingsOf(this.#witness, 'proxy', this.#startedAt);
  }

  /** Stops serving; once more does nothing. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    clearInterval(this.#idle);
    await this.#serving.close();
    // What has passed last is still to be taken in.
    await new Promise(setImmediate);
    this.#recorder.close();
  }

  #take(recorded: Recorded): void {
    for (const { requirement, message } of this.#witness.take(recorded)?.findings ?? [])
      this.#note(requirement, this.#witness.redactor.text(message));
  }

  /** Judges together what passed since the last time. */
  #look(): void {
    const { exchanges } = this.#witness.seen;
    if (exchanges === this.#lookedAt || this.#serving.inFlight() > 0) return;
    this.#lookedAt = exchanges;
    for (const { requirement, verdict, message } of outcomesOf(this.#witness, suite))
      if (verdict === 'failed') this.#note(requirement, message);
  }

  #note(requirement: string, message: string): void {
    if (this.#failing.has(requirement)) return;
    this.#failing.add(requirement);
    this.#watch.onFailing?.({ requirement, message });
  }
}

/** Options of a proxy. */
export interface ProxyOptions extends JudgeOptions, Pick<ProxyWatch, 'onFailing'> {
  /** 0, the default, for a free one. */
  port?: number;
}

/** A started proxy. */
export interface StartedProxy extends AsyncDisposable {
  /** Its addresses, by the variable that they stand for: TARGET_BASE_URL and others. */
  environment: Record<string, string>;
  /**
   * Stops it, and judges all that passed.
   * @returns the record, as written to conformance.json
   * @throws NothingSeen when nothing did that belongs to the interfaces
   */
  end(): Promise<Conformance>;
}

/**
 * Starts a reverse proxy on loopback in front of a target, which judges what passes. Nothing is written unless `reportDir` is given.
 *
 * @example
 * await using proxy = await startProxy({ target: { baseUrl: 'https://cards.example' } });
 * await runEndToEndTests({ baseUrl: proxy.environment.TARGET_BASE_URL });
 * const record = await proxy.end();
 *
 * @throws ConfigurationError with all faults of the options
 * @throws DirectoryInUse when another run writes to `reportDir`
 * @throws Error with the system's code when the port is in use
 */
export async function startProxy({ port = 0, onFailing, ...options }: ProxyOptions): Promise<StartedProxy> {
  const given = await configurationOf(options, { purpose: 'proxy' });
  const recordIn = options.reportDir === undefined ? undefined : given.run.reportDir;
  const release = recordIn === undefined ? () => {} : holdDirectory(recordIn, 'a proxy');
  if (recordIn !== undefined) prepare(given);
  const proxy = await JudgingProxy.start(given, port, recordIn, { onFailing });
  let ended: Promise<Conformance> | undefined;
  const end = async () => {
    try {
      const { configuration, findings } = await proxy.end();
      return recordIn === undefined ? assemble(configuration, findings) : writeRecord(configuration, findings);
    } finally {
      release();
    }
  };
  const once = () => {
    ended ??= end();
    return ended;
  };
  return {
    environment: proxy.environment,
    end: once,
    async [Symbol.asyncDispose]() {
      await once().catch(() => undefined);
    },
  };
}
