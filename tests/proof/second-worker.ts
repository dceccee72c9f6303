/** A process that runs the suite against one form of the second target after the other, as its parent asks. */
import type { Fixtures } from '../second-target/fixtures.ts';
import { startSecondTarget } from '../second-target/index.ts';
import { condemns, runSuite } from './run-suite.ts';

/** A form of the second target. */
export interface Form {
  freedoms: readonly string[];
  faults: readonly string[];
  /** By how many cards each pool of the fixtures is turned, 0 by default: a rule may be about cards that do not show it. */
  turned?: number;
}

/** What the suite says of it. */
export interface Judged extends Form {
  /** Must requirements that failed. */
  failed: { requirement: string; message: string }[];
  /** Must requirements that were blocked. */
  blocked: { requirement: string; message: string }[];
  requests: number;
  broke?: string;
}

/** Longer than the cool-downs of any form; those that lag say how long they do. */
const SETTLE_MS = '400';

/** The fixtures with the cards of each pool in the same order, beginning with another one. */
function withPoolsTurned({ cards, ...others }: Fixtures, by: number): Fixtures {
  const turned = Object.entries(cards ?? {}).map(([key, value]) =>
    Array.isArray(value) ? [key, value.map((_, index) => value[(index + by) % value.length])] : [key, value],
  );
  return { ...others, cards: Object.fromEntries(turned) };
}

async function judge({ freedoms, faults, turned = 0 }: Form): Promise<Judged> {
  const nothing = { freedoms, faults, turned, failed: [], blocked: [], requests: 0 };
  try {
    const { env, fixtures, settings, close } = await startSecondTarget({ freedoms, faults });
    const environment = { ...env, RUN_RISK: 'irreversible', RUN_SETTLE_MS: SETTLE_MS, ...settings };
    // One that is to be condemned is so by its first failure; of a sound one everything is wanted.
    const untilCondemned = faults.length > 0;
    const { outcomes, requests } = await runSuite(
      { environment, fixtures: withPoolsTurned(fixtures, turned), close },
      { untilCondemned },
    ).finally(close);
    const said = outcomes.map(({ requirement, message, verdict }) => ({ requirement, message, verdict }));
    return {
      ...nothing,
      failed: outcomes.filter(condemns).map(({ requirement, message }) => ({ requirement, message })),
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
