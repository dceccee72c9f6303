/** Transfers between two active cards that must move nothing (readings 6, 13, 17 and 27): each row is a step of their life, and a check of it. */
import type { Answer, Intent } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import * as Forms from '../../../helpers/engine/forms/index.ts';
import { without } from '../../../helpers/engine/rows.ts';
import { expectAdvisedStatus, expectRefused } from '../../../helpers/expect.ts';
import { inconclusive } from '../../../helpers/verdict.ts';
import { check } from '../../declare.ts';
import * as BadTokens from '../../shared/bad-tokens.ts';
import * as KnownCards from '../../shared/known-cards.ts';
import * as UnknownNames from '../../shared/unknown-names.ts';
import * as Claims from './money/claims.ts';
import * as Contradictions from './money/contradictions.ts';
import * as Effects from './money/effects.ts';
import * as MovingTransfers from './money/moving-transfers.ts';
import * as Payments from './money/payments.ts';
import * as Seen from './money/seen.ts';
import * as Transfers from './money/transfers.ts';

type Sending = MovingTransfers.Sending;
type Json = Record<string, unknown>;

/** A transfer that must move nothing. */
type Make = (on: Sending) => Effects.Payment | Promise<Effects.Payment>;

/** What it is, in words that follow "a transfer", and what makes it. */
type Row = readonly [name: string, make: Make];

/** Judges an answer to it; `success` is that to one that moved money. */
type Judge = (answer: Answer, what: string, success: Answer | undefined) => unknown;

/** One of 200 may say that it was refused (reading 27). */
const notTaken: Judge = (answer, what, success) => Claims.isSuccess(answer, success) && expectRefused(answer, what);

const whole = (on: Sending, more = {}): Effects.Payment =>
  on.pair.get().refusable(MovingTransfers.takesCents(on), more);

const from = (on: Sending, source: string): Effects.Payment => ({ ...whole(on), from: source });

const to = (on: Sending, target: string, more = {}): Effects.Payment => ({
  ...whole(on, { ...more, targetCardIdentifier: target }),
  to: target,
});

/** A transfer with another body. */
const bodied = (made: Effects.Payment, of: (json: Json) => unknown): Effects.Payment => ({
  ...made,
  input: { json: of(made.input.json as Json) },
});

/** The optional members in some runs, none in others. */
const optionalOf = (t: Context, what: string) =>
  t.oneOf(`transfers: ${what}`, [
    { name: 'alone', members: {} },
    { name: 'beside comment and customFields', members: Payments.OPTIONAL },
  ]).members;

const lacking =
  (member: string): Make =>
  (on) =>
    bodied(whole(on, optionalOf(on.t, `without ${member}`)), (json) => without(json, member));

const foreign = ({ t }: Sending, place: number): string =>
  KnownCards.foreignCards(t)[place] ?? inconclusive('there is no other foreign card');

/** The identifier. @throws Inconclusive where it names something */
const nobody = async (t: Context, { name, identifier }: UnknownNames.Unknown): Promise<string> =>
  (await UnknownNames.exists(t, 'cards.transfer', identifier))
    ? inconclusive(`${name} names another card`)
    : identifier;

/** What resembles the identifier of a target, and what else a card is found by. */
function misnamedTargets({ t, pair }: Sending): Row[] {
  const { externalIdentifier } = t.fixtures.cards?.filters ?? {};
  const other = externalIdentifier ? [{ name: 'an externalIdentifier', identifier: externalIdentifier }] : [];
  const misnamed = t.rotated('transfers: misnamed targets', [
    ...UnknownNames.formsLike(t, pair.get().target),
    ...other,
  ]);
  return misnamed.map((one) => [`to ${one.name}`, async (on) => to(on, await nobody(t, one))]);
}

const misnamedSources = ({ t, pair }: Sending): Row[] =>
  t
    .rotated('cards.transfer: misnamed', UnknownNames.formsLike(t, pair.get().source))
    .map((one) => [`from ${one.name}`, async (on) => from(on, await nobody(t, one))]);

