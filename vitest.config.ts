import { defineConfig } from 'vitest/config';

/** Tests of the project itself that take long: every fault, every variant, hostile targets, a browser, others' tools. */
const LONG = 'tests/**/*.long.test.ts';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'conformance',
          include: ['suites/conformance.test.ts'],
          pool: 'threads',
          maxWorkers: 1,
          isolate: false,
          // As Node loads them: without a transform, the first request goes out sooner.
          experimental: { viteModuleRunner: false },
          maxConcurrency: 100_000,
          testTimeout: 0,
          hookTimeout: 0,
        },
      },
      {
        test: {
          name: 'allure',
          include: ['reports/allure-replay/replay.test.ts'],
          pool: 'threads',
          maxWorkers: 1,
        },
      },
      {
        test: {
          name: 'tests',
          include: ['tests/**/*.test.ts'],
          exclude: [LONG, 'tests/browser/**'],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'long',
          include: [LONG, 'tests/browser/**/*.test.ts'],
          testTimeout: 900_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
