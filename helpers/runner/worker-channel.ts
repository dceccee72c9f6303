/** The line between the process that is run by a person and the worker that runs the checks. */
import { BroadcastChannel } from 'node:worker_threads';
import type { Conformance, Observation } from '../../contracts/record.ts';
import type { Configuration } from '../configuration/types.ts';
import type { Run } from '../run.ts';
import type { Outcome } from './execute.ts';

const CHANNEL = 'conformance-run';
/** Milliseconds between two notes of progress. */
const INTERVAL_MS = 250;

export interface Progress {
  total: number;
  done: number;
  failed: number;
  requests: number;
  inFlight: number;
  waitingFor: string;
}

/** What the worker knows beside the outcomes of the checks. */
export interface Particulars {
  requests: number;
  observations: Observation[];
  notes: string[];
  pools: NonNullable<Conformance['run']['pools']>;
  fixtures: NonNullable<Conformance['run']['fixtures']>;
  /** Why the run ended early. */
  ended: string | undefined;
}

export interface Beginning {
  /** Interfaces that can be tried. */
  reached: string[];
  /** Why the others cannot be. */
  blocked: Map<string, BlockedInterface>;
}

export interface BlockedInterface {
  reason: string;
  /** Not reached, or the credentials were refused; otherwise it answered what is judged as nonconformant. */
  outOfReach: boolean;
}

type Message =
  | { kind: 'interrupt' }
  | { kind: 'listening' }
  | { kind: 'begun'; beginning: Beginning }
  | { kind: 'progress'; progress: Progress }
  | { kind: 'outcome'; outcome: Outcome }
  | { kind: 'finished'; particulars: Particulars };

/** The worker's end. */
export class WorkerLink {
  readonly #channel = new BroadcastChannel(CHANNEL);
  #timer: NodeJS.Timeout | undefined;
  #progress: Progress = { total: 0, done: 0, failed: 0, requests: 0, inFlight: 0, waitingFor: '' };

  onInterrupt(interrupt: () => void): void {
    this.#channel.onmessage = (event) => {
      if ((event as { data: Message }).data.kind === 'interrupt') interrupt();
    };
    this.#send({ kind: 'listening' });
  }

  started(total: number, beginning: Beginning, run: Run): void {
    this.#progress.total = total;
    this.#send({ kind: 'begun', beginning });
    this.#timer = setInterval(() => {
      const { requests, inFlight } = run.transport.stats();
      this.#send({ kind: 'progress', progress: { ...this.#progress, requests, inFlight } });
    }, INTERVAL_MS);
  }

  waitingFor(waiting: string): void {
    this.#progress.waitingFor = waiting;
  }

  outcome(outcome: Outcome): void {
    this.#progress.done++;
    if (outcome.verdict === 'failed') this.#progress.failed++;
    this.#send({ kind: 'outcome', outcome });
  }

  finished(run: Run): void {
    clearInterval(this.#timer);
    this.#send({ kind: 'finished', particulars: particularsOf(run) });
  }

  close(): void {
    this.#channel.close();
  }

  #send(message: Message): void {
    this.#channel.postMessage(message);
  }
}

/** The end of the process that is run by a person. */
export class RunLink {
  readonly #channel = new BroadcastChannel(CHANNEL);
  readonly outcomes: Outcome[] = [];
  beginning: Beginning | undefined;
  particulars: Particulars | undefined;
  /** Requests by the last note of progress. */
  requests = 0;
  interrupted = false;
  readonly #finished: Promise<void>;

  constructor(onProgress: (progress: Progress) => void) {
    this.#finished = new Promise((resolve) => {
      this.#channel.onmessage = (event) => {
        const message = (event as { data: Message }).data;
        if (message.kind === 'listening' && this.interrupted) this.interrupt();
        if (message.kind === 'begun') this.beginning = message.beginning;
        if (message.kind === 'progress') {
          this.requests = message.progress.requests;
          onProgress(message.progress);
        }
        if (message.kind === 'outcome') this.outcomes.push(message.outcome);
        if (message.kind === 'finished') {
          this.particulars = message.particulars;
          resolve();
        }
      };
    });
  }

  /** Tells the worker to end early, as soon as it listens. */
  interrupt(): void {
    this.interrupted = true;
    this.#channel.postMessage({ kind: 'interrupt' } satisfies Message);
  }

  /** Resolves when the worker has said all, or after `milliseconds` when it died. */
  async finished(milliseconds: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds);
    });
    await Promise.race([this.#finished, limit]);
    clearTimeout(timer);
  }

  close(): void {
    this.#channel.close();
  }
}

/** What a run knows beside the outcomes of its checks. */
export function particularsOf(run: Run): Particulars {
  return {
    requests: run.transport.stats().requests,
    observations: [...run.observations.values()],
    notes: [...run.notes, ...throttlingNote(run)],
    pools: run.leases.report(),
    fixtures: [...run.usedFixtures.values()],
    ended: run.ended,
  };
}

/** That the target throttled the run, if it did: the run took longer for it, and RUN_RATE or RUN_CONCURRENCY would spare both sides. */
function throttlingNote(run: Run): string[] {
  const { throttled } = run.transport.stats();
  if (throttled === 0) return [];
  const many = throttled === 1 ? 'request' : 'requests';
  return [
    `The target answered 429 (too many requests) to ${throttled} ${many}; they were sent again. RUN_RATE and RUN_CONCURRENCY keep below its limit.`,
  ];
}

declare module 'vitest' {
  interface ProvidedContext {
    configuration: Configuration;
  }
}
