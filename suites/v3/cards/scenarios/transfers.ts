/** Transfers between two active cards: what is asked for, and what the balances say of it. */

import { type Answer, member } from '../../../../helpers/answer.ts';
import { amount, cents as centsOf } from '../../../../helpers/cards/card-state.ts';
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import { scenario } from '../../../../helpers/check.ts';
import type { Context } from '../../../../helpers/context.ts';
import { tonights } from '../../../../helpers/rotation.ts';
import { inconclusive, skip } from '../../../../helpers/verdict.ts';
import { badTokens } from '../../../shared/bad-tokens.ts';
import { known, type Told, told } from '../../../shared/step.ts';
import { invented } from '../../../shared/target-data.ts';
import { exists, misnamed } from '../../../shared/unknown-names.ts';
import { amountRule, plainAmount } from './amounts.ts';
import {
  acceptedForm,
  type BalanceChanges,
  Balances,
  claimsSuccess,
  firstThatMoves,
  movedExactly,
  nothingMoved,
  type PlainTransfer,
  sameCents,
  type TransferAttempt,
} from './balances.ts';
import { attributeLateMoney } from './late-money.ts';
import { observeTransfers } from './transfer-observations.ts';

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
  'a misnamed source',
] as const;
/** Ways to mistype a member of a transfer that is whole otherwise. */
export const MISTYPED = [
  'amount as text',
  'the target in an array',
  'comment as a number',
  'customFields as text',
  'customField1 as a number',
] as const;
/** Amounts of which the documents are silent, in cents; one that depends on the balance is a function of it. */
const UNUSUAL_AMOUNTS = {
  zero: 0,
  'a negative amount': -97,
  'a cent below zero': -1,
  'a thousandth of the unit': 0.1,
  'half a cent': 100.5,
  'more than the balance': (balance: number) => balance + 100,
} as const;
export type UnusualAmount = keyof typeof UNUSUAL_AMOUNTS;
export const UNUSUAL = Object.keys(UNUSUAL_AMOUNTS) as UnusualAmount[];

/** Texts that an implementation may stumble over. */
const ODD_TEXTS = [
  "O'Neill's",
  '100 % of it',
  'a "quoted" word',
  '# 1; --',
  'Zoë Łukasz 漢字',
  'x'.repeat(300),
  '<b>&amp;</b> {{1}}',
  '_under_score_ \\ back',
];

export interface TransferFacts {
  source: string;
  target: string;
  /** Target and amount alone, with what the fixtures add to every transfer. */
  alone: Told<TransferAttempt>;
  /** The first that moved money, however it was asked for. @throws Nonconformance when none did, Inconclusive when another one did before */
  plain: Told<PlainTransfer>;
  /** More that should move their amounts: a refusal of theirs may have a rule of the target. */
  further: Record<string, Told<TransferAttempt & { from: string; to: string }>>;
  /** The plain one asked for twice more. */
  repeated: Told<TransferAttempt[]>;
  /** Two that were sent at the same moment, and what they gain by their answers. */
  together: Told<{ answers: Answer[]; gains: BalanceChanges; due: BalanceChanges }>;
  /** The whole balance, sent twice at the same moment. */
  spentTwice: Told<DoubleSpend>;
  /** Balances of both cards, shown and recorded, after the plain one. */
  records: Told<Recorded[]>;
  refused: Record<(typeof REFUSED)[number], Told<TransferAttempt>>;
  mistyped: Record<(typeof MISTYPED)[number], Told<TransferAttempt>>;
  unusual: Record<UnusualAmount, Told<TransferAttempt>>;
  badly: Told<(TransferAttempt & { name: string })[]>;
  toForeign: Told<TransferAttempt>;
  fromForeign: Told<TransferAttempt[]>;
  /** The answer to a transfer that moved its amount. */
  success: Answer | undefined;
  /** What moved after all of them, when nothing more was asked for. */
  late: Told<BalanceChanges>;
  /** Whether a plain transfer still moves its amount after all of them: else the refusals in between may have had a limit. */
  stillWorks: boolean;
  /** Whether the balances change by themselves. */
  drift: Told<boolean>;
}

