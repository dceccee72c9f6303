/** Transfers between two active cards that need not succeed, and those that must move nothing (readings 6, 13, 17 and 27). */
import type { Intent } from '../../../../helpers/answer.ts';
import type { Context } from '../../../../helpers/check.ts';
import * as Forms from '../../../../helpers/engine/forms/index.ts';
import { without } from '../../../../helpers/engine/rows.ts';
import { inconclusive } from '../../../../helpers/verdict.ts';
import * as Amounts from '../../../shared/amounts.ts';
import * as BadTokens from '../../../shared/bad-tokens.ts';
import * as KnownCards from '../../../shared/known-cards.ts';
import * as UnknownNames from '../../../shared/unknown-names.ts';
import type * as Effects from './effects.ts';
import * as MovingTransfers from './moving-transfers.ts';
import * as Payments from './payments.ts';

/** What transfers of amounts show on which the documents are silent: not that they move them. */
const UNUSUAL = MovingTransfers.MOVES.filter((one) => one !== 'cards.transfer.moves-amount');

/** Amounts in cents on which the documents are silent; one that depends on the balance is a function of it and of the least step. */
const UNUSUAL_AMOUNTS: Record<string, number | ((balance: number, step: number) => number)> = {
  zero: 0,
  'a negative amount': -97,
  'a cent below zero': -1,
  'half a cent': 100.5,
  'more than the balance': (balance, step) => balance + step,
};

/** Makes transfers of amounts on which the documents are silent. */
export async function transferUnusual({ t, books, source, there }: MovingTransfers.Between, takesCents: boolean) {
  const odd = t.rotated('transfers: odd amounts', Object.entries(Forms.ODD_AMOUNTS), { name: ([name]) => name });
  for (const [name, asked] of [...Object.entries(UNUSUAL_AMOUNTS), ...odd]) {
    const about = Number(asked) < 0 ? [...UNUSUAL, 'cards.transfer.negative-amount'] : UNUSUAL;
    const after = typeof asked === 'function' ? [MovingTransfers.EVERYTHING] : [];
    await books.send({ name: `a transfer of ${name}`, about, after, isUnusual: true }, async () => {
      const { least } = Amounts.ruleOf(t);
      const given = typeof asked === 'function' ? asked(await books.balance(source), takesCents ? 1 : least) : asked;
      const made = there(name === 'a negative amount' && !takesCents ? -least : given);
      return [{ ...made, options: { intent: 'unusual' } }];
    });
  }
  // What such a card is given may not come back.
  const pools = t.allows('irreversible')
    ? (['unused', 'fraud'] as const).filter((pool) => t.fixtures.cards?.[pool]?.length)
    : [];
  for (const pool of t.rotated('transfers: to a card that is not Active', pools))
    await books.send({ name: `a transfer to a card of cards.${pool}`, about: UNUSUAL, isUnusual: true }, () => {
      const to = t.fixtures.cards![pool]!.at(-1)!;
      return [{ ...there(Amounts.ruleOf(t).least, { targetCardIdentifier: to }), to }];
    });
  await books.check();
}

/** A transfer that must move nothing: the requirement that says so, its name, and its intent. */
type Refusable = readonly [
  requirement: string,
  name: string,
  Intent,
  of: () => Effects.Payment | Promise<Effects.Payment>,
];

