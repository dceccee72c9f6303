/** Ways to find a card otherwise than by its identifier: each shows the record as it is, however often it was gone before (readings 10, 23 and 26). */
import { numbers } from '../../../../contracts/numbers.ts';
import { type Answer, bodyOf, entries, isObject, member, succeeded } from '../../../../helpers/answer.ts';
import type { Call } from '../../../../helpers/cards/card-state.ts';
import type { Context } from '../../../../helpers/check.ts';
import * as Searches from '../../../../helpers/engine/searches.ts';
import { givenToken, identifiersOf, isText } from '../../../shared/identifiers.ts';
import * as Listings from '../../listings/listings.ts';

/** A request that may show a card. */
export type Look = () => Promise<Answer>;

/** How a card is found: in words that follow "a card that is". */
export interface Way {
  name: string;
  /** Gives a request that may show the card of a record; undefined where none is known. */
  find: (call: Call, record: Answer, t: Context) => Promise<Look | undefined>;
  /** Identifiers of cards that are likely to be found so; all are if absent. */
  among?: (t: Context) => Promise<readonly string[]>;
}

export const LISTED: Way = {
  name: 'listed',
  async find(call, record) {
    const customerIdentifier = member(record, 'customerIdentifier');
    const query = { max: 50, ...(typeof customerIdentifier === 'string' && { customerIdentifier }) };
    return () => call('cards.list', { query });
  },
};

/** The programs that the fixtures file names. */
function programsIn({ fixtures: { cards } }: Context): string[] {
  const named = [cards?.byProxy?.programIdentifier, cards?.filters?.programIdentifier];
  return [...new Set(named.filter((one) => one !== undefined))];
}

/** The ways besides the listing of cards. */
export const LOOK_UPS: readonly Way[] = [
  {
    name: 'found by its temporary token',
    async find(call, { input: { path } }) {
      const identifier = givenToken(await call('cards.createToken', { path: path! }));
      if (!identifier) return undefined;
      return () => call('cards.get', { path: { identifier }, query: { byToken: true } });
    },
  },
  {
    // Which program it is of, and whether it is digital, is not shown.
    name: 'found by its proxy',
    async among(t) {
      const searches = programsIn(t).map((programIdentifier) =>
        Listings.searchOf(Listings.cards, { programIdentifier }),
      );
      return (await Promise.all(searches.map((search) => Searches.findOnce(t, search)))).flatMap(({ ids }) => ids);
    },
    async find(call, record, t) {
      const identifier = member(record, 'proxyNumber');
      const programs = programsIn(t);
      if (!isText(identifier) || programs.length === 0) return undefined;
      for (const programIdentifier of t.rotated('the program of a card looked up by proxy', programs))
        for (const isDigital of [false, true]) {
          const query = { byProxy: true, programIdentifier, isDigital };
          const look = () => call('cards.get', { path: { identifier }, query });
          const found = await look();
          if (succeeded(found) && member(found, 'identifier') === member(record, 'identifier')) return look;
        }
      return undefined;
    },
  },
  {
    name: 'listed among related cards',
    async find(call, { input: { path } }) {
      const relatedTo = (identifier: string) => call('cards.listRelated', { path: { identifier } });
      const related = identifiersOf(entries(await relatedTo(path!.identifier!)));
      const other = related.find((one) => one !== path!.identifier) ?? related[0];
      return other === undefined ? undefined : () => relatedTo(other);
    },
  },
];

/** A member of a card, in its record or in a listing; undefined where it is not there. */
export function shownIn(answer: Answer, identifier: string, name: string): unknown {
  const listed = entries(answer).find((card) => card.identifier === identifier);
  const body = bodyOf(answer);
  return listed ? listed[name] : isObject(body) ? body[name] : undefined;
}

/** Whether a member is shown alike in two places, a balance but for rounding. */
export const isSame = (one: unknown, other: unknown): boolean =>
  typeof one === 'number' && typeof other === 'number'
    ? Math.abs(one - other) < numbers.roundedCents / 100
    : one === other;
