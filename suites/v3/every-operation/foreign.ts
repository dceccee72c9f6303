/** Cards outside the reach of the credentials: never answered, by any operation that reads (reading 13). */
import { operations } from '../../../contracts/operations.ts';
import { entries } from '../../../helpers/answer.ts';
import { defineSuite } from '../../../helpers/check.ts';
import { expectRefused } from '../../../helpers/expect.ts';
import { fail } from '../../../helpers/verdict.ts';
import { identifiersOf } from '../../shared/identifiers.ts';
import { namedInput } from '../../shared/requests.ts';
import { readings } from '../cards/scenarios/reading.ts';

const { check, suite } = defineSuite();
export const foreignCardsSuite = suite;

/** Foreign cards that each operation is tried on: what opens one of them is seen. */
const TRIED = 2;

const reading = operations.filter((o) => o.id.startsWith('cards.') && o.risk === 'safe' && o.pathParameters.length > 0);

for (const { id } of reading)
  check(`${id}.foreign`, 'cards of the fixtures', async (t) => {
    for (const card of t.fixtures.cards!.foreign!.slice(0, TRIED))
      expectRefused(await t.call(id, namedInput(id, card, card), { intent: 'foreign' }), 'a card outside the reach');
  });

check('cards.listRelated.foreign', 'among the cards related to others', async (t) => {
  const { plain } = await t.shared(readings);
  const related = plain['cards.listRelated']!.flatMap(({ answer }) => identifiersOf(entries(answer)));
  const foreign = t.fixtures.cards!.foreign!.find((card) => related.includes(card));
  if (foreign !== undefined)
    fail('a card outside the reach is related to another', {
      expected: 'absent',
      actual: foreign,
      pointer: '/results',
    });
});
