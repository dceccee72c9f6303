import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Change } from '../../../contracts/record.ts';
import { readConfiguration } from '../../../helpers/configuration/index.ts';
import type { Configuration } from '../../../helpers/configuration/types.ts';
import { Run } from '../../../helpers/run.ts';
import type { Outcome } from '../../../helpers/runner/outcome.ts';
import { reach } from '../../../helpers/runner/reach.ts';
import { runSuite } from '../../../helpers/runner/schedule.ts';
import { suite } from '../../../suites/index.ts';
import { temporaryDirectory } from '../../tools/directory.ts';
import { environmentOf } from '../../tools/sandboxes.ts';

/** A configuration as the environment gives it. */
export async function configurationOf(
  environment: Record<string, string>,
  fixtures: Record<string, unknown>,
  options: Record<string, string> = {},
): Promise<Configuration> {
  const cwd = temporaryDirectory();
  return readConfiguration({
    env: environmentOf({ environment, fixtures }),
    options: { ...options, 'report-dir': join(cwd, 'report') },
    cwd,
  });
}

export interface Conducted {
  run: Run;
  outcomes: Outcome[];
  changes: Change[];
}

/** A whole run in this process, over when it resolves. */
export async function conducted(configuration: Configuration): Promise<Conducted> {
  const run = new Run(configuration, suite.rules);
  await reach(run);
  const outcomes = await runSuite(run, suite);
  await run.close();
  const lines = readFileSync(join(configuration.run.reportDir, 'changes.ndjson'), 'utf8').split('\n').filter(Boolean);
  return { run, outcomes, changes: lines.map((line) => JSON.parse(line) as Change) };
}

/** Every text in a value: identifiers of a fixtures file, among others. */
export function identifiersIn(value: unknown): Set<string> {
  if (typeof value === 'string') return new Set([value]);
  if (typeof value !== 'object' || value === null) return new Set();
  return new Set(Object.values(value).flatMap((member) => [...identifiersIn(member)]));
}