export interface DoubleSpend {
  answers: Answer[];
  gains: BalanceChanges;
  /** Whether both were carried out, and the second of two that follow each other is not: so the card may not be overdrawn. */
  isSpentTwice: boolean;
}

export const transfers = scenario('transfers between two active cards', async (t): Promise<TransferFacts> => {
  const [[a, b]] = (await t.lease({ pool: 'active', count: 2 })) as [[LeasedCard, LeasedCard]];
  const balances = new Balances(t, [a.identifier, b.identifier]);
  const rule = amountRule(t);
  const given = t.fixtures.cards?.transferBody ?? {};

  const alone = await told(() => balances.pay(a.identifier, b.identifier, plainAmount(rule, 1), given));
  const plain = await told(() => plainTransfer(t, balances, [a.identifier, b.identifier], alone));
  const {
    from: source,
    to: target,
    members,
  } = known([plain])[0] ?? {
    from: a.identifier,
    to: b.identifier,
    members: given,
  };
  const records = await told(() => {
    const { attempt } = plain();
    return Promise.all([source, target].map((card) => recorded(t, balances, card, attempt)));
  });
  const pay = (from: string, to: string, cents: number, more: Record<string, unknown> = {}) =>
    told(async () => {
      plain();
      return { from, to, ...(await balances.pay(from, to, cents, { ...members, ...more }, { intent: 'refusable' })) };
    });

  const whole = (n: number) => plainAmount(rule, n);
  const further: TransferFacts['further'] = {
    'back again': await pay(target, source, whole(2)),
    'with comment and customFields': await pay(source, target, whole(0), {
      comment: 'transfer',
      customFields: { customField1: 'one' },
    }),
    // Cents that are missed by implementations which count in binary fractions: 1.15 * 100 is below 115, 1.10 * 100 above 110.
    'of 1.15': await pay(source, target, 115),
    'of 1.10': await pay(target, source, 110),
    'of 4.35': await pay(target, source, 435),
    'of a cent': await pay(source, target, 1),
  };
  for (const text of tonights(t.run, 'transfers: odd comments', ODD_TEXTS))
    further[`with the comment ${text.slice(0, 20)}`] = await pay(source, target, whole(0), { comment: text });
  further['with customFields without members'] = await pay(target, source, whole(0), { customFields: {} });
  const repeated = await told(async () => {
    const again = [];
    for (let times = 0; times < 2; times++) {
      const { attempt, from, to } = plain();
      again.push(await balances.pay(from, to, attempt.cents!, members, { intent: 'refusable' }));
    }
    return again;
  });
  const together = await told(async () => {
    plain();
    const requests = [whole(0), whole(1)].map((cents) => ({ from: source, to: target, cents, members }));
    const due = (answers: readonly Answer[]) => {
      const counted = answers.map((answer, i) => (claimsSuccess(answer, balances.success) ? requests[i]!.cents : 0));
      const sum = counted.reduce((one, other) => one + other, 0);
      return new Map([
        [source, -sum],
        [target, sum],
      ]);
    };
    const done = await balances.together(requests, due);
    return { ...done, due: due(done.answers) };
  });
  const everything = await told(async () => {
    plain();
    const all = Math.floor(await balances.of(source));
    const paid = await balances.pay(source, target, all, members, { intent: 'refusable' });
    if (movedExactly(paid.gains, source, target, all))
      await balances.pay(target, source, all, members, { intent: 'refusable' });
    return { from: source, to: target, ...paid };
  });
  further['of the whole balance'] = everything;
  const spentTwice = await told(() => spendTwice(balances, everything(), members));

  /** Each of its own, so that money that moves late shows which one moved it; where only whole amounts are taken, all alike. */
  const takesCents = known([further['of 1.15']!]).some(({ gains }) => !nothingMoved(gains));
  let next = 0;
  const one = () => (takesCents ? rule.least + ++next : rule.least);
  const wholeBody = (more: Record<string, unknown> = {}) => {
    const cents = one();
    return { cents, json: { ...members, targetCardIdentifier: target, amount: amount(cents), ...more } };
  };
  const without = (name: string) => {
    const { cents, json } = wholeBody();
    const { [name]: _absent, ...rest } = json as Record<string, unknown>;
    return { cents, json: rest };
  };
  const mistyped = (name: string, value: (right: number) => unknown) => {
    const { cents, json } = wholeBody();
    return { cents, json: { ...json, [name]: value(json.amount) } };
  };
  const all = <Name extends string>(
    intent: 'malformed' | 'unknown' | 'refusable',
    bodies: Record<Name, () => { json?: unknown; emptyJson?: boolean; cents?: number }>,
  ) => inOrder(bodies, ({ cents, ...input }) => balances.attempt(source, input, { intent }, cents));

  const facts = {
    source,
    target,
    alone,
    plain,
    records,
    further,
    repeated,
    together,
    spentTwice,
    refused: {
      ...(await all('malformed', { 'no target': () => without('targetCardIdentifier') })),
      ...(await all('unknown', {
        'an unknown target': () => wholeBody({ targetCardIdentifier: invented(target) }),
      })),
      ...(await all('refusable', { 'the source as target': () => wholeBody({ targetCardIdentifier: source }) })),
      'a misnamed source': await told(async () => {
        const { cents, json } = wholeBody();
        const name = misnamed(t, 'cards.transfer', source);
        if (await exists(t, 'cards.transfer', name.identifier)) return inconclusive(`${name.name} names another card`);
        return balances.attempt(name.identifier, { json }, { intent: 'unknown' }, cents);
      }),
    },
    mistyped: await all('malformed', {
      'amount as text': () => mistyped('amount', String),
      'the target in an array': () => mistyped('targetCardIdentifier', () => [target]),
      'comment as a number': () => mistyped('comment', () => 1),
      'customFields as text': () => mistyped('customFields', () => 'one'),
      'customField1 as a number': () => mistyped('customFields', () => ({ customField1: 1 })),
    }),
    badly: await told(async () => {
      const attempts: (TransferAttempt & { name: string })[] = [];
      for (const { name, authorisation } of await badTokens(t, 'cards.transfer')) {
        const { cents, json } = wholeBody();
        const options = { intent: 'unauthorised', authorisation } as const;
        attempts.push({ name, ...(await balances.attempt(source, { json }, options, cents)) });
      }
      return attempts;
    }),
    toForeign: await told(() => {
      const { cents, json } = wholeBody({ targetCardIdentifier: foreignCards(t)[0] });
      return balances.attempt(source, { json }, { intent: 'foreign' }, cents);
    }),
    fromForeign: await told(async () => {
      const attempts: TransferAttempt[] = [];
      for (const card of foreignCards(t)) {
        const { cents, json } = wholeBody();
        attempts.push(await balances.attempt(card, { json }, { intent: 'foreign' }, cents));
      }
      return attempts;
    }),
    unusual: await inOrder(
      Object.fromEntries(UNUSUAL.map((name) => [name, () => UNUSUAL_AMOUNTS[name]])) as Record<
        UnusualAmount,
        () => (typeof UNUSUAL_AMOUNTS)[UnusualAmount]
      >,
      async (asked) => {
        const cents = typeof asked === 'function' ? asked(await balances.of(source)) : asked;
        const json = { ...members, targetCardIdentifier: target, amount: amount(cents) };
        return balances.attempt(source, { json }, { intent: 'refusable' }, cents);
      },
    ),
  };
  // Last, since nothing but its lateness says what they move late.
  const withoutAmount = await all('malformed', {
    'zero bytes': () => ({}),
    'zero bytes declared as JSON': () => ({ emptyJson: true }),
    'no amount': () => ({ json: without('amount').json }),
  });
  const late = await told(async () => {
    await t.settle();
    return balances.late();
  });
  const last = await pay(source, target, known([plain])[0]?.attempt.cents ?? rule.least);
  const stillWorks = known([last]).some(({ gains }) => !nothingMoved(gains));
  const drift = await told(() => balances.drifts());
  const gathered: TransferFacts = {
    ...facts,
    refused: { ...facts.refused, ...withoutAmount },
    late,
    stillWorks,
    drift,
    success: balances.success,
  };
  attributeLateMoney(gathered);
  observeTransfers(t, gathered);
  return gathered;
});

