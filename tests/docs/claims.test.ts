/** Claims of the users' pages and workflows that a test can try: commands, options, variables, links, sizes, exit codes, files. */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { CATALOGUE, cataloguePage } from '../../cli/catalogue.ts';
import { SUBCOMMANDS } from '../../cli/subcommands.ts';
import { CONSUMED } from '../../helpers/cards/pools.ts';
import { SETTINGS, type Setting } from '../../helpers/configuration/settings.ts';
import { COMPARISONS, REPORTS } from '../../reports/all.ts';
import { CHANGES, CONFORMANCE, EXCHANGES } from '../../reports/record.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { inProcess } from '../tools/in-process.ts';
import { ROOT } from '../tools/root.ts';
import { runHere } from '../tools/run-in-process.ts';
import { sandboxFor } from '../tools/sandboxes.ts';

const PAGES = globSync(['{README,CONTRIBUTING,SECURITY}.md', 'action.yml', 'docs/*.md', 'docs/ci/*.yml'], {
  cwd: ROOT,
});
const textOf = (page: string) => readFileSync(join(ROOT, page), 'utf8');
const found = (pattern: RegExp) =>
  PAGES.flatMap((page) => [...textOf(page).matchAll(pattern)].map(([, one = '']) => ({ page, one })));

const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
const variables = Object.values(SETTINGS).map((setting: Setting) => setting.variable as string);

test.each([
  // What a page calls the tests of its reader is no script of ours.
  ['npm script', /npm run (?:-s )?([a-z][\w:-]*)/g, 30, [...Object.keys(scripts), 'test:e2e']],
  ['variable', /\b((?:TARGET|RUN)_[A-Z_]*[A-Z])\b(?!\*)/g, 100, variables],
])('every %s that a page names is there', (_, pattern, fewest, known) => {
  const named = found(pattern);
  expect(named.length).toBeGreaterThan(fewest);
  expect(named.filter(({ one }) => !known.includes(one))).toEqual([]);
});

test('every option that a page names is one of a command', async () => {
  let known = '';
  // One at a time: what is printed meanwhile is taken for a command's own.
  for (const { load } of Object.values(SUBCOMMANDS)) known += (await inProcess(await load(), ['--help'])).stdout;
  // Of vitest, npm, mutate and selfcheck, which the package does not have.
  const others = ['project', 'legacy-peer-deps', 'part', 'only-variant', 'sample', 'causes'];
  const named = found(/`[^`\n]*?(?<![\w-])--([a-z][a-z-]+)[^`\n]*`/g).filter(({ page }) => !page.includes('catalogue'));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ one }) => !known.includes(`--${one}`) && !others.includes(one))).toEqual([]);
});

test('the catalogue is up to date', async () => {
  expect(textOf(CATALOGUE), 'run npm run publish:catalogue').toBe(await cataloguePage());
});

test('every link between pages leads somewhere', () => {
  const slug = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-');
  const anchors = (file: string) =>
    [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading]) => slug(heading!));
  const broken = PAGES.flatMap((page) =>
    [...textOf(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)]*))?\)/g)].flatMap(([link, path = '', anchor]) => {
      const file = join(ROOT, path === '' ? page : join(dirname(page), path));
      const isThere = existsSync(file) && (!anchor || !file.endsWith('.md') || anchors(file).includes(anchor));
      return isThere ? [] : [`${page}: ${link}`];
    }),
  );
  expect(broken).toEqual([]);
});

test('what is said to write HTTP Archives does: Postman and k6 do not', () => {
  const WRITERS = /browser|Playwright|mitmproxy|hardump|Charles|Insomnia|HTTP Toolkit/gi;
  const [, inReadme = ''] = /judges what (.*) recorded$/m.exec(textOf('README.md'))!;
  const [, inTraffic = ''] = /^(.*) write HTTP Archives/m.exec(textOf('docs/traffic.md'))!;
  for (const names of [inReadme, inTraffic]) expect(names.replace(WRITERS, '')).not.toMatch(/[A-Z]|k6/);
});

test('the README says how many cards a run uses up', () => {
  const saysOf = (pool: string, words: string) => new RegExp(`\`cards\\.${pool}\` \\| ${words}`);
  for (const pool of ['disposable', 'unused', 'fraud'] as const)
    expect(textOf('README.md')).toMatch(saysOf(pool, `${CONSUMED[pool]}\\b[^|]*\\| [^|]*used up[^|]* \\|`));
  expect(textOf('README.md')).toMatch(saysOf('active', '\\d+[^|]*\\| [^|]*restored[^|]* \\|'));
});

test('CONTRIBUTING names the limits that the tests hold a run to', () => {
  const [, whole, safe] = /a test holds them to ([\d,]+) and (\d+)/.exec(textOf('CONTRIBUTING.md'))!;
  const held = [...textOf('tests/run/whole-runs.test.ts').matchAll(/requests\)\.toBeLessThanOrEqual\((\d+)\)/g)];
  expect(held.map(([, limit]) => limit)).toEqual([whole!.replace(',', ''), safe]);
});

const only = ['--only', 'users.get'];
const NOWHERE = 'http://127.0.0.1:9';
const allNowhere = { TARGET_AUTH_URL: NOWHERE, TARGET_BASE_URL: NOWHERE, TARGET_PORTAL_URL: NOWHERE };

test.each([
  ['a must fails that is no known failure', 1, 'cards.getBalance.shape', {}],
  ['nothing is selected', 2, 'users.nothing', {}],
  ['the configuration is faulty', 2, 'users.get', { RUN_RISK: 'any' }],
  ['nothing is reachable', 2, 'users.get', allNowhere],
  ['a must was blocked', 3, 'users.get,portal.getShippingMethods', { TARGET_PORTAL_URL: NOWHERE }],
])('a run where %s ends with %i', async (_, code, selected, changed) => {
  const { environment } = await sandboxFor({ rules: { money: String } });
  expect((await runHere({ ...environment, ...changed }, ['--only', selected])).code).toBe(code);
});

test('a run where nothing fails ends with 0, and writes the files that the README names, with a baseline and without', async () => {
  const directory = temporaryDirectory();
  const written = () => readdirSync(join(directory, 'report')).sort();
  expect((await runHere({}, only, directory)).code).toBe(0);
  const plain = [CHANGES, CONFORMANCE, EXCHANGES, ...REPORTS.map(({ file }) => file)].sort();
  expect(written()).toEqual(plain);
  await runHere({}, [...only, '--baseline', relative(directory, join(directory, 'report'))], directory);
  const beside = ['baseline.json', ...COMPARISONS.map(({ file }) => file)];
  expect(written()).toEqual([...plain, ...beside].sort());
  for (const name of written()) expect(textOf('README.md')).toContain(`\`${name}\``);
});
