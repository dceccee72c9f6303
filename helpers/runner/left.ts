/** Reads what a run leaves of the cards that runs use up. */
import { member } from '../answer.ts';
import { Context } from '../context.ts';
import type { Run } from '../run.ts';
import { attempt } from '../verdict.ts';

/** Number of cards of a pool that are read at the end; those beyond are taken to be as the fixtures file says. */
const MOST_READ = 10;

/** Reads the cards that a whole run has not looked at, so that what is left is not assumed, when all else is done. */
export async function readCardsLeft(run: Run): Promise<void> {
  if (run.ended || run.configuration.run.only.length > 0) return;
  const context = new Context(run, 'cards left');
  const unread = run.pools
    .consumable()
    .flatMap((free) => free.filter((identifier) => !run.states.has(identifier)).slice(0, MOST_READ));
  await Promise.all(
    unread.map((identifier) =>
      attempt(async () => {
        const record = await context.call('cards.get', { path: { identifier } }, { intent: 'refusable' });
        const status = member(record, 'status');
        if (typeof status === 'string') run.states.set(identifier, { status, statusNumber: undefined, record });
      }),
    ),
  );
  await context.end();
}
