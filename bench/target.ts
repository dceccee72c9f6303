/**
 * A sandbox in a process of its own, so that it is in nobody's figures: `target.ts LATENCY_MS CUSTOMERS CARDS`.
 * Prints its environment and fixtures as one line of JSON, and serves until its input ends.
 */
import { startSandbox } from '../sandbox/index.ts';

const [latencyMs = 0, customers = 150, cards = 150] = process.argv.slice(2).map(Number);

const sandbox = await startSandbox({
  customers,
  cards,
  // Enough that no check has to wait for the cards of another.
  pools: { active: 16, disposable: 24, unused: 10, fraud: 6, foreign: 4 },
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
