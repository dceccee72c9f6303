/** Reads in a session of the run's user around something else that happens. */
import { succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import { skip } from '../../../helpers/verdict.ts';
import { withoutParameters } from './valid-requests.ts';

/** Times that it is tried. */
const TIMES = 3;

/**
 * Reads after something has happened. A session may end by itself: where the read fails, the same is done in new sessions, between two reads.
 * @param prepare makes ready what is to happen
 * @throws Skipped without an operation that takes only a session
 */
export async function readAround(
  t: Context,
  prepare: (sessionId: string) => Promise<() => Promise<unknown>>,
): Promise<void> {
  const id = withoutParameters(t) ?? skip('needs an operation without parameters, which is not in scope');
  const { sessions } = t.run.client;
  for (let times = 0; times < TIMES; times++) {
    const { id: sessionId } = times === 0 ? await sessions.current() : await sessions.fresh();
    const read = () => t.call(id, {}, { intent: 'refusable', authorisation: { sessionId } });
    const happen = await prepare(sessionId);
    if (times > 0) {
      await t.eventually(read, succeeded);
      await t.settle();
    }
    const isRead = t.run.answers.some(
      (one) => one.sessionId === sessionId && one.operation.id === id && succeeded(one),
    );
    if (times > 0 || !isRead) await read();
    await happen();
    if (succeeded(await read())) return;
  }
}
