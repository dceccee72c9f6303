/** The listings of customers and of cards: their filters, and searches by them (readings 20 and 22). */
import type { Fixtures } from '../../../contracts/fixtures.ts';
import { type Answer, member, type QueryValue } from '../../../helpers/answer.ts';
import type { Context, Scenario } from '../../../helpers/check.ts';
import type * as Forms from '../../../helpers/engine/forms/index.ts';
import * as Searches from '../../../helpers/engine/searches.ts';
import { isText } from '../../shared/identifiers.ts';
import * as Requests from '../../shared/requests.ts';

/** A filter of a listing. */
export interface Filter {
  name: string;
  /** The requirement that it narrows the listing. */
  requirement: string;
  /** The value of the fixtures file that it finds entries by. */
  given(known: { fixtures: Fixtures }): string | undefined;
  /** Whether the entries show the value, so that it can be discovered, and they can be judged by it. */
  isMember?: boolean;
  /** What resembles its values; absent where a part of a value finds the same. */
  like?: Forms.Kind | undefined;
  /** The keys of the fixtures file for a customer that it finds, and for one that it leaves out. */
  finds?: CustomerKey;
  leavesOut?: CustomerKey;
}

/** A key of the fixtures file that names a customer. */
export type CustomerKey = Exclude<keyof NonNullable<Fixtures['users']> & `${string}Identifier`, 'v1Identifier'>;

/** A listing. */
export interface Listing {
  operation: 'users.list' | 'cards.list';
  /** An entry in words. */
  noun: string;
  /** The requirements that a max from 1 to 50 is accepted and respected, and that an unknown value of a filter is not ignored, nor a blank around a known one. */
  maxAccepted: string;
  maxRespected: string;
  unknownValue: string;
  paddedValue: string;
  filters: readonly Filter[];
  /** Its first page, of the largest size. */
  first: Scenario<Answer>;
  /** Number of pages read of what a filter finds. */
  pages: number;
}

const ofUsers = (
  name: string,
  requirement: string,
  key: 'parentIdentifier' | 'nameFragment' | 'v1Identifier',
  more: Pick<Filter, 'like' | 'finds' | 'leavesOut'>,
): Filter => ({ name, requirement, given: ({ fixtures }) => fixtures.users?.[key], ...more });

export const customers: Listing = {
  operation: 'users.list',
  noun: 'customer',
  maxAccepted: 'users.list.max-accepted',
  maxRespected: 'users.list.max-respected',
  unknownValue: 'users.list.unknown-filter-value',
  paddedValue: 'users.list.padded-filter-value',
  filters: [
    ofUsers('parentIdentifier', 'users.list.filter-parent', 'parentIdentifier', {
      like: 'filterOfCustomer',
      finds: 'childIdentifier',
      leavesOut: 'unrelatedIdentifier',
    }),
    ofUsers('name', 'users.list.filter-name', 'nameFragment', {
      finds: 'nameMatchIdentifier',
      leavesOut: 'nameMismatchIdentifier',
    }),
    ofUsers('v1Identifier', 'users.list.filter-v1-identifier', 'v1Identifier', {
      like: 'filterOfMember',
      finds: 'v1MatchIdentifier',
    }),
  ],
  first: Requests.firstCustomers,
  pages: 6,
};

type CardFilter = 'customerIdentifier' | 'programIdentifier' | 'orderIdentifier' | 'externalIdentifier';
const ofCards = (name: CardFilter, requirement: string, like: Filter['like'], isMember = false): Filter => ({
  name,
  requirement,
  like,
  isMember,
  given: ({ fixtures }) => fixtures.cards?.filters?.[name],
});

export const cards: Listing = {
  operation: 'cards.list',
  noun: 'card',
  maxAccepted: 'cards.list.max-accepted',
  maxRespected: 'cards.list.max-respected',
  unknownValue: 'cards.list.unknown-filter-value',
  paddedValue: 'cards.list.padded-filter-value',
  filters: [
    ofCards('customerIdentifier', 'cards.list.filter-customer', 'filterOfCustomer', true),
    ofCards('programIdentifier', 'cards.list.filter-program', 'filterOfOrder'),
    ofCards('orderIdentifier', 'cards.list.filter-order', 'filterOfOrder'),
    ofCards('externalIdentifier', 'cards.list.filter-external', 'filterOfMember', true),
  ],
  first: Requests.firstCards,
  pages: 1,
};

export const both: readonly Listing[] = [customers, cards];

/** A search of a listing: its largest page, unless the query says otherwise. */
export const searchOf = (
  { operation, pages }: Listing,
  query: Record<string, QueryValue>,
  more?: Partial<Searches.Search>,
): Searches.Search => ({ operation, query: { max: Searches.PAGE, ...query }, pages, ...more });

/** The query of a listing that has a card, by what its record shows. */
export function filtersShown(t: Context, record: Answer): Searches.Search['query'] {
  const shown = ['externalIdentifier', 'customerIdentifier'].filter((name) => isText(member(record, name)));
  const [by] = t.rotated('the filter of a listing that has a card', shown, { isOnce: true });
  return { max: Searches.PAGE, ...(by && { [by]: member(record, by) as string }) };
}

/** Pages of the unfiltered listing of customers: all of them, or a few where a narrower listing is known. */
export const MOST_PAGES = 40;

/** Values of max above the default of the cards listing, which the documents neither allow nor forbid. */
export const BEYOND_DEFAULT = [Searches.PAGE + 1, 1000];
