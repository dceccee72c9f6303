/** What docs/ci.md shows: its examples, and the scripts of its GitLab jobs run as a runner runs them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { startNode } from '../../../proof/hostile/run.ts';
import { ROOT } from '../../tools/root.ts';

export const PAGE = readFileSync(join(ROOT, 'docs/ci.md'), 'utf8');

/** The code blocks of the page. */
export const examples = [...PAGE.matchAll(/^```(?:yaml|groovy)\n(.*?)^```/gms)].map(([, text = '']) => text);

/** The example that holds a text. */
export const exampleWith = (text: string): string => examples.find((one) => one.includes(text))!;

interface Job {
  variables?: Record<string, string>;
  script: string[];
}

export const gitlab = parse(exampleWith('CI_NODE_INDEX')) as Record<'conformance' | 'conformance-report', Job>;

/** Calls this clone wherever the script calls npm in it, so that reports go to the folder of the job. */
const NPM = `npm() {
  case "$1" in
    ci) ;;
    start) shift; [ "$1" != -- ] || shift; "$NODE" "$START" run "$@" ;;
    run) name="$2"; shift 2; [ "$1" != -- ] || shift; "$NODE" "$START" "$name" "$@" ;;
    *) return 99 ;;
  esac
}`;

/** Runs the script of a job with its variables, expanded as GitLab does it, in the folder of an earlier job or an empty one. */
export function runJob({ variables = {}, script }: Job, environment: Record<string, string>, cwd?: string) {
  const expanded = Object.entries(variables).map(([name, value]) => [
    name,
    value.replace(/\$(\w+)/g, (_, other: string) => environment[other] ?? ''),
  ]);
  const program = { NODE: process.execPath, START: join(ROOT, 'cli/start.js') };
  const options = cwd === undefined ? {} : { cwd };
  const { directory, ended } = startNode(
    ['--noprofile', '--norc', '-eo', 'pipefail', '-c', [NPM, ...script].join('\n')],
    // Reports go where the script, not the test, wants them.
    { ...program, RUN_REPORT_DIR: '', ...Object.fromEntries(expanded), ...environment },
    'bash',
    options,
  );
  return { directory: cwd ?? directory, ended };
}
