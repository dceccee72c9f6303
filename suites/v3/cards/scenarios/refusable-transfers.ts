/** Transfers that need not succeed, each with a different amount, so that money which moves anyway can be attributed. */
import { amount } from '../../../../helpers/cards/card-state.ts';
import { invented } from '../../../../helpers/engine/forms/invented.ts';
import { attempt, type Step, values } from '../../../../helpers/engine/step.ts';
import { rotated } from '../../../../helpers/rotation.ts';
import { inconclusive } from '../../../../helpers/verdict.ts';
import { amountRule } from '../../../shared/amounts.ts';
import { badTokens, equivalentRequests } from '../../../shared/bad-tokens.ts';
import { foreignCards } from '../../../shared/foreign-cards.ts';
import { exists, misnamed } from '../../../shared/unknown-names.ts';
import { nothingMoved, type TransferAttempt } from './balance-changes.ts';
import { OPTIONAL } from './balances.ts';
import {
  type TransferFacts,
  type TransferSetting,
  UNUSUAL,
  UNUSUAL_AMOUNTS,
  type UnusualAmount,
} from './transfer-facts.ts';
import type { ValidTransfers } from './valid-transfers.ts';

/** The outcomes of transfers that the target may refuse. */
export interface RefusableTransfers
  extends Pick<TransferFacts, 'refused' | 'mistyped' | 'badly' | 'toForeign' | 'fromForeign' | 'unusual'> {
  /** An amount in cents that no transfer asked for. */
  unusedAmount: number;
}

/** The body of a transfer, and its amount in cents. */
interface Asked {
  json?: unknown;
  emptyJson?: boolean;
  cents?: number;
}

/**
 * Asks for transfers that need not succeed, those without an amount last: only the time shows which money they move late.
 * @param valid if these show that the target accepts fractions of a unit, each transfer gets a different amount
 */
