/** All that is kept of exchanges under way has one limit: beyond it they pass, and the report says that they are not judged. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { startProxy } from '../../run/index.ts';
import { serve } from '../tools/servers.ts';

const MIB = 1024 * 1024;
const ANSWERS = 40;
const BLANKS = Buffer.alloc(15 * MIB, ' ');

test(`${ANSWERS} answers of 15 MiB under way at once take no more than the limit, pass whole, and are said not to be judged`, async () => {
  const waiting: (() => void)[] = [];
  const target = await serve((_, response) => {
    // What cannot be decoded is not judged, which would take long.
    response.writeHead(200, { 'content-encoding': 'gzip' }).write(BLANKS);
    waiting.push(() => response.end('{}'));
  });
  const proxy = await startProxy({ target: { baseUrl: target } });
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  const before = process.memoryUsage.rss();
  let bytes = 0;
  const ends = Array.from({ length: ANSWERS }, async () => {
    const url = `${proxy.environment.TARGET_BASE_URL}/cards/cards/1`;
    const asked = request(url, { headers: { authorization: 'Bearer t' }, agent: false }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.on('data', (piece: Buffer) => {
      bytes += piece.length;
    });
    await once(answer, 'end');
  });
  await expect.poll(() => bytes, { timeout: 100_000 }).toBe(ANSWERS * BLANKS.length);
  expect(process.memoryUsage.rss() - before).toBeLessThan(450 * MIB);
  for (const end of waiting) end();
  await Promise.all(ends);
  expect(bytes).toBe(ANSWERS * (BLANKS.length + 2));
  const { run } = await proxy.end();
  expect(run).toMatchObject({ complete: false, requests: ANSWERS });
  expect(run.incompleteBecause).toMatch(/^\d+ exchanges were passed on and not judged/);
});
