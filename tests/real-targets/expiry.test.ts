import { expect, test } from 'vitest';
import type { Run } from '../../helpers/run.ts';
import { letPass } from '../../helpers/runner/target-clock.ts';
import { BASE, workspace } from '../configuration/workspace.ts';

test('waiting for a token to end says for how long, and ends with the run', async () => {
  const configuration = await workspace().read({ ...BASE, RUN_WAIT_FOR_EXPIRY: 'true' });
  const said: string[] = [];
  const run = { configuration, ended: undefined, waitingFor: (what: string) => said.push(what) } as unknown as Run;
  await letPass(run, 1, 'a token gets 61 minutes old');
  expect(said).toEqual(['a token gets 61 minutes old: 1 min', '']);

  const interrupted = { configuration, ended: 'interrupted', waitingFor: () => {} } as unknown as Run;
  await expect(letPass(interrupted, 3600, 'a token gets 61 minutes old')).rejects.toThrow('interrupted');
});
