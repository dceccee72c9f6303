/** Reads from changes.ndjson which changes a run left in force. */
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { type Change, change } from '../../contracts/record.ts';
import { NotReadable, readWholeFile } from '../../files/read.ts';
import { type Input, memberOf } from '../answer.ts';
import { CONSUMING } from './inverse.ts';

/** Prevents a cleanup from doing its work; the message is one line. */
export class CleanupError extends Error {}

const CHANGES = 'changes.ndjson';

type Permissions = Record<string, boolean>;

/** A change that may still be in force. */
export interface OpenChange {
  id: string;
  operation: string;
  identifier: string;
  input: Input;
  /** Balances of the transfer's cards before it, in units. */
  balances: readonly { identifier: string; balance: number }[];
  /** The permissions that restore a customer. */
  permissions: Permissions | undefined;
  /** Its card was then closed, marked lost or the like, so that nothing can undo the change. */
  lasting: boolean;
}

/**
 * The reversible changes of a run that were accepted, or whose fate is unknown, and that were neither undone nor
 * recorded as lasting.
 * @throws CleanupError when the directory has no changes.ndjson, or the file is not valid
 */
export function openChanges(directory: string): OpenChange[] {
  const open = new Map<string, OpenChange>();
  const consumed = new Set<string>();
  const operations = new Map<string, { operation: string; identifier: string }>();
  for (const { id, event, operation, input, undo, status, balances = [] } of readChanges(directory)) {
    const identifier = memberOf(input?.path, 'identifier');
    if (event === 'sending' && typeof identifier === 'string') {
      operations.set(id, { operation, identifier });
      const permissions = operation === 'users.setPermissions' ? (undo?.input.json as Permissions) : undefined;
      if (undo)
        open.set(id, { id, operation, identifier, input: input as Input, balances, permissions, lasting: false });
    }
    if (event === 'undone' || event === 'lasting') open.delete(id);
    if (event !== 'answered' || typeof status !== 'number') continue;
    if (status >= 300 && status < 500) open.delete(id);
    const accepted = operations.get(id);
    if (status < 300 && accepted && CONSUMING.includes(accepted.operation)) consumed.add(accepted.identifier);
  }
  return [...open.values()].map((one) => ({ ...one, lasting: consumed.has(one.identifier) }));
}

/**
 * Moves an earlier run's open changes out of the way of the next run into the same report directory.
 * @returns the directory to pass to a cleanup instead; undefined if nothing is open
 */
export function setAside(directory: string): string | undefined {
  if (!leftOpen(directory)) return undefined;
  let kept = '';
  for (let n = 1; kept === '' || existsSync(kept); n++) kept = join(directory, `unfinished-${n}`);
  mkdirSync(kept);
  renameSync(join(directory, CHANGES), join(kept, CHANGES));
  return kept;
}

/** Whether the run in the directory left changes that a cleanup can undo. */
export function leftOpen(directory: string): boolean {
  try {
    return openChanges(directory).some(({ lasting }) => !lasting);
  } catch (error) {
    if (error instanceof CleanupError) return false;
    throw error;
  }
}

/** Yields the lines of changes.ndjson. A truncated last line is ignored: its request was never sent. */
function* readChanges(directory: string): Generator<Change> {
  const file = join(directory, CHANGES);
  let text: string;
  try {
    text = readWholeFile(file);
  } catch (error) {
    throw new CleanupError(
      `${file}: ${error instanceof NotReadable ? error.message : `cannot be read (${(error as NodeJS.ErrnoException).code})`}; name a report directory`,
    );
  }
  const lines = text.split('\n').slice(0, -1);
  for (const [index, line] of lines.entries()) {
    const read = change.safeParse(jsonOf(line));
    if (!read.success) throw new CleanupError(`${file} line ${index + 1}: not a change that a run wrote`);
    yield read.data;
  }
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
