/** What a cleanup makes of changes.ndjson, written here by hand. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cleanup } from '../../cli/cleanup.ts';
import { type Change, change } from '../../contracts/record.ts';
import { leftOpenInWords, openChanges } from '../../helpers/changes/left-open.ts';
import { type Call, hostileTarget, reply } from '../../proof/hostile/target.ts';
import { dropRecord } from '../../run/drop-record.ts';
import type { Refusal } from '../../sandbox/exchange.ts';
import type { Sandbox, SandboxOptions } from '../../sandbox/index.ts';
import { restorable } from '../run/interruption/held.ts';
import { signedIn } from '../sandbox/client.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { inProcess } from '../tools/in-process.ts';
import { environmentOf, sandboxFor } from '../tools/sandboxes.ts';

type Line = Omit<Change, 'at'>;
type Pair = readonly [from: string, to: string];
/** Of the answer: null where there was none, 'killed' where the run ended before. */
type Status = number | null | 'killed';
type More = Pick<Line, 'undo' | 'balances'> & { status?: Status };

const of = (identifier: string, json?: object) => ({ path: { identifier }, ...(json && { json }) });

/** The lines of a change. */
function sent(id: string, operation: string, input: Line['input'], { status = 200, ...more }: More = {}): Line[] {
  const sending: Line = { id, event: 'sending', operation, input, ...more };
  if (status === 'killed') return [sending];
  return [sending, { id, operation, event: 'answered', exchange: 'x00001', status }];
}

const suspending = (id: string, card: string, status?: Status) =>
  sent(id, 'cards.suspend', of(card), { status, undo: { operation: 'cards.unsuspend', input: of(card) } });

/** @param balances those that the run knew before */
function transferring(id: string, [from, to]: Pair, amount: number, balances?: Line['balances'], status?: Status) {
  const back = { operation: 'cards.transfer', input: of(to, { targetCardIdentifier: from, amount }) };
  return sent(id, 'cards.transfer', of(from, { targetCardIdentifier: to, amount }), { status, balances, undo: back });
}

const linesOf = (lines: readonly Line[]) =>
  lines.map((line) => `${JSON.stringify({ ...line, at: new Date(0).toISOString() })}\n`).join('');

/** A report directory with these changes, and perhaps a last line that was cut off. */
function directoryOf(lines: readonly Line[], cut = ''): string {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'changes.ndjson'), linesOf(lines) + cut);
  return directory;
}

const target = async (options?: SandboxOptions) => usedBy(await sandboxFor(options));

/** What a run does to a sandbox. */
async function usedBy(sandbox: Sandbox) {
  const { v3, fixtures } = await signedIn(sandbox);
  const call = async (method: string, path: string, body?: unknown) =>
    void expect((await v3(method, path, body)).status).toBeLessThan(300);
  const now = () => restorable({ sandbox }) as { cards: { identifier: string; state: string; balanceCents: number }[] };
  const card = (id: string) => now().cards.find(({ identifier }) => identifier === id)!;
  return {
    sandbox,
    fixtures,
    active: fixtures.cards.active as [string, string, string],
    call,
    suspend: (id: string) => call('POST', `/cards/cards/${id}/suspend`),
    transfer: ([from, to]: Pair, amount: number) =>
      call('POST', `/cards/cards/${from}/transfer`, { targetCardIdentifier: to, amount }),
    now,
    before: now(),
    card,
    balances: (...ids: string[]) => ids.map((id) => ({ identifier: id, balance: card(id).balanceCents / 100 })),
    /** `npm run cleanup`, where no `.env` is. */
    cleanUp: (directory: string, environment = sandbox.environment) =>
      inProcess(cleanup, [directory], environment, tmpdir()),
  };
}

