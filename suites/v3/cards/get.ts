/** Ways to look up a card: by identifier, by temporary token, by proxy (readings 23 and 24). */
import { CARDS_DEFAULT_MAX, card as cardShape } from '../../../contracts/v3/cards.ts';
import { type Answer, bodyOf, entries, isObject, member, memberOf, succeeded } from '../../../helpers/answer.ts';
import { type Context, scenario } from '../../../helpers/check.ts';
import { outlineOf, plainName } from '../../../helpers/contract-rules/outline.ts';
import { expectAccepted, requireNotBusy } from '../../../helpers/engine/acceptance.ts';
import { invented } from '../../../helpers/engine/forms/invented.ts';
import { contradicts } from '../../../helpers/evidence/ledger.ts';
import { expectRefused, expectSuccess, requireAccepted } from '../../../helpers/expect.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { check, everyExchange } from '../../declare.ts';
import { carries, isText, sameIdentifier, sameText } from '../../shared/identifiers.ts';
import { requireCurrentProxy, requireProxy } from '../../shared/known-cards.ts';
import { firstCards, listedOn } from '../../shared/target-data.ts';
import { readings } from './scenarios/reading.ts';

const byIdentifier = sameIdentifier('card');

everyExchange('cards.get.same-card', 'cards.get', (answer) => {
  const { byToken, byProxy } = answer.input.query ?? {};
  return byToken === undefined && byProxy === undefined ? byIdentifier(answer) : undefined;
});

everyExchange('cards.get.identifier-present', 'cards.get', (answer) => {
  if (!succeeded(answer) || !answer.json?.ok) return undefined;
  if (member(answer, 'identifier') !== undefined) return 'kept';
  return contradicts('identifier is absent', 'the identifier of the card', 'absent');
});

/** Judges the body as a whole: it may be an envelope or a listing of one card. No single member is indispensable, but one must be there. */
everyExchange('cards.get.shape', 'cards.get', (answer) => {
  const body = bodyOf(answer);
  if (!succeeded(answer) || answer.intent === 'malformed' || !isObject(body)) return undefined;
  const names = Object.keys(body);
  if (names.some((name) => outlineOf(cardShape).plainNames!.has(plainName(name)))) return 'kept';
  return contradicts(
    'the body has none of the members of a card',
    'a card',
    names.length > 0 ? `an object with ${names.join(', ')}` : 'an empty object',
  );
});

/** Members that no operation changes on a card that is only read. */
const LASTING = ['customerIdentifier', 'externalIdentifier', 'cardNumberLastFour'];

/** The first lasting member in which a listed card and its record contradict each other. */
const contradiction = (listed: unknown, record: Answer) =>
  LASTING.map((name) => ({
    name,
    expected: memberOf(listed, name),
    actual: succeeded(record) ? member(record, name) : undefined,
  })).find(({ expected, actual }) => isText(expected) && isText(actual) && !sameText(expected, actual));

/** A proxyNumber in the record that the listing shows for another card and not for this one; the two may write it differently. */
function proxyOfAnother(card: string, listing: readonly unknown[], record: Answer) {
  const actual = succeeded(record) ? member(record, 'proxyNumber') : undefined;
  const [own] = listing.filter((entry) => memberOf(entry, 'identifier') === card);
  const expected = memberOf(own, 'proxyNumber');
  const isOthers = isText(actual) && listing.some((entry) => memberOf(entry, 'proxyNumber') === actual);
  return isOthers && isText(expected) && expected !== actual ? { name: 'proxyNumber', expected, actual } : undefined;
}

const fullName = (card: unknown) =>
  ['firstName', 'lastName'].map((name) => memberOf(memberOf(card, 'cardholder'), name)).filter(isText);
const isSameName = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((part, index) => sameText(part, other[index]!));

/** A cardholder in the record whom the listing shows for another card and not for this one. */
function holderOfAnother(card: string, listing: readonly unknown[], record: Answer) {
  const [own] = listing.filter((entry) => memberOf(entry, 'identifier') === card);
  const [expected, actual] = [fullName(own), succeeded(record) ? fullName(bodyOf(record)) : []];
  if (expected.length < 2 || actual.length < 2 || isSameName(expected, actual)) return undefined;
  if (!listing.some((entry) => isSameName(fullName(entry), actual))) return undefined;
  return { name: 'cardholder', expected: 'the holder that the listing shows', actual: 'that of another listed card' };
}

