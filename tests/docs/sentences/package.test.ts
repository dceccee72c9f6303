import { readdirSync } from 'node:fs';
import { expect, vi } from 'vitest';
import { ConfigurationError, type ConformanceOptions, conformance } from '../../../run/index.ts';
import type { Sandbox } from '../../../sandbox/index.ts';
import { temporaryDirectory } from '../../tools/directory.ts';
import { sandboxFor } from '../../tools/sandboxes.ts';
import { NOWHERE, stateOf, tries } from './trial.ts';

/** The options of a run against a sandbox: the settings are named after their variables. */
function optionsFor({ environment, fixtures }: Sandbox, only: string[]): ConformanceOptions {
  const nameOf = (variable: string) =>
    variable
      .replace('TARGET_', '')
      .toLowerCase()
      .replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const target = Object.entries(environment).filter(([variable]) => variable.startsWith('TARGET_'));
  return {
    target: Object.fromEntries(target.map(([variable, value]) => [nameOf(variable), value])),
    fixtures,
    only,
    settleMs: 0,
  };
}

/** What stands in the current folder after some work. */
async function leftBy(work: () => Promise<unknown>): Promise<string[]> {
  const before = process.cwd();
  process.chdir(temporaryDirectory());
  try {
    await work();
    return readdirSync('.');
  } finally {
    process.chdir(before);
  }
}

const verdictOf = async (options: ConformanceOptions) => (await conformance(options)).summary.verdict;

tries('docs/package.md', [
  [
    'neither the environment nor `.env` is read.',
    async () => {
      vi.stubEnv('TARGET_BASE_URL', NOWHERE);
      vi.stubEnv('RUN_RISK', 'any');
      expect(await verdictOf(optionsFor(await sandboxFor(), ['users.get']))).toBe('conformant');
    },
  ],
  [
    'Nothing is written unless `reportDir` is given.',
    async () => {
      const options = optionsFor(await sandboxFor(), ['users.get']);
      expect(await leftBy(() => conformance(options))).toEqual([]);
      expect(await leftBy(() => conformance({ ...options, reportDir: 'report' }))).toContain('report');
    },
  ],
  [
    'A `ConfigurationError` lists all faults in `faults`.',
    async () => {
      const error = await conformance({ rate: -1, concurrency: 0 }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ConfigurationError);
      expect((error as ConfigurationError).faults).toHaveLength(2);
    },
  ],
  [
    'Several runs may be under way at the same time.',
    async () => {
      const sandboxes = [await sandboxFor(), await sandboxFor()];
      const verdicts = sandboxes.map((sandbox) => verdictOf(optionsFor(sandbox, ['users.', 'cards.get'])));
      expect(await Promise.all(verdicts)).toEqual(['conformant', 'conformant']);
    },
  ],
  [
    'When `signal` is aborted, the run undoes its changes and returns an incomplete record.',
    async () => {
      const sandbox = await sandboxFor();
      const statuses = () => stateOf(sandbox).cards.map(({ state }) => state);
      const [before, ending] = [statuses(), new AbortController()];
      const isChanged = () => JSON.stringify(statuses()) !== JSON.stringify(before);
      const watch = setInterval(() => isChanged() && ending.abort(), 1);
      const options = { ...optionsFor(sandbox, ['cards.suspend', 'cards.unsuspend']), risk: 'reversible' as const };
      const { run } = await conformance({ ...options, signal: ending.signal });
      clearInterval(watch);
      expect({ aborted: ending.signal.aborted, complete: run.complete }).toEqual({ aborted: true, complete: false });
      expect(statuses()).toEqual(before);
    },
  ],
]);
