/** Report directories that somebody else made, given to every command that takes one. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { REPORTS } from '../../../reports/all.ts';
import { promise } from '../../docs/security/promises.ts';
import { CHROMIUM, launch, SKIPPED } from '../../reports/browser/chromium.ts';
import { HOSTILE } from '../../reports/record-builder.ts';
import { suspending } from '../../run/interruption/held.ts';
import { ROOT } from '../../tools/root.ts';
import type { Done } from './commands.ts';

const base = mkdtempSync(join(tmpdir(), 'foreign-'));
const own = join(base, 'own');

const node = (cwd: string, script: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(ROOT, script), ...args], {
    cwd,
    encoding: 'utf8',
    timeout: 60_000,
    killSignal: 'SIGKILL',
    env: {
      PATH: process.env.PATH,
      HOME: cwd,
      GITHUB_ACTIONS: 'true',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    },
  });

/** Runs a command that has to end with 0. */
function program(...args: string[]): void {
  const { status, stderr } = node(base, 'cli/start.js', ...args);
  expect(status, stderr).toBe(0);
}

beforeAll(() => program('run', '--only', 'token,users.get', '--risk', 'safe', '--report-dir', own));
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** Does something to a report directory, perhaps with a file of its reader. */
type Spoil = (directory: string, victim: string) => void;

const replaced =
  (name: string, make: (file: string, victim: string) => void): Spoil =>
  (directory, victim) => {
    const file = join(directory, name);
    rmSync(file, { recursive: true, force: true });
    make(file, victim);
  };
const rewritten =
  (name: string, rewrite: (text: string) => string): Spoil =>
  (directory) => {
    const file = join(directory, name);
    writeFileSync(file, rewrite(readFileSync(file, 'utf8')));
  };

const pipe = (file: string) => void spawnSync('mkfifo', [file]);
const link = (file: string, to: string) => symlinkSync(to, file);

/** The JSON with hostile text in every string that is free. */
function hostileJson(text: string): string {
  const free =
    /^(?:message|reason|name|version|text|value|subject|notes|check|body|detail|expected|actual|section|document|url|incompleteBecause)$/;
  const walk = (value: unknown, key = ''): unknown => {
    if (typeof value === 'string') return free.test(key) ? `${value.slice(0, 20)} ${HOSTILE}` : value;
    if (Array.isArray(value)) return value.map((item) => walk(item, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, walk(member, name)]));
  };
  return JSON.stringify(walk(JSON.parse(text)));
}

const everyTextHostile: Spoil = (directory, victim) => {
  rewritten('conformance.json', hostileJson)(directory, victim);
  rewritten('exchanges.ndjson', (text) => text.replaceAll(/.+/g, hostileJson))(directory, victim);
};

/** A copy of the own directory in which every text is hostile, its reports made again. */
function hostileReports(name: string): string {
  const directory = join(base, name);
  cpSync(own, directory, { recursive: true });
  everyTextHostile(directory, '');
  program('report', directory);
  return directory;
}

const CHANGE = { ...suspending('\n::error file=x::owned', HOSTILE), check: HOSTILE };

const RECORD = ['conformance.json', 'exchanges.ndjson', 'changes.ndjson'];
const of = (names: string[], what: string, spoil: (name: string) => Spoil) =>
  names.map((name): [string, Spoil] => [`${name} ${what}`, spoil(name)]);

/** What somebody may have put into a directory. */
const SPOILS: [string, Spoil][] = [
  ...of([...RECORD, 'index.html', '.in-use', 'baseline.json', 'unfinished.json'], 'is a pipe', (name) =>
    replaced(name, pipe),
  ),
  ...of(
    [...RECORD, ...REPORTS.map(({ file }) => file), 'baseline.json', '.in-use'],
    'leads to a file of the reader',
    (name) => replaced(name, link),
  ),
  ...of(RECORD, 'leads to a device', (name) => replaced(name, (file) => link(file, '/dev/zero'))),
  ...of(RECORD, 'is a directory', (name) => replaced(name, (file) => mkdirSync(file))),
  ...of(RECORD, 'holds NUL bytes', (name) => rewritten(name, (text) => `\0\0\0${text}`)),
  ...of(RECORD, 'is nested 200,000 deep', (name) => rewritten(name, () => `${'[{"a":'.repeat(200_000)}\n`)),
  ...of(RECORD, 'is cut off', (name) => rewritten(name, (text) => text.slice(0, -20))),
  [
    'a killed run left a pipe',
    (directory, victim) => {
      renameSync(join(directory, 'conformance.json'), join(directory, 'unfinished.json'));
      replaced('exchanges.ndjson', pipe)(directory, victim);
    },
  ],
  [
    'members pollute',
    rewritten('conformance.json', (text) =>
      text.replace('{', '{"__proto__":{"schemaVersion":7,"a":1},"constructor":{"prototype":{"a":1}},'),
    ),
  ],
  [
    'headers pollute',
    rewritten('exchanges.ndjson', (text) =>
      text.replaceAll('"headers":{', '"headers":{"__proto__":"x","constructor":"y","toString":"z",'),
    ),
  ],
  ['every text is hostile', everyTextHostile],
  ['a change is hostile', rewritten('changes.ndjson', () => `${JSON.stringify(CHANGE)}\n`)],
];

