import { expect, test } from 'vitest';
import { isObject } from '../../helpers/answer.ts';
import { CONSUMED } from '../../helpers/cards/pools.ts';
import type { SandboxOptions } from '../../sandbox/index.ts';
import { signedIn, start } from '../sandbox/client.ts';
import { environmentOf, sandboxFor } from '../tools/sandboxes.ts';
import { serve } from '../tools/servers.ts';
import { always, at, diagnose, faultsOf, linesOf } from './targets.ts';

/** Something with members changed, at any depth. */
function changed(before: unknown, change: unknown): unknown {
  if (!isObject(before) || !isObject(change)) return change;
  const members = Object.entries(change).map(([name, value]) => [name, changed(before[name], value)]);
  return { ...before, ...Object.fromEntries(members) };
}

/** What the doctor says of a sandbox when its environment and its fixtures are changed. */
async function said({ env = {}, fixtures = {}, ...options }: SandboxOptions & { env?: object; fixtures?: object }) {
  const sandbox = await sandboxFor(options);
  const diagnosis = await diagnose({ ...environmentOf(sandbox, changed(sandbox.fixtures, fixtures)), ...env });
  return { sandbox, diagnosis, faults: faultsOf(diagnosis), lines: linesOf(diagnosis).join('\n') };
}

test('a sound target has no fault, every fixture is seen and spoken of, and nothing is changed', async () => {
  const { sandbox, diagnosis, faults, lines } = await said({});
  expect(faults).toEqual([]);
  expect(diagnosis.remedy).toEqual({});
  await using untouched = await sandboxFor();
  expect(sandbox.state()).toEqual(untouched.state());
  for (const part of [
    'portal.cip.pass is complete; a run with RUN_RISK=irreversible tries it',
    'portal.restrictedLogin logs in',
    'portal.getCustomerList refuses it with 401',
    'cards.foreign[0] cannot be read with these credentials',
    'under all combinations of the flags',
    'cards.active: 8 of 8 in the promised state',
    `uses up ${CONSUMED.disposable}: enough for ${Math.floor(10 / CONSUMED.disposable)} runs`,
  ])
    expect(lines).toContain(part);
  const none = { kind: 'good', text: 'none' };
  expect(diagnosis.sections.at(-1)).toEqual({ title: 'Missing fixtures', remarks: [none] });
});

const ofRun = { restrictedLogin: { loginID: 'sandbox.partner@partner.invalid' } };