/** Makes transfers that must move nothing; those without an amount last. */
export async function transferNothing(between: MovingTransfers.Between, takesCents: boolean): Promise<void> {
  const { t, books, source, target, there } = between;
  const { least } = Amounts.ruleOf(t);
  let made = 0;
  /** Told apart by its amount, where the target takes fractions of a unit. */
  const whole = (more = {}, from = source): Effects.Payment => ({
    ...there(takesCents ? least + ++made : least, more),
    from,
  });
  const to = (other: string, more = {}) => ({ ...whole({ ...more, targetCardIdentifier: other }), to: other });
  const lacking = (member: string) =>
    bodied(whole(optionalOf(t, `without ${member}`)), (json) => without(json, member));
  const areTried = t.needs('cards.transfer.requires-token', 'cards.transfer.claims-truly');
  const tokens = areTried ? await BadTokens.of(t, 'cards.transfer') : [];
  const bad = tokens.map(({ name, authorisation }, index): Refusable => {
    const of = () => {
      const plain = whole();
      const requests = BadTokens.equivalentRequests('cards.transfer', plain.input);
      return { ...plain, input: requests[index % requests.length]!, options: { authorisation, wrong: { what: name } } };
    };
    return ['requires-token', `with ${name}`, 'unauthorised', of];
  });
  const foreign = (place: number) =>
    KnownCards.foreignCards(t)[place] ?? inconclusive('there is no other foreign card');
  const amountAsText = (json: Json) => ({ ...json, amount: String(json.amount) });
  const numericField = { customFields: { customField1: 1 } };
  const empty = (input: Effects.Payment['input']): Effects.Payment => ({ from: source, input });
  const wrongTypes: Refusable[] = [
    ['body-types', 'with a comment that is a number', 'malformed', () => whole({ comment: 1 })],
    ['body-types', 'with customFields as text', 'malformed', () => whole({ customFields: 'one' })],
    ['body-types', 'with a customField1 that is a number', 'malformed', () => whole(numericField)],
    ...Forms.oddBodies.map(
      ({ name, input }): Refusable => ['body-types', `with a body ${name}`, 'malformed', () => empty(input)],
    ),
  ];
  const table: Refusable[] = [
    ['no-target', 'without a target', 'malformed', () => lacking('targetCardIdentifier')],
    ['unknown-target', 'to an unknown target', 'unknown', () => to(Forms.invented(target))],
    ...t
      .rotated('transfers: misnamed targets', misnamed(t, target))
      .map((one): Refusable => ['unknown-target', `to ${one.name}`, 'unknown', async () => to(await nobody(t, one))]),
    ['to-itself', 'from a card to itself', 'refusable', () => to(source)],
    ...t
      .rotated('cards.transfer: misnamed', UnknownNames.formsLike(t, source))
      .map(
        (one): Refusable => [
          'unknown-identifier',
          `from ${one.name}`,
          'unknown',
          async () => whole({}, await nobody(t, one)),
        ],
      ),
    ['body-types', 'with an amount as text', 'malformed', () => bodied(whole(), amountAsText)],
    ['body-types', 'with the target in an array', 'malformed', () => whole({ targetCardIdentifier: [target] })],
    ...t.rotated('transfers: wrong types', wrongTypes, { count: 3, name: ([, what]) => what }),
    ...bad,
    ['foreign-target', 'to a foreign card', 'foreign', () => to(foreign(0), optionalOf(t, 'to a foreign card'))],
    ['foreign', 'from a foreign card', 'foreign', () => whole({}, foreign(0))],
    ['foreign', 'from another foreign card', 'foreign', () => whole({}, foreign(1))],
    ['missing-body', 'of zero bytes', 'malformed', () => empty({})],
    ['missing-body', 'of zero bytes declared as JSON', 'malformed', () => empty({ emptyJson: true })],
    ['no-amount', 'without an amount', 'malformed', () => lacking('amount')],
  ];
  for (const [requirement, name, intent, of] of table) {
    const about = [`cards.transfer.${requirement}`, 'cards.transfer.claims-truly'];
    // That a wrong type is refused is advised; that it then moves nothing is required.
    if (requirement === 'body-types') about.push('cards.transfer.refused-moves-nothing');
    await books.send({ name: `a transfer ${name}`, about, movesNothing: true }, async () => {
      const one = await of();
      return [{ ...one, options: { intent, ...one.options } }];
    });
  }
  await books.check({ late: true });
}

type Json = Record<string, unknown>;

/** The optional members in some runs, none in others. */
const optionalOf = (t: Context, what: string) =>
  t.rotated(`transfers: ${what}`, [
    { name: 'alone', members: {} },
    { name: 'beside comment and customFields', members: Payments.OPTIONAL },
  ])[0]!.members;

/** A payment with another body. */
const bodied = (made: Effects.Payment, of: (json: Json) => unknown): Effects.Payment => ({
  ...made,
  input: { json: of(made.input.json as Json) },
});

/** What resembles the identifier of a card, and what else a card is found by. */
function misnamed(t: Context, card: string): UnknownNames.Unknown[] {
  const { externalIdentifier } = t.fixtures.cards?.filters ?? {};
  const other = externalIdentifier && { name: 'an externalIdentifier', identifier: externalIdentifier };
  return [...UnknownNames.formsLike(t, card), ...(other ? [other] : [])];
}

/** The identifier. @throws Inconclusive where it names something */
const nobody = async (t: Context, { name, identifier }: UnknownNames.Unknown): Promise<string> =>
  (await UnknownNames.exists(t, 'cards.transfer', identifier))
    ? inconclusive(`${name} names another card`)
    : identifier;
