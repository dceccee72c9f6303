/** A worker that dies in the middle of a run. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { TWISTED } from './behaviours.ts';
import { readConformance, startRun } from './run.ts';
import { hostileTarget } from './target.ts';

describe('a worker that dies', () => {
  /** Bytes of exchanges after which the worker does what it dies of. */
  const ENOUGH = 60_000;

  /** For ever in one turn of the event loop, at rest most of the time: it is not the processor that the run lacks. */
  const LOOPING = 'const cell = new Int32Array(new SharedArrayBuffer(4)); for (;;) Atomics.wait(cell, 0, 0, 100);';

  /** @param how statements */
  const dying = (how: string) => {
    const directory = mkdtempSync(join(tmpdir(), 'dying-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const file = join(directory, 'dying.mjs');
    const lines = [
      "import { statSync } from 'node:fs';",
      "import { isMainThread } from 'node:worker_threads';",
      "const exchanges = process.env.RUN_REPORT_DIR + '/exchanges.ndjson';",
      `const die = () => { if (statSync(exchanges, { throwIfNoEntry: false })?.size > ${ENOUGH}) { ${how} } };`,
      'if (!isMainThread) setInterval(die, 10);',
    ];
    writeFileSync(file, lines.join('\n'));
    // A worker that is asked to end is given three times as long as an answer.
    return { NODE_OPTIONS: `--import ${file}`, RUN_RATE: '60', RUN_TIMEOUT_MS: '1000' };
  };

  test.each([
    [
      'fills its memory',
      '2',
      'const kept = []; for (;;) kept.push(Array.from({ length: 1e5 }, (_, i) => ({ i })));',
      /was aborted: .*memory/,
    ],
    ['loops for ever', '0.3', LOOPING, /was aborted: its worker did not end in time/],
  ])('because it %s leaves a report of what was learned', async (_, minutes, how, reason) => {
    const target = await hostileTarget(TWISTED['answers every fifth request with 500']!, 'after login');
    const ended = await startRun({ ...target.environment, ...dying(how), RUN_MAX_MINUTES: minutes }).ended;
    expect(ended.code).toBe(1);
    const record = readConformance(ended.reports);
    expect(record.run).toMatchObject({ complete: false, incompleteBecause: expect.stringMatching(reason) });
    expect(record.run.requests).toBeGreaterThan(10);
    expect(
      record.requirements
        .filter(({ verdict }) => verdict === 'failed')
        .map(({ id }) => id)
        .join(),
    ).toContain('.status');
    expect(ended.stdout + ended.stderr).not.toMatch(/\n\s+at /);
  });

  test('does not keep Ctrl-C from ending the run', async () => {
    const target = await hostileTarget(TWISTED['answers every fifth request with 500']!, 'after login');
    const run = startRun({ ...target.environment, ...dying(LOOPING) });
    const exchanges = join(run.reports, 'exchanges.ndjson');
    while ((statSync(exchanges, { throwIfNoEntry: false })?.size ?? 0) <= ENOUGH) await sleep(50);
    run.child.kill('SIGINT');
    const ended = await run.ended;
    expect(ended.code).toBe(130);
    expect(readConformance(ended.reports).run.incompleteBecause).toMatch(/^interrupted/);
  });
});
