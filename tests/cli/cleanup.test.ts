/** What a cleanup makes of changes.ndjson, written here by hand. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cleanup } from '../../cli/cleanup.ts';
import { type Change, change } from '../../contracts/record.ts';
import { leftOpenInWords, openChanges } from '../../helpers/changes/left-open.ts';
import { readConfiguration } from '../../helpers/configuration/index.ts';
import { cleanUp } from '../../helpers/runner/cleanup.ts';
import { type Call, hostileTarget, reply } from '../../proof/hostile/target.ts';
import { dropRecord } from '../../run/drop-record.ts';
import type { Refusal } from '../../sandbox/exchange.ts';
import type { Sandbox, SandboxOptions } from '../../sandbox/index.ts';
import { restorable } from '../run/interruption/held.ts';
import { type Client, signedIn, start } from '../sandbox/client.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { inProcess } from '../tools/in-process.ts';

type Line = Omit<Change, 'at'>;

/** A report directory with these changes, and perhaps a last line that was cut off. */
function directoryOf(lines: readonly Line[], cut = ''): string {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'changes.ndjson'), linesOf(lines) + cut);
  return directory;
}

const linesOf = (lines: readonly Line[]) =>
  lines.map((line) => `${JSON.stringify({ ...line, at: new Date(0).toISOString() })}\n`).join('');

function suspending(id: string, identifier: string, status: number | null | undefined = 200): Line[] {
  const input = { path: { identifier } };
  const undo = { operation: 'cards.unsuspend', input };
  return sent({ id, event: 'sending', operation: 'cards.suspend', input, undo }, status);
}

function transferring(
  id: string,
  from: string,
  to: string,
  amount: number,
  before: number[],
  status: number | null = 200,
): Line[] {
  const input = (source: string, target: string) => ({
    path: { identifier: source },
    json: { targetCardIdentifier: target, amount },
  });
  const undo = { operation: 'cards.transfer', input: input(to, from) };
  const balances = [from, to].flatMap((identifier, index) =>
    before[index] === undefined ? [] : [{ identifier, balance: before[index] }],
  );
  return sent({ id, event: 'sending', operation: 'cards.transfer', input: input(from, to), undo, balances }, status);
}

/** @param status null for one that was not answered, undefined for a run that was killed before */
function sent(line: Line, status: number | null | undefined): Line[] {
  const { id, operation } = line;
  return status === undefined ? [line] : [line, { id, operation, event: 'answered', exchange: 'x00001', status }];
}

/** Calls an operation of the sandbox, which has to accept it. */
const accepted =
  ({ v3 }: Client) =>
  async (method: string, path: string, body?: unknown): Promise<void> =>
    void expect((await v3(method, path, body)).status).toBeLessThan(300);

