/** The GitHub Action of the project, read, and its steps run as a runner runs them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../tools/root.ts';

interface Action {
  inputs: Record<string, { description: string; default?: string }>;
  outputs: Record<string, { value: string }>;
  runs: { steps: { name?: string; env?: Record<string, string>; run?: string }[] };
}

export const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as Action;

/** The path of a job: without the programs of this project. */
const PATH_OF_JOB = (process.env.PATH ?? '')
  .split(':')
  .filter((folder) => !folder.includes('node_modules'))
  .join(':');

/** What an expression of the forms in action.yml gives: `inputs.name`, `inputs.name || env.NAME`, `steps.install.outputs.node`. */
function evaluated(text: string, inputs: Record<string, string>, env: NodeJS.ProcessEnv, node: string): string {
  return text.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => {
    const values = expression.split(' || ').map((term) => {
      if (term === 'steps.install.outputs.node') return node;
      const [, context, name] = /^(inputs|env)\.([\w-]+)$/.exec(term) ?? [];
      if (!name) throw new Error(`no value for ${term}`);
      return (context === 'inputs' ? (inputs[name] ?? action.inputs[name]!.default) : env[name]) ?? '';
    });
    return values.find((value) => value !== '') ?? '';
  });
}

/**
 * Runs one step that has a script, with the environment that the runner gives: what it prints, its outputs, and its code.
 * @param place where the action is checked out (`path`), the workspace of the job, and the Node that the suite was installed with
 */
export async function runStep(
  name: string,
  { path, workspace, node = process.execPath }: { path: string; workspace: string; node?: string | undefined },
  inputs: Record<string, string> = {},
  jobEnv: Record<string, string> = {},
) {
  const { run = '', env = {} } = action.runs.steps.find((one) => one.name === name)!;
  const file = (what: string, text = '') => {
    writeFileSync(join(workspace, `.${what}`), text);
    return join(workspace, `.${what}`);
  };
  const [script, output, summary] = [file('script', run), file('output'), file('summary')];
  const given = Object.entries(env).map(([key, value]) => [key, evaluated(value, inputs, jobEnv, node)]);
  // The Node of the machine, not that of this project, and whom it trusts when it installs.
  const { HOME, NODE_EXTRA_CA_CERTS } = process.env;
  const machine = { PATH: PATH_OF_JOB, HOME, NODE_EXTRA_CA_CERTS, CI: 'true' };
  const runner = {
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION_PATH: path,
    GITHUB_WORKSPACE: workspace,
    RUNNER_TEMP: workspace,
    GITHUB_OUTPUT: output,
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_RUN_ID: '7',
    GITHUB_SERVER_URL: 'https://github.example',
    GITHUB_REPOSITORY: 'owner/project',
  };
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
    cwd: workspace,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...machine, ...runner, ...jobEnv, ...Object.fromEntries(given) },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
    });
  const [code] = (await once(child, 'close')) as [number | null];
  const lines = readFileSync(output, 'utf8').split('\n').filter(Boolean);
  const outputs = Object.fromEntries(lines.map((line) => [line.split('=', 1)[0]!, line.slice(line.indexOf('=') + 1)]));
  return { code, printed, outputs, summary: readFileSync(summary, 'utf8') };
}
