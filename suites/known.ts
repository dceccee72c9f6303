/** What is known of the target's data: from the fixtures file, else discovered by reading. */
import { entries } from '../helpers/answer.ts';
import { scenario } from '../helpers/check.ts';
import type { Context } from '../helpers/context.ts';
import { base } from '../helpers/expectations.ts';
import { inconclusive } from '../helpers/verdict.ts';

const text = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The first page of the customers listing, as large as it may be. */
export const firstCustomers = scenario('first page of customers', async (t) =>
  base(await t.call('users.list', { query: { max: 50 } }), 'the listing of customers'),
);

/** The first page of the cards listing, as large as the default. */
export const firstCards = scenario('first page of cards', async (t) =>
  base(await t.call('cards.list', { query: { max: 50 } }), 'the listing of cards'),
);

/** Identifier of an existing customer. @throws Inconclusive when none is known */
export async function aCustomer(t: Context): Promise<string> {
  const given = t.fixtures.users?.customerIdentifier;
  if (given) return given;
  const found = entries(await t.shared(firstCustomers))
    .map(({ identifier }) => identifier)
    .find(text);
  return (
    found ?? inconclusive('no customer is known: users.customerIdentifier is not given, and the listing names none')
  );
}

/** Cards in the pools that checks change. */
const pooled = (t: Context) => {
  const { active = [], disposable = [], unused = [], fraud = [] } = t.fixtures.cards ?? {};
  return { reliable: [...active, ...disposable], all: new Set([...active, ...disposable, ...unused, ...fraud]) };
};

/** Identifier of a card for reading: an Active one that no check changes, if there is one. @throws Inconclusive when none is known */
export const aCard = scenario('a card for reading', async (t) => {
  const { reliable, all } = pooled(t);
  const related = t.fixtures.cards?.withRelated;
  if (related) return related;
  const listed = entries(await t.shared(firstCards)).filter(({ identifier }) => text(identifier));
  const untouched = listed.filter(({ identifier }) => !all.has(identifier as string));
  const found = untouched.find(({ status }) => status === 'Active')?.identifier ?? reliable[0] ?? listed[0]?.identifier;
  if (text(found)) return found;
  return inconclusive('no card is known: the listing names none, and the fixtures file gives none');
});

/** An identifier that names nothing, of the same form as one that does: its letters and digits moved on. */
export function invented(like: string): string {
  const moved = [...like].map((character, index) => (index % 2 === 0 ? moveOn(character) : character));
  return moved.join('') === like ? `${like}0` : moved.join('');
}

function moveOn(character: string): string {
  if (/[0-9]/.test(character)) return String((Number(character) + 7) % 10);
  if (/[a-f]/.test(character)) return 'abcdef'[('abcdef'.indexOf(character) + 3) % 6]!;
  if (/[A-F]/.test(character)) return 'ABCDEF'[('ABCDEF'.indexOf(character) + 3) % 6]!;
  return character;
}
