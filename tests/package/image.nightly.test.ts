/** The steps of the Dockerfile, in folders instead of images, as the user who runs the tests. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startNode } from '../../proof/hostile/run.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { ROOT } from '../tools/root.ts';

const directory = temporaryDirectory(afterAll);
const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };

/** The files of the clone, as `COPY . .` takes them. */
const tracked = () =>
  execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean);

/** Where a path of an image is in the folder that stands for it. */
const inFolder = (folder: string, text: string) =>
  text.replaceAll(/(?<![\w.])\/(?=(?:suite|packed|out|root)\b)/g, `${folder}/`);

/** Carries out the steps that make files. @returns the folder of the last stage, and the words of its entry point */
function built(): { image: string; entry: string[] } {
  let image = '';
  let entry: string[] = [];
  for (const [, step, text = ''] of readFileSync(join(ROOT, 'Dockerfile'), 'utf8').matchAll(/^([A-Z]+) (.*)$/gm)) {
    if (step === 'FROM') {
      image = join(directory, / AS (\w+)$/.exec(text)?.[1] ?? 'image');
      mkdirSync(join(image, 'suite'), { recursive: true });
    }
    const cwd = join(image, 'suite');
    if (step === 'RUN') {
      const script = inFolder(image, text.replace(/ && chown .*$/, ''));
      execFileSync('bash', ['-euc', script], { cwd, env, stdio: 'ignore' });
    }
    if (step === 'COPY') copy(text, cwd);
    if (step === 'ENTRYPOINT') entry = JSON.parse(inFolder(image, text));
  }
  return { image, entry };
}

function copy(text: string, cwd: string): void {
  const [, stage, from = ''] = /^--from=(\w+) (\S+) \.\/$/.exec(text) ?? [];
  if (stage) cpSync(inFolder(join(directory, stage), from), cwd, { recursive: true });
  else
    for (const file of text === '. .' ? tracked() : text.split(' ').slice(0, -1))
      cpSync(join(ROOT, file), join(cwd, file));
}

test('each package of the image is the one of the lock file, and the image runs', async () => {
  const { image, entry } = built();
  const packagesOf = (path: string) =>
    JSON.parse(readFileSync(path, 'utf8')).packages as Record<string, { version: string }>;
  const installed = packagesOf(join(image, 'suite/node_modules/.package-lock.json'));
  const locked = packagesOf(join(ROOT, 'package-lock.json'));
  expect(Object.keys(installed).length).toBeGreaterThan(30);
  for (const [path, { version }] of Object.entries(installed)) expect(version, path).toBe(locked[path]?.version);
  expect(Object.keys(installed)).not.toContain('node_modules/typescript');
  const [, ...args] = entry;
  const { code, stdout, stderr } = await startNode([...args, '--only', 'users.get'], {}).ended;
  expect(code, stdout + stderr).toBe(0);
  expect(stdout).toContain('CONFORMANT');
});
