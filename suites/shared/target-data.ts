/** What is known of the target's data: from the fixtures file, else discovered by reading. */
import { randomInt, randomUUID } from 'node:crypto';
import { type Answer, entries } from '../../helpers/answer.ts';
import { cardForReading, identifiersOf, pooledCards } from '../../helpers/cards/discovery.ts';
import { type Scenario, scenario } from '../../helpers/check.ts';
import type { Context } from '../../helpers/context.ts';
import { requireAccepted } from '../../helpers/expect.ts';
import { inconclusive } from '../../helpers/verdict.ts';
import { attempt, values } from './step.ts';

/** The first page of the customers listing, as large as it may be. The longest chains begin with what it names. */
export const firstCustomers = scenario('first page of customers', async (t) => {
  t.prioritiseAboveAll();
  return requireAccepted(await t.call('users.list', { query: { max: 50 } }), 'the listing of customers');
});

/** The first page of the cards listing, as large as the default. The longest chains begin with what it names. */
export const firstCards = scenario('first page of cards', async (t) => {
  t.prioritiseAboveAll();
  return requireAccepted(await t.call('cards.list', { query: { max: 50 } }), 'the listing of cards');
});

/** The entries of the first page of a listing; none where it is refused. */
export async function listedOn(t: Context, page: Scenario<Answer>): Promise<Record<string, unknown>[]> {
  return values([await attempt(() => t.shared(page))]).flatMap(entries);
}

/** Identifier of an existing customer. @throws Inconclusive when none is known */
export async function aCustomer(t: Context): Promise<string> {
  const given = t.fixtures.users?.customerIdentifier;
  const found = given ?? identifiersOf(entries(await t.shared(firstCustomers)))[0];
  if (found === undefined)
    return inconclusive('no customer is known: users.customerIdentifier is not given, and the listing names none');
  t.run.used('users.customerIdentifier', given ? 'fixtures file' : 'discovered', found);
  return found;
}

/** Identifier of a card for reading: an Active one that no check changes, if there is one. @throws Inconclusive when none is known */
export const aCard = scenario('a card for reading', async (t) => {
  const related = t.fixtures.cards?.withRelated;
  if (related) return related;
  const found = cardForReading(t.fixtures, entries(await t.shared(firstCards)));
  if (found === undefined)
    return inconclusive('no card is known: the listing names none, and the fixtures file gives none');
  t.run.used('a card for reading', pooledCards(t.fixtures).has(found) ? 'fixtures file' : 'discovered', found);
  return found;
});

/** An identifier that names nothing, of the same form as one that does: other digits, and enough of them to be nobody's. */
export function invented(like: string): string {
  if (UUID.test(like)) return like === like.toUpperCase() ? randomUUID().toUpperCase() : randomUUID();
  const digits = HEX.test(like) ? /[0-9a-f]/gi : /[0-9]/g;
  const missing = ENOUGH_DIGITS - (like.match(digits)?.length ?? 0);
  const varied = like.replace(digits, () => String(randomInt(10)));
  const more = Array.from({ length: Math.max(0, missing) }, () => randomInt(10)).join('');
  // What follows the padding of base64 may be passed over.
  return like.endsWith('=') ? more + varied : varied + more;
}

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HEX = /^[0-9a-f]+$/i;
/** So many random digits hit an existing identifier by chance in no target. */
const ENOUGH_DIGITS = 15;

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The text with its last letter or digit changed in the one bit of it that no encoding leaves spare. */
export const endedOtherwise = (text: string): string => text.slice(0, -1) + BASE64[BASE64.indexOf(text.at(-1)!) ^ 32];

/** The text with one character changed: the letter or digit nearest after its middle, else the last one. */
export function altered(text: string): string {
  const middle = Math.floor(text.length / 2);
  const after = [...text.slice(middle)].findIndex((character) => /[A-Za-z0-9]/.test(character));
  const at = after < 0 ? text.search(/[A-Za-z0-9](?=[^A-Za-z0-9]*$)/) : middle + after;
  return at < 0 ? `${text}0` : text.slice(0, at) + another(text[at]!) + text.slice(at + 1);
}

/** Another character of the same kind: hexadecimal stays hexadecimal, and case stays case. */
export function another(character: string): string {
  const kind = ['0123456789', 'abcdef', 'ABCDEF', 'ghijklmnopqrstuvwxyz', 'GHIJKLMNOPQRSTUVWXYZ'].find((of) =>
    of.includes(character),
  );
  if (!kind) return character;
  const step = 1 + Math.floor(Math.random() * (kind.length - 1));
  return kind[(kind.indexOf(character) + step) % kind.length]!;
}
