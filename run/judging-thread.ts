/**
 * Judges exchanges in a thread of its own, so that nobody who waits for an answer waits for the judgement: most of that is looking for secrets.
 * The other end is {@link JudgingThread}, in the thread that has the exchanges.
 */
import './node-20.ts';
import { extname } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { Configuration } from '../helpers/configuration/types.ts';
import { Recorder } from '../helpers/evidence/recorder.ts';
import { suite } from '../suites/index.ts';
import { outcomesOf } from '../witness/outcomes.ts';
import type { Recorded } from '../witness/recorded.ts';
import { Witness } from '../witness/witness.ts';
import { findingsOf, type JudgedTraffic, NothingSeen } from './judge.ts';

/** Size in bytes of exchanges that wait to be judged; what comes beyond is passed on unjudged. */
const MOST_WAITING = 256 * 1024 * 1024;
/** Size in bytes of an exchange, besides its bodies. */
const BESIDES = 2048;
/** Time without an exchange after which all are judged together, in milliseconds. */
const IDLE_MS = 1000;

/** A requirement that fails by what has been seen so far. */
export interface Failing {
  requirement: string;
  message: string;
}

/** What the thread is told: an exchange, or that there will be no more. */
type Told = { exchange: Recorded } | { unjudged: number };
/** What the thread tells. */
type Said = { judged: number } | { failing: Failing } | { traffic: JudgedTraffic } | { nothing: string };

/** What the thread begins with. */
interface Begun {
  configuration: Configuration;
  recordIn: string | undefined;
}

const sizeOf = ({ request, response }: Recorded): number =>
  BESIDES + (request.body?.length ?? 0) + (response.body?.length ?? 0);

/** A thread that judges what it is given, in order. */
export class JudgingThread {
  readonly #worker: Worker;
  readonly #ended = Promise.withResolvers<JudgedTraffic>();
  #waiting = 0;
  #unjudged = 0;

  /** @param onFailing called when a requirement is first seen to fail */
  constructor(begun: Begun, onFailing: (failing: Failing) => void) {
    this.#worker = new Worker(new URL(`./judging-thread${extname(import.meta.filename)}`, import.meta.url), {
      workerData: begun satisfies Begun,
    });
    this.#ended.promise.catch(() => {});
    this.#worker.on('error', (error) => this.#ended.reject(error));
    this.#worker.on('message', (said: Said) => {
      if ('judged' in said) this.#waiting -= said.judged;
      else if ('failing' in said) onFailing(said.failing);
      else if ('traffic' in said) this.#ended.resolve(said.traffic);
      else this.#ended.reject(new NothingSeen(said.nothing));
    });
  }

  /** Gives it an exchange. */
  judge(exchange: Recorded): void {
    const size = sizeOf(exchange);
    if (this.#waiting + size > MOST_WAITING) {
      this.#unjudged++;
      return;
    }
    this.#waiting += size;
    this.#worker.postMessage({ exchange } satisfies Told);
  }

  /**
   * Waits until all that it was given is judged, and ends it.
   * @throws NothingSeen when nothing of it belongs to the interfaces
   */
  async end(): Promise<JudgedTraffic> {
    this.#worker.postMessage({ unjudged: this.#unjudged } satisfies Told);
    try {
      return await this.#ended.promise;
    } finally {
      await this.close();
    }
  }

  /** Ends it wherever it is. */
  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** The thread itself. */
function work({ configuration, recordIn }: Begun): void {
  const startedAt = new Date();
  const recorder = new Recorder(recordIn);
  const witness = new Witness(configuration, suite, recorder);
  const failing = new Set<string>();
  const say = (said: Said) => parentPort!.postMessage(said);
  const note = (requirement: string, message: string) => {
    if (failing.has(requirement)) return;
    failing.add(requirement);
    say({ failing: { requirement, message } });
  };
  const look = () => {
    for (const { requirement, verdict, message } of outcomesOf(witness, witness.history(), suite))
      if (verdict === 'failed') note(requirement, message);
  };
  let idle: NodeJS.Timeout | undefined;
  const take = (exchange: Recorded) => {
    for (const { requirement, message } of witness.take(whole(exchange)))
      note(requirement, witness.redactor.text(message));
    say({ judged: sizeOf(exchange) });
    clearTimeout(idle);
    idle = setTimeout(look, IDLE_MS);
  };
  parentPort!.on('message', (told: Told) => {
    if ('exchange' in told) return take(told.exchange);
    recorder.close();
    const ended = told.unjudged > 0 ? `${told.unjudged} exchanges came faster than they could be judged` : undefined;
    try {
      return say({ traffic: findingsOf(witness, 'proxy', startedAt, { ended }) });
    } catch (error) {
      if (!(error instanceof NothingSeen)) throw error;
      return say({ nothing: error.message });
    }
  });
}

/** An exchange whose bodies are buffers again. */
function whole({ request, response, ...rest }: Recorded): Recorded {
  const { body: sent, ...requested } = request;
  return {
    ...rest,
    request: { ...requested, ...(sent && { body: Buffer.from(sent) }) },
    response: { ...response, body: response.body && Buffer.from(response.body) },
  };
}

if (!isMainThread && parentPort && isBegun(workerData)) work(workerData);

/** Whether this is the thread: other threads load the module, too, such as those of a test runner. */
function isBegun(value: unknown): value is Begun {
  return typeof value === 'object' && value !== null && 'configuration' in value && 'recordIn' in value;
}
