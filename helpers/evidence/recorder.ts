/** Writes exchanges.ndjson and changes.ndjson while the run goes on, so that nothing learned is lost when it is killed. */
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Change, Exchange } from '../../contracts/record.ts';
import { writeJson } from '../json.ts';

/** What a run writes line by line. Everything given to it is redacted already. */
export class Recorder {
  readonly #exchanges: number;
  readonly #changes: number;
  #exchangeCount: number;
  #changeCount: number;

  /**
   * @param directory the report directory; created where it is missing
   * @param continues whether to go on with what is written there, for what follows on a run; otherwise that is dropped
   */
  constructor(directory: string, continues = false) {
    mkdirSync(directory, { recursive: true });
    const [exchanges, changes] = [join(directory, 'exchanges.ndjson'), join(directory, 'changes.ndjson')];
    this.#exchangeCount = continues ? lastNumber(exchanges) : 0;
    this.#changeCount = continues ? lastNumber(changes) : 0;
    const flags = continues ? 'a' : 'w';
    this.#exchanges = openSync(exchanges, flags);
    this.#changes = openSync(changes, flags);
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

/** The greatest number of an id in a file of lines, 0 for none. A last line that was cut off is taken away. */
function lastNumber(file: string): number {
  if (!existsSync(file)) return 0;
  const text = readFileSync(file, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole !== text) writeFileSync(file, whole);
  return Math.max(0, ...Array.from(whole.matchAll(/^\{"id":"[xc](\d+)"/gm), ([, digits]) => Number(digits)));
}
