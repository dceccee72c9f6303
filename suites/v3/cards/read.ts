/** Readings of a card by its identifier alone (readings 7 and 47). */
import { CARD_READINGS, CARDS_DEFAULT_MAX } from '../../../contracts/v3/cards.ts';
import { type Answer, entries, succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import { expectAccepted, requireNotBusy } from '../../../helpers/engine/acceptance.ts';
import { requireAccepted } from '../../../helpers/expect.ts';
import { inconclusive, optional, valuesOf } from '../../../helpers/verdict.ts';
import { identifiersOf } from '../../shared/identifiers.ts';
import * as Requests from '../../shared/requests.ts';
import { mayHaveNone } from './list-related.ts';
import { otherStates, PLAIN, type Plain, type Reading, readings } from './scenarios/reading.ts';

for (const operation of CARD_READINGS as readonly Plain[]) {
  const read = operation === 'cards.get' ? (['cards.getBalance', 'cards.getStatus', operation] as const) : [operation];
  readings.check(`${operation}.required-only`, 'the identifier alone', read, async (t, { active, ...facts }) => {
    const others = facts[operation].get().map(({ answer }) => answer);
    // A card that has a balance or a status has a record, too.
    const isThere =
      operation === 'cards.get' && valuesOf([facts['cards.getBalance'], facts['cards.getStatus']]).some(areRead);
    for (const answer of others) {
      requireNotBusy(answer, 'a request for a card');
      if (operation === 'cards.listRelated' && answer.status === 404 && (await mayHaveNone(t)))
        inconclusive('it is answered with 404, and the card may have no related ones');
      if (!active && !isThere) requireAccepted(answer, 'a request for a card');
      else if (!succeeded(answer)) await expectSuccessBetween(t, answer, others);
    }
    await optional(t.shared(otherStates));
  });
}

const areRead = (readings: readonly Reading[]): boolean => readings.every(({ answer }) => succeeded(answer));

/**
 * Judges a refusal of what must be accepted, where a target may limit requests per card or per client (reading 47).
 * @param others answers to the same request for other cards
 * @throws Nonconformance when it is refused between two accepted requests, or the operation was never accepted; Inconclusive otherwise, when the card is
 * no longer listed, and where nothing may be read of it
 */
async function expectSuccessBetween(t: Context, refused: Answer, others: readonly Answer[]): Promise<void> {
  const { id } = refused.operation;
  const known = (listing: Answer) => identifiersOf(entries(listing)).includes(refused.input.path!.identifier!);
  const wasListed = known(await t.shared(Requests.firstCards));
  if (wasListed && !known(await t.call('cards.list', { query: { max: CARDS_DEFAULT_MAX } })))
    inconclusive('the card is no longer listed');
  const withFlags = id === 'cards.get' ? [await askWithFlags(t, refused)] : [];
  const control = [...others, ...withFlags].find(succeeded);
  const wasAccepted = t.run.ledger.tally(`${id}.status`).kept > 0;
  if (!control && wasAccepted && !(await isReadOtherwise(t, refused)))
    inconclusive(
      'no operation reads the cards, but this one is accepted for others: an undocumented rule of the target may explain it',
    );
  const what = 'a request for a card';
  await expectAccepted(t, {
    operation: id,
    what,
    input: refused.input,
    ...(control && { control: control.input }),
  });
}

/** Asks for the record of a card with each flag, as it is without. */
const askWithFlags = (t: Context, { input: { path = {} } }: Answer): Promise<Answer> => {
  const query = { byToken: false, byProxy: false };
  return t.call('cards.get', { path, query }, { intent: 'refusable' });
};

/** Whether another operation reads the card, which shows that it exists and may be read. */
async function isReadOtherwise(t: Context, { operation, input }: Answer): Promise<boolean> {
  const facts = await readings.first(t);
  const others = PLAIN.filter((id) => id !== operation.id);
  const read = valuesOf(others.map((id) => facts[id])).flat();
  return read.some(({ card, answer }) => card === input.path!.identifier && succeeded(answer));
}
