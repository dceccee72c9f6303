/** What an operation on a card leaves alone (reading 10): other cards, and the money on its own. They are read before and after. */
import { ACTIVE, LEAVING_ALONE } from '../../../../contracts/v3/cards.ts';
import { member, memberOf } from '../../../../helpers/answer.ts';
import { type Call, type CardState, readBalance, readState } from '../../../../helpers/cards/card-state.ts';
import { identifiersOf, pooledCards } from '../../../../helpers/cards/discovery.ts';
import type { Context } from '../../../../helpers/context.ts';
import { findOnce } from '../../../../helpers/engine/searches.ts';
import { firstCards, listedOn } from '../../../shared/target-data.ts';
import { cards, searchOf } from '../../listings/listings.ts';

/** Readings before and after an operation. */
export interface Around {
  /** Cards that no request names; empty where none is listed. */
  others: { before: CardState; after: CardState }[];
  /** The card itself, where its status is left alone. */
  own?: { before: CardState; after: CardState };
  /** The balance of the card itself in cents; undefined where it was not read. */
  balance: { before?: number | undefined; after?: number | undefined };
}

/**
 * Operations that leave the balance of the card itself. A card that is closed or lost may have been paid out; one that is activated has none
 * yet.
 */
const LEAVE_BALANCE = ['cards.suspend', 'cards.unsuspend', 'cards.unmarkFraud', ...LEAVING_ALONE];

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
      const isSame = ({ status }: CardState) => status === undefined || status === before.status;
      return { before, after: await t.confirmed(() => readState(read, of), isSame) };
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
  /** The statuses of another card, where it is one that changed. */
  from?: string;
  to?: string;
}

/** What changed that the operation is not about; undefined for nothing. A charge is no change: a balance that is gone is. */
export function changedBy({ others, own, balance: { before, after } }: Around): Change | undefined {
  for (const card of [...others, ...(own ? [own] : [])]) {
    const [from, to] = [card.before.status, card.after.status];
    if (from !== undefined && to !== undefined && from !== to)
      return { inWords: `${card === own ? 'the card' : 'another card'}, which was ${from}, is ${to}`, from, to };
  }
  const isGone = before !== undefined && after !== undefined && before >= 100 && after < before / 2;
  return isGone ? { inWords: 'most of the balance of the card is gone' } : undefined;
}

/** Number of further cards that show that a change is no coincidence. */
const FURTHER = 3;

/** Whether several further cards, which were listed with the status that another card had, all have the one that it has now. */
export async function isDoneToAll(t: Context, { from, to }: Change): Promise<boolean> {
  if (from === undefined) return false;
  const alike = identifiersOf((await unused(t)).filter((card) => memberOf(card, 'status') === from));
  const states = await Promise.all(
    alike.slice(0, FURTHER).map((id) => readState((operation, input) => t.call(operation, input), id)),
  );
  return states.length === FURTHER && states.every(({ status }) => status === to);
}
