/** A reverse proxy of undici's that judges nothing, in a process of its own: what passing on alone costs. `pass-through.ts BASE` prints its address. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { Agent, request } from 'undici';

/** Starts it. @param base address of the target */
export async function startPassThrough(base: string): Promise<{ url: string; close: () => void }> {
  const child: ChildProcess = spawn(process.execPath, [import.meta.filename, base], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface(child.stdout!), 'line')) as [string];
  return { url, close: () => child.kill() };
}

if (process.argv[1] === import.meta.filename) {
  const base = process.argv[2]!;
  const dispatcher = new Agent();
  const server = createServer(async (from, to) => {
    const { authorization = '' } = from.headers;
    const answer = await request(base + from.url!, { dispatcher, method: 'GET', headers: { authorization } });
    to.writeHead(answer.statusCode, answer.headers);
    answer.body.pipe(to);
  }).listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
}
