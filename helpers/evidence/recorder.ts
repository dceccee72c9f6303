/** Writes exchanges.ndjson and changes.ndjson during the run, so that nothing is lost if the run is killed. */
import { join } from 'node:path';
import type { Change, Exchange } from '../../contracts/record.ts';
import { writeFileJson } from '../../files/json.ts';
import { readLines } from '../../files/read.ts';
import { LineFile, makeDirectory } from '../../files/write.ts';
import type { Redacted } from '../../redaction/types.ts';

/** An exchange whose texts of the target have been redacted. */
export type RedactedExchange = Exchange & {
  request: { url: Redacted; body: Redacted | null };
  response: { body: Redacted | null } | null;
  error?: { message: Redacted };
};

/** Appends the records of a run, line by line. Everything passed to it is already redacted. */
export class Recorder {
  readonly #exchanges: LineFile | undefined;
  readonly #changes: LineFile | undefined;
  /** Called with the reason whenever a write fails. Later writes may succeed. */
  onFailure: (reason: string) => void = () => {};
  #exchangeCount = 0;
  #changeCount = 0;

  /**
   * @param directory the report directory, created if missing; undefined to write nothing
   * @param continues whether to append to existing files, for work that follows a run; otherwise there must be none, so
   * that nothing is lost
   * @throws Error with the system's code, or one that names the file
   */
  constructor(directory: string | undefined, continues = false) {
    if (directory === undefined) return;
    makeDirectory(directory);
    const [exchanges, changes] = [join(directory, 'exchanges.ndjson'), join(directory, 'changes.ndjson')];
    this.#exchanges = new LineFile(exchanges, continues);
    this.#changes = new LineFile(changes, continues);
    this.#exchangeCount = lastNumber(exchanges);
    this.#changeCount = lastNumber(changes);
  }

  /** x00001, x00002, ... in call order. */
  nextExchangeId(): string {
    return `x${String(++this.#exchangeCount).padStart(5, '0')}`;
  }

  /** c00001, c00002, ... in call order. */
  nextChangeId(): string {
    return `c${String(++this.#changeCount).padStart(5, '0')}`;
  }

  /** @returns false if it could not be written */
  exchange(exchange: RedactedExchange): boolean {
    return this.#write(this.#exchanges, exchange);
  }

  /** @returns false if it could not be written */
  change(change: Change): boolean {
    return this.#write(this.#changes, change);
  }

  #write(file: LineFile | undefined, value: Exchange | Change): boolean {
    try {
      file?.write(writeFileJson(value));
      return true;
    } catch (error) {
      this.onFailure(`the record cannot be written (${(error as Error).message})`);
      return false;
    }
  }

  /** Closes the files; call nothing afterwards. */
  close(): void {
    this.#exchanges?.close();
    this.#changes?.close();
  }
}

/** The highest id number in a file of lines, 0 if there is none. */
function lastNumber(file: string): number {
  let last = 0;
  for (const line of readLines(file)) {
    const [, digits = 0] = /^\{"id":"[xc](\d+)"/.exec(line) ?? [];
    last = Math.max(last, Number(digits));
  }
  return last;
}
