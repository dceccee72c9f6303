/** Transfers between two active cards: what is asked for, and what the balances say of it. */

import { type Answer, member } from '../../../../helpers/answer.ts';
import { amount, cents as centsOf } from '../../../../helpers/cards/card-state.ts';
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import { scenario } from '../../../../helpers/check.ts';
import type { Context } from '../../../../helpers/context.ts';
import { tonights } from '../../../../helpers/rotation.ts';
import { inconclusive, skip } from '../../../../helpers/verdict.ts';
import { amountRule, plainAmount } from '../../../shared/amounts.ts';
import { badTokens, makesOf } from '../../../shared/bad-tokens.ts';
import { attempt, type Step, values } from '../../../shared/step.ts';
import { invented } from '../../../shared/target-data.ts';
import { exists, misnamed } from '../../../shared/unknown-names.ts';
import {
  acceptedForm,
  type BalanceChanges,
  Balances,
  claimsSuccess,
  dueBy,
  firstThatMoves,
  movedExactly,
  nothingMoved,
  OPTIONAL,
  type PlainTransfer,
  sameCents,
  type TransferAttempt,
} from './balances.ts';
import { attributeLateMoney } from './late-money.ts';
import { askAgain, isOdd } from './oddities.ts';
import {
  type DoubleSpend,
  type Recorded,
  type TransferFacts,
  UNUSUAL,
  UNUSUAL_AMOUNTS,
  type UnusualAmount,
} from './transfer-facts.ts';
import { observeTransfers } from './transfer-observations.ts';

/** Texts that an implementation may stumble over. */
const ODD_TEXTS = [
  "O'Neill's",
  '100 % of it',
  'a "quoted" word',
  '# 1; --',
  'Zoë Łukasz 漢字',
  'x'.repeat(256),
  '<b>&amp;</b> {{1}}',
  '_under_score_ \\ back',
  'paid 💳',
  '',
];
/** Their marks in one text, and a comment of 300 characters (reading 9): each night sees whether they are too much. */
const EACH_NIGHT = [`Zoë's 100% "A_1" # & <b> {2} \\ ;-- 漢字`, 'x'.repeat(300)];

