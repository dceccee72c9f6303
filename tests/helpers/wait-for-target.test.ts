/** The first contact with an interface waits for a target that is not there yet, and says so. */
import { createServer, type RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { Recorder } from '../../helpers/evidence/recorder.ts';
import { Run } from '../../helpers/run.ts';
import { reach } from '../../helpers/runner/reach.ts';
import { listen, serve } from '../tools/servers.ts';
import { BASE, workspace } from './configuration/workspace.ts';

/** Tries the interfaces of a target. @param seconds of --wait-for-target */
async function reached(url: string, seconds = '') {
  const environment = { ...BASE, TARGET_BASE_URL: url, RUN_SETTLE_MS: '0' };
  const said: string[] = [];
  const parts = { recorder: new Recorder(undefined), onWait: (waiting: string) => said.push(waiting) };
  const run = new Run(await workspace().read(environment, { 'wait-for-target': seconds }), [], parts);
  try {
    const { reached: names, blocked } = await reach(run);
    return { said, names, blocked: [...blocked.values()].map((why) => why?.reason) };
  } finally {
    await run.close();
  }
}

/** Answers with 503 as often as said, of all addresses that begin so, and with an empty listing otherwise. */
function coldAtFirst(times: number, at = /^\/(users\/customers|cards\/cards)/): RequestListener {
  let asked = 0;
  return ({ url = '' }, response) => {
    const isCold = at.test(url) && ++asked <= times;
    const status = isCold ? 503 : url === '/' ? 404 : 200;
    response.writeHead(status, { 'content-type': 'application/json' }).end(isCold ? '' : '{"results":[]}');
  };
}

test('one whose operations answer 503 at first, and its bare address 404, is waited for', async () => {
  const { said, names, blocked } = await reached(await serve(coldAtFirst(4)));
  expect({ names, blocked }).toEqual({ names: ['v3'], blocked: [] });
  expect(said).toContainEqual(expect.stringMatching(/127\.0\.0\.1:\d+ answers 503: waiting up to 30 s for the target/));
});

test('one whose bare address answers 503 for ever is not waited for', async () => {
  expect((await reached(await serve(coldAtFirst(Number.POSITIVE_INFINITY, /^\/$/)), '60')).said).toEqual([]);
});

test('one that starts to listen while it is waited for is found', async () => {
  const first = createServer();
  const url = await listen(first);
  first.close();
  setTimeout(() => void listen(createServer(coldAtFirst(0)), Number(new URL(url).port)), 500);
  const { said, names } = await reached(url, '30');
  expect(names).toEqual(['v3']);
  expect(said).toContainEqual(expect.stringMatching(/the connection was refused/));
});

test('the waiting ends', async () => {
  expect((await reached('http://127.0.0.1:9', '1')).blocked[0]).toMatch(/refused/);
});
