/** Pages in a real browser: Debian's chromium, or what CHROMIUM_PATH names. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import type Axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

const IN_PATH = (process.env.PATH ?? '').split(delimiter).map((directory) => join(directory, 'chromium'));

/** Where the browser is; undefined where there is none, and then the tests are skipped. */
export const CHROMIUM: string | undefined = process.env.CHROMIUM_PATH || IN_PATH.find(existsSync);

/** What the name of a skipped suite says. */
export const SKIPPED = CHROMIUM ? '' : ' (skipped: there is no chromium; install it or set CHROMIUM_PATH)';

const QUIET = ['no-first-run', 'disable-background-networking', 'disable-component-update', 'disable-sync'];

/** A browser with a profile of its own, which asks the network for nothing by itself. */
export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM!,
    args: ['no-sandbox', 'disable-gpu', 'disable-quic', ...QUIET].map((name) => `--${name}`),
  });

/** Where pages are served from: nothing else is there, and it counts as secure. */
const ORIGIN = 'http://localhost';

type Open = (path: string, options?: BrowserContextOptions) => Promise<Page>;

/**
 * For a suite: a browser, and what opens a page in it by its path, and tests one. Whatever a page complains of, asks for or pops up fails the
 * test that opened it.
 */
export function browsing(html: () => Record<string, string>) {
  let browser: Browser;
  let pages: Record<string, string>;
  const complaints: string[] = [];

  beforeAll(async () => {
    pages = html();
    browser = await launch();
  }, 60_000);
  afterAll(() => browser?.close());
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    expect(complaints.splice(0)).toEqual([]);
  });

  const open: Open = async (path, options = {}) => {
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
      if (!request.isNavigationRequest() || !request.url().startsWith(ORIGIN)) complaints.push(request.url());
    });
    await page.route('**', (route) => {
      const body = pages[new URL(route.request().url()).pathname]!;
      return route.fulfill({ body, contentType: 'text/html; charset=utf-8' });
    });
    await page.goto(ORIGIN + path);
    return page;
  };
  const on = (path: string, name: string, act: (page: Page) => Promise<void>) =>
    test(name, async () => act(await open(path)));
  return { open, on };
}

/** Opens whatever a page has closed. */
export const openAll = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
    for (const one of document.querySelectorAll<HTMLElement>('*')) one.style.contentVisibility = 'visible';
  });

/** Rules of axe beside those of WCAG A and AA: what is tapped is 24 pixels high and wide, or has room around it (WCAG 2.2, 2.5.8). */
const RULES = { 'target-size': { enabled: true } };

/** What axe finds on a page, as rule and element. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    // What sticks to the top of the window hides what is scrolled below it, which axe takes for a small target.
    for (const one of document.querySelectorAll<HTMLElement>('*'))
      if (getComputedStyle(one).position === 'sticky') one.style.position = 'static';
  });
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  return page.evaluate(async (rules) => {
    const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const found = await (globalThis as unknown as { axe: typeof Axe }).axe.run({ runOnly, rules });
    return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  }, RULES);
}

/** Tests, on a desktop and on a phone, in light and in dark, that axe finds nothing: contrast, names, structure, the size of what is tapped. */
export function testAccessible(open: Open, paths: readonly string[]): void {
  describe.each([1280, 390])('%i pixels wide', (width) => {
    test.each(['light', 'dark'] as const)('axe finds nothing in %s', async (colorScheme) => {
      for (const path of paths) {
        const page = await open(path, { viewport: { width, height: 844 }, colorScheme });
        await openAll(page);
        expect(await violations(page), path).toEqual([]);
      }
    });
  });
}

/** Tests, on a desktop and on a phone, that pages are never wider than the window, and that the text of some has contrast. */
export function testReadable(open: Open, paths: readonly string[], inContrast: readonly string[]): void {
  const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

  describe.each([1280, 390])('%i pixels wide', (width) => {
    test.each(paths)('%s is never wider than the window', async (path) => {
      const page = await open(path, { viewport: { width, height: 844 } });
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      await openAll(page);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
    });

    test.each(['light', 'dark'] as const)('text has the contrast of WCAG AA in %s', async (colorScheme) => {
      for (const path of inContrast) {
        const page = await open(path, { viewport: { width, height: 844 }, colorScheme });
        await openAll(page);
        expect(await page.evaluate(lowContrast)).toEqual([]);
      }
    });
  });
}

/** In the page: texts whose colour stands too little off what is behind them (WCAG 2.2, 1.4.3), as text and ratio. */
function lowContrast(): string[] {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!;
  const known = new Map<string, Uint8ClampedArray>();
  const rgba = (colour: string) => {
    const seen = known.get(colour);
    if (seen) return seen;
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const { data } = canvas.getImageData(0, 0, 1, 1);
    known.set(colour, data);
    return data;
  };
  const linear = (part: number) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = (colour: string) => {
    const [r, g, b] = Array.from(rgba(colour), linear);
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
  };
  const behind = (element: Element | null): string => {
    const colour = element ? getComputedStyle(element).backgroundColor : 'white';
    return rgba(colour)[3] === 255 ? colour : behind(element!.parentElement);
  };
  const low = new Set<string>();
  for (const element of document.querySelectorAll('body *:not(script):not(style):not(option):not(svg *)')) {
    const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
    if (!own.some(({ textContent }) => textContent!.trim() !== '') || !element.checkVisibility()) continue;
    const [text, ground] = [getComputedStyle(element).color, behind(element)];
    const [a, b] = [luminance(text), luminance(ground)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) low.add(`${element.tagName}.${element.className} ${text} on ${ground}: ${ratio.toFixed(2)}`);
  }
  return [...low];
}
