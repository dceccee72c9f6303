/** One process at a time has a report directory: with real processes, killed ones among them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startCleanup, startNode, startRun } from '../../proof/hostile/run.ts';
import { promise } from '../docs/security/promises.ts';
import { holding, restorable } from '../run/interruption/held.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { ROOT } from '../tools/root.ts';

const ONLY = ['--only', 'cards.suspend'];

const filesOf = (reports: string) =>
  ['exchanges.ndjson', 'changes.ndjson', '.in-use'].map((name) => readFileSync(join(reports, name), 'utf8'));

test('whoever else wants the directory of a run ends with 2, says who has it, and touches nothing', async () => {
  const { promise: othersEnded, resolve: answer } = Promise.withResolvers<void>();
  const target = await holding(/POST .*\/suspend$/, () => othersEnded);
  target.environment.RUN_TIMEOUT_MS = '120000';
  const run = startRun(target.environment, ONLY);
  await target.held;
  const before = filesOf(run.reports);
  const others = [
    startRun({ ...target.environment, RUN_REPORT_DIR: run.reports }, ONLY),
    startRun({ RUN_REPORT_DIR: run.reports }),
    startCleanup(target.environment, run.reports),
    startNode([join(ROOT, 'cli/start.js'), 'report', run.reports], {}),
    startNode([join(ROOT, 'cli/start.js'), 'merge', '--out', run.reports, run.reports], {}),
  ];
  for (const other of others) {
    const ended = await other.ended;
    expect(ended.code, ended.stderr).toBe(2);
    expect(ended.stderr).toMatch(new RegExp(`is in use by a run \\(process ${run.child.pid} on \\S+, since \\S+\\)`));
  }
  // The run itself may have written on meanwhile.
  for (const [index, text] of filesOf(run.reports).entries()) expect(text.startsWith(before[index]!)).toBe(true);
  answer();
  expect((await run.ended).code).toBe(0);
  expect(existsSync(join(run.reports, '.in-use'))).toBe(false);
  expect(restorable(target)).toEqual(target.before);
  promise('one run', 'others beside a run', { attempts: others.length, held: others.length });
});

test('a run that was killed holds nothing: a cleanup and a run follow it', async () => {
  const target = await holding(/POST .*\/suspend$/);
  const killed = startRun(target.environment, ONLY);
  await target.held;
  killed.child.kill('SIGKILL');
  await killed.ended;
  expect(existsSync(join(killed.reports, '.in-use'))).toBe(true);
  expect((await startCleanup(target.environment, killed.reports).ended).code).toBe(0);
  expect(restorable(target)).toEqual(target.before);
  const next = startRun({ ...target.environment, RUN_REPORT_DIR: killed.reports }, ONLY);
  expect((await next.ended).code).toBe(0);
  promise('one run', 'after a kill', { attempts: 2, held: 2 });
});

/** Holds the directory until its input ends; prints who it is. */
const HOLD = `
import { holdDirectory } from ${JSON.stringify(join(ROOT, 'files/hold.ts'))};
process.stdin.on('end', () => process.exit());
try { holdDirectory(process.argv[1], 'a test'); console.log('held'); process.stdin.resume(); }
catch (error) { console.log(error.name); process.exit(); }
`;

async function hold(directory: string) {
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', HOLD, directory], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [said] = await once(child.stdout, 'data');
  return { said: String(said).trim(), child };
}

test('of many that want what a killed one left, one gets it', async () => {
  const directory = temporaryDirectory();
  let rounds = 0;
  for (; rounds < 8; rounds++) {
    const all = await Promise.all(Array.from({ length: 6 }, () => hold(directory)));
    expect(all.map(({ said }) => said).sort()).toEqual([...Array(5).fill('DirectoryInUse'), 'held']);
    const holder = all.find(({ said }) => said === 'held')!.child;
    holder.kill('SIGKILL');
    await once(holder, 'close');
  }
  promise('one run', 'many at once', { attempts: rounds * 6, held: rounds * 6 });
});

test('a holder on another machine is believed as long as it touches the file', async () => {
  const directory = temporaryDirectory();
  const file = join(directory, '.in-use');
  const elsewhere = {
    pid: 1,
    began: '1',
    place: 'elsewhere',
    host: 'elsewhere',
    what: 'a run\u001b[2J',
    since: 'now',
  };
  writeFileSync(file, JSON.stringify(elsewhere));
  expect((await hold(directory)).said).toBe('DirectoryInUse');
  const longAgo = new Date(Date.now() - 120_000);
  utimesSync(file, longAgo, longAgo);
  const { said, child } = await hold(directory);
  child.stdin.end();
  expect(said).toBe('held');
  // A number that another process has by now, and a file that was cut off.
  const gone = { ...JSON.parse(readFileSync(file, 'utf8')), began: 'before' };
  await once(child, 'close');
  for (const left of [JSON.stringify(gone), '{"pid":']) {
    writeFileSync(file, left);
    utimesSync(file, longAgo, longAgo);
    const next = await hold(directory);
    next.child.stdin.end();
    expect(next.said).toBe('held');
    await once(next.child, 'close');
  }
  promise('one run', 'another machine', { attempts: 4, held: 4 });
});
