/** A few hostile targets against a whole run, and what the run says of them; all of them are in the long tests. */

import { createServer } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { startSandbox } from '../../sandbox/index.ts';
import { canariesIn } from '../secrets/search.ts';
import { BROKEN } from './behaviours.ts';
import { reasonsOf, soundRecord } from './outcome.ts';
import { everythingOf, startRun } from './run.ts';
import { hostileTarget, listen, pointedAt, reply } from './target.ts';

// Never reached but by a defect: whole runs take a few seconds each.
vi.setConfig({ testTimeout: 120_000 });

describe('exit code 2 within seconds, saying what to look at', () => {
  test('nothing listens', async () => {
    const sandbox = await startSandbox();
    const environment = pointedAt('http://127.0.0.1:9', sandbox);
    await sandbox.close();
    const ended = await startRun(environment).ended;
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('127.0.0.1:9: the connection was refused');
    expect(soundRecord(ended).summary.must).toMatchObject({ passed: 0, failed: 0, inconclusive: 0 });
  });

  test('the credentials are wrong', async () => {
    const target = await hostileTarget(({ response }) => void response.destroy(), 'login');
    const environment = {
      ...target.sandbox.environment,
      TARGET_CLIENT_SECRET: 'a-secret-that-is-wrong',
      TARGET_PORTAL_PASSWORD: 'a-password-that-is-wrong',
    };
    const ended = await startRun(environment).ended;
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(/refuses the configured credentials: token\.issue answers 40[01]/);
    expect(ended.stderr).toMatch(/refuses the configured login: portal\.login answers 400/);
    expect(ended.stdout + ended.stderr).not.toContain('that-is-wrong');
    soundRecord(ended);
  });
});

test('a target that falls silent after the login is given up', async () => {
  const target = await hostileTarget(BROKEN['never answers']!, 'after login');
  const ended = await startRun(target.environment).ended;
  expect(ended.code).toBe(3);
  expect(reasonsOf(soundRecord(ended))).toContainEqual(
    expect.stringContaining('requests in a row were not answered in time'),
  );
  expect(target.met()).toBeLessThan(40);
});

test('a target that answers HTML with 200 fails by the shape of what it answers', async () => {
  const target = await hostileTarget(BROKEN['sends HTML with 200']!, 'after login');
  const ended = await startRun(target.environment).ended;
  expect(ended.code).toBe(1);
  const failed = soundRecord(ended).requirements.filter(({ verdict }) => verdict === 'failed');
  for (const id of ['users.list.shape', 'cards.get.shape', 'portal.getCustomerHierarchy.shape'])
    expect(failed).toContainEqual(expect.objectContaining({ id, reason: expect.stringContaining("begins with '<'") }));
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
  const ended = await startRun(target.environment).ended;
  expect(ended.code).toBeOneOf([1, 3]);
  soundRecord(ended);
  expect(target.met()).toBeGreaterThan(20);
  expect(strangers).toEqual([]);
  const { TARGET_PORTAL_PASSWORD, TARGET_CLIENT_SECRET } = target.environment;
  const secrets = [TARGET_PORTAL_PASSWORD, TARGET_CLIENT_SECRET].map((value) => ({
    name: 'a secret',
    value: value!,
  }));
  for (const [, text] of everythingOf(ended)) expect(canariesIn(text, secrets)).toEqual([]);
});
