/** What this machine lacks or sends another way: it accuses no target, is named with its remedy, and gives nothing away. */
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConformance, startNode, startRun } from '../../../proof/hostile/run.ts';
import { promise } from '../../docs/security/promises.ts';
import { ROOT } from '../../tools/root.ts';
import { listen } from '../../tools/servers.ts';

test('too few open files: blocked, with the remedy, and nothing failed', async () => {
  const limits = [36, 48, 64];
  for (const limit of limits) {
    const command = `ulimit -n ${limit}; exec ${process.execPath} ${join(ROOT, 'cli/start.js')}`;
    const ended = await startNode(['-c', command], { RUN_CONCURRENCY: '64', RUN_RISK: 'safe' }, 'bash').ended;
    expect(ended.code, ended.stderr).toBeGreaterThan(1);
    expect(readConformance(ended.reports).requirements.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
    const remedy = 'it allows too few open files; raise the limit (ulimit -n 1024) or lower RUN_CONCURRENCY';
    expect(ended.stdout).toContain(remedy);
  }
  promise('machine', 'open files', { attempts: limits.length, held: limits.length });
});

test('with a proxy the first command of the README works, and nothing passes the proxy', async () => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    response.writeHead(502).end();
  }).on('connect', (request, socket) => {
    seen.push(`CONNECT ${request.url}`);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  const url = await listen(server);
  const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'];
  const environment = Object.fromEntries(names.map((name) => [name, url]));
  const attempts: Record<string, string>[] = [{}, { NO_PROXY: 'example.org' }, { NODE_USE_ENV_PROXY: '1' }];
  const only = ['--only', 'token.issue,users.get,portal.getCustomerHierarchy'];
  for (const variables of attempts) {
    const ended = await startRun({ ...environment, ...variables }, only).ended;
    expect(ended.code, ended.stderr).toBe(0);
    expect(seen).toEqual([]);
  }
  promise('proxy', 'the embedded sandbox', { attempts: attempts.length, held: attempts.length });
});
