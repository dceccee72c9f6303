/** Runs work that needs the target outside a run: judges and writes nothing. */
import type { Configuration } from '../helpers/configuration/types.ts';
import { Context } from '../helpers/context.ts';
import { Recorder } from '../helpers/evidence/recorder.ts';
import { Run } from '../helpers/run.ts';
import { reach } from '../helpers/runner/reach.ts';
import { suite } from '../suites/index.ts';

/** Runs work in a context of its own, and undoes what can be undone. */
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
