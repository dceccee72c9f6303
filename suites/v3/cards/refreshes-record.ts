/** getBalance and getStatus refresh the stored record of a card, which shows what they give (readings 10 and 26). */
import { type Answer, member, succeeded } from '../../../helpers/answer.ts';
import { scenario } from '../../../helpers/check.ts';
import { knownOf, type TryAgain } from '../../../helpers/engine/monitor.ts';
import * as Retrial from '../../../helpers/engine/retrial.ts';
import type { Contradiction } from '../../../helpers/evidence/monitor.ts';
import { attempt, inconclusive } from '../../../helpers/verdict.ts';
import { monitored } from '../../declare.ts';
import * as Payments from './money/payments.ts';
import * as RefusedTransfers from './refused-transfers.ts';
import { PLAIN, readings } from './scenarios/reading.ts';
import * as Steps from './scenarios/steps.ts';
import { suspension } from './scenarios/suspension.ts';
import * as Monitors from './states/monitors.ts';

/** What getBalance and the records of two other cards show once money was moved between them: where the balances are as before again, a record that stays behind is right. */
const afterTransfer = scenario('a transfer between two other cards, and what may be read of them', async (t) => {
  const { from, to, cents, members } = Payments.accepted(t) ?? inconclusive('no transfer was seen to move its amount');
  const cards = (await Payments.leaseActive(t, 2, [from, to])).map(({ identifier }) => identifier);
  const [source, target] = cards as [string, string];
  await Steps.ask(t, 'cards.transfer', source, Payments.make(source, target, cents, members).input.json);
  await t.settle();
  for (const identifier of cards) await t.balance(identifier);
  // A refresh may take as long as any other effect.
  await t.settle();
  for (const identifier of cards) await t.call('cards.get', { path: { identifier } });
  const own = t.run.answers.filter(({ exchange }) => t.exchanges.includes(exchange));
  return [...Monitors.recordShowsBalance(own, knownOf(t))].filter(({ shows }) => shows === 'contradiction');
});

/** The last balance of another card that was read before one. */
const ofAnother = (history: readonly Answer[], balance: Answer): Answer | undefined =>
  history.findLast(
    (one) =>
      one.operation === balance.operation &&
      succeeded(one) &&
      one.sentAt < balance.sentAt &&
      one.input.path?.identifier !== balance.input.path?.identifier,
  );

/** Reads again in the same order, after the balance of another card, or two cards between which money moves; a balance that changes by itself meanwhile shows nothing. */
const readAgain: TryAgain = async (t, [stands], monitor) => {
  const [balance] = stands.by;
  const { operation, input } = balance;
  const other = ofAnother(t.run.answers, balance);
  const by: Contradiction['by'] = other ? [other, ...stands.by] : stands.by;
  const asked = await attempt(() => Retrial.askedInOrder(t, [{ ...stands, by }], monitor));
  const before = t.exchanges.length;
  const isAsReadAgain = !asked.isEnded || (await t.shared(afterTransfer)).length < 2;
  const { retrial } = isAsReadAgain ? asked.get() : { retrial: Retrial.triedSince(t, before) };
  const [first, second] = [await t.call(operation.id, input), await t.call(operation.id, input)];
  if (member(first, 'balance') !== member(second, 'balance')) inconclusive('the balance changes by itself');
  return { stands, ...(retrial && { retrial }) };
};

const balance = monitored('cards.getBalance.refreshes-record', Monitors.recordShowsBalance, { tryAgain: readAgain });
const readAfterTransfers = RefusedTransfers.transfers.reads(
  'cards.getBalance.refreshes-record',
  'the record after cents',
);
const readPlainly = readings.reads('cards.getBalance.refreshes-record', ...PLAIN);
balance('of every card that is read', { phase: 'last' }, async (t) => {
  const driven = [];
  for (const drive of [readPlainly, readAfterTransfers]) driven.push(await attempt<unknown>(() => drive(t)));
  const records = t.run.answers.filter((answer) => answer.operation.id === 'cards.get');
  t.exchanges.push(...records.map(({ exchange }) => exchange));
  if (driven.every(({ isEnded }) => isEnded)) driven[0]!.get();
});

const status = monitored('cards.getStatus.refreshes-record', Monitors.refreshedByStatus, { isSuspicion: true });
const payments = ['cards.suspend: after', 'payments while suspended', 'still suspended', 'read once unsuspended'];
const suspendAndPay = suspension.reads('cards.getStatus.refreshes-record', ...payments);
status('suspended, asked to pay and to be paid, and unsuspended', {}, suspendAndPay);