export async function refusableTransfers(
  setting: TransferSetting,
  { further }: ValidTransfers,
): Promise<RefusableTransfers> {
  const { t, balances, source, target } = setting;
  const takesCents = values([further['of 1.15']!]).some(({ gains }) => !nothingMoved(gains));
  const bodies = transferBodies(setting, takesCents);
  const { whole, without, mistyped } = bodies;
  const ask = (intent: 'malformed' | 'unknown', { cents, ...input }: Asked, from = source) =>
    balances.attempt(from, input, { intent }, cents);
  const all = <Name extends string>(intent: 'malformed' | 'unknown', of: Record<Name, () => Asked>) =>
    inOrder(of, (asked) => ask(intent, asked));
  const nobody = async (operation: string, identifier: string) => {
    const other = misnamed(t, operation, identifier);
    if (await exists(t, 'cards.transfer', other.identifier)) inconclusive(`${other.name} names another card`);
    return other.identifier;
  };

  const refused = {
    ...(await all('malformed', { 'no target': () => without('targetCardIdentifier') })),
    ...(await all('unknown', { 'an unknown target': () => whole({ targetCardIdentifier: invented(target) }) })),
    'a misnamed target': await attempt(async () =>
      ask('unknown', whole({ targetCardIdentifier: await nobody('cards.transfer: target', target) })),
    ),
    'the source as target': await attempt(() => {
      const { cents, json } = whole({ targetCardIdentifier: source });
      return balances.attempt(source, { json }, { intent: 'refusable' }, cents);
    }),
    'a misnamed source': await attempt(async () => {
      const asked = whole();
      return ask('unknown', asked, await nobody('cards.transfer', source));
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
    badly: await attempt(() => withBadTokens(setting, bodies)),
    toForeign: await attempt(() => toForeignCard(setting, bodies)),
    fromForeign: await attempt(() => fromForeignCards(setting, bodies)),
    unusual: await unusualAmounts(setting, takesCents),
  };
  const withoutAmount = await all('malformed', {
    'zero bytes': () => ({}),
    'zero bytes declared as JSON': () => ({ emptyJson: true }),
    'no amount': () => ({ json: without('amount').json }),
  });
  return { ...others, refused: { ...refused, ...withoutAmount }, unusedAmount: bodies.nextAmount() };
}

type Bodies = ReturnType<typeof transferBodies>;

/**
 * Makes bodies of transfers. Each has a different amount, which identifies the transfer that moved money late; if only whole units are
 * accepted, all have the least amount.
 */
function transferBodies({ t, target, members }: TransferSetting, takesCents: boolean) {
  const { least } = amountRule(t);
  let made = 0;
  /** The next amount, in cents. */
  const nextAmount = () => (takesCents ? least + ++made : least);
  const whole = (more: Readonly<Record<string, unknown>> = {}) => {
    const cents = nextAmount();
    return { cents, json: { ...members, targetCardIdentifier: target, amount: amount(cents), ...more } };
  };
  /** The optional members in some runs, none in others. */
  const rotatedOptional = (of: string) =>
    rotated(t.run, `transfers: ${of}`, [
      { name: 'alone', members: {} },
      { name: 'beside comment and customFields', members: OPTIONAL },
    ])[0]!.members;
  /** A body in which only this member is missing. */
  const without = (name: string) => {
    const { cents, json } = whole(rotatedOptional(`without ${name}`));
    const { [name]: _absent, ...rest } = json as Record<string, unknown>;
    return { cents, json: rest };
  };
  const mistyped = (name: string, value: (right: number) => unknown) => {
    const { cents, json } = whole();
    return { cents, json: { ...json, [name]: value(json.amount) } };
  };
  return { nextAmount, whole, rotatedOptional, without, mistyped };
}

async function withBadTokens({ t, balances, source }: TransferSetting, { whole }: Bodies) {
  const attempts: (TransferAttempt & { name: string })[] = [];
  for (const [index, { name, authorisation }] of (await badTokens(t, 'cards.transfer')).entries()) {
    const { cents, json } = whole();
    const requests = equivalentRequests('cards.transfer', { json });
    const options = { intent: 'unauthorised', authorisation } as const;
    attempts.push({ name, ...(await balances.attempt(source, requests[index % requests.length]!, options, cents)) });
  }
  return attempts;
}

function toForeignCard({ t, balances, source }: TransferSetting, { whole, rotatedOptional }: Bodies) {
  const [foreign] = foreignCards(t);
  const { cents, json } = whole({ ...rotatedOptional('to a foreign card'), targetCardIdentifier: foreign });
  return balances.attempt(source, { json }, { intent: 'foreign' }, cents);
}

async function fromForeignCards({ t, balances }: TransferSetting, { whole }: Bodies) {
  const attempts: TransferAttempt[] = [];
  for (const card of foreignCards(t)) {
    const { cents, json } = whole();
    attempts.push(await balances.attempt(card, { json }, { intent: 'foreign' }, cents));
  }
  return attempts;
}

/** Asks for transfers of amounts on which the documents are silent. */
function unusualAmounts(
  { t, balances, source, target, members }: TransferSetting,
  takesCents: boolean,
): Promise<TransferFacts['unusual']> {
  const amounts = { ...UNUSUAL_AMOUNTS, ...(takesCents ? {} : { 'a negative amount': -amountRule(t).least }) };
  const steps = Object.fromEntries(UNUSUAL.map((name) => [name, () => amounts[name]])) as Record<
    UnusualAmount,
    () => (typeof amounts)[UnusualAmount]
  >;
  return inOrder(steps, async (asked) => {
    const cents = typeof asked === 'function' ? asked(await balances.of(source)) : asked;
    const json = { ...members, targetCardIdentifier: target, amount: amount(cents) };
    return balances.attempt(source, { json }, { intent: 'refusable' }, cents);
  });
}

/** Runs named steps one after the other. */
async function inOrder<Name extends string, Given, Facts>(
  steps: Record<Name, () => Given>,
  take: (given: Given) => Promise<Facts>,
): Promise<Record<Name, Step<Facts>>> {
  const done: [string, Step<Facts>][] = [];
  for (const [name, given] of Object.entries<() => Given>(steps)) done.push([name, await attempt(() => take(given()))]);
  return Object.fromEntries(done) as Record<Name, Step<Facts>>;
}
