/** Worker process: runs the suite against the forms of the second target that its parent sends, one after the other. */
import type { Fixtures } from '../second-target/fixtures.ts';
import { freedoms, isOfTransport } from '../second-target/freedoms.ts';
import { makeSecondTarget, type SecondTarget, startSecondTarget } from '../second-target/index.ts';
import { NOWHERE } from './direct.ts';
import { judgeRecorded } from './recorded.ts';
import { condemns, type Given, runSuite } from './run-suite.ts';

/** A form of the second target. */
export interface Form {
  freedoms: readonly string[];
  faults: readonly string[];
  /** Positions by which each card pool of the fixtures is rotated, 0 by default: a rule may concern cards that don't show it. */
  turned?: number;
  /** Whether to judge what a run exchanged with a sound form once more, as a recording of anybody's. */
  recording?: boolean;
}

/** The suite's verdict on a form. */
export interface Judged extends Form {
  /** Must requirements that failed; of a sound form also those that fail by a recording of what the run exchanged. */
  failed: { requirement: string; message: string }[];
  /** Must requirements that were blocked. */
  blocked: { requirement: string; message: string }[];
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

/** The form without a connection, unless its freedoms are about connections. */
async function started(
  ids: readonly string[],
  faults: readonly string[],
): Promise<Given & Pick<SecondTarget, 'fixtures' | 'settings' | 'close'>> {
  if (freedoms.some((one) => isOfTransport(one) && ids.includes(one.id))) {
    const { env: environment, ...target } = await startSecondTarget({ freedoms: ids, faults });
    return { ...target, environment };
  }
  const unserved = makeSecondTarget({ freedoms: ids, faults });
  const { fixtures, settings } = unserved;
  return { environment: unserved.envAt(NOWHERE), fixtures, settings, unserved, close: async () => {} };
}

async function judge({ freedoms: ids, faults, turned = 0, recording = false }: Form): Promise<Judged> {
  const nothing = { freedoms: ids, faults, turned, failed: [], blocked: [], requests: 0 };
  try {
    const { settings, ...target } = await started(ids, faults);
    const environment = { ...target.environment, RUN_RISK: 'irreversible', RUN_SETTLE_MS: SETTLE_MS, ...settings };
    // The first failure condemns a faulty form; a sound one is run to the end.
    const untilCondemned = faults.length > 0;
    const { outcomes, requests, configuration, exchanges } = await runSuite(
      { ...target, environment, fixtures: withPoolsTurned(target.fixtures, turned) },
      { untilCondemned },
    ).finally(target.close);
    const recorded = !recording ? [] : (await judgeRecorded(configuration, exchanges, false)).failed;
    const said = outcomes.map(({ requirement, message, verdict }) => ({ requirement, message, verdict }));
    return {
      ...nothing,
      failed: [
        ...outcomes.filter(condemns).map(({ requirement, message }) => ({ requirement, message })),
        ...recorded
          .filter(({ isMust }) => isMust)
          .map(({ requirement, message }) => ({ requirement, message: `in the recording: ${message}` })),
      ],
      blocked: untilCondemned ? [] : said.filter(({ verdict }) => verdict === 'blocked'),
      requests,
    };
  } catch (error) {
    return { ...nothing, broke: (error as Error).message };
  }
}

process.on('message', async (form: Form) => {
  process.send!(await judge(form));
});
process.on('disconnect', () => process.exit());
