/** Transfers between two active cards: what is asked for, and what the balances say of it. */

import { type Answer, member } from '../../../../helpers/answer.ts';
import { amount, cents as centsOf } from '../../../../helpers/cards/card-state.ts';
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import { scenario } from '../../../../helpers/check.ts';
import type { Context } from '../../../../helpers/context.ts';
import { skip } from '../../../../helpers/verdict.ts';
import { badTokens } from '../../../shared/bad-tokens.ts';
import { type Told, told } from '../../../shared/step.ts';
import { invented } from '../../../shared/target-data.ts';
import { Balances, type Movement, nothingMoved, sameCents } from './balances.ts';
import { putDownToEarlier } from './late-money.ts';
import { observeTransfers } from './transfer-observations.ts';

/** Cents that are missed by implementations which count in binary fractions: 1.15 * 100 is below 115, 1.10 * 100 above 110. */
const PLAIN = 115;
const COMMENTED = 110;
const BACK = 435;
/** An amount that JSON writes without a fraction. */
const WHOLE = 200;

/** A balance as getBalance gives it and as the record says afterwards, both in cents. */
export interface Recorded {
  shown: number;
  recorded: number | undefined;
  changed: boolean;
}

/** Ways to ask for a transfer that moves nothing. */
export const REFUSED = [
  'zero bytes',
  'zero bytes declared as JSON',
  'no target',
  'no amount',
  'an unknown target',
  'the source as target',
] as const;
/** Ways to mistype a member of a transfer that is whole otherwise. */
export const MISTYPED = [
  'amount as text',
  'the target in an array',
  'comment as a number',
  'customFields as text',
  'customField1 as a number',
] as const;
/** Amounts of which the documents are silent. */
export const UNUSUAL = [
  'zero',
  'a negative amount',
  'a thousandth of the unit',
  'half a cent',
  'more than the balance',
] as const;

export interface TransferFacts {
  source: string;
  target: string;
  /** Target and amount alone; with comment and customFields; back again; in whole units. */
  plain: Told<Movement>;
  commented: Told<Movement>;
  back: Told<Movement>;
  whole: Told<Movement>;
  /** Balances of source and target, shown and recorded, after the first of them. */
  records: Told<Recorded[]>;
  refused: Record<(typeof REFUSED)[number], Told<Movement>>;
  mistyped: Record<(typeof MISTYPED)[number], Told<Movement>>;
  unusual: Record<(typeof UNUSUAL)[number], Told<Movement>>;
  badly: Told<(Movement & { name: string })[]>;
  toForeign: Told<Movement>;
  fromForeign: Told<Movement[]>;
  /** The answer to a transfer that moved its amount. */
  success: Answer | undefined;
  /** What moved after all of them, when nothing more was asked for. */
  late: Told<Movement['gains']>;
}

