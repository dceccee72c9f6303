/** The life of a card as the exchanges show it: what was asked of it, and what was read of it then. */
import { type Answer, declined, member, memberOf, succeeded } from '../../../../helpers/answer.ts';
import type { Known } from '../../../../helpers/evidence/monitor.ts';
import { carries } from '../../../shared/identifiers.ts';

/** States of which the documents say what leads into them; `unknown` is any other. */
export type State = 'unknown' | 'unused' | 'reported as fraud' | 'active' | 'suspended' | 'lost' | 'closed';

/** The record of a card, read after getStatus, which refreshes it (reading 10). */
export interface Reading {
  status: string;
  /** The number of getStatus; its meaning is not documented. */
  number: number | undefined;
  record: Answer;
}

/** The readings between two requests that may change a card. */
export interface Phase {
  state: State;
  /** What led into the state, out of which, and the last reading before; undefined where the card was in it from the beginning. */
  by: { answer: Answer; from: State; before: Reading | undefined } | undefined;
  /** What was asked of the card since it was read before. */
  asked: readonly Answer[];
  /** The last two readings before, the last one first. */
  before: readonly Reading[];
  readings: readonly Reading[];
}

/** Whether the readings of a phase are the first since something led into its state. */
export const isNewIn = ({ by, asked }: Phase): boolean => by !== undefined && asked.at(-1) === by.answer;

/** Whether what led an unused card here was accepted, and showed nothing: it may be unused still. */
export function mayBeUnused(phase: Phase): boolean {
  const { by, before, readings } = phase;
  const [shown] = isNewIn(phase) ? readings : before;
  return by?.from === 'unused' && by.before?.status === shown?.status;
}

/** What an accepted operation makes of a card in a state; where it is not named, the documents don't say. */
const LEADS: Readonly<Record<string, Partial<Record<State, State>>>> = {
  'cards.suspend': { unknown: 'suspended', active: 'suspended', suspended: 'suspended' },
  'cards.unsuspend': {
    suspended: 'active',
    active: 'active',
    unused: 'unused',
    'reported as fraud': 'reported as fraud',
    lost: 'lost',
  },
  'cards.activate': { unused: 'active', active: 'active' },
  'cards.markLost': { unknown: 'lost', active: 'lost', suspended: 'lost', lost: 'lost' },
  'cards.close': {
    unknown: 'closed',
    active: 'closed',
    suspended: 'closed',
    unused: 'closed',
    lost: 'closed',
  },
};

/** Operations that give a card something, and change no state. */
export const GIFTS: readonly string[] = ['cards.setPin', 'cards.markWalletProvisioned'];
/** What may be done to a card without leading it out of these states. */
const LEAVES: Partial<Record<State, readonly string[]>> = {
  suspended: ['cards.transfer', ...GIFTS],
  unused: GIFTS,
  'reported as fraud': GIFTS,
};
/** What may be done to an Active card without ending that: after a declined payment it may be blocked. */
const LEAVES_ACTIVE = ['cards.unsuspend', 'cards.activate'];

/** The state of a card once something was asked of it, whatever came of it. Nothing leads out of the end. */
function stateAfter(state: State, answer: Answer): State {
  const { id } = answer.operation;
  const isAccepted = succeeded(answer) && !['unauthorised', 'unknown'].includes(answer.intent);
  if (state === 'closed' || LEAVES[state]?.includes(id)) return state;
  if (isAccepted) return LEADS[id]?.[state] ?? 'unknown';
  return declined(answer) && (state !== 'active' || LEAVES_ACTIVE.includes(id)) ? state : 'unknown';
}

/** The phases of every card that was asked something. */
export function phasesIn(history: readonly Answer[], known: Known): Phase[] {
  const ofCards = byCard(history);
  // A request that names no card may have changed any: blanks around an identifier may be taken off.
  const ofAll = history.filter((answer) => mayChange(answer) && answer.intent === 'unknown' && succeeded(answer));
  return [...ofCards]
    .filter(([, of]) => of.some(mayChange))
    .flatMap(([card, of]) => [...phasesOf(card, [...of, ...ofAll], known)]);
}

/** What was asked of each card, as the source or target of a transfer, too. A record of another card than the one asked for was not read of either. */
export function byCard(history: readonly Answer[]): Map<string, Answer[]> {
  const own = history.filter((answer) => !isOfAnother(answer));
  const named = own.flatMap((answer) => cardsOf(answer).map((card) => ({ card, answer })));
  const ofCards = Map.groupBy(named, ({ card }) => card);
  return new Map([...ofCards].map(([card, of]) => [card, of.map(({ answer }) => answer)]));
}

export const mayChange = ({ operation: { id, risk } }: Answer) => id.startsWith('cards.') && risk !== 'safe';

const isOfAnother = (answer: Answer): boolean =>
  answer.operation.id === 'cards.get' &&
  typeof member(answer, 'identifier') === 'string' &&
  cardsOf(answer).some((card) => !carries(answer, card));

/** The cards that a request names. */
const cardsOf = ({ operation: { id }, input: { path, query, json } }: Answer): string[] =>
  id.startsWith('cards.') && query?.byToken !== true && query?.byProxy !== true
    ? [path?.identifier, memberOf(json, 'targetCardIdentifier')].filter((card) => typeof card === 'string')
    : [];

function* phasesOf(card: string, of: readonly Answer[], { fixtures }: Known): Generator<Phase> {
  let state: State = fixtures.cards?.unused?.includes(card)
    ? 'unused'
    : fixtures.cards?.fraud?.includes(card)
      ? 'reported as fraud'
      : 'unknown';
  let by: Phase['by'];
  let asked: Answer[] = [];
  let before: Reading[] = [];
  let readings: Reading[] = [];
  let refreshed: Answer | undefined;
  let isQuietFrom = Number.NEGATIVE_INFINITY;
  const phase = (): Phase => ({ state, by, asked, before, readings });
  for (const answer of of.toSorted((one, other) => one.sentAt - other.sentAt)) {
    if (mayChange(answer)) {
      if (readings.length > 0) {
        yield phase();
        before = [...readings.toReversed(), ...before].slice(0, 2);
        [asked, readings] = [[], []];
      }
      const next = stateAfter(state, answer);
      if (next !== state) by = next === 'unknown' ? undefined : { answer, from: state, before: before[0] };
      state = next;
      asked = [...asked, answer];
      isQuietFrom = Math.max(isQuietFrom, answer.answeredAt);
      refreshed = undefined;
    } else if (answer.sentAt >= isQuietFrom && succeeded(answer)) {
      if (answer.operation.id === 'cards.getStatus') refreshed = answer;
      const status = answer.operation.id === 'cards.get' && member(answer, 'status');
      if (typeof status !== 'string' || !refreshed || refreshed.answeredAt > answer.sentAt) continue;
      const number = member(refreshed, 'status');
      readings = [...readings, { status, number: typeof number === 'number' ? number : undefined, record: answer }];
    }
  }
  if (readings.length > 0) yield phase();
}
