/** Transfers between two active cards that need not succeed, and those that must move nothing (readings 6, 13, 17 and 27). */
import type { Intent } from '../../../../helpers/answer.ts';
import type { Context } from '../../../../helpers/check.ts';
import { invented } from '../../../../helpers/engine/forms/invented.ts';
import { without } from '../../../../helpers/engine/rows.ts';
import { inconclusive } from '../../../../helpers/verdict.ts';
import { amountRule } from '../../../shared/amounts.ts';
import { badTokens, equivalentRequests } from '../../../shared/bad-tokens.ts';
import { foreignCards } from '../../../shared/known-cards.ts';
import { exists, misnamed } from '../../../shared/unknown-names.ts';
import type { Payment } from './effects.ts';
import { OPTIONAL } from './forms.ts';
import type { Between } from './moving-transfers.ts';

/** What transfers of amounts show on which the documents are silent. */
const UNUSUAL = [
  'cards.transfer.conserves-money',
  'cards.transfer.claims-truly',
  'cards.transfer.refused-moves-nothing',
  'cards.transfer.negative-amount',
];

/** Amounts in cents on which the documents are silent; one that depends on the balance is a function of it and of the least step. */
const UNUSUAL_AMOUNTS: Record<string, number | ((balance: number, step: number) => number)> = {
  zero: 0,
  'a negative amount': -97,
  'a cent below zero': -1,
  'a thousandth of the unit': 0.1,
  'half a cent': 100.5,
  'more than the balance': (balance, step) => balance + step,
};

/** Amounts by which transfers are told apart: each has another one, where the target takes fractions of a unit. */
const amounts = (between: Between, takesCents: boolean) => {
  const { least } = amountRule(between.t);
  let made = 0;
  return () => (takesCents ? least + ++made : least);
};

/** Makes transfers of amounts on which the documents are silent. */
export async function transferUnusual({ t, books, source, there }: Between, takesCents: boolean): Promise<void> {
  for (const [name, asked] of Object.entries(UNUSUAL_AMOUNTS))
    await books.send({ name: `a transfer of ${name}`, about: UNUSUAL, isUnusual: true }, async () => {
      const { least } = amountRule(t);
      const given = typeof asked === 'function' ? asked(await books.balance(source), takesCents ? 1 : least) : asked;
      const made = there(name === 'a negative amount' && !takesCents ? -least : given);
      return [{ ...made, options: { intent: 'unusual' } }];
    });
  // What such a card is given may not come back.
  const pools = t.allows('irreversible') ? OUT_OF_USE.filter((pool) => t.fixtures.cards?.[pool]?.length) : [];
  for (const pool of t.rotated('transfers: to a card that is not Active', pools))
    await books.send({ name: `a transfer to a card of cards.${pool}`, about: UNUSUAL, isUnusual: true }, () => {
      const to = t.fixtures.cards![pool]!.at(-1)!;
      return [{ ...there(amountRule(t).least, { targetCardIdentifier: to }), to }];
    });
  await books.check();
}

/** Pools of cards that are not Active. */
const OUT_OF_USE = ['unused', 'fraud'] as const;

/** A transfer that must move nothing. */
interface Refusable {
  /** The requirement that it moves nothing, and others that it shows. */
  about: readonly string[];
  name: string;
  intent: Intent;
  of(): Payment | Promise<Payment>;
}

