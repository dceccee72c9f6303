import { expect, test } from 'vitest';
import type { Answer } from '../../helpers/answer.ts';
import { Sessions } from '../../helpers/client/credentials.ts';
import { Skipped } from '../../helpers/verdict.ts';

function sessionsOf(given?: string, refusal?: Error) {
  const ended: string[] = [];
  let logins = 0;
  const sessions = new Sessions({
    login: async () =>
      ({ status: 200, json: { ok: true, value: { sessionId: `session-${++logins}` } } }) as unknown as Answer,
    logout: async (sessionId) => {
      ended.push(sessionId);
      if (refusal) throw refusal;
    },
    given,
    settleMs: 0,
  });
  return { sessions, ended };
}

test('a session is ended, whether its logout can be sent or not', async () => {
  const { sessions, ended } = sessionsOf(undefined, new Skipped('portal.logout is not in scope'));
  await sessions.end('a');
  expect(ended).toEqual(['a']);
});

test('a session that was given from outside is never ended', async () => {
  const { sessions, ended } = sessionsOf('given');
  await sessions.end((await sessions.fresh()).id);
  expect(ended).toEqual([]);
});

test.each([0, 1, 2, 3])(
  'a session that is logged out while a call renews it, %i steps later, is replaced',
  async (steps) => {
    const { sessions } = sessionsOf();
    const used = await sessions.current();
    const forgotten = sessions.forget(used.id);
    for (let step = 0; step < steps; step++) await undefined;
    expect((await sessions.renew(used)).id).not.toBe(used.id);
    await forgotten;
  },
);
