/** A card looked up by its proxy, in the program of that and as physical or digital (reading 24). */
import { type Answer, type Intent, member, succeeded } from '../../../helpers/answer.ts';
import { type Context, scenario } from '../../../helpers/check.ts';
import { expectAccepted } from '../../../helpers/engine/acceptance.ts';
import * as Forms from '../../../helpers/engine/forms/index.ts';
import { expectRefused, requireAccepted } from '../../../helpers/expect.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { check } from '../../declare.ts';
import { carries, isText, sameText } from '../../shared/identifiers.ts';
import * as KnownCards from '../../shared/known-cards.ts';
import { expectNothingOfAnother, expectSameCard, requireOwnRecords } from './get.ts';

type ProxyQuery = { programIdentifier?: string; isDigital?: boolean; byToken?: boolean };
const lookUp = (t: Context, query: ProxyQuery, intent: Intent) => {
  const path = { identifier: KnownCards.requireProxy(t).proxyNumber };
  return t.call('cards.get', { path, query: { byProxy: true, ...query } }, { intent });
};

const lookedUpByProxy = scenario('a card by its proxy', async (t) => {
  const { programIdentifier, isDigital } = KnownCards.requireProxy(t);
  return lookUp(t, { programIdentifier, isDigital }, 'valid');
});

check('cards.get.by-proxy', 'the proxy of the fixtures', async (t) => {
  const answer = await t.shared(lookedUpByProxy);
  if (succeeded(answer)) return expectCardOfProxy(t, answer);
  await KnownCards.requireCurrentProxy(t);
  const again = await expectAccepted(t, { operation: 'cards.get', what: 'the look-up by proxy', input: answer.input });
  await expectCardOfProxy(t, again);
});

check('cards.get.required-only', 'a card that is found by its proxy', async (t) => {
  const byProxy = requireAccepted(await t.shared(lookedUpByProxy), 'the look-up by proxy');
  const { identifier } = KnownCards.requireProxy(t);
  if (!carries(byProxy, identifier))
    inconclusive('nothing shows that the card found by the proxy is that of the fixtures');
  const what = 'the look-up by the identifier alone of a card that is found by its proxy';
  await expectAccepted(t, {
    operation: 'cards.get',
    what,
    input: { path: { identifier } },
    control: byProxy.input,
  });
});

/**
 * Expects the card found to be that of the fixtures.
 * @param isItsOwn whether it was looked up in its own program: the rest of the record has to be that card's, too, even if it has no identifier
 * @throws Nonconformance when it is another one; Inconclusive when the fixtures file is out of date
 */
async function expectCardOfProxy(t: Context, answer: Answer, isItsOwn = true): Promise<void> {
  const { identifier, proxyNumber } = KnownCards.requireProxy(t);
  if (!carries(answer, identifier)) await KnownCards.requireCurrentProxy(t);
  const shown = member(answer, 'proxyNumber');
  if (isItsOwn && isText(shown) && !sameText(shown, proxyNumber)) {
    // Its format is not shown, and an earlier proxy may find the card, too: its record decides.
    const record = await t.call('cards.get', { path: { identifier } }, { intent: 'refusable' });
    const where = { pointer: '/proxyNumber', in: answer };
    if (member(record, 'proxyNumber') !== shown) requireOwnRecords(t);
    if (member(record, 'proxyNumber') !== shown)
      fail('the look-up by proxy finds a card with another proxy', proxyNumber, shown, where);
  }
  if (isItsOwn) await expectNothingOfAnother(t, answer, identifier);
  expectSameCard(t, answer, identifier);
}

/** Look-ups that lack what has to stand beside a proxy. */
const LACKING: readonly [requirement: string, lacks: string, of: (whole: ProxyQuery) => ProxyQuery][] = [
  ['cards.get.by-proxy-needs-program', 'programIdentifier', ({ isDigital }) => ({ isDigital })],
  ['cards.get.by-proxy-needs-program', 'programIdentifier and isDigital', () => ({})],
  ['cards.get.by-proxy-needs-digital', 'isDigital', ({ programIdentifier }) => ({ programIdentifier })],
];

for (const [requirement, lacks, of] of LACKING)
  check(requirement, `without ${lacks}`, async (t) => {
    requireAccepted(await t.shared(lookedUpByProxy), 'the look-up by proxy');
    const { programIdentifier, isDigital } = KnownCards.requireProxy(t);
    const answer = await lookUp(t, of({ programIdentifier, isDigital }), 'malformed');
    expectRefused(answer, `a look-up without ${lacks}`);
  });

check('cards.get.by-proxy-wrong-program', 'an invented program, and another one', async (t) => {
  const { programIdentifier, isDigital } = KnownCards.requireProxy(t);
  requireAccepted(await t.shared(lookedUpByProxy), 'the look-up by proxy');
  const another = t.fixtures.cards?.filters?.programIdentifier;
  const wrong = { 'an invented': Forms.invented(programIdentifier), ...(another && { another }) };
  for (const [which, program] of Object.entries(wrong)) {
    if (program === programIdentifier) continue;
    const answer = await lookUp(t, { programIdentifier: program, isDigital }, 'unknown');
    t.observe('cards.get', `byProxy with ${which} programIdentifier`, answer);
    if (which === 'another' && (await isOfItsOwn(t, answer)))
      inconclusive('another card of that program has the same proxy');
    if (succeeded(answer)) await expectCardOfProxy(t, answer, false);
  }
});

/** Whether another card is found whose own record has the same proxy: proxies may be unique only within a program. */
async function isOfItsOwn(t: Context, answer: Answer): Promise<boolean> {
  const { identifier, proxyNumber } = KnownCards.requireProxy(t);
  const found = member(answer, 'identifier');
  if (!succeeded(answer) || !isText(found) || sameText(found, identifier)) return false;
  const record = await t.call('cards.get', { path: { identifier: found } }, { intent: 'refusable' });
  const proxy = member(record, 'proxyNumber');
  return isText(proxy) && sameText(proxy, proxyNumber);
}

check('cards.get.by-proxy', 'with isDigital of the other kind, or byToken of false', async (t) => {
  const { programIdentifier, isDigital } = KnownCards.requireProxy(t);
  requireAccepted(await t.shared(lookedUpByProxy), 'the look-up by proxy');
  /** `isSame`: it still names the same card. */
  const varied = [
    { name: 'isDigital of the other kind', query: { isDigital: !isDigital }, isSame: false },
    { name: 'byToken of false', query: { isDigital, byToken: false }, isSame: true },
  ];
  for (const { name, query, isSame } of t.rotated('cards.get: byProxy', varied)) {
    const answer = await lookUp(t, { programIdentifier, ...query }, 'refusable');
    t.observe('cards.get', `byProxy with ${name}`, answer);
    if (isSame && succeeded(answer)) await expectCardOfProxy(t, answer);
  }
});
