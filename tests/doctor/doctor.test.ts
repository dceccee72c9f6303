import { expect, test } from 'vitest';
import { CONSUMED } from '../../helpers/cards/pools.ts';
import { start } from '../sandbox/client.ts';
import { environmentOf, sandboxFor } from '../tools/sandboxes.ts';
import { serve } from '../tools/servers.ts';
import { diagnose, faultsOf, linesOf } from './targets.ts';

/** Credentials and addresses for a server that is none of the documents'. */
const at = (url: string) => ({
  TARGET_AUTH_URL: url,
  TARGET_BASE_URL: url,
  TARGET_PORTAL_URL: url,
  TARGET_TENANT_PATH: 'tenant',
  TARGET_CLIENT_ID: 'client',
  TARGET_CLIENT_SECRET: 'a-secret-of-the-client',
  TARGET_PORTAL_LOGIN_ID: 'somebody@example.com',
  TARGET_PORTAL_PASSWORD: 'a-password-of-somebody',
});

test('a sound target has no fault, every fixture is seen and spoken of, and nothing is changed', async () => {
  const sandbox = await sandboxFor();
  const before = sandbox.state();
  const diagnosis = await diagnose(environmentOf(sandbox));
  expect(faultsOf(diagnosis)).toEqual([]);
  expect(diagnosis.remedy).toEqual({});
  expect(sandbox.state()).toEqual(before);
  const lines = linesOf(diagnosis).join('\n');
  for (const part of [
    'portal.cip.pass is complete; a run with RUN_RISK=irreversible tries it',
    'portal.restrictedLogin logs in',
    'portal.getCustomerList refuses it with 401',
    'cards.foreign[0] cannot be read with these credentials',
    'under all combinations of the flags',
    'cards.active: 8 of 8 in the promised state',
  ])
    expect(lines).toContain(part);
  expect(lines).toMatch(
    new RegExp(`uses up ${CONSUMED.disposable}: enough for ${Math.floor(10 / CONSUMED.disposable)} runs`),
  );
  expect(diagnosis.sections.at(-1)).toEqual({
    title: 'Missing fixtures',
    remarks: [{ kind: 'good', text: 'none' }],
  });
});

test('a person whose data are not complete is named', async () => {
  const sandbox = await sandboxFor();
  const { portal, ...rest } = sandbox.fixtures as { portal: { cip: { pass: Record<string, unknown> } } };
  const { zip: _, ...incomplete } = portal.cip.pass;
  const fixtures = { ...rest, portal: { ...portal, cip: { pass: incomplete } } };
  expect(faultsOf(await diagnose(environmentOf(sandbox, fixtures))).join()).toContain('portal.cip.pass lacks zip');
});

test('a restricted login that is the one of the run, and a program that is not listed, are named', async () => {
  const sandbox = await sandboxFor();
  const env = environmentOf(sandbox);
  const restrictedLogin = { loginID: env.TARGET_PORTAL_LOGIN_ID, password: env.TARGET_PORTAL_PASSWORD };
  const { portal, ...rest } = sandbox.fixtures as { portal: { programs: object } };
  const programs = { ...portal.programs, loadOff: 987_654 };
  const diagnosis = await diagnose(
    environmentOf(sandbox, { ...rest, portal: { ...portal, programs, restrictedLogin } }),
  );
  const lines = linesOf(diagnosis).join('\n');
  expect(lines).toContain('portal.restrictedLogin is the user of TARGET_PORTAL_LOGIN_ID');
  expect(lines.match(/portal\.programs\.\w+ is not among them/g)).toEqual([
    'portal.programs.loadOff is not among them',
  ]);
});

test('a given session is tried with what is claimed, as a run tries it', async () => {
  const sandbox = await sandboxFor({ rules: { offers: (id) => id !== 'portal.getShippingMethods' } });
  const { TARGET_PORTAL_LOGIN_ID: loginID, TARGET_PORTAL_PASSWORD: password, ...env } = environmentOf(sandbox);
  const login = new URLSearchParams({ loginID: loginID!, password: password! });
  const response = await fetch(`${env.TARGET_PORTAL_URL}/_ah/api/login?${login}`, { method: 'POST' });
  const { sessionId } = (await response.json()) as { sessionId: string };
  const diagnosis = await diagnose({
    ...env,
    TARGET_PORTAL_SESSION_ID: sessionId,
    TARGET_OPERATIONS: '-portal.getShippingMethods',
  });
  expect(faultsOf(diagnosis)).toEqual([]);
  expect(linesOf(diagnosis).join()).toContain('TARGET_PORTAL_SESSION_ID is accepted');
});

