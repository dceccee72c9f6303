/** `run --plan`: what a run would do, without doing it. */
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { program } from '../../cli/command.ts';
import { configurable, givenOptions } from '../../cli/options.ts';
import { printPlan } from '../../cli/plan.ts';
import { readConfiguration } from '../../helpers/configuration/index.ts';
import { hostileTarget, reply } from '../../proof/hostile/target.ts';
import { inProcess } from '../tools/in-process.ts';
import { environmentOf, sandboxFor } from '../tools/sandboxes.ts';

const command = configurable('Says what a run would do, in this process.');

/** What `npm start -- --plan` does, without the process that it ends. */
const plan = program('run', command, async () =>
  printPlan(await readConfiguration({ env: process.env, options: givenOptions(command), cwd: process.cwd() })),
);

const planOf = (args: string[], environment: Record<string, string>) =>
  inProcess(plan, ['--plan', ...args], environment, tmpdir());

test('counts what a run of this selection and risk would send and change, and asks the target nothing but readings', async () => {
  const asked: string[] = [];
  const { sandbox, environment } = await hostileTarget(async (call) => {
    asked.push(`${call.request.method} ${new URL(call.request.url!, 'http://target').pathname}`);
    reply(call.response, await call.forward());
  }, 'after login');
  const before = sandbox.state();
  const own = environmentOf({ ...sandbox, environment });
  const { code, stdout, stderr } = await planOf(['--only', 'cards.transfer', '--risk', 'reversible'], own);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^Plan for .+, risk reversible, seed \d+$/m);
  expect(stdout).toMatch(/^ {2}cards\.transfer +\d+ {2}of which \d+ change something$/m);
  expect(stdout).toMatch(/^ {2}money +\d+ transfers accepted, of \d+\.\d\d in all/m);
  expect(stdout).toMatch(/^ {2}undone +\d+ × cards\.transfer/m);
  expect(stdout).toMatch(/^ {2}active +\S+: \d+\.\d\d, Active$/m);
  expect(sandbox.state()).toEqual(before);
  expect(asked.filter((one) => !one.startsWith('GET ') && !/token|logout|login/.test(one))).toEqual([]);
});

test.each([
  ['everything is skipped', ['--only', 'cards.transfer.conserves-money', '--risk', 'safe'], {}],
  ['the target is gone', [], { TARGET_AUTH_URL: 'http://127.0.0.1:9', TARGET_BASE_URL: 'http://127.0.0.1:9' }],
])('ends with 2 where a run would: %s', async (_, args, over) => {
  const { environment } = await sandboxFor();
  const {
    TARGET_PORTAL_URL: _url,
    TARGET_PORTAL_LOGIN_ID: _id,
    TARGET_PORTAL_PASSWORD: _password,
    ...v3
  } = environment;
  const ended = await planOf(args, { ...v3, ...over });
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringMatching(/^.+\n$/) });
});

test('tells less of a shard and of a lower risk, and more of everything that can be tried', async () => {
  const { environment } = await sandboxFor();
  const requestsOf = async (...args: string[]) => {
    const { stdout } = await planOf(['--seed', '1', '--only', 'cards.transfer,users', ...args], environment);
    return Number(/^(\d+) requests/m.exec(stdout)?.[1]);
  };
  const [whole, safe] = [await requestsOf(), await requestsOf('--risk', 'safe')];
  expect(safe).toBeLessThan(whole);
  expect(await requestsOf('--shard', '1/2')).toBeLessThan(whole);
  expect(await requestsOf('--thorough')).toBeGreaterThan(whole);
});

test('says how long a run takes at the least, and what limits of orders keep everything that can be tried from', async () => {
  const environment = environmentOf(await sandboxFor());
  const only = ['--seed', '1', '--only', 'portal.orderCards.duplicate-order', '--concurrency', '5'];
  const { stdout } = await planOf([...only, '--thorough', '--max-orders', '12'], environment);
  const requests = Number(/^(\d+) requests/m.exec(stdout)?.[1]);
  expect(stdout).toContain(
    `At least ${(requests / 100).toFixed(1)} s where each answer takes 50 ms, with RUN_CONCURRENCY=5`,
  );
  expect(stdout).toMatch(/^ {2}more +[1-9]\d* forms?, .+ RUN_MAX_ORDERS=200/m);
  expect((await planOf(only, environment)).stdout).not.toContain('RUN_MAX_ORDERS=200');
});
