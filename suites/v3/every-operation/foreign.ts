/** Cards outside the reach of the credentials: never answered, by any operation that reads (reading 13). */
import { operations } from '../../../contracts/operations.ts';
import { entries, type Input } from '../../../helpers/answer.ts';
import { defineSuite } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import { expectRefused } from '../../../helpers/expect.ts';
import { tonights } from '../../../helpers/rotation.ts';
import { fail } from '../../../helpers/verdict.ts';
import { identifiersOf, surelySame } from '../../shared/identifiers.ts';
import { namedInput } from '../../shared/requests.ts';
import { firstCards, listedOn } from '../../shared/target-data.ts';
import { readings } from '../cards/scenarios/reading.ts';
import { foreignCards } from '../cards/scenarios/transfers.ts';

const { check, suite } = defineSuite();
export const foreignCardsSuite = suite;

const reading = operations.filter((o) => o.id.startsWith('cards.') && o.risk === 'safe' && o.pathParameters.length > 0);

/** Ways to ask for a card by its identifier, with the parameters that the document shows. */
const parametersOf = ({ fixtures }: Context): Record<string, Input['query']> => {
  const programIdentifier = fixtures.cards?.byProxy?.programIdentifier ?? fixtures.cards?.filters?.programIdentifier;
  return {
    'byToken=false': { byToken: false },
    'byProxy=false': { byProxy: false },
    'both false': { byToken: false, byProxy: false },
    'byToken=true': { byToken: true },
    'isDigital=false': { isDigital: false },
    ...(programIdentifier && {
      programIdentifier: { programIdentifier },
      'byProxy=true': { byProxy: true, programIdentifier, isDigital: false },
    }),
  };
};

check('cards.get.foreign', 'with parameters', async (t) => {
  const [identifier] = foreignCards(t) as [string];
  for (const [parameters, query] of Object.entries(parametersOf(t)))
    expectRefused(
      await t.call('cards.get', { path: { identifier }, query }, { intent: 'foreign' }),
      `a card outside the reach, ${parameters}`,
    );
});

for (const { id } of reading)
  check(`${id}.foreign`, 'cards of the fixtures, one of them again', async (t) => {
    const cards = foreignCards(t);
    for (const card of [...cards, cards[0]!])
      expectRefused(await t.call(id, namedInput(id, card, card), { intent: 'foreign' }), 'a card outside the reach');
  });

/** Listed cards whose related cards are looked at each night. */
const SEVERAL = 3;

check('cards.listRelated.foreign', 'among the cards related to others', async (t) => {
  const { plain } = await t.shared(readings);
  const related = plain['cards.listRelated']!().flatMap(({ answer }) => identifiersOf(entries(answer)));
  const listed = identifiersOf(await listedOn(t, firstCards));
  for (const identifier of tonights(t.run, 'cards.listRelated: cards', listed, SEVERAL))
    related.push(
      ...identifiersOf(entries(await t.call('cards.listRelated', { path: { identifier } }, { intent: 'refusable' }))),
    );
  const foreign = t.fixtures.cards!.foreign!.find((card) => related.some((one) => surelySame(one, card)));
  if (foreign !== undefined)
    fail('a card outside the reach is related to another', {
      expected: 'absent',
      actual: foreign,
      pointer: '/results',
    });
});
