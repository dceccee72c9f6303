/** `run --plan`: says what a run would send and change. */
import { configuredRedactor } from '../helpers/configuration/redactor.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import { accountLines, readingInWords } from '../reports/account.ts';
import { AMPLE_LIMIT } from '../reports/breadth.ts';
import { count, duration, visible } from '../reports/text.ts';
import { amplePlanOf, type Plan, planOf, readPools } from '../run/plan.ts';
import { EXIT_CANNOT } from './exit-codes.ts';

/**
 * Prints the plan of a run. Of the target nothing is asked but readings: credentials, and the cards of the pools.
 * @returns 0, or 2 where the run could not be carried out
 * @throws Error where none of the configured interfaces can be used
 */
export async function printPlan(configuration: Configuration): Promise<number> {
  const { target, run } = configuration;
  const redactor = configuredRedactor(configuration);
  const cards = target.embedded ? [] : await readPools(configuration);
  const plan = await planOf(configuration);
  console.log(`Plan for ${redactor.sentence(target.name)}, risk ${run.risk}, seed ${run.seed}`);
  if (plan.selected === 0) {
    console.error('nothing would be judged: nothing is selected, or everything is skipped');
    return EXIT_CANNOT;
  }
  for (const line of planLines(plan, configuration)) console.log(line);
  const ample = run.thorough && run.risk !== 'safe' ? await amplePlanOf(configuration) : undefined;
  const more = (ample?.forms.tried ?? 0) - plan.forms.tried;
  if (more > 0)
    console.log(
      `  more       ${count(more, 'form')}, which orders and CIP checks are too few for, with RUN_MAX_ORDERS=${AMPLE_LIMIT} and RUN_MAX_CIP_CHECKS=${AMPLE_LIMIT}`,
    );
  if (cards.length > 0) console.log('\nCards of the fixtures file, as they are now');
  for (const { pool, identifier, ...card } of cards)
    console.log(`  ${pool.padEnd(10)} ${visible(redactor.text(identifier))}: ${readingInWords(card)}`);
  return 0;
}

/** Latency that the time of a run is said for, in milliseconds. */
const LATENCY_MS = 50;

function planLines({ requests, operations, account, selected, forms }: Plan, { run }: Configuration): string[] {
  const lines = accountLines({ run: { account } }) ?? [];
  return [
    'Measured by a dry run of the same selection, risk and fixture keys against the embedded sandbox; a target that answers otherwise is asked more or less.',
    '',
    `${count(requests, 'request')}, by which ${count(selected, 'requirement')} would be judged, in ${forms.tried} of the ${forms.of} forms that rotate`,
    `At least ${duration((requests * LATENCY_MS) / run.concurrency)} where each answer takes ${LATENCY_MS} ms, with RUN_CONCURRENCY=${run.concurrency}`,
    ...operations
      .toSorted((a, b) => b.requests - a.requests || (a.operation < b.operation ? -1 : 1))
      .map(
        (one) =>
          `  ${one.operation.padEnd(30)} ${String(one.requests).padStart(5)}${one.changes > 0 ? `  of which ${one.changes} change something` : ''}`,
      ),
    '',
    'What it would change',
    ...lines.map(([about, text]) => `  ${about.padEnd(10)} ${text}`),
    `  cards      ${inWords(account.cards)}`,
    `  at most    ${count(run.maxOrders, 'order')}, ${count(run.maxCipChecks, 'CIP check')}; at a target that loses money, ${run.maxLoss.toFixed(2)} of it`,
  ];
}

/** How many cards of each pool. */
function inWords(cards: Plan['account']['cards']): string {
  const pools = Map.groupBy(cards, ({ pool = 'no pool' }) => pool);
  return [...pools].map(([pool, { length }]) => `${length} of ${pool}`).join(', ') || 'none';
}
