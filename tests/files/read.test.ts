import { spawnSync } from 'node:child_process';
import { existsSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DirectoryInUse, HOLDER, holdDirectory } from '../../files/hold.ts';
import { UnusableFile } from '../../files/open.ts';
import { readFileBytes, readLines, readWholeFile } from '../../files/read.ts';
import { appendToFile, LineFile } from '../../files/write.ts';
import { temporaryDirectory } from '../tools/directory.ts';

test('a pipe, a directory and a device are refused at once, whatever is wanted of them', () => {
  const made = temporaryDirectory();
  const pipe = join(made, 'pipe');
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
  const uses: ((path: string) => unknown)[] = [
    readWholeFile,
    readFileBytes,
    (path) => [...readLines(path)],
    (path) => appendToFile(path, 'text'),
    (path) => new LineFile(path, true),
  ];
  for (const use of uses)
    for (const path of [pipe, made, '/dev/null']) {
      expect(() => use(path)).toThrow(UnusableFile);
      expect(() => use(path)).toThrow(`${path}: is not a file`);
    }
});

test.skipIf(!existsSync('/proc/kallsyms'))(
  'a file of the system that is said to be empty is read within the limit',
  () => {
    expect(() => readFileBytes('/proc/kallsyms', 0.5)).toThrow('is larger than 0.5 MiB');
  },
);

test('lines are those of the file, however the pieces cut them', () => {
  const file = join(temporaryDirectory(), 'lines');
  const lines = ['', 'ä'.repeat(200_000), 'b', '', '€'.repeat(300_001), 'c'];
  for (const end of ['', '\n']) {
    writeFileSync(file, lines.join('\n') + end);
    expect([...readLines(file)]).toEqual(lines);
  }
});

test('the beginning of a long line is not read again with each piece', () => {
  const SIZE = 16 * 1024 * 1024;
  const file = join(temporaryDirectory(), 'long');
  writeFileSync(file, `${'x'.repeat(SIZE)}\n`);
  const copied = { bytes: 0 };
  const concat = Buffer.concat;
  onTestFinished(() => void Object.assign(Buffer, { concat }));
  Buffer.concat = (list, length) => {
    for (const { byteLength } of list) copied.bytes += byteLength;
    return concat(list, length);
  };
  expect([...readLines(file)].map(({ length }) => length)).toEqual([SIZE]);
  expect(copied.bytes).toBeLessThan(2 * SIZE);
});

test('of lines that are continued, one that was cut off is removed, and one without its line break is kept', () => {
  const file = join(temporaryDirectory(), 'lines');
  for (const [before, after] of [
    ['{"a":1}\n{"b":', '{"a":1}\nnext\n'],
    ['{"a":1}\n{"b":2}', '{"a":1}\n{"b":2}\nnext\n'],
    ['{"b":', 'next\n'],
    ['', 'next\n'],
  ] as const) {
    writeFileSync(file, before);
    const lines = new LineFile(file, true);
    lines.write('next');
    lines.close();
    expect(readWholeFile(file)).toBe(after);
  }
});

test('lines are never begun anew over others', () => {
  const made = temporaryDirectory();
  writeFileSync(join(made, 'lines'), 'one\n');
  symlinkSync('lines', join(made, 'link'));
  for (const name of ['lines', 'link']) expect(() => new LineFile(join(made, name), false)).toThrow('EEXIST');
  expect(readWholeFile(join(made, 'lines'))).toBe('one\n');
});

test('a lock with a time in the future is named, with what to do about it', () => {
  const made = temporaryDirectory();
  const lock = join(made, HOLDER);
  const tomorrow = new Date(Date.now() + 86_400_000);
  for (const text of [
    '',
    JSON.stringify({ pid: 1, began: '1', place: 'elsewhere', host: 'elsewhere', what: 'a run' }),
  ]) {
    writeFileSync(lock, text);
    utimesSync(lock, tomorrow, tomorrow);
    expect(() => holdDirectory(made, 'a test')).toThrow(
      `${lock} has a time in the future: remove it if nothing runs there`,
    );
  }
});

test('a directory is held once at a time, in this process too, until it is released', () => {
  const made = temporaryDirectory();
  const release = holdDirectory(made, 'a test');
  expect(() => holdDirectory(made, 'another')).toThrow(DirectoryInUse);
  release();
  holdDirectory(made, 'another')();
});
