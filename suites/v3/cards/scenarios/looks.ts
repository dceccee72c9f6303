/** What cards show of what operations on others must leave alone, and what changed of it (reading 10). */
import { numbers } from '../../../../contracts/numbers.ts';
import { LEAVING_ALONE } from '../../../../contracts/v3/cards.ts';
import { type Answer, bodyOf, entries, isObject, member, memberOf, succeeded } from '../../../../helpers/answer.ts';
import { type CardState, cents } from '../../../../helpers/cards/card-state.ts';
import type { Context } from '../../../../helpers/check.ts';
import * as Searches from '../../../../helpers/engine/searches.ts';
import { optional } from '../../../../helpers/verdict.ts';

/** What changed that the operation is not about. */
export interface Change {
  inWords: string;
  /** Of another card: the one that the operation named. */
  beside?: string;
  /** The card that changed, and for how many milliseconds this run had asked for no change of it, or looked at it. */
  of?: string;
  unusedMs?: number;
  /** The member of the record that changed, and its values, where it is one. */
  member?: string;
  from?: unknown;
  to?: unknown;
  /** Of a balance: what is gone, and what is left, in cents. */
  gone?: number;
  left?: number;
  /** Of the card itself: that it has more money than before, and which card it is. */
  gainedBy?: string;
}

export const statusChange = (
  { status: from }: Pick<CardState, 'status'>,
  { status: to }: Pick<CardState, 'status'>,
): Change | undefined =>
  from !== undefined && to !== undefined && from !== to
    ? { inWords: `was ${from}, is ${to}`, member: 'status', from, to }
    : undefined;

/** What a card shows of what others must leave alone. */
export interface Looks {
  status: string | undefined;
  isProvisioned: unknown;
  /** In cents. */
  balance: number | undefined;
}

const WALLET = 'isProvisionedToWallet';

/** What an entry of a listing shows. */
const looksIn = ({ status, balance, ...card }: Record<string, unknown>): Looks => ({
  status: typeof status === 'string' ? status : undefined,
  isProvisioned: card[WALLET],
  balance: typeof balance === 'number' ? cents(balance) : undefined,
});

/** What the state of a card shows. */
export function looksOf({ status, record }: CardState): Looks {
  const card = record && bodyOf(record);
  return { ...looksIn(isObject(card) ? card : {}), status };
}

/** What changed of a card that no request names; money is judged by getBalance alone. */
export function changeOf(before: Looks, now: Looks): Change | undefined {
  const status = statusChange(before, now);
  if (status) return status;
  const [from, to] = [before.isProvisioned, now.isProvisioned];
  if (from === false && to === true)
    return { inWords: 'was not provisioned to a wallet, is', member: WALLET, from, to };
  return isGone(before.balance, now.balance) ? { inWords: 'had a balance, has lost most of it' } : undefined;
}

/** Whether two amounts in cents are the same, and are money at all. */
export const isSameMoney = (one: number, other: number | undefined): boolean =>
  other !== undefined && other >= numbers.leastBalance && Math.abs(one - other) < numbers.sameCents;

/** Whether this run asked somebody to pay a card just so many cents. */
export const isPaid = (t: Context, card: string, amount: number): boolean =>
  t.run.answers.some(
    ({ operation, input: { json } }) =>
      operation.id === 'cards.transfer' &&
      memberOf(json, 'targetCardIdentifier') === card &&
      isSameMoney(cents(Number(memberOf(json, 'amount'))), amount),
  );

export const isGone = (before: number | undefined, now: number | undefined): boolean =>
  before !== undefined && now !== undefined && before >= numbers.leastBalance && now < before / 2;

/** Whether this run has asked for nothing that may change a card. */
export const isLeftAlone = (t: Context, identifier: string): boolean =>
  t.run.history.sinceChange([identifier]) === Number.POSITIVE_INFINITY;

/** Whether this run has asked for nothing that may change a card within the settle time: what it asked for before shows by now. */
export const isStill = (t: Context, identifier: string): boolean =>
  t.run.history.sinceChange([identifier]) > t.run.configuration.run.settleMs;

/** What an answer shows of cards: an entry of each, with its identifier. */
export function entriesOfCards(answer: Answer): Record<string, unknown>[] {
  if (!succeeded(answer)) return [];
  if (answer.operation.id === 'cards.list') return entries(answer);
  const body = answer.operation.id === 'cards.get' ? bodyOf(answer) : undefined;
  return isObject(body) ? [{ identifier: answer.input.path?.identifier, ...body }] : [];
}

/**
 * Whether a card that this run left alone changed in the same way between two readings of one kind, without the operation on any card in between or
 * shortly before: others do that, though perhaps not at every moment.
 */
