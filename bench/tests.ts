/** `npm run bench -- --tests`: runs the costliest test files one at a time. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { measure, temporaryDirectory } from './processes.ts';

/** The measurement of one test file. */
interface Cost {
  file: string;
  /** Seconds of all processes. */
  cpu: number;
  wall: number;
  slowest: { title: string; seconds: number };
}

/** The parts of vitest's JSON report that are used. */
interface JsonReport {
  testResults: { assertionResults: { fullName: string; duration?: number }[] }[];
}

const ROOT = join(import.meta.dirname, '..');
const SHOWN = 10;

/** @param project `tests` or `long` @returns a table of the costliest files, the costliest first */
export async function costliestTests(project: string): Promise<string> {
  const isLong = (file: string) => file.endsWith('.long.test.ts') || file.includes('/browser/');
  const files = globSync('tests/**/*.test.ts', { cwd: ROOT, exclude: ['**/node_modules/**'] });
  const costs: Cost[] = [];
  for (const file of files.filter((file) => isLong(file) === (project === 'long')))
    costs.push(await costOf(file, project));
  const sum = (of: (cost: Cost) => number) => costs.reduce((total, cost) => total + of(cost), 0).toFixed(0);
  return [
    `${costs.length} files, one after the other: ${sum(({ cpu }) => cpu)} s CPU, ${sum(({ wall }) => wall)} s`,
    '',
    '| file | CPU | wall | of it waiting | longest test |',
    '| --- | --: | --: | --: | --- |',
    ...costs
      .toSorted((a, b) => b.cpu - a.cpu)
      .slice(0, SHOWN)
      .map(
        ({ file, cpu, wall, slowest }) =>
          `| ${file} | ${cpu.toFixed(1)} s | ${wall.toFixed(1)} s | ${Math.max(0, wall - cpu).toFixed(1)} s | ${slowest.title} (${slowest.seconds.toFixed(1)} s) |`,
      ),
  ].join('\n');
}

async function costOf(file: string, project: string): Promise<Cost> {
  const directory = temporaryDirectory();
  try {
    const report = join(directory.path, 'report.json');
    const { cpuMs, wallMs } = await measure(
      [
        'node_modules/vitest/vitest.mjs',
        'run',
        '--root',
        ROOT,
        '--project',
        project,
        '--reporter=json',
        `--outputFile=${report}`,
        file,
      ],
      {},
      [0, 1],
    );
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as JsonReport;
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
    const [slowest] = tests.toSorted((a, b) => (b.duration ?? 0) - (a.duration ?? 0));
    return {
      file,
      cpu: cpuMs / 1000,
      wall: wallMs / 1000,
      slowest: { title: slowest?.fullName ?? '', seconds: (slowest?.duration ?? 0) / 1000 },
    };
  } finally {
    directory.remove();
  }
}
