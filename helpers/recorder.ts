/** Writes exchanges.ndjson and changes.ndjson while the run goes on, so that nothing learned is lost when it is killed. */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Change, Exchange } from '../contracts/record.ts';
import { writeJson } from './json.ts';

/** What a run writes line by line. Everything given to it is redacted already. */
export class Recorder {
  readonly #exchanges: number;
  readonly #changes: number;
  #exchangeCount = 0;
  #changeCount = 0;

  /** @param directory the report directory; created where it is missing, earlier lines are dropped */
  constructor(directory: string) {
    mkdirSync(directory, { recursive: true });
    this.#exchanges = openSync(join(directory, 'exchanges.ndjson'), 'w');
    this.#changes = openSync(join(directory, 'changes.ndjson'), 'w');
  }

  nextExchangeId(): string {
    return `x${String(++this.#exchangeCount).padStart(5, '0')}`;
  }

  nextChangeId(): string {
    return `c${String(++this.#changeCount).padStart(5, '0')}`;
  }

  exchange(exchange: Exchange): void {
    writeSync(this.#exchanges, `${writeJson(exchange)}\n`);
  }

  change(change: Change): void {
    writeSync(this.#changes, `${writeJson(change)}\n`);
  }

  close(): void {
    closeSync(this.#exchanges);
    closeSync(this.#changes);
  }
}
