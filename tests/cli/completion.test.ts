import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { completion } from '../../cli/completion.ts';
import { SUBCOMMANDS } from '../../cli/subcommands.ts';
import { SETTINGS } from '../../helpers/configuration/settings.ts';
import { name as NAME } from '../../helpers/manifest.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { inProcess } from '../tools/in-process.ts';

const scripts: Record<string, string> = {};
const dir = temporaryDirectory(afterAll);

beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout, stderr } = await inProcess(completion, [shell]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    scripts[shell] = stdout;
  }
  writeFileSync(join(dir, 'completion.bash'), scripts.bash!);
  mkdirSync(join(dir, 'reports'));
}, 60_000);

/** What bash offers for a line, as it does for whoever presses Tab at its end. */
function offered(...words: string[]): string[] {
  const ask = `
    source "$1/completion.bash" && cd "$1" && shift
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _${NAME.replaceAll('-', '_')} && printf '%s\\n' "\${COMPREPLY[@]}"`;
  const args = ['--noprofile', '--norc', '-c', ask, 'bash', dir, NAME, ...words];
  const { stdout, stderr } = spawnSync('bash', args, { encoding: 'utf8', env: { PATH: process.env.PATH } });
  expect(stderr).toBe('');
  return stdout.split('\n').filter(Boolean);
}

test('bash offers subcommands first', () => {
  expect(offered('')).toEqual([...Object.keys(SUBCOMMANDS), 'help']);
  expect(offered('ver')).toEqual(['verify', 'verify-pact']);
});

test.each([
  [['--ris'], ['--risk']],
  [['run', '--ris'], ['--risk']],
  [
    ['run', '--risk', ''],
    ['safe', 'reversible', 'irreversible'],
  ],
  [['--risk', 'rev'], ['reversible']],
  [['report', 'reports', '--doss'], ['--dossier']],
  [['compare', 'a', 'b', '--format', 'm'], ['markdown']],
  [['explain', 'cards.getBalance.sh'], ['cards.getBalance.shape']],
  [['run', '--only', 'cards.getBalance.sh'], ['cards.getBalance.shape']],
  // Files, by bash itself.
  [['report', 'rep'], []],
  [['report', 'reports', '--har', ''], []],
])('bash offers for %j what fits', (words, fitting) => {
  expect(offered(...words)).toEqual(fitting);
});

test('every script knows every option of a run', () => {
  for (const [shell, script] of Object.entries(scripts))
    for (const { option } of Object.values(SETTINGS) as { option?: string }[])
      if (option) expect(script, shell).toContain(shell === 'fish' ? ` -l ${option} ` : ` --${option}`);
});

test('zsh has the script of bash, by its own compatibility with it', () => {
  expect(scripts.zsh!.endsWith(scripts.bash!)).toBe(true);
  expect(scripts.zsh).toMatch(/^autoload -Uz compinit bashcompinit\n/);
});

test('the script of fish quotes what it says', () => {
  for (const line of scripts.fish!.trim().split('\n'))
    expect(line.replace(/'(?:[^'\\]|\\.)*'|"\$conformance_ids"/g, '')).not.toMatch(/['"`$;|&()<>]/);
});

test('another shell ends with 2 and one line', async () => {
  const { code, stderr } = await inProcess(completion, ['ksh']);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^.*bash, zsh, fish.*\n$/) });
});
