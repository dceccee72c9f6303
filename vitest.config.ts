import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vitest/config';
import { defineConfig } from 'vitest/config';
import { conformanceProject } from './run/vitest/project.ts';

/** Tests of the project itself that take long: every fault, every variant, hostile targets, a browser, others' tools. */
const LONG = 'tests/**/*.long.test.ts';

const inRun = (file: string) => fileURLToPath(new URL(`run/vitest/${file}`, import.meta.url));

/** Adds the reporter of the suite to those that are configured or asked for by --reporter. */
const withReports: Plugin = {
  name: 'conformance-reports',
  configureVitest: ({ vitest }) => {
    vitest.config.reporters.push([inRun('reporter.ts'), {}]);
  },
};

export default defineConfig({
  test: {
    experimental: { viteModuleRunner: false },
    projects: [
      { plugins: [withReports], test: { ...conformanceProject, globalSetup: inRun('global-setup.ts') } },
      {
        test: {
          name: 'tests',
          include: ['tests/**/*.test.ts'],
          exclude: [LONG, 'tests/browser/**', 'tests/tools/node_modules/**'],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'long',
          include: [LONG, 'tests/browser/**/*.test.ts'],
          globalSetup: 'tests/security/long-tests.ts',
          testTimeout: 900_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