/**
 * Sends the whole balance twice at the same moment. Where both move it, the money goes back, and the same is asked for one after the other.
 * @param everything the transfer of the whole balance alone
 * @throws Inconclusive where that did not move the balance, or the money does not come back
 */
async function spendTwice(
  balances: Balances,
  { from, to, cents, gains: alone }: TransferAttempt & { from: string; to: string },
  members: Record<string, unknown>,
): Promise<DoubleSpend> {
  const all = cents!;
  if (all <= 0 || !movedExactly(alone, from, to, all)) inconclusive('the whole balance is not moved by one transfer');
  const payBack = () => balances.pay(to, from, all, members, { intent: 'refusable' });
  const payAlone = () => balances.pay(from, to, all, members, { intent: 'refusable' });
  if (!sameCents(await balances.of(from), all)) inconclusive('the whole balance does not come back');
  const request = { from, to, cents: all, members };
  const once = new Map([
    [from, -all],
    [to, all],
  ]);
  const { answers, gains } = await balances.together([request, request], (given) =>
    given.some((answer) => claimsSuccess(answer, balances.success)) ? once : new Map(),
  );
  const times = Math.round(gains.get(to)! / all);
  for (let paid = 0; paid < times; paid++) await payBack();
  if (times < 2) return { answers, gains, isSpentTwice: false };
  if (!sameCents(await balances.of(from), all)) inconclusive('the money of two transfers does not come back');
  const first = await payAlone();
  const second = await payAlone();
  const isOverdrawn = !nothingMoved(second.gains);
  for (const { gains: moved } of [first, second]) if (!nothingMoved(moved)) await payBack();
  return { answers, gains, isSpentTwice: movedExactly(first.gains, from, to, all) && !isOverdrawn };
}

