import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vitest/config';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { conformanceProject } from './run/vitest/project.ts';

/** Tests of the project itself that take long: a sample of the proof, whole runs as users start them, a browser, others' tools. */
const LONG = '{tests,proof}/**/*.long.test.ts';
/** Those that take longer than a change can wait for: the whole proof, more of the same, and what another test has shown in another way. */
const NIGHTLY = '{tests,proof}/**/*.nightly.test.ts';

const CORES = availableParallelism();

/** Files that take the longest of all, the longest first: they begin before the others, so that nothing waits for them in the end. */
const LONGEST = [
  'package/package.long',
  'selfcheck/second-target.long',
  'cli/judge-and-proxy.long',
  'vitest/carried-out.long',
  'browser/page.long',
  'real-targets/safety.long',
  'files/hold.long',
  'hostile/every-answer.long',
  'pact/command.long',
  'selfcheck/proof',
];

/** What a test waits for may take its time on a busy machine. */
const POLLING = { poll: { timeout: 30_000 } };

/** How tests run that wait for processes and for time to pass. */
const PATIENT = {
  globalSetup: 'tests/docs/security/long-tests.ts',
  maxWorkers: CORES + 3,
  testTimeout: 900_000,
  hookTimeout: 120_000,
  expect: POLLING,
};

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
    const { yes = [], no = [] } = Object.groupBy(await super.sort(files), (file) => (rank(file) < 0 ? 'no' : 'yes'));
    return [...yes.toSorted((a, b) => rank(a) - rank(b)), ...no];
  }
}

const inRun = (file: string) => fileURLToPath(new URL(`run/vitest/${file}`, import.meta.url));

/** Adds the reporter of the suite to those that are configured or asked for by --reporter. */
const withReports: Plugin = {
  name: 'conformance-reports',
  configureVitest: ({ vitest }) => {
    vitest.config.reporters.push([inRun('reporter.ts'), {}]);
  },
};

// Types stripped once, for the workers and for the commands that they start.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

export default defineConfig({
  test: {
    experimental: { viteModuleRunner: false },
    sequence: { sequencer: LongestFirst },
    projects: [
      { plugins: [withReports], test: { ...conformanceProject, globalSetup: inRun('global-setup.ts') } },
      {
        test: {
          name: 'tests',
          include: ['{tests,proof}/**/*.test.ts'],
          exclude: [LONG, NIGHTLY, 'tests/tools/node_modules/**'],
          // What a file changes around it, it changes back: the next one finds its modules loaded.
          isolate: false,
          unstubEnvs: true,
          // Most work all the time, and each worker loads the project once.
          maxWorkers: CORES + 1,
          testTimeout: 60_000,
          expect: POLLING,
        },
      },
      {
        test: { name: 'long', include: [LONG], ...PATIENT },
      },
      {
        test: { name: 'nightly', include: [NIGHTLY], ...PATIENT },
      },
    ],
  },
});
