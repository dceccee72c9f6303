import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { cleanup } from '../../../cli/cleanup.ts';
import { doctor } from '../../../cli/doctor.ts';
import { inProcess } from '../../tools/in-process.ts';
import { environmentOf, sandboxFor } from '../../tools/sandboxes.ts';
import { NOWHERE, ran, resultIn, stateOf, tries } from './trial.ts';

tries('docs/real-targets.md', [
  [
    'The exit code is 0 if nothing prevents a run, 1 if something does, and 2 if the settings are faulty.',
    async () => {
      const environment = environmentOf(await sandboxFor());
      const codeWith = async (changed: object) => (await inProcess(doctor, [], { ...environment, ...changed })).code;
      expect(await codeWith({})).toBe(0);
      expect(await codeWith({ TARGET_AUTH_URL: NOWHERE })).toBe(1);
      expect(await codeWith({ RUN_RISK: 'any' })).toBe(2);
    },
  ],
  [
    'With neither, these checks are skipped.',
    async () => {
      const id = 'token.issue.ends-after-60-minutes';
      const { record } = await ran(`${id},users.get`, { changed: { TARGET_TEST_CLOCK_URL: '' } });
      for (const variable of ['TARGET_TEST_CLOCK_URL', 'RUN_WAIT_FOR_EXPIRY'])
        expect(resultIn(record(), id).reason).toContain(variable);
    },
  ],
  [
    'Every run ends with an account, in the terminal, on the page, in `summary.md` and `conformance.json`',
    async () => {
      const { stdout, record, reports } = await ran('cards.suspend.not-active');
      expect(record().run.account).toBeDefined();
      const shown = ['summary.md', 'index.html'].map((name) => readFileSync(join(reports, name), 'utf8'));
      for (const text of [stdout, ...shown]) expect(text).toContain('Account');
    },
  ],
  [
    'Every change is written to `changes.ndjson` before it is sent, and later how it was undone.',
    async () => {
      const { reports } = await ran('cards.suspend.not-active');
      const text = readFileSync(join(reports, 'changes.ndjson'), 'utf8');
      expect(text).toContain('cards.suspend');
      expect(text).toContain('undone');
    },
  ],
  [
    'at most `RUN_MAX_ORDERS` and `RUN_MAX_CIP_CHECKS` accepted ones.',
    async () => {
      const sandbox = await sandboxFor();
      const before = stateOf(sandbox);
      const changed = { RUN_MAX_ORDERS: '4', RUN_MAX_CIP_CHECKS: '2' };
      await ran('portal.orderCards,portal.getCIPCheck', { sandbox, changed });
      const { orders, cipChecks } = stateOf(sandbox);
      expect(orders.length - before.orders.length).toBe(4);
      expect(cipChecks - before.cipChecks).toBe(2);
    },
  ],
  [
    'it lists each line of `changes.ndjson` that it cannot read',
    async () => {
      const { environment, reports, directory } = await ran('cards.suspend.not-active');
      appendFileSync(join(reports, 'changes.ndjson'), 'torn\n');
      const { code, stdout, stderr } = await inProcess(cleanup, [reports], environment, directory);
      expect({ code, said: stdout + stderr }).toEqual({ code: 1, said: expect.stringMatching(/line \d+/) });
    },
  ],
]);
