/** The first contact with an interface waits for a target that is not there yet, and says so. */
import { createServer, type RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { Recorder } from '../../helpers/evidence/recorder.ts';
import { Run } from '../../helpers/run.ts';
import { reach } from '../../helpers/runner/reach.ts';
import { listen, serve } from '../tools/servers.ts';
import { BASE, workspace } from './configuration/workspace.ts';

/** Tries the interfaces of a target. @param seconds of --wait-for-target */
async function reached(url: string, seconds?: number) {
  const environment = { ...BASE, TARGET_BASE_URL: url, RUN_SETTLE_MS: '0' };
  const options = seconds === undefined ? {} : { 'wait-for-target': String(seconds) };
  const said: string[] = [];
  const onWait = (waiting: string) => said.push(waiting);
  const run = new Run(await workspace().read(environment, options), [], { recorder: new Recorder(undefined), onWait });
  try {
    return { said, ...(await reach(run)) };
  } finally {
    await run.close();
  }
}

/** Answers operations with 503 at first, and everything else otherwise. */
function coldAtFirst(times: number): RequestListener {
  let asked = 0;
  return ({ url = '' }, response) => {
    const isOfOperation = url.startsWith('/users/customers') || url.startsWith('/cards/cards');
    const isCold = isOfOperation && ++asked <= times;
    response.writeHead(isOfOperation ? (isCold ? 503 : 200) : 404, { 'content-type': 'application/json' });
    response.end(isCold ? '' : '{"results":[]}');
  };
}

test('one whose operations answer 503 at first, and its bare address 404, is waited for', async () => {
  const url = await serve(coldAtFirst(4));
  const { said, reached: names, blocked } = await reached(url);
  expect({ names, blocked: [...blocked] }).toEqual({ names: ['v3'], blocked: [] });
  expect(said).toContainEqual(expect.stringMatching(/127\.0\.0\.1:\d+ answers 503: waiting up to 30 s for the target/));
});

test('one whose bare address answers 503 for ever is not waited for', async () => {
  const url = await serve(({ url = '' }, response) => {
    response.writeHead(url === '/' ? 503 : 200, { 'content-type': 'application/json' }).end('{"results":[]}');
  });
  expect((await reached(url, 60)).said).toEqual([]);
});

test('one that starts to listen while it is waited for is found', async () => {
  const first = createServer();
  const url = await listen(first);
  first.close();
  setTimeout(() => void listen(createServer(coldAtFirst(0)), Number(new URL(url).port)), 500);
  const { said, reached: names } = await reached(url, 30);
  expect(names).toEqual(['v3']);
  expect(said).toContainEqual(expect.stringMatching(/the connection was refused/));
});

test('the waiting ends', async () => {
  const { blocked } = await reached('http://127.0.0.1:9', 1);
  expect([...blocked.values()][0]?.reason).toMatch(/refused/);
});