describe('what is open', () => {
  const idsIn = (directory: string) => openChanges(directory).open.map(({ id }) => id);

  test.each<[string, Status, string[]]>([
    ['accepted', 200, ['c1']],
    ['never answered', null, ['c1']],
    ['killed before an answer', 'killed', ['c1']],
    ['answered with a failure of the target', 503, ['c1']],
    ['refused', 400, []],
    ['throttled', 429, []],
  ])('a change that was %s', (_, status, open) => {
    expect(idsIn(directoryOf(suspending('c1', 'card', status)))).toEqual(open);
  });

  test('not what was undone or lasts, nor what cannot be undone, nor a line that was cut off', () => {
    const lines: Line[] = [
      ...suspending('c1', 'a'),
      ...suspending('c2', 'b'),
      { id: 'c2', operation: 'cards.suspend', event: 'lasting' },
      { id: 'c1', operation: 'cards.suspend', event: 'undone', exchange: 'x00002' },
      ...sent('c3', 'cards.reissue', of('a')),
    ];
    expect(idsIn(directoryOf(lines, '{"id":"c4","event":"sendi'))).toEqual([]);
  });

  test('is said in words, by operation and by whether it was accepted; what a run changes for good is not', () => {
    expect(leftOpenInWords(directoryOf(sent('c4', 'cards.reissue', of('a'))))).toBeUndefined();
    const lines = [...suspending('c1', 'a'), ...suspending('c2', 'b'), ...suspending('c3', 'c', null)];
    expect(leftOpenInWords(directoryOf(lines, '\0\0'))).toMatch(
      /^2 × cards\.suspend; 1 × cards\.suspend of unknown outcome; line \d+: /,
    );
  });

  test('a card that was closed afterwards is not taken back', () => {
    const { open } = openChanges(directoryOf([...suspending('c1', 'a'), ...sent('c2', 'cards.close', of('a'))]));
    expect(open[0]).toMatchObject({ id: 'c1', lasting: true });
  });

  test('also after empty lines, and on a last line without a line break', () => {
    const last = linesOf(suspending('c2', 'b', 'killed')).trimEnd();
    const directory = directoryOf(suspending('c1', 'a'), ` \r\n\n${last}`);
    expect(idsIn(directory)).toEqual(['c1', 'c2']);
    expect(openChanges(directory).unreadable).toEqual([]);
  });
});

test('suspended cards become Active, money goes back to the cent, and the record goes on', async () => {
  const { active, suspend, call, transfer, balances, cleanUp, now, before } = await target();
  const [from, to, suspended] = active;
  const known = balances(from, to);
  await suspend(suspended);
  await suspend(from);
  await call('POST', `/cards/cards/${from}/unsuspend`);
  await transfer([from, to], 1.15);
  await transfer([to, from], 0.1);
  const lines = [
    ...suspending('c00001', suspended, null),
    ...suspending('c00002', from),
    ...suspending('c00003', 'no-such-card', null),
    ...transferring('c00004', [from, to], 1.15, known),
    ...transferring('c00005', [to, from], 0.1),
  ];
  const directory = directoryOf(lines, '{"id":"c00006","ev');
  const { code, stdout, stderr } = await cleanUp(directory);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.trim().split('\n')).toEqual([
    `c00001 cards.suspend ${suspended}: undone`,
    `c00002 cards.suspend ${from}: undone`,
    'c00003 cards.suspend no-such-card: card not found, nothing to undo',
    `c00004 cards.transfer ${from}: undone`,
    `c00005 cards.transfer ${to}: undone`,
  ]);
  expect(now()).toEqual(before);
  const written = readFileSync(join(directory, 'changes.ndjson'), 'utf8').trim().split('\n');
  const moves = written.map((line) => change.parse(JSON.parse(line))).filter((one) => one.event === 'sending');
  expect(moves.filter(({ operation }) => operation === 'cards.transfer')).toHaveLength(3);
  expect(openChanges(directory)).toEqual({ open: [], unreadable: [] });
});

test('what cannot be undone is said, stays open, and ends the command with 1', async () => {
  const { active, call, cleanUp } = await target();
  const [from, to, closed] = active;
  await call('POST', `/cards/cards/${closed}/close`);
  const directory = directoryOf([...suspending('c00001', closed), ...transferring('c00002', [from, to], 5)]);
  const ended = await cleanUp(directory);
  expect(ended).toMatchObject({ code: 1, stderr: '' });
  expect(ended.stdout).toContain(`c00001 cards.suspend ${closed}: could not be undone`);
  expect(ended.stdout).toContain(`c00002 cards.transfer ${from}: could not be undone`);
  expect(openChanges(directory).open.map(({ id }) => id)).toEqual(['c00001', 'c00002']);
});

