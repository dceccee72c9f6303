/** What a run says of its own conditions, ahead of all that they make inconclusive; the doctor says the same of the same answers. */
import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { examine } from '../../doctor/index.ts';
import { Recorder } from '../../helpers/evidence/recorder.ts';
import { Run } from '../../helpers/run.ts';
import { reach } from '../../helpers/runner/reach.ts';
import { conductAgainst } from '../../proof/selfcheck/prove.ts';
import { type AnswerFilter, startSandbox } from '../../sandbox/index.ts';
import { workspace } from '../helpers/configuration/workspace.ts';
import { environmentOf } from '../tools/sandboxes.ts';
import { serve } from '../tools/servers.ts';

/** What a run and the doctor say of a target. */
async function saidOf(environment: Record<string, string>) {
  const configuration = await workspace().read({ RUN_SETTLE_MS: '0', ...environment });
  const run = new Run(configuration, [], { recorder: new Recorder(undefined) });
  const { blocked } = await reach(run);
  await run.close();
  const { sections } = await examine(configuration);
  return {
    run: [...[...blocked.values()].map(({ reason }) => reason), ...run.facts().notes],
    doctor: sections.flatMap(({ remarks }) => remarks.map(({ text, advice }) => `${text}: ${advice}`)),
  };
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener => {
  return (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
};

const CREDENTIALS = {
  TARGET_TENANT_PATH: 'tenant',
  TARGET_CLIENT_ID: 'client',
  TARGET_CLIENT_SECRET: 'a-client-secret',
};

test.each<[string, RequestListener, RegExp]>([
  [
    'a redirect',
    json(302, {}, { location: 'https://login.example/' }),
    /302.*Location https:\/\/login\.example\/: redirects are not followed/,
  ],
  ['nothing there', json(404, {}), /no token endpoint at the configured path.*404.*check TARGET_AUTH_URL/],
  ['a grant that is refused', json(400, { error: 'invalid_grant' }), /invalid_grant.*TARGET_SCOPE is not set/],
  [
    'wrong credentials',
    json(401, { error: 'invalid_client' }),
    /invalid_client.*: check TARGET_CLIENT_ID and TARGET_CLIENT_SECRET$/,
  ],
])('at the token address: %s', async (_, listener, sentence) => {
  const url = await serve(listener);
  const { run, doctor } = await saidOf({ ...CREDENTIALS, TARGET_AUTH_URL: url, TARGET_BASE_URL: url });
  expect(run).toContainEqual(expect.stringMatching(sentence));
  expect(doctor).toContainEqual(expect.stringMatching(sentence));
});

test('a wrong password reaches the user of the portal once', async () => {
  const logins: unknown[] = [];
  await using sandbox = await startSandbox({
    middleware: [(_, { operation, request }) => void (operation === 'portal.login' && logins.push(request.query))],
  });
  const { TARGET_PORTAL_URL, TARGET_PORTAL_PATH, TARGET_PORTAL_LOGIN_ID } = sandbox.environment;
  const configuration = await workspace().read({
    ...(TARGET_PORTAL_URL && { TARGET_PORTAL_URL }),
    ...(TARGET_PORTAL_PATH && { TARGET_PORTAL_PATH }),
    ...(TARGET_PORTAL_LOGIN_ID && { TARGET_PORTAL_LOGIN_ID }),
    TARGET_PORTAL_PASSWORD: 'not-the-password',
  });
  const run = new Run(configuration, [], { recorder: new Recorder(undefined) });
  expect((await reach(run)).reached).toEqual([]);
  await run.close();
  expect(logins).toHaveLength(1);
});

test('good tokens that are refused everywhere', async () => {
  await using sandbox = await startSandbox({
    middleware: [
      (answer, { operation }) =>
        /^(users|cards)\./.test(operation)
          ? { ...answer, status: 401, body: [{ errorMessage: 'not for this' }] }
          : undefined,
    ],
  });
  const { run, doctor } = await saidOf(sandbox.environment);
  const sentence = /users\.list answers status 401.*the interface itself refuses the token: check TARGET_SCOPE/;
  expect(run).toContainEqual(expect.stringMatching(sentence));
  expect(doctor).toContainEqual(expect.stringMatching(sentence));
});

/** Writes a status otherwise wherever it stands. */
const inLowerCase: AnswerFilter = (answer) => ({
  ...answer,
  body: answer.body && JSON.parse(JSON.stringify(answer.body).replaceAll('"status":"Active"', '"status":"active"')),
});

test('cards whose status is written otherwise', async () => {
  await using sandbox = await startSandbox({ middleware: [inLowerCase] });
  const sentence =
    'Every card of cards.active has the status "active"; the documents name "Active", so no check can use them.';
  const configuration = await workspace().read(environmentOf(sandbox));
  const { sections } = await examine(configuration);
  const advice = sections.flatMap(({ remarks }) => remarks.map((remark) => remark.advice));
  expect(advice).toContain(sentence);
  const { run } = await conductAgainst({ middleware: [inLowerCase] }, ['cards.suspend']);
  expect(run.facts().notes[0]).toBe(sentence);
});

test('a cache in front of the target that keeps refusals', async () => {
  const kept = new Set<string>();
  const keep: AnswerFilter = (answer, { operation, request }) => {
    const address = `${operation} ${JSON.stringify([request.params, request.query])}`;
    if (!/^(users|cards)\.(list|get)/.test(operation)) return undefined;
    if (answer.status === 401) kept.add(address);
    return kept.has(address) ? { ...answer, status: 401, body: [] } : undefined;
  };
  const { run } = await conductAgainst({ middleware: [keep] }, ['cards.getStatus', 'users.list']);
  expect(run.facts().notes).toContainEqual(expect.stringMatching(/a cache in front of the target may keep refusals/));
  expect(run.facts().notes.join()).not.toMatch(/Somebody else/);
});