check('cards.get.same-card', 'as the listing shows it', async (t) => {
  const inListing = (card: string, listing: readonly unknown[]) =>
    listing.find((entry) => memberOf(entry, 'identifier') === card);
  const differing = (card: string, listing: readonly unknown[], record: Answer) =>
    contradiction(inListing(card, listing), record) ??
    proxyOfAnother(card, listing, record) ??
    holderOfAnother(card, listing, record);
  const listing = await listedOn(t, firstCards);
  for (const { card, answer } of (await t.shared(readings)).plain['cards.get']!()) {
    if (!differing(card, listing, answer)) continue;
    const again = await t.confirmed(
      async () => {
        const listed = entries(await t.call('cards.list', { query: { max: CARDS_DEFAULT_MAX } }));
        return differing(card, listed, await t.call('cards.get', { path: { identifier: card } }));
      },
      (found) => !found,
    );
    if (again)
      fail(
        `the listing shows another ${again.name} than the record of the card`,
        String(again.expected),
        String(again.actual),
        { pointer: `/${again.name}` },
      );
  }
});

check('cards.get.by-token', 'the temporary tokens of two cards', async (t) => {
  const { byToken, byTokenAgain } = await t.shared(readings);
  for (const { card, answer } of [...byToken(), ...byTokenAgain()]) {
    if (!succeeded(answer)) continue;
    await expectNothingOfAnother(t, answer, card);
    expectSameCard(answer, card);
  }
  if (!byToken().some(({ answer }) => succeeded(answer))) inconclusive('no card is found by a temporary token');
});

check('cards.get.by-token-found', 'the temporary tokens of two cards', async (t) => {
  const { byToken } = await t.shared(readings);
  if (byToken().length === 0) inconclusive('createToken gives no token');
  for (const { answer } of byToken()) {
    requireNotBusy(answer, 'the look-up by a temporary token');
    expectSuccess(answer, 'the look-up by a temporary token');
  }
});

check('cards.get.required-only', 'byToken and byProxy false', async (t) => {
  const [{ card, answer } = inconclusive('no card is known')] = (await t.shared(readings)).plain['cards.get']!();
  requireAccepted(answer, 'the look-up by identifier');
  const path = { identifier: card };
  const query = { byToken: false, byProxy: false };
  // A target may refuse an optional parameter that is false: that shows nothing about required-only.
  const found = await t.call('cards.get', { path, query }, { intent: 'refusable' });
  t.observe('cards.get', 'byToken and byProxy of false', found);
  if (succeeded(found)) expectSameCard(found, card);
});

/** @throws Nonconformance when another card is found; Inconclusive when the answer has no identifier */
function expectSameCard(answer: Answer, card: string): void {
  const found = member(answer, 'identifier');
  if (typeof found !== 'string') inconclusive('the card found has no identifier');
  if (!carries(answer, card))
    fail('the look-up finds another card', card, found, { pointer: '/identifier', in: answer });
}

type ProxyQuery = { programIdentifier?: string; isDigital?: boolean; byToken?: boolean };
const lookUp = (t: Context, query: ProxyQuery, intent: 'valid' | 'malformed' | 'refusable' | 'unknown') =>
  t.call(
    'cards.get',
    { path: { identifier: requireProxy(t).proxyNumber }, query: { byProxy: true, ...query } },
    { intent },
  );

const lookedUpByProxy = scenario('a card by its proxy', async (t) => {
  const { programIdentifier, isDigital } = requireProxy(t);
  return lookUp(t, { programIdentifier, isDigital }, 'valid');
});

check('cards.get.by-proxy', 'the proxy of the fixtures', async (t) => {
  const answer = await t.shared(lookedUpByProxy);
  requireNotBusy(answer, 'the look-up by proxy');
  if (!succeeded(answer)) await requireCurrentProxy(t);
  expectSuccess(answer, 'the look-up by proxy');
  await expectRecordOfProxy(t, answer);
});

check('cards.get.required-only', 'a card that is found by its proxy', async (t) => {
  const byProxy = await t.shared(lookedUpByProxy);
  requireAccepted(byProxy, 'the look-up by proxy');
  const { identifier, proxyNumber, programIdentifier, isDigital } = requireProxy(t);
  if (!carries(byProxy, identifier))
    inconclusive('nothing shows that the card found by the proxy is that of the fixtures');
  await expectAccepted(t, {
    operation: 'cards.get',
    what: 'the look-up by the identifier alone of a card that is found by its proxy',
    input: { path: { identifier } },
    control: { path: { identifier: proxyNumber }, query: { byProxy: true, programIdentifier, isDigital } },
  });
});

/**
 * Expects the card found to be that of the fixtures.
 * @throws Nonconformance when it is another one; Inconclusive when the fixtures file is out of date
 */
async function expectCardOfProxy(t: Context, answer: Answer): Promise<void> {
  const { identifier } = requireProxy(t);
  if (!carries(answer, identifier)) await requireCurrentProxy(t);
  expectSameCard(answer, identifier);
}

/**
 * Like {@link expectCardOfProxy}, but for a look-up in the program of the proxy: the rest of the record has to be that card's, too, even if
 * it has no identifier.
 */
async function expectRecordOfProxy(t: Context, answer: Answer): Promise<void> {
  const { identifier } = requireProxy(t);
  if (!carries(answer, identifier)) await requireCurrentProxy(t);
  await expectItsProxy(t, answer);
  await expectNothingOfAnother(t, answer, identifier);
  expectSameCard(answer, identifier);
}

