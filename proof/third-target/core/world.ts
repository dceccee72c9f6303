import { seedCards } from '../seed/cards.ts';
import { seedClients, seedCustomers } from '../seed/customers.ts';
import { fixturesOf } from '../seed/fixtures.ts';
import { seedPersons, seedPrograms, seedUsers } from '../seed/portal.ts';
import { cardRules, customerRules } from './card-rules.ts';
import { cipRules } from './cip-rules.ts';
import { errorRules } from './error-rules.ts';
import type { World } from './model.ts';
import { moneyRules } from './money-rules.ts';
import { orderRules } from './order-rules.ts';
import { portalRules } from './portal-rules.ts';
import { tokenRules } from './token-rules.ts';

/** A world of its own for each start: seeded data, and the rules by which it answers. */
export function newWorld(): World {
  const { customers, near, far } = seedCustomers();
  const owner = customers[1]!;
  const pools = seedCards(customers, near, far);
  const programs = seedPrograms(owner, customers[2]!, far);
  const persons = seedPersons();
  const users = seedUsers(owner);
  const world = {
    advanced: 0,
    now: () => Date.now() + world.advanced,
    clients: seedClients(near, far),
    customers,
    cards: Object.values(pools).flat(),
    users,
    sessions: [],
    programs: Object.values(programs),
    persons,
    orders: [],
    temporaryTokens: [],
    handlers: new Map(),
    outer: [],
    inner: [],
    timers: [],
    fixtures: fixturesOf({ customers, owner, far, pools, programs, persons, users }),
  } as unknown as World;
  world.rules = {
    ...errorRules,
    ...tokenRules(world),
    ...customerRules(world),
    ...cardRules(world),
    ...moneyRules(world),
    ...portalRules(world),
    ...cipRules(world),
    ...orderRules(world),
  };
  return world;
}