test('where no card is at this target, it was not touched: that is said, and the changes stay open', async () => {
  const { cleanUp, now, before } = await target();
  const hostile = 'x\u001b[2J\n::error file=x::owned';
  const directory = directoryOf([...suspending('\n::error::c1', 'no-such-card'), ...suspending('c00002', hostile)]);
  const { code, stdout } = await cleanUp(directory);
  expect(code).toBe(1);
  expect(stdout).toContain('no-such-card: card not found; is this the target of that run?');
  expect(stdout).not.toContain('\u001b');
  expect(stdout).not.toMatch(/undone$|^::/m);
  expect(openChanges(directory).open).toHaveLength(2);
  expect(now()).toEqual(before);
});

const GONE = 'http://127.0.0.1:9';

test.each<[string, (own: Record<string, string>) => Record<string, string>, RegExp]>([
  ['no target is named', () => ({}), /^TARGET_BASE_URL: .+\n$/],
  ['it refuses the credentials', (own) => ({ ...own, TARGET_CLIENT_SECRET: 'another-secret' }), /^.*token\.issue.*\n$/],
  ['it is gone', (own) => ({ ...own, TARGET_AUTH_URL: GONE, TARGET_BASE_URL: GONE }), /^.*127\.0\.0\.1:9.*\n$/],
])('where %s it ends with 2 and one line, without the secret', async (_, environment, line) => {
  const { sandbox, cleanUp } = await target();
  const ended = await cleanUp(directoryOf(suspending('c00001', 'card')), environment(sandbox.environment));
  expect(ended).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(line) });
  expect(ended.stderr).not.toContain('another-secret');
});

describe('a record that is not as it was written', () => {
  const pipe = (file: string) => void spawnSync('mkfifo', [file]);
  const link = (file: string) => symlinkSync('../victim', file);

  test.each([
    ['NUL bytes', '\0\0\0\0'],
    ['a mark of a conflict', '<<<<<<< HEAD'],
    ['an event of a newer version', JSON.stringify({ ...suspending('c3', 'card')[0], at: '', event: 'postponed' })],
    ['an array', '[]'],
    ['a long text', 'x'.repeat(1_000_000)],
  ])('%s: the other changes are undone, the line is listed, and kept for somebody to look at', async (_, line) => {
    const { active, suspend, cleanUp, now, before } = await target();
    const [one, other] = active;
    await suspend(one);
    await suspend(other);
    const directory = directoryOf(suspending('c00001', one), `${line}\n${linesOf(suspending('c00002', other))}`);
    const unreadable = `${directory}: changes.ndjson line 3: not a change that this version of the suite writes; see what it was, then remove it\n`;
    expect(await cleanUp(directory)).toEqual({
      code: 1,
      stdout: `${unreadable}c00001 cards.suspend ${one}: undone\nc00002 cards.suspend ${other}: undone\n`,
      stderr: '',
    });
    expect(now()).toEqual(before);
    expect(await cleanUp(directory, {})).toEqual({ code: 1, stdout: unreadable, stderr: '' });
    expect(dropRecord(directory)).toEqual([expect.stringContaining(join(directory, 'unfinished-1'))]);
    expect(readFileSync(join(directory, 'unfinished-1/changes.ndjson'), 'utf8')).toContain(`${line}\n`);
  });

  test('none at all ends it with 2', async () => {
    const stderr = '/nowhere/changes.ndjson: cannot be read (ENOENT); name a report directory\n';
    expect(await inProcess(cleanup, ['/nowhere'])).toEqual({ code: 2, stdout: '', stderr });
  });

  test.each([
    ['a pipe', pipe],
    ['a link', link],
    ['a directory', (file: string) => mkdirSync(file)],
  ])('%s in its place is set aside, too', (_, make) => {
    const directory = temporaryDirectory();
    make(join(directory, 'changes.ndjson'));
    expect(dropRecord(directory)).toEqual([expect.stringContaining(join(directory, 'unfinished-1'))]);
    expect(readdirSync(directory)).toEqual(['unfinished-1']);
  });

  test.each([
    ['a pipe', pipe, 'is not a file'],
    ['a link', link, 'is a link; remove it'],
  ])('%s in place of the exchanges ends it with 2, and nothing is read from it', async (_, make, why) => {
    const { active, cleanUp } = await target();
    const directory = directoryOf(suspending('c00001', active[0]));
    const file = join(directory, 'exchanges.ndjson');
    make(file);
    expect(await cleanUp(directory)).toEqual({ code: 2, stdout: '', stderr: `${file}: ${why}\n` });
  });
});

