/** Work that needs the target, and is no run: nothing is judged, and nothing is written. */
import type { Configuration } from '../helpers/configuration/types.ts';
import { Context } from '../helpers/context.ts';
import { Recorder } from '../helpers/evidence/recorder.ts';
import { Run } from '../helpers/run.ts';
import { reach } from '../helpers/runner/reach.ts';
import { suite } from '../suites/index.ts';

/** Does the work with a context of its own; what it changed and can be undone is undone. */
export async function tryOut<T>(configuration: Configuration, work: (t: Context) => Promise<T>): Promise<T> {
  const run = new Run(configuration, suite.rules, { recorder: new Recorder(undefined) });
  try {
    await reach(run);
    const context = new Context(run, 'tried out');
    try {
      return await work(context);
    } finally {
      await context.end();
    }
  } finally {
    await run.close();
  }
}