const commandsOn = (directory: string): string[][] => [
  ['report', directory],
  [
    'report',
    directory,
    '--dossier',
    join(directory, '../dossier.html'),
    '--attest',
    join(directory, '../statement.json'),
  ],
  ['verify', directory],
  ['compare', own, directory],
  ['matrix', own, directory, '--out', join(directory, '../matrix.html')],
  ['merge', directory, '--out', join(directory, '../merged')],
  ['cleanup', directory],
];

// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal acts on is looked for
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]/;

test.each(SPOILS)('%s', (name, spoil) => {
  const place = mkdtempSync(join(base, 'spoilt-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const victims = commandsOn('').map((_, index) => join(place, `bashrc${index}`));
  const commands = victims.map((victim, index) => {
    const directory = join(place, `d${index}`);
    writeFileSync(victim, 'own text of the reader\n');
    cpSync(own, directory, { recursive: true });
    spoil(directory, victim);
    return commandsOn(directory)[index]!;
  });
  // In a process of their own, which nothing in these directories ends or keeps from ending.
  const { signal, stdout, stderr } = node(place, 'tests/cli/foreign/commands.ts', JSON.stringify(commands));
  const done = stdout.split('\n').filter(Boolean);
  expect({ signal, stderr, done: done.length }).toEqual({ signal: null, stderr: '', done: commands.length });
  for (const { code, printed } of done.map((line) => JSON.parse(line) as Done)) {
    expect(code, printed).toBeOneOf([0, 1, 2]);
    expect(printed).not.toMatch(/\n\s+at .+:\d+:\d+\)?/);
    expect(printed).not.toMatch(CONTROLS);
    expect(printed).not.toMatch(/\r|^::error file=x/m);
  }
  for (const [index, victim] of victims.entries())
    expect(readFileSync(victim, 'utf8'), `${commands[index]} follows a link`).toBe('own text of the reader\n');
  promise('foreign', name, { attempts: done.length, held: done.length });
});

test('Markdown, JUnit and the log of a build server take no text of a record for markup or commands', () => {
  const directory = hostileReports('views');
  const views = [
    readFileSync(join(directory, 'summary.md'), 'utf8'),
    readFileSync(join(directory, 'junit.xml'), 'utf8'),
    node(base, 'cli/start.js', 'compare', own, directory, '--format', 'markdown').stdout,
  ];
  // What stands in a span of code is shown as it is.
  for (const view of views.map((one) => one.replaceAll(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, ''))) {
    expect(view).not.toMatch(/<script|<img|^::error/m);
    if (!view.startsWith('<?xml')) expect(view).not.toMatch(/(?<!\\)\[x\]\(javascript:/);
    expect(view).not.toMatch(CONTROLS);
  }
  promise('views', 'of hostile records', { attempts: views.length, held: views.length });
});

test.skipIf(!CHROMIUM)(`pages of hostile records run nothing, load nothing, ask nothing${SKIPPED}`, async () => {
  const directory = hostileReports('hostile');

  const pages = ['hostile/index.html', 'dossier.html', 'matrix.html', 'comparison.html', 'allure/index.html'];
  const [, dossier, matrix, comparison] = pages.map((page) => join(base, page)) as [string, string, string, string];
  program('report', directory, '--dossier', dossier);
  program('matrix', own, directory, '--out', matrix);
  node(base, 'cli/start.js', 'compare', own, directory, '--format', 'html', '--out', comparison);
  program('report-allure', directory, '--out', join(base, 'allure'));
  // The history of the first spoils no second one.
  program('report-allure', own, '--out', join(base, 'allure-of-own'));
  const browser = await launch();
  onTestFinished(() => browser.close());
  for (const path of pages) {
    const complaints: string[] = [];
    const asked = new Set<string>();
    const page = await browser.newPage();
    page.setDefaultTimeout(0);
    page.on('dialog', (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!/^(?:file|data|blob|about):/.test(request.url())) asked.add(request.url());
    });
    // What the page's own policy forbids is not sent.
    page.on('requestfailed', (request) => {
      if (request.failure()?.errorText === 'csp') asked.delete(request.url());
    });
    await page.goto(`file://${join(base, path)}`);
    // Allure shows the texts of a check once it is chosen.
    if (path.startsWith('allure')) {
      const [groups, checks] = [page.getByTestId('tree-section'), page.getByTestId('tree-leaf')];
      await groups.last().waitFor();
      for (let level = 0; level < 3; level++) {
        await groups.last().dispatchEvent('click');
        await page.waitForTimeout(100);
      }
      await checks.last().dispatchEvent('click');
    }
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
    await page.waitForTimeout(500);
    const links = await page.evaluate(() => [...document.querySelectorAll('a')].map(({ href }) => href));
    expect(links.filter((href) => /^javascript:/i.test(href))).toEqual([]);
    expect([...complaints, ...asked], path).toEqual([]);
    await page.close();
  }
  promise('pages', 'of hostile records', { attempts: pages.length, held: pages.length });
});
