import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConformance } from '../../proof/hostile/run.ts';
import { writeHar } from '../../reports/har.ts';
import { readRecord } from '../../reports/record.ts';
import { word } from '../../reports/shell.ts';
import { conformance } from '../../run/index.ts';
import type { AnswerFilter, SandboxOptions } from '../../sandbox/index.ts';
import { signedIn } from '../sandbox/client.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { ROOT } from '../tools/root.ts';
import { sandboxFor } from '../tools/sandboxes.ts';
import { listen } from '../tools/servers.ts';

/** How a subcommand ended. */
interface Ended {
  code: number;
  out: string;
  err: string;
  directory: string;
}

/** A call of a program that runs a subcommand, by its arguments. */
type Program = (command: readonly string[]) => [file: string, ...args: string[]];

/** Runs a subcommand as a person does. @param input what its standard input holds */
function calling(
  args: string[],
  environment: Record<string, string> = {},
  input?: string | Buffer,
  program: Program = ([file = '', ...others]) => [file, ...others],
) {
  const cwd = temporaryDirectory();
  const directory = join(cwd, 'report');
  const { PATH = '' } = process.env;
  const env = { PATH, RUN_REPORT_DIR: directory, RUN_HISTORY: join(cwd, 'history'), ...environment };
  const [file, ...rest] = program([process.execPath, join(ROOT, 'cli/start.js'), ...args]);
  const { promise, resolve } = Promise.withResolvers<Ended>();
  const child = execFile(file, rest, { cwd, env }, (error, out, err) =>
    resolve({ code: error ? Number(error.code) : 0, out, err, directory }),
  );
  if (input !== undefined) child.stdin!.end(input);
  return { child, ended: promise };
}

const called = (...call: Parameters<typeof calling>): Promise<Ended> => calling(...call).ended;

/** Runs a subcommand at a terminal, where its outputs are one. @param typed the line that is typed */
const calledAtTerminal = (args: string[], environment: Record<string, string>, typed: string): Promise<Ended> =>
  called(args, environment, `${typed}\n`, (command) => [
    'script',
    '--quiet',
    '--return',
    '--command',
    command.map(word).join(' '),
    '/dev/null',
  ]);

describe('recordings of a run', () => {
  const folder = temporaryDirectory(afterAll);
  const [reports, har, none] = ['run', 'run.har', 'none.har'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  beforeAll(async () => {
    await conformance({ reportDir: reports, seed: 7 });
    writeHar(readRecord(reports), har);
    writeFileSync(`${har}.gz`, gzipSync(readFileSync(har)));
    writeFileSync(none, '{}');
  });

  test('the report directory, its archive, gzip and standard input are judged alike, and accuse nobody', async () => {
    const ended = [
      await called(['judge', reports]),
      await called(['judge', har]),
      await called(['judge', `${har}.gz`]),
      await called(['judge', '-'], {}, readFileSync(har)),
    ];
    const [first, ...others] = ended.map(({ directory }) => readConformance(directory));
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(first!.run).toMatchObject({ source: 'recording', complete: true });
    expect(first!.summary.must).toMatchObject({ failed: 0, blocked: 0 });
    expect(first!.summary.must.passed).toBeGreaterThan(150);
    for (const { summary } of others) expect(summary).toEqual(first!.summary);
    expect(ended[0]!.out).toMatch(/Seen: 38 of 38 operations in scope/);
    expect(existsSync(join(ended[0]!.directory, 'index.html'))).toBe(true);
  });

  test('half an archive is judged as far as it goes, and leaves the judgement incomplete', async () => {
    const cut = join(folder, 'cut.har');
    writeFileSync(cut, readFileSync(har).subarray(0, 500_000));
    const out = expect.stringMatching(/Not complete: .*cut\.har is cut off, or no JSON, after entry \d+/);
    expect(await called(['judge', cut])).toMatchObject({ code: 3, out });
  });

  test('lines of a report directory that are no exchanges are counted and named, and the others are judged', async () => {
    const odd = join(folder, 'odd');
    cpSync(reports, odd, { recursive: true });
    const lines = readFileSync(join(odd, 'exchanges.ndjson'), 'utf8').split('\n');
    writeFileSync(join(odd, 'exchanges.ndjson'), ['{"id":', '{}', ...lines].join('\n'));
    const out = expect.stringMatching(
      /2 entries are no exchange and not judged: \S+exchanges.ndjson line 1.*Seen|Seen: 38 of 38/s,
    );
    expect(await called(['judge', odd])).toMatchObject({ code: 0, out });
  });

  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s ends the reading of what never ends, and reports what was judged until then',
    async (signal) => {
      const cwd = temporaryDirectory();
      const directory = join(cwd, 'report');
      const args = [join(ROOT, 'cli/start.js'), 'judge', '-', '--report-dir', directory];
      const env = { PATH: process.env.PATH, RUN_HISTORY: join(cwd, 'history') };
      const child = spawn(process.execPath, args, { cwd, env, stdio: ['pipe', 'ignore', 'ignore'] });
      const ended = once(child, 'exit');
      child.stdin.on('error', () => {});
      child.stdin.write(readFileSync(har).subarray(0, 500_000));
      const written = () =>
        existsSync(join(directory, 'exchanges.ndjson')) && readFileSync(join(directory, 'exchanges.ndjson')).length;
      await expect.poll(written).toBeGreaterThan(0);
      child.kill(signal);
      expect(await ended).toEqual([130, null]);
      expect(readConformance(directory).run).toMatchObject({ complete: false, source: 'recording' });
    },
  );

  test('what cannot be judged is named, ends with 2, and leaves the report directory as it is', async () => {
    const before = readFileSync(join(reports, 'conformance.json'), 'utf8');
    for (const [args, said] of [
      [[none, '--report-dir', reports], 'none.har is no HTTP Archive (HAR): it holds no log.entries'],
      [[join(folder, 'nowhere.har'), '--report-dir', reports], 'nowhere.har: there is no such file'],
      [[reports, '--report-dir', reports], 'holds what is judged'],
      [[har, '--report-dir', har], 'report-dir'],
      [[], "missing required argument 'recordings'"],
    ] as const)
      expect(await called(['judge', ...args])).toMatchObject({ code: 2, err: expect.stringContaining(said) });
    expect(readFileSync(join(reports, 'conformance.json'), 'utf8')).toBe(before);
    expect(existsSync(join(reports, 'unfinished.json'))).toBe(false);
  });
});

