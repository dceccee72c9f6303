/**
 * Judges exchanges in a thread of its own, so that nobody who waits for an answer waits for the judgement: most of that is looking for secrets.
 * The other end is {@link JudgingThread}, in the thread that has the exchanges.
 */
import './node-20.ts';
import { constants, setPriority } from 'node:os';
import { extname } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { matches } from '../contracts/pattern.ts';
import { requirementById } from '../contracts/requirements/index.ts';
import { isExpired, isSelected } from '../helpers/configuration/scope.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import { Recorder } from '../helpers/evidence/recorder.ts';
import type { Failure } from '../witness/passing.ts';
import type { Headers, Recorded } from '../witness/recorded.ts';
import type { Room } from '../witness/room.ts';
import { findingsOf, type JudgedTraffic, NothingSeen } from './judge.ts';
import { Judgement } from './judgement.ts';

/** Size in bytes of an exchange, besides its bodies, headers and address. */
const BESIDES = 2048;
/** Size in MiB of the young generation of the thread's memory: what an exchange leaves behind dies there, and is not what all threads stand still for. */
const YOUNG_MIB = 48;
/** Time without an exchange after which all are judged together, in milliseconds. */
const IDLE_MS = 1000;

/** What the thread is told: an exchange and its size, or that there will be no more. */
type Told = { exchange: Recorded; size: number } | { ended: string | undefined };
/** What the thread tells: that it can judge, the size of an exchange that is judged with what it contradicts, and other things. */
type Said =
  | { ready: true }
  | { judged: number; failures: readonly Failure[] }
  | { failing: Failure }
  | { traffic: JudgedTraffic }
  | { nothing: string };

/** What the thread begins with. */
interface Begun {
  configuration: Configuration;
  recordIn: string | undefined;
}

const sizeOf = ({ url, request, response }: Recorded): number =>
  BESIDES +
  [request, response].reduce((sum, { headers, body }) => sum + lengthOf(headers) + (body?.length ?? 0), url.length);

const lengthOf = (headers: Headers): number =>
  Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + String(value).length, 0);

/** Methods of requests that change nothing at either interface. */
const READING = ['GET', 'HEAD'];

/** What is left of an exchange for which there is no room: that somebody made a request, whose outcome is not known. */
function withoutContent({ request, ...rest }: Recorded): Recorded {
  const { authorization } = request.headers;
  return {
    ...rest,
    request: { headers: authorization === undefined ? {} : { authorization } },
    response: { status: 0, headers: {}, body: undefined },
  };
}

/** A thread that judges what it is given, in order. */
export class JudgingThread {
  readonly #worker: Worker;
  readonly #room: Room;
  readonly #begun = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<JudgedTraffic>();
  /** Who waits for the exchanges to be judged, in their order. */
  readonly #waiting: ((failures: readonly Failure[]) => void)[] = [];
  #unjudged = 0;

