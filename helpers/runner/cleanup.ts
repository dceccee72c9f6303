/** Undoes what a killed run left changed. */
import { ACTIVE } from '../../contracts/v3/cards.ts';
import { cents, readState } from '../cards/card-state.ts';
import { CleanupError, type OpenChange } from '../changes/left-open.ts';
import { Undo, type UndoableCard } from '../changes/undo.ts';
import type { Configuration } from '../configuration/types.ts';
import { Context } from '../context.ts';
import { Recorder } from '../evidence/recorder.ts';
import { Run } from '../run.ts';
import { reach } from './reach.ts';

/** The result of a cleanup: ids of changes undone, ids of changes at another target, and notes. */
export interface Cleaned {
  undone: Set<string>;
  elsewhere: Set<string>;
  notes: string[];
}

/**
 * Undoes open changes at the configured target, and appends to the record in the directory.
 * @returns ids of the changes that are undone or need no undoing, ids of those whose card is not at this target, and
 * notes on what failed
 * @throws CleanupError when the target cannot be reached or refuses the credentials
 */
export async function cleanUp(
  configuration: Configuration,
  directory: string,
  open: readonly OpenChange[],
): Promise<Cleaned> {
  const withoutPortal = { ...configuration, target: { ...configuration.target, portalUrl: undefined } };
  const run = new Run(withoutPortal, [], { recorder: new Recorder(directory, true) });
  // A failing record must not prevent undoing.
  run.recorder.onFailure = (reason) => run.note(reason);
  try {
    const { reached, blocked } = await reach(run);
    if (!reached.includes('v3')) throw new CleanupError(blocked.get('v3')?.reason ?? 'TARGET_BASE_URL: not set');
    const undone = new Set<string>();
    for (const change of open.filter(({ lasting }) => lasting)) {
      run.changes.lasting(change);
      undone.add(change.id);
    }
    const elsewhere = await undo(
      run,
      open.filter(({ lasting }) => !lasting),
      undone,
    );
    return { undone, elsewhere, notes: run.notes };
  } finally {
    await run.close();
  }
}

/** @returns ids of the changes whose card is not at this target */
async function undo(run: Run, open: readonly OpenChange[], undone: Set<string>): Promise<Set<string>> {
  const { disposable = [] } = run.configuration.fixtures.cards ?? {};
  const customer = open.find(({ permissions }) => permissions);
  const context = new Context(run, 'cleanup', true);
  const done = (change: Pick<OpenChange, 'id' | 'operation'>, exchange: string) => {
    run.changes.undone(change, exchange);
    undone.add(change.id);
  };
  const undo = new Undo({
    async call(operation, input, options) {
      const answer = await context.call(operation, input, options);
      undo.answered(answer);
      return answer;
    },
    changes: { undone: done, lasting: (change) => run.changes.lasting(change) },
    note: (note) => run.note(note),
    defect: (where, error) => run.defect(where, error),
    settleMs: run.configuration.run.settleMs,
    customer: { identifier: customer?.identifier, permissions: customer?.permissions },
  });
  const changed = new Map<string, UndoableCard>();
  const noteCard = (identifier: string, balance: number | undefined) => {
    const pool = disposable.includes(identifier) ? 'disposable' : 'active';
    const known = changed.get(identifier);
    changed.set(identifier, { identifier, pool, status: ACTIVE, balance: known?.balance ?? balance });
  };
  const elsewhere = new Map<OpenChange, string>();
  for (const change of open) {
    const { isBack, isThere, exchange } = await look(context, change);
    if (isBack) done(change, exchange);
    if (!isThere) elsewhere.set(change, exchange);
    if (isBack || !isThere) continue;
    undo.sending(change.operation, change.input);
    undo.unanswered(change.id, change.operation, change.input);
    if (change.operation === 'cards.suspend') noteCard(change.identifier, undefined);
    for (const { identifier, balance } of change.balances) noteCard(identifier, cents(balance));
  }
  await undo.run([...changed.values()]);
  // If nothing of the run is found, this is another target, and all changes stay open.
  if (elsewhere.size < open.length) for (const [change, exchange] of elsewhere) done(change, exchange);
  return new Set([...elsewhere.keys()].map(({ id }) => id));
}

/** Statuses that show that no such card is within reach, so that the request was a probe. */
const NOT_THERE = [400, 403, 404, 410];

/** Reads the card first: the run, or somebody else, may have unsuspended it. */
async function look(
  context: Context,
  change: OpenChange,
): Promise<{ isBack: boolean; isThere: boolean; exchange: string }> {
  if (change.operation === 'users.setPermissions') return { isBack: false, isThere: true, exchange: '' };
  const { status, record } = await readState((operation, input) => context.call(operation, input), change.identifier);
  return {
    isBack: change.operation === 'cards.suspend' && status === ACTIVE,
    isThere: record === undefined || !NOT_THERE.includes(record.status),
    exchange: record?.exchange ?? '',
  };
}
