/** What a requirement costs that is judged alone: 15 requests as a rule, 40 at most. */
import { expect, test } from 'vitest';
import { requirements } from '../../contracts/requirements/index.ts';
import { conductAgainst } from './prove.ts';

/** Requirements whose checks are rows of tables or of the books, or laws of listings. Those that every exchange is judged by need all checks of their operation. */
const OF_TABLES =
  /^portal\.getCIPCheck\.(?!requires-session|session-status)|^portal\.orderCards\.(?:missing-|required-|unlisted-|card-type|unusual|body-types)|^(?!portal\.login).*-parameters$|^(?:users|cards)\.list\.(?!requires-live-token)|^cards\.transfer\.(?:no-|to-itself|repeated|missing-body|foreign)|^portal\.get(?!CIP)\w+\.requires-session/;
const ids = requirements.filter(({ id, everyExchange }) => OF_TABLES.test(id) && !everyExchange).map(({ id }) => id);

test('rows of tables send no more than their requirement needs', async () => {
  const costs: number[] = [];
  for (const id of ids) {
    const { run } = await conductAgainst({}, [id]);
    const { requests } = run.transport.stats();
    expect(requests, id).toBeLessThanOrEqual(40);
    costs.push(requests);
  }
  expect(ids.length).toBeGreaterThan(40);
  expect(costs.toSorted((a, b) => a - b)[Math.floor(costs.length / 2)]).toBeLessThanOrEqual(15);
});
