/** `run --settle`: makes the requests that settle what a judgement of traffic suspects, and no others. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { matching } from '../../proof/changed-sandbox.ts';
import { readConformance } from '../../proof/hostile/run.ts';
import { readRecord } from '../../reports/record.ts';
import { startProxy } from '../../run/index.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/index.ts';
import { signedIn } from '../sandbox/client.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { ROOT } from '../tools/root.ts';
import { environmentOf, sandboxFor } from '../tools/sandboxes.ts';

const SUSPECTED = 'cards.list.filter-customer';

/** A target whose filter loses entries, which other users of it may explain where it shows once. */
const LOSING: SandboxOptions = {
  rules: matching(
    'cards.list',
    'customerIdentifier',
    (byDefault, { item }) => byDefault && /[89a-f]$/.test(String(item.identifier)),
  ),
};

/** What a team's own test leaves: it lists all cards, and those of one customer. */
async function recordedOf(sandbox: Sandbox, directory: string): Promise<void> {
  const { token } = await signedIn(sandbox);
  const baseUrl = sandbox.environment.TARGET_BASE_URL!;
  await using proxy = await startProxy({ target: { baseUrl }, reportDir: directory });
  const list = async (query = '') => {
    const address = `${proxy.environment.TARGET_BASE_URL}/cards/cards${query}`;
    const answer = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
    return (await answer.json()) as { results: { customerIdentifier: string }[] };
  };
  const { results } = await list();
  await list(`?customerIdentifier=${results.at(-1)!.customerIdentifier}`);
  await proxy.end();
}

const judged = join(temporaryDirectory(afterAll), 'judged');
beforeAll(async () => {
  const sandbox = await startSandbox(LOSING);
  await recordedOf(sandbox, judged);
  await sandbox.close();
});

/** Runs the suite as a person does. @returns how it ended, and its record, if it wrote one */
async function settling(directory: string, sandbox: Sandbox, ...args: string[]) {
  const reports = join(temporaryDirectory(), 'settled');
  const env = {
    PATH: process.env.PATH ?? '',
    ...environmentOf(sandbox),
    RUN_REPORT_DIR: reports,
    RUN_HISTORY: join(temporaryDirectory(), 'history'),
  };
  const { promise, resolve } = Promise.withResolvers<{ code: number; err: string }>();
  const call = [join(ROOT, 'cli/start.js'), 'run', '--settle', directory, ...args];
  execFile(process.execPath, call, { env }, (error, _out, err) =>
    resolve({ code: error ? Number(error.code) : 0, err }),
  );
  const ended = await promise;
  return { ...ended, record: existsSync(reports) ? readConformance(reports) : undefined };
}

const suspectedIn = (directory: string) =>
  readRecord(directory)
    .conformance.requirements.filter(({ reason }) => reason.startsWith('suspected: '))
    .map(({ id, verdict }) => `${id} ${verdict}`);

test('what shows once is suspected, and the reason names how it is settled', () => {
  expect(suspectedIn(judged)).toEqual([`${SUSPECTED} inconclusive`]);
  const { requirements } = readRecord(judged).conformance;
  expect(requirements.find(({ id }) => id === SUSPECTED)!.reason).toContain(`--only ${SUSPECTED}, or --settle`);
});

test.each<[string, SandboxOptions, string, number]>([
  ['the same target fails', LOSING, 'failed', 1],
  ['a sound one passes', {}, 'passed', 0],
])('a run settles it: %s', async (_, options, verdict, code) => {
  const ended = await settling(judged, await sandboxFor(options), '--risk', 'safe');
  expect(ended.code).toBe(code);
  const { requirements, run } = ended.record!;
  expect(requirements.find(({ id }) => id === SUSPECTED)).toMatchObject({ verdict });
  expect(run.selection).toContain(SUSPECTED);
  // Nothing else is judged, but for what each exchange shows by itself.
  const others = requirements.filter((one) => one.id !== SUSPECTED && ['passed', 'failed'].includes(one.verdict));
  expect(others.map(({ id }) => id)).toEqual([]);
  expect(run.requests).toBeLessThan(120);
});

test('where nothing is suspected, or there is no record, nothing is sent', async () => {
  const sandbox = await sandboxFor();
  const sound = join(temporaryDirectory(), 'sound');
  await recordedOf(sandbox, sound);
  for (const [directory, said] of [
    [sound, '--settle: nothing is suspected in'],
    [join(sound, 'nowhere'), 'there is no such file'],
  ] as const)
    expect(await settling(directory, sandbox)).toMatchObject({
      code: 2,
      err: expect.stringContaining(said),
      record: undefined,
    });
});
