/** What a cleanup makes of changes.ndjson, written here by hand. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { cleanup } from '../../cli/cleanup.ts';
import { type Change, change } from '../../contracts/record.ts';
import { openChanges } from '../../helpers/changes/left-open.ts';
import { readConfiguration } from '../../helpers/configuration/index.ts';
import { cleanUp } from '../../helpers/runner/cleanup.ts';
import { type Sandbox, startSandbox } from '../../sandbox/index.ts';
import { inProcess } from '../in-process.ts';
import { restorable } from './held.ts';

type Line = Omit<Change, 'at'>;

/** A report directory with these changes, and perhaps a last line that was cut off. */
function directoryOf(lines: readonly Line[], cut = ''): string {
  const directory = mkdtempSync(join(tmpdir(), 'changes-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const text = lines.map((line) => `${JSON.stringify({ ...line, at: new Date(0).toISOString() })}\n`).join('');
  writeFileSync(join(directory, 'changes.ndjson'), text + cut);
  return directory;
}

function suspending(id: string, identifier: string, status: number | null | undefined = 200): Line[] {
  const input = { path: { identifier } };
  const undo = { operation: 'cards.unsuspend', input };
  return sent({ id, event: 'sending', operation: 'cards.suspend', input, undo }, status);
}

function transferring(id: string, from: string, to: string, amount: number, before: number[]): Line[] {
  const input = (source: string, target: string) => ({
    path: { identifier: source },
    json: { targetCardIdentifier: target, amount },
  });
  const undo = { operation: 'cards.transfer', input: input(to, from) };
  const balances = [from, to].flatMap((identifier, index) =>
    before[index] === undefined ? [] : [{ identifier, balance: before[index] }],
  );
  return sent({ id, event: 'sending', operation: 'cards.transfer', input: input(from, to), undo, balances }, 200);
}

/** @param status null for one that was not answered, undefined for a run that was killed before */
function sent(line: Line, status: number | null | undefined): Line[] {
  const { id, operation } = line;
  return status === undefined ? [line] : [line, { id, operation, event: 'answered', exchange: 'x00001', status }];
}

async function sandboxOf() {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const { active } = sandbox.fixtures.cards as { active: [string, string, string] };
  const call = await clientOf(sandbox);
  return { sandbox, active, call };
}

/** Calls an operation of the sandbox with a token of its own. */
async function clientOf({ environment }: Sandbox) {
  const { TARGET_AUTH_URL, TARGET_TENANT_PATH, TARGET_CLIENT_ID, TARGET_CLIENT_SECRET, TARGET_SCOPE } = environment;
  const answer = await fetch(`${TARGET_AUTH_URL}/${TARGET_TENANT_PATH}/B2C_1_signupandsignin/oauth2/v2.0/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: TARGET_CLIENT_ID!,
      client_secret: TARGET_CLIENT_SECRET!,
      scope: TARGET_SCOPE!,
    }),
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  return async (method: string, path: string, body?: unknown): Promise<void> => {
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
    const url = environment.TARGET_BASE_URL + path;
    const { status } = await fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    expect(status).toBeLessThan(300);
  };
}

async function clean({ environment }: Sandbox, directory: string) {
  const configuration = await readConfiguration({
    env: environment,
    options: { 'report-dir': directory },
    cwd: directory,
  });
  return cleanUp(configuration, directory, openChanges(directory).open);
}

/** `npm run cleanup`, where no `.env` is. */
const cleanupCommand = (environment: Record<string, string>, directory: string) =>
  inProcess(cleanup, [directory], environment, tmpdir());

describe('what is open', () => {
  const ids = (lines: Line[], cut?: string) => openChanges(directoryOf(lines, cut)).open.map(({ id }) => id);

  test.each<[string, number | null | undefined, string[]]>([
    ['accepted', 200, ['c1']],
    ['never answered', null, ['c1']],
    ['killed before an answer', undefined, ['c1']],
    ['answered with a failure of the target', 503, ['c1']],
    ['refused', 400, []],
    ['throttled', 429, []],
  ])('a change that was %s', (_, status, open) => {
    expect(ids(suspending('c1', 'card', status))).toEqual(open);
  });

  test('not what was undone or lasts, nor what cannot be undone, nor a line that was cut off', () => {
    const lines: Line[] = [
      ...suspending('c1', 'a'),
      ...suspending('c2', 'b'),
      { id: 'c2', operation: 'cards.suspend', event: 'lasting' },
      { id: 'c1', operation: 'cards.suspend', event: 'undone', exchange: 'x00002' },
      ...sent({ id: 'c3', event: 'sending', operation: 'cards.reissue', input: { path: { identifier: 'a' } } }, 200),
    ];
    expect(ids(lines, '{"id":"c4","event":"sendi')).toEqual([]);
  });

  test('a card that was closed afterwards is not taken back', () => {
    const closing = sent(
      { id: 'c2', event: 'sending', operation: 'cards.close', input: { path: { identifier: 'a' } } },
      200,
    );
    const [first] = openChanges(directoryOf([...suspending('c1', 'a'), ...closing])).open;
    expect(first).toMatchObject({ id: 'c1', lasting: true });
  });
});

test('suspended cards become Active, money goes back to the cent, and the record goes on', async () => {
  const { sandbox, active, call } = await sandboxOf();
  const before = restorable({ sandbox });
  const [from, to, suspended] = active;
  const balances = (sandbox.state() as { cards: { identifier: string; balanceCents: number }[] }).cards;
  const balanceOf = (id: string) => balances.find(({ identifier }) => identifier === id)!.balanceCents / 100;
  const known = [balanceOf(from), balanceOf(to)];
  await call('POST', `/cards/cards/${suspended}/suspend`);
  await call('POST', `/cards/cards/${from}/suspend`);
  await call('POST', `/cards/cards/${from}/unsuspend`);
  await call('POST', `/cards/cards/${from}/transfer`, { targetCardIdentifier: to, amount: 1.15 });
  await call('POST', `/cards/cards/${to}/transfer`, { targetCardIdentifier: from, amount: 0.1 });
  const directory = directoryOf(
    [
      ...suspending('c00001', suspended, null),
      ...suspending('c00002', from),
      ...suspending('c00006', 'no-such-card', null),
      ...transferring('c00003', from, to, 1.15, known),
      ...transferring('c00004', to, from, 0.1, []),
    ],
    '{"id":"c00005","ev',
  );
  const { outcomes, notes } = await clean(sandbox, directory);
  expect(notes).toEqual([]);
  expect([...outcomes].filter(([, { isOpen }]) => isOpen)).toEqual([]);
  expect([...outcomes.keys()]).toEqual(expect.arrayContaining(['c00001', 'c00002', 'c00003', 'c00004', 'c00006']));
  expect(restorable({ sandbox })).toEqual(before);
  const lines = readFileSync(join(directory, 'changes.ndjson'), 'utf8').trim().split('\n');
  const changes = lines.map((line) => change.parse(JSON.parse(line)));
  expect(changes.filter(({ operation, event }) => operation === 'cards.transfer' && event === 'sending')).toHaveLength(
    3,
  );
  expect(openChanges(directory)).toEqual({ open: [], unreadable: [] });
});

test('a transfer that was accepted and moved nothing is not moved back', async () => {
  const { sandbox, active } = await sandboxOf();
  const before = restorable({ sandbox });
  const cards = (sandbox.state() as { cards: { identifier: string; balanceCents: number }[] }).cards;
  const known = active.map((id) => cards.find(({ identifier }) => identifier === id)!.balanceCents / 100);
  const directory = directoryOf(transferring('c00001', active[0], active[1], 5, known));
  expect((await clean(sandbox, directory)).outcomes.get('c00001')).toEqual({ isOpen: false, said: 'undone' });
  expect(restorable({ sandbox })).toEqual(before);
});

test('what cannot be undone is said, stays open, and ends the command with 1', async () => {
  const { sandbox, active, call } = await sandboxOf();
  const unknown = transferring('c00002', active[0], active[1], 5, []);
  await call('POST', `/cards/cards/${active[2]}/close`);
  const directory = directoryOf([...suspending('c00001', active[2]), ...unknown]);
  const ended = await cleanupCommand(sandbox.environment, directory);
  expect(ended).toMatchObject({ code: 1, stderr: '' });
  expect(ended.stdout).toContain(`c00001 cards.suspend ${active[2]}: could not be undone`);
  expect(ended.stdout).toContain(`c00002 cards.transfer ${active[0]}: could not be undone`);
  expect(openChanges(directory).open.map(({ id }) => id)).toEqual(['c00001', 'c00002']);
});

test('a card that is not at this target was not touched: that is said, and its change stays open', async () => {
  const { sandbox, active } = await sandboxOf();
  const hostile = 'x\u001b[2J\n::error file=x::owned';
  const foreign = directoryOf([...suspending('\n::error::c1', 'no-such-card'), ...suspending('c00002', hostile)]);
  const before = restorable({ sandbox });
  const ended = await cleanupCommand(sandbox.environment, foreign);
  expect(ended.code).toBe(1);
  expect(ended.stdout).toContain('no-such-card: card not found; is this the target of that run?');
  expect(ended.stdout).not.toContain('\u001b');
  expect(ended.stdout).not.toMatch(/undone$|^::/m);
  expect(openChanges(foreign).open).toHaveLength(2);
  expect(restorable({ sandbox })).toEqual(before);
  // Beside a card that is there, a request of the run named none.
  const own = directoryOf([...suspending('c00001', 'no-such-card'), ...suspending('c00002', active[0])]);
  const next = await cleanupCommand(sandbox.environment, own);
  expect(next.stdout).toContain('c00001 cards.suspend no-such-card: card not found, nothing to undo');
  expect(next.stdout).toContain(`c00002 cards.suspend ${active[0]}: undone`);
  expect(next.code).toBe(0);
});

describe('ends with 2 and one line', () => {
  const open = () => directoryOf(suspending('c00001', 'card'));

  test('for a directory without changes', async () => {
    const ended = await cleanupCommand({}, '/nowhere');
    expect(ended).toMatchObject({
      code: 2,
      stdout: '',
      stderr: '/nowhere/changes.ndjson: cannot be read (ENOENT); name a report directory\n',
    });
  });

  test('without a target', async () => {
    const ended = await cleanupCommand({}, open());
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^TARGET_BASE_URL: [^\n]+\n$/) });
  });

  test('for a target that is not there, or refuses the credentials', async () => {
    const { sandbox } = await sandboxOf();
    const { TARGET_PORTAL_URL: _, ...environment } = sandbox.environment;
    const wrong = await cleanupCommand({ ...environment, TARGET_CLIENT_SECRET: 'quite-another-secret' }, open());
    expect(wrong).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^[^\n]*token\.issue[^\n]*\n$/) });
    expect(wrong.stderr).not.toContain('quite-another-secret');
    const gone = { ...environment, TARGET_AUTH_URL: 'http://127.0.0.1:9', TARGET_BASE_URL: 'http://127.0.0.1:9' };
    const ended = await cleanupCommand(gone, open());
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringMatching(/^[^\n]*127\.0\.0\.1:9[^\n]*\n$/) });
  });
});
