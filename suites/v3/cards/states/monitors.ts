/** What readings of cards show after what was asked of them (readings 10, 26, 28 and 29): their states, and their balances. */
import { ACTIVE, STATE_CHANGING } from '../../../../contracts/v3/cards.ts';
import { type Answer, declined, member, succeeded } from '../../../../helpers/answer.ts';
import { cents } from '../../../../helpers/cards/card-state.ts';
import {
  contradiction,
  type Known,
  kept,
  type Monitor,
  nothing,
  type Shown,
} from '../../../../helpers/evidence/monitor.ts';
import * as Phases from './phases.ts';

/** States out of which unsuspend does not lead. */
const NOT_SUSPENDED: readonly Phases.State[] = ['unused', 'reported as fraud', 'lost', 'closed'];

/** The requirements of which the readings of a phase show that the card is Active or not, as its state says, and why one shows nothing. */
function* expectedOf(
  phase: Phases.Phase,
  statuses: Statuses,
): Generator<[requirement: string, unless?: string | undefined]> {
  const { state, by, asked, before } = phase;
  const isNew = isNewIn(phase);
  if (state === 'suspended') yield ['cards.suspend.not-active'];
  if (state === 'closed') yield [isNew ? 'cards.close.not-active' : 'cards.close.stays-closed'];
  if (state === 'lost' && isNew) yield ['cards.markLost.not-active'];
  const changes = asked.filter(({ operation }) => STATE_CHANGING.includes(operation.id));
  if (state === 'lost' && changes.length > 0 && asked.every(declined)) yield ['cards.markLost.refused-changes-nothing'];
  const alone = changes.length === 1 ? changes[0]!.operation.id : undefined;
  if (alone === 'cards.activate' && state === 'closed') yield ['cards.activate.leaves-closed'];
  if (alone === 'cards.unsuspend' && NOT_SUSPENDED.includes(state)) {
    const was = before[0]?.status;
    const mayBeSuspended = state === 'lost' ? by?.from === 'suspended' : state !== 'closed';
    const unless =
      was === undefined || was === ACTIVE
        ? 'the card was not seen to be out of use'
        : mayBeSuspended && statuses.suspended.has(was)
          ? `the card was ${was}, as suspended cards are`
          : undefined;
    yield ['cards.unsuspend.leaves-others', unless];
  }
  if (state !== 'active' || !by) return;
  const was = by.before?.status;
  const wasSeen = was !== undefined && was !== ACTIVE;
  if (by.from !== 'suspended') yield ['cards.activate.active', whySpent(was, statuses)];
  else yield ['cards.unsuspend.active', wasSeen ? undefined : 'the card was not seen to be suspended'];
}

/** Why an unused card of this status may not be one: its pool may be out of date. */
export function whySpent(was: string | undefined, { activated, ended, spent }: Statuses): string | undefined {
  if (was === ACTIVE) return 'the card was Active before, but its pool promises otherwise';
  if (was !== undefined && ended.has(was))
    return `the card was ${was}, as cards are that were suspended, lost or closed: its pool may be spent`;
  if (was !== undefined && spent.has(was))
    return `the card was ${was}, like a used-up card of cards.disposable: its pool may be spent, too`;
  return activated.size > 0 && !activated.has(was)
    ? `the card was ${was ?? 'of no known status'}, unlike one that becomes Active: its pool may be spent`
    : undefined;
}

/** Whether the readings of a phase are the first since something led into its state. */
const isNewIn = ({ by, asked }: Phases.Phase): boolean => by !== undefined && asked.at(-1) === by.answer;

/** Statuses, Active aside, by the cards that have them. */
interface Statuses {
  /** Those of unused cards that became Active. */
  activated: ReadonlySet<string | undefined>;
  suspended: ReadonlySet<string>;
  /** Those of suspended, lost and closed cards. */
  ended: ReadonlySet<string>;
  /** Those of disposable cards to which this run did nothing. */
  spent: ReadonlySet<string>;
}

