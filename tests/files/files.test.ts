import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DirectoryInUse, HOLDER, holdDirectory } from '../../files/hold.ts';
import { UnusableFile } from '../../files/open.ts';
import { readFileBytes, readLines, readWholeFile } from '../../files/read.ts';
import { appendToFile, LineFile, makeDirectory, writeNamedFile, writeWholeFile } from '../../files/write.ts';
import { temporaryDirectory } from '../tools/directory.ts';

const textOf = (file: string) => readFileSync(file, 'utf8');

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

test('a file is written whole, in a directory that is made, and leaves nothing beside it', () => {
  const made = temporaryDirectory();
  const file = join(made, 'a/b/c.txt');
  writeWholeFile(file, 'one');
  writeWholeFile(file, 'two');
  expect(textOf(file)).toBe('two');
  expect(readdirSync(join(made, 'a/b'))).toEqual(['c.txt']);
});

test('a link is replaced, and what it leads to stays; where a person named it, it is followed', () => {
  const made = temporaryDirectory();
  const [real, link] = [join(made, 'real'), join(made, 'link')];
  writeFileSync(real, 'one');
  symlinkSync('real', link);
  expect(() => new LineFile(link, true)).toThrow('is a link; remove it');
  writeNamedFile(link, 'two');
  writeWholeFile(link, 'three');
  expect([textOf(real), textOf(link)]).toEqual(['two', 'three']);
});

test('what cannot be written leaves what stood there', () => {
  const file = join(temporaryDirectory(), 'file');
  writeFileSync(file, 'one');
  expect(() => writeWholeFile(join(file, 'below'), 'two')).toThrow(/ENOTDIR|EEXIST/);
  expect(textOf(file)).toBe('one');
  expect(() => writeNamedFile('/dev/full', 'two')).toThrow('ENOSPC');
});

test('a directory that cannot be made is an error at once, which a holder names with what chooses another', () => {
  expect(() => makeDirectory('/proc/nope/below')).toThrow('ENOENT');
  expect(() => holdDirectory('/proc/reports', 'a test')).toThrow(
    /^\/proc\/reports: cannot be written \(.*\); choose another directory \(RUN_REPORT_DIR, --report-dir\)$/,
  );
  const made = join(temporaryDirectory(), 'a/b');
  for (const _ of ['once', 'twice']) makeDirectory(made);
  expect(existsSync(made)).toBe(true);
});

test.each([
  ['{"a":1}\n', '{"a":1}\nnext\n'],
  ['{"a":1}\n{"b":', '{"a":1}\nnext\n'],
  ['{"a":1}\n{"b":2}', '{"a":1}\n{"b":2}\nnext\n'],
  ['{"b":', 'next\n'],
  ['', 'next\n'],
])('lines are added to %j: one that was cut off is removed, one without its line break is kept', (before, after) => {
  const file = join(temporaryDirectory(), 'lines');
  writeFileSync(file, before);
  const lines = new LineFile(file, true);
  lines.write('next');
  lines.close();
  expect(textOf(file)).toBe(after);
});

test('lines are never begun anew over others', () => {
  const made = temporaryDirectory();
  writeFileSync(join(made, 'lines'), 'one\n');
  symlinkSync('lines', join(made, 'link'));
  for (const name of ['lines', 'link']) expect(() => new LineFile(join(made, name), false)).toThrow('EEXIST');
  expect(textOf(join(made, 'lines'))).toBe('one\n');
});

test('a line that fits only in part is taken back, and the next one follows on the last whole one', () => {
  const file = join(temporaryDirectory(), 'lines');
  // A limit on the size of files, as a disk that is full for the moment; SIGXFSZ is ignored, so that writing fails.
  const script = `
    process.on('SIGXFSZ', () => {});
    const { LineFile } = await import(${JSON.stringify(import.meta.resolve('../../files/write.ts'))});
    const lines = new LineFile(${JSON.stringify(file)}, false);
    lines.write('one');
    try { lines.write('x'.repeat(4096)); process.exit(3); } catch {}
    lines.write('two');`;
  const limited = ['-c', 'ulimit -f 1 && exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', script];
  const { status, stderr } = spawnSync('sh', limited, { encoding: 'utf8', env: { PATH: process.env.PATH } });
  expect([status, stderr]).toEqual([0, '']);
  expect(textOf(file)).toBe('one\ntwo\n');
});
