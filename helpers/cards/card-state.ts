/** Cards as checks see them: money in whole cents, state by the stored record after it was refreshed (reading 10). */
import { ACTIVE } from '../../contracts/v3/cards.ts';
import { type Answer, type Input, member, succeeded } from '../answer.ts';
import { Skipped } from '../verdict.ts';

/** Calls an operation on behalf of a check. */
export type Call = (operation: string, input: Input) => Promise<Answer>;

/** The state of a card when it was read. */
export interface CardState {
  /** Status of the record after getStatus refreshed it; undefined where it did not, or the record has none or cannot be read. */
  status: string | undefined;
  /** Answer of getStatus: a number whose meaning is not documented. */
  statusNumber: number | undefined;
  /** Undefined where the target does not claim cards.get. */
  record: Answer | undefined;
}

/**
 * Reads the state of a card: getStatus, which refreshes the stored record, then the record, each where the target claims it. A record that
 * nothing refreshed shows no status (reading 10).
 */
export async function readState(call: Call, identifier: string): Promise<CardState> {
  const refreshed = await claimed(call('cards.getStatus', { path: { identifier } }));
  const record = await claimed(call('cards.get', { path: { identifier } }));
  if (!refreshed || !succeeded(refreshed)) return { status: undefined, statusNumber: undefined, record };
  const status = record && succeeded(record) ? member(record, 'status') : undefined;
  const statusNumber = member(refreshed, 'status');
  return {
    status: typeof status === 'string' ? status : undefined,
    statusNumber: typeof statusNumber === 'number' ? statusNumber : undefined,
    record,
  };
}

/** An answer; undefined where the target does not claim to implement the operation. */
async function claimed(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Skipped) return undefined;
    throw error;
  }
}

/** Whether a record may not show yet what getStatus shows: the number is another than before, the status of the record the same. */
export const isLeftBehind = (now: CardState, before: CardState | undefined): boolean =>
  before?.statusNumber !== undefined &&
  now.statusNumber !== undefined &&
  now.statusNumber !== before.statusNumber &&
  now.status === before.status;

/** Whether the record of a card says that it is Active. */
export const isActive = (state: Pick<CardState, 'status'>): boolean => state.status === ACTIVE;

/** Balance by getBalance, in cents; undefined where the target gives none, or one that a number does not hold to the cent. */
export async function readBalance(call: Call, identifier: string): Promise<number | undefined> {
  const answer = await claimed(call('cards.getBalance', { path: { identifier } }));
  const balance = answer && member(answer, 'balance');
  if (!answer || !succeeded(answer) || typeof balance !== 'number') return undefined;
  const inCents = cents(balance);
  return Math.abs(inCents) <= Number.MAX_SAFE_INTEGER ? inCents : undefined;
}

/** From here on a number holds no fractions of a cent, in units. */
const WITHOUT_FRACTIONS = 1e9;

/** An amount of the documents (a JSON number of units) in cents, fractions of a cent kept where a number holds them. */
export const cents = (amount: number): number =>
  Math.abs(amount) < WITHOUT_FRACTIONS ? Math.round(amount * 1e6) / 1e4 : Math.round(amount * 100);
/** Cents as an amount of the documents. */
export const amount = (inCents: number): number => inCents / 100;
