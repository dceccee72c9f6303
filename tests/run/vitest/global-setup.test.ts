import { expect, test, vi } from 'vitest';
import type { TestProject } from 'vitest/node';
import setUp from '../../../run/vitest/global-setup.ts';

test('faults of the configuration are named before a test is run', async () => {
  vi.stubEnv('TARGET_CLIENT_ID', 'id');
  await expect(setUp({} as TestProject)).rejects.toThrow('TARGET_CLIENT_ID');
});