/** Makes transfers that must move nothing; those without an amount last. */
export async function transferNothing(between: Between, takesCents: boolean): Promise<void> {
  const { t, books, source, target, there } = between;
  const next = amounts(between, takesCents);
  const whole = (more = {}, from = source): Payment => ({ ...there(next(), more), from });
  const to = (other: string, more = {}) => ({ ...whole({ ...more, targetCardIdentifier: other }), to: other });
  const lacking = (member: string) =>
    bodied(whole(optionalOf(t, `without ${member}`)), (json) => without(json, member));
  const mistyped = (member: string, value: (right: number) => unknown) => () =>
    bodied(whole(), (json) => ({ ...json, [member]: value(json.amount as number) }));
  const row = (requirement: string, name: string, intent: Intent, of: Refusable['of']): Refusable => ({
    about: [`cards.transfer.${requirement}`, 'cards.transfer.claims-truly'],
    name,
    intent,
    of,
  });
  // That a wrong type is refused is advised; that it then moves nothing is required.
  const types = (name: string, of: Refusable['of']): Refusable => {
    const made = row('body-types', name, 'malformed', of);
    return { ...made, about: [...made.about, 'cards.transfer.refused-moves-nothing'] };
  };
  const bad = (await badTokens(t, 'cards.transfer')).map(({ name, authorisation }, index) =>
    row('requires-token', `with ${name}`, 'unauthorised', () => {
      const made = whole();
      const requests = equivalentRequests('cards.transfer', made.input);
      const options = { authorisation, wrong: { what: name } };
      return { ...made, input: requests[index % requests.length]!, options };
    }),
  );
  const foreign = (place: number) => foreignCards(t)[place] ?? inconclusive('there is no other foreign card');
  const table: Refusable[] = [
    row('no-target', 'without a target', 'malformed', () => lacking('targetCardIdentifier')),
    row('unknown-target', 'to an unknown target', 'unknown', () => to(invented(target))),
    row('unknown-target', 'to a misnamed target', 'unknown', async () =>
      to(await nobody(t, 'cards.transfer: target', target)),
    ),
    row('to-itself', 'from a card to itself', 'refusable', () => to(source)),
    row('unknown-identifier', 'from a misnamed source', 'unknown', async () =>
      whole({}, await nobody(t, 'cards.transfer', source)),
    ),
    types('with an amount as text', mistyped('amount', String)),
    types(
      'with the target in an array',
      mistyped('targetCardIdentifier', () => [target]),
    ),
    types(
      'with a comment that is a number',
      mistyped('comment', () => 1),
    ),
    types(
      'with customFields as text',
      mistyped('customFields', () => 'one'),
    ),
    types(
      'with a customField1 that is a number',
      mistyped('customFields', () => ({ customField1: 1 })),
    ),
    ...bad,
    row('foreign-target', 'to a foreign card', 'foreign', () => to(foreign(0), optionalOf(t, 'to a foreign card'))),
    row('foreign', 'from a foreign card', 'foreign', () => whole({}, foreign(0))),
    row('foreign', 'from another foreign card', 'foreign', () => whole({}, foreign(1))),
    row('missing-body', 'of zero bytes', 'malformed', () => ({ from: source, input: {} })),
    row('missing-body', 'of zero bytes declared as JSON', 'malformed', () => ({
      from: source,
      input: { emptyJson: true },
    })),
    row('no-amount', 'without an amount', 'malformed', () => lacking('amount')),
  ];
  for (const { about, name, intent, of } of table)
    await books.send({ name: `a transfer ${name}`, about, movesNothing: true }, async () => {
      const made = await of();
      return [{ ...made, options: { intent, ...made.options } }];
    });
  await books.check({ late: true });
}

/** The optional members in some runs, none in others. */
const optionalOf = (t: Context, what: string) =>
  t.rotated(`transfers: ${what}`, [
    { name: 'alone', members: {} },
    { name: 'beside comment and customFields', members: OPTIONAL },
  ])[0]!.members;

/** A payment with another body. */
const bodied = (made: Payment, of: (json: Record<string, unknown>) => unknown): Payment => ({
  ...made,
  input: { json: of(made.input.json as Record<string, unknown>) },
});

/** An identifier that resembles an existing one and names nothing. @throws Inconclusive where it names something */
async function nobody(t: Context, operation: string, identifier: string): Promise<string> {
  const other = misnamed(t, operation, identifier);
  return (await exists(t, 'cards.transfer', other.identifier))
    ? inconclusive(`${other.name} names another card`)
    : other.identifier;
}
