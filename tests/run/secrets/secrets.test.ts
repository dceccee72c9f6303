/** No secret and nobody's data stand in anything that a run writes or prints, whatever the target gives back. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { everythingOf, readConformance } from '../../../proof/hostile/run.ts';
import { hostileTarget, reply } from '../../../proof/hostile/target.ts';
import { temporaryDirectory } from '../../tools/directory.ts';
import { runHere } from '../../tools/run-in-process.ts';
import { canariesIn } from './search.ts';

// Never reached but by a defect: whole runs take a few seconds each.
vi.setConfig({ testTimeout: 120_000 });

test('the search finds what it looks for', () => {
  const value = 'canary "value" & more/é';
  const forms = [
    value,
    encodeURIComponent(value),
    JSON.stringify(JSON.stringify({ value })),
    `x${Buffer.from(`user:${value}`).toString('base64')}`,
  ];
  for (const form of forms) expect(canariesIn(`before ${form} after`, [{ name: 'it', value }])).toHaveLength(1);
  expect(canariesIn('1541234567', [{ name: 'ssn', value: '541234567' }])).toEqual([]);
});

test('what a target gives out is learned before anything of the same answer is written', async () => {
  const given = {
    cookie: 'canaryCookieOfLettersOnly',
    refresh_token: 'canaryRefreshTokenOfLettersOnly',
    id_token: 'canaryIdTokenOfLettersOnly',
  };
  const canaries = Object.entries(given).map(([name, value]) => ({ name, value }));
  const target = await hostileTarget(async ({ request, response, forward }) => {
    const answer = await forward();
    const text = answer.body.toString();
    const [, name = '', value = ''] = /"(access_token|sessionId)":"([^"]+)"/.exec(text) ?? [];
    if (value === '') return reply(response, answer);
    canaries.push({ name, value });
    const { refresh_token, id_token, cookie } = given;
    // Each before the place that shows what it is, also as a name, which observations tell.
    const said = JSON.stringify([cookie, refresh_token, id_token, value, request.headers]);
    const twice = [...Object.values(given), value].map((one) => `"${one}":1,"${one}":2`).join();
    const tokens = JSON.stringify({ refresh_token, id_token }).slice(1, -1);
    reply(response, {
      ...answer,
      headers: { ...answer.headers, 'x-said': cookie, 'set-cookie': `sid=${cookie}; Path=/`, 'a-said': value },
      body: Buffer.from(text.replace(/^\{/, `{"said":${said},${twice},${name === 'access_token' ? `${tokens},` : ''}`)),
    });
  }, 'login');
  const ended = await runHere(target.environment, ['--only', 'users.get.shape,portal.getShippingMethods.shape']);
  expect(canaries.length).toBeGreaterThan(4);
  for (const [place, text] of everythingOf(ended)) expect(canariesIn(text, canaries), place).toEqual([]);
  const { observations } = readConformance(ended.reports);
  expect(observations).toContainEqual(expect.objectContaining({ subject: 'duplicate members of an object' }));
});

test('a label of the target that holds a secret is redacted, also in the name of the file that remembers it', async () => {
  const target = await hostileTarget(async ({ response, forward }) => reply(response, await forward()), 'login');
  const secret = 'canary/of~the label';
  const labelled = { TARGET_NAME: `vendor ${secret}`, TARGET_HEADERS: JSON.stringify({ 'X-Key': secret }) };
  const ended = await runHere({ ...target.environment, ...labelled }, ['--only', 'users.get']);
  expect(ended.stdout).toContain('vendor <REDACTED_HEADER>');
  for (const [place, text] of everythingOf(ended))
    expect(canariesIn(`${place}\n${text}`, [{ name: 'the header', value: secret }]), place).toEqual([]);
});

test('faults of configuration name the variable and never its value', async () => {
  const canary = 'canary-7f3a9e-in-configuration';
  const directory = temporaryDirectory();
  const file = (name: string, text: string) => {
    writeFileSync(join(directory, name), text);
    return join(directory, name);
  };
  const environment = {
    TARGET_AUTH_URL: `https://user:${canary}@auth.invalid`,
    TARGET_BASE_URL: `http//${canary}`,
    TARGET_PORTAL_URL: `https://portal.invalid/?password=${canary}`,
    TARGET_CLIENT_SECRET: `${canary}\r\n`,
    TARGET_ACCESS_TOKEN: `${canary}\r\nx: y`,
    TARGET_PORTAL_SESSION_ID: `${canary}\n`,
    TARGET_HEADERS: `{"x-key": "${canary}", }`,
    TARGET_CLIENT_CERT: file('cert.pem', canary),
    TARGET_CLIENT_KEY: file('key.pem', canary),
    TARGET_FIXTURES: file(
      'fixtures.json',
      `{"portal":{"cip":{"pass":{"ssn":"${canary}"}},"restrictedLogin":{"passwort":"${canary}"}}}`,
    ),
    TARGET_TEST_CLOCK_URL: canary,
    RUN_BASELINE: file('baseline', canary),
    RUN_KNOWN_FAILURES: file('known.yaml', `- ${canary}: [`),
  };
  const ended = await runHere(environment);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(canariesIn(ended.stderr, [{ name: 'the value', value: canary }])).toEqual([]);
  for (const name of Object.keys(environment).filter((name) => !/BASELINE|SECRET|TOKEN|SESSION/.test(name)))
    expect(ended.stderr).toMatch(new RegExp(`^${name}: `, 'm'));
  const option = await runHere({}, [`--client-secret=${canary}`]);
  expect(option).toMatchObject({ code: 2, stdout: '' });
  expect(option.stderr).not.toContain(canary);
});
