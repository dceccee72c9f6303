/** Forms of transfers that a target takes: which members and amounts it wants beyond what the documents require is not shown (readings 47 and 48). */
import type { Answer } from '../../../../helpers/answer.ts';
import { amount } from '../../../../helpers/cards/card-state.ts';
import type { CardRequest, LeasedCard } from '../../../../helpers/cards/pools.ts';
import type { Context } from '../../../../helpers/check.ts';
import type { Run } from '../../../../helpers/run.ts';
import * as Amounts from '../../../shared/amounts.ts';
import type { Books } from './books.ts';
import * as Effects from './effects.ts';

/** Leases active cards, others than some where there are others. */
export async function leaseActive(
  t: Context,
  count: number,
  avoiding: readonly string[],
  { prefers: also, isUnpaid = false }: Pick<CardRequest, 'prefers' | 'isUnpaid'> = {},
): Promise<LeasedCard[]> {
  const prefers = (card: LeasedCard) => !avoiding.includes(card.identifier) && (also?.(card) ?? true);
  const [cards] = await t.lease({ pool: 'active', count, isUnpaid, ...((also || avoiding.length > 0) && { prefers }) });
  return cards!;
}

/** Optional members of a transfer. */
export const OPTIONAL = { comment: 'transfer', customFields: { customField1: '1' } } as const;

/** A form of transfer that moved money. */
export interface Form {
  from: string;
  to: string;
  cents: number;
  /** Members other than target and amount. */
  members: Record<string, unknown>;
  answer: Answer;
}

const firstAccepted = new WeakMap<Run, Form>();

/** The first form of transfer that moved money in this run; undefined until then. If it is refused later, the target may limit the number of transfers. */
export const accepted = (t: Context): Form | undefined => firstAccepted.get(t.run);

/** What a transfer is likely to be accepted with: the amount and members of the first that moved money, else plain ones. */
export const likeliest = (t: Context): Pick<Form, 'cents' | 'members'> =>
  accepted(t) ?? { cents: Amounts.plain(Amounts.ruleOf(t), 1), members: t.fixtures.cards?.transferBody ?? {} };

/** A whole request for a transfer. */
export function make(from: string, to: string, cents: number, members: Record<string, unknown> = {}): Effects.Payment {
  const json = { targetCardIdentifier: to, amount: amount(cents), ...members };
  return { from, to, cents, input: { json } };
}

/**
 * Tries forms of a transfer until one moves money: the form that moved money earlier in this run, also of other amounts, or, if none did, without
 * and with a comment and customFields; there and, if it may, back, and the first once more later.
 * @param row what the transfers are about
 * @returns undefined when none moves money
 */
export async function firstThatMoves(
  t: Context,
  books: Books,
  row: Effects.Row | string,
  [source, target]: readonly [source: string, target: string],
  { orBack = false } = {},
): Promise<Form | undefined> {
  const rule = Amounts.ruleOf(t);
  const given = t.fixtures.cards?.transferBody ?? {};
  const known = accepted(t);
  const optional = [given, { comment: 'transfer', ...given }, { ...OPTIONAL, ...given }];
  const amounts = [1, 4, 9, 0].map((n) => Amounts.plain(rule, n));
  const untried = amounts.flatMap((cents) => optional.map((members) => ({ cents, members })));
  // The amount may have been paid to the same card just before.
  const others = amounts.filter((cents) => cents !== known?.cents).map((cents) => ({ ...known!, cents }));
  const forms = known ? [known, ...others] : untried;
  const there = forms.map((form) => ({ ...form, from: source, to: target }));
  const tries = [...there, ...(orBack ? there.map((form) => ({ ...form, from: target, to: source })) : [])];
  for (const [index, { from, to, cents, members }] of [...tries, tries[0]!].entries()) {
    if (index === tries.length) await t.settle();
    const { gains, answer } = await books.prepare(row, make(from, to, cents, members));
    if (Effects.nothingMoved(gains)) continue;
    if (!known && cents !== forms[0]!.cents) Amounts.noteTaken(t, cents);
    return noteForm(t, { from, to, cents, members, answer });
  }
  return undefined;
}

/** Notes a form that moved money: the first of the run is kept. */
export function noteForm(t: Context, form: Form): Form {
  if (!firstAccepted.has(t.run)) firstAccepted.set(t.run, form);
  return form;
}
