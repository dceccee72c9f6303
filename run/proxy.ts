/** Judges what passes through a reverse proxy in front of the target. */
import type { Conformance } from '../contracts/record.ts';
import { holdDirectory } from '../files/hold.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import type { Failure, Telling } from '../witness/passing.ts';
import { LOOPBACK, type Place, type Serving, serveProxy } from '../witness/proxy.ts';
import type { Recorded } from '../witness/recorded.ts';
import { Room } from '../witness/room.ts';
import { assemble } from './assemble.ts';
import { writeRecord } from './finish.ts';
import type { JudgedTraffic, JudgeOptions } from './judge.ts';
import { JudgingThread } from './judging-thread.ts';
import { configurationOf } from './options.ts';
import { prepare } from './prepare.ts';

/** Limit in bytes on what is kept of exchanges, from their first byte until they are judged. */
const MOST_KEPT = 24 * 1024 * 1024;

/** What the caller of a proxy, and its clients, are told. */
export interface ProxyWatch {
  /** Called when a requirement is first seen to fail. */
  onFailing?: ((failing: Failure) => void) | undefined;
  /** Called when more passes than can be judged, for the first time. */
  onFull?: (() => void) | undefined;
  /** Called with each exchange, secrets included, before it is judged. */
  onExchange?: ((recorded: Recorded) => void) | undefined;
  /**
   * What a client is told of an answer that fails a must by itself, which is held back until it is judged: `header` adds `Conformance-Failure`, `status`
   * answers with a problem document and 502 instead. By default nothing.
   */
  onFailure?: Telling | undefined;
}

/** A proxy whose exchanges are judged. */
export class JudgingProxy {
  readonly #thread: JudgingThread;
  readonly #serving: Serving;
  readonly #passed: { exchanges: number; failing: number };

  private constructor(thread: JudgingThread, serving: Serving, passed: { exchanges: number; failing: number }) {
    this.#thread = thread;
    this.#serving = serving;
    this.#passed = passed;
  }

  /**
   * Starts to serve, and prepares the report directory once it does.
   * @param recordIn the report directory, which is held; undefined to record nothing
   * @throws Error with the system's code when the place cannot be had, or one that says what else prevents it
   */
  static async start(
    configuration: Configuration,
    place: Place,
    recordIn: string | undefined,
    { onFailing, onFull, onExchange, onFailure }: ProxyWatch = {},
  ): Promise<JudgingProxy> {
    const passed = { exchanges: 0, failing: 0 };
    const room = new Room(MOST_KEPT, onFull);
    let thread: JudgingThread | undefined;
    const serving = await serveProxy(configuration, place, {
      room,
      telling: onFailure,
      async onExchange(recorded, isKept) {
        passed.exchanges++;
        onExchange?.(recorded);
        return (await thread?.judge(recorded, isKept)) ?? [];
      },
    });
    try {
      if (recordIn !== undefined) prepare(configuration);
      thread = new JudgingThread({ configuration, recordIn }, room, (failing) => {
        passed.failing++;
        onFailing?.(failing);
      });
      await thread.begun();
    } catch (error) {
      await serving.close();
      await thread?.close();
      throw error;
    }
    return new JudgingProxy(thread, serving, passed);
  }

  /** The proxy's addresses, by the variable that they stand for. */
  get environment(): Record<string, string> {
    return this.#serving.environment;
  }

  /** Number of exchanges that passed, of requests under way, and of requirements that fail so far. */
  stats(): { exchanges: number; inFlight: number; failing: number } {
    return { ...this.#passed, inFlight: this.#serving.inFlight() };
  }

  /**
   * Stops serving, and judges all that passed.
   * @throws NothingSeen when nothing did that belongs to the interfaces
   */
  async end(): Promise<JudgedTraffic> {
    await this.#serving.close();
    // What was under way has still to be given.
    await new Promise(setImmediate);
    return this.#thread.end();
  }

  /** Stops serving and judging, wherever it is; after the end it does nothing. */
  async close(): Promise<void> {
    await this.#serving.close();
    await this.#thread.close();
  }
}

/** Options of a proxy. */
export interface ProxyOptions extends JudgeOptions, Pick<ProxyWatch, 'onFailing' | 'onFailure'> {
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
export async function startProxy({ port = 0, onFailing, onFailure, ...options }: ProxyOptions): Promise<StartedProxy> {
  const given = await configurationOf(options, { purpose: 'proxy' });
  const recordIn = options.reportDir === undefined ? undefined : given.run.reportDir;
  const release = recordIn === undefined ? () => {} : holdDirectory(recordIn, 'a proxy');
  const proxy = await JudgingProxy.start(given, { host: LOOPBACK, port }, recordIn, { onFailing, onFailure }).catch(
    (error) => {
      release();
      throw error;
    },
  );
  const end = async () => {
    try {
      const { configuration, findings } = await proxy.end();
      return recordIn === undefined ? assemble(configuration, findings) : writeRecord(configuration, findings);
    } finally {
      release();
    }
  };
  let ended: Promise<Conformance> | undefined;
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
