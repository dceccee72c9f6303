/**
 * A sandbox in a separate process, so that it does not affect the figures: `target.ts OPTIONS`, with
 * {@link TargetOptions} as JSON. Prints its environment and fixtures as one line of JSON, and serves until its input ends.
 */
import { startSandbox } from '../sandbox/index.ts';
import type { TargetOptions } from './processes.ts';

const options = JSON.parse(process.argv[2]!) as TargetOptions;
const { latencyMs = 0, effectDelayMs = 0, customers = 150, cards = 150 } = options;

const sandbox = await startSandbox({
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
console.log(JSON.stringify({ environment: sandbox.environment, fixtures: sandbox.fixtures }));
process.stdin.on('end', () => sandbox.close()).resume();
