/** Runs that write no record, for verdicts on invented targets. */
import type { Dispatcher } from 'undici';
import type { Exchange } from '../../contracts/record.ts';
import type { Configuration } from '../../helpers/configuration/types.ts';
import { Recorder, type RedactedExchange } from '../../helpers/evidence/recorder.ts';
import { Run } from '../../helpers/run.ts';
import type { Outcome } from '../../helpers/runner/outcome.ts';
import { reach } from '../../helpers/runner/reach.ts';
import { runSuite } from '../../helpers/runner/schedule.ts';
import type { Redactor } from '../../redaction/redactor.ts';
import { asRedacted } from '../../redaction/types.ts';
import { suite } from '../../suites/index.ts';
import { SKIPPING } from '../skipping-clock.ts';

/** Redacts nothing, since nothing is written. */
const NOTHING_SECRET: Redactor = {
  learn: () => {},
  learnHeader: () => {},
  url: asRedacted,
  headers: (headers) => headers,
  body: (text) => ({ text: asRedacted(text), truncated: false }),
  settled: (work) => work(),
  sentence: asRedacted,
  text: asRedacted,
  value: (value) => value,
};

export interface Conducted {
  outcomes: Outcome[];
  run: Run;
  /** What a record would hold, without redaction. */
  exchanges: readonly Exchange[];
}

/** Keeps exchanges instead of writing them. */
class Keeping extends Recorder {
  readonly exchanges: Exchange[] = [];

  constructor() {
    super(undefined);
  }

  override exchange(exchange: RedactedExchange): boolean {
    this.exchanges.push(exchange);
    return true;
  }
}

/**
 * Runs the suite in process with a configuration.
 * @param dispatcher takes the requests instead of network connections
 */
export async function conductUnwritten(configuration: Configuration, dispatcher?: Dispatcher): Promise<Conducted> {
  const recorder = new Keeping();
  const run = new Run(configuration, suite.rules, { recorder, redactor: NOTHING_SECRET, dispatcher, clock: SKIPPING });
  await reach(run);
  const outcomes = await runSuite(run, suite);
  await run.close();
  return { outcomes, run, exchanges: recorder.exchanges };
}