describe('one card keeps back no other', () => {
  test.each<[string, (call: Call) => void]>([
    ['answers 503', ({ response }) => void response.writeHead(503).end()],
    ['answers 429', ({ response }) => void response.writeHead(429, { 'retry-after': '0' }).end()],
    ['closes the connection', ({ response }) => void response.destroy()],
  ])('that %s', async (_, behave) => {
    const { sandbox, environment } = await hostileTarget(async (call) => {
      if (call.request.url!.includes(one)) behave(call);
      else reply(call.response, await call.forward());
    }, 'after login');
    const { active, suspend, card, cleanUp } = await usedBy(sandbox);
    const [one, other, third] = active;
    for (const id of active) await suspend(id);
    const unanswered = suspending('c00003', third, null);
    const directory = directoryOf([...suspending('c00001', one), ...suspending('c00002', other), ...unanswered]);
    const ended = await cleanUp(directory, environment);
    expect(ended).toMatchObject({ code: 1, stderr: '' });
    expect(ended.stdout).toMatch(new RegExp(`^c00001 cards.suspend ${one}: could not be undone: .+`));
    expect(ended.stdout).toContain(`c00002 cards.suspend ${other}: undone`);
    expect(ended.stdout).toContain(`c00003 cards.suspend ${third}: undone`);
    expect(openChanges(directory).open.map(({ id }) => id)).toEqual(['c00001']);
    expect(card(other).state).toBe('active');
  });

  test.each(['..', '.', '', '../../users/customers', '\ud800'])('with an identifier like "%s"', async (odd) => {
    const { active, suspend, cleanUp } = await target();
    await suspend(active[0]);
    const ended = await cleanUp(directoryOf([...suspending('c00001', odd), ...suspending('c00002', active[0])]));
    expect(ended.stdout).toContain(`c00002 cards.suspend ${active[0]}: undone`);
  });
});

