import { expect, test } from 'vitest';
import { Sessions } from '../../helpers/client/credentials.ts';
import { Skipped } from '../../helpers/verdict.ts';
import { answerTo } from '../tools/answers.ts';

function sessionsOf({ given, refusal }: { given?: string; refusal?: Error } = {}) {
  const ended: string[] = [];
  let logins = 0;
  const login = async () => answerTo('portal.login', { sessionId: `session-${++logins}` });
  const logout = async (sessionId: string) => {
    ended.push(sessionId);
    if (refusal) throw refusal;
  };
  return { sessions: new Sessions({ login, logout, given }), ended };
}

test('a session is ended, whether its logout can be sent or not', async () => {
  const { sessions, ended } = sessionsOf({ refusal: new Skipped('portal.logout is not in scope') });
  await sessions.end('a');
  expect(ended).toEqual(['a']);
});

test('a session that was given from outside is never ended', async () => {
  const { sessions, ended } = sessionsOf({ given: 'given' });
  await sessions.end((await sessions.fresh()).id);
  expect(ended).toEqual([]);
});

test.each([0, 1, 2, 3])('a session that is logged out %i steps after a call renews it is replaced', async (steps) => {
  const { sessions } = sessionsOf();
  const used = await sessions.current();
  const forgotten = sessions.forget(used.id);
  for (let step = 0; step < steps; step++) await undefined;
  expect((await sessions.renew(used)).id).not.toBe(used.id);
  await forgotten;
});