export function isShownWithout(t: Context, operation: string, { member: name, from, to }: Change): boolean {
  if (name === undefined) return false;
  const asked = t.run.answers.filter((answer) => answer.operation.id === operation && succeeded(answer));
  const { settleMs } = t.run.configuration.run;
  const isAskedBetween = (since: number, until: number) =>
    asked.some(({ sentAt, answeredAt }) => answeredAt > since - settleMs && sentAt < until);
  const latest = new Map<string, { value: unknown; at: number }>();
  for (const answer of t.run.answers)
    for (const { identifier, [name]: value } of entriesOfCards(answer)) {
      // A listing may be behind the records.
      const reading = `${answer.operation.id} ${identifier}`;
      const before = latest.get(reading);
      latest.set(reading, { value, at: answer.sentAt });
      const isSame = before?.value === from && value === to && isLeftAlone(t, String(identifier));
      if (before && isSame && !isAskedBetween(before.at, answer.answeredAt)) return true;
    }
  return false;
}

/** An operation on a card, and the state before it. */
export interface OnCard {
  operation: string;
  identifier: string;
  state: CardState;
}

/** The same, of which a listing shows what else changed. */
interface Listed extends Omit<OnCard, 'operation'> {
  /** The balance of the card in cents before it is ended; undefined where it is not. */
  had: number | undefined;
  /** When what else there is was read, in milliseconds since the epoch. */
  since: number;
}

/** Lists the cards of a card's customer, up to fifty; undefined where it is refused. */
export async function listAround(t: Context, { record }: CardState): Promise<Answer | undefined> {
  if (!t.isInScope('cards.list')) return undefined;
  const customerIdentifier = record && member(record, 'customerIdentifier');
  const query = { max: Searches.PAGE, ...(typeof customerIdentifier === 'string' && { customerIdentifier }) };
  return optional(t.call('cards.list', { query }, { intent: 'refusable' }));
}

/**
 * Cards whose entries in a listing show something else than those in the listing before, or what an ended card had besides: one request shows up to fifty
 * of the customer's. Each is a suspicion, which readings of the card itself are to show.
 * @returns their identifiers, and what they showed before
 */
export async function listedChanges(
  t: Context,
  { identifier, state, had, since }: Listed,
): Promise<(readonly [string, Looks])[]> {
  const listing = await listAround(t, state);
  const now = new Map((listing ? entries(listing) : []).map((card) => [String(card.identifier), looksIn(card)]));
  const before = listedBefore(t, since);
  return [...now].flatMap(([id, shown]) => {
    const known = before.get(id);
    const isOther = id !== identifier && isLeftAlone(t, id) && !t.fixtures.cards?.foreign?.includes(id);
    const isChanged =
      known && (changeOf(known.looks, shown) || isSameMoney((shown.balance ?? 0) - (known.looks.balance ?? 0), had));
    return isOther && isChanged && !isAskedSince(t, id, known.at, REFRESHES) ? [[id, known.looks] as const] : [];
  });
}

/** What the latest listing before a moment shows of each card, and when that was. */
function listedBefore(t: Context, moment: number): Map<string, { looks: Looks; at: number }> {
  const listings = t.run.answers.filter(
    ({ operation, answeredAt }) => operation.id === 'cards.list' && answeredAt <= moment,
  );
  return new Map(
    listings.flatMap((listing) =>
      entries(listing).map((card) => [String(card.identifier), { looks: looksIn(card), at: listing.sentAt }]),
    ),
  );
}

/** Whether another operation alone, which was accepted, led the card that it named from what a change began with to what it ended with. */
export function isLedToByAnother(t: Context, operation: string, { member: name = '', from, to }: Change): boolean {
  const seen = new Map<unknown, { shown: unknown; asked: Set<string> }>();
  for (const answer of t.run.answers) {
    const { id, risk } = answer.operation;
    const card = answer.input.path?.identifier;
    if (!succeeded(answer)) continue;
    const { shown, asked } = seen.get(card) ?? { shown: undefined, asked: new Set<string>() };
    if (risk !== 'safe' && !LEAVING_ALONE.includes(id)) asked.add(id);
    if (id !== 'cards.get') continue;
    const now = member(answer, name);
    if (shown === from && now === to && asked.size === 1 && !asked.has(operation)) return true;
    seen.set(card, { shown: now, asked: new Set() });
  }
  return false;
}

/** Readings that refresh the record of a card, which may have been out of date. */
const REFRESHES = ['cards.getStatus', 'cards.getBalance'];

/** Whether this run asked a card for something since a moment, in milliseconds since the epoch. */
export const isAskedSince = (t: Context, identifier: string, moment: number, operations: readonly string[]): boolean =>
  t.run.answers.some(
    ({ operation: { id }, input: { path }, sentAt }) =>
      operations.includes(id) && path?.identifier === identifier && sentAt >= moment,
  );
