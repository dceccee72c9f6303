import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { doctor } from '../../../cli/doctor.ts';
import { requirements } from '../../../contracts/requirements/index.ts';
import { temporaryDirectory } from '../../tools/directory.ts';
import { inProcess } from '../../tools/in-process.ts';
import { runHere } from '../../tools/run-in-process.ts';
import { environmentOf, sandboxFor } from '../../tools/sandboxes.ts';
import { NOWHERE, ran, recordIn, tries } from './trial.ts';

tries('README.md', [
  [
    'lists every requirement exactly once with its verdict and evidence',
    async () => {
      const { record } = await ran('users.get');
      expect(record().requirements.map(({ id }) => id)).toEqual(requirements.map(({ id }) => id));
    },
  ],
  [
    'No file contains a secret',
    async () => {
      const { environment, written } = await ran('token.issue,portal.login');
      for (const name of ['TARGET_CLIENT_SECRET', 'TARGET_PORTAL_PASSWORD', 'TARGET_PORTAL_LOGIN_ID'])
        expect(written().filter((text) => text.includes(environment[name]!))).toEqual([]);
    },
  ],
  [
    'By default its risk is `safe`: it changes no card, customer, order, money or permission.',
    async () => {
      const sandbox = await sandboxFor();
      const before = JSON.stringify(sandbox.state());
      const { RUN_RISK: _, ...environment } = environmentOf(sandbox);
      const { reports } = await runHere(environment);
      expect(recordIn(reports).run.risk).toBe('safe');
      expect(JSON.stringify(sandbox.state())).toBe(before);
    },
  ],
  [
    'for a host outside loopback they require its name in `RUN_CONFIRM_HOST`',
    async () => {
      const changed = { TARGET_BASE_URL: 'http://api.example', RUN_RISK: 'reversible' };
      const { code, stderr } = await ran('users.get', { changed });
      expect(code).toBe(2);
      expect(stderr).toContain('RUN_CONFIRM_HOST');
    },
  ],
  [
    'It changes nothing.',
    async () => {
      const sandbox = await sandboxFor();
      const before = JSON.stringify(sandbox.state());
      await inProcess(doctor, [], { ...environmentOf(sandbox), RUN_RISK: 'safe' });
      expect(JSON.stringify(sandbox.state())).toBe(before);
    },
  ],
  [
    'if several apply, the first in this order wins: 130, 2, 1, 3, 0.',
    async () => {
      const sandbox = await sandboxFor({ rules: { money: String } });
      const changed = { TARGET_PORTAL_URL: NOWHERE };
      const { code, record } = await ran('cards.getBalance.shape,portal.getShippingMethods', { sandbox, changed });
      const { failed, blocked } = record().summary.must;
      expect({ code, failed: failed > 0, blocked: blocked > 0 }).toEqual({ code: 1, failed: true, blocked: true });
    },
  ],
]);

test('what is tried leaves nothing in the folder that it was called in', async () => {
  const directory = temporaryDirectory();
  await runHere({ RUN_REPORT_DIR: join(temporaryDirectory(), 'report') }, ['--only', 'users.get'], directory);
  expect(readdirSync(directory).filter((name) => name !== 'reports')).toEqual([]);
});
