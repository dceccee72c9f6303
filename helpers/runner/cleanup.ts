/** Undoes what a killed run left changed. */
import { ACTIVE } from '../../contracts/v3/cards.ts';
import { type Input, memberOf } from '../answer.ts';
import { cents, claimed, readState } from '../cards/card-state.ts';
import { CleanupError, type OpenChange } from '../changes/left-open.ts';
import { Undo, type UndoableCard } from '../changes/undo.ts';
import type { Configuration } from '../configuration/types.ts';
import { Context } from '../context.ts';
import { Recorder } from '../evidence/recorder.ts';
import { Run } from '../run.ts';
import { reach } from './reach.ts';

/** What became of an open change. */
interface CleanupOutcome {
  /** Whether it may still be in force. */
  isOpen: boolean;
  said: string;
}

/** The result of a cleanup: what became of each change, by id, and notes. */
interface Cleaned {
  outcomes: ReadonlyMap<string, CleanupOutcome>;
  notes: string[];
}

/** Undoes open changes, one by one, and appends to the record. @throws CleanupError when the target is out of reach */
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
    const outcomes = new Map<string, CleanupOutcome>();
    for (const change of open.filter(({ lasting }) => lasting)) {
      run.changes.lasting(change);
      outcomes.set(change.id, { isOpen: false, said: 'permanent: its card was used up afterwards' });
    }
    await undo(
      run,
      open.filter(({ lasting }) => !lasting),
      outcomes,
    );
    return { outcomes, notes: run.notes };
  } finally {
    await run.close();
  }
}

async function undo(run: Run, open: readonly OpenChange[], outcomes: Map<string, CleanupOutcome>): Promise<void> {
  const { disposable = [] } = run.configuration.fixtures.cards ?? {};
  const context = new Context(run, 'cleanup', { urgent: true });
  const done = (change: Pick<OpenChange, 'id' | 'operation'>, exchange: string, said = 'undone') => {
    run.changes.undone(change, exchange);
    outcomes.set(change.id, { isOpen: false, said });
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
    customer: run.writableCustomer,
    isCautious: true,
    endMoney: () => run.money.endUndoing(),
  });
  const changed = new Map<string, UndoableCard>();
  const noteCard = (identifier: string, balance: number | undefined) => {
    const pool = disposable.includes(identifier) ? 'disposable' : 'active';
    const known = changed.get(identifier);
    changed.set(identifier, { identifier, pool, status: ACTIVE, balance: known?.balance ?? balance });
  };
  const looks = new Map<OpenChange, Look>();
  for (const change of open) looks.set(change, await look(context, change));
  // If nothing of the run is found, this is another target, and all changes stay open.
  const isOwn = [...looks.values()].some(({ finds }) => finds === 'it' || finds === 'nothing to undo');
  for (const [change, { finds, exchange, reason }] of looks) {
    const { id, operation, identifier, balances, isAccepted } = change;
    if (finds === 'nothing to undo') done(change, exchange);
    else if (finds === 'a fault') outcomes.set(id, { isOpen: true, said: `could not be undone: ${reason}` });
    else if (finds === 'nothing' && !isOwn)
      outcomes.set(id, { isOpen: true, said: 'card not found; is this the target of that run?' });
    // What a target accepted and does not show, it may still take back.
    else if (finds === 'it' || isAccepted) undo.left(change, isAccepted);
    if (finds !== 'it') continue;
    if (operation === 'cards.suspend') noteCard(identifier, undefined);
    for (const { identifier: of, balance } of balances) noteCard(of, cents(balance));
  }
  await undo.run([...changed.values()]);
  for (const [change, { finds, exchange }] of looks) {
    if (outcomes.has(change.id)) continue;
    if (finds === 'nothing') done(change, exchange, 'card not found, nothing to undo');
    else outcomes.set(change.id, { isOpen: true, said: 'could not be undone' });
  }
}

/** Statuses that show that no such card or customer is within reach, so that the request was a probe. */
const NOT_THERE = [400, 403, 404, 410];

/** What a cleanup finds before it acts: the run, or somebody else, may have unsuspended a card. */
interface Look {
  finds: 'it' | 'nothing' | 'nothing to undo' | 'a fault';
  exchange: string;
  /** Why nobody can tell. */
  reason?: string;
}

/** Reads what the change was about. Never throws. */
async function look(context: Context, { operation, identifier, input }: OpenChange): Promise<Look> {
  const call = (id: string, given: Input) => context.call(id, given);
  try {
    if (operation === 'users.setPermissions') return await lookAtCustomer(context, identifier);
    const { status, record } = await readState(call, identifier);
    const exchange = record?.exchange ?? '';
    if (operation === 'cards.suspend' && status === ACTIVE) return { finds: 'nothing to undo', exchange };
    if (!record || !NOT_THERE.includes(record.status)) return { finds: 'it', exchange };
    // Money may have come from a card that is out of reach.
    const target = memberOf(input.json, 'targetCardIdentifier');
    const other = typeof target === 'string' ? (await readState(call, target)).record : undefined;
    return { finds: other && !NOT_THERE.includes(other.status) ? 'it' : 'nothing', exchange };
  } catch (error) {
    return { finds: 'a fault', exchange: '', reason: (error as Error).message };
  }
}

/** Permissions are put back only on the customer that the fixtures name, and if it is there. */
async function lookAtCustomer(context: Context, identifier: string): Promise<Look> {
  const { identifier: writable, permissions } = context.run.writableCustomer;
  if (identifier !== writable || !permissions)
    throw new CleanupError(
      'the fixtures file does not name it, with its permissions (users.writableCustomerIdentifier, users.writableCustomerPermissions)',
    );
  const record = await claimed(context.call('users.get', { path: { identifier } }));
  return { finds: record && NOT_THERE.includes(record.status) ? 'nothing' : 'it', exchange: record?.exchange ?? '' };
}
