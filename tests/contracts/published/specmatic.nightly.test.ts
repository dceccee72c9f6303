/**
 * The published OpenAPI documents, with the overlays of the sandbox, held against the sandbox by Specmatic, which makes
 * a request of the examples of each operation and judges status and body by the document.
 */
import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { filesForTarget, INTERFACES } from '../../../cli/published-files.ts';
import type { Fixtures } from '../../../contracts/fixtures.ts';
import { operationsAt } from '../../../contracts/publish/openapi.ts';
import type { SandboxOptions } from '../../../sandbox/index.ts';
import { temporaryDirectory } from '../../tools/directory.ts';
import { program } from '../../tools/installed.ts';
import { ROOT } from '../../tools/root.ts';
import { sandboxFor } from '../../tools/sandboxes.ts';

const noJava = spawnSync('java', ['-version']).status !== 0;
const directory = temporaryDirectory(afterAll);

/** The published documents leave out what the server variables hold: here the tenant. */
const ROOT_PATHS = { auth: '', base: '', portal: '', token: '/B2C_1_signupandsignin/oauth2/v2.0/token' };
/** A card for each operation that uses one up. */
const POOLS = { active: 3, disposable: 5, unused: 1, fraud: 1, foreign: 1 };

/** What Specmatic says of a sandbox, held against a published document with the sandbox's overlay. */
async function specmatic(at: (typeof INTERFACES)[number], rules: SandboxOptions = {}) {
  const { environment, fixtures, url } = await sandboxFor({ paths: ROOT_PATHS, pools: POOLS, ...rules });
  const tokenRequest = {
    grant_type: 'client_credentials',
    client_id: environment.TARGET_CLIENT_ID!,
    client_secret: environment.TARGET_CLIENT_SECRET!,
    scope: environment.TARGET_SCOPE!,
  };
  const login = { loginID: environment.TARGET_PORTAL_LOGIN_ID!, password: environment.TARGET_PORTAL_PASSWORD! };
  const ask = async (path: string, body?: URLSearchParams) =>
    (await (await fetch(url + path, { method: 'POST', body })).json()) as Record<string, string>;
  const { access_token: token } = await ask(ROOT_PATHS.token, new URLSearchParams(tokenRequest));
  const { sessionId } = await ask(`/_ah/api/login?${new URLSearchParams(login)}`);
  const overlay = join(directory, `overlay-${at}.json`);
  const files = filesForTarget({ ...(fixtures as Fixtures), tokenRequest, login });
  writeFileSync(overlay, files[`overlay-${at}.json`]!);
  const document = join(ROOT, `contracts/published/openapi-${at}.yaml`);
  const args = [program('specmatic'), 'test', document, `--overlay-file=${overlay}`, `--testBaseURL=${url}`];
  // Specmatic looks for credentials in its environment, by the names of the schemes.
  const env = { ...process.env, oauth2: token, bearer: token, sessionId };
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: directory,
    maxBuffer: 2 ** 28,
    env,
  }).catch((error: { stdout: string }) => error);
  const [, tests, successes] = /Tests run: (\d+), Successes: (\d+)/.exec(stdout) ?? [];
  return { tests: Number(tests), successes: Number(successes), said: stdout };
}

describe.skipIf(noJava)('Specmatic (skipped without Java)', () => {
  test.each(INTERFACES)('raises no alarm on the sandbox: %s', async (at) => {
    const shown = operationsAt(at).filter(({ listedOnly }) => !listedOnly);
    const { tests, successes, said } = await specmatic(at);
    expect(tests, said.slice(-5000)).toBe(shown.length);
    expect(successes, said.slice(-5000)).toBe(tests);
  });

  test('and sees a sandbox that is broken', async () => {
    const { tests, successes, said } = await specmatic('v3', { rules: { money: (cents) => String(cents) } });
    expect(successes).toBeLessThan(tests);
    expect(said).toMatch(/RESPONSE\.BODY\.balance/);
  });
});
