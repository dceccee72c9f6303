/** What a run says of its own conditions, ahead of all that they make inconclusive; the doctor says the same of the same answers. */
import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { examine } from '../../doctor/index.ts';
import { Recorder } from '../../helpers/evidence/recorder.ts';
import { Run } from '../../helpers/run.ts';
import { reach } from '../../helpers/runner/reach.ts';
import { conductAgainst } from '../../proof/selfcheck/prove.ts';
import type { AnswerFilter } from '../../sandbox/index.ts';
import { workspace } from '../helpers/configuration/workspace.ts';
import { environmentOf, sandboxFor } from '../tools/sandboxes.ts';
import { serve } from '../tools/servers.ts';
import { always, atToken, diagnose, linesOf } from './targets.ts';

/** What a run reaches of a target, and what it says of it. */
async function reached(environment: Record<string, string | undefined>) {
  const configuration = await workspace().read({ RUN_SETTLE_MS: '0', ...environment });
  const run = new Run(configuration, [], { recorder: new Recorder(undefined) });
  const { reached, blocked } = await reach(run);
  await run.close();
  return { configuration, reached, said: [...[...blocked.values()].map(({ reason }) => reason), ...run.facts().notes] };
}

/** Expects a sentence of a run and of the doctor. */
async function expectSaid(environment: Record<string, string>, sentence: RegExp): Promise<void> {
  const { configuration, said } = await reached(environment);
  expect(said).toContainEqual(expect.stringMatching(sentence));
  const byDoctor = linesOf(await examine(configuration)).map((line) => line.replace(' → ', ': '));
  expect(byDoctor).toContainEqual(expect.stringMatching(sentence));
}

const REDIRECT = always(302, {}, { location: 'https://login.example/' });

test.each<[string, RequestListener, RegExp]>([
  ['a redirect', REDIRECT, /302.*Location https:\/\/login\.example\/: redirects are not followed/],
  ['nothing there', always(404, {}), /no token endpoint at the configured path.*404.*check TARGET_AUTH_URL/],
  ['a refused grant', always(400, { error: 'invalid_grant' }), /invalid_grant.*TARGET_SCOPE is not set/],
  [
    'wrong credentials',
    always(401, { error: 'invalid_client' }),
    /invalid_client.*: check TARGET_CLIENT_ID and TARGET_CLIENT_SECRET$/,
  ],
])('at the token address: %s', async (_, listener, sentence) => {
  await expectSaid(atToken(await serve(listener)), sentence);
});

test('good tokens that are refused everywhere', async () => {
  const refuse: AnswerFilter = (answer, { operation }) =>
    /^(users|cards)\./.test(operation)
      ? { ...answer, status: 401, body: [{ errorMessage: 'not for this' }] }
      : undefined;
  const { environment } = await sandboxFor({ middleware: [refuse] });
  await expectSaid(
    environment,
    /users\.list answers status 401.*the interface itself refuses the token: check TARGET_SCOPE/,
  );
});

test('a wrong password reaches the user of the portal once', async () => {
  const logins: unknown[] = [];
  const note: AnswerFilter = (_, { operation }) => void (operation === 'portal.login' && logins.push(operation));
  const { environment } = await sandboxFor({ middleware: [note] });
  const { TARGET_PORTAL_URL, TARGET_PORTAL_PATH, TARGET_PORTAL_LOGIN_ID } = environment;
  const portal = { TARGET_PORTAL_URL, TARGET_PORTAL_PATH, TARGET_PORTAL_LOGIN_ID };
  expect((await reached({ ...portal, TARGET_PORTAL_PASSWORD: 'not-the-password' })).reached).toEqual([]);
  expect(logins).toHaveLength(1);
});

test('cards whose status is written otherwise', async () => {
  const inLowerCase: AnswerFilter = ({ body, ...answer }) => ({
    ...answer,
    body: body && JSON.parse(JSON.stringify(body).replaceAll('"status":"Active"', '"status":"active"')),
  });
  const sentence =
    'Every card of cards.active has the status "active"; the documents name "Active", so no check can use them.';
  const diagnosis = await diagnose(environmentOf(await sandboxFor({ middleware: [inLowerCase] })));
  expect(diagnosis.sections.flatMap(({ remarks }) => remarks.map(({ advice }) => advice))).toContain(sentence);
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
