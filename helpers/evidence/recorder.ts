/** Writes exchanges.ndjson and changes.ndjson while the run goes on, so that nothing learned is lost when it is killed. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Change, Exchange } from '../../contracts/record.ts';
import { writeFileJson } from '../../files/json.ts';
import { LineFile, makeDirectory, writeWholeFile } from '../../files/write.ts';

/** What a run writes line by line. Everything given to it is redacted already. */
export class Recorder {
  readonly #exchanges: LineFile | undefined;
  readonly #changes: LineFile | undefined;
  /** Called with the reason whenever something could not be written. What is recorded later may fit again. */
  onFailure: (reason: string) => void = () => {};
  #exchangeCount = 0;
  #changeCount = 0;

  /**
   * @param directory the report directory, created where it is missing; undefined to write nothing
   * @param continues whether to go on with what is written there, for what follows on a run; otherwise that is dropped
   */
  constructor(directory: string | undefined, continues = false) {
    if (directory === undefined) return;
    makeDirectory(directory);
    const [exchanges, changes] = [join(directory, 'exchanges.ndjson'), join(directory, 'changes.ndjson')];
    this.#exchangeCount = continues ? lastNumber(exchanges) : 0;
    this.#changeCount = continues ? lastNumber(changes) : 0;
    this.#exchanges = new LineFile(exchanges, continues);
    this.#changes = new LineFile(changes, continues);
  }

  /** x00001, x00002, ... in the order of the calls. */
  nextExchangeId(): string {
    return `x${String(++this.#exchangeCount).padStart(5, '0')}`;
  }

  /** c00001, c00002, ... in the order of the calls. */
  nextChangeId(): string {
    return `c${String(++this.#changeCount).padStart(5, '0')}`;
  }

  /** @returns false when it could not be written */
  exchange(exchange: Exchange): boolean {
    return this.#write(this.#exchanges, exchange);
  }

  /** @returns false when it could not be written */
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

  /** Nothing is written after it. */
  close(): void {
    this.#exchanges?.close();
    this.#changes?.close();
  }
}

/** The greatest number of an id in a file of lines, 0 for none. A last line that was cut off is taken away. */
function lastNumber(file: string): number {
  if (!existsSync(file)) return 0;
  const text = readFileSync(file, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole !== text) writeWholeFile(file, whole);
  return Math.max(0, ...Array.from(whole.matchAll(/^\{"id":"[xc](\d+)"/gm), ([, digits]) => Number(digits)));
}
