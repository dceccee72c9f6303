/** Prism on a published OpenAPI document: as a mock of it, or before a target as a judge of what passes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { program } from '../../tools/installed.ts';
import { ROOT } from '../../tools/root.ts';

export interface Prism {
  url: string;
  /** Everything that it printed so far: its sl-violations header is cut on long lists, this is not. */
  printed(): string;
  close(): Promise<void>;
}

/** @param upstream the target to stand before; a mock answers by itself */
export async function startPrism(at: 'token' | 'v3' | 'v1', upstream?: string): Promise<Prism> {
  const document = join(ROOT, `contracts/published/openapi-${at}.json`);
  const args = upstream ? ['proxy', document, upstream] : ['mock', document];
  const child = spawn(process.execPath, [program('prism'), ...args, '--port', '0'], {
    env: { NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += stripVTControlCharacters(chunk.toString());
    });
  return {
    url: await listening(child, () => printed),
    printed: () => printed,
    close: async () => {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

/** Waits until Prism says where it listens. @throws Error with what it printed when it ends before */
async function listening(child: ChildProcess, printed: () => string): Promise<string> {
  const ended = new AbortController();
  child.once('exit', () => ended.abort());
  for (;;) {
    const address = /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(printed())?.[1];
    if (address) return address;
    await once(child.stdout!, 'data', { signal: ended.signal }).catch(() => {
      throw new Error(`Prism ended: ${printed()}`);
    });
  }
}
