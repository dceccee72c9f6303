/** What an operation on a card leaves alone (reading 10): other cards, and the money on its own. They are read before and after. */
import { ACTIVE, LEAVING_ALONE } from '../../../../contracts/v3/cards.ts';
import { member, memberOf } from '../../../../helpers/answer.ts';
import { type Call, type CardState, cents, readBalance, readState } from '../../../../helpers/cards/card-state.ts';
import { identifiersOf, pooledCards } from '../../../../helpers/cards/discovery.ts';
import type { Context } from '../../../../helpers/check.ts';
import { findOnce } from '../../../../helpers/engine/searches.ts';
import { firstCards, listedOn } from '../../../shared/requests.ts';
import { cards, searchOf } from '../../listings/listings.ts';

/** Readings before and after an operation. */
export interface Around {
  /** Cards that no request names, and their balances in cents where the records have lost one; empty where none is listed. */
  others: { before: CardState; after: CardState; balance?: number | undefined }[];
  /** The card itself, where its status is left alone. */
  own?: { before: CardState; after: CardState };
  /** The balance of the card itself in cents; undefined where it was not read. */
  balance: { before?: number | undefined; after?: number | undefined };
}

/**
 * Operations that leave the balance of the card itself. A card that is closed or lost may have been paid out; one that is activated has none
 * yet.
 */
const LEAVE_BALANCE = ['cards.suspend', 'cards.unsuspend', 'cards.unmarkFraud', 'cards.reissue', ...LEAVING_ALONE];

/** Reads what an operation on a card should leave alone. @returns reads it again, once an effect would show */
export async function watching(
  t: Context,
  operation: string,
  identifier: string,
  state: CardState,
): Promise<() => Promise<Around>> {
  const read: Call = (operation, input) => t.call(operation, input, { intent: 'refusable' });
  const ids = await bystanders(t, identifier, state);
  const states = await Promise.all(ids.map((id) => readState(read, id)));
  const balance = LEAVE_BALANCE.includes(operation) ? await readBalance(read, identifier) : undefined;
  return async () => {
    await t.settle();
    const after = balance === undefined ? undefined : await readBalance(read, identifier);
    const again = async (before: CardState, of: string) => {
      const after = await t.confirmed(
        () => readState(read, of),
        (now) => now.status === undefined || changeOf({ before, after: now, balance: 0 }) === undefined,
      );
      return { before, after, balance: isGone(...balancesIn(before, after)) ? await readBalance(read, of) : undefined };
    };
    const own = LEAVING_ALONE.includes(operation) ? { own: await again(state, identifier) } : {};
    const others: Around['others'] = [];
    for (const [index, before] of states.entries()) others.push(await again(before, ids[index]!));
    return { others, balance: { before: balance, after }, ...own };
  };
}

/** Listed cards, or those of a customer, that nothing else uses. */
export async function unused(t: Context, identifier = '', customer?: string): Promise<Record<string, unknown>[]> {
  const taken = new Set([identifier, ...pooledCards(t.fixtures), ...(t.fixtures.cards?.foreign ?? [])]);
  const listed =
    customer === undefined
      ? await listedOn(t, firstCards)
      : (await findOnce(t, searchOf(cards, { customerIdentifier: customer }))).entries;
  return listed.filter((card) => !taken.has(String(card.identifier)));
}

/**
 * Cards to which an operation might be done as well: one of the same status, and one of the same customer that would show it, being Active
 * where the card is, and not Active where it is not.
 */
async function bystanders(t: Context, identifier: string, { status, record }: CardState): Promise<string[]> {
  const customer = record && member(record, 'customerIdentifier');
  const listed = await unused(t, identifier);
  const alike = listed.find((card) => memberOf(card, 'status') === status);
  const ofThem = typeof customer === 'string' ? await unused(t, identifier, customer) : [];
  const ofCustomer = ofThem.find(
    (card) => card.identifier !== alike?.identifier && (memberOf(card, 'status') === ACTIVE) === (status === ACTIVE),
  );
  return identifiersOf([alike, ofCustomer].filter((card) => card !== undefined));
}

/** What changed that the operation is not about. */
export interface Change {
  inWords: string;
  /** The member of the record that changed, and its values, where it is one. */
  member?: string;
  from?: unknown;
  to?: unknown;
  /** Of a balance: what is gone, and what is left, in cents. */
  gone?: number;
  left?: number;
}

/** What changed that the operation is not about; undefined for nothing. A charge is no change: a balance that is gone is. */
export function changedBy({ others, own, balance: { before, after } }: Around): Change | undefined {
  for (const other of others) {
    const change = changeOf(other);
    if (change) return { ...change, inWords: `another card, ${change.inWords}` };
  }
  const [from, to] = [own?.before.status, own?.after.status];
  if (from !== undefined && to !== undefined && from !== to)
    return { inWords: `the card, which was ${from}, is ${to}`, member: 'status', from, to };
  return isGone(before, after)
    ? { inWords: 'most of the balance of the card is gone', gone: before! - after!, left: after! }
    : undefined;
}

const WALLET = 'isProvisionedToWallet';

/** What changed of a card that no request names. */
function changeOf({ before, after, balance }: Around['others'][number]): Change | undefined {
  const [from, to] = [before.status, after.status];
  if (from !== undefined && to !== undefined && from !== to)
    return { inWords: `which was ${from}, is ${to}`, member: 'status', from, to };
  const [was, is] = [before, after].map(({ record }) => record && member(record, WALLET));
  if (was === false && is === true)
    return { inWords: 'which was not provisioned to a wallet, is', member: WALLET, from: was, to: is };
  const [held] = balancesIn(before, after);
  return isGone(...balancesIn(before, after)) && isGone(held, balance)
    ? { inWords: 'which had a balance, has lost most of it' }
    : undefined;
}

/** The balances in cents that two records show; money is judged by getBalance alone. */
const balancesIn = (...states: readonly [CardState, CardState]) =>
  states.map(({ record }) => {
    const balance = record && member(record, 'balance');
    return typeof balance === 'number' ? cents(balance) : undefined;
  }) as [number | undefined, number | undefined];

/** Least balance in cents whose loss is no charge. */
export const LEAST = 100;

const isGone = (before: number | undefined, after: number | undefined): boolean =>
  before !== undefined && after !== undefined && before >= LEAST && after < before / 2;

/** Number of further cards that show that a change is no coincidence. */
const FURTHER = 3;

/** Whether several further cards, which were listed as another card was, all show what it shows now. */
export async function isDoneToAll(t: Context, { member: name, from, to }: Change): Promise<boolean> {
  if (name === undefined) return false;
  const alike = identifiersOf((await unused(t)).filter((card) => memberOf(card, name) === from));
  const states = await Promise.all(
    alike.slice(0, FURTHER).map((id) => readState((operation, input) => t.call(operation, input), id)),
  );
  return states.length === FURTHER && states.every(({ record }) => record && member(record, name) === to);
}
