/** Reading a card's balance, status, related cards, temporary token and encrypted payload (readings 7, 25 and 30). */
import { CARD_READINGS, CARDS_DEFAULT_MAX } from '../../../contracts/v3/cards.ts';
import { type Answer, entries, member, memberOf, succeeded } from '../../../helpers/answer.ts';
import { type Context, scenario } from '../../../helpers/check.ts';
import { expectAccepted, requireNotBusy } from '../../../helpers/engine/acceptance.ts';
import * as Forms from '../../../helpers/engine/forms/index.ts';
import { knownOf, type TryAgain } from '../../../helpers/engine/monitor.ts';
import * as Retrial from '../../../helpers/engine/retrial.ts';
import { contradicts } from '../../../helpers/evidence/ledger.ts';
import type { Contradiction } from '../../../helpers/evidence/monitor.ts';
import { expectRefused, expectSuccess, requireAccepted } from '../../../helpers/expect.ts';
import { attempt, inconclusive, values } from '../../../helpers/verdict.ts';
import { check, everyExchange, monitored } from '../../declare.ts';
import { identifiersOf } from '../../shared/identifiers.ts';
import * as KnownCards from '../../shared/known-cards.ts';
import * as Requests from '../../shared/requests.ts';
import { recordShowsBalance } from './balance-monitors.ts';
import { leaseActive } from './money/bookkeeping.ts';
import * as Payments from './money/payments.ts';
import * as Transfers from './money/transfers.ts';
import { requireRefusedForOthers } from './required-only.ts';
import { otherStates, type Reading, readings, relatedToFixture } from './scenarios/reading.ts';
import * as Steps from './scenarios/steps.ts';

for (const operation of CARD_READINGS)
  check(`${operation}.required-only`, 'the identifier alone', async (t) => {
    const { plain, active } = await t.shared(readings);
    const others = plain[operation]!().map(({ answer }) => answer);
    // A card that has a balance or a status has a record, too.
    const isThere =
      operation === 'cards.get' && values([plain['cards.getBalance']!, plain['cards.getStatus']!]).some(areRead);
    for (const answer of others) {
      requireNotBusy(answer, 'a request for a card');
      if (operation === 'cards.listRelated' && answer.status === 404 && (await mayHaveNone(t)))
        inconclusive('it is answered with 404, and the card may have no related ones');
      if (!active && !isThere) requireAccepted(answer, 'a request for a card');
      else if (!succeeded(answer)) await expectSuccessBetween(t, answer, others);
    }
    await attempt(() => t.shared(otherStates));
  });

const areRead = (readings: readonly Reading[]): boolean => readings.every(({ answer }) => succeeded(answer));

/**
 * Judges a refusal of what must be accepted, where a target may limit requests per card or per client (reading 47).
 * @param others answers to the same request for other cards
 * @throws Nonconformance when it is refused between two accepted requests, or the operation was never accepted; Inconclusive otherwise, and
 * when the card is no longer listed
 */
async function expectSuccessBetween(t: Context, refused: Answer, others: readonly Answer[]): Promise<void> {
  const { id } = refused.operation;
  const known = (listing: Answer) => identifiersOf(entries(listing)).includes(refused.input.path!.identifier!);
  if (
    known(await t.shared(Requests.firstCards)) &&
    !known(await t.call('cards.list', { query: { max: CARDS_DEFAULT_MAX } }))
  )
    inconclusive('the card is no longer listed');
  const ofOthers = (await isReadOtherwise(t, refused)) ? t.run.client.lastAccepted(id) : undefined;
  const input = { path: refused.input.path!, query: { byToken: false, byProxy: false } };
  const withFlags = id === 'cards.get' ? [await t.call(id, input, { intent: 'refusable' })] : [];
  const control = [...others, ...withFlags].find(succeeded) ?? ofOthers;
  const wasAccepted = t.run.ledger.tally(`${id}.status`).kept > 0;
  if (!control && wasAccepted)
    inconclusive(`${id} was accepted before, but is refused now: the target has a limit of its own`);
  const what = 'a request for a card';
  await expectAccepted(t, { operation: id, what, input: refused.input, ...(control && { control: control.input }) });
}

/** Whether another operation reads the card, which shows that it exists and may be read. */
async function isReadOtherwise(t: Context, { operation, input }: Answer): Promise<boolean> {
  const { [operation.id]: _own, ...others } = (await t.shared(readings)).plain;
  const read = values(Object.values(others)).flat();
  return read.some(({ card, answer }) => card === input.path!.identifier && succeeded(answer));
}

