/** What a requirement costs that is judged alone: 15 requests as a rule, 40 at most. */
import { expect, test } from 'vitest';
import { requirements } from '../../contracts/requirements/index.ts';
import { conductAgainst } from './prove.ts';

/** Requirements whose checks are rows of tables or of the books, or laws of listings, and that of a suspension, to which several lives lead. Those that every exchange is judged by need all checks of their operation. */
const OF_TABLES =
  /^portal\.getCIPCheck\.(?!requires-session|session-status)|^portal\.orderCards\.(?:missing-|required-|unlisted-|card-type|unusual|body-types)|^(?!portal\.login).*-parameters$|^(?:users|cards)\.list\.(?!requires-live-token)|^cards\.transfer\.(?:no-|to-itself|repeated|missing-body|foreign)|^portal\.get(?!CIP)\w+\.requires-session|^cards\.suspend\.not-active/;
const own = requirements.filter(({ id, everyExchange }) => OF_TABLES.test(id) && !everyExchange).map(({ id }) => id);

/** How many requests a requirement sends that is judged alone. */
async function costOf(id: string): Promise<number> {
  const { run } = await conductAgainst({}, [id]);
  return run.transport.stats().requests;
}

/** How many requests half of some requirements send at most. */
async function medianOf(ids: readonly string[]): Promise<number> {
  const costs: number[] = [];
  for (const id of ids) costs.push(await costOf(id));
  return costs.toSorted((a, b) => a - b)[Math.floor(costs.length / 2)]!;
}

test('rows of tables send no more than their requirement needs', async () => {
  for (const id of own) expect(await costOf(id), id).toBeLessThanOrEqual(40);
  expect(own.length).toBeGreaterThan(40);
  expect(await medianOf(own)).toBeLessThanOrEqual(15);
});

test('half of all requirements send at most 15', async () => {
  expect(await medianOf(requirements.map(({ id }) => id))).toBeLessThanOrEqual(15);
});
