import { setTimeout as sleep } from 'node:timers/promises';
import { type Choices, defaultChoices } from './choices.ts';
import { faults } from './faults.ts';
import { type Fixtures, fixturesOf } from './fixtures.ts';
import { freedoms } from './freedoms.ts';
import { mounts } from './operation-ids.ts';
import { createWorld } from './seed.ts';
import { clockPath, type Received, respond, type Sent, serve } from './server.ts';
import type { World } from './world.ts';

/** A target that answers without a connection, and the settings of a run against it. */
export interface UnservedTarget {
  /** The `TARGET_*` variables. @param origin where it will be reached */
  envAt(origin: string): Record<string, string>;
  /** The content of the fixtures file. */
  fixtures: Fixtures;
  /** The `RUN_*` variables that the chosen freedoms need. */
  settings: Record<string, string>;
  respond(request: Received): Promise<Sent>;
}

/** A running target. */
export interface SecondTarget extends AsyncDisposable, Pick<UnservedTarget, 'fixtures' | 'settings'> {
  env: Record<string, string>;
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
  /** Time that each answer takes, in milliseconds; none by default. */
  latencyMs?: number;
}

function chosen<T extends { id: string }>(all: readonly T[], ids: readonly string[] = []): T[] {
  return ids.map((id) => {
    const found = all.find((one) => one.id === id);
    if (!found) throw new Error(`no freedom or fault has the id "${id}"`);
    return found;
  });
}

const made = (options: SecondTargetOptions) => {
  const choices = defaultChoices(options.seed ?? 1);
  const { latencyMs } = options;
  if (latencyMs !== undefined) choices.before.push(() => sleep(latencyMs));
  for (const { change } of chosen(freedoms, options.freedoms)) change(choices);
  for (const { change } of chosen(faults, options.faults)) change(choices);
  return { choices, world: createWorld(choices) };
};

const described = (world: World, choices: Choices): Omit<UnservedTarget, 'respond'> => ({
  fixtures: fixturesOf(world, choices),
  settings: choices.settings,
  envAt: (origin) => ({
    TARGET_AUTH_URL: origin + mounts.auth,
    TARGET_BASE_URL: origin + mounts.base,
    TARGET_PORTAL_URL: origin + mounts.portal,
    TARGET_TENANT_PATH: world.tenant,
    TARGET_CLIENT_ID: world.client.id,
    TARGET_CLIENT_SECRET: world.client.secret,
    TARGET_SCOPE: world.scope,
    TARGET_PORTAL_LOGIN_ID: world.users[0]!.loginId,
    TARGET_PORTAL_PASSWORD: world.users[0]!.password,
    TARGET_TEST_CLOCK_URL: origin + clockPath,
  }),
});

/** Makes a target that answers the requests passed to it. */
export function makeSecondTarget(options: SecondTargetOptions = {}): UnservedTarget {
  const { choices, world } = made(options);
  return { ...described(world, choices), respond: (request) => respond(request, world, choices) };
}

/** Starts a target on a free port of loopback. */
export async function startSecondTarget(options: SecondTargetOptions = {}): Promise<SecondTarget> {
  const { choices, world } = made(options);
  const { envAt, fixtures, settings } = described(world, choices);
  const { server, origin } = await serve(world, choices);
  const close = async () => {
    server.closeAllConnections();
    await new Promise<void>((done) => server.close(() => done()));
  };
  return { env: envAt(origin), fixtures, settings, close, [Symbol.asyncDispose]: close };
}