/** Bodies with members of a wrong type, and those that are no object. */
function wrongBodies({ t }: Sending): Row[] {
  const wrong: Row[] = [
    ['with a comment that is a number', (on) => whole(on, { comment: 1 })],
    ['with customFields as text', (on) => whole(on, { customFields: 'one' })],
    ['with a customField1 that is a number', (on) => whole(on, { customFields: { customField1: 1 } })],
    ...Forms.oddBodies.map(
      ({ name, input }): Row => [`with a body ${name}`, (on) => ({ from: on.pair.get().source, input })],
    ),
  ];
  return t.rotated('transfers: wrong types', wrong, { count: 3, name: ([what]) => what });
}

/** The step of transfers from what resembles a card. */
export const FROM_MISNAMED = 'transfers from misnamed sources';

/** Transfers that must move nothing, and the requirement that says so. */
interface Refused {
  requirement: string;
  intent: Intent;
  /** What makes each, by what it is, in words that follow "a transfer". */
  rows: Readonly<Record<string, Make>>;
  /** What those of others are that it is about, too. */
  seen?: Seen.Kind;
  /** Forms of which each run tries some: one step for all of them. */
  forms?: { step: string; of: (on: Sending) => readonly Row[] };
  /** Judges its answer, too. */
  judge?: Judge;
}

const stepOf = (name: string): string => `a transfer ${name}`;
const stepsOf = ({ rows, forms }: Pick<Refused, 'rows' | 'forms'>): string[] => [
  ...Object.keys(rows).map(stepOf),
  ...(forms ? [forms.step] : []),
];

/** That a wrong type is refused is advised; that it then moves nothing is required. */
const wrongTypes: Refused = {
  requirement: 'cards.transfer.body-types',
  intent: 'malformed',
  rows: {
    'with an amount as text': (on) => bodied(whole(on), (json) => ({ ...json, amount: String(json.amount) })),
    'with the target in an array': (on) => whole(on, { targetCardIdentifier: [on.pair.get().target] }),
  },
  forms: { step: 'transfers with wrong bodies', of: wrongBodies },
  judge: notTaken,
};

const noBody: Refused = {
  requirement: 'cards.transfer.missing-body',
  intent: 'malformed',
  rows: {
    'of zero bytes': (on) => ({ from: on.pair.get().source, input: {} }),
    'of zero bytes declared as JSON': (on) => ({ from: on.pair.get().source, input: { emptyJson: true } }),
  },
  seen: 'without a body',
  judge: (answer, what, success) => Claims.saysRefused(answer, success) || expectRefused(answer, what),
};

/** Those without an amount go last. */
const TABLE: readonly Refused[] = [
  {
    requirement: 'cards.transfer.no-target',
    intent: 'malformed',
    rows: { 'without a target': lacking('targetCardIdentifier') },
    seen: 'without a target',
  },
  {
    requirement: 'cards.transfer.unknown-target',
    intent: 'unknown',
    rows: { 'to an unknown target': (on) => to(on, Forms.invented(on.pair.get().target)) },
    forms: { step: 'transfers to misnamed targets', of: misnamedTargets },
  },
  {
    requirement: 'cards.transfer.to-itself',
    intent: 'refusable',
    rows: { 'from a card to itself': (on) => to(on, on.pair.get().source) },
    seen: 'from a card to itself',
  },
  {
    requirement: 'cards.transfer.unknown-identifier',
    intent: 'unknown',
    rows: {},
    forms: { step: FROM_MISNAMED, of: misnamedSources },
    judge: Claims.expectUnknownRefused,
  },
  wrongTypes,
  {
    requirement: 'cards.transfer.foreign-target',
    intent: 'foreign',
    rows: { 'to a foreign card': (on) => to(on, foreign(on, 0), optionalOf(on.t, 'to a foreign card')) },
  },
  {
    requirement: 'cards.transfer.foreign',
    intent: 'foreign',
    rows: {
      'from a foreign card': (on) => from(on, foreign(on, 0)),
      'from another foreign card': (on) => from(on, foreign(on, 1)),
    },
    judge: notTaken,
  },
  noBody,
  {
    requirement: 'cards.transfer.no-amount',
    intent: 'malformed',
    rows: { 'without an amount': lacking('amount') },
    seen: 'without an amount',
  },
];

// ---- their steps -----------------------------------------------------------------------------------------------------

