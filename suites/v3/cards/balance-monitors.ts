/** What readings of balances and records show together: getBalance refreshes the stored record (reading 10). */
import { type Answer, member, succeeded } from '../../../helpers/answer.ts';
import { cents } from '../../../helpers/cards/card-state.ts';
import { contradiction, type Known, kept, type Shown } from '../../../helpers/evidence/monitor.ts';
import * as Phases from './states/phases.ts';

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
