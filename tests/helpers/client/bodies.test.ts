import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { Bodies } from '../../../helpers/client/bodies.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Some 64 MiB once parsed, as far as a budget can tell. */
const LARGE = Buffer.from(`[${'7,'.repeat(1_000_000)}1]`);

test('bodies are read as long as there is room for them, and ordinary ones always', async () => {
  const bodies = new Bodies();
  let kept: unknown[] | null = [];
  const fill = () => {
    for (let count = 0; count < 20; count++) kept?.push(bodies.read(LARGE, 200));
  };
  expect(fill).toThrow(expect.objectContaining({ kind: 'no-room', status: 200 }));
  expect(kept.length).toBeGreaterThan(3);
  expect(bodies.read(Buffer.from('{"status":"Active"}'), 200)).toMatchObject({ ok: true, plain: { status: 'Active' } });
  kept = null;
  const isReadAgain = () => {
    collectGarbage();
    return bodies.read(LARGE, 200)?.ok;
  };
  await expect.poll(isReadAgain).toBe(true);
});
