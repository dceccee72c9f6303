import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect, test } from 'vitest';
import { operations, startSandbox } from '../../sandbox/index.ts';
import { start } from './client.ts';

const guarded = operations.filter((operation) => operation.interface === 'v3');
const sessionOperations = operations.filter(
  (operation) => operation.interface === 'portal' && operation.id !== 'portal.login',
);

test('every users and cards operation is refused without a token, and changes nothing', async () => {
  const client = await start();
  const before = client.sandbox.state();
  for (const { id, method, path } of guarded) {
    const { status } = await client.v3(
      method,
      path.replace(':identifier', client.fixtures.cards.active[0]),
      undefined,
      {
        authorization: '',
      },
    );
    expect(status, id).toBe(401);
  }
  expect(client.sandbox.state()).toEqual(before);
});

test.each(guarded.filter(({ path }) => path.includes('/cards/:identifier')))(
  '$id refuses a card out of reach and an unknown one alike',
  async ({ method, path }) => {
    const client = await start();
    const before = client.sandbox.state();
    const answers = await Promise.all(
      [client.fixtures.cards.foreign[0], '00000000-0000-4000-a000-000000000000'].map((card) =>
        client.v3(method, path.replace(':identifier', card), method === 'GET' ? undefined : {}),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual([404, 404]);
    expect(answers[0]?.text).toBe(answers[1]?.text);
    expect(client.sandbox.state()).toEqual(before);
  },
);

test('every portal operation but login is refused without a session, with an invented and with an ended one', async () => {
  const client = await start();
  const ended = client.sessionId;
  expect(await client.portal('POST', 'logout')).toMatchObject({ status: 200, text: '' });
  for (const { id, method, path } of sessionOperations) {
    for (const sessionId of [undefined, 'invented', ended]) {
      const { status, body } = await client.portal(method, path, { sessionId });
      const expected = ['logout', 'getCustomerProgramList'].includes(path) ? [400] : [400, 401];
      expect(expected, `${id} with ${sessionId}`).toContain(status);
      expect(body).toBeTypeOf('object');
    }
  }
});

test('sandboxes of one process share nothing', async () => {
  const client = await start();
  const other = await startSandbox();
  const first = `/cards/cards/${client.fixtures.cards.active[0]}`;
  await client.v3('POST', `${first}/suspend`);
  expect(client.sandbox.state()).not.toEqual(other.state());
  client.sandbox.reset();
  expect(client.sandbox.state()).toEqual(other.state());
  await other.close();
});

test('what is no operation is answered 404, and a bad clock request 400', async () => {
  const client = await start();
  expect(await client.v3('DELETE', '/cards/cards')).toMatchObject({ status: 404, body: [{ errorCode: 'route' }] });
  expect(await client.portal('GET', 'nothing')).toMatchObject({ status: 404, body: { errorCode: 'route' } });
  expect(await client.v3('GET', '/cards/cards/%zz')).toMatchObject({ status: 400, body: [{ errorCode: 'request' }] });
  const clock = client.sandbox.environment.TARGET_TEST_CLOCK_URL ?? '';
  const advance = (body: string) => fetch(clock, { method: 'POST', body });
  expect((await advance('{"advanceSeconds": -1}')).status).toBe(400);
  expect((await advance('')).status).toBe(400);
  for (const beyond of ['1e400', '1e300', '1e12'])
    expect((await advance(`{"advanceSeconds": ${beyond}}`)).status, beyond).toBe(400);
  expect((await advance('{"advanceSeconds": 3601}')).status).toBe(200);
  expect((await client.v3('GET', '/cards/cards')).status).toBe(401);
  expect((await fetch(`${client.sandbox.url}/__reset`, { method: 'POST' })).status).toBe(204);
});

test.each([
  ['another origin', { origin: 'https://example.org' }],
  ['a file or a sandboxed frame', { origin: 'null' }],
  ['a name that somebody else lets resolve to this machine', { host: 'rebound.example.org' }],
])('a page of %s neither moves the clock nor resets the state', async (_, headers) => {
  const { sandbox } = await start();
  for (const control of ['__clock', '__reset']) {
    const sent = request(`${sandbox.url}/${control}`, { method: 'POST', headers });
    sent.end('{"advanceSeconds": 60}');
    const [{ statusCode }] = (await once(sent, 'response')) as [IncomingMessage];
    expect(statusCode, control).toBe(403);
  }
});

test('a page of its own origin resets it', async () => {
  const { sandbox } = await start();
  const headers = { origin: sandbox.url };
  expect((await fetch(`${sandbox.url}/__reset`, { method: 'POST', headers })).status).toBe(204);
});