test.each<[RegExp, Parameters<typeof said>[0]]>([
  [/^fault: .*portal\.cip\.pass lacks zip/m, { fixtures: { portal: { cip: { pass: { zip: undefined } } } } }],
  [/portal\.restrictedLogin is the user of TARGET_PORTAL_LOGIN_ID/, { fixtures: { portal: ofRun } }],
  [
    /note: cards\.disposable: 0 of 1 in the promised state.*not enough for a whole run → .*add Active cards, .* --pool disposable=ID/,
    { fixtures: { cards: { disposable: ['no'] } } },
  ],
  [
    /^fault: .*users\.customerIdentifier does not exist: users\.get answers 40[04]/m,
    { fixtures: { users: { customerIdentifier: 'no' } } },
  ],
  [
    /^fault: .*token endpoint itself refuses the client: token\.issue answers status 40[01], .*invalid_client.* → check TARGET_CLIENT_ID and TARGET_CLIENT_SECRET/m,
    { env: { TARGET_CLIENT_SECRET: 'not-the-secret' } },
  ],
  [
    /^fault: .*portal\.login answers status 400.*check TARGET_PORTAL_LOGIN_ID.*TARGET_PORTAL_SESSION_ID/m,
    { env: { TARGET_PORTAL_PASSWORD: 'not-the-password' } },
  ],
  [/clock is 3(699|700|701) s behind this machine's/, { rules: { clockSkewSeconds: -3700 } }],
])('it says %s, and no password', async (sentence, given) => {
  const { lines } = await said(given);
  expect(lines).toMatch(sentence);
  expect(lines).not.toMatch(/not-the-(secret|password)/);
});

test('a program that is not listed is named alone, and a card that is not in the state of its pool is counted out', async () => {
  const { active, unused } = (await sandboxFor()).fixtures.cards as Record<'active' | 'unused', string[]>;
  const cards = { unused: [active[0], unused[0]] };
  const { lines } = await said({ fixtures: { portal: { programs: { loadOff: 987_654 } }, cards } });
  const named = lines.match(/portal\.programs\.\w+ is not among them/g);
  expect(named).toEqual(['portal.programs.loadOff is not among them']);
  expect(lines).toMatch(/cards\.unused: 1 of 2 in the promised state/);
});

test('cards that are not in the state of their pool, cards that stand twice, and blanks are named', async () => {
  const { active, unused } = (await sandboxFor()).fixtures.cards as Record<'active' | 'unused', string[]>;
  const cards = { unused: [active[0], unused[0], unused[0], 'nowhere'] };
  const { lines } = await said({ fixtures: { cards, users: { nameFragment: 'an ' } } });
  expect(lines).toContain(
    `cards.unused: 2 of 4 in the promised state, and not ${active[0]} (Active), nowhere (not found);`,
  );
  expect(lines).toContain(`note: ${active[0]} stands 2 times in cards.active and cards.unused`);
  expect(lines).toContain(`note: ${unused[0]} stands 2 times in cards.unused`);
  expect(lines).toContain('note: users.nameFragment begins or ends with a blank');
});

test('claimed operations that are not there are named, with the line that leaves them out', async () => {
  const absent = ['cards.listRelated', 'portal.getATMLocation'];
  const { lines } = await said({ rules: { offers: (id) => !absent.includes(id) } });
  for (const id of absent)
    expect(lines).toMatch(new RegExp(`${id} is claimed, but answers status 404.*TARGET_OPERATIONS=-${id}`));
});

test('a given session is tried with what is claimed, as a run tries it', async () => {
  const sandbox = await sandboxFor({ rules: { offers: (id) => id !== 'portal.getShippingMethods' } });
  const { TARGET_PORTAL_LOGIN_ID: _, TARGET_PORTAL_PASSWORD: __, ...env } = environmentOf(sandbox);
  const { sessionId } = await signedIn(sandbox);
  const TARGET_OPERATIONS = '-portal.getShippingMethods';
  const diagnosis = await diagnose({ ...env, TARGET_PORTAL_SESSION_ID: sessionId, TARGET_OPERATIONS });
  expect(faultsOf(diagnosis)).toEqual([]);
  expect(linesOf(diagnosis).join()).toContain('TARGET_PORTAL_SESSION_ID is accepted');
});

test('without fixtures it finds customers, cards, the customer of the login, programs and shipping methods, and says what stays untested', async () => {
  const sandbox = await sandboxFor();
  const diagnosis = await diagnose(environmentOf(sandbox, {}));
  expect(faultsOf(diagnosis)).toEqual([]);
  expect(diagnosis.found).toMatchObject({
    users: { customerIdentifier: expect.any(String), childIdentifier: expect.any(String) },
    cards: { withRelated: expect.any(String) },
    portal: { customerId: 5001, programs: { instantIssue: expect.any(Number) } },
  });
  expect(diagnosis.found.cards).not.toHaveProperty('active');
  const lines = linesOf(diagnosis).join('\n');
  expect(lines).toMatch(/note: cards\.active is missing: leaves cards\.\w+.* and \d+ more untested/);
  expect(lines).toMatch(/shipping methods: Ground/);
});

test('disposable cards that are all provisioned to a wallet are named', async () => {
  const { sandbox, fixtures, v3 } = await start({ pools: { disposable: 1 } });
  const about = async () => linesOf(await diagnose(environmentOf(sandbox))).join('\n');
  expect(await about()).not.toContain('already provisioned to a wallet');
  await v3('POST', `/cards/cards/${fixtures.cards.disposable[0]}/wallet-provisioned`);
  expect(await about()).toContain('note: cards.disposable: every remaining card is already provisioned to a wallet');
});

test('a gateway that refuses is told from wrong credentials', async () => {
  const gateway = at(await serve(always(401, { message: 'Access denied due to missing subscription key' })));
  const refused = faultsOf(await diagnose(gateway));
  expect(refused[0]).toMatch(/in front of the token endpoint.*missing subscription key.*TARGET_HEADERS/);
  expect(refused[1]).toMatch(/portal\.login answers status 401.*TARGET_HEADERS/);
  const keyed = await diagnose({ ...gateway, TARGET_HEADERS: '{"X-Gateway-Key":"a-key-that-is-wrong"}' });
  expect(faultsOf(keyed)[0]).toMatch(/check the values of X-Gateway-Key in TARGET_HEADERS/);
  expect(linesOf(keyed).join()).not.toContain('a-key-that-is-wrong');
});

test.each<[string, string, string | undefined, SandboxOptions['paths']?]>([
  [
    'a portal path that is not given',
    'TARGET_PORTAL_PATH',
    undefined,
    { operation: '/_ah/api/{endpoint_set}/v1/{operation}' },
  ],
  ['a short portal path that is not given', 'TARGET_PORTAL_PATH', undefined, { operation: '/{operation}' }],
  ['a token path that is not given', 'TARGET_TOKEN_PATH', undefined, { token: '/{tenant_path}/oauth2/v2.0/token' }],
  ['a portal address that holds the path', 'TARGET_PORTAL_URL', '/_ah/api'],
  ['a base address that ends in /cards', 'TARGET_BASE_URL', '/cards'],
  ['a base address that ends in /users/customers', 'TARGET_BASE_URL', '/users/customers'],
])('%s is put right', async (_, variable, ending, paths) => {
  const env = environmentOf(await sandboxFor(paths && { paths }));
  const right = env[variable]!;
  const { remedy } = await diagnose({ ...env, [variable]: ending && right + ending });
  expect(remedy).toEqual({ [variable]: paths ? Object.values(paths)[0] : right });
});

const PAGE = '<!doctype html><html><head><title>Sign in</title></head></html>';

test.each([
  ['a web page', always(200, PAGE, { 'content-type': 'text/html' }), /HTML titled "Sign in"/],
  [
    'a redirect',
    always(302, '', { location: 'https://login.example/start?session=1' }),
    /302.*Location https:\/\/login\.example\/start.*not followed/,
  ],
  ['a target that is not available', always(502, ''), /502.*--wait-for-target SECONDS/],
])('%s is named in every fault', async (_, listener, sentence) => {
  const faults = faultsOf(await diagnose(at(await serve(listener))));
  expect(faults.length).toBeGreaterThan(0);
  for (const line of faults) expect(line).toMatch(sentence);
});

test.each([
  ['http://127.0.0.1:9', /the connection was refused.*check host and port in TARGET_AUTH_URL/],
  ['http://no-such-host.invalid', /host name was not resolved.*check the host in TARGET_AUTH_URL/],
])('what is wrong with the address %s is told', async (url, sentence) => {
  expect(faultsOf(await diagnose(at(url)))[0]).toMatch(sentence);
});