export const transfers = scenario('transfers between two active cards', async (t): Promise<TransferFacts> => {
  t.beginsLongestChain();
  const [[a, b]] = (await t.lease({ pool: 'active', count: 2 })) as [[LeasedCard, LeasedCard]];
  const balances = new Balances(t, [a.identifier, b.identifier]);
  const rule = amountRule(t);
  const given = t.fixtures.cards?.transferBody ?? {};

  const alone = await attempt(() => balances.pay(a.identifier, b.identifier, plainAmount(rule, 1), given));
  const plain = await attempt(() => plainTransfer(t, balances, [a.identifier, b.identifier], alone));
  const {
    from: source,
    to: target,
    members,
  } = values([plain])[0] ?? {
    from: a.identifier,
    to: b.identifier,
    members: given,
  };
  const records = await attempt(() => {
    const { attempt } = plain();
    return Promise.all([source, target].map((card) => recorded(t, balances, card, attempt)));
  });
  const pay = (from: string, to: string, cents: number, more: Record<string, unknown> = {}) =>
    attempt(async () => {
      plain();
      return { from, to, ...(await balances.pay(from, to, cents, { ...members, ...more }, { intent: 'refusable' })) };
    });

  const whole = (n: number) => plainAmount(rule, n);
  const further: TransferFacts['further'] = {
    'back again': await pay(target, source, whole(2)),
    'with comment and customFields': await pay(source, target, whole(4), {
      comment: 'transfer',
      customFields: Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`customField${n}`, `text ${n}`])),
    }),
    // Cents that are missed by implementations which count in binary fractions: 1.15 * 100 is below 115, 1.10 * 100 above 110.
    'of 1.15': await pay(source, target, 115),
    'of 1.10': await pay(target, source, 110),
    'of 4.35': await pay(target, source, 435),
    'of a cent': await pay(source, target, 1),
  };
  // Each of another amount, there and back in turn, so that a card with little has enough.
  for (const [index, text] of [...EACH_NIGHT, ...tonights(t.run, 'transfers: odd comments', ODD_TEXTS)].entries()) {
    const [from, to] = index % 2 === 0 ? [source, target] : [target, source];
    further[`with the comment ${text.slice(0, 20)}`] = await pay(from, to, whole(6 + (index % 3)), { comment: text });
  }
  further['with customFields without members'] = await pay(target, source, whole(9), { customFields: {} });
  const repeated = await attempt(async () => {
    const again = [];
    for (let times = 0; times < 2; times++) {
      const { attempt, from, to } = plain();
      again.push(await balances.pay(from, to, attempt.cents!, members, { intent: 'refusable' }));
    }
    return again;
  });
  const together = await attempt(async () => {
    plain();
    const requests = [
      ...[whole(0), whole(1)].map((cents) => ({ from: source, to: target, cents, members })),
      { from: target, to: source, cents: whole(3), members },
    ];
    const due = (answers: readonly Answer[]) => dueBy(requests, answers, balances.success);
    const done = await balances.together(requests, due);
    return { requests, ...done, due: due(done.answers) };
  });
  const payAll = async () => {
    const all = Math.floor(await balances.of(source));
    const paid = await balances.pay(source, target, all, members, { intent: 'refusable' });
    if (!nothingMoved(paid.gains)) further['to an empty card'] = await pay(target, source, all);
    return { from: source, to: target, ...paid };
  };
  const everything = await attempt(async () => {
    plain();
    const first = await payAll();
    if (!isOdd(first)) return first;
    const second = await payAll();
    return isOdd(second) ? { ...second, gainsAgain: second.gains } : second;
  });
  further['of the whole balance'] = everything;
  const spentTwice = await attempt(() => spendTwice(balances, everything(), members));
  // A target may take the money that goes back for a transfer that it has made already: in another amount it comes back, and what follows has some.
  await attempt(async () => {
    const missing = everything().cents! - (await balances.of(source));
    if (missing > rule.least)
      await balances.pay(target, source, missing - rule.least, members, { intent: 'refusable' });
  });

  /** Each of its own, so that money that moves late shows which one moved it; where only whole amounts are taken, all alike. */
  const takesCents = values([further['of 1.15']!]).some(({ gains }) => !nothingMoved(gains));
  let next = 0;
  const one = () => (takesCents ? rule.least + ++next : rule.least);
  const wholeBody = (more: Readonly<Record<string, unknown>> = {}) => {
    const cents = one();
    return { cents, json: { ...members, targetCardIdentifier: target, amount: amount(cents), ...more } };
  };
  /** Some nights the optional members are there, too. */
  const tonightsMembers = (of: string) =>
    tonights(t.run, `transfers: ${of}`, [
      { name: 'alone', members: {} },
      { name: 'beside comment and customFields', members: OPTIONAL },
    ])[0]!.members;
  /** Nothing else is missing. */
  const without = (name: string) => {
    const { cents, json } = wholeBody(tonightsMembers(`without ${name}`));
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
      'a misnamed target': await attempt(async () => {
        const { name, identifier } = misnamed(t, 'cards.transfer: target', target);
        if (await exists(t, 'cards.transfer', identifier)) return inconclusive(`${name} names another card`);
        const { cents, json } = wholeBody({ targetCardIdentifier: identifier });
        return balances.attempt(source, { json }, { intent: 'unknown' }, cents);
      }),
      ...(await all('refusable', { 'the source as target': () => wholeBody({ targetCardIdentifier: source }) })),
      'a misnamed source': await attempt(async () => {
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
    badly: await attempt(async () => {
      const attempts: (TransferAttempt & { name: string })[] = [];
      const tokens = await badTokens(t, 'cards.transfer');
      for (const [index, { name, authorisation }] of tokens.entries()) {
        const { cents, json } = wholeBody();
        const makes = makesOf('cards.transfer', { json });
        const input = makes[index % makes.length]!;
        const options = { intent: 'unauthorised', authorisation } as const;
        attempts.push({ name, ...(await balances.attempt(source, input, options, cents)) });
      }
      return attempts;
    }),
    toForeign: await attempt(() => {
      const { cents, json } = wholeBody({
        ...tonightsMembers('to a foreign card'),
        targetCardIdentifier: foreignCards(t)[0],
      });
      return balances.attempt(source, { json }, { intent: 'foreign' }, cents);
    }),
    fromForeign: await attempt(async () => {
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
  const late = await attempt(async () => {
    await t.settle();
    return balances.late();
  });
  // Another amount, too: a target that takes a transfer for one that it has made already still moves that.
  let stillWorks = false;
  for (const cents of [values([plain])[0]?.attempt.cents ?? rule.least, whole(3), one()]) {
    if (stillWorks) break;
    const last = await pay(source, target, cents);
    stillWorks = values([last]).some(({ gains }) => !nothingMoved(gains));
    further['after those that are refused'] = last;
  }
  const drift = await attempt(() => balances.drifts());
  const gathered: TransferFacts = {
    ...facts,
    refused: { ...facts.refused, ...withoutAmount },
    late,
    stillWorks,
    drift,
    success: balances.success,
  };
  attributeLateMoney(gathered);
  if (values([drift]).includes(false)) await askAgain(gathered);
  observeTransfers(t, gathered);
  return gathered;
});

/**
 * Sends the whole balance twice at the same moment. Where both move it, the money goes back, and the same is asked for one after the other,
 * the second as soon as the first is answered.
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
  if (!sameCents(await balances.of(from), all)) inconclusive('the whole balance does not come back');
  const request = { from, to, cents: all, members };
  const once = new Map([
    [from, -all],
    [to, all],
  ]);
  const due = (given: readonly Answer[]) =>
    given.some((answer) => claimsSuccess(answer, balances.success)) ? once : new Map<string, number>();
  const timesPaid = ({ gains }: { gains: BalanceChanges }) => Math.round(gains.get(to)! / all);
  const payBack = async (times: number) => {
    for (let paid = 0; paid < times; paid++) await balances.pay(to, from, all, members, { intent: 'refusable' });
  };
  const together = await balances.together([request, request], due);
  await payBack(timesPaid(together));
  if (timesPaid(together) < 2) return { ...together, cents: all, isSpentTwice: false };
  if (!sameCents(await balances.of(from), all)) inconclusive('the money of two transfers does not come back');
  // Where a balance is booked later than a transfer is answered, the second in a row finds the money there, too.
  const inTurn = await balances.inTurn([request, request], due);
  await payBack(timesPaid(inTurn));
  return { ...together, cents: all, isSpentTwice: movedExactly(inTurn.gains, from, to, all) };
}

/**
 * The first transfer that moves money, however it is asked for.
 * @throws Inconclusive when none does, though one did before in this run
 */
async function plainTransfer(
  t: Context,
  balances: Balances,
  [a, b]: readonly [string, string],
  alone: Step<TransferAttempt>,
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
): Promise<Record<Name, Step<Facts>>> {
  const done: [string, Step<Facts>][] = [];
  for (const [name, given] of Object.entries<() => Given>(steps)) done.push([name, await attempt(() => take(given()))]);
  return Object.fromEntries(done) as Record<Name, Step<Facts>>;
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
