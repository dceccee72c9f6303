/** What a run leaves of the cards that runs use up. */
import { type Answer, entries, member, succeeded } from '../answer.ts';
import { Context } from '../context.ts';
import type { Run } from '../run.ts';
import { attempt } from '../verdict.ts';

/** Number of cards of a pool that are read at the end; those beyond are taken to be as the fixtures file says. */
const MOST_READ = 10;

/**
 * Notes how the cards are that a whole run has not looked at, so that what is left is not assumed, when all else is done: as listings showed them, else
 * as they are read now.
 */
export async function readCardsLeft(run: Run): Promise<void> {
  if (run.ended || run.configuration.run.only.length > 0) return;
  const context = new Context(run, 'cards left');
  const listed = statusesListed(run);
  const note = (identifier: string, status: unknown, record?: Answer) => {
    if (typeof status === 'string') run.states.set(identifier, { status, statusNumber: undefined, record });
  };
  const unread = run.pools.consumable().map((free) => free.filter((identifier) => !run.states.has(identifier)));
  for (const identifier of unread.flat()) note(identifier, listed.get(identifier));
  const unlisted = unread.flatMap((some) =>
    some.filter((identifier) => !run.states.has(identifier)).slice(0, MOST_READ),
  );
  await Promise.all(
    unlisted.map((identifier) =>
      attempt(async () => {
        const record = await context.call('cards.get', { path: { identifier } }, { intent: 'refusable' });
        note(identifier, member(record, 'status'), record);
      }),
    ),
  );
  await context.end();
}

/** The statuses of cards that listings showed, by identifier, the latest of each. */
const statusesListed = ({ answers }: Run): Map<unknown, unknown> =>
  new Map(
    answers
      .filter((answer) => answer.operation.id === 'cards.list' && succeeded(answer))
      .flatMap(entries)
      .map(({ identifier, status }) => [identifier, status]),
  );
