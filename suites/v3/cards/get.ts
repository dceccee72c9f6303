/** Cards looked up by their identifiers and by temporary tokens (reading 23). */
import { CARDS_DEFAULT_MAX } from '../../../contracts/v3/cards.ts';
import { type Answer, bodyOf, entries, member, memberOf, succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import { expectAccepted } from '../../../helpers/engine/acceptance.ts';
import { requireAccepted } from '../../../helpers/expect.ts';
import { fail, inconclusive, refer } from '../../../helpers/verdict.ts';
import { carries, givenToken, isText, sameText } from '../../shared/identifiers.ts';
import * as Requests from '../../shared/requests.ts';
import { readings } from './scenarios/reading.ts';

/** Members that no operation changes on a card that is only read. */
const LASTING = ['customerIdentifier', 'externalIdentifier', 'cardNumberLastFour'];

const holderOf = (card: unknown): string | undefined => {
  const name = ['firstName', 'lastName'].map((part) => memberOf(memberOf(card, 'cardholder'), part)).filter(isText);
  return name.length === 2 ? name.join(' ') : undefined;
};

/** What a listing shows of a card. `mayDiffer`: it may write it otherwise than the record, so that only that of another card contradicts. */
const SHOWN: readonly { name: string; of: (card: unknown) => unknown; mayDiffer?: true }[] = [
  ...LASTING.map((name) => ({ name, of: (card: unknown) => memberOf(card, name) })),
  { name: 'proxyNumber', of: (card) => memberOf(card, 'proxyNumber'), mayDiffer: true },
  { name: 'cardholder', of: holderOf, mayDiffer: true },
];

/** The first of some members in which the listing of a card and its record contradict each other. */
function contradiction(card: string, listing: readonly unknown[], record: Answer, names?: readonly string[]) {
  const own = listing.find((entry) => memberOf(entry, 'identifier') === card);
  if (!succeeded(record)) return undefined;
  for (const { name, of, mayDiffer } of SHOWN.filter((one) => names?.includes(one.name) ?? true)) {
    const [expected, actual] = [of(own), of(bodyOf(record))];
    if (!isText(expected) || !isText(actual) || sameText(expected, actual)) continue;
    if (mayDiffer && !listing.some((entry) => sameText(String(of(entry)), actual))) continue;
    // Names of persons are not written down.
    return name === 'cardholder'
      ? { name, expected: 'the holder that the listing shows', actual: 'that of another listed card' }
      : { name, expected, actual };
  }
  return undefined;
}

readings.check('cards.get.same-card', 'as the listing shows it', ['cards.get'], async (t, facts) => {
  const listing = await Requests.listedOn(t, Requests.firstCards);
  for (const { card, answer } of facts['cards.get'].get()) {
    if (!contradiction(card, listing, answer)) continue;
    const read = async () => {
      const listed = entries(await t.call('cards.list', { query: { max: CARDS_DEFAULT_MAX } }));
      return contradiction(card, listed, await t.call('cards.get', { path: { identifier: card } }));
    };
    const { name, expected, actual } = (await t.confirmed(read, (found) => !found)) ?? {};
    if (name === undefined) continue;
    if (name === FILTER && (await isListedOtherwise(t, card, actual!, expected!)))
      refer(
        `the listing by the ${FILTER} of the record finds the card and shows another`,
        'cards.list.filtered-members',
      );
    const message = `the listing shows another ${name} than the record of the card`;
    fail(message, expected, actual, { pointer: `/${name}` });
  }
});

/** The member of a record that the listing can be searched by, and then shows of every card; under a customer there may be those below it. */
const FILTER = 'externalIdentifier';

/** Whether the listing finds a card by what its record shows, and not by what it shows itself: the filter is a third reading, which bears out the record. */
async function isListedOtherwise(t: Context, card: string, recorded: string, listed: string) {
  const listedBy = async (value: string) =>
    entries(await t.call('cards.list', { query: { [FILTER]: value } }, { intent: 'refusable' })).find(
      (entry) => memberOf(entry, 'identifier') === card,
    );
  const own = memberOf(await listedBy(recorded), FILTER);
  return isText(own) && !sameText(own, recorded) && (await listedBy(listed)) === undefined;
}

const TWO = 'the temporary tokens of two cards';

readings.check('cards.get.by-token', TWO, ['byToken', 'byTokenAgain'], async (t, { byToken, byTokenAgain }) => {
  for (const { card, answer } of [...byToken.get(), ...byTokenAgain.get()]) {
    if (!succeeded(answer)) continue;
    await expectNothingOfAnother(t, answer, card);
    expectSameCard(t, answer, card);
  }
  if (!byToken.get().some(({ answer }) => succeeded(answer))) inconclusive('no card is found by a temporary token');
});

readings.check('cards.get.by-token-found', TWO, ['byToken'], async (t, { byToken }) => {
  if (byToken.get().length === 0) inconclusive('createToken gives no token');
  for (const { card, answer } of byToken.get()) {
    if (succeeded(answer)) continue;
    const what = 'the look-up by a temporary token';
    const input = async () => {
      const created = await t.call('cards.createToken', { path: { identifier: card } }, { intent: 'refusable' });
      const identifier = givenToken(created) ?? inconclusive('no other temporary token is given');
      // It may not be known everywhere yet.
      await t.settle();
      return { path: { identifier }, query: { byToken: true } };
    };
    await expectAccepted(t, { operation: 'cards.get', what, input, control: { path: { identifier: card } } });
  }
});

readings.check('cards.get.required-only', 'byToken and byProxy false', ['cards.get'], async (t, facts) => {
  const [{ card, answer } = inconclusive('no card is known')] = facts['cards.get'].get();
  requireAccepted(answer, 'the look-up by identifier');
  const input = { path: { identifier: card }, query: { byToken: false, byProxy: false } };
  // A target may refuse an optional parameter that is false: that shows nothing about required-only.
  const found = await t.call('cards.get', input, { intent: 'refusable' });
  t.observe('cards.get', 'byToken and byProxy of false', found);
  if (succeeded(found)) expectSameCard(t, found, card);
});

/** @throws Nonconformance when another card is found; Inconclusive when the answer has no identifier, or {@link requireOwnRecords} */
export function expectSameCard(t: Context, answer: Answer, card: string): void {
  const found = member(answer, 'identifier');
  if (typeof found !== 'string') inconclusive('the card found has no identifier');
  if (carries(answer, card)) return;
  requireOwnRecords(t);
  fail('the look-up finds another card', card, found, { pointer: '/identifier', in: answer });
}

/** What rests on records shows nothing where those of cards are mixed up. @throws Inconclusive where that was found, which is a finding of its own */
export function requireOwnRecords({ run }: Context): void {
  const { findings } = run.ledger.tally('cards.get.same-card');
  if (findings.length > 0) refer('records of another card than the one asked for are given', 'cards.get.same-card');
}

/** @throws Nonconformance when the record of a card has all the lasting members of another one, where both are listed */
export async function expectNothingOfAnother(t: Context, answer: Answer, card: string): Promise<void> {
  const listing = await Requests.listedOn(t, Requests.firstCards);
  const isOf = (entry: unknown) =>
    LASTING.every((name) => isText(memberOf(entry, name)) && memberOf(entry, name) === member(answer, name));
  const { name, expected, actual } = contradiction(card, listing, answer, LASTING) ?? {};
  const message = `the record of the card has the ${name} of another one`;
  if (name !== undefined && listing.some(isOf)) fail(message, expected, actual, { pointer: `/${name}`, in: answer });
}
