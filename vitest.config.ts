import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vitest/config';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { conformanceProject } from './run/vitest/project.ts';

/** Tests of the project itself that take long: every fault, every variant, hostile targets, a browser, others' tools. */
const LONG = 'tests/**/*.long.test.ts';

/** Tests wait for processes and for time to pass: three files more than there are cores. */
const WORKERS = availableParallelism() + 3;

/** Tests that take the longest of all, though their files are short: they begin first, so that nothing waits for them in the end. */
const LONGEST =
  /(?:after-login|dying-worker|every-answer|foreign|install|package|particular|proof|rerun|second-target|selfcheck|variants|vendor)\.(?:long\.)?test\.ts$/;

/** What a test waits for may take its time on a busy machine. */
const POLLING = { poll: { timeout: 30_000 } };

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { yes = [], no = [] } = Object.groupBy(await super.sort(files), ({ moduleId }) =>
      LONGEST.test(moduleId) ? 'yes' : 'no',
    );
    return [...yes, ...no];
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
    maxWorkers: WORKERS,
    sequence: { sequencer: LongestFirst },
    projects: [
      { plugins: [withReports], test: { ...conformanceProject, globalSetup: inRun('global-setup.ts') } },
      {
        test: {
          name: 'tests',
          include: ['tests/**/*.test.ts'],
          exclude: [LONG, 'tests/browser/**', 'tests/tools/node_modules/**'],
          // What a file changes around it, it changes back: the next one finds its modules loaded.
          isolate: false,
          unstubEnvs: true,
          testTimeout: 60_000,
          expect: POLLING,
        },
      },
      {
        test: {
          name: 'long',
          include: [LONG, 'tests/browser/**/*.test.ts'],
          globalSetup: 'tests/security/long-tests.ts',
          testTimeout: 900_000,
          hookTimeout: 120_000,
          expect: POLLING,
        },
      },
    ],
  },
});
