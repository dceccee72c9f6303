import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Change } from '../../../contracts/record.ts';
import { readConfiguration } from '../../../helpers/configuration/index.ts';
import type { Options } from '../../../helpers/configuration/settings.ts';
import type { Configuration } from '../../../helpers/configuration/types.ts';
import { Run } from '../../../helpers/run.ts';
import type { Outcome } from '../../../helpers/runner/outcome.ts';
import { reach } from '../../../helpers/runner/reach.ts';
import { runSuite } from '../../../helpers/runner/schedule.ts';
import type { Sandbox } from '../../../sandbox/index.ts';
import { suite } from '../../../suites/index.ts';
import { temporaryDirectory } from '../../tools/directory.ts';
import { environmentOf } from '../../tools/sandboxes.ts';

type Environment = Record<string, string>;

/** A configuration as the environment gives it. */
export function configurationOf(environment: Environment, fixtures: Sandbox['fixtures'], options: Options = {}) {
  const cwd = temporaryDirectory();
  const env = environmentOf({ environment, fixtures });
  return readConfiguration({ env, options: { ...options, 'report-dir': join(cwd, 'report') }, cwd });
}

/** A whole run in this process, over when it resolves. */
export async function conducted(configuration: Configuration) {
  const run = new Run(configuration, suite.rules);
  await reach(run);
  const outcomes = await runSuite(run, suite);
  await run.close();
  const lines = readFileSync(join(configuration.run.reportDir, 'changes.ndjson'), 'utf8').split('\n').filter(Boolean);
  return { run, outcomes, changes: lines.map((line) => JSON.parse(line) as Change) };
}

/** A whole run on a sandbox. */
export const conductedOn = async ({ environment, fixtures }: Sandbox, more: Environment = {}, options: Options = {}) =>
  conducted(await configurationOf({ ...environment, ...more }, fixtures, options));

/** What accuses a target, or was not seen. */
export const accusations = (outcomes: readonly Outcome[]) =>
  outcomes
    .filter(({ verdict }) => verdict === 'failed' || verdict === 'blocked')
    .map(({ requirement, message }) => `${requirement}: ${message}`);

/** Every text in a value: identifiers of a fixtures file, among others. */
export function identifiersIn(value: unknown): Set<string> {
  if (typeof value === 'string') return new Set([value]);
  if (typeof value !== 'object' || value === null) return new Set();
  return new Set(Object.values(value).flatMap((member) => [...identifiersIn(member)]));
}
