/** The commands work from a clone that belongs to somebody else and cannot be written, as in the image. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { promise } from '../../docs/security/promises.ts';
import { temporaryDirectory } from '../../tools/directory.ts';
import { ROOT } from '../../tools/root.ts';

/** Nobody. */
const USER = 65534;

const IS_ROOT = process.getuid?.() === 0;

test.skipIf(!IS_ROOT)('every command, as another user (skipped: where the tests are not run by root)', () => {
  const [clone, out] = [temporaryDirectory(), temporaryDirectory()];
  chmodSync(out, 0o777);
  const copy = `git -C ${ROOT} ls-files -z | tar -C ${ROOT} -c --null -T - | tar -x`;
  expect(spawnSync('bash', ['-o', 'pipefail', '-c', copy], { cwd: clone }).status).toBe(0);
  symlinkSync(realpathSync(join(ROOT, 'node_modules')), join(clone, 'node_modules'));
  spawnSync('chmod', ['-R', 'a+rX,a-w', clone]);
  const report = join(out, 'report');
  const run = (...command: string[]) =>
    spawnSync(command[0]!, command.slice(1), {
      cwd: clone,
      uid: USER,
      gid: USER,
      encoding: 'utf8',
      env: {
        PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
        HOME: out,
        npm_config_cache: join(out, 'npm'),
        RUN_REPORT_DIR: report,
        RUN_RISK: 'safe',
      },
    });
  const attempts = [
    ['npm', 'start', '--silent', '--'],
    ['npx', 'vitest', 'run', '--project', 'conformance', '--configLoader', 'runner'],
    ['npm', 'run', 'report', '--', report],
    ['npm', 'run', 'report:allure', '--', report, '--out', join(out, 'allure')],
    ['npm', 'run', 'compare', '--', report, report],
    ['npm', 'run', 'doctor'],
    ['npm', 'run', 'list'],
  ];
  for (const command of attempts) {
    const { status, stdout, stderr } = run(...command);
    expect(status, `${command.join(' ')}: ${stderr.slice(-2000)}${stdout.slice(-500)}`).toBe(0);
    expect(stderr).not.toMatch(/\n\s+at .+:\d+:\d+\)?/);
  }
  expect(readFileSync(join(report, 'conformance.json'), 'utf8')).toContain('"verdict": "conformant"');
  expect(existsSync(join(out, 'allure/index.html'))).toBe(true);
  promise('machine', 'read-only clone', { attempts: attempts.length, held: attempts.length });
});
