/** What a run shows while it runs: a live line on a terminal, plain lines elsewhere. */
import type { Progress } from '../helpers/worker-link.ts';

/** Milliseconds between two plain lines. */
const PLAIN_INTERVAL_MS = 10_000;

export class ProgressLine {
  readonly #stream: NodeJS.WriteStream;
  readonly #start = performance.now();
  #lastPlain = 0;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  show(progress: Progress): void {
    const seconds = (performance.now() - this.#start) / 1000;
    const rate = Math.round(progress.requests / Math.max(seconds, 0.1));
    const waiting = progress.waitingFor ? ` · waiting for ${progress.waitingFor}` : '';
    const line = `${progress.done}/${progress.total} checks · ${progress.failed} failed · ${progress.inFlight} requests in flight · ${rate} requests/s${waiting}`;
    if (this.#stream.isTTY && !process.env.CI) {
      this.#stream.write(`\r\x1b[2K${line.slice(0, Math.max(20, (this.#stream.columns ?? 80) - 1))}`);
    } else if (seconds * 1000 - this.#lastPlain >= PLAIN_INTERVAL_MS) {
      this.#lastPlain = seconds * 1000;
      this.#stream.write(`${line}\n`);
    }
  }

  clear(): void {
    if (this.#stream.isTTY && !process.env.CI) this.#stream.write('\r\x1b[2K');
  }
}
