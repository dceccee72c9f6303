import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { report } from '../../../cli/report.ts';
import { temporaryDirectory } from '../../tools/directory.ts';
import { inProcess } from '../../tools/in-process.ts';
import { runHere } from '../../tools/run-in-process.ts';
import { sandboxFor } from '../../tools/sandboxes.ts';
import { ran, type Tried, tries } from './trial.ts';

/** What a balance that is a text breaks. */
const BROKEN = 'cards.getBalance.shape';
const broken = () => sandboxFor({ rules: { money: String } });

/** The path of a new file with some text. */
function fileOf(name: string, text: string): string {
  const path = join(temporaryDirectory(), name);
  writeFileSync(path, text);
  return path;
}

const EXIT_CODES: Tried[] = [
  [
    'Whoever means the sandbox says `--embedded`; the first line of terminal, summary and annotations then says that no target was judged.',
    async () => {
      const { code, stdout, reports } = await runHere({ RUN_REQUIRE_TARGET: 'true' }, [
        '--embedded',
        '--only',
        'users.get.status',
      ]);
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: expect.stringMatching(/^\s*The embedded sandbox was judged/),
      });
      expect(readFileSync(join(reports, 'summary.md'), 'utf8').slice(0, 200)).toContain('not of a target');
    },
  ],
  [
    'One that passes is stale, and the run exits with 1.',
    async () => {
      const known = fileOf('known.yaml', '- id: users.get.status\n  reason: seen in May\n');
      const { code, stdout } = await ran('users.get.status', { args: ['--known-failures', known] });
      expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('users.get.status: passes now') });
    },
  ],
  [
    'With `RUN_FAIL_ON=regressions`, a run exits with 1 only if a must that passed in the baseline was selected and no longer passes.',
    async () => {
      const [before, already] = [await ran(BROKEN), await ran(BROKEN, { sandbox: await broken() })];
      const changed = { RUN_FAIL_ON: 'regressions' };
      const codeAfter = async (baseline: string, only: string) =>
        (await ran(only, { sandbox: await broken(), changed, args: ['--baseline', baseline] })).code;
      expect(await codeAfter(before.reports, BROKEN)).toBe(1);
      expect(await codeAfter(already.reports, `${BROKEN},users.get.status`)).toBe(0);
      expect(await codeAfter(before.reports, 'users.get.status')).toBe(0);
    },
  ],
];

const REPORTS: Tried[] = [
  [
    'without it, `summary.md` and `delta.md` link to the file beside them',
    async () => {
      const [page, summary] = ['https://ci.example/index.html', 'summary.md'];
      const sandbox = await broken();
      const textWith = async (args: readonly string[]) =>
        readFileSync(join((await ran(BROKEN, { sandbox, args })).reports, summary), 'utf8');
      expect(await textWith([])).toContain('](index.html#');
      expect(await textWith(['--report-url', page])).toContain(`](${page}#`);
    },
  ],
  [
    '`RUN_HISTORY` names a directory with a file per target and a line per run',
    async () => {
      const history = temporaryDirectory();
      const sandbox = await sandboxFor();
      const linesAfter = async (name: string) => {
        await ran('users.get.status', { sandbox, changed: { RUN_HISTORY: history, TARGET_NAME: name } });
        const files = readdirSync(history).filter((one) => one.endsWith('.ndjson'));
        return files.map((one) => readFileSync(join(history, one), 'utf8').trimEnd().split('\n').length);
      };
      expect(await linesAfter('one')).toEqual([1]);
      expect(await linesAfter('one')).toEqual([2]);
      expect((await linesAfter('two')).toSorted()).toEqual([1, 2]);
    },
  ],
  [
    '`--as DIR` tries the forms that a recorded run tried, whatever the history says by then',
    async () => {
      const [sandbox, changed] = [await sandboxFor(), { RUN_HISTORY: temporaryDirectory() }];
      const tried = async (args: readonly string[]) => {
        const { record, reports } = await ran('users.list.unmatched-name-empty,users.list.padded-filter-value', {
          sandbox,
          changed,
          args,
        });
        return {
          reports,
          forms: (record().run.rotated ?? []).map(({ subject, tried }) => [subject, tried.toSorted()]),
        };
      };
      const [first, second] = [await tried([]), await tried([])];
      expect(second.forms).not.toEqual(expect.arrayContaining(first.forms));
      expect((await tried(['--as', first.reports])).forms).toEqual(expect.arrayContaining(first.forms));
    },
  ],
  [
    'It loads nothing, holds neither secrets nor paths',
    async () => {
      const { environment, reports, directory } = await ran(`${BROKEN},token.issue`, { sandbox: await broken() });
      await inProcess(report, [reports, '--dossier', 'dossier.html'], environment, directory);
      const dossier = readFileSync(join(directory, 'dossier.html'), 'utf8');
      expect(dossier).toContain(BROKEN);
      for (const kept of [directory, environment.TARGET_CLIENT_SECRET!]) expect(dossier).not.toContain(kept);
      expect(dossier).not.toMatch(/<(?:link|script|img|iframe)[^>]* (?:src|href)=|url\((?!["']?data:)/);
    },
  ],
];

tries('docs/ci.md', [...EXIT_CODES, ...REPORTS]);