describe('the proxy in front of a target', () => {
  const node = (script: string) => [process.execPath, '--input-type=module', '-e', script];
  const CONSUMER = node(`const { TARGET_BASE_URL: base, CARDS_URL: also, TOKEN: token } = process.env;
    if (also !== base) process.exit(9);
    const headers = { authorization: 'Bearer ' + token };
    const { results } = await (await fetch(base + '/cards/cards?max=3', { headers })).json();
    process.exit(results.length === 3 ? 0 : 1);`);

  /** What an application finds in its environment: the base address of a sandbox, and a token of it. */
  async function admitted(options?: SandboxOptions) {
    const sandbox = await sandboxFor(options);
    return { TARGET_BASE_URL: sandbox.environment.TARGET_BASE_URL!, TOKEN: (await signedIn(sandbox)).token };
  }

  test('a command ends with 1, where a type is wrong that its own tests do not notice; the archive of what passed is judged alike', async () => {
    const har = join(temporaryDirectory(), 'passed.har');
    const args = ['proxy', '--har', har, '--env', 'CARDS_URL=base', '--', ...CONSUMER];
    const ended = { code: 1, out: expect.stringMatching(/FAILED.*cards\.list\.shape/) };
    const err = expect.stringContaining('FAILED cards.list.shape: the body at /results/0/status must be a string');
    expect(await called(args, await admitted({ middleware: [numbers] }))).toMatchObject({ ...ended, err });
    expect(await called(['judge', har])).toMatchObject(ended);
  });

  /** Cards whose status is a number. */
  const numbers: AnswerFilter = (answer, { operation }) => {
    const { results } = (answer.body ?? {}) as { results?: Record<string, unknown>[] };
    if (operation !== 'cards.list' || !results) return undefined;
    return { ...answer, body: { results: results.map((card) => ({ ...card, status: 7 })) } };
  };

  test('the test of a client fails where it made the request, if that is wanted, and the report names it; a known failure passes', async () => {
    const test = node(`const { TARGET_BASE_URL: base, TOKEN: token } = process.env;
      const headers = { authorization: 'Bearer ' + token, 'conformance-test': 'lists%20cards' };
      const answer = await fetch(base + '/cards/cards?max=3', { headers });
      console.log('answered:', answer.status, answer.headers.get('conformance-failure'));`);
    const given = await admitted({ middleware: [numbers] });
    const folder = temporaryDirectory();
    const [har, known] = [join(folder, 'passed.har'), join(folder, 'known.yml')];
    writeFileSync(known, '- id: cards.list.shape\n  reason: it is being mended\n');
    const failing = await called(['proxy', '--on-failure', 'status', '--har', har, '--', ...test], given);
    expect(failing).toMatchObject({ code: 1, out: expect.stringContaining('answered: 502 cards.list.shape') });
    const namesTest = ({ directory }: Ended) =>
      readFileSync(join(directory, 'summary.md'), 'utf8').includes('| lists cards | cards.list.shape |');
    expect(namesTest(failing)).toBe(true);
    expect(namesTest(await called(['judge', har]))).toBe(true);
    const expected = ['proxy', '--on-failure', 'header', '--known-failures', known, '--', ...test];
    expect(await called(expected, given)).toMatchObject({
      code: 0,
      out: expect.stringContaining('answered: 200 null'),
    });
    expect(await called(['proxy', '--on-failure', 'mail', '--', ...test], given)).toMatchObject({ code: 2 });
  });

  test('with the code of a command that fails, where the target keeps to the documents', async () => {
    const failing = node(`const { TARGET_BASE_URL: base, TOKEN: token } = process.env;
      await fetch(base + '/cards/cards', { headers: { authorization: 'Bearer ' + token } });
      process.exit(7);`);
    expect(await called(['proxy', ...failing], await admitted())).toMatchObject({ code: 7 });
  });

  test('with 0, where they pass; secrets are written where that is asked for and confirmed at a terminal, into a new file for nobody else, and nowhere else', async () => {
    const given = { ...(await admitted()), CARDS_URL: 'another' };
    const raw = join(temporaryDirectory(), 'raw.har');
    const args = ['proxy', '--har-raw', raw, '--env', 'CARDS_URL=base', ...CONSUMER];
    expect(await called(args, given, '')).toMatchObject({ code: 2, err: expect.stringContaining('needs a terminal') });
    expect(await calledAtTerminal(args, given, 'no')).toMatchObject({
      code: 2,
      out: expect.stringContaining('not confirmed'),
    });
    expect(existsSync(raw)).toBe(false);
    writeFileSync(raw, 'old');
    chmodSync(raw, 0o644);
    const { code, out, directory } = await calledAtTerminal(args, given, 'yes');
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('CONFORMANT') });
    expect(statSync(raw).mode & 0o777).toBe(0o600);
    expect(readFileSync(raw, 'utf8')).toContain(given.TOKEN);
    expect(await called(['judge', raw])).toMatchObject({ code: 0 });
    expect(readFileSync(join(directory, 'exchanges.ndjson'), 'utf8')).not.toContain(given.TOKEN);
  });

  test('its address is one that the command reaches by itself, though there is a proxy for others', async () => {
    const { TARGET_BASE_URL } = await admitted();
    const print = node("console.log('passed by:', process.env.NO_PROXY, process.env.no_proxy, process.env.HTTP_PROXY)");
    const out = async (environment: Record<string, string>) =>
      /passed by: (.*)/.exec((await called(['proxy', ...print], { TARGET_BASE_URL, ...environment })).out)?.[1];
    const HTTP_PROXY = 'http://proxy.invalid:3128';
    expect(await out({ HTTP_PROXY })).toBe(`127.0.0.1 127.0.0.1 ${HTTP_PROXY}`);
    expect(await out({ HTTP_PROXY, NO_PROXY: '.corp.invalid' })).toBe(
      `.corp.invalid,127.0.0.1 .corp.invalid,127.0.0.1 ${HTTP_PROXY}`,
    );
    expect(await out({ HTTP_PROXY, no_proxy: '*' })).toBe(`* * ${HTTP_PROXY}`);
  });

  const isRunning = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  const LASTING = 'setInterval(() => {}, 1000);';
  test.each([
    ['SIGTERM', LASTING],
    ['SIGINT', LASTING],
    ['SIGTERM', `process.on('SIGTERM', () => {}); ${LASTING}`],
  ] as const)('%s ends the command and what it started, and is reported: %s', async (signal, script) => {
    const started = join(temporaryDirectory(), 'started');
    // The command is a shell whose child goes on: what is started, and by whom, is in a file.
    const command = [
      'sh',
      '-c',
      `node -e "${`require('fs').writeFileSync('${started}', String(process.pid)); ${script}`}"; true`,
    ];
    const proxy = calling(['proxy', '--', ...command], { TARGET_BASE_URL: 'http://127.0.0.1:9' });
    await expect.poll(() => existsSync(started) && readFileSync(started, 'utf8')).toMatch(/^\d+$/);
    proxy.child.kill(signal);
    expect(await proxy.ended).toMatchObject({ code: 130, err: expect.stringContaining('nothing was seen') });
    await expect.poll(() => isRunning(Number(readFileSync(started, 'utf8')))).toBe(false);
  });

  test('elsewhere than on loopback it says who may use it', async () => {
    const environment = { TARGET_BASE_URL: 'http://127.0.0.1:9' };
    const print = node('console.log(process.env.TARGET_BASE_URL)');
    const ended = await called(['proxy', '--host', '0.0.0.0', ...print], environment);
    expect(ended.err).toContain('The proxy listens at 0.0.0.0: whoever reaches it');
    expect(ended.out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/base$/m);
    for (const [host, said] of [
      ['192.0.2.1', '--host: 192.0.2.1 is no address of this machine'],
      ['', '--host: is empty'],
    ])
      expect(await called(['proxy', '--host', host!, ...print], environment)).toMatchObject({
        code: 2,
        err: expect.stringContaining(said!),
      });
  });

  test('below a path, as behind another proxy', async () => {
    const print = node('console.log(process.env.TARGET_BASE_URL)');
    const served = await called(['proxy', '--path-prefix', '/team/a', ...print], {
      TARGET_BASE_URL: 'http://127.0.0.1:9',
    });
    expect(served.out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/team\/a\/base$/m);
    const refused = await called(['proxy', '--path-prefix', 'team', ...print], {});
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('--path-prefix: team is no path') });
  });

  test('a port in use', async () => {
    const { port } = new URL(await listen(createServer()));
    const err = expect.stringContaining(`--port: ${port} is in use`);
    expect(await called(['proxy', '--port', port], { TARGET_BASE_URL: 'http://127.0.0.1:9' })).toMatchObject({
      code: 2,
      err,
    });
  });
});
