/** The suite as a vitest project. */
import { fileURLToPath } from 'node:url';
import type { TestProjectInlineConfiguration } from 'vitest/config';

export const conformanceProject = {
  name: 'conformance',
  root: fileURLToPath(new URL('.', import.meta.url)),
  include: ['conformance.test.js'],
  exclude: [],
  pool: 'threads',
  maxWorkers: 1,
  isolate: false,
  // Loaded by Node itself: without a transform, the first request goes out sooner.
  experimental: { viteModuleRunner: false },
  maxConcurrency: 100_000,
  testTimeout: 0,
  hookTimeout: 0,
} satisfies TestProjectInlineConfiguration['test'];
