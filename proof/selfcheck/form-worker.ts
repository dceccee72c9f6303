/** Worker process: runs the suite against the forms of the second or third target that its parent sends, one after the other. */
import type { Fixtures } from '../second-target/fixtures.ts';
import { freedoms, isOfTransport } from '../second-target/freedoms.ts';
import { makeSecondTarget, startSecondTarget } from '../second-target/index.ts';
import { startThirdTarget } from '../third-target/index.ts';
import { NOWHERE } from './direct.ts';
import { conductNights } from './nights.ts';
import { answerParent } from './pool.ts';
import { judgeRecorded } from './recorded.ts';
import { condemns, runSuite, SEED } from './run-suite.ts';

/** A form of a target: of the second where nothing is said. */
export interface Form {
  target?: 'third';
  freedoms: readonly string[];
  faults: readonly string[];
  /** Positions by which each card pool of the fixtures is rotated, 0 by default: a rule may concern cards that don't show it. */
  turned?: number;
  /** Whether a run tries everything that can be tried. */
  thorough?: boolean;
  /** In how many nights with one history it is judged, each time as it was at first; one by default. */
  nights?: number;
  /** Whether to judge what a run exchanged with a sound form once more, as a recording of anybody's. */
  recording?: boolean;
}

interface Said {
  requirement: string;
  message: string;
}
const said = ({ requirement, message }: Said): Said => ({ requirement, message });

/** The suite's verdict on a form. */
export interface Judged extends Form {
  /** Must requirements that failed; of a sound form also those that fail by a recording of what the run exchanged. */
  failed: Said[];
  /** Must requirements that were blocked. */
  blocked: Said[];
  requests: number;
  broke?: string;
}

/** RUN_SETTLE_MS: longer than the cool-down of any form. Forms that lag longer set their own value. */
const SETTLE_MS = '400';

/** The fixtures with each card pool rotated. */
function withPoolsTurned({ cards, ...others }: Fixtures, by: number): Fixtures {
  const turned = Object.entries(cards ?? {}).map(([key, value]) =>
    Array.isArray(value) ? [key, value.map((_, index) => value[(index + by) % value.length])] : [key, value],
  );
  return { ...others, cards: Object.fromEntries(turned) };
}

/** A target of the form: without a connection, unless its freedoms are about connections, or it is the third. */
async function started({ target, freedoms: ids, faults }: Form) {
  const options = { freedoms: ids, faults };
  if (target === 'third') {
    const { env, fixtures: given, close } = await startThirdTarget({ freedoms: [...ids], faults: [...faults] });
    return { environment: env, fixtures: given as Fixtures, unserved: undefined, settings: {}, close };
  }
  if (freedoms.some((one) => isOfTransport(one) && ids.includes(one.id))) {
    const served = await startSecondTarget(options);
    return { ...served, environment: served.env, unserved: undefined };
  }
  const unserved = makeSecondTarget(options);
  return { ...unserved, environment: unserved.envAt(NOWHERE), unserved, close: async () => {} };
}

answerParent(async (form: Form): Promise<Judged> => {
  const { turned = 0, recording = false, thorough = false, nights = 1 } = form;
  const nothing = { ...form, turned, failed: [], blocked: [], requests: 0 };
  try {
    // The first failure condemns a faulty form; a sound one is run to the end.
    const untilCondemned = form.faults.length > 0;
    const all = await conductNights(nights, SEED, async (_, configure) => {
      const { settings, fixtures, environment: env, unserved, close } = await started(form);
      const environment = { ...env, RUN_RISK: 'irreversible', RUN_SETTLE_MS: SETTLE_MS, ...settings };
      const target = { environment, fixtures: withPoolsTurned(fixtures, turned), unserved };
      return runSuite(target, { untilCondemned, thorough, configure }).finally(close);
    });
    const { run, exchanges } = all.at(-1)!;
    const outcomes = all.flatMap((conducted) => conducted.outcomes);
    const recorded = !recording ? [] : (await judgeRecorded(run.configuration, exchanges, false)).failed;
    // What is condemned leaves the rest of its run undone.
    const isDone = !untilCondemned || !outcomes.some(condemns);
    const blocked = isDone ? outcomes.filter(({ verdict }) => verdict === 'blocked') : [];
    return {
      ...nothing,
      failed: [
        ...outcomes.filter(condemns).map(said),
        ...recorded
          .filter(({ isMust }) => isMust)
          .map((one) => said({ ...one, message: `in the recording: ${one.message}` })),
      ],
      blocked: blocked.map(said),
      requests: run.transport.stats().requests,
    };
  } catch (error) {
    return { ...nothing, broke: (error as Error).message };
  }
});
