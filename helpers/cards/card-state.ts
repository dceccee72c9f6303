/** Cards as checks see them: money in whole cents, state from the stored record after a refresh (reading 10). */
import { ACTIVE } from '../../contracts/v3/cards.ts';
import { type Answer, type Input, member, succeeded } from '../answer.ts';
import { Skipped } from '../verdict.ts';

/** Calls an operation on behalf of a check. */
export type Call = (operation: string, input: Input) => Promise<Answer>;

export interface CardState {
  /** The record's status after getStatus refreshed it; undefined if it was not refreshed, is unreadable or has none. */
  status: string | undefined;
  /** The answer of getStatus: a number whose meaning is not documented. */
  statusNumber: number | undefined;
  /** Undefined if the target does not claim cards.get, or gives another card's. */
  record: Answer | undefined;
}

/** Reads a card's state: by getStatus, which refreshes the record, then by that, as far as claimed (reading 10). */
export async function readState(call: Call, identifier: string): Promise<CardState> {
  const refreshed = await claimed(call('cards.getStatus', { path: { identifier } }));
  const answer = await claimed(call('cards.get', { path: { identifier } }));
  // What another card's record shows was not read of this one.
  const record = answer && isOfAnother(answer, identifier) ? undefined : answer;
  if (!refreshed || !succeeded(refreshed)) return { status: undefined, statusNumber: undefined, record };
  const status = record && succeeded(record) ? member(record, 'status') : undefined;
  const statusNumber = member(refreshed, 'status');
  return {
    status: typeof status === 'string' ? status : undefined,
    statusNumber: typeof statusNumber === 'number' ? statusNumber : undefined,
    record,
  };
}

/** Whether a record names another card than the one that was asked for. */
function isOfAnother(record: Answer, identifier: string): boolean {
  const named = member(record, 'identifier');
  return succeeded(record) && typeof named === 'string' && named.toLowerCase() !== identifier.toLowerCase();
}

/** Awaits an answer; undefined if the target does not claim to implement the operation. */
export async function claimed(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Skipped) return undefined;
    throw error;
  }
}

/** Whether a record may lag behind getStatus: the status number has changed, the record's status has not. */
export const isLeftBehind = (now: CardState, before: CardState | undefined): boolean =>
  before?.statusNumber !== undefined &&
  now.statusNumber !== undefined &&
  now.statusNumber !== before.statusNumber &&
  now.status === before.status;

/** Whether a state was read, and is that of an Active card. */
export const isActive = (state: Pick<CardState, 'status'> | undefined): boolean => state?.status === ACTIVE;

/** The balance by getBalance, in cents; undefined if there is none, or it is too large to be exact to the cent. */
export async function readBalance(call: Call, identifier: string): Promise<number | undefined> {
  const answer = await claimed(call('cards.getBalance', { path: { identifier } }));
  return answer && balanceIn(answer);
}

/** The balance in an answer of getBalance, in cents; undefined if there is none, or it is too large to be exact to the cent. */
export function balanceIn(answer: Answer): number | undefined {
  const balance = member(answer, 'balance');
  if (!succeeded(answer) || typeof balance !== 'number') return undefined;
  const inCents = cents(balance);
  return Math.abs(inCents) <= Number.MAX_SAFE_INTEGER ? inCents : undefined;
}

/** The amount, in units, from which a number cannot hold fractions of a cent. */
const WITHOUT_FRACTIONS = 1e9;

/** Converts an amount of the documents to cents, with fractions where a number can hold them. */
export const cents = (amount: number): number =>
  Math.abs(amount) < WITHOUT_FRACTIONS ? Math.round(amount * 1e6) / 1e4 : Math.round(amount * 100);
export const amount = (inCents: number): number => inCents / 100;
