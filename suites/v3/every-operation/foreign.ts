/** Cards outside the reach of the credentials: no operation returns or changes them (reading 13). */
import { operations } from '../../../contracts/operations.ts';
import { entries, type Input, succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import { expectNothingGiven } from '../../../helpers/engine/disclosure.ts';
import { inOtherCase, isCaseless } from '../../../helpers/engine/forms/caseless.ts';
import { contradicts } from '../../../helpers/evidence/ledger.ts';
import { expectRefused } from '../../../helpers/expect.ts';
import { check, everyExchange } from '../../declare.ts';
import { certainlySame, identifiersOf } from '../../shared/identifiers.ts';
import { foreignCards } from '../../shared/known-cards.ts';
import { firstCards, listedOn, namedInput } from '../../shared/requests.ts';
import { readings, relatedToFixture } from '../cards/scenarios/reading.ts';

const reading = operations.filter((o) => o.id.startsWith('cards.') && o.risk === 'safe' && o.pathParameters.length > 0);

/** Parameters that leave a look-up a plain one. */
const FLAGS: { name: string; query: Input['query'] }[] = [
  { name: 'byToken=false', query: { byToken: false } },
  { name: 'byProxy=false', query: { byProxy: false } },
  { name: 'both false', query: { byToken: false, byProxy: false } },
];

/** Ways to ask for a card by its identifier, with documented parameters. */
const rotatedParameters = (t: Context): { name: string; query: Input['query'] }[] => {
  const { byProxy, filters } = t.fixtures.cards ?? {};
  const ofProxy = { programIdentifier: byProxy?.programIdentifier ?? filters?.programIdentifier, isDigital: false };
  return [
    ...t.rotated('cards.get: flags with a foreign card', FLAGS),
    { name: 'byToken=true', query: { byToken: true } },
    { name: 'programIdentifier and isDigital', query: ofProxy },
    { name: 'byProxy=true', query: { byProxy: true, ...ofProxy } },
  ];
};

// At the end: other requests have named the card by then, and a faulty target may show anybody what it has cached of it.
check('cards.get.foreign', 'with parameters', { phase: 'end' }, async (t) => {
  const [identifier] = foreignCards(t) as [string];
  for (const { name, query } of rotatedParameters(t))
    expectNothingGiven(
      await t.call('cards.get', { path: { identifier }, query }, { intent: 'foreign' }),
      `a request for a card outside the credentials' reach, ${name},`,
    );
});

for (const { id } of reading)
  check(`${id}.foreign`, 'cards of the fixtures, one of them again', async (t) => {
    const cards = foreignCards(t);
    const [first] = cards as [string];
    const otherwise = isCaseless(first) && inOtherCase(first) !== first ? [inOtherCase(first)] : [];
    const inputs = cards.map((card) => namedInput(t, id, card, card));
    const again = t.rotated(`${id}: a foreign card again`, [first, ...otherwise]);
    if (id === 'cards.encryptForVde') inputs.push({ ...inputs[0], json: { nonce: crypto.randomUUID() } });
    // cards.get is asked for this card once more by the check with parameters.
    else for (const card of again) if (id !== 'cards.get' || card !== first) inputs.push(namedInput(t, id, card, card));
    for (const input of inputs)
      expectNothingGiven(
        await t.call(id, input, { intent: 'foreign' }),
        "a request for a card outside the credentials' reach",
      );
  });

/** Number of listed cards per run whose related cards are read. */
const SEVERAL = 2;

check('cards.listRelated.foreign', 'among the cards related to others', async (t) => {
  await t.shared(readings);
  if (t.fixtures.cards!.withRelated !== undefined) await t.shared(relatedToFixture);
  const listed = identifiersOf(await listedOn(t, firstCards));
  for (const identifier of t.rotated('cards.listRelated: cards', listed, { count: SEVERAL }))
    await t.call('cards.listRelated', { path: { identifier } }, { intent: 'refusable' });
});

everyExchange('cards.listRelated.foreign', 'cards.listRelated', (answer, fixtures) => {
  const related = identifiersOf(entries(answer));
  if (!succeeded(answer) || related.length === 0) return undefined;
  const foreign = fixtures.cards?.foreign?.find((card) => related.some((one) => certainlySame(one, card)));
  if (foreign === undefined) return 'kept';
  return contradicts('a card outside the reach of the credentials is listed as related', 'absent', foreign, '/results');
});

/** Complete bodies of the operations that take one; transfers are judged by the money. */
const bodies: Record<string, (t: Context) => unknown> = {
  'cards.setPin': () => ({ pin: '4827' }),
  'cards.reissue': (t) => ({ externalIdentifier: t.unique('reissue') }),
};

/** Operations that change cards, but for transfers. */
const changing = operations.filter(
  ({ id, risk, listedOnly, pathParameters }) =>
    id.startsWith('cards.') && risk !== 'safe' && !listedOnly && pathParameters.length > 0 && id !== 'cards.transfer',
);

for (const { id: operation } of changing)
  check(`${operation}.foreign`, 'with a good token', async (t) => {
    for (const identifier of foreignCards(t)) {
      const input = { path: { identifier }, json: bodies[operation]?.(t) };
      expectRefused(await t.call(operation, input, { intent: 'foreign' }), 'a foreign card');
    }
  });
