/** Pages in a real browser: Debian's chromium, or what CHROMIUM_PATH names. */
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** Where the browser is; undefined where there is none, and then the tests are skipped. */
export const CHROMIUM: string | undefined =
  process.env.CHROMIUM_PATH ||
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((directory) => join(directory, 'chromium'))
    .find(existsSync);

/** What the name of a skipped suite says. */
export const SKIPPED = CHROMIUM ? '' : ' (skipped: there is no chromium; install it or set CHROMIUM_PATH)';

/** A browser with a profile of its own, which asks the network for nothing by itself. */
export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM!,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

/** Serves pages by path from loopback, and notes every path that is asked for. */
export async function serve(pages: Record<string, string>) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    const page = pages[request.url!];
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close };
}
