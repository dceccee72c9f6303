/** Shows the progress of a run: a live line on a terminal, plain lines elsewhere. */
import { duration } from '../reports/text.ts';
import type { Progress } from '../run/vitest/collector.ts';

/** Interval of plain lines, in milliseconds. */
const PLAIN_INTERVAL_MS = 10_000;
/** Time over which the rate is measured, in milliseconds. */
const RATE_WINDOW_MS = 3000;

/** The output stream; a terminal if `isTTY`. */
export interface ProgressStream {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

/** The progress of a run on one stream. */
export class ProgressLine {
  readonly #stream: ProgressStream;
  readonly #live: boolean;
  readonly #now: () => number;
  readonly #startedAt: number;
  /** Number of requests at points in time, for the rate. */
  #samples: { at: number; requests: number }[];
  #lastPlain = Number.NEGATIVE_INFINITY;
  #lastLine = '';
  /** What the last plain line was waiting for, without numbers. */
  #shown = '';

  /** @param now milliseconds of a monotonic clock */
  constructor(
    stream: ProgressStream,
    env: Record<string, string | undefined> = process.env,
    now = () => performance.now(),
  ) {
    this.#stream = stream;
    this.#live = stream.isTTY === true && !env.CI;
    this.#now = now;
    this.#startedAt = now();
    this.#samples = [{ at: this.#startedAt, requests: 0 }];
  }

  /** Shows the progress; on anything but a terminal only at intervals. */
  show({ done, total, failed, advice, inFlight, requests, waitingFor }: Progress): void {
    const waiting = waitingFor ? [`waiting: ${waitingFor}`] : [];
    const parts = [
      `${done}/${total} checks`,
      `${failed} failed${advice > 0 ? ` and ${advice} recommendations not followed` : ''}`,
      `${inFlight} in flight`,
      `${this.#rate(requests)} requests/s`,
      ...this.#timeLeft(done, total),
      ...waiting,
    ];
    this.#write(parts.join(' · '), waitingFor);
  }

  /** Shows a line of another kind of work. */
  tell(line: string): void {
    this.#write(line, '');
  }

  /** Clears the live line, so that something else can be printed. */
  clear(): void {
    if (this.#live) this.#stream.write('\r\x1b[2K');
  }

  /** Writes the live line. A plain line is written at intervals if it differs, or at once if a new wait begins. */
  #write(line: string, waitingFor: string): void {
    if (this.#live) {
      this.#stream.write(`\r\x1b[2K${line.slice(0, Math.max(20, (this.#stream.columns ?? 80) - 1))}`);
      return;
    }
    const now = this.#now();
    const waited = waitingFor.replace(/\d+/g, '');
    const isNews = waited !== '' && waited !== this.#shown;
    if (isNews) this.#shown = waited;
    if (line === this.#lastLine || (!isNews && now - this.#lastPlain < PLAIN_INTERVAL_MS)) return;
    this.#lastPlain = now;
    this.#lastLine = line;
    this.#stream.write(`${line}\n`);
  }

  /** The time left if the other checks take as long as those that are done; empty before a tenth of them is. */
  #timeLeft(done: number, total: number): string[] {
    const elapsed = this.#now() - this.#startedAt;
    if (done < total / 10 || done >= total) return [];
    return [`about ${duration(Math.ceil(((elapsed / done) * (total - done)) / 1000) * 1000)} left`];
  }

  #rate(requests: number): number {
    const now = this.#now();
    this.#samples.push({ at: now, requests });
    while (this.#samples.length > 2 && this.#samples[1]!.at < now - RATE_WINDOW_MS) this.#samples.shift();
    const first = this.#samples[0]!;
    return Math.round(((requests - first.requests) * 1000) / Math.max(1, now - first.at));
  }
}
