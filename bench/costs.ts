/** (f) Counts the requests of each requirement that is written by hand and has checks of its own, run alone against the embedded sandbox. */
import { requirementById, writtenIds } from '../contracts/requirements/index.ts';
import { conductAgainst } from '../proof/selfcheck/prove.ts';

/** Number of requests by requirement id, the costliest first. */
export async function requestsAlone(): Promise<Record<string, number>> {
  const costs: [string, number][] = [];
  for (const id of writtenIds.filter((one) => !requirementById(one).everyExchange)) {
    const { run } = await conductAgainst({}, [id]);
    costs.push([id, run.transport.stats().requests]);
  }
  return Object.fromEntries(costs.toSorted(([one, a], [other, b]) => b - a || one.localeCompare(other)));
}
