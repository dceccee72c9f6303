/** Claims of the users' pages that a test can try: commands, options, variables, links, sizes, exit codes, files. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { SUBCOMMANDS } from '../../cli/subcommands.ts';
import { CONSUMED } from '../../helpers/cards/pools.ts';
import { SETTINGS, type Setting } from '../../helpers/configuration/settings.ts';
import { startSandbox } from '../../sandbox/index.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { inProcess } from '../tools/in-process.ts';
import { ROOT } from '../tools/root.ts';
import { runHere } from '../tools/run-in-process.ts';

const PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md'].concat(
  readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
);
const textOf = (page: string) => readFileSync(join(ROOT, page), 'utf8');
const found = (pattern: RegExp) =>
  PAGES.flatMap((page) => [...textOf(page).matchAll(pattern)].map(([, one = '']) => ({ page, one })));

const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };

/** What a page calls the tests of its reader. */
const YOUR_SCRIPT = 'test:e2e';

test('every npm script that a page names is there', () => {
  const named = found(/npm run (?:-s )?([a-z][\w:-]*)/g);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter(({ one }) => !(one in scripts) && one !== YOUR_SCRIPT)).toEqual([]);
});

test('every variable that a page names is a setting', () => {
  const known = new Set(Object.values(SETTINGS).map((setting: Setting) => setting.variable));
  const named = found(/\b((?:TARGET|RUN)_[A-Z_]*[A-Z])\b(?!\*)/g);
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ one }) => !known.has(one as 'RUN_RISK'))).toEqual([]);
});

test('every option that a page names is one of a command', async () => {
  const helps = await Promise.all(
    Object.values(SUBCOMMANDS).map(async ({ load }) => {
      const program = await load();
      return () => inProcess(program, ['--help']);
    }),
  );
  let known = '';
  // One at a time: what is printed meanwhile is taken for a command's own.
  for (const help of helps) known += (await help()).stdout;
  // Of vitest and of mutate, which the package does not have.
  const others = ['project', 'part'];
  const named = found(/`[^`\n]*?(?<![\w-])--([a-z][a-z-]+)[^`\n]*`/g).filter(({ page }) => !page.includes('catalogue'));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ one }) => !known.includes(`--${one}`) && !others.includes(one))).toEqual([]);
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
      const file = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path);
      if (!existsSync(file)) return [`${page}: ${link}`];
      const isThere = anchor === undefined || !file.endsWith('.md') || anchors(file).includes(anchor);
      return isThere ? [] : [`${page}: ${link}`];
    }),
  );
  expect(broken).toEqual([]);
});

test('the README says how many cards a run uses up', () => {
  const row = (pool: string) =>
    new RegExp(`\`cards\\.${pool}\` \\| (\\d+)[^|]*\\| ([^|]*) \\|`).exec(textOf('README.md'))!;
  for (const pool of ['disposable', 'unused', 'fraud'] as const) {
    const [, minimum, use] = row(pool);
    expect(Number(minimum), pool).toBe(CONSUMED[pool]);
    expect(use, pool).toContain('used up');
  }
  expect(row('active')[2]).toContain('restored');
});

test('CONTRIBUTING names the limits that the tests hold a run to', () => {
  const [, whole, safe] = /to ([\d,]+) requests, a safe one to (\d+)/.exec(textOf('CONTRIBUTING.md'))!;
  const held = [...textOf('tests/run/whole-runs.test.ts').matchAll(/requests\)\.toBeLessThanOrEqual\((\d+)\)/g)];
  expect(held.map(([, limit]) => limit)).toEqual([whole!.replace(',', ''), safe]);
});

describe('the README says of exit codes and files', () => {
  const directory = temporaryDirectory(afterAll);
  const only = ['--only', 'users.get'];
  const written = () => readdirSync(join(directory, 'report')).sort();

  test.each([
    ['2, where nothing is selected', 2, {}, ['--only', 'users.nothing']],
    ['2, where the configuration is faulty', 2, { TARGET_CLIENT_ID: 'somebody' }, only],
    [
      '2, where nothing is reachable',
      2,
      { TARGET_BASE_URL: 'http://127.0.0.1:9', TARGET_ACCESS_TOKEN: 'token-0001' },
      only,
    ],
  ])('%s', async (_, code, environment, args) => {
    expect((await runHere(environment as Record<string, string>, args, directory)).code).toBe(code);
  });

  test('1, where a must fails that is no known failure; 3, where a must was blocked', async () => {
    await using faulty = await startSandbox({ rules: { money: String } });
    expect((await runHere(faulty.environment, ['--only', 'cards.getBalance.shape'], directory)).code).toBe(1);
    const half = { ...faulty.environment, TARGET_PORTAL_URL: 'http://127.0.0.1:9' };
    expect((await runHere(half, ['--only', 'users.get,portal.getShippingMethods'], directory)).code).toBe(3);
  });

  test('0, where nothing fails; what a run writes, with a baseline and without', async () => {
    expect((await runHere({}, only, directory)).code).toBe(0);
    const plain = ['changes.ndjson', 'conformance.json', 'exchanges.ndjson', 'index.html', 'junit.xml', 'summary.md'];
    expect(written()).toEqual(plain);
    await runHere({}, [...only, '--baseline', relative(directory, join(directory, 'report'))], directory);
    const beside = ['baseline.json', 'comparison.json', 'delta.json', 'delta.md'];
    expect(written()).toEqual([...plain, ...beside].sort());
    for (const name of written()) expect(textOf('README.md')).toContain(`\`${name}\``);
  });
});
