/** No secret and nobody's data stand in anything that a run writes or prints, whatever the target gives back. */
import { expect, test, vi } from 'vitest';
import { everythingOf, readConformance } from '../../../proof/hostile/run.ts';
import { hostileTarget, reply } from '../../../proof/hostile/target.ts';
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
  const tokens = { refresh_token: 'canaryRefreshTokenOfLettersOnly', id_token: 'canaryIdTokenOfLettersOnly' };
  const cookie = 'canaryCookieOfLettersOnly';
  const canaries = Object.entries({ ...tokens, cookie }).map(([name, value]) => ({ name, value }));
  const target = await hostileTarget(async ({ request, response, forward }) => {
    const answer = await forward();
    const text = answer.body.toString();
    const [, name = '', value = ''] = /"(access_token|sessionId)":"([^"]+)"/.exec(text) ?? [];
    if (value === '') return reply(response, answer);
    canaries.push({ name, value });
    // Each before the place that shows what it is, also as a name, which observations tell.
    const all = [...Object.values(tokens), cookie, value];
    const said = JSON.stringify([...all, request.headers]);
    const twice = all.map((one) => `"${one}":1,"${one}":2,`).join('');
    const others = name === 'access_token' ? `${JSON.stringify(tokens).slice(1, -1)},` : '';
    const headers = { 'x-said': cookie, 'set-cookie': `sid=${cookie}; Path=/`, 'a-said': value };
    const body = Buffer.from(text.replace(/^\{/, `{"said":${said},${twice}${others}`));
    reply(response, { ...answer, headers: { ...answer.headers, ...headers }, body });
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
