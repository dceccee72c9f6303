import type { AddressInfo } from 'node:net';
import { PLACES } from './core/routes.ts';
import { serverOf } from './core/server.ts';
import { newWorld } from './core/world.ts';
import { faults } from './faults.ts';
import { freedoms } from './freedoms.ts';

export interface ThirdTarget {
  env: Record<string, string>;
  fixtures: object;
  close(): Promise<void>;
}

function chosen<T extends { name: string }>(all: T[], names: string[], what: string): T[] {
  return names.map((name) => {
    const found = all.find((one) => one.name === name);
    if (!found) throw new Error(`There is no ${what} named ${name}`);
    return found;
  });
}

/** Starts the third target on the loopback interface. @param options.port a free one by default */
export async function startThirdTarget(
  options: { freedoms?: string[]; faults?: string[]; port?: number } = {},
): Promise<ThirdTarget> {
  const world = newWorld();
  for (const freedom of chosen(freedoms, options.freedoms ?? [], 'freedom')) freedom.apply(world);
  for (const fault of chosen(faults, options.faults ?? [], 'fault')) fault.apply(world);
  const server = serverOf(world);
  await new Promise<void>((done) => server.listen(options.port ?? 0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [client, user] = [world.clients[0]!, world.users[0]!];
  return {
    env: {
      TARGET_NAME: 'third target',
      TARGET_AUTH_URL: origin + PLACES.auth,
      TARGET_BASE_URL: origin + PLACES.base,
      TARGET_PORTAL_URL: origin + PLACES.portal,
      TARGET_TENANT_PATH: PLACES.tenant,
      TARGET_CLIENT_ID: client.id,
      TARGET_CLIENT_SECRET: client.secret,
      TARGET_SCOPE: 'urn:cards/.default',
      TARGET_PORTAL_LOGIN_ID: user.loginID,
      TARGET_PORTAL_PASSWORD: user.password,
      TARGET_TEST_CLOCK_URL: origin + PLACES.clock,
    },
    fixtures: world.fixtures,
    close: async () => {
      for (const timer of world.timers) clearInterval(timer);
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

export { faults, freedoms };
