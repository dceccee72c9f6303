/** Report directories that somebody else made, given to every command that takes one. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { promise } from '../../docs/security/promises.ts';
import { CHROMIUM, launch, SKIPPED } from '../../reports/browser/chromium.ts';
import { HOSTILE } from '../../reports/record-builder.ts';
import { ROOT } from '../../tools/root.ts';
import type { Done } from './commands.ts';

const WITHIN_MS = 60_000;

const base = mkdtempSync(join(tmpdir(), 'foreign-'));
const own = join(base, 'own');

beforeAll(() => {
  const { status, stderr } = program(['run', '--only', 'token,users.get', '--risk', 'safe', '--report-dir', own]);
  expect(status, stderr).toBe(0);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const program = (args: string[]) => node(['cli/start.js', ...args], base);

function node([script, ...args]: [string, ...string[]], cwd: string) {
  return spawnSync(process.execPath, [join(ROOT, script), ...args], {
    cwd,
    encoding: 'utf8',
    timeout: WITHIN_MS,
    killSignal: 'SIGKILL',
    env: {
      PATH: process.env.PATH,
      HOME: cwd,
      GITHUB_ACTIONS: 'true',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    },
  });
}

type Spoil = (directory: string, victim: string) => void;

const replaced =
  (name: string, make: (file: string) => void): Spoil =>
  (directory) => {
    const file = join(directory, name);
    rmSync(file, { recursive: true, force: true });
    make(file);
  };
const rewritten =
  (name: string, rewrite: (text: string) => string): Spoil =>
  (directory) => {
    const file = join(directory, name);
    writeFileSync(file, rewrite(readFileSync(file, 'utf8')));
  };
const linked =
  (name: string): Spoil =>
  (directory, victim) => {
    rmSync(join(directory, name), { recursive: true, force: true });
    symlinkSync(victim, join(directory, name));
  };

const FILES = ['conformance.json', 'exchanges.ndjson', 'changes.ndjson'];

/** What somebody may have put into a directory. */
const SPOILS: Record<string, Spoil> = {
  ...Object.fromEntries(
    FILES.flatMap((name): [string, Spoil][] => [
      [`${name} is a pipe`, replaced(name, (file) => void spawnSync('mkfifo', [file]))],
      [`${name} leads to a device`, replaced(name, (file) => symlinkSync('/dev/zero', file))],
      [`${name} is a directory`, replaced(name, (file) => mkdirSync(file))],
      [`${name} leads to a file of the reader`, linked(name)],
      [`${name} holds NUL bytes`, rewritten(name, (text) => `\0\0\0${text}`)],
      [`${name} is nested 200,000 deep`, rewritten(name, () => `${'[{"a":'.repeat(200_000)}\n`)],
      [`${name} is cut off`, rewritten(name, (text) => text.slice(0, -20))],
    ]),
  ),
  ...Object.fromEntries(
    ['index.html', 'summary.md', 'junit.xml', 'baseline.json', '.in-use'].map((name): [string, Spoil] => [
      `${name} leads to a file of the reader`,
      linked(name),
    ]),
  ),
  ...Object.fromEntries(
    ['index.html', '.in-use', 'baseline.json', 'unfinished.json'].map((name) => [
      `${name} is a pipe`,
      replaced(name, (file) => void spawnSync('mkfifo', [file])),
    ]),
  ),
  'a killed run left a pipe': (directory) => {
    renameSync(join(directory, 'conformance.json'), join(directory, 'unfinished.json'));
    replaced('exchanges.ndjson', (file) => void spawnSync('mkfifo', [file]))(directory, '');
  },
  'members pollute': rewritten('conformance.json', (text) =>
    text.replace(
      /^\{/,
      '{"__proto__":{"schemaVersion":7,"polluted":true},"constructor":{"prototype":{"polluted":true}},',
    ),
  ),
  'headers pollute': rewritten('exchanges.ndjson', (text) =>
    text.replaceAll('"headers":{', '"headers":{"__proto__":"x","constructor":"y","toString":"z",'),
  ),
  'every text is hostile': (directory) => {
    rewritten('conformance.json', (text) => hostileJson(text))(directory, '');
    rewritten('exchanges.ndjson', (text) =>
      text
        .split('\n')
        .map((line) => (line ? hostileJson(line) : line))
        .join('\n'),
    )(directory, '');
  },
  'a change is hostile': rewritten('changes.ndjson', () => `${JSON.stringify(CHANGE)}\n`),
};

const CHANGE = {
  id: '\n::error file=x::owned',
  at: '2026-01-01T00:00:00.000Z',
  event: 'sending',
  operation: 'cards.suspend',
  input: { path: { identifier: HOSTILE } },
  check: HOSTILE,
  undo: { operation: 'cards.unsuspend', input: { path: { identifier: HOSTILE } } },
};

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

const commandsOn = (directory: string): string[][] => [
  ['report', directory],
  ['compare', own, directory],
  ['matrix', own, directory, '--out', join(directory, '../matrix.html')],
  ['merge', directory, '--out', join(directory, '../merged')],
  ['cleanup', directory],
];

/** The commands in a process of their own, which nothing in these directories ends or keeps from ending. */
function allOf(commands: string[][], cwd: string): Done[] {
  const { signal, stdout, stderr } = node(['tests/cli/foreign/commands.ts', JSON.stringify(commands)], cwd);
  const done = stdout.split('\n').filter(Boolean);
  const names = commands.map(([name]) => name);
  expect({ signal, stderr, done: names.slice(0, done.length) }).toEqual({ signal: null, stderr: '', done: names });
  return done.map((line) => JSON.parse(line) as Done);
}

test.each(Object.entries(SPOILS))('%s', (name, spoil) => {
  const place = mkdtempSync(join(base, 'spoilt-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const OWN_TEXT = 'own text of the reader\n';
  const spoilt = commandsOn('').map((_, index) => {
    const directory = join(place, `d${index}`);
    const victim = join(place, `bashrc${index}`);
    writeFileSync(victim, OWN_TEXT);
    cpSync(own, directory, { recursive: true });
    spoil(directory, victim);
    return { victim, command: commandsOn(directory)[index]! };
  });
  const done = allOf(
    spoilt.map(({ command }) => command),
    place,
  );
  for (const [index, { command, victim }] of spoilt.entries()) {
    const { code, printed } = done[index]!;
    expect(code, printed).toBeOneOf([0, 1, 2]);
    expect(printed).not.toMatch(/\n\s+at .+:\d+:\d+\)?/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal acts on is looked for
    expect(printed).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]/);
    expect(printed).not.toMatch(/^::error file=x/m);
    expect(readFileSync(victim, 'utf8'), `${command[0]} writes to what a link leads to`).toBe(OWN_TEXT);
  }
  promise('foreign', name, { attempts: done.length, held: done.length });
});

test('Markdown, JUnit and the log of a build server take no text of a record for markup or commands', () => {
  const directory = join(base, 'views');
  cpSync(own, directory, { recursive: true });
  SPOILS['every text is hostile']!(directory, '');
  expect(program(['report', directory]).status).toBe(0);
  const comparison = program(['compare', own, directory, '--format', 'markdown']).stdout;
  const views = [
    readFileSync(join(directory, 'summary.md'), 'utf8'),
    readFileSync(join(directory, 'junit.xml'), 'utf8'),
    comparison,
  ];
  // What stands in a span of code is shown as it is.
  for (const view of views.map((one) => one.replaceAll(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, ''))) {
    expect(view).not.toMatch(/<script|<img|^::error/m);
    if (!view.startsWith('<?xml')) expect(view).not.toMatch(/(?<!\\)\[x\]\(javascript:/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal acts on is looked for
    expect(view).not.toMatch(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]/);
  }
  promise('views', 'of hostile records', { attempts: views.length, held: views.length });
});

describe.skipIf(!CHROMIUM)(`pages of hostile records in a browser${SKIPPED}`, () => {
  test('run nothing, load nothing, ask nothing', async () => {
    const directory = join(base, 'hostile');
    cpSync(own, directory, { recursive: true });
    SPOILS['every text is hostile']!(directory, '');
    expect(program(['report', directory]).status).toBe(0);
    expect(program(['matrix', own, directory, '--out', join(base, 'matrix.html')]).status).toBe(0);
    program(['compare', own, directory, '--format', 'html', '--out', join(base, 'comparison.html')]);
    const allure = program(['report-allure', directory, '--out', join(base, 'allure')]);
    expect(allure.status, allure.stderr).toBe(0);
    const again = program(['report-allure', own, '--out', join(base, 'allure-of-own')]);
    expect(again.status, `the history of the first spoils the second: ${again.stderr}`).toBe(0);
    const browser = await launch();
    onTestFinished(() => browser.close());
    const pages = [
      join(directory, 'index.html'),
      join(base, 'matrix.html'),
      join(base, 'comparison.html'),
      join(base, 'allure/index.html'),
    ];
    for (const path of pages) {
      const complaints: string[] = [];
      const page = await browser.newPage();
      page.setDefaultTimeout(0);
      page.on('dialog', (dialog) => {
        complaints.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      const asked = new Set<string>();
      page.on('request', (request) => {
        if (!/^(?:file|data|blob|about):/.test(request.url())) asked.add(request.url());
      });
      // What the page's own policy forbids is not sent.
      page.on('requestfailed', (request) => {
        if (request.failure()?.errorText === 'csp') asked.delete(request.url());
      });
      await page.goto(`file://${path}`);
      // Allure shows the texts of a check once it is chosen.
      if (path.includes('allure')) {
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
});
