/** Sentences of the users' pages, word by word, each tried: who changes what happens, or what is said of it, is told by the other. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { doctor } from '../../cli/doctor.ts';
import type { Conformance } from '../../contracts/record.ts';
import { requirements } from '../../contracts/requirements/index.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { inProcess } from '../tools/in-process.ts';
import { ROOT } from '../tools/root.ts';
import { runHere } from '../tools/run-in-process.ts';
import { environmentOf, sandboxFor } from '../tools/sandboxes.ts';

const NOWHERE = 'http://127.0.0.1:9';

/** What a run of one operation against a fresh sandbox does, with other fixtures and settings. */
async function ran(only: string, { fixtures, changed = {} }: { fixtures?: object; changed?: Record<string, string> }) {
  const sandbox = await sandboxFor();
  const environment = { ...environmentOf(sandbox, fixtures ?? sandbox.fixtures), ...changed };
  const ended = await runHere(environment, ['--only', only]);
  const record = () => JSON.parse(readFileSync(join(ended.reports, 'conformance.json'), 'utf8')) as Conformance;
  const written = () => readdirSync(ended.reports).map((name) => readFileSync(join(ended.reports, name), 'utf8'));
  return { ...ended, environment, record, written };
}

/** What a run says of fixtures that it refuses. */
async function refusalOf(fixtures: object): Promise<string> {
  const { code, stderr } = await ran('users.get', { fixtures });
  expect(code).toBe(2);
  return stderr;
}

const reasonIn = (record: Conformance, id: string) => record.requirements.find((one) => one.id === id)!.reason;

const SENTENCES: [page: string, sentence: string, trial: () => Promise<void>][] = [
  [
    'docs/fixtures.md',
    'An unknown key is a configuration fault.',
    async () => expect(await refusalOf({ cards: { activ: [] } })).toContain('activ'),
  ],
  [
    'docs/fixtures.md',
    'Contradicting keys that name the same thing, such as `programs.digitalOn` and `programs.digitalOff`, are a configuration fault',
    async () => {
      const said = await refusalOf({ portal: { programs: { digitalOn: 7, digitalOff: 7 } } });
      for (const key of ['digitalOn', 'digitalOff']) expect(said).toContain(key);
    },
  ],
  [
    'docs/fixtures.md',
    'and so is a minimum amount above the maximum',
    async () => expect(await refusalOf({ cards: { transferAmounts: { least: 9, most: 2 } } })).toContain('least'),
  ],
  [
    'docs/fixtures.md',
    '`$schema` may name its [schema]',
    async () => expect((await ran('users.get', { fixtures: { $schema: 'fixtures.json' } })).code).toBe(0),
  ],
  [
    'docs/fixtures.md',
    'Checks that need a missing key are `skipped`, with the key in the reason',
    async () => {
      const { record } = await ran('users.list.filter-name,users.get', { fixtures: {} });
      expect(reasonIn(record(), 'users.list.filter-name')).toContain('users.nameFragment');
    },
  ],
  [
    'docs/fixtures.md',
    'printed by `RUN_FIXTURES_COMMAND`',
    async () => {
      const changed = { TARGET_FIXTURES: '', RUN_FIXTURES_COMMAND: 'echo \'{"cards":{"activ":[]}}\'' };
      expect((await ran('users.get', { changed })).stderr).toContain('activ');
    },
  ],
  [
    'docs/real-targets.md',
    'The exit code is 0 if nothing prevents a run, 1 if something does, and 2 if the settings are faulty.',
    async () => {
      const environment = environmentOf(await sandboxFor());
      const codeWith = async (changed: object) => (await inProcess(doctor, [], { ...environment, ...changed })).code;
      expect(await codeWith({})).toBe(0);
      expect(await codeWith({ TARGET_AUTH_URL: NOWHERE })).toBe(1);
      expect(await codeWith({ RUN_RISK: 'any' })).toBe(2);
    },
  ],
  [
    'docs/real-targets.md',
    'With neither, these checks are skipped.',
    async () => {
      const id = 'token.issue.ends-after-60-minutes';
      const { record } = await ran(`${id},users.get`, { changed: { TARGET_TEST_CLOCK_URL: '' } });
      for (const variable of ['TARGET_TEST_CLOCK_URL', 'RUN_WAIT_FOR_EXPIRY'])
        expect(reasonIn(record(), id)).toContain(variable);
    },
  ],
  [
    'docs/real-targets.md',
    'Every run ends with an account, in the terminal, on the page, in `summary.md` and `conformance.json`',
    async () => {
      const { stdout, record, reports } = await ran('cards.suspend', {});
      expect(record().run.account).toBeDefined();
      const shown = ['summary.md', 'index.html'].map((name) => readFileSync(join(reports, name), 'utf8'));
      for (const text of [stdout, ...shown]) expect(text).toContain('Account');
    },
  ],
  [
    'docs/real-targets.md',
    'Every change is written to `changes.ndjson` before it is sent, and later how it was undone.',
    async () => {
      const { reports } = await ran('cards.suspend', {});
      const text = readFileSync(join(reports, 'changes.ndjson'), 'utf8');
      expect(text).toContain('cards.suspend');
      expect(text).toContain('undone');
    },
  ],
  [
    'README.md',
    'lists every requirement exactly once with its verdict and evidence',
    async () => {
      const { record } = await ran('users.get', {});
      expect(record().requirements.map(({ id }) => id)).toEqual(requirements.map(({ id }) => id));
    },
  ],
  [
    'README.md',
    'No file contains a secret',
    async () => {
      const { environment, written } = await ran('token.issue,portal.login', {});
      for (const name of ['TARGET_CLIENT_SECRET', 'TARGET_PORTAL_PASSWORD', 'TARGET_PORTAL_LOGIN_ID'])
        expect(written().filter((text) => text.includes(environment[name]!))).toEqual([]);
    },
  ],
  [
    'README.md',
    'By default its risk is `safe`: it changes no card, customer, order, money or permission.',
    async () => {
      const sandbox = await sandboxFor();
      const before = JSON.stringify(sandbox.state());
      const { RUN_RISK: _, ...environment } = environmentOf(sandbox);
      expect((await runHere(environment)).stdout).toContain('risk safe');
      expect(JSON.stringify(sandbox.state())).toBe(before);
    },
  ],
  [
    'README.md',
    'for a host outside loopback they require its name in `RUN_CONFIRM_HOST`',
    async () => {
      const changed = { TARGET_BASE_URL: 'http://api.example', RUN_RISK: 'reversible' };
      const { code, stderr } = await ran('users.get', { changed });
      expect(code).toBe(2);
      expect(stderr).toContain('RUN_CONFIRM_HOST');
    },
  ],
];

test.each(SENTENCES)('%s: %s', async (page, sentence, trial) => {
  expect(readFileSync(join(ROOT, page), 'utf8').replaceAll(/\s+/g, ' ')).toContain(sentence);
  await trial();
});

test('what is tried leaves nothing in the folder that it was called in', async () => {
  const directory = temporaryDirectory();
  await runHere({ RUN_REPORT_DIR: join(temporaryDirectory(), 'report') }, ['--only', 'users.get'], directory);
  expect(readdirSync(directory).filter((name) => name !== 'reports')).toEqual([]);
});