const ENDS: readonly Phases.State[] = ['suspended', 'lost', 'closed'];
/** The statuses that the cards of a history have. */
export function statusesIn(
  history: readonly Answer[],
  known: Known,
  phases = Phases.phasesIn(history, known),
): Statuses {
  const disposable = new Set(known.fixtures.cards?.disposable);
  const read = (wants: (phase: Phases.Phase) => boolean) =>
    new Set(phases.filter(wants).flatMap(({ readings }) => readings.map(({ status }) => status)));
  const asked = new Set(phases.flatMap((phase) => phase.asked.map(({ input }) => input.path?.identifier)));
  const untouched = history.filter(({ operation: { id }, input: { path } }) => {
    const card = path?.identifier ?? '';
    return id === 'cards.get' && disposable.has(card) && !asked.has(card);
  });
  const withoutActive = (all: Iterable<unknown>) =>
    new Set([...all].filter((status) => typeof status === 'string').filter((status) => status !== ACTIVE));
  const isOfUnused = ({ state, by }: Phases.Phase) => state === 'active' && by?.from === 'unused';
  const becameActive = phases.filter(
    (phase) => isOfUnused(phase) && phase.readings.some(({ status }) => status === ACTIVE),
  );
  return {
    activated: new Set(becameActive.map(({ by }) => by!.before?.status)),
    suspended: withoutActive(read(({ state }) => state === 'suspended')),
    ended: withoutActive(read(({ state }) => ENDS.includes(state))),
    spent: withoutActive(untouched.map((answer) => member(answer, 'status'))),
  };
}

/** Number of unexpected readings, a settle time apart, that a lagging replica does not explain, with at most as many others between them (reading 49). */
const STAYS = 3;
const OTHERS = 2;

/** Unexpected readings of a phase that stay, or come again and again; none where there are fewer. */
function staying(phase: Phases.Phase, isRight: (one: Phases.Reading) => boolean, settleMs: number): Phases.Reading[] {
  let since = isNewIn(phase) ? phase.by!.answer.answeredAt + settleMs : Number.NEGATIVE_INFINITY;
  let expected = 0;
  const others: { reading: Phases.Reading; before: number }[] = [];
  for (const reading of phase.readings) {
    if (isRight(reading)) expected++;
    else if (reading.record.sentAt >= since) {
      others.push({ reading, before: expected });
      since = reading.record.sentAt + settleMs;
      const last = others.slice(-STAYS);
      if (last.length === STAYS && expected - last[0]!.before <= OTHERS) return last.map((one) => one.reading);
    }
  }
  return [];
}

/** Whether getStatus gives another number than before, but the record the same status: it does not follow. */
const isLate = ({ number, status }: Phases.Reading, [former]: readonly Phases.Reading[]): boolean =>
  number !== undefined && former?.number !== undefined && number !== former.number && status === former.status;

/** Whether a suspended card is Active by its record for good, though its number has changed, or all its payments are refused. */
function isLeftBehind(phase: Phases.Phase, phases: readonly Phases.Phase[], known: Known): boolean {
  if (phase.state !== 'suspended') return false;
  const active = staying(phase, ({ status }) => status !== ACTIVE, known.settleMs);
  const { answer } = phase.by!;
  const isOwn = ({ operation: { id }, input: { path }, sentAt }: Answer) =>
    id === 'cards.transfer' && path?.identifier === answer.input.path?.identifier && sentAt >= answer.answeredAt;
  const own = phases.filter(({ by }) => by === phase.by).flatMap(({ asked }) => asked.filter(isOwn));
  return (
    active.length > 0 &&
    (active.every((reading) => isLate(reading, phase.before)) || (own.length > 0 && own.every(declined)))
  );
}

/** Judges one requirement about the states of cards by the records that were read. */
export const statesOf = (requirement: string): Monitor =>
  function* (history, known) {
    const phases = Phases.phasesIn(history, known);
    const statuses = statusesIn(history, known, phases);
    const isBehind = phases.some((phase) => isLeftBehind(phase, phases, known));
    const shown = phases.flatMap((phase) =>
      [...expectedOf(phase, statuses)].flatMap(([expected, unless]) =>
        expected === requirement ? (judged(phase, unless, isBehind, known) ?? []) : [],
      ),
    );
    const isShown = shown.some(({ shows }) => shows !== 'nothing');
    yield* shown.filter(({ shows }) => shows !== 'nothing' || !isShown);
    const [operation] = /^cards\.\w+/.exec(requirement)!;
    const isMeant = ({ operation: { id }, intent }: Answer) =>
      id === operation && (intent === 'valid' || intent === 'refusable');
    const refused = history.find((answer) => isMeant(answer) && declined(answer));
    if (shown.length === 0 && refused)
      yield nothing([refused], `${operation} is refused with status ${refused.status}`);
  };

