/** The proof that a hostile target comes to nothing. */
import { expect } from 'vitest';
import { SETTINGS, type Setting } from '../../helpers/configuration/settings.ts';
import { summaryText } from '../../reports/summary.ts';
import { exitCode } from '../../reports/verdicts.ts';
import { viewOf } from '../../reports/view.ts';
import { type ConformanceOptions, conformance } from '../../run/index.ts';
import { temporaryDirectory } from '../real-targets/runs.ts';
import { promise } from '../security/promises.ts';
import { soundRecord } from './outcome.ts';
import { type Ended, startRun } from './run.ts';
import { type Behaviour, type HostileTarget, hostileTarget, type Reach } from './target.ts';

/** Long enough for a run that is not stopped by it, short enough for the targets that ask to be waited for. */
const MAX_MINUTES = 0.2;
/** Short, since some never answer. */
const TIMEOUT_MS = 1000;

/** A whole run against such a target ends by itself, and says what it met. */
export async function endsInOrder(behaviour: Behaviour, reach: Reach): Promise<void> {
  const target = await hostileTarget(behaviour, reach);
  const limits = { RUN_MAX_MINUTES: String(MAX_MINUTES), RUN_TIMEOUT_MS: String(TIMEOUT_MS) };
  endedInOrder(target, await startRun({ ...target.environment, ...limits }).ended);
}

/** So does one that a program starts in its own process. */
export async function endsInOrderInProcess(behaviour: Behaviour, reach: Reach): Promise<void> {
  const target = await hostileTarget(behaviour, reach);
  const reports = temporaryDirectory();
  const begin = performance.now();
  const record = await conformance({
    target: targetOf(target.environment),
    fixtures: target.sandbox.fixtures,
    maxMinutes: MAX_MINUTES,
    timeoutMs: TIMEOUT_MS,
    reportDir: reports,
  });
  endedInOrder(target, {
    code: exitCode(record),
    stdout: summaryText(viewOf(record), { directory: reports }),
    stderr: (record.run.outOfReach ?? []).join('\n'),
    reports,
    directory: reports,
    peakMiB: process.resourceUsage().maxRSS / 1024,
    seconds: (performance.now() - begin) / 1000,
  });
}

function endedInOrder(target: HostileTarget, ended: Ended): void {
  const record = soundRecord(ended);
  expect(ended.code).toBeOneOf([1, 2, 3]);
  expect(target.met()).toBeGreaterThan(0);
  expect(record.summary.verdict).not.toBe('conformant');
  promise('hostile', `${expect.getState().currentTestName}`, { attempts: 1, held: 1 });
}

/** The settings of a target that variables give, as options of the library. */
function targetOf(environment: Record<string, string>): ConformanceOptions['target'] {
  const settings: [string, Setting][] = Object.entries(SETTINGS);
  return Object.fromEntries(
    settings.flatMap(([key, { variable = '' }]) =>
      /^TARGET_(?!FIXTURES)/.test(variable) && variable in environment ? [[key, environment[variable]]] : [],
    ),
  );
}