test('claimed operations that are not there are named, with the line that leaves them out', async () => {
  const absent = ['cards.listRelated', 'portal.getATMLocation'];
  const sandbox = await sandboxFor({ rules: { offers: (id) => !absent.includes(id) } });
  const lines = linesOf(await diagnose(environmentOf(sandbox))).join('\n');
  for (const id of absent) {
    expect(lines).toContain(`${id} is claimed, but answers status 404`);
    expect(lines).toContain(`TARGET_OPERATIONS=-${id}`);
  }
});

test('without fixtures it finds customers, cards, the customer of the login, programs and shipping methods, and says what stays untested', async () => {
  const sandbox = await sandboxFor();
  const diagnosis = await diagnose(environmentOf(sandbox, {}));
  expect(faultsOf(diagnosis)).toEqual([]);
  const { users, cards, portal } = diagnosis.found;
  expect(users?.customerIdentifier).toBeTypeOf('string');
  expect(users?.childIdentifier).toBeTypeOf('string');
  expect(cards?.withRelated).toBeTypeOf('string');
  expect(cards).not.toHaveProperty('active');
  expect(portal?.customerId).toBe((sandbox.fixtures.portal as { customerId: number }).customerId);
  expect(portal?.programs?.instantIssue).toBeTypeOf('number');
  const lines = linesOf(diagnosis).join('\n');
  expect(lines).toMatch(/note: cards\.active is missing: leaves cards\.\w+.* and \d+ more untested/);
  expect(lines).toMatch(/shipping methods: Ground/);
});

test('cards that are not in the state of their pool are counted out', async () => {
  const sandbox = await sandboxFor();
  const { cards } = sandbox.fixtures as { cards: Record<string, string[]> };
  const diagnosis = await diagnose(
    environmentOf(sandbox, { cards: { unused: [cards.active![0]!, cards.unused![0]!], disposable: ['nobody'] } }),
  );
  const lines = linesOf(diagnosis).join('\n');
  expect(lines).toMatch(/cards\.unused: 1 of 2 in the promised state/);
  expect(lines).toMatch(
    /note: cards\.disposable: 0 of 1 in the promised state.*not enough for a whole run → .*add Active cards, .* --pool disposable=ID/,
  );
});

test('disposable cards that are all provisioned to a wallet are named', async () => {
  const { sandbox, fixtures, v3 } = await start({ pools: { disposable: 1 } });
  const about = async () => linesOf(await diagnose(environmentOf(sandbox))).join('\n');
  expect(await about()).not.toContain('already provisioned to a wallet');
  await v3('POST', `/cards/cards/${fixtures.cards.disposable[0]}/wallet-provisioned`);
  expect(await about()).toContain('note: cards.disposable: every remaining card is already provisioned to a wallet');
});

test('a fixture that names nothing is a fault', async () => {
  const sandbox = await sandboxFor();
  const diagnosis = await diagnose(environmentOf(sandbox, { users: { customerIdentifier: 'nobody' } }));
  expect(faultsOf(diagnosis).join()).toMatch(/users\.customerIdentifier does not exist: users\.get answers 40[04]/);
});

test('wrong credentials are told apart from a gateway that refuses', async () => {
  const sandbox = await sandboxFor();
  const wrong = await diagnose({ ...environmentOf(sandbox), TARGET_CLIENT_SECRET: 'not-the-client-secret' });
  expect(faultsOf(wrong)[0]).toMatch(
    /token endpoint itself refuses the client: token\.issue answers status 40[01], .*invalid_client.* → check TARGET_CLIENT_ID and TARGET_CLIENT_SECRET/,
  );
  expect(linesOf(wrong).join()).not.toContain('not-the-client-secret');

  const gateway = await serve((_, response) => {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end('{"statusCode":401,"message":"Access denied due to missing subscription key"}');
  });
  const refused = faultsOf(await diagnose(at(gateway)));
  expect(refused[0]).toMatch(/in front of the token endpoint.*missing subscription key.*TARGET_HEADERS/);
  expect(refused[1]).toMatch(/portal\.login answers status 401.*TARGET_HEADERS/);
  const keyed = await diagnose({ ...at(gateway), TARGET_HEADERS: '{"X-Gateway-Key":"a-key-that-is-wrong"}' });
  expect(faultsOf(keyed)[0]).toMatch(/check the values of X-Gateway-Key in TARGET_HEADERS/);
  expect(linesOf(keyed).join()).not.toContain('a-key-that-is-wrong');
});

