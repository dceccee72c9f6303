/** A run that judges nothing is red in vitest, too: in that of somebody else, and as a project of this one. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startNode } from '../../../proof/hostile/run.ts';
import { temporaryDirectory } from '../../tools/directory.ts';
import { ROOT } from '../../tools/root.ts';
import { sandboxFor } from '../../tools/sandboxes.ts';

const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const CARRIED_OUT = 'the run was carried out';
const NOWHERE = 'http://127.0.0.1:9';

interface Found {
  name: string;
  status: string;
  message: string;
  assertionResults: { title: string; status: string; failureMessages: string[] }[];
}

/** Runs test files of somebody, each of which holds the options of a run: what ended red, with its message, by file. */
async function inVitestOfOthers(files: Record<string, object>, args: string[] = []) {
  const root = temporaryDirectory();
  for (const [name, options] of Object.entries(files))
    writeFileSync(
      join(root, `${name}.test.ts`),
      `import { test } from 'vitest';
      import { describeConformance } from ${JSON.stringify(join(ROOT, 'run/vitest/index.ts'))};
      test('a test of its own', () => {});
      await describeConformance(${JSON.stringify(options)});`,
    );
  const results = join(root, 'results.json');
  const reporter = ['--reporter=json', `--outputFile=${results}`];
  const { code, stdout, stderr } = await startNode([VITEST, 'run', '--root', root, ...reporter, ...args], {}).ended;
  const { testResults } = JSON.parse(readFileSync(results, 'utf8')) as { testResults: Found[] };
  const red = testResults.map(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    const messages = failed.map(({ title, failureMessages: [first = ''] }) => `${title}: ${first.split('\n', 1)[0]}`);
    return [name.replace(/^.*\/|\.test\.ts$/g, ''), message === '' ? messages : [message.split('\n', 1)[0]!]] as const;
  });
  return { code, red: Object.fromEntries(red), printed: stdout + stderr };
}

async function targets() {
  const sandbox = await sandboxFor();
  const { environment } = sandbox;
  const v3 = {
    authUrl: environment.TARGET_AUTH_URL,
    baseUrl: environment.TARGET_BASE_URL,
    tenantPath: environment.TARGET_TENANT_PATH,
    clientId: environment.TARGET_CLIENT_ID,
    clientSecret: environment.TARGET_CLIENT_SECRET,
  };
  const { TARGET_PORTAL_LOGIN_ID: portalLoginId, TARGET_PORTAL_PASSWORD: portalPassword } = environment;
  const portal = { portalUrl: NOWHERE, portalLoginId, portalPassword };
  return { v3, portal, dead: { ...v3, authUrl: NOWHERE, baseUrl: NOWHERE }, fixtures: sandbox.fixtures };
}

const red = (reason: string | RegExp) => [
  expect.stringMatching(new RegExp(`^${CARRIED_OUT}: .*${new RegExp(reason).source}`)),
];

test('describeConformance fails one test, with the reason, where a run would end with 2 or 3', async () => {
  const { v3, portal, dead, fixtures } = await targets();
  const only = ['users.get.'];
  const {
    code,
    red: found,
    printed,
  } = await inVitestOfOthers({
    sound: { target: v3, fixtures, only },
    aShould: { target: v3, fixtures, only: ['token.issue.no-store'] },
    unreachable: { target: dead },
    refused: { target: { ...v3, clientSecret: 'not-the-right-one' } },
    inPart: { target: { ...v3, ...portal }, fixtures, only: [...only, 'portal.getShippingMethods.'] },
    skipped: { target: v3, only: ['cards.listRelated.related-found'] },
    outOfTime: { target: v3, fixtures, maxMinutes: 0.00001 },
  });
  expect(found, printed).toEqual({
    sound: [],
    aShould: red('no must'),
    unreachable: red('ECONNREFUSED'),
    refused: red('token.issue'),
    inPart: red('portal.*ECONNREFUSED'),
    skipped: red('withRelated'),
    outOfTime: red('RUN_MAX_MINUTES'),
  });
  expect(code).toBe(1);
});

test('one check, chosen by -t, fails for what stands in its own way alone', async () => {
  const { v3, portal, dead, fixtures } = await targets();
  const files = { sound: { target: { ...v3, ...portal }, fixtures }, unreachable: { target: dead } };
  const chosen = await inVitestOfOthers(files, ['-t', 'users.get.same-customer']);
  expect(chosen.red).toEqual({ sound: [], unreachable: [expect.stringMatching('ECONNREFUSED')] });
  expect(chosen.code).toBe(1);
  const { sound } = files;
  expect(await inVitestOfOthers({ sound }, ['-t', 'no-store'])).toMatchObject({ code: 0, red: { sound: [] } });
  expect(await inVitestOfOthers(files, ['-t', 'a test of its own'])).toMatchObject({
    code: 0,
    red: { sound: [], unreachable: [] },
  });
});

test.each([
  ['a dead address', [], `FAIL.*${CARRIED_OUT}`, 'ECONNREFUSED'],
  ['one check at a dead address', ['-t', 'users.get.same-customer'], 'FAIL.*conformance.test.js', 'ECONNREFUSED'],
  ['no check of that name', ['-t', 'users.grab'], 'users.grab', 'matches no check'],
])('vitest --project conformance is red: %s', async (_, args, ...texts) => {
  const { environment } = await sandboxFor();
  const { TARGET_TENANT_PATH, TARGET_CLIENT_ID, TARGET_CLIENT_SECRET } = environment as Record<string, string>;
  const target = { TARGET_TENANT_PATH, TARGET_CLIENT_ID, TARGET_CLIENT_SECRET } as Record<string, string>;
  const env = { ...target, TARGET_AUTH_URL: NOWHERE, TARGET_BASE_URL: NOWHERE, NO_COLOR: '1' };
  const { code, stdout, stderr } = await startNode(
    [VITEST, 'run', '--root', ROOT, '--project', 'conformance', ...args],
    env,
  ).ended;
  for (const text of texts) expect(stdout + stderr).toMatch(new RegExp(text));
  expect(code).toBe(1);
});
