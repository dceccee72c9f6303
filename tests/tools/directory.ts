import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/**
 * An empty directory, which is removed when the test has finished.
 * @param when what is told how to remove it: afterAll for one that the tests of a file share
 */
export function temporaryDirectory(when: (remove: () => void) => void = onTestFinished): string {
  const directory = mkdtempSync(join(tmpdir(), 'test-'));
  when(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
