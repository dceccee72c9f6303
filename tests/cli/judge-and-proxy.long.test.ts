import { execFile } from 'node:child_process';
import { createReadStream, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeHar } from '../../reports/har.ts';
import { readRecord } from '../../reports/record.ts';
import { conformance } from '../../run/index.ts';
import { type AnswerFilter, type Sandbox, startSandbox } from '../../sandbox/index.ts';
import { signedIn } from '../sandbox/client.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { program as tool } from '../tools/installed.ts';
import { ROOT } from '../tools/root.ts';

const PROGRAM = join(ROOT, 'cli/start.js');

interface Ended {
  code: number;
  out: string;
  err: string;
  directory: string;
}

/** Runs a subcommand as a person does. @param input a file for its standard input, or text */
function called(
  args: readonly string[],
  environment: Record<string, string> = {},
  input?: { file: string } | string,
): Promise<Ended> {
  const cwd = temporaryDirectory();
  const directory = join(cwd, 'report');
  const [subcommand = '', ...rest] = args;
  const { PATH = '' } = process.env;
  const env = { PATH, RUN_REPORT_DIR: directory, RUN_HISTORY: join(cwd, 'history'), ...environment };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [PROGRAM, subcommand, ...rest], { cwd, env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err, directory }),
    );
    if (typeof input === 'string') child.stdin!.end(input);
    else if (input) createReadStream(input.file).pipe(child.stdin!);
  });
}

const recordIn = (directory: string) => JSON.parse(readFileSync(join(directory, 'conformance.json'), 'utf8'));

describe('recordings of a run', () => {
  let folder: string;
  let reports: string;
  let har: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'recordings-'));
    reports = join(folder, 'run');
    har = join(folder, 'run.har');
    await conformance({ reportDir: reports, seed: 7 });
    writeHar(readRecord(reports), har);
    writeFileSync(`${har}.gz`, gzipSync(readFileSync(har)));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('the report directory, its archive, gzip and standard input are judged alike, and accuse nobody', async () => {
    const ended = [
      await called(['judge', reports]),
      await called(['judge', har]),
      await called(['judge', `${har}.gz`]),
      await called(['judge', '-'], {}, { file: har }),
    ];
    const [first, ...others] = ended.map(({ directory }) => recordIn(directory));
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(first.run).toMatchObject({ source: 'recording', complete: true });
    expect(first.summary.must).toMatchObject({ failed: 0, blocked: 0 });
    expect(first.summary.must.passed).toBeGreaterThan(150);
    for (const { summary } of others) expect(summary).toEqual(first.summary);
    expect(ended[0]!.out).toMatch(/Seen: 38 of 38 operations in scope/);
    expect(existsSync(join(ended[0]!.directory, 'index.html'))).toBe(true);
  });

  test('half an archive is judged as far as it goes, and leaves the judgement incomplete', async () => {
    const cut = join(folder, 'cut.har');
    writeFileSync(cut, readFileSync(har).subarray(0, 500_000));
    const { code, out } = await called(['judge', cut]);
    expect({ code, out }).toMatchObject({
      code: 3,
      out: expect.stringMatching(/Not complete: .*cut\.har is cut off, or no JSON, after entry \d+/),
    });
  });

  test('what is no recording leaves the report directory as it is', async () => {
    const none = join(folder, 'none.har');
    writeFileSync(none, '{}');
    const before = readFileSync(join(reports, 'conformance.json'), 'utf8');
    for (const path of [none, join(folder, 'nowhere.har')])
      expect(await called(['judge', path, '--report-dir', reports])).toMatchObject({ code: 2 });
    expect(readFileSync(join(reports, 'conformance.json'), 'utf8')).toBe(before);
    expect(existsSync(join(reports, 'unfinished.json'))).toBe(false);
  });

  test('what cannot be judged ends with 2, and names it', async () => {
    const none = join(folder, 'none.har');
    writeFileSync(none, '{}');
    for (const [args, said] of [
      [['judge', none], 'none.har is no HTTP Archive (HAR): it holds no log.entries'],
      [['judge', join(folder, 'nowhere.har')], 'nowhere.har: there is no such file'],
      [['judge', har, '--report-dir', har], 'report-dir'],
      [['judge', reports, '--report-dir', reports], 'holds what is judged'],
      [['judge'], "missing required argument 'recordings'"],
    ] as const)
      expect(await called(args)).toMatchObject({ code: 2, err: expect.stringContaining(said) });
    expect(existsSync(join(reports, 'conformance.json'))).toBe(true);
  });
});

