/** Cards of the fixtures file, which may be older than the target's data: before its word accuses, the target is asked for them. */
import { type Answer, describe, entries, succeeded } from '../../helpers/answer.ts';
import type { Context } from '../../helpers/context.ts';
import { inconclusive, Skipped } from '../../helpers/verdict.ts';
import { identifiersOf, sameText } from './identifiers.ts';
import { firstCards } from './target-data.ts';

/**
 * Asks for a card that the fixtures file names under `key`.
 * @returns its record; undefined where the target does not claim cards.get
 * @throws Inconclusive when the target neither answers for the card nor lists it: the fixtures file is stale
 */
export async function requireKnownCard(t: Context, key: string, identifier: string): Promise<Answer | undefined> {
  try {
    const record = await t.call('cards.get', { path: { identifier } }, { intent: 'refusable' });
    const isListed = async () =>
      identifiersOf(entries(await t.shared(firstCards))).some((listed) => sameText(listed, identifier));
    if (succeeded(record) || (await isListed())) return record;
    return inconclusive(
      `${key} of the fixtures file is not known to the target: cards.get answers ${describe(record)}`,
    );
  } catch (error) {
    if (error instanceof Skipped) return undefined;
    throw error;
  }
}
