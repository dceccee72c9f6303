/** A disk that is full loses no verdict and no undoing: with a real file system of a few hundred KiB. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { change, exchange } from '../../../contracts/record.ts';
import { startCleanup, startRun } from '../../../proof/hostile/run.ts';
import { startProxy } from '../../../run/index.ts';
import { RawHar } from '../../../run/raw-har.ts';
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

test.skipIf(!CAN_MOUNT)(
  'a full disk ends no proxy: what passes is judged, and the archive holds whole exchanges (skipped: where mount is not allowed)',
  async () => {
    const disk = smallDisk(300);
    const file = join(disk, 'raw.har');
    const said: string[] = [];
    const archive = new RawHar(file, (reason) => said.push(reason));
    const body = Buffer.alloc(50_000, 'x');
    const exchange = { method: 'GET', url: 'http://target.invalid/cards/cards/1', sentAt: 0, durationMs: 1 };
    for (let times = 0; times < 20; times++)
      archive.add({ ...exchange, request: { headers: {} }, response: { status: 200, headers: {}, body } });
    archive.close();
    expect(said).toEqual([expect.stringContaining('ENOSPC'), expect.stringMatching(/^1\d exchanges are missing/)]);
    const { log } = JSON.parse(readFileSync(file, 'utf8'));
    expect(log.entries.length + Number(said[1]!.slice(0, 2))).toBe(20);
    const target = await holding(/no such address/);
    const { TARGET_BASE_URL } = target.environment;
    const reportDir = join(disk, 'report');
    const proxy = await startProxy({ target: { baseUrl: TARGET_BASE_URL! }, reportDir });
    for (let times = 0; times < 3; times++)
      expect((await fetch(`${proxy.environment.TARGET_BASE_URL}/cards/cards`)).status).toBe(401);
    await expect(proxy.end()).rejects.toThrow('ENOSPC');
  },
);
