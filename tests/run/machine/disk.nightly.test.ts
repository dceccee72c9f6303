/** A disk that is full or not writable loses no verdict and no undoing: with a real file system of a few hundred KiB. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { change, exchange } from '../../../contracts/record.ts';
import { startCleanup, startRun } from '../../../proof/hostile/run.ts';
import { promise } from '../../docs/security/promises.ts';
import { temporaryDirectory } from '../../tools/directory.ts';
import { holding, restorable } from '../interruption/held.ts';

const CAN_MOUNT = process.getuid?.() === 0 && spawnSync('mount', ['--version']).status === 0;

/** A file system of its own that holds so much. */
function smallDisk(kib: number): string {
  const directory = temporaryDirectory();
  expect(spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k`, 'tmpfs', directory]).status).toBe(0);
  onTestFinished(() => void spawnSync('umount', [directory]));
  return directory;
}

/** What a file has to hold that is not half-written, by its name. */
const WHOLE: Record<string, (text: string) => unknown> = {
  'exchanges.ndjson': (text) => linesOf(text).map((line) => exchange.parse(line)),
  'changes.ndjson': (text) => linesOf(text).map((line) => change.parse(line)),
  'conformance.json': JSON.parse,
  'index.html': (text) => expect(text).toMatch(/<\/html>\s*$/),
};

function linesOf(text: string): unknown[] {
  expect(text).toMatch(/^$|\n$/);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

test.skipIf(!CAN_MOUNT).each([0, 40, 150, 600, 1500, 2200, 3000])(
  'a disk of %i KiB: the verdict is printed, what was changed is undone, no file is half-written (skipped: where mount is not allowed)',
  async (kib) => {
    const target = await holding(/no such address/);
    const RUN_REPORT_DIR = join(smallDisk(kib + 4), 'report');
    const ended = await startRun({ ...target.environment, RUN_REPORT_DIR }).ended;
    expect(restorable(target)).toEqual(target.before);
    expect(ended.stdout + ended.stderr).not.toMatch(/\n\s+at .+:\d+:\d+\)?/);
    if (kib === 0) expect(ended.code).toBeOneOf([2, 3]);
    else {
      expect(ended.stdout).toMatch(/^(INCOMPLETE|CONFORMANT) /m);
      expect(ended.code).toBeOneOf([0, 3]);
      const isWhole = ['conformance.json', 'index.html'].every((name) => existsSync(join(ended.reports, name)));
      expect(isWhole || /ENOSPC/.test(ended.stdout + ended.stderr)).toBe(true);
    }
    for (const name of existsSync(ended.reports) ? readdirSync(ended.reports) : []) {
      expect(name).not.toMatch(/^\./);
      WHOLE[name]?.(readFileSync(join(ended.reports, name), 'utf8'));
    }
    if (ended.stdout.includes('cleanup'))
      expect((await startCleanup(target.environment, ended.reports).ended).code).toBeLessThan(2);
    expect(restorable(target)).toEqual(target.before);
    promise('disk', `${kib} KiB`, { attempts: 1, held: 1 });
  },
);

test('a history, a step summary or a report that cannot be written is a note, and the verdict stays', async () => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'file'), '');
  mkdirSync(join(directory, 'reports/index.html'), { recursive: true });
  const attempts: [Record<string, string>, RegExp][] = [
    [{ GITHUB_STEP_SUMMARY: join(directory, 'file/below') }, /GITHUB_STEP_SUMMARY could not be written/],
    [{ GITHUB_STEP_SUMMARY: '/dev/full' }, /GITHUB_STEP_SUMMARY could not be written/],
    [{ RUN_HISTORY: '/proc/nope' }, /\/proc\/nope could not be written/],
    [{ RUN_REPORT_DIR: join(directory, 'reports') }, /index\.html could not be written/],
  ];
  for (const [environment, note] of attempts) {
    const ended = await startRun(environment, ['--only', 'users.get']).ended;
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stdout).toContain('CONFORMANT');
    expect(ended.stderr).toMatch(note);
    expect(existsSync(join(ended.reports, 'conformance.json'))).toBe(true);
    expect(existsSync(join(ended.reports, 'junit.xml'))).toBe(true);
  }
  promise('disk', 'not writable', { attempts: attempts.length, held: attempts.length });
});

test('a baseline that cannot be read ends with 2 before anything is asked or dropped', async () => {
  const directory = temporaryDirectory();
  const target = await holding(/no such address/);
  const environment = { ...target.environment, RUN_REPORT_DIR: join(directory, 'r') };
  expect((await startRun(environment, ['--only', 'users.get']).ended).code).toBe(0);
  const RUN_BASELINE = join(directory, 'baseline.json');
  const state = () => [readFileSync(join(directory, 'r/conformance.json'), 'utf8'), target.met()];
  const before = state();
  const baselines = ['{', '', '[]', '{"schemaVersion":2}', '{"schemaVersion":1}'];
  for (const text of baselines) {
    writeFileSync(RUN_BASELINE, text);
    const ended = await startRun({ ...environment, RUN_BASELINE }).ended;
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^RUN_BASELINE: /m) });
    expect(state()).toEqual(before);
  }
  promise('disk', 'baseline', { attempts: baselines.length, held: baselines.length });
});