/** The step of transfers with bad tokens. */
export const BAD_TOKENS = 'transfers with bad tokens';
/** The steps of all transfers that must move nothing, and of those with members of a wrong type. */
export const REFUSED: readonly string[] = [BAD_TOKENS, ...TABLE.flatMap(stepsOf)];
export const OF_WRONG_TYPES: readonly string[] = stepsOf(wrongTypes);

async function sendBadTokens(on: Sending): Promise<void> {
  for (const [index, { name: what, authorisation }] of (await BadTokens.tokensFor(on.t, 'cards.transfer')).entries()) {
    const row = { name: `a transfer with ${what}`, step: BAD_TOKENS, movesNothing: true };
    await on.books.send(row, () => {
      const plain = whole(on);
      const requests = BadTokens.equivalentRequests('cards.transfer', plain.input);
      const options = { intent: 'unauthorised', authorisation, wrong: { what } } as const;
      return [{ ...plain, input: requests[index % requests.length]!, options }];
    });
  }
}

/** All transfers between two active cards: their life, and its books. */
export const betweenTwo = Transfers.beginTransfers();
export const { life: transfers } = betweenTwo;

/** Adds the rows that are always sent. */
function addRows({ intent, rows }: Refused): void {
  for (const row of Object.entries(rows)) transfers.does(stepOf(row[0]), (on) => send(on, row, { intent }));
}

/** Adds the forms of which each run tries some. */
function addForms({ intent, forms }: Refused): void {
  if (!forms) return;
  transfers.does(forms.step, async (on) => {
    for (const row of forms.of(on)) await send(on, row, { intent, step: forms.step });
  });
}

const send = (on: Sending, [name, make]: Row, { intent, step = stepOf(name) }: { intent: Intent; step?: string }) =>
  on.books.send({ name: stepOf(name), step, movesNothing: true }, async () => [
    { ...(await make(on)), options: { intent } },
  ]);

transfers.does(BAD_TOKENS, sendBadTokens);
for (const refused of TABLE) {
  addRows(refused);
  if (refused !== wrongTypes) addForms(refused);
}
transfers.does('balances after refused transfers', ({ books }) => books.check({ late: true }), { leads: true });
// A gateway in front of the target may answer none of these, and what is not answered leaves open what the transfers beside it did.
addForms(wrongTypes);
transfers.does('balances after wrong bodies', ({ books }) => books.check({ late: true }), { leads: true });
Transfers.endTransfers(betweenTwo);

// ---- their checks ----------------------------------------------------------------------------------------------------

/** Requires transfers to work before and after: one that moves nothing shows nothing otherwise (reading 47). */
export async function requireStillPaying(t: Context): Promise<void> {
  const { plain, books } = await transfers.first(t);
  if (!plain.get()) inconclusive('no transfer was seen to move its amount');
  const last = books.gains(Transfers.LAST);
  if (last && Effects.nothingMoved(last))
    inconclusive('at the end no transfer is accepted any more: an undocumented limit of the target may explain it');
}

for (const { requirement, rows, forms, judge, seen } of TABLE) {
  if (seen) Seen.watchTransfers(requirement, Contradictions.movesAnything, [seen]);
  betweenTwo.kept.check(requirement, [...Object.keys(rows), ...(forms ? [forms.step] : [])].join(', '), {
    steps: stepsOf({ rows, ...(forms && { forms }) }),
    contradiction: Contradictions.movesAnything,
    reads: [Transfers.LAST],
    async afterwards(t, sent) {
      const { books } = await transfers.first(t);
      for (const { row, answers } of sent) for (const answer of answers) judge?.(answer, row.name, books.success);
      await requireStillPaying(t);
    },
  });
}

const sendNoBody = transfers.reads('cards.transfer.missing-body-400', ...stepsOf(noBody));
check('cards.transfer.missing-body-400', 'zero bytes, declared as JSON and not', async (t) => {
  const { books } = await sendNoBody(t);
  for (const { sent } of books.rowsOf(stepsOf(noBody)).sent)
    for (const answer of sent.answers) {
      if (Claims.saysRefused(answer, books.success))
        inconclusive(`cards.transfer without a body is refused with status ${answer.status}, and the body says so`);
      expectAdvisedStatus(answer, 400, sent.row.name);
    }
});
