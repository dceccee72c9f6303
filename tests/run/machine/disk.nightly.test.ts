/** A disk that is full or not writable loses no verdict and no undoing: with a real file system of a few hundred KiB. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { change, exchange } from '../../../contracts/record.ts';
import { startCleanup, startRun } from '../../../proof/hostile/run.ts';
import { promise } from '../../docs/security/promises.ts';
import { temporaryDirectory } from '../../tools/directory.ts';
import { holding, restorable } from '../interruption/held.ts';

/** A file system of its own that holds so much; undefined where nobody may mount one. */
function smallDisk(kib: number): string | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'disk-'));
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k`, 'tmpfs', directory]).status === 0;
  onTestFinished(() => {
    if (isMounted) spawnSync('umount', [directory]);
    rmSync(directory, { recursive: true, force: true });
  });
  return isMounted ? directory : undefined;
}

const CAN_MOUNT = process.getuid?.() === 0 && spawnSync('mount', ['--version']).status === 0;

const wholeLines = (file: string) => {
  const text = readFileSync(file, 'utf8');
  expect(text === '' || text.endsWith('\n')).toBe(true);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);
};

test.skipIf(!CAN_MOUNT).each([0, 40, 150, 600, 1500, 2200, 3000])(
  'a disk of %i KiB: the verdict is printed, what was changed is undone, no file is half-written (skipped: where mount is not allowed)',
  async (kib) => {
    const disk = smallDisk(kib + 4)!;
    const target = await holding(/no such address/);
    const environment = { ...target.environment, RUN_RISK: 'reversible', RUN_REPORT_DIR: join(disk, 'report') };
    const ended = await startRun(environment).ended;
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
      const file = join(ended.reports, name);
      expect(name).not.toMatch(/^\./);
      if (name === 'exchanges.ndjson') for (const line of wholeLines(file)) exchange.parse(line);
      if (name === 'changes.ndjson') for (const line of wholeLines(file)) change.parse(line);
      if (name === 'conformance.json') JSON.parse(readFileSync(file, 'utf8'));
      if (name === 'index.html') expect(readFileSync(file, 'utf8')).toMatch(/<\/html>\s*$/);
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
  chmodSync(directory, 0o755);
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
  const first = await startRun({ ...target.environment, RUN_REPORT_DIR: join(directory, 'r') }, ['--only', 'users.get'])
    .ended;
  expect(first.code).toBe(0);
  const before = readFileSync(join(directory, 'r/conformance.json'), 'utf8');
  const baselines = ['{', '', '[]', '{"schemaVersion":2}', '{"schemaVersion":1}'];
  for (const text of baselines) {
    writeFileSync(join(directory, 'baseline.json'), text);
    const { length } = JSON.stringify(target.sandbox.state());
    const ended = await startRun({
      ...target.environment,
      RUN_REPORT_DIR: join(directory, 'r'),
      RUN_BASELINE: join(directory, 'baseline.json'),
    }).ended;
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^RUN_BASELINE: /m) });
    expect(JSON.stringify(target.sandbox.state())).toHaveLength(length);
    expect(readFileSync(join(directory, 'r/conformance.json'), 'utf8')).toBe(before);
  }
  promise('disk', 'baseline', { attempts: baselines.length, held: baselines.length });
});
