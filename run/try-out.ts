/** Runs work that needs the target outside a run: judges and writes nothing. */
import type { Configuration } from '../helpers/configuration/types.ts';
import { Context } from '../helpers/context.ts';
import { reach } from '../helpers/runner/reach.ts';
import { suite } from '../suites/index.ts';
import { withRun } from './in-process.ts';

/** Runs work in a context of its own, and undoes what can be undone. */
export async function tryOut<T>(configuration: Configuration, work: (t: Context) => Promise<T>): Promise<T> {
  return withRun(configuration, { rules: suite.rules, recordIn: undefined }, async (run) => {
    await reach(run);
    const context = new Context(run, 'tried out');
    try {
      return await work(context);
    } finally {
      await context.end();
    }
  });
}
