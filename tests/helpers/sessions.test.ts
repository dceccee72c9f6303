import { expect, test } from 'vitest';
import { Sessions } from '../../helpers/client/credentials.ts';
import { Skipped } from '../../helpers/verdict.ts';

function sessionsOf(given?: string, refusal?: Error) {
  const ended: string[] = [];
  const sessions = new Sessions({
    login: () => Promise.reject(new Error('no login')),
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
