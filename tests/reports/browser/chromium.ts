/** Pages in a real browser: Debian's chromium, or what CHROMIUM_PATH names. */
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';

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

/**
 * For a suite: a browser, and pages served to it by path. Whatever a page complains of, asks for or pops up fails the test that opened it.
 * @param html makes the pages, by path
 * @returns what opens a page in a window of its own, and the paths that were asked for
 */
export function browsing(html: () => Record<string, string>) {
  let browser: Browser;
  let site: Awaited<ReturnType<typeof serve>>;
  const complaints: string[] = [];

  beforeAll(async () => {
    browser = await launch();
    site = await serve(html());
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    expect(complaints.splice(0)).toEqual([]);
  });

  const open = async (path: string, options: BrowserContextOptions = {}): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await context.newPage();
    page.setDefaultTimeout(0);
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('dialog', (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!request.isNavigationRequest() || !request.url().startsWith(site.origin)) complaints.push(request.url());
    });
    await page.goto(site.origin + path);
    return page;
  };
  return { open, asked: () => site.asked };
}

/** Pixels by which a page is wider than its window; at most 0 where nothing is cut off. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

/** In the page: texts whose colour stands too little off what is behind them (WCAG 2.2, 1.4.3), as text and ratio. */
export function lowContrast(): string[] {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!;
  const rgba = (colour: string) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data] as [number, number, number, number];
  };
  const known = new Map<string, [number, number, number, number]>();
  const parsed = (colour: string) => {
    if (!known.has(colour)) known.set(colour, rgba(colour));
    return known.get(colour)!;
  };
  const luminance = (colour: string) => {
    const [r, g, b] = parsed(colour)
      .slice(0, 3)
      .map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
  };
  const behind = (element: Element): string => {
    for (let one: Element | null = element; one; one = one.parentElement) {
      const colour = getComputedStyle(one).backgroundColor;
      if (parsed(colour)[3] === 255) return colour;
    }
    return 'white';
  };
  const low = new Set<string>();
  for (const element of document.querySelectorAll('body *:not(script):not(style):not(option):not(svg *)')) {
    const own = [...element.childNodes].some(
      ({ nodeType, textContent }) => nodeType === 3 && textContent!.trim() !== '',
    );
    if (!own || !(element as HTMLElement).checkVisibility()) continue;
    const [text, ground] = [getComputedStyle(element).color, behind(element)];
    const [a, b] = [luminance(text), luminance(ground)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) low.add(`${element.tagName}.${element.className} ${text} on ${ground}: ${ratio.toFixed(2)}`);
  }
  return [...low];
}
