/** Transfers that need not succeed, each of another amount: what is wrong with them, and what they move anyway. */
import { amount } from '../../../../helpers/cards/card-state.ts';
import { tonights } from '../../../../helpers/rotation.ts';
import { inconclusive } from '../../../../helpers/verdict.ts';
import { amountRule } from '../../../shared/amounts.ts';
import { badTokens, makesOf } from '../../../shared/bad-tokens.ts';
import { foreignCards } from '../../../shared/foreign-cards.ts';
import { attempt, type Step, values } from '../../../shared/step.ts';
import { invented } from '../../../shared/target-data.ts';
import { exists, misnamed } from '../../../shared/unknown-names.ts';
import { nothingMoved, OPTIONAL, type TransferAttempt } from './balances.ts';
import {
  type TransferFacts,
  type TransferSetting,
  UNUSUAL,
  UNUSUAL_AMOUNTS,
  type UnusualAmount,
} from './transfer-facts.ts';
import type { ValidTransfers } from './valid-transfers.ts';

export interface RefusableTransfers
  extends Pick<TransferFacts, 'refused' | 'mistyped' | 'badly' | 'toForeign' | 'fromForeign' | 'unusual'> {
  /** Cents that no transfer was asked for with. */
  unusedAmount: number;
}

/** The body of a transfer, and the cents that it asks for. */
interface Asked {
  json?: unknown;
  emptyJson?: boolean;
  cents?: number;
}

/** @param valid where these show that cents are taken, each has an amount of its own */
export async function refusableTransfers(
  setting: TransferSetting,
  { further }: ValidTransfers,
): Promise<RefusableTransfers> {
  const { t, balances, source, target, members } = setting;
  const takesCents = values([further['of 1.15']!]).some(({ gains }) => !nothingMoved(gains));
  const { least } = amountRule(t);
  let next = 0;
  /** Each of its own, so that money that moves late shows which one moved it; where only whole amounts are taken, all alike. */
  const one = () => (takesCents ? least + ++next : least);
  const whole = (more: Readonly<Record<string, unknown>> = {}) => {
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
    const { cents, json } = whole(tonightsMembers(`without ${name}`));
    const { [name]: _absent, ...rest } = json as Record<string, unknown>;
    return { cents, json: rest };
  };
  const mistyped = (name: string, value: (right: number) => unknown) => {
    const { cents, json } = whole();
    return { cents, json: { ...json, [name]: value(json.amount) } };
  };
  const ask = (intent: 'malformed' | 'unknown' | 'refusable', { cents, ...input }: Asked, from = source) =>
    balances.attempt(from, input, { intent }, cents);
  const all = <Name extends string>(intent: 'malformed' | 'unknown' | 'refusable', bodies: Record<Name, () => Asked>) =>
    inOrder(bodies, (asked) => ask(intent, asked));

  const refused = {
    ...(await all('malformed', { 'no target': () => without('targetCardIdentifier') })),
    ...(await all('unknown', {
      'an unknown target': () => whole({ targetCardIdentifier: invented(target) }),
    })),
    'a misnamed target': await attempt(async () => {
      const { name, identifier } = misnamed(t, 'cards.transfer: target', target);
      if (await exists(t, 'cards.transfer', identifier)) return inconclusive(`${name} names another card`);
      return ask('unknown', whole({ targetCardIdentifier: identifier }));
    }),
    ...(await all('refusable', { 'the source as target': () => whole({ targetCardIdentifier: source }) })),
    'a misnamed source': await attempt(async () => {
      const asked = whole();
      const { name, identifier } = misnamed(t, 'cards.transfer', source);
      if (await exists(t, 'cards.transfer', identifier)) return inconclusive(`${name} names another card`);
      return ask('unknown', asked, identifier);
    }),
  };
  const others = {
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
        const { cents, json } = whole();
        const makes = makesOf('cards.transfer', { json });
        const input = makes[index % makes.length]!;
        const options = { intent: 'unauthorised', authorisation } as const;
        attempts.push({ name, ...(await balances.attempt(source, input, options, cents)) });
      }
      return attempts;
    }),
    toForeign: await attempt(() => {
      const { cents, json } = whole({
        ...tonightsMembers('to a foreign card'),
        targetCardIdentifier: foreignCards(t)[0],
      });
      return balances.attempt(source, { json }, { intent: 'foreign' }, cents);
    }),
    fromForeign: await attempt(async () => {
      const attempts: TransferAttempt[] = [];
      for (const card of foreignCards(t)) {
        const { cents, json } = whole();
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
        return ask('refusable', { cents, json: { ...members, targetCardIdentifier: target, amount: amount(cents) } });
      },
    ),
  };
  // Last, since nothing but its lateness says what they move late.
  const withoutAmount = await all('malformed', {
    'zero bytes': () => ({}),
    'zero bytes declared as JSON': () => ({ emptyJson: true }),
    'no amount': () => ({ json: without('amount').json }),
  });
  return { ...others, refused: { ...refused, ...withoutAmount }, unusedAmount: one() };
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