/**
 * The first transfer that moves money, however it is asked for.
 * @throws Inconclusive when none does, though one did before in this run
 */
async function plainTransfer(
  t: Context,
  balances: Balances,
  [a, b]: readonly [string, string],
  alone: Told<TransferAttempt>,
): Promise<PlainTransfer> {
  const first = { from: a, to: b, attempt: alone(), members: t.fixtures.cards?.transferBody ?? {} };
  if (!nothingMoved(first.attempt.gains)) return first;
  const found = await firstThatMoves(t, balances, [
    [a, b],
    [b, a],
  ]);
  if (!found && acceptedForm(t))
    inconclusive(
      'every transfer is refused now, and was not before: the target has a limit of its own, which cards.transferAmounts and cards.transferBody of the fixtures file may meet',
    );
  return found ?? first;
}

/** Foreign cards that every changing operation is tried on: enough to see one that opens, others each night. */
export function foreignCards(t: Context): string[] {
  const foreign = t.fixtures.cards?.foreign ?? [];
  return foreign.length > 0
    ? tonights(t.run, 'foreign cards', foreign, 2)
    : skip('needs cards.foreign in the fixtures file');
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
async function recorded(t: Context, balances: Balances, card: string, { gains }: TransferAttempt): Promise<Recorded> {
  const shown = await balances.of(card);
  const read = async () => {
    const balance = member(await t.call('cards.get', { path: { identifier: card } }), 'balance');
    return typeof balance === 'number' ? centsOf(balance) : undefined;
  };
  const isFresh = (now: number | undefined) => now === undefined || sameCents(now, shown);
  return {
    shown,
    recorded: await t.shown(read, isFresh),
    changed: !nothingMoved(new Map([[card, gains.get(card)!]])),
  };
}