  /**
   * @param room for exchanges that wait to be judged
   * @param onFailing called when a requirement is first seen to fail
   */
  constructor(begun: Begun, room: Room, onFailing: (failing: Failure) => void) {
    this.#room = room;
    this.#worker = new Worker(new URL(`./judging-thread${extname(import.meta.filename)}`, import.meta.url), {
      workerData: begun satisfies Begun,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
    });
    this.#ended.promise.catch(() => {});
    this.#worker.on('error', (error) => {
      this.#begun.reject(error);
      this.#ended.reject(error);
    });
    // Whoever still waits learns nothing more.
    this.#worker.once('exit', () => {
      for (const tell of this.#waiting.splice(0)) tell([]);
    });
    this.#worker.on('message', (said: Said) => {
      if ('ready' in said) this.#begun.resolve();
      else if ('judged' in said) {
        this.#room.free(said.judged);
        this.#waiting.shift()?.(said.failures);
      } else if ('failing' in said) onFailing(said.failing);
      else if ('traffic' in said) this.#ended.resolve(said.traffic);
      else this.#ended.reject(new NothingSeen(said.nothing));
    });
  }

  /**
   * Waits until it can judge: what it lacks is better known before anything passes.
   * @throws Error when it cannot, such as for want of a file to write to
   */
  begun(): Promise<void> {
    return this.#begun.promise;
  }

  /**
   * Gives it an exchange. Of one for which there is no room nothing is known, or, where others may show what it did, that it was made.
   * @param isKept whether the exchange is whole as far as the memory for it is concerned
   * @returns what it contradicts by itself and counts, once it is judged; nothing where the thread ends before
   */
  judge(exchange: Recorded, isKept: boolean): Promise<readonly Failure[]> {
    const size = sizeOf(exchange);
    const hasRoom = this.#room.take(size);
    if (!hasRoom || !isKept) this.#unjudged++;
    if (!hasRoom && READING.includes(exchange.method)) return Promise.resolve([]);
    const known = hasRoom ? { exchange, size } : { exchange: withoutContent(exchange), size: 0 };
    this.#worker.postMessage(known satisfies Told);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /**
   * Waits until all that it was given is judged, and ends it.
   * @throws NothingSeen when nothing of it belongs to the interfaces
   */
  async end(): Promise<JudgedTraffic> {
    const ended =
      this.#unjudged > 0
        ? `${this.#unjudged} exchanges were passed on and not judged: there was more under way, or waiting to be judged, than is kept`
        : undefined;
    this.#worker.postMessage({ ended } satisfies Told);
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
  const judgement = new Judgement(configuration, recorder);
  const { witness } = judgement;
  const failing = new Set<string>();
  const say = (said: Said) => parentPort!.postMessage(said);
  const note = (requirement: string, message: string) => {
    if (failing.has(requirement)) return;
    failing.add(requirement);
    say({ failing: { requirement, message } });
  };
  /** Why some of it is not judged. */
  const reasons: string[] = [];
  recorder.onFailure = (reason) => reasons.push(reason);
  /** Does a part of the work; a bug in it costs that part alone. */
  const attempt = (doing: () => void) => {
    try {
      doing();
    } catch (error) {
      reasons.push(witness.redactor.text(`an exchange could not be judged (${(error as Error).message})`));
    }
  };
  const look = () => {
    for (const { requirement, verdict, message } of judgement.outcomes)
      if (verdict === 'failed') note(requirement, message);
  };
  let idle: NodeJS.Timeout | undefined;
  const take = (exchange: Recorded): Failure[] => {
    const found = judgement.take(whole(exchange)).map(({ requirement, message }) => ({
      requirement,
      message: witness.redactor.text(message),
    }));
    for (const { requirement, message } of found) note(requirement, message);
    return found.filter(({ requirement }) => counts(configuration, requirement));
  };
  parentPort!.on('message', (told: Told) => {
    if ('exchange' in told) {
      let failures: Failure[] = [];
      attempt(() => {
        failures = take(told.exchange);
      });
      say({ judged: told.size, failures });
      clearTimeout(idle);
      idle = setTimeout(attempt, IDLE_MS, look);
      return;
    }
    recorder.close();
    try {
      const ended = [told.ended, ...new Set(reasons)].filter((reason) => reason !== undefined).join('; ') || undefined;
      say({ traffic: findingsOf(judgement, 'proxy', startedAt, { ended }) });
    } catch (error) {
      if (!(error instanceof NothingSeen)) throw error;
      say({ nothing: error.message });
    }
  });
  say({ ready: true });
}

/** Whether the failure of a requirement makes a run fail: a must that is selected, and not known to fail. */
function counts(configuration: Configuration, id: string): boolean {
  const requirement = requirementById(id);
  const { knownFailures } = configuration.run;
  const isKnown = knownFailures.some((one) => matches(one.id, id) && !isExpired(one, new Date()));
  return requirement.level === 'must' && isSelected(configuration, requirement) && !isKnown;
}

/** An exchange whose bodies are buffers again, and copies: what came is a view of all that a buffer shared its memory with. */
function whole({ request, response, ...rest }: Recorded): Recorded {
  const { body: sent, ...requested } = request;
  return {
    ...rest,
    request: { ...requested, ...(sent && { body: Buffer.from(sent) }) },
    response: { ...response, body: response.body && Buffer.from(response.body) },
  };
}

if (!isMainThread && parentPort && isBegun(workerData)) {
  // With Linux a priority is that of the thread: whatever passes goes first.
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
  work(workerData);
}

/** Whether this is the thread: other threads load the module, too, such as those of a test runner. */
function isBegun(value: unknown): value is Begun {
  return typeof value === 'object' && value !== null && 'configuration' in value && 'recordIn' in value;
}
