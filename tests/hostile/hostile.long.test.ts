/** Every hostile behaviour against a whole run. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../sandbox/index.ts';
import { ALLOWED, AT_LOGIN, BROKEN, TWISTED } from './behaviours.ts';
import { soundRecord } from './outcome.ts';
import { readConformance, startRun } from './run.ts';
import { type Behaviour, type Call, hostileTarget, listen, pointedAt, type Reach, reply } from './target.ts';

/** Long enough for a run that is not stopped by it, short enough for the targets that ask to be waited for. */
const MAX_MINUTES = '0.4';

async function endsInOrder(behaviour: Behaviour, reach: Reach): Promise<void> {
  const target = await hostileTarget(behaviour, reach);
  const ended = await startRun({ ...target.environment, RUN_MAX_MINUTES: MAX_MINUTES }).ended;
  const record = soundRecord(ended);
  expect(ended.code).toBeOneOf([1, 2, 3]);
  expect(target.met()).toBeGreaterThan(0);
  expect(record.summary.verdict).not.toBe('conformant');
}

describe('every answer', () => {
  test.each(Object.entries(BROKEN))('a target that %s ends the run in order', (_, behaviour) =>
    endsInOrder(behaviour, 'all'),
  );
});

describe('every answer but to token and login calls', () => {
  test.each(Object.entries({ ...BROKEN, ...TWISTED }))('a target that %s ends the run in order', (_, behaviour) =>
    endsInOrder(behaviour, 'after login'),
  );
});

describe('every answer to token and login calls', () => {
  test.each(Object.entries(AT_LOGIN))('a target that %s ends the run in order', (_, behaviour) =>
    endsInOrder(behaviour, 'login'),
  );
});

test.each(Object.entries(ALLOWED))('a target that %s is not accused', async (_, behaviour) => {
  const target = await hostileTarget(behaviour, 'all');
  const ended = await startRun(target.environment).ended;
  expect(soundRecord(ended).summary.must).toMatchObject({ failed: 0, blocked: 0 });
  expect(ended.code).toBe(0);
});

test('members that stand twice are observed', async () => {
  const target = await hostileTarget(ALLOWED['repeats the first member of every object']!, 'all');
  const ended = await startRun({ ...target.environment, RUN_RISK: 'safe' }, ['--only', 'users.get']).ended;
  const subject = 'members that stand twice in their object';
  expect(soundRecord(ended).observations).toContainEqual(
    expect.objectContaining({ operation: 'users.list', subject, value: expect.stringContaining('continuationToken') }),
  );
});

test('a listing of 50,000 entries fails the limit of the listing, not the run', async () => {
  const target = await hostileTarget(TWISTED['sends listings of 50,000 entries']!, 'after login');
  const ended = await startRun({ ...target.environment, RUN_TIMEOUT_MS: '5000' }).ended;
  expect(ended.code).toBe(1);
  const failed = soundRecord(ended)
    .requirements.filter(({ verdict }) => verdict === 'failed')
    .map(({ id }) => id);
  expect(failed).toEqual(expect.arrayContaining(['users.list.shape', 'cards.list.shape']));
});

test('an answer that comes before the request is read', async () => {
  const url = await listen(
    createTcpServer((socket) => {
      const body = '{"access_token":"early-token-0123","sessionId":"early-session-0123","results":[]}';
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
    }),
  );
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
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
      void behaviour({
        request,
        response,
        body: Buffer.alloc(0),
        forward: () => Promise.reject(new Error('no sandbox')),
      });
    }),
  );
  const environment = { ...pointedAt(target.sandbox.url, target.sandbox), TARGET_TEST_CLOCK_URL: `${clock}/clock` };
  const ended = await startRun(environment).ended;
  expect(ended.code).toBe(3);
  expect(met).toBeGreaterThan(0);
  const record = soundRecord(ended);
  expect(record.summary.must.failed).toBe(0);
  expect(record.summary.must.passed).toBeGreaterThan(250);
  const blocked = record.requirements.filter(({ verdict }) => verdict === 'blocked');
  expect(blocked.length).toBeGreaterThan(0);
  for (const { reason } of blocked) expect(reason).toContain('TARGET_TEST_CLOCK_URL');
});

describe('a worker that dies', () => {
  /** Bytes of exchanges after which the worker does what it dies of. */
  const ENOUGH = 60_000;

  /** @param how statements */
  const dying = (how: string) => {
    const directory = mkdtempSync(join(tmpdir(), 'dying-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const file = join(directory, 'dying.mjs');
    const lines = [
      "import { statSync } from 'node:fs';",
      "import { isMainThread } from 'node:worker_threads';",
      "const exchanges = process.env.RUN_REPORT_DIR + '/exchanges.ndjson';",
      `const die = () => { if (statSync(exchanges, { throwIfNoEntry: false })?.size > ${ENOUGH}) { ${how} } };`,
      'if (!isMainThread) setInterval(die, 10);',
    ];
    writeFileSync(file, lines.join('\n'));
    return { NODE_OPTIONS: `--import ${file}`, RUN_RATE: '60' };
  };

  test.each([
    [
      'fills its memory',
      '2',
      'const kept = []; for (;;) kept.push(Array.from({ length: 1e5 }, (_, i) => ({ i })));',
      /broke off: .*memory/,
    ],
    ['loops for ever', '0.1', 'for (;;);', /broke off: its worker did not end in time/],
  ])('because it %s leaves a report of what was learned', async (_, minutes, how, reason) => {
    const target = await hostileTarget(TWISTED['answers every fifth request with 500']!, 'after login');
    const ended = await startRun({ ...target.environment, ...dying(how), RUN_MAX_MINUTES: minutes }).ended;
    expect(ended.code).toBe(1);
    const record = readConformance(ended.reports);
    expect(record.run).toMatchObject({ complete: false, incompleteBecause: expect.stringMatching(reason) });
    expect(record.run.requests).toBeGreaterThan(10);
    expect(
      record.requirements
        .filter(({ verdict }) => verdict === 'failed')
        .map(({ id }) => id)
        .join(),
    ).toContain('.status');
    expect(ended.stdout + ended.stderr).not.toMatch(/\n\s+at /);
  });

  test('does not keep Ctrl-C from ending the run', async () => {
    const target = await hostileTarget(TWISTED['answers every fifth request with 500']!, 'after login');
    const run = startRun({ ...target.environment, ...dying('for (;;);') });
    const exchanges = join(run.reports, 'exchanges.ndjson');
    while ((statSync(exchanges, { throwIfNoEntry: false })?.size ?? 0) <= ENOUGH) await sleep(50);
    run.child.kill('SIGINT');
    const ended = await run.ended;
    expect(ended.code).toBe(130);
    expect(readConformance(ended.reports).run.incompleteBecause).toMatch(/^interrupted/);
  });
});
