import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { expect, test } from 'vitest';
import { startSandbox } from '../../sandbox/index.ts';
import { promise } from '../../tests/docs/security/promises.ts';
import { canariesIn } from '../../tests/run/secrets/search.ts';
import { runHere } from '../../tests/tools/run-in-process.ts';
import { ALLOWED, AT_LOGIN, BROKEN, LONG_LISTINGS } from './behaviours.ts';
import { endsInOrder } from './ends-in-order.ts';
import { soundRecord } from './outcome.ts';
import { everythingOf, startRun } from './run.ts';
import { type Behaviour, type Call, hostileTarget, listen, pointedAt, reply } from './target.ts';

test.each(Object.entries(AT_LOGIN))('a target that %s ends the run in order', (_, behaviour) =>
  endsInOrder(behaviour, 'login', runHere),
);

test.each(Object.entries(ALLOWED))('a target that %s is not accused', async (_, behaviour) => {
  const target = await hostileTarget(behaviour, 'all');
  const ended = await runHere(target.environment);
  expect(soundRecord(ended).summary.must).toMatchObject({ failed: 0, blocked: 0 });
  expect(ended.code).toBe(0);
});

test('members that stand twice are observed', async () => {
  const target = await hostileTarget(ALLOWED['repeats the first member of every object']!, 'all');
  const ended = await runHere({ ...target.environment, RUN_RISK: 'safe' }, ['--only', 'users.get']);
  const value = expect.stringContaining('continuationToken');
  expect(soundRecord(ended).observations).toContainEqual(
    expect.objectContaining({ operation: 'users.list', subject: 'duplicate members of an object', value }),
  );
});

test('a listing of 50,000 entries fails what says how many, not the run', async () => {
  const target = await hostileTarget(LONG_LISTINGS, 'after login');
  const ended = await startRun(target.environment).ended;
  expect(ended.code).toBe(1);
  const { requirements } = soundRecord(ended);
  for (const id of ['users.list.max-respected', 'cards.list.max-respected'])
    expect(requirements).toContainEqual(expect.objectContaining({ id, verdict: 'failed' }));
  promise('hostile', 'listings of 50,000 entries', { attempts: 1, held: 1 });
});

test('an answer that comes before the request is read', async () => {
  const body = '{"access_token":"early-token-0123","sessionId":"early-session-0123","results":[]}';
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
  const url = await listen(createTcpServer((socket) => socket.write(`${head}\r\n\r\n${body}`)));
  await using sandbox = await startSandbox();
  const ended = await startRun(pointedAt(url, sandbox)).ended;
  expect(ended.code).toBeOneOf([1, 2, 3]);
  soundRecord(ended);
});

test.each([
  ['fails', ({ response }: Call) => reply(response, { status: 500, headers: {}, body: Buffer.from('no') })],
  ['hangs', () => {}],
  ['sends a body without end', BROKEN['sends a body without end']!],
  ['redirects', BROKEN['redirects to itself']!],
])('a test clock that %s blocks what needs it, and nothing else', async (_, behaviour: Behaviour) => {
  const target = await hostileTarget(() => {}, 'all');
  let met = 0;
  const clock = await listen(
    createServer((request, response) => {
      met++;
      const forward = () => Promise.reject(new Error('no sandbox'));
      void behaviour({ request, response, body: Buffer.alloc(0), forward });
    }),
  );
  const environment = pointedAt(target.sandbox.url, target.sandbox);
  const ended = await runHere({ ...environment, TARGET_TEST_CLOCK_URL: `${clock}/clock` });
  expect(ended.code).toBe(3);
  expect(met).toBeGreaterThan(0);
  const record = soundRecord(ended);
  expect(record.summary.must.failed).toBe(0);
  expect(record.summary.must.passed).toBeGreaterThan(250);
  const blocked = record.requirements.filter(({ verdict }) => verdict === 'blocked');
  expect(blocked.length).toBeGreaterThan(0);
  for (const { reason } of blocked) expect(reason).toContain('TARGET_TEST_CLOCK_URL');
});

test.each([
  [429, '86400'],
  [403, '3600'],
  [503, new Date(Date.now() + 86_400_000).toUTCString()],
])('%i with Retry-After: %s after login: given up at once, accused of nothing', async (status, value) => {
  const target = await hostileTarget(
    ({ response }: Call) => reply(response, { status, headers: { 'retry-after': value }, body: Buffer.from('') }),
    'after login',
  );
  const ended = await runHere(target.environment);
  const record = soundRecord(ended);
  expect(record.run.incompleteBecause ?? '').not.toContain('RUN_MAX_MINUTES');
  expect(record.requirements.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
  expect(ended.code).toBe(3);
  expect(ended.stdout).toMatch(new RegExp(`answers ${status} and asks to wait \\d+ (hours|minutes) \\(Retry-After\\)`));
  promise('hostile', `Retry-After ${status}`, { attempts: 1, held: 1 });
});

test('a target that falls silent after the login is given up', async () => {
  const target = await hostileTarget(BROKEN['never answers']!, 'after login');
  const ended = await runHere({ ...target.environment, RUN_TIMEOUT_MS: '1000' });
  expect(ended.code).toBe(3);
  const reason = expect.stringContaining('consecutive requests were not answered in time');
  expect(soundRecord(ended).requirements).toContainEqual(expect.objectContaining({ reason }));
  expect(target.met()).toBeLessThan(40);
});

test('nothing is sent to the host that a redirect names', async () => {
  const strangers: string[] = [];
  const stranger = await listen(
    createServer((request, response) => {
      strangers.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
      response.end('{}');
    }),
  );
  let turn = 0;
  const target = await hostileTarget(({ request, response }) => {
    const status = [301, 302, 303, 307, 308][turn++ % 5]!;
    reply(response, { status, headers: { location: `${stranger}${request.url}` }, body: Buffer.alloc(0) });
  }, 'after login');
  const ended = await runHere(target.environment);
  expect(ended.code).toBeOneOf([1, 3]);
  soundRecord(ended);
  expect(target.met()).toBeGreaterThan(20);
  expect(strangers).toEqual([]);
  const secrets = ['TARGET_PORTAL_PASSWORD', 'TARGET_CLIENT_SECRET'].map((name) => ({
    name,
    value: target.environment[name]!,
  }));
  for (const [, text] of everythingOf(ended)) expect(canariesIn(text, secrets)).toEqual([]);
});