function judged(phase: Phases.Phase, unless: string | undefined, isBehind: boolean, known: Known): Shown | undefined {
  const { state, by, asked, before, readings } = phase;
  const isActive = state === 'active';
  const isExpected = ({ status }: Phases.Reading) => (status === ACTIVE) === isActive;
  const cite = (some: readonly Phases.Reading[]) =>
    [...(by ? [by.answer] : []), ...asked.slice(-1), ...some.map(({ record }) => record)] as [...Answer[], Answer];
  const open = (reason: string): Shown => nothing(cite(readings.slice(-1)), reason);
  if (unless) return open(unless);
  const others = staying(phase, isExpected, known.settleMs);
  const last = asked.at(-1)?.answeredAt ?? Number.NEGATIVE_INFINITY;
  const hasSettled = ({ record }: Phases.Reading) => isNewIn(phase) || record.sentAt >= last + known.settleMs;
  const shown = readings.filter(isExpected).find(hasSettled);
  if (others.length === 0) return shown && kept(cite([shown]));
  if (!readings.some(isExpected) && others.every((reading) => isLate(reading, before)))
    return open('getStatus gives another number than before, but the record does not follow it');
  if (isBehind && state !== 'suspended')
    return open('getStatus was seen not to refresh the record by which states are judged');
  // Of a card that this run did not lead into its state, the record may have been behind.
  const [latest, earlier] = before;
  const isSure = latest && earlier && earlier.record.sentAt + known.settleMs <= latest.record.sentAt;
  if (!by && !isSure && others.every(({ number }) => number !== undefined && number === latest?.number))
    return open('the record may have been out of date before');
  const { status } = others.at(-1)!;
  const later = asked.slice((by ? asked.indexOf(by.answer) : -1) + (isNewIn(phase) ? 0 : 1));
  const since = [...new Set(later.map(({ operation: { id } }) => id))].join(', ');
  const after = since && ` after ${since}`;
  const message = `a card ${isNewIn(phase) ? '' : `that was ${state} `}is ${status}${after}`;
  return contradiction(cite(others), message, isActive ? ACTIVE : `not ${ACTIVE}`, status, '/status');
}

/** getStatus refreshes the stored record: a suspended card is not Active there. */
export function* refreshedByStatus(history: readonly Answer[], known: Known): Generator<Shown> {
  const phases = Phases.phasesIn(history, known);
  for (const phase of phases) {
    if (phase.state !== 'suspended' || !isNewIn(phase)) continue;
    const records = phase.readings.slice(-STAYS).map(({ record }) => record);
    const by = [phase.by!.answer].concat(records) as [...Answer[], Answer];
    const message = 'the record of a suspended card still says Active after getStatus';
    if (isLeftBehind(phase, phases, known)) yield contradiction(by, message, `not ${ACTIVE}`, ACTIVE, '/status');
    else if (phase.readings.some(({ status }) => status !== ACTIVE)) yield kept(by);
    else yield nothing(by, 'no change of status was seen');
  }
}

/** Greatest difference in cents that rounding can make. */
const HALF_A_CENT = 0.5;

/** The record of a card shows the balance that was read of it before, unless something was asked in between that may change it. */
export function* recordShowsBalance(history: readonly Answer[], { settleMs }: Known): Generator<Shown> {
  for (const own of Phases.byCard(history).values()) {
    let read: readonly Answer[] = [];
    let isQuietFrom = Number.NEGATIVE_INFINITY;
    for (const answer of own.toSorted((one, other) => one.sentAt - other.sentAt))
      if (Phases.mayChange(answer)) {
        read = [];
        isQuietFrom = answer.answeredAt + settleMs;
      } else if (succeeded(answer) && answer.sentAt >= isQuietFrom) {
        const { id } = answer.operation;
        if (id === 'cards.get') yield* shownBy(read, answer);
        else if (id === 'cards.getBalance') read = [answer];
        // The last of each kind is enough to ask for again.
        else if (read.length > 0) read = [...read.filter(({ operation }) => operation.id !== id), answer];
      }
  }
}

function* shownBy(read: readonly Answer[], record: Answer): Generator<Shown> {
  const [balance, recorded] = [read[0], record].map((answer) => answer && member(answer, 'balance'));
  if (typeof balance !== 'number' || typeof recorded !== 'number') return;
  if (read.some(({ answeredAt }) => answeredAt > record.sentAt)) return;
  const by = [...read, record] as [...Answer[], Answer];
  const message = 'the record does not show the balance that getBalance gives';
  if (Math.abs(cents(balance) - cents(recorded)) < HALF_A_CENT) yield kept(by);
  else if (member(record, 'isRefreshing') !== true)
    yield contradiction(by, message, String(balance), String(recorded), '/balance');
}
