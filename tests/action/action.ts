/** The GitHub Action of the project, read, and its steps run as a runner runs them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../tools/root.ts';

interface Step {
  id?: string;
  name?: string;
  if?: string;
  uses?: string;
  with?: Record<string, unknown>;
  shell?: string;
  env?: Record<string, string>;
  run?: string;
}

export interface Action {
  inputs: Record<string, { description: string; default?: string; required?: boolean }>;
  outputs: Record<string, { description: string; value: string }>;
  runs: { using: string; steps: Step[] };
}

export const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as Action;

/** What an expression of the forms in action.yml gives: `inputs.name`, and `inputs.name || env.NAME`. */
function evaluated(text: string, inputs: Record<string, string>, env: NodeJS.ProcessEnv): string {
  return text.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => {
    const values = expression.split(' || ').map((term) => {
      const [, context, name] = /^(inputs|env)\.([\w-]+)$/.exec(term) ?? [];
      if (!name) throw new Error(`no value for ${term}`);
      return (context === 'inputs' ? (inputs[name] ?? action.inputs[name]!.default) : env[name]) ?? '';
    });
    return values.find((value) => value !== '') ?? '';
  });
}

export interface Done {
  code: number | null;
  printed: string;
  outputs: Record<string, string>;
  stepSummary: string;
}

/**
 * Runs one step that has a script, with the environment that the runner gives.
 * @param place where the action is checked out (`path`), and the workspace of the job
 */
export async function runStep(
  name: string,
  place: { path: string; workspace: string },
  inputs: Record<string, string> = {},
  jobEnv: Record<string, string> = {},
): Promise<Done> {
  const step = action.runs.steps.find((one) => one.name === name)!;
  const file = (what: string) => join(place.workspace, `.${what}`);
  for (const what of ['output', 'summary']) writeFileSync(file(what), '');
  writeFileSync(file('script'), step.run!);
  const given = Object.entries(step.env ?? {}).map(([key, value]) => [key, evaluated(value, inputs, jobEnv)]);
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', file('script')], {
    cwd: place.workspace,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      // As actions/setup-node leaves it.
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      HOME: process.env.HOME,
      // Whom this machine trusts when it installs.
      NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS,
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_ACTION_PATH: place.path,
      GITHUB_WORKSPACE: place.workspace,
      GITHUB_OUTPUT: file('output'),
      GITHUB_STEP_SUMMARY: file('summary'),
      GITHUB_SERVER_URL: 'https://github.example',
      GITHUB_REPOSITORY: 'owner/project',
      GITHUB_RUN_ID: '7',
      RUNNER_TEMP: place.workspace,
      ...jobEnv,
      ...Object.fromEntries(given),
    },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
    });
  const [code] = (await once(child, 'close')) as [number | null];
  const lines = readFileSync(file('output'), 'utf8').split('\n').filter(Boolean);
  const outputs = lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  return {
    code,
    printed,
    outputs: Object.fromEntries(outputs),
    stepSummary: readFileSync(file('summary'), 'utf8'),
  };
}
