/** A configuration that points at the embedded sandbox. */
import { fixtures } from '../contracts/fixtures.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import { type Sandbox, startSandbox } from '../sandbox/index.ts';

/** Starts the sandbox and fills its addresses, credentials and fixtures in. */
export async function withEmbeddedSandbox(
  configuration: Configuration,
): Promise<{ configuration: Configuration; sandbox: Sandbox }> {
  const sandbox = await startSandbox();
  const { environment } = sandbox;
  return {
    sandbox,
    configuration: {
      ...configuration,
      target: {
        ...configuration.target,
        authUrl: environment.TARGET_AUTH_URL,
        baseUrl: environment.TARGET_BASE_URL,
        portalUrl: environment.TARGET_PORTAL_URL,
        tenantPath: environment.TARGET_TENANT_PATH,
        clientId: environment.TARGET_CLIENT_ID,
        clientSecret: environment.TARGET_CLIENT_SECRET,
        scope: environment.TARGET_SCOPE,
        portalLoginId: environment.TARGET_PORTAL_LOGIN_ID,
        portalPassword: environment.TARGET_PORTAL_PASSWORD,
        testClockUrl: environment.TARGET_TEST_CLOCK_URL,
      },
      fixtures: fixtures.parse(sandbox.fixtures),
    },
  };
}
