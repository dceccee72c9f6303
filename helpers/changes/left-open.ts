/** What a run left open at the target, by its changes.ndjson. */
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { type Change, change } from '../../contracts/record.ts';
import { NotReadable, readWholeFile } from '../../files/read.ts';
import { type Input, memberOf } from '../answer.ts';
import { CONSUMING } from './inverse.ts';

/** What keeps a cleanup from doing its work; the message is one line. */
export class CleanupError extends Error {}

const CHANGES = 'changes.ndjson';

type Permissions = Record<string, boolean>;

/** A change that may still be in force. */
export interface OpenChange {
  id: string;
  operation: string;
  identifier: string;
  input: Input;
  /** Balances of the cards around a transfer before it, in units. */
  balances: readonly { identifier: string; balance: number }[];
  /** What puts the permissions of a customer back. */
  permissions: Permissions | undefined;
  /** Its card was closed, marked lost and the like afterwards: nothing takes it back. */
  lasting: boolean;
}

/**
 * The reversible changes of a run that were accepted, or whose fate is unknown, and that were neither undone nor given up.
 * @throws CleanupError when there is no changes.ndjson in the directory, or it cannot be read as one
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
 * Moves what an earlier run left open out of the way of the next run into the same report directory.
 * @returns the directory that a cleanup can be given instead; undefined where nothing is open
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

/** The lines of changes.ndjson; a last one that was cut off was never followed by its request. */
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
    if (!read.success) throw new CleanupError(`${file} line ${index + 1}: is not as a run writes it`);
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
