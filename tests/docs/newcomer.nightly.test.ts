/** What CONTRIBUTING tells somebody who comes new, done in a copy: the project's own tests pass with an operation, a requirement and a report more. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../tools/directory.ts';
import { ROOT } from '../tools/root.ts';

const LIMIT_MS = 900_000;
const ID = 'cards.getLimits.never-negative';

/** A copy of the working tree, which runs what is installed here. */
function copied(): string {
  const directory = temporaryDirectory();
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', list, { cwd: ROOT });
  const packed = execFileSync('tar', ['-c', '--null', '-T', '-'], { cwd: ROOT, input: files, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x'], { cwd: directory, input: packed });
  // The tests of a page's words list what git tracks.
  execFileSync('git', ['init', '-q'], { cwd: directory });
  execFileSync('git', ['add', '-A'], { cwd: directory });
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  return directory;
}

/** What somebody puts in the place of what is marked. */
const FILLED: readonly [file: string, marked: string | RegExp, filled: string][] = [
  ['contracts/v3/cards.ts', /z\.object\(\{ value: number \}\)(.*) \/\/ FILL IN.*/, 'z.object({ daily: number })$1'],
  ['contracts/v3/cards.ts', /example: \{ value: 500 \} \}, \/\/ FILL IN.*/, 'example: { daily: 500 } },'],
  ['contracts/statements/v3.ts', /text: 'The limits.*/, "text: 'The limits, 200',"],
  ['contracts/statements/v3.ts', /text: 'value is a number'(.*) \/\/ FILL IN.*/, "text: 'daily is a number'$1"],
  ['contracts/statements/v3.ts', /row: 'FILL IN.*/, "row: 'GET .../limits: daily',"],
  ['contracts/statements/v3.ts', /text: 'FILL IN.*/, "text: 'daily is 0 or more',"],
  ['contracts/requirements/cards.ts', /text: 'FILL IN.*/, "text: 'The daily limit of a card is 0 or more',"],
  ['contracts/requirements/cards.ts', / \/\/ FILL IN.*/, ''],
  ['sandbox/v3/cards.ts', /\{ value: 500 \}; \/\/ FILL IN.*/, '{ daily: 500 };'],
  ['proof/second-target/operations/cards.ts', /\{ value: 500 \}\); \/\/ FILL IN.*/, '{ daily: 400 });'],
  ['proof/third-target/operations/cards.ts', /\{ value: 500 \} \}; \/\/ FILL IN.*/, '{ daily: 300 } };'],
  ['proof/faults/v3-reading.ts', / *\/\/ FILL IN.*\n/, ''],
  ['proof/faults/v3-reading.ts', "'FILL IN: wrong'", "'a card has a negative limit'"],
  ['proof/faults/v3-reading.ts', /(cards\.getLimits', \(\) => \(\{ body: \{)\}/, '$1 daily: -1 }'],
  ['suites/v3/cards/never-negative.ts', /FILL IN: what is judged.*/, 'Limits of a card are 0 or more (reading 9). */'],
  ['suites/v3/cards/never-negative.ts', 'FILL IN: what is looked at', 'the daily limit of a card'],
  [
    'suites/v3/cards/never-negative.ts',
    /const answer =[\s\S]*\}\);\n$/,
    `const [identifier] = t.fixtures.cards?.active ?? [];
  const answer = await t.call('cards.getLimits', { path: { identifier: identifier ?? '' } });
  const daily = Number(member(answer, 'daily'));
  if (daily < 0) fail('the daily limit is negative', '0 or more', String(daily), { in: answer });
});
`,
  ],
  ['suites/v3/cards/never-negative.ts', /^import/m, "import { member } from '../../../helpers/answer.ts';\nimport"],
  ['reports/limits.ts', /FILL IN: what it tells whom\./, 'The name of the target, for whoever has to know it.'],
  ['reports/limits.ts', / \/\/ FILL IN/, ''],
];

test(
  'an operation, a requirement and a report are added as CONTRIBUTING says, and the tests of the project pass',
  () => {
    const cwd = copied();
    const run = (command: string, args: readonly string[]) => {
      const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 });
      expect(status, `${command} ${args.join(' ')}\n${stdout.slice(-20_000)}${stderr.slice(-5000)}`).toBe(0);
      return stdout;
    };
    const npm = (...args: string[]) => run('npm', ['run', '--silent', ...args]);
    npm('new', '--', 'operation', 'cards.getLimits');
    npm('new', '--', 'requirement', ID);
    npm('new', '--', 'report', 'limits.txt');
    for (const [file, marked, filled] of FILLED) {
      const before = readFileSync(join(cwd, file), 'utf8');
      const after = before.replace(marked, filled);
      expect(after, `${marked} in ${file}`).not.toBe(before);
      writeFileSync(join(cwd, file), after);
    }
    expect(
      spawnSync('git', ['grep', '-n', 'FILL IN', '--', ':!cli', ':!tests', ':!CONTRIBUTING.md'], {
        cwd,
        encoding: 'utf8',
      }).stdout,
    ).toBe('');
    npm('format');
    npm('publish:catalogue');
    npm('publish:contracts');
    npm('typecheck');
    run('npx', ['vitest', 'run', '--project', 'tests', '--testTimeout', '300000']);
    expect(npm('selfcheck', '--', '--only', ID)).toContain('1 of 1 faulty implementations condemned');
  },
  LIMIT_MS,
);
