/**
 * Bystanders of an operation on a card: cards that no request named, and that it must leave alone (reading 10). Each kind is what code takes for the card,
 * or does the same to.
 */
import { ACTIVE, LEAVING_ALONE } from '../../../../contracts/v3/cards.ts';
import { entries, member, memberOf } from '../../../../helpers/answer.ts';
import { identifiersOf, pooledCards } from '../../../../helpers/cards/discovery.ts';
import { POOLS } from '../../../../helpers/cards/pools.ts';
import { type Context, scenario } from '../../../../helpers/check.ts';
import * as Searches from '../../../../helpers/engine/searches.ts';
import { optional } from '../../../../helpers/verdict.ts';
import * as Requests from '../../../shared/requests.ts';
import * as Listings from '../../listings/listings.ts';
import * as Looks from './looks.ts';

/** How a kind of bystander is found among what the run knows; undefined where there is none. */
type Find = (t: Context, on: Looks.OnCard) => Promise<string | undefined>;

/** The kinds, of which each run reads one of each operation. */
const KINDS: Readonly<Record<string, Find>> = {
  'a card of the same customer': (t, on) => ofSame(t, on, 'customerIdentifier'),

  async 'a card in the same status'(t, { identifier, state: { status } }) {
    const listed = (await unused(t, identifier)).find((card) => memberOf(card, 'status') === status)?.identifier;
    return typeof listed === 'string' ? listed : matesOf(t, identifier).findLast((one) => one !== identifier);
  },

  'a card of the same order': (t, on) => ofSame(t, on, 'orderIdentifier'),

  async 'the next card of its pool'(t, { identifier }) {
    const pool = poolOf(t, identifier);
    return pool.slice(pool.indexOf(identifier) + 1).find((one) => Looks.isStill(t, one));
  },

  async 'the next card of the listing'(t, { identifier }) {
    const listed = identifiersOf(await Requests.listedOn(t, Requests.firstCards));
    return listed.slice(listed.indexOf(identifier) + 1).find((one) => isBystander(t, one));
  },

  'a related card of a pool': relatedOne,
};

/** What belongs to one account may change together, but for cards of the pools. */
async function relatedOne(t: Context, on: Looks.OnCard): Promise<string | undefined> {
  if (!(await t.known(arePoolsRelated))) return undefined;
  const related = await relatedInPools(t, on.identifier);
  const alike = identifiersOf(related.filter((card) => isAlike(card, on)));
  return [...alike, ...identifiersOf(related)].find((one) => isBystander(t, one));
}

/** Cards of the pools that are related to a card. */
async function relatedInPools(t: Context, identifier: string): Promise<Record<string, unknown>[]> {
  const listing = await t.call('cards.listRelated', { path: { identifier } }, { intent: 'refusable' });
  const pooled = pooledCards(t.fixtures);
  return entries(listing).filter((card) => card.identifier !== identifier && pooled.has(String(card.identifier)));
}

/** Whether a card is another one, and Active if the first is. */
const isAlike = (card: Record<string, unknown>, { identifier, state: { status } }: Looks.OnCard): boolean =>
  card.identifier !== identifier && (memberOf(card, 'status') === ACTIVE) === (status === ACTIVE);

/** Whether cards of the pools are related to each other, as far as the first of the largest pool shows it. */
const arePoolsRelated = scenario('cards of the pools that are related', async (t) => {
  const pools = POOLS.map((name) => t.fixtures.cards?.[name] ?? []).toSorted((a, b) => b.length - a.length);
  const first = pools[0]?.[0];
  return first !== undefined && t.isInScope('cards.listRelated') && (await relatedInPools(t, first)).length > 0;
});

/** Finds the bystanders of an operation. @param isRetrial whether those of all kinds are looked at, since one of some kind showed something */
export async function find(t: Context, { isRetrial, ...on }: Looks.OnCard & { isRetrial: boolean }): Promise<string[]> {
  const made = async (find: Find) => await optional(find(t, on));
  const kinds = Object.keys(KINDS);
  const some = () => t.rotatedMade(subjectOf(on.operation), kinds, (kind) => made(KINDS[kind]!));
  const found = isRetrial
    ? await Promise.all(kinds.map((kind) => made(KINDS[kind]!)))
    : (await some()).map(([, identifier]) => identifier);
  return [...new Set(found.filter((identifier) => identifier !== undefined))];
}

/** Who may have what a card had, once it is ended: a relative, else the bystanders. */
export async function heirsOf(t: Context, on: Looks.OnCard, bystanders: readonly string[]): Promise<readonly string[]> {
  const relative = await optional(relatedOne(t, on));
  return relative === undefined || bystanders.includes(relative) ? bystanders : [relative];
}

/** What leaves a card as it is is asked of one card, one after the other, and read around once: any of it may be what shows. */
const subjectOf = (operation: string): string =>
  LEAVING_ALONE.includes(operation) ? 'bystanders of what leaves a card as it is' : `${operation}: bystanders`;

/** A listed card with the same member of its record, Active if the card is. */
async function ofSame(
  t: Context,
  on: Looks.OnCard,
  name: 'customerIdentifier' | 'orderIdentifier',
): Promise<string | undefined> {
  const value = on.state.record && member(on.state.record, name);
  if (typeof value !== 'string') return undefined;
  const { entries: listed } = await Searches.findOnce(t, Listings.searchOf(Listings.cards, { [name]: value }));
  const alike = identifiersOf(listed.filter((card) => isAlike(card, on)));
  return alike.find((one) => isBystander(t, one));
}

/** Whether this run asks for no change of a card now, which is not foreign. */
const isBystander = (t: Context, identifier: string): boolean =>
  Looks.isStill(t, identifier) && !t.fixtures.cards?.foreign?.includes(identifier);

/** Listed cards that nothing else uses. */
export async function unused(t: Context, identifier = ''): Promise<Record<string, unknown>[]> {
  const taken = new Set([identifier, ...pooledCards(t.fixtures), ...(t.fixtures.cards?.foreign ?? [])]);
  return (await Requests.listedOn(t, Requests.firstCards)).filter((card) => !taken.has(String(card.identifier)));
}

const poolOf = (t: Context, identifier: string): readonly string[] =>
  POOLS.map((name) => t.fixtures.cards?.[name] ?? []).find((cards) => cards.includes(identifier)) ?? [];

/** Cards of the same pool that this run has asked nothing to change. */
export const matesOf = (t: Context, identifier: string): string[] =>
  poolOf(t, identifier).filter((one) => Looks.isLeftAlone(t, one));
