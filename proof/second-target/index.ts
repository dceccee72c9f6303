import { defaultChoices } from './choices.ts';
import { faults } from './faults.ts';
import { type Fixtures, fixturesOf } from './fixtures.ts';
import { freedoms } from './freedoms.ts';
import { mounts } from './routes.ts';
import { createWorld } from './seed.ts';
import { clockPath, serve } from './server.ts';

/** A running target, and the settings of a run against it. */
export interface SecondTarget extends AsyncDisposable {
  /** The `TARGET_*` variables. */
  env: Record<string, string>;
  /** The content of the fixtures file. */
  fixtures: Fixtures;
  /** The `RUN_*` variables that the chosen freedoms need. */
  settings: Record<string, string>;
  close(): Promise<void>;
}

/** Options of a target. */
export interface SecondTargetOptions {
  /** Ids of freedoms to use. */
  freedoms?: readonly string[];
  /** Ids of faults to have. */
  faults?: readonly string[];
  /** Varies identifiers and the order of listings; 1 by default. */
  seed?: number;
}

function chosen<T extends { id: string }>(all: readonly T[], ids: readonly string[] = []): T[] {
  return ids.map((id) => {
    const found = all.find((one) => one.id === id);
    if (!found) throw new Error(`no freedom or fault has the id "${id}"`);
    return found;
  });
}

/** Starts a target on a free port of loopback. */
export async function startSecondTarget(options: SecondTargetOptions = {}): Promise<SecondTarget> {
  const choices = defaultChoices(options.seed ?? 1);
  for (const { change } of chosen(freedoms, options.freedoms)) change(choices);
  for (const { change } of chosen(faults, options.faults)) change(choices);
  const world = createWorld(choices);
  const fixtures = fixturesOf(world, choices);
  const { server, origin } = await serve(world, choices);
  const user = world.users[0]!;
  const close = async () => {
    server.closeAllConnections();
    await new Promise<void>((done) => server.close(() => done()));
  };
  return {
    env: {
      TARGET_AUTH_URL: origin + mounts.auth,
      TARGET_BASE_URL: origin + mounts.base,
      TARGET_PORTAL_URL: origin + mounts.portal,
      TARGET_TENANT_PATH: world.tenant,
      TARGET_CLIENT_ID: world.client.id,
      TARGET_CLIENT_SECRET: world.client.secret,
      TARGET_SCOPE: world.scope,
      TARGET_PORTAL_LOGIN_ID: user.loginId,
      TARGET_PORTAL_PASSWORD: user.password,
      TARGET_TEST_CLOCK_URL: origin + clockPath,
    },
    fixtures,
    settings: choices.settings,
    close,
    [Symbol.asyncDispose]: close,
  };
}