/** @throws Nonconformance when the record of a card has all the lasting members of another one, where both are listed */
async function expectNothingOfAnother(t: Context, answer: Answer, card: string): Promise<void> {
  const listing = await listedOn(t, firstCards);
  const own = listing.find((entry) => memberOf(entry, 'identifier') === card);
  const isOf = (entry: unknown) =>
    LASTING.every((name) => isText(memberOf(entry, name)) && memberOf(entry, name) === member(answer, name));
  const found = own && contradiction(own, answer);
  if (found && listing.some(isOf))
    fail(`the record of the card has the ${found.name} of another one`, String(found.expected), String(found.actual), {
      pointer: `/${found.name}`,
      in: answer,
    });
}

/**
 * Judges the proxyNumber of the card found. Its format is not shown, and an earlier proxy may find the card, too, so its record decides.
 * @throws Nonconformance when it is neither the proxy asked for nor the proxyNumber of the record
 */
async function expectItsProxy(t: Context, answer: Answer): Promise<void> {
  const { identifier, proxyNumber } = requireProxy(t);
  const shown = member(answer, 'proxyNumber');
  if (!isText(shown) || sameText(shown, proxyNumber)) return;
  const record = await t.call('cards.get', { path: { identifier } }, { intent: 'refusable' });
  if (member(record, 'proxyNumber') !== shown)
    fail('the look-up by proxy finds a card with another proxy', proxyNumber, shown, {
      pointer: '/proxyNumber',
      in: answer,
    });
}

check('cards.get.by-proxy-needs-program', 'without programIdentifier', async (t) => {
  requireAccepted(await t.shared(lookedUpByProxy), 'the look-up by proxy');
  expectRefused(
    await lookUp(t, { isDigital: requireProxy(t).isDigital }, 'malformed'),
    'a look-up without programIdentifier',
  );
});

check('cards.get.by-proxy-needs-program', 'without programIdentifier and isDigital', async (t) => {
  requireAccepted(await t.shared(lookedUpByProxy), 'the look-up by proxy');
  expectRefused(await lookUp(t, {}, 'malformed'), 'a look-up without programIdentifier and isDigital');
});

check('cards.get.by-proxy-needs-digital', 'without isDigital', async (t) => {
  requireAccepted(await t.shared(lookedUpByProxy), 'the look-up by proxy');
  const { programIdentifier } = requireProxy(t);
  expectRefused(await lookUp(t, { programIdentifier }, 'malformed'), 'a look-up without isDigital');
});

check('cards.get.by-proxy-wrong-program', 'an invented program, and another one', async (t) => {
  const { programIdentifier, isDigital } = requireProxy(t);
  requireAccepted(await t.shared(lookedUpByProxy), 'the look-up by proxy');
  const another = t.fixtures.cards?.filters?.programIdentifier;
  const wrong = { 'an invented': invented(programIdentifier), ...(another && { another }) };
  for (const [which, program] of Object.entries(wrong)) {
    if (program === programIdentifier) continue;
    const answer = await lookUp(t, { programIdentifier: program, isDigital }, 'unknown');
    t.observe('cards.get', `byProxy with ${which} programIdentifier`, answer);
    if (which === 'another' && (await isOfItsOwn(t, answer)))
      inconclusive('another card of that program has the same proxy');
    if (succeeded(answer)) await expectCardOfProxy(t, answer);
  }
});

/** Whether another card is found whose own record has the same proxy: proxies may be unique only within a program. */
async function isOfItsOwn(t: Context, answer: Answer): Promise<boolean> {
  const { identifier, proxyNumber } = requireProxy(t);
  const found = member(answer, 'identifier');
  if (!succeeded(answer) || !isText(found) || sameText(found, identifier)) return false;
  const record = await t.call('cards.get', { path: { identifier: found } }, { intent: 'refusable' });
  const proxy = member(record, 'proxyNumber');
  return isText(proxy) && sameText(proxy, proxyNumber);
}

/** Variations of a look-up by proxy. `isSame`: it still names the same card. */
const BESIDE_PROXY = [
  { name: 'isDigital of the other kind', isSame: false },
  { name: 'byToken of false', isSame: true },
];

check('cards.get.by-proxy', 'with isDigital of the other kind, or byToken of false', async (t) => {
  const { programIdentifier, isDigital } = requireProxy(t);
  requireAccepted(await t.shared(lookedUpByProxy), 'the look-up by proxy');
  for (const { name, isSame } of t.rotated('cards.get: byProxy', BESIDE_PROXY)) {
    const query = isSame
      ? { programIdentifier, isDigital, byToken: false }
      : { programIdentifier, isDigital: !isDigital };
    const answer = await lookUp(t, query, 'refusable');
    t.observe('cards.get', `byProxy with ${name}`, answer);
    if (isSame && succeeded(answer)) await expectRecordOfProxy(t, answer);
  }
});
