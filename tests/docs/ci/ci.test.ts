/** Claims of docs/ci.md that this machine can try without a whole run. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { SUBCOMMANDS } from '../../../cli/subcommands.ts';
import { operation } from '../../../contracts/operations.ts';
import { requirements } from '../../../contracts/requirements/index.ts';
import { readConfiguration } from '../../../helpers/configuration/index.ts';
import { inShard } from '../../../helpers/configuration/scope.ts';
import { SETTINGS, type Setting } from '../../../helpers/configuration/settings.ts';
import { action } from '../../action/action.ts';
import { temporaryDirectory } from '../../tools/directory.ts';
import { inProcess } from '../../tools/in-process.ts';
import { ROOT } from '../../tools/root.ts';
import { runHere } from '../../tools/run-in-process.ts';
import { examples, exampleWith, gitlab, PAGE, runJob } from './page.ts';

const workflow = (name: string) => readFileSync(join(ROOT, 'docs/ci', name), 'utf8');

test('the action and every example of a pipeline require a target', () => {
  const pipelines = examples.filter((text) => /uses:|script|sh '/.test(text));
  expect(pipelines.length).toBeGreaterThan(3);
  const files = ['action.yml', ...globSync('docs/ci/*.yml', { cwd: ROOT })];
  const texts = [...pipelines, ...files.map((file) => readFileSync(join(ROOT, file), 'utf8'))];
  for (const text of texts) expect(text).toContain('RUN_REQUIRE_TARGET');
  expect(gitlab.conformance.variables).toMatchObject({ RUN_REQUIRE_TARGET: 'true' });
  expect(exampleWith("sh '")).toContain("RUN_REQUIRE_TARGET = 'true'");
  const { jobs } = parse(workflow('github-actions-sharded.yml'));
  expect(jobs.target.env).toMatchObject({ RUN_REQUIRE_TARGET: 'true' });
  expect(jobs.embedded.steps).toContainEqual({ run: 'npm start -- --embedded' });
});

test('the page names every input and output of the action', () => {
  const [, inputs = '', outputs = ''] = /Other inputs are (.*?); secrets.*?The outputs are (.*?)\. /s.exec(PAGE)!;
  const names = (text: string) => [...text.matchAll(/`([\w-]+)`/g)].map(([, name]) => name!);
  const given = [...exampleWith('auth-url').matchAll(/^ {4}([\w-]+):/gm)].map(([, name]) => name!);
  expect([...given, ...names(inputs)].sort()).toEqual(Object.keys(action.inputs).sort());
  expect(names(outputs).sort()).toEqual(Object.keys(action.outputs).sort());
});

// A process, since the script of the page is what is tried.
test.each([1, 3])(
  'GitLab: the pipeline of a fork, which has no variables, ends with 2 in shard %i of 3',
  async (index) => {
    const variables = { CI_NODE_INDEX: String(index), CI_NODE_TOTAL: '3', CI_JOB_URL: 'https://gitlab.example/job/7' };
    const { directory, ended } = runJob(gitlab.conformance, variables);
    const { code, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^RUN_REQUIRE_TARGET: no TARGET_/m) });
    expect(existsSync(join(directory, 'reports'))).toBe(false);
  },
);

const TARGET = Object.values(SETTINGS)
  .map((setting: Setting) => setting.variable ?? '')
  .filter((name) => name.startsWith('TARGET_'));

test.each([
  ['all of them empty', Object.fromEntries(TARGET.map((name) => [name, ''])), []],
  ['one of them empty', { TARGET_CLIENT_SECRET: '' }, ['--shard', '3/3']],
  ['secrets without an address', { TARGET_CLIENT_ID: 'id', TARGET_CLIENT_SECRET: 'secret' }, []],
  ['an address without credentials', { TARGET_BASE_URL: 'http://127.0.0.1:9', TARGET_ACCESS_TOKEN: '' }, []],
])('a job that lost its settings ends with 2: %s', async (_, environment, args) => {
  const { code, stdout, stderr, reports } = await runHere(environment, args);
  expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
  // And Jenkins finds no junit.xml.
  expect(existsSync(join(reports, 'junit.xml'))).toBe(false);
});

/** Assignments of variables in an example. */
const assigned = (text: string, pattern: RegExp) =>
  Object.fromEntries([...text.matchAll(pattern)].map(([, name = '', value = '']) => [name, value]));

test.each([
  ['Jenkins', assigned(exampleWith("sh '"), /^ +((?:TARGET|RUN)_\w+) = (?:'|credentials\(')(.*?)'/gm)],
  [
    'the workflow with the action',
    {
      ...assigned(workflow('github-actions.yml'), /^ +((?:TARGET|RUN)_\w+): (.*)$/gm),
      ...assigned(
        workflow('github-actions.yml').replaceAll(
          /(auth|base|portal)-url/g,
          (_, name) => `TARGET_${name.toUpperCase()}_URL`,
        ),
        /^ {10}(TARGET_\w+_URL): (.*)$/gm,
      ),
    },
  ],
])('the variables of %s are all that a run needs', async (_, variables) => {
  const env = Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name,
      value.replace(/^'|'$/g, '').replace(/^\$\{\{.*/, 'secret-value'),
    ]),
  );
  const { target } = await readConfiguration({ env, options: {}, cwd: temporaryDirectory() });
  expect(target).toMatchObject({ embedded: false, baseUrl: 'https://api.vendor-a.example' });
});

test.each([1, 2, 3, 5])(
  'of %i shards, each requirement is in one, those of every exchange in all; what changes cards, token lifetimes and the portal stay together',
  (count) => {
    const shards = Array.from({ length: count }, (_, index) => ({ index: index + 1, count }));
    const of = (requirement: (typeof requirements)[number]) => shards.filter((shard) => inShard(shard, requirement));
    for (const requirement of requirements)
      expect(of(requirement), requirement.id).toHaveLength(requirement.everyExchange ? count : 1);
    const own = requirements.filter(({ everyExchange }) => !everyExchange);
    const together = [
      own.filter(({ id }) => id.startsWith('portal.')),
      own.filter(
        ({ id, operations: [first], risk }) =>
          id.startsWith('cards.') && (risk !== 'safe' || operation(first!).risk !== 'safe'),
      ),
      own.filter(({ id }) => id.endsWith('.requires-live-token')),
    ];
    for (const some of together) {
      expect(some.length).toBeGreaterThan(10);
      expect(new Set(some.map((one) => of(one)[0]!.index)).size, some[0]!.id).toBe(1);
    }
  },
);

test('merge takes the options that the page names', async () => {
  const { stdout } = await inProcess(await SUBCOMMANDS.merge!.load(), ['--help']);
  const [, named = ''] = /`merge` accepts (.*?) \(or/.exec(PAGE)!;
  const options = [...named.matchAll(/`(--[\w-]+)`/g)].map(([, option]) => option!);
  expect(options.length).toBeGreaterThan(3);
  for (const option of options) expect(stdout).toContain(option);
});
