import { spawnSync } from 'node:child_process';
import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DirectoryInUse, HOLDER, holdDirectory } from '../../files/hold.ts';
import { UnusableFile } from '../../files/open.ts';
import { readFileBytes, readLines, readWholeFile } from '../../files/read.ts';
import { appendToFile, LineFile } from '../../files/write.ts';
import { temporaryDirectory } from '../tools/directory.ts';

test.each<(path: string) => unknown>([
  readWholeFile,
  readFileBytes,
  (path) => [...readLines(path)],
  (path) => appendToFile(path, 'text'),
  (path) => new LineFile(path, true),
])('a pipe, a directory and a device are refused at once, whatever is wanted of them, case %#', (use) => {
  const made = temporaryDirectory();
  const pipe = join(made, 'pipe');
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
  for (const path of [pipe, made, '/dev/null']) {
    expect(() => use(path)).toThrow(UnusableFile);
    expect(() => use(path)).toThrow(`${path}: is not a file`);
  }
});

const KALLSYMS = '/proc/kallsyms';
test.skipIf(!existsSync(KALLSYMS))('a file of the system that is said to be empty is read within the limit', () => {
  expect(() => readFileBytes(KALLSYMS, 0.5)).toThrow('is larger than 0.5 MiB');
});

test.each(['', '\n'])('lines are those of the file, however the pieces cut them, with %j in the end', (end) => {
  const file = join(temporaryDirectory(), 'lines');
  const lines = ['', 'ä'.repeat(200_000), 'b', '', '€'.repeat(300_001), 'c'];
  writeFileSync(file, lines.join('\n') + end);
  expect([...readLines(file)]).toEqual(lines);
});

test('the beginning of a long line is not read again with each piece', () => {
  const SIZE = 16 * 1024 * 1024;
  const file = join(temporaryDirectory(), 'long');
  writeFileSync(file, `${'x'.repeat(SIZE)}\n`);
  const concat = vi.spyOn(Buffer, 'concat');
  onTestFinished(() => concat.mockRestore());
  expect([...readLines(file)].map(({ length }) => length)).toEqual([SIZE]);
  const copied = concat.mock.calls.flatMap(([pieces]) => pieces.map(({ byteLength }) => byteLength));
  expect(copied.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(2 * SIZE);
});

const elsewhere = { pid: 1, began: '1', place: 'elsewhere', host: 'elsewhere', what: 'a run' };
test.each(['', JSON.stringify(elsewhere)])('a lock with a time in the future is named, with what to do: %j', (text) => {
  const made = temporaryDirectory();
  const lock = join(made, HOLDER);
  const tomorrow = new Date(Date.now() + 86_400_000);
  writeFileSync(lock, text);
  utimesSync(lock, tomorrow, tomorrow);
  const message = `${lock} has a time in the future: remove it if nothing runs there`;
  expect(() => holdDirectory(made, 'a test')).toThrow(message);
});

test('a directory is held once at a time, in this process too, until it is released', () => {
  const made = temporaryDirectory();
  const release = holdDirectory(made, 'a test');
  expect(() => holdDirectory(made, 'another')).toThrow(DirectoryInUse);
  release();
  holdDirectory(made, 'another')();
});
