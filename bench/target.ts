/**
 * A target in a separate process, so that it does not affect the figures: `target.ts OPTIONS`, with {@link TargetOptions} as JSON. Prints its environment
 * and fixtures as one line of JSON, and serves until its input ends.
 */
import { startSecondTarget } from '../proof/second-target/index.ts';
import { startSandbox } from '../sandbox/index.ts';
import type { TargetOptions } from './processes.ts';

function sandboxWith({ latencyMs = 0, effectDelayMs = 0, customers = 150, cards = 150 }: TargetOptions) {
  return startSandbox({
    customers,
    cards,
    // Enough that no check has to wait for the cards of another.
    pools: { active: 16, disposable: 24, unused: 10, fraud: 6, foreign: 4 },
    rules: effectDelayMs === 0 ? {} : { effectDelayMs: () => effectDelayMs },
    middleware:
      latencyMs === 0
        ? []
        : [
            (answer) => {
              answer.transport = { ...answer.transport, delayMs: latencyMs };
              return undefined;
            },
          ],
  });
}

async function secondTargetWith({ latencyMs, freedoms }: TargetOptions) {
  const { env, settings, ...target } = await startSecondTarget({ latencyMs, freedoms });
  return { ...target, environment: { ...env, ...settings, RUN_RISK: 'irreversible' } };
}

const options = JSON.parse(process.argv[2]!) as TargetOptions;
const target = await (options.freedoms ? secondTargetWith(options) : sandboxWith(options));
console.log(JSON.stringify({ environment: target.environment, fixtures: target.fixtures }));
process.stdin.on('end', () => target.close()).resume();
