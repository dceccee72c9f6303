import { expect, test } from 'vitest';
import { startSandbox } from '../../sandbox/index.ts';
import { start } from './client.ts';

test('a token tells its lifetime in seconds, consistently with Date', async () => {
  const client = await start({ clock: () => Date.UTC(2030, 0, 1) });
  const { status, headers, body } = await client.askToken();
  const issued = Date.parse(headers.get('date') ?? '') / 1000;
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
  expect(body.expires_on - issued).toBe(3600);
  expect(body.not_before).toBeLessThan(body.expires_on);
});

test.each([
  [{ client_secret: 'wrong' }, 401, 'invalid_client'],
  [{ client_id: 'unknown' }, 401, 'invalid_client'],
  [{ grant_type: 'password' }, 400, 'unsupported_grant_type'],
  [{ grant_type: '' }, 400, 'invalid_request'],
  [{ scope: 'https://elsewhere.invalid/.default' }, 400, 'invalid_scope'],
])('a token request with %j is refused as RFC 6749 has it', async (form, status, error) => {
  const client = await start();
  const answer = await client.askToken(form as Record<string, string>);
  expect(answer.status).toBe(status);
  expect(answer.body.error).toBe(error);
});

test('a token works for 60 minutes of the test clock, beside later ones', async () => {
  const client = await start();
  const first = client.token;
  const use = (token: string) => client.v3('GET', '/users/customers', undefined, { authorization: `Bearer ${token}` });
  client.sandbox.advance(59 * 60);
  const second = (await client.askToken()).body.access_token;
  expect((await use(first)).status).toBe(200);
  client.sandbox.advance(2 * 60);
  expect((await use(first)).status).toBe(401);
  expect((await use(second)).status).toBe(200);
});

test("a sandbox goes by its caller's clock, and is gone at the end of the block that it was made in", async () => {
  let now = Date.UTC(2030, 0, 1);
  const customers = async (url: string, authorization: string) =>
    (await fetch(`${url}/users/customers`, { headers: { authorization } })).status;
  let base: string;
  {
    await using sandbox = await startSandbox({ clock: () => now });
    const { TARGET_AUTH_URL, TARGET_CLIENT_ID, TARGET_CLIENT_SECRET, TARGET_TENANT_PATH } = sandbox.environment;
    base = sandbox.environment.TARGET_BASE_URL!;
    const address = `${TARGET_AUTH_URL}/${TARGET_TENANT_PATH}/B2C_1_signupandsignin/oauth2/v2.0/token`;
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: TARGET_CLIENT_ID!,
      client_secret: TARGET_CLIENT_SECRET!,
    });
    const response = await fetch(address, { method: 'POST', body });
    expect(response.headers.get('date')).toBe('Tue, 01 Jan 2030 00:00:00 GMT');
    const { access_token } = (await response.json()) as { access_token: string };
    expect(await customers(base, `Bearer ${access_token}`)).toBe(200);
    now += 61 * 60_000;
    expect(await customers(base, `Bearer ${access_token}`)).toBe(401);
  }
  await expect(customers(base, '')).rejects.toThrow();
});

test.each(['opaque', 'jwt'] as const)(
  'a missing, altered, invented or wrongly sent %s token is refused',
  async (format) => {
    const client = await start({ rules: { tokenFormat: format } });
    const { token } = client;
    const middle = Math.floor(token.length / 2);
    const altered = `${token.slice(0, middle)}${token[middle] === 'A' ? 'B' : 'A'}${token.slice(middle + 1)}`;
    for (const authorization of ['', `Basic ${token}`, `Bearer ${altered}`, 'Bearer invented', 'Bearer', token]) {
      const answer = await client.v3('GET', '/cards/cards', undefined, { authorization });
      expect(answer.status, authorization).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /);
      expect(answer.body[0].errorCode).toBe('token');
    }
    expect((await client.v3('GET', '/cards/cards', undefined, { authorization: `bearer ${token}` })).status).toBe(200);
  },
);