test('a wrong portal login is one', async () => {
  const sandbox = await sandboxFor();
  const diagnosis = await diagnose({ ...environmentOf(sandbox), TARGET_PORTAL_PASSWORD: 'not-the-password' });
  expect(faultsOf(diagnosis).join()).toMatch(
    /portal\.login answers status 400.*check TARGET_PORTAL_LOGIN_ID.*TARGET_PORTAL_SESSION_ID/,
  );
});

test.each(['/_ah/api/{endpoint_set}/v1/{operation}', '/{operation}'])(
  'the path template of the portal that fits is found: %s',
  async (operation) => {
    const sandbox = await sandboxFor({ paths: { operation } });
    const { TARGET_PORTAL_PATH: _, ...env } = environmentOf(sandbox);
    expect((await diagnose(env)).remedy).toEqual({ TARGET_PORTAL_PATH: operation });
  },
);

test('the portal address that already holds the path is put right', async () => {
  const sandbox = await sandboxFor();
  const env = environmentOf(sandbox);
  const { remedy } = await diagnose({ ...env, TARGET_PORTAL_URL: `${env.TARGET_PORTAL_URL}/_ah/api` });
  expect(remedy).toEqual({ TARGET_PORTAL_URL: env.TARGET_PORTAL_URL });
});

test('a base address that already ends in /cards or /users is put right', async () => {
  const sandbox = await sandboxFor();
  const env = environmentOf(sandbox);
  for (const ending of ['/cards', '/users/customers']) {
    const { remedy } = await diagnose({ ...env, TARGET_BASE_URL: `${env.TARGET_BASE_URL}${ending}` });
    expect(remedy).toEqual({ TARGET_BASE_URL: env.TARGET_BASE_URL });
  }
});

test('the path of the token endpoint that fits is found', async () => {
  const sandbox = await sandboxFor({ paths: { token: '/{tenant_path}/oauth2/v2.0/token' } });
  const { TARGET_TOKEN_PATH: _, ...env } = environmentOf(sandbox);
  const { remedy } = await diagnose(env);
  expect(remedy).toEqual({ TARGET_TOKEN_PATH: '/{tenant_path}/oauth2/v2.0/token' });
});

test('a difference of the clocks is told', async () => {
  const sandbox = await sandboxFor({ rules: { clockSkewSeconds: -3700 } });
  expect(linesOf(await diagnose(environmentOf(sandbox))).join()).toMatch(
    /clock is 3(699|700|701) s behind this machine's/,
  );
});

test('a web page instead of JSON, and a redirect, are named', async () => {
  const page = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!doctype html><html><head><title>Sign in</title></head></html>');
  });
  for (const line of faultsOf(await diagnose(at(page)))) expect(line).toMatch(/HTML titled "Sign in"/);
  const moved = await serve((_, response) => {
    response.writeHead(302, { location: 'https://login.example/start?session=1' });
    response.end();
  });
  for (const line of faultsOf(await diagnose(at(moved))))
    expect(line).toMatch(/302.*Location https:\/\/login\.example\/start.*not followed/);
});

test('a target that is not available is told to be waited for', async () => {
  const url = await serve((_, response) => response.writeHead(502).end());
  for (const line of faultsOf(await diagnose(at(url)))) expect(line).toMatch(/502.*--wait-for-target SECONDS/);
});

test('an address where nothing listens, and a name that is none, are told apart', async () => {
  const refused = faultsOf(await diagnose(at('http://127.0.0.1:9')));
  expect(refused[0]).toMatch(/the connection was refused.*check host and port in TARGET_AUTH_URL/);
  const unknown = faultsOf(await diagnose(at('http://no-such-host.invalid')));
  expect(unknown[0]).toMatch(/host name was not resolved.*check the host in TARGET_AUTH_URL/);
});