async function sandboxOf(options: SandboxOptions = {}) {
  const client = await start(options);
  return { ...client, active: client.fixtures.cards.active as [string, string, string], call: accepted(client) };
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

  test('is said in words, by operation and by whether it was accepted; what a run changes for good is not', () => {
    const inWords = (lines: Line[], cut?: string) => leftOpenInWords(directoryOf(lines, cut));
    const reissue: Line = {
      id: 'c4',
      event: 'sending',
      operation: 'cards.reissue',
      input: { path: { identifier: 'a' } },
    };
    expect(inWords(sent(reissue, 200))).toBeUndefined();
    expect(
      inWords([...suspending('c1', 'a'), ...suspending('c2', 'b'), ...suspending('c3', 'c', null)], '\0\0'),
    ).toMatch(/^2 × cards\.suspend; 1 × cards\.suspend of unknown outcome; line \d+: /);
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

/** A target that answers requests about some cards as it likes. */
async function behind(behaviour: (url: string, call: Call) => boolean) {
  const target = await hostileTarget(async (call) => {
    if (!behaviour(call.request.url ?? '', call)) reply(call.response, await call.forward());
  }, 'after login');
  const { active } = target.sandbox.fixtures.cards as { active: [string, string, string] };
  return { ...target, active, call: accepted(await signedIn(target.sandbox)) };
}

describe('line by line', () => {
  const NEWER = '{"id":"c00003","at":"2030-01-01T00:00:00.000Z","event":"postponed","operation":"cards.suspend"}';

  test.each([
    ['NUL bytes', '\0\0\0\0'],
    ['a mark of a conflict', '<<<<<<< HEAD'],
    ['an event of a newer version', NEWER],
    ['an array', '[]'],
    ['a long text', 'x'.repeat(1_000_000)],
  ])('%s: the other changes are undone, the line is listed, and kept for somebody to look at', async (_, line) => {
    const { sandbox, active, call } = await sandboxOf();
    const before = restorable({ sandbox });
    for (const card of active.slice(0, 2)) await call('POST', `/cards/cards/${card}/suspend`);
    const directory = directoryOf(suspending('c00001', active[0]), `${line}\n`);
    appendFileSync(join(directory, 'changes.ndjson'), linesOf(suspending('c00002', active[1])));
    const ended = await cleanupCommand(sandbox.environment, directory);
    expect(ended).toMatchObject({ code: 1, stderr: '' });
    expect(ended.stdout.split('\n')).toEqual([
      `${directory}: changes.ndjson line 3: not a change that this version of the suite writes; see what it was, then remove it`,
      `c00001 cards.suspend ${active[0]}: undone`,
      `c00002 cards.suspend ${active[1]}: undone`,
      '',
    ]);
    expect(restorable({ sandbox })).toEqual(before);
    const again = await cleanupCommand({}, directory);
    expect(again).toMatchObject({ code: 1, stdout: expect.stringContaining('line 3: not a change') });
    expect(dropRecord(directory)).toEqual([expect.stringContaining(join(directory, 'unfinished-1'))]);
    expect(readFileSync(join(directory, 'unfinished-1/changes.ndjson'), 'utf8')).toContain(`${line}\n`);
  });

  test('empty lines say nothing, and a last one needs no line break', async () => {
    const directory = directoryOf([...suspending('c00001', 'a'), ...suspending('c00002', 'b')], ' \r\n\n');
    appendFileSync(join(directory, 'changes.ndjson'), linesOf(suspending('c00003', 'c', undefined)).trimEnd());
    const { open, unreadable } = openChanges(directory);
    expect(open.map(({ id }) => id)).toEqual(['c00001', 'c00002', 'c00003']);
    expect(unreadable).toEqual([]);
    expect(openChanges(directoryOf([], '\0\0')).unreadable).toHaveLength(1);
  });

  test.each([
    ['a pipe', (file: string) => void spawnSync('mkfifo', [file])],
    ['a link', (file: string) => symlinkSync('elsewhere', file)],
    ['a directory', (file: string) => mkdirSync(file)],
  ])('%s in its place is set aside, too', (_, make) => {
    const directory = directoryOf([]);
    const file = join(directory, 'changes.ndjson');
    rmSync(file);
    make(file);
    expect(dropRecord(directory)).toEqual([expect.stringContaining(join(directory, 'unfinished-1'))]);
    expect(readdirSync(directory)).toEqual(['unfinished-1']);
  });

  test.each([
    ['a pipe', (file: string) => void spawnSync('mkfifo', [file]), 'is not a file'],
    ['a link', (file: string) => symlinkSync('../victim', file), 'is a link; remove it'],
  ])('%s in place of the exchanges ends it with 2, and nothing is read from it', async (_, make, why) => {
    const { sandbox, active } = await sandboxOf();
    const directory = directoryOf(suspending('c00001', active[0]));
    const file = join(directory, 'exchanges.ndjson');
    make(file);
    const ended = await cleanupCommand(sandbox.environment, directory);
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: `${file}: ${why}\n` });
  });
});

describe('card by card', () => {
  test.each<[string, (call: Call) => void]>([
    ['answers 503', ({ response }) => void response.writeHead(503).end()],
    ['answers 429', ({ response }) => void response.writeHead(429, { 'retry-after': '0' }).end()],
    ['closes the connection', ({ response }) => void response.destroy()],
  ])('one that %s keeps back no other', async (_, behave) => {
    const target = await behind((url, call) => {
      const isMeant = url.includes(target.active[0]);
      if (isMeant) behave(call);
      return isMeant;
    });
    const { active, call, sandbox } = target;
    for (const card of active) await call('POST', `/cards/cards/${card}/suspend`);
    const directory = directoryOf([
      ...suspending('c00001', active[0]),
      ...suspending('c00002', active[1]),
      ...suspending('c00003', active[2], null),
    ]);
    const ended = await cleanupCommand(target.environment, directory);
    expect(ended).toMatchObject({ code: 1, stderr: '' });
    expect(ended.stdout).toMatch(new RegExp(`^c00001 cards.suspend ${active[0]}: could not be undone: .+`));
    for (const [index, id] of ['c00002', 'c00003'].entries())
      expect(ended.stdout).toContain(`${id} cards.suspend ${active[index + 1]}: undone`);
    expect(openChanges(directory).open.map(({ id }) => id)).toEqual(['c00001']);
    const { cards } = restorable({ sandbox }) as { cards: { identifier: string; state: string }[] };
    expect(cards.find(({ identifier }) => identifier === active[1])).toMatchObject({ state: 'active' });
  });

  test.each(['..', '.', '', '../../users/customers', '\ud800'])(
    'an identifier like "%s" keeps back no other',
    async (odd) => {
      const { sandbox, active, call } = await sandboxOf();
      await call('POST', `/cards/cards/${active[0]}/suspend`);
      const directory = directoryOf([...suspending('c00001', odd), ...suspending('c00002', active[0])]);
      const ended = await cleanupCommand(sandbox.environment, directory);
      expect(ended.stdout).toContain(`c00002 cards.suspend ${active[0]}: undone`);
    },
  );
});

describe('what the run did, and no more', () => {
  const balancesOf = ({ sandbox }: { sandbox: Sandbox }) => {
    const { cards } = sandbox.state() as { cards: { identifier: string; balanceCents: number }[] };
    return new Map(cards.map(({ identifier, balanceCents }) => [identifier, balanceCents]));
  };

  test.each([
    ['accepted', 200],
    ['never answered', null],
  ])('of what others moved meanwhile nothing goes back: a transfer %s', async (_, status) => {
    const { sandbox, active, call } = await sandboxOf();
    const [from, to] = active;
    const before = balancesOf({ sandbox });
    const known = [from, to].map((card) => before.get(card)! / 100);
    await call('POST', `/cards/cards/${from}/transfer`, { targetCardIdentifier: to, amount: 1 });
    await call('POST', `/cards/cards/${from}/transfer`, { targetCardIdentifier: to, amount: 5 });
    const directory = directoryOf(transferring('c00001', from, to, 1, known, status));
    const ended = await cleanupCommand(sandbox.environment, directory);
    expect(ended.stdout).toContain(`c00001 cards.transfer ${from}: undone`);
    expect(ended.code).toBe(0);
    const after = balancesOf({ sandbox });
    expect([from, to].map((card) => after.get(card)! - before.get(card)!)).toEqual([-500, 500]);
  });

  test('a transfer that was moved back before it was recorded is not moved back again', async () => {
    const { sandbox, active, call } = await sandboxOf();
    const [from, to] = active;
    const before = balancesOf({ sandbox });
    const known = [from, to].map((card) => before.get(card)! / 100);
    await call('POST', `/cards/cards/${from}/transfer`, { targetCardIdentifier: to, amount: 5 });
    const directory = directoryOf([
      ...transferring('c00001', from, to, 1, known),
      ...transferring('c00002', to, from, 1, known),
    ]);
    expect((await cleanupCommand(sandbox.environment, directory)).code).toBe(0);
    const after = balancesOf({ sandbox });
    expect([from, to].map((card) => after.get(card)! - before.get(card)!)).toEqual([-500, 500]);
  });

  test.each([
    ['to', (own: string, foreign: string) => [own, foreign]],
    ['from', (own: string, foreign: string) => [foreign, own]],
  ] as const)('money that a target let go %s a card out of reach comes back, where the target lets', async (_, way) => {
    for (const lets of [true, false]) {
      let isBroken = true;
      const isLet = ({ kind, operation }: Refusal) =>
        kind === 'foreign' && (lets || isBroken) && operation === 'cards.transfer';
      const { sandbox, active, call } = await sandboxOf({ rules: { enforces: (refusal) => !isLet(refusal) } });
      const { foreign } = sandbox.fixtures.cards as { foreign: [string] };
      const before = balancesOf({ sandbox });
      const [from, to] = way(active[0], foreign[0]) as [string, string];
      await call('POST', `/cards/cards/${from}/transfer`, { targetCardIdentifier: to, amount: 2 });
      expect(balancesOf({ sandbox })).not.toEqual(before);
      isBroken = false;
      const lines = transferring('c00001', from, to, 2, []);
      lines[0]!.balances = [{ identifier: active[0], balance: before.get(active[0])! / 100 }];
      const ended = await cleanupCommand(sandbox.environment, directoryOf(lines));
      expect(ended.stdout).toContain(`c00001 cards.transfer ${from}: ${lets ? 'undone' : 'could not be undone'}`);
      expect(ended.code).toBe(lets ? 0 : 1);
      if (lets) expect(balancesOf({ sandbox })).toEqual(before);
    }
  });

  const settingPermissions = (id: string, identifier: string, permissions: unknown): Line[] => {
    const input = { path: { identifier } };
    const undo = { operation: 'users.setPermissions', input: { ...input, json: permissions } };
    return sent({ id, event: 'sending', operation: 'users.setPermissions', input, undo }, 200);
  };

  test('permissions are those of the fixtures file, on the customer that it names', async () => {
    const { sandbox, environment, call } = await behind(() => false);
    const users = sandbox.fixtures.users as {
      writableCustomerIdentifier: string;
      writableCustomerPermissions: Record<string, boolean>;
      customerIdentifier: string;
    };
    const { writableCustomerIdentifier: own, writableCustomerPermissions: permissions } = users;
    const before = restorable({ sandbox });
    const others = Object.fromEntries(Object.entries(permissions).map(([name, value]) => [name, !value]));
    await call('PUT', `/users/customers/${own}/permissions`, others);
    const directory = directoryOf([
      ...settingPermissions('c00001', own, { ...others, canDoAnything: true }),
      ...settingPermissions('c00002', 'another-customer', permissions),
    ]);
    const ended = await cleanupCommand(environment, directory);
    expect(ended.stdout).toContain(`c00001 users.setPermissions ${own}: undone`);
    expect(ended.stdout).toContain(
      'c00002 users.setPermissions another-customer: could not be undone: the fixtures file does not name it',
    );
    expect(ended.code).toBe(1);
    expect(restorable({ sandbox })).toEqual(before);
    const sentThen = readFileSync(join(directory, 'exchanges.ndjson'), 'utf8');
    expect(sentThen).not.toContain('canDoAnything');
    expect(sentThen).not.toContain('another-customer/permissions');
  });
});
