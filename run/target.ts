/** Provides the target of a command: the configured one, or the embedded sandbox. */
import { fixtures } from '../contracts/fixtures.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import type { Sandbox } from '../sandbox/index.ts';

/**
 * Works against the configured target; if none is configured, against an embedded sandbox for the duration of the work.
 */
export async function withTarget<T>(
  configuration: Configuration,
  work: (configuration: Configuration) => Promise<T>,
): Promise<T> {
  if (!configuration.target.embedded) return work(configuration);
  const { startSandbox } = await import('../sandbox/index.ts');
  const sandbox = await startSandbox();
  try {
    return await work(pointAt(configuration, sandbox));
  } finally {
    await sandbox.close();
  }
}

/** Fills in the sandbox's addresses, credentials and fixtures. */
export function pointAt(
  configuration: Configuration,
  sandbox: Pick<Sandbox, 'environment' | 'fixtures'>,
): Configuration {
  const { environment } = sandbox;
  const { tokenPath, portalPath } = configuration.target;
  return {
    ...configuration,
    target: {
      ...configuration.target,
      authUrl: environment.TARGET_AUTH_URL,
      baseUrl: environment.TARGET_BASE_URL,
      portalUrl: environment.TARGET_PORTAL_URL,
      tenantPath: environment.TARGET_TENANT_PATH,
      tokenPath: environment.TARGET_TOKEN_PATH ?? tokenPath,
      portalPath: environment.TARGET_PORTAL_PATH ?? portalPath,
      clientId: environment.TARGET_CLIENT_ID,
      clientSecret: environment.TARGET_CLIENT_SECRET,
      scope: environment.TARGET_SCOPE,
      portalLoginId: environment.TARGET_PORTAL_LOGIN_ID,
      portalPassword: environment.TARGET_PORTAL_PASSWORD,
      testClockUrl: environment.TARGET_TEST_CLOCK_URL,
    },
    fixtures: fixtures.parse(sandbox.fixtures),
  };
}
