/** Runs of which nothing is written: what comes of a proof is a verdict on an invented target. */
import type { Configuration } from '../../helpers/configuration/types.ts';
import { Recorder } from '../../helpers/evidence/recorder.ts';
import type { Redactor } from '../../helpers/evidence/redaction/types.ts';
import { Run } from '../../helpers/run.ts';
import { suite } from '../../suites/index.ts';

/** Leaves everything as it is: what is written nowhere needs no redaction. */
const NOTHING_SECRET: Redactor = {
  learn: () => {},
  learnHeader: () => {},
  url: (url) => url,
  headers: (headers) => headers,
  body: (text) => ({ text, truncated: false }),
  text: (message) => message,
  value: (value) => value,
};

export const unwrittenRun = (configuration: Configuration): Run =>
  new Run(configuration, suite.rules, undefined, new Recorder(undefined), NOTHING_SECRET);
