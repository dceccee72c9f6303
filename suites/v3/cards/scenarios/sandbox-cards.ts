/** Cards of the embedded sandbox that nothing else needs and that may be used up. */
import { entries, succeeded } from '../../../../helpers/answer.ts';
import { type Context, scenario } from '../../../../helpers/check.ts';
import { aCard, firstCards } from '../../../shared/target-data.ts';

/** A max above 50, which the sandbox accepts. */
const MANY = 200;

/** Listed cards by status, except those of the fixtures file and the card for reading. Empty on any other target. */
const spareCards = scenario('spare cards of the sandbox', async (t) => {
  const spare = new Map<string, string[]>();
  if (!t.run.configuration.target.embedded || !t.isInScope('cards.list')) return spare;
  const taken = new Set([JSON.stringify(t.fixtures.cards ?? {}), await t.shared(aCard)]);
  const many = await t.call('cards.list', { query: { max: MANY } }, { intent: 'refusable' });
  for (const { identifier, status } of entries(succeeded(many) ? many : await t.shared(firstCards))) {
    if (typeof identifier !== 'string' || typeof status !== 'string') continue;
    if ([...taken].some((text) => text.includes(identifier))) continue;
    spare.set(status, [...(spare.get(status) ?? []), identifier]);
  }
  return spare;
});

/** The statuses of the spare cards that are left. */
export async function spareStatuses(t: Context): Promise<string[]> {
  return [...(await t.shared(spareCards)).keys()];
}

/** Takes a spare card of a status; undefined when none is left, as always on targets other than the sandbox. */
export async function spareCard(t: Context, status: string): Promise<string | undefined> {
  return (await t.shared(spareCards)).get(status)?.pop();
}
