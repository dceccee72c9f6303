/** Ways to find a card otherwise than by its identifier: each shows the record as it is, however often it was gone before (readings 10, 23 and 26). */
import { type Answer, bodyOf, entries, isObject, member, succeeded } from '../../../../helpers/answer.ts';
import type { Call } from '../../../../helpers/cards/card-state.ts';
import type { Context } from '../../../../helpers/check.ts';
import { givenToken, identifiersOf, isText } from '../../../shared/identifiers.ts';

/** A request that may show a card. */
export type Look = () => Promise<Answer>;

/** How a card is found: in words that follow "a card that is". */
export interface Way {
  name: string;
  /** Gives a request that may show the card of a record; undefined where none is known. */
  find: (call: Call, record: Answer, t: Context) => Promise<Look | undefined>;
}

export const LISTED: Way = {
  name: 'listed',
  async find(call, record) {
    const customerIdentifier = member(record, 'customerIdentifier');
    const query = { max: 50, ...(typeof customerIdentifier === 'string' && { customerIdentifier }) };
    return () => call('cards.list', { query });
  },
};

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
    async find(call, record, t) {
      const identifier = member(record, 'proxyNumber');
      const { byProxy, filters } = t.fixtures.cards ?? {};
      const programs = [byProxy?.programIdentifier, filters?.programIdentifier].filter((one) => one !== undefined);
      if (!isText(identifier) || programs.length === 0) return undefined;
      for (const programIdentifier of t.rotated('the program of a card looked up by proxy', [...new Set(programs)]))
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

/** A way that was gone before a card changed, which may have been kept since. */
export interface Gone {
  name: string;
  look: Look;
}

/** Looks a card up in some of the ways. */
export async function goSome(t: Context, record: Answer): Promise<Gone[]> {
  const identifier = record.input.path!.identifier!;
  const call: Call = (operation, input) => t.call(operation, input, { intent: 'refusable' });
  const make = async ({ find }: Way) => {
    const look = await find(call, record, t);
    return look && shownIn(await look(), identifier, 'status') === member(record, 'status') ? look : undefined;
  };
  const made = await t.rotatedMade('look-ups of a card that is suspended afterwards', LOOK_UPS, make);
  return made.map(([{ name }, look]) => ({ name, look }));
}

/** What ways that were gone before show of a card otherwise than its record, which is the same before and after it. */
export interface Stale {
  name: string;
  answer: Answer;
  status: string;
}

/** Goes the ways again. @returns those that show another status than the record does before and after */
export async function goAgain(t: Context, gone: readonly Gone[], record: Answer): Promise<Stale[]> {
  const identifier = record.input.path!.identifier!;
  const is = member(record, 'status');
  const staleIn = (answer: Answer): string | undefined => {
    const status = shownIn(answer, identifier, 'status');
    return succeeded(answer) && isText(status) && status !== is ? status : undefined;
  };
  const stale: Stale[] = [];
  for (const { name, look } of gone) {
    const answer = await t.shown(look, (now) => staleIn(now) === undefined);
    const status = staleIn(answer);
    if (status !== undefined) stale.push({ name, answer, status });
  }
  if (stale.length === 0) return [];
  const after = await t.call('cards.get', { path: { identifier } }, { intent: 'refusable' });
  return member(after, 'status') === is ? stale : [];
}
