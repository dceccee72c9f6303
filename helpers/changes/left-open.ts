/** Reads from changes.ndjson which changes a run left in force. */
import { existsSync, lstatSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { type Change, change } from '../../contracts/record.ts';
import { parseDamagedJson } from '../../files/json.ts';
import { UnusableFile } from '../../files/open.ts';
import { endsWithinLine, readLines } from '../../files/read.ts';
import { type Input, memberOf } from '../answer.ts';
import { CONSUMING } from './inverse.ts';
import type { UndoableChange } from './undo.ts';

/** Prevents a cleanup from doing its work; the message is one line. */
export class CleanupError extends Error {}

const CHANGES = 'changes.ndjson';

/** A change that may still be in force. */
export interface OpenChange extends UndoableChange {
  /** Whether it was accepted; otherwise its fate is unknown. */
  isAccepted: boolean;
  /** Balances of the transfer's cards before it, in units. */
  balances: readonly { identifier: string; balance: number }[];
  /** Its card was then closed, marked lost or the like, so that nothing can undo the change. */
  lasting: boolean;
}

interface LeftOpen {
  open: OpenChange[];
  /** What cannot be read, and may be about further changes: `line 3: ...`. */
  unreadable: string[];
}

/**
 * The reversible changes of a run that were accepted, or whose fate is unknown, and that were neither undone nor
 * recorded as lasting.
 * @throws CleanupError when the directory has no changes.ndjson, or it is not a file
 */
export function openChanges(directory: string): LeftOpen {
  const open = new Map<string, OpenChange>();
  const unreadable: string[] = [];
  const consumed = new Set<string>();
  const operations = new Map<string, { operation: string; identifier: string }>();
  for (const line of readChanges(directory)) {
    if (typeof line === 'string') {
      unreadable.push(line);
      continue;
    }
    const { id, event, operation, input, undo, status, balances = [] } = line;
    const identifier = memberOf(input?.path, 'identifier');
    if (event === 'sending' && typeof identifier === 'string') {
      operations.set(id, { operation, identifier });
      if (undo)
        open.set(id, {
          id,
          operation,
          identifier,
          input: input as Input,
          isAccepted: false,
          balances,
          lasting: false,
        });
    }
    if (event === 'undone' || event === 'lasting') open.delete(id);
    if (event !== 'answered' || typeof status !== 'number') continue;
    if (status >= 300 && status < 500) open.delete(id);
    if (status >= 300) continue;
    const change = open.get(id);
    if (change) change.isAccepted = true;
    const accepted = operations.get(id);
    if (accepted && CONSUMING.includes(accepted.operation)) consumed.add(accepted.identifier);
  }
  return { open: [...open.values()].map((one) => ({ ...one, lasting: consumed.has(one.identifier) })), unreadable };
}

/** Moves a record with open changes out of the way. @returns the directory for a cleanup; undefined if none is open */
export function setAside(directory: string): string | undefined {
  if (leftOpenInWords(directory) === undefined) return undefined;
  let kept = '';
  for (let n = 1; kept === '' || existsSync(kept); n++) kept = join(directory, `unfinished-${n}`);
  mkdirSync(kept);
  renameSync(join(directory, CHANGES), join(kept, CHANGES));
  return kept;
}

/** The changes that may have to be undone, or cannot be read, in words; undefined if there are none. */
export function leftOpenInWords(directory: string): string | undefined {
  if (!lstatSync(join(directory, CHANGES), { throwIfNoEntry: false })) return undefined;
  try {
    const { open, unreadable } = openChanges(directory);
    const kinds = open
      .filter(({ lasting }) => !lasting)
      .map(({ operation, isAccepted }) => `${operation}${isAccepted ? '' : ' of unknown outcome'}`);
    const words = [...new Set(kinds)].map((kind) => `${kinds.filter((one) => one === kind).length} × ${kind}`);
    return [...words, ...unreadable].join('; ') || undefined;
  } catch (error) {
    if (error instanceof CleanupError) return error.message;
    throw error;
  }
}

/** Yields the lines of changes.ndjson, and what cannot be read in words. A line cut off was never sent. */
function* readChanges(directory: string): Generator<Change | string> {
  const file = join(directory, CHANGES);
  let number = 0;
  let last = '';
  try {
    for (const line of readLines(file)) {
      if (number > 0) yield* readChange(last, number);
      number++;
      last = line;
    }
    // A system that crashed leaves NUL bytes in place of what was written.
    const isCutOff = endsWithinLine(file) && last.startsWith('{') && parseDamagedJson(last) === undefined;
    if (number > 0 && !isCutOff) yield* readChange(last, number);
  } catch (error) {
    const why =
      error instanceof UnusableFile ? error.reason : `cannot be read (${(error as NodeJS.ErrnoException).code})`;
    if (number === 0) throw new CleanupError(`${file}: ${why}; name a report directory`);
    yield* readChange(last, number);
    yield `line ${number + 1}: ${why}`;
  }
}

function* readChange(line: string, number: number): Generator<Change | string> {
  if (line.trim() === '') return;
  const read = change.safeParse(parseDamagedJson(line));
  yield read.success ? read.data : `line ${number}: not a change that this version of the suite writes`;
}