describe('what the run did, and no more', () => {
  test.each<[string, number[], Status, boolean, number]>([
    ['that moved nothing', [], 200, false, 0],
    ['accepted', [1, 5], 200, false, 500],
    ['never answered', [1, 5], null, false, 500],
    ['that was moved back before that was recorded', [5], 200, true, 500],
  ])('of what others moved meanwhile nothing goes back: a transfer %s', async (_, moved, status, isBack, others) => {
    const { active, transfer, card, balances, cleanUp } = await target();
    const [from, to] = active;
    const known = balances(from, to);
    const cents = () => [card(from).balanceCents, card(to).balanceCents] as const;
    const before = cents();
    for (const amount of moved) await transfer([from, to], amount);
    const back = isBack ? transferring('c00002', [to, from], 1, known) : [];
    const ended = await cleanUp(directoryOf([...transferring('c00001', [from, to], 1, known, status), ...back]));
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining(`c00001 cards.transfer ${from}: undone`) });
    expect(cents()).toEqual([before[0] - others, before[1] + others]);
  });

  test.each([
    ['to', (own: string, foreign: string): Pair => [own, foreign]],
    ['from', (own: string, foreign: string): Pair => [foreign, own]],
  ])('money that a target let go %s a card out of reach comes back, where the target lets', async (_, way) => {
    for (const lets of [true, false]) {
      let isBroken = true;
      const isLet = ({ kind, operation }: Refusal) =>
        kind === 'foreign' && (lets || isBroken) && operation === 'cards.transfer';
      const rules = { enforces: (refusal: Refusal) => !isLet(refusal) };
      const { fixtures, active, transfer, balances, cleanUp, now, before } = await target({ rules });
      const pair = way(active[0], fixtures.cards.foreign[0]);
      const lines = transferring('c00001', pair, 2, balances(active[0]));
      await transfer(pair, 2);
      expect(now()).not.toEqual(before);
      isBroken = false;
      const ended = await cleanUp(directoryOf(lines));
      expect(ended.stdout).toContain(`c00001 cards.transfer ${pair[0]}: ${lets ? 'undone' : 'could not be undone'}`);
      expect(ended.code).toBe(lets ? 0 : 1);
      if (lets) expect(now()).toEqual(before);
    }
  });

  test.each<[string, SandboxOptions['rules'], number, number]>([
    ['does not credit what it debits', { transferCredit: () => 0 }, 0, 0],
    ['debits twice what it credits', { transferDebit: (cents) => 2 * cents }, 0, 0],
    ['loses what is moved back alone', { transferCredit: (cents) => (cents === 500 ? 0 : cents) }, 1, 500],
  ])('at a target that %s nothing more is taken, and what is left is said', async (_, rules, transfers, lost) => {
    const { active, transfer, balances, card, cleanUp, now } = await target({ rules });
    const pairs = [active.slice(0, 2) as unknown as Pair, active.slice(1, 3) as unknown as Pair];
    const known = balances(...active.slice(0, 3));
    for (const pair of pairs) for (const amount of [2, 3]) await transfer(pair, amount);
    const lines = pairs.flatMap((pair, index) =>
      [2, 3].flatMap((amount) => transferring(`c0000${index}${amount}`, pair, amount, known)),
    );
    const sum = () => active.slice(0, 3).reduce((all, id) => all + card(id).balanceCents, 0);
    const [before, state] = [sum(), now()];
    const ended = await cleanUp(directoryOf(lines));
    expect(ended).toMatchObject({ code: 1, stderr: '' });
    expect(sum()).toBe(before - lost);
    if (transfers === 0) expect(now()).toEqual(state);
    // Where the cards of a transfer have what they had, it is undone, whatever became of the money of others.
    expect(ended.stdout).not.toMatch(new RegExp(`^c00000\\d cards.transfer ${active[0]}: undone$`, 'm'));
    expect(ended.stdout).toMatch(/^A card of cards\.active is left with \d+\.\d\d less than it had: /m);
    expect(ended.stdout).toMatch(/^Money goes missing at this target, so no more is moved back/m);
  });

  test('permissions are those of the fixtures file, on the customer that it names', async () => {
    const { sandbox, fixtures, call, cleanUp, now, before } = await target();
    const { writableCustomerIdentifier: own, writableCustomerPermissions: permissions } = fixtures.users;
    const others = Object.fromEntries(Object.entries(permissions).map(([name, value]) => [name, !value]));
    await call('PUT', `/users/customers/${own}/permissions`, others);
    const setting = (id: string, customer: string, to: object) =>
      sent(id, 'users.setPermissions', of(customer), {
        undo: { operation: 'users.setPermissions', input: of(customer, to) },
      });
    const directory = directoryOf([
      ...setting('c00001', own, { ...others, canDoAnything: true }),
      ...setting('c00002', 'another-customer', permissions),
    ]);
    const { code, stdout } = await cleanUp(directory, environmentOf(sandbox));
    expect(stdout).toContain(`c00001 users.setPermissions ${own}: undone`);
    expect(stdout).toContain(
      'c00002 users.setPermissions another-customer: could not be undone: the fixtures file does not name it',
    );
    expect(code).toBe(1);
    expect(now()).toEqual(before);
    const asked = readFileSync(join(directory, 'exchanges.ndjson'), 'utf8');
    expect(asked).not.toContain('canDoAnything');
    expect(asked).not.toContain('another-customer/permissions');
  });
});