/** What getBalance and the records of two other cards show once money was moved between them: where the balances are as before again, a record that stays behind is right. */
const afterTransfer = scenario('a transfer between two other cards, and what may be read of them', async (t) => {
  const { from, to, cents, members } = Payments.accepted(t) ?? inconclusive('no transfer was seen to move its amount');
  const cards = (await leaseActive(t, 2, [from, to])).map(({ identifier }) => identifier);
  const [source, target] = cards as [string, string];
  await Steps.ask(t, 'cards.transfer', source, Payments.of(source, target, cents, members).input.json);
  await t.settle();
  for (const identifier of cards) {
    await t.balance(identifier);
    await t.call('cards.get', { path: { identifier } });
  }
  const own = t.run.answers.filter(({ exchange }) => t.exchanges.includes(exchange));
  return [...recordShowsBalance(own, knownOf(t))].filter(({ shows }) => shows === 'contradiction');
});

/** Reads again in the same order, after the balance of another card, or two cards between which money moves; a balance that changes by itself meanwhile shows nothing. */
const readAgain: TryAgain = async (t, [stands], monitor) => {
  const [balance] = stands.by;
  const { operation, input } = balance;
  const isBefore = (one: Answer) => one.operation === operation && succeeded(one) && one.sentAt < balance.sentAt;
  const other = t.run.answers.findLast((one) => isBefore(one) && one.input.path?.identifier !== input.path?.identifier);
  const by: Contradiction['by'] = [...(other ? [other] : []), ...stands.by];
  const asked = await attempt(() => Retrial.askedInOrder(t, [{ ...stands, by }], monitor));
  const before = t.exchanges.length;
  const isAsReadAgain = values([asked]).length > 0 || (await t.shared(afterTransfer)).length < 2;
  const { retrial } = isAsReadAgain ? asked() : { retrial: Retrial.triedSince(t, before) };
  const [first, second] = [await t.call(operation.id, input), await t.call(operation.id, input)];
  if (member(first, 'balance') !== member(second, 'balance')) inconclusive('the balance changes by itself');
  return { stands, ...(retrial && { retrial }) };
};

const refreshes = monitored('cards.getBalance.refreshes-record', recordShowsBalance, { tryAgain: readAgain });
refreshes('of every card that is read', { phase: 'last' }, async (t) => {
  const driven = [];
  for (const scenario of [readings, Transfers.betweenTwo.first])
    driven.push(await attempt(() => t.shared<unknown>(scenario)));
  const records = t.run.answers.filter((answer) => answer.operation.id === 'cards.get');
  t.exchanges.push(...records.map(({ exchange }) => exchange));
  if (values(driven).length === 0) driven[0]!();
});

/** Whether a 404 may mean that a card has no related ones: the documents don't show the answer for such a card. */
async function mayHaveNone(t: Context): Promise<boolean> {
  if (t.fixtures.cards?.withRelated === undefined) return true;
  const answer = await t.shared(relatedToFixture);
  return succeeded(answer) && entries(answer).length > 0;
}

check('cards.encryptForVde.required-only', 'an object without members', async (t) => {
  const { encryption, encryptedOther, active } = await t.shared(readings);
  const { nothing, nonce } = encryption();
  const what = 'an object without members';
  if (active && !succeeded(nothing) && succeeded(nonce)) {
    const { operation, input } = nonce;
    // Each nonce may be good once.
    const control = () => ({ ...input, json: { nonce: Forms.invented(String(memberOf(input.json, 'nonce'))) } });
    await expectAccepted(t, { operation: operation.id, what, input: nothing.input, control });
    return;
  }
  if (active && !succeeded(nothing))
    await requireRefusedForOthers(t, 'cards.encryptForVde', async () => encryptedOther());
  (active ? expectSuccess : requireAccepted)(nothing, what);
});

check('cards.encryptForVde.nonce-accepted', 'a UUID, hexadecimal or base64', async (t) => {
  const { encryption, active } = await t.shared(readings);
  for (const plain of [encryption().nothing, encryption().control]) requireAccepted(plain, 'an object without members');
  (active ? expectSuccess : requireAccepted)(encryption().nonce, 'a nonce in any of the usual forms');
});

check('cards.encryptForVde.body-types', 'a nonce that is a number', async (t) => {
  expectRefused((await t.shared(readings)).encryption().wrongType, 'a nonce that is a number');
});

check('cards.listRelated.related-found', 'the card of the fixtures', async (t) => {
  const answer = await t.shared(relatedToFixture);
  if (succeeded(answer)) return;
  await KnownCards.requireCard(t, 'cards.withRelated', t.fixtures.cards!.withRelated!);
  const what = 'the request for related cards';
  await expectAccepted(t, { operation: answer.operation.id, what, input: answer.input });
});

everyExchange('cards.listRelated.related-found', 'cards.listRelated', (answer, fixtures) => {
  const isMeant = answer.input.path?.identifier === fixtures.cards?.withRelated && answer.intent !== 'unauthorised';
  if (!isMeant || !succeeded(answer)) return undefined;
  if (entries(answer).length > 0) return 'kept';
  return contradicts('no related card is listed', 'at least one', 'none', '/results');
});
