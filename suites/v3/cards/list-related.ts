/** Cards related to another: the card of the fixtures that has some shows them (reading 25). */
import { entries, succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import { expectAccepted } from '../../../helpers/engine/acceptance.ts';
import { contradicts } from '../../../helpers/evidence/ledger.ts';
import { check, everyExchange } from '../../declare.ts';
import * as KnownCards from '../../shared/known-cards.ts';

/** Whether a 404 may mean that a card has no related ones: the documents don't show the answer for such a card. */
export async function mayHaveNone(t: Context): Promise<boolean> {
  if (t.fixtures.cards?.withRelated === undefined) return true;
  const answer = await t.shared(KnownCards.relatedToFixture);
  return succeeded(answer) && entries(answer).length > 0;
}

check('cards.listRelated.related-found', 'the card of the fixtures', async (t) => {
  const answer = await t.shared(KnownCards.relatedToFixture);
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