export const transfers = scenario('transfers between two active cards', async (t): Promise<TransferFacts> => {
  const [[a, b]] = (await t.lease({ pool: 'active', count: 2 })) as [[LeasedCard, LeasedCard]];
  const [source, target] = [a.identifier, b.identifier];
  const balances = new Balances(t, [source, target]);
  /** Each of its own, so that money that moves late says which one moved it. */
  let next = 100;
  const whole = (more: Record<string, unknown> = {}) => {
    const cents = ++next;
    return { cents, json: { targetCardIdentifier: target, amount: amount(cents), ...more } };
  };
  const all = <Name extends string>(
    intent: 'malformed' | 'unknown' | 'refusable',
    bodies: Record<Name, () => { json?: unknown; emptyJson?: boolean; cents?: number }>,
  ) => inOrder(bodies, ({ cents, ...input }) => balances.attempt(source, input, { intent }, cents));
  const mistyped = (name: string, value: (right: number) => unknown) => {
    const { cents, json } = whole();
    return { cents, json: { ...json, [name]: value(json.amount) } };
  };

  const plain = await told(() => balances.pay(source, target, PLAIN));
  const records = await told(() => Promise.all([source, target].map((card) => recorded(t, balances, card, plain()))));
  const facts = {
    source,
    target,
    plain,
    records,
    commented: await told(() =>
      balances.pay(target, source, COMMENTED, { comment: t.unique('transfer'), customFields: { customField1: 'one' } }),
    ),
    back: await told(() => balances.pay(target, source, BACK)),
    whole: await told(() => balances.pay(source, target, WHOLE)),
    refused: {
      ...(await all('malformed', {
        'no target': () => {
          const cents = ++next;
          return { cents, json: { amount: amount(cents) } };
        },
      })),
      ...(await all('unknown', { 'an unknown target': () => whole({ targetCardIdentifier: invented(target) }) })),
      ...(await all('refusable', { 'the source as target': () => whole({ targetCardIdentifier: source }) })),
    },
    mistyped: await all('malformed', {
      'amount as text': () => mistyped('amount', String),
      'the target in an array': () => mistyped('targetCardIdentifier', () => [target]),
      'comment as a number': () => mistyped('comment', () => 1),
      'customFields as text': () => mistyped('customFields', () => 'one'),
      'customField1 as a number': () => mistyped('customFields', () => ({ customField1: 1 })),
    }),
    badly: await told(async () => {
      const movements: (Movement & { name: string })[] = [];
      for (const { name, authorisation } of await badTokens(t)) {
        const { cents, json } = whole();
        const options = { intent: 'unauthorised', authorisation } as const;
        movements.push({ name, ...(await balances.attempt(source, { json }, options, cents)) });
      }
      return movements;
    }),
    toForeign: await told(() => {
      const { cents, json } = whole({ targetCardIdentifier: foreignCards(t)[0] });
      return balances.attempt(source, { json }, { intent: 'foreign' }, cents);
    }),
    fromForeign: await told(async () => {
      const movements: Movement[] = [];
      for (const card of foreignCards(t)) {
        const { cents, json } = whole();
        movements.push(await balances.attempt(card, { json }, { intent: 'foreign' }, cents));
      }
      return movements;
    }),
    unusual: await inOrder(
      {
        zero: async () => 0,
        'a negative amount': async () => -++next,
        'a thousandth of the unit': async () => 0.1,
        'half a cent': async () => 100.5,
        'more than the balance': async () => (await balances.of(source)) + 100,
      } satisfies Record<(typeof UNUSUAL)[number], () => Promise<number>>,
      async (asked) => {
        const cents = await asked;
        const json = { targetCardIdentifier: target, amount: amount(cents) };
        return balances.attempt(source, { json }, { intent: 'refusable' }, cents);
      },
    ),
  };
  // Last, since nothing but its lateness tells what they move late.
  const withoutAmount = await all('malformed', {
    'zero bytes': () => ({}),
    'zero bytes declared as JSON': () => ({ emptyJson: true }),
    'no amount': () => ({ json: { targetCardIdentifier: target } }),
  });
  const late = await told(async () => {
    await t.settle();
    return balances.late();
  });
  const everything = { ...facts, refused: { ...facts.refused, ...withoutAmount }, late, success: balances.success };
  putDownToEarlier(everything);
  observeTransfers(t, everything);
  return everything;
});

/** Foreign cards that every changing operation is tried on: enough to see one that opens. */
export function foreignCards(t: Context): string[] {
  const foreign = t.fixtures.cards?.foreign ?? [];
  return foreign.length > 0 ? foreign.slice(0, 2) : skip('needs cards.foreign in the fixtures file');
}

/** Does named steps one after the other. */
async function inOrder<Name extends string, Given, Facts>(
  steps: Record<Name, () => Given>,
  take: (given: Given) => Promise<Facts>,
): Promise<Record<Name, Told<Facts>>> {
  const done: [string, Told<Facts>][] = [];
  for (const [name, given] of Object.entries<() => Given>(steps)) done.push([name, await told(() => take(given()))]);
  return Object.fromEntries(done) as Record<Name, Told<Facts>>;
}

/** The record of a card whose balance was just read. */
async function recorded(t: Context, balances: Balances, card: string, { gains }: Movement): Promise<Recorded> {
  const shown = await balances.of(card);
  const read = async () => {
    const balance = member(await t.call('cards.get', { path: { identifier: card } }), 'balance');
    return typeof balance === 'number' ? centsOf(balance) : undefined;
  };
  const isFresh = (now: number | undefined) => now === undefined || sameCents(now, shown);
  return {
    shown,
    recorded: await t.eventually(read, isFresh),
    changed: !nothingMoved(new Map([[card, gains.get(card)!]])),
  };
}
