import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { holdDirectory } from '../../files/hold.ts';
import { LineFile, makeDirectory, writeNamedFile, writeWholeFile } from '../../files/write.ts';
import { temporaryDirectory } from '../tools/directory.ts';

test('a file is written whole, in a directory that is made, and leaves nothing beside it', () => {
  const made = temporaryDirectory();
  const file = join(made, 'a/b/c.txt');
  writeWholeFile(file, 'one');
  writeWholeFile(file, 'two');
  expect(readFileSync(file, 'utf8')).toBe('two');
  expect(readdirSync(join(made, 'a/b'))).toEqual(['c.txt']);
});

test('a link is replaced, and what it leads to stays; where a person named it, it is followed', () => {
  const made = temporaryDirectory();
  const [real, link] = [join(made, 'real'), join(made, 'link')];
  writeFileSync(real, 'one');
  symlinkSync('real', link);
  expect(() => new LineFile(link, true)).toThrow('is a link; remove it');
  writeNamedFile(link, 'two');
  expect(readFileSync(real, 'utf8')).toBe('two');
  writeWholeFile(link, 'three');
  expect(readFileSync(real, 'utf8')).toBe('two');
  expect(readFileSync(link, 'utf8')).toBe('three');
});

test('what cannot be written leaves what stood there', () => {
  const made = temporaryDirectory();
  mkdirSync(join(made, 'there'));
  writeFileSync(join(made, 'there/file'), 'one');
  expect(() => writeWholeFile(join(made, 'there/file/below'), 'two')).toThrow(/ENOTDIR|EEXIST/);
  expect(readFileSync(join(made, 'there/file'), 'utf8')).toBe('one');
  expect(() => writeNamedFile('/dev/full', 'two')).toThrow('ENOSPC');
  chmodSync(join(made, 'there'), 0o755);
});

test('a directory that cannot be made is an error at once', () => {
  expect(() => makeDirectory('/proc/nope/below')).toThrow('ENOENT');
  const made = temporaryDirectory();
  makeDirectory(join(made, 'a/b'));
  makeDirectory(join(made, 'a/b'));
  expect(existsSync(join(made, 'a/b'))).toBe(true);
});

test('lines are added to those of before', () => {
  const made = join(temporaryDirectory(), 'lines');
  const lines = new LineFile(made, false);
  lines.write('one');
  lines.close();
  const more = new LineFile(made, true);
  more.write('two');
  more.close();
  expect(readFileSync(made, 'utf8')).toBe('one\ntwo\n');
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
  expect(spawnSync('sh', limited, { encoding: 'utf8', env: { PATH: process.env.PATH } })).toMatchObject({
    status: 0,
    stderr: '',
  });
  expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n');
});

test.skipIf(!existsSync('/proc/self'))('a directory that cannot be made is named, with what chooses another', () => {
  expect(() => holdDirectory('/proc/reports', 'a test')).toThrow(
    /^\/proc\/reports: cannot be written \(.*\); choose another directory \(RUN_REPORT_DIR, --report-dir\)$/,
  );
});
