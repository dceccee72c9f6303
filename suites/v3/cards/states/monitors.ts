/** What readings of cards show after what was asked of them (readings 10, 26, 28 and 29): their states, and their balances. */
import { numbers } from '../../../../contracts/numbers.ts';
import { ACTIVE } from '../../../../contracts/v3/cards.ts';
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
import type * as Expectations from './expectations.ts';
import * as Phases from './phases.ts';
import { statusesIn } from './statuses.ts';

/** Unexpected readings of a phase that stay, or come again and again; none where there are fewer. */
function staying(phase: Phases.Phase, isRight: (one: Phases.Reading) => boolean, settleMs: number): Phases.Reading[] {
  let since = Phases.isNewIn(phase) ? phase.by!.answer.answeredAt + settleMs : Number.NEGATIVE_INFINITY;
  let expected = 0;
  const others: { reading: Phases.Reading; before: number }[] = [];
  for (const reading of phase.readings) {
    if (isRight(reading)) expected++;
    else if (reading.record.sentAt >= since) {
      others.push({ reading, before: expected });
      since = reading.record.sentAt + settleMs;
      const last = others.slice(-numbers.staying);
      if (last.length === numbers.staying && expected - last[0]!.before <= numbers.othersBetween)
        return last.map((one) => one.reading);
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

/** Judges by the records that were read what an operation makes of the states of cards. @param expectation of the readings of a phase */
export const statesOf = (operation: string, expectation: Expectations.Expectation): Monitor =>
  function* (history, known) {
    const phases = Phases.phasesIn(history, known);
    const statuses = statusesIn(history, known, phases);
    const isBehind = phases.some((phase) => isLeftBehind(phase, phases, known));
    const shown = phases.flatMap((phase) => {
      const expected = expectation(phase, statuses);
      return (expected && judged(phase, expected.unless, isBehind, known)) ?? [];
    });
    const isShown = shown.some(({ shows }) => shows !== 'nothing');
    yield* shown.filter(({ shows }) => shows !== 'nothing' || !isShown);
    const isMeant = ({ operation: { id }, intent }: Answer) =>
      id === operation && (intent === 'valid' || intent === 'refusable');
    const refused = history.find((answer) => isMeant(answer) && declined(answer));
    if (shown.length === 0 && refused)
      yield nothing([refused], `${operation} is refused with status ${refused.status}`);
  };

/** Whether a reading is as the state of the phase says. */
const isAsIn =
  ({ state }: Phases.Phase) =>
  ({ status }: Phases.Reading): boolean =>
    (status === ACTIVE) === (state === 'active');

/** What led into the state, the last that was asked, and some readings. */
const exchangesOf = ({ by, asked }: Phases.Phase, readings: readonly Phases.Reading[]) =>
  [...(by ? [by.answer] : []), ...asked.slice(-1), ...readings.map(({ record }) => record)] as [...Answer[], Answer];

/**
 * What the readings of a phase show.
 * @param unless why they show nothing, where that is so
 * @param isBehind whether getStatus was seen not to refresh records
 */
function judged(phase: Phases.Phase, unless: string | undefined, isBehind: boolean, known: Known): Shown | undefined {
  const { asked, readings } = phase;
  const open = (reason: string): Shown => nothing(exchangesOf(phase, readings.slice(-1)), reason);
  if (unless) return open(unless);
  const unexpected = staying(phase, isAsIn(phase), known.settleMs);
  if (unexpected.length > 0) {
    const reason = whyOpen(phase, unexpected, isBehind, known);
    return reason ? open(reason) : contradicted(phase, unexpected);
  }
  const last = asked.at(-1)?.answeredAt ?? Number.NEGATIVE_INFINITY;
  const hasSettled = ({ record }: Phases.Reading) => Phases.isNewIn(phase) || record.sentAt >= last + known.settleMs;
  const shown = readings.filter(isAsIn(phase)).find(hasSettled);
  return shown && kept(exchangesOf(phase, [shown]));
}

/** Why unexpected readings say nothing of the state; undefined where they do. */
function whyOpen(
  phase: Phases.Phase,
  unexpected: readonly Phases.Reading[],
  isBehind: boolean,
  known: Known,
): string | undefined {
  const { state, by, before, readings } = phase;
  if (!readings.some(isAsIn(phase)) && unexpected.every((reading) => isLate(reading, before)))
    return 'getStatus gives another number than before, but the record does not follow it';
  if (isBehind && state !== 'suspended')
    return 'getStatus was seen not to refresh the record by which states are judged';
  // Of a card that this run did not lead into its state, the record may have been behind.
  const [latest, earlier] = before;
  const isSure = latest && earlier && earlier.record.sentAt + known.settleMs <= latest.record.sentAt;
  if (!by && !isSure && unexpected.every(({ number }) => number !== undefined && number === latest?.number))
    return 'the record may have been out of date before';
  return undefined;
}

/** What unexpected readings contradict, and after which operations. */
function contradicted(phase: Phases.Phase, unexpected: readonly Phases.Reading[]): Shown {
  const { state, by, asked } = phase;
  const isNew = Phases.isNewIn(phase);
  const { status } = unexpected.at(-1)!;
  const later = asked.slice((by ? asked.indexOf(by.answer) : -1) + (isNew ? 0 : 1));
  const since = inWords(later);
  const message = `a card ${isNew ? '' : `that was ${state} `}is ${status}${since && ` after ${since}`}`;
  const expected = state === 'active' ? ACTIVE : `not ${ACTIVE}`;
  return contradiction(exchangesOf(phase, unexpected), message, expected, status, '/status');
}

/** Operations in words; of those that were accepted in part, these first. */
function inWords(asked: readonly Answer[]): string {
  const named = (answers: readonly Answer[]) => [...new Set(answers.map(({ operation: { id } }) => id))].join(', ');
  const [accepted, others] = [asked.filter(succeeded), asked.filter((answer) => !succeeded(answer))];
  return accepted.length > 0 && others.length > 0
    ? `${named(accepted)} (and, refused, ${named(others)})`
    : named(asked);
}

/** getStatus refreshes the stored record: a suspended card is not Active there. */
export function* refreshedByStatus(history: readonly Answer[], known: Known): Generator<Shown> {
  const phases = Phases.phasesIn(history, known);
  for (const phase of phases) {
    if (phase.state !== 'suspended' || !Phases.isNewIn(phase)) continue;
    const records = phase.readings.slice(-numbers.staying).map(({ record }) => record);
    const by = [phase.by!.answer].concat(records) as [...Answer[], Answer];
    const message = 'the record of a suspended card still says Active after getStatus';
    if (isLeftBehind(phase, phases, known)) yield contradiction(by, message, `not ${ACTIVE}`, ACTIVE, '/status');
    else if (phase.readings.some(({ status }) => status !== ACTIVE)) yield kept(by);
    else yield nothing(by, 'no change of status was seen');
  }
}

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
  if (Math.abs(cents(balance) - cents(recorded)) < numbers.roundedCents) yield kept(by);
  else if (member(record, 'isRefreshing') !== true)
    yield contradiction(by, message, String(balance), String(recorded), '/balance');
}