describe('the proxy in front of a target', () => {
  const CONSUMER = `const { TARGET_BASE_URL: base, CARDS_URL: also, TOKEN: token } = process.env;
    if (also !== base) process.exit(9);
    const headers = { authorization: 'Bearer ' + token };
    const { results } = await (await fetch(base + '/cards/cards?max=3', { headers })).json();
    process.exit(results.length === 3 ? 0 : 1);`;
  const run = (environment: Record<string, string>, ...options: string[]) =>
    called(
      ['proxy', ...options, '--env', 'CARDS_URL=base', '--', process.execPath, '--input-type=module', '-e', CONSUMER],
      environment,
    );

  /** The base address of a sandbox, and a token of it. */
  const admitted = async (sandbox: Sandbox) => ({
    TARGET_BASE_URL: sandbox.environment.TARGET_BASE_URL!,
    TOKEN: (await signedIn(sandbox)).token,
  });

  test('a command whose own tests pass ends with 0', async () => {
    await using sandbox = await startSandbox();
    const { code, out } = await run(await admitted(sandbox));
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('CONFORMANT') });
  });

  test('with 1, where a type is wrong that they do not notice; the archive of what passed is judged alike', async () => {
    const numbers: AnswerFilter = (answer, { operation }) => {
      const { results } = (answer.body ?? {}) as { results?: Record<string, unknown>[] };
      if (operation !== 'cards.list' || !results) return undefined;
      return { ...answer, body: { results: results.map((card) => ({ ...card, status: 7 })) } };
    };
    await using sandbox = await startSandbox({ middleware: [numbers] });
    const har = join(temporaryDirectory(), 'passed.har');
    const { code, out, err } = await run(await admitted(sandbox), '--har', har);
    expect(code).toBe(1);
    expect(err).toContain('FAILED cards.list.shape: the body at /results/0/status must be a string');
    expect(out).toMatch(/FAILED.*cards\.list\.shape/);
    expect(await called(['judge', har])).toMatchObject({
      code: 1,
      out: expect.stringMatching(/FAILED.*cards\.list\.shape/),
    });
  });

  test('with the code of a command that fails, where the target keeps to the documents', async () => {
    await using sandbox = await startSandbox();
    const { TARGET_BASE_URL, TOKEN } = await admitted(sandbox);
    const failing = `await fetch(process.env.TARGET_BASE_URL + '/cards/cards', { headers: { authorization: 'Bearer ${TOKEN}' } }); process.exit(7);`;
    const { code } = await called(['proxy', process.execPath, '--input-type=module', '-e', failing], {
      TARGET_BASE_URL,
    });
    expect(code).toBe(7);
  });

  test("a collection of newman's, without a word about the proxy in it", async () => {
    await using sandbox = await startSandbox();
    const { TARGET_BASE_URL, TOKEN } = await admitted(sandbox);
    const collection = join(temporaryDirectory(), 'collection.json');
    const header = [{ key: 'Authorization', value: `Bearer ${TOKEN}` }];
    const item = ['cards/cards?max=2', 'users/customers?max=2'].map((path) => ({
      name: path,
      request: { method: 'GET', header, url: `{{base}}/${path}` },
    }));
    const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
    writeFileSync(collection, JSON.stringify({ info: { name: 'two listings', schema }, item }));
    const newman = `'${tool('newman')}' run '${collection}' --env-var "base=$TARGET_BASE_URL"`;
    const { code, directory } = await called(['proxy', '--', 'bash', '-c', newman], { TARGET_BASE_URL });
    expect(code).toBe(0);
    expect(recordIn(directory).run.seen).toMatchObject([
      { operation: 'users.list', statuses: { 200: 1 } },
      { operation: 'cards.list', statuses: { 200: 1 } },
    ]);
  });

  test('secrets are written where that is asked for and confirmed, and nowhere else', async () => {
    await using sandbox = await startSandbox();
    const given = await admitted(sandbox);
    const raw = join(temporaryDirectory(), 'raw.har');
    const args = ['proxy', '--har-raw', raw, process.execPath, '--input-type=module', '-e', CONSUMER];
    const environment = { ...given, CARDS_URL: 'another' };
    const refused = await called(args, environment, 'no\n');
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('not confirmed') });
    expect(existsSync(raw)).toBe(false);
    const { directory } = await called(['proxy', '--env', 'CARDS_URL=base', ...args.slice(1)], environment, 'yes\n');
    expect(readFileSync(raw, 'utf8')).toContain(given.TOKEN);
    expect(await called(['judge', raw])).toMatchObject({ code: 0 });
    expect(readFileSync(join(directory, 'exchanges.ndjson'), 'utf8')).not.toContain(given.TOKEN);
  });

  test('a port in use', async () => {
    const busy = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => busy.once('listening', resolve));
    const { port } = busy.address() as { port: number };
    const { code, err } = await called(['proxy', '--port', String(port)], { TARGET_BASE_URL: 'http://127.0.0.1:9' });
    busy.close();
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining(`--port: ${port} is in use`) });
  });
});
