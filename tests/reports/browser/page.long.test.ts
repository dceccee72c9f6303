import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { lean, pageOf, synthetic, withNights } from '../page/synthetic.ts';
import { HOSTILE } from '../record-builder.ts';
import { browsing, CHROMIUM, openAll, SKIPPED, testAccessible, testReadable } from './chromium.ts';

/** A run in which one failure rests on more exchanges than a page shows. */
function many(): string {
  const run = lean(synthetic(3));
  const check = run.conformance.requirements.find(({ id }) => id === 'users.list.at-most-50')!.checks[0]!;
  check.exchanges = [...run.exchanges.slice(0, 200).map(({ id }) => id), ...check.exchanges];
  return pageOf({
    ...run,
    conformance: {
      ...run.conformance,
      requirements: run.conformance.requirements.filter(
        ({ checks, verdict }) => verdict !== 'failed' || checks.includes(check),
      ),
    },
  });
}

const html = (failures: number, text?: string) => pageOf(synthetic(failures, text));

describe.skipIf(!CHROMIUM)(`the page of a run in a browser${SKIPPED}`, () => {
  const { open, on } = browsing(() => ({
    '/0': html(0),
    '/3': html(3),
    '/300': html(300),
    '/hostile': html(5, HOSTILE),
    ...Object.fromEntries(
      [7, 31, 90].map((nights) => [`/nights-${nights}`, pageOf(withNights(lean(synthetic(3)), nights))]),
    ),
    '/many': many(),
    '/lean': pageOf(lean(synthetic(3))),
  }));

  const shownRequirements = (page: Page) => page.locator('.requirement:not([hidden])').count();

  const inView = (page: Page, id: string) =>
    page.evaluate((name) => {
      const { top, height } = document.getElementById(name)!.getBoundingClientRect();
      return height > 0 && top >= 0 && top < window.innerHeight;
    }, id);

  testReadable(open, ['/0', '/3', '/300', '/hostile'], ['/3']);
  testAccessible(open, ['/lean', '/nights-7']);

  on('/300', 'the top leads to a failure', async (page) => {
    const link = page.locator('.first a').nth(4);
    const id = (await link.getAttribute('href'))!.slice(1);
    await link.click();
    await expect.poll(() => inView(page, id)).toBe(true);
    expect(await page.locator(`[id="${id}"]`).evaluate((details) => (details as HTMLDetailsElement).open)).toBe(true);
  });

  test('an address that leads to a closed failure opens it', async () => {
    const closed = (await open('/300')).locator('.failure:not([open])').nth(50);
    const id = (await closed.getAttribute('id'))!;
    const page = await open(`/300#${id}`);
    expect(await page.locator(`[id="${id}"] .source`).first().isVisible()).toBe(true);
    expect(await inView(page, id)).toBe(true);
  });

  on('/3', 'search narrows to what holds every word, and says how many', async (page) => {
    const all = await shownRequirements(page);
    await page.keyboard.press('/');
    await page.keyboard.type('Transfer MONEY');
    const left = await shownRequirements(page);
    expect(left).toBeGreaterThan(3);
    expect(left).toBeLessThan(20);
    expect(await page.locator('#found').textContent()).toBe(`${left} of ${all}`);
    expect(await page.locator('[id="o-users.list"]').isVisible()).toBe(false);
    expect(await page.locator('.failure.failed:not([hidden])').count()).toBe(0);
  });

  on('/3', 'filters narrow by verdict and level, and a link into what they hide takes them off', async (page) => {
    const all = await shownRequirements(page);
    await page.selectOption('#shown', 'failed');
    expect(await shownRequirements(page)).toBe(3);
    await page.selectOption('#level', 'should');
    expect(await shownRequirements(page)).toBe(0);
    await page.locator('a.cell[href="#c-users.get.shape"]').click();
    await expect.poll(() => inView(page, 'c-users.get.shape')).toBe(true);
    expect(await shownRequirements(page)).toBe(all);
  });

  on('/3', 'an exchange is found by its id or path, and Enter leads to it', async (page) => {
    const line = page.locator('.timeline li[id]:has(.path)').last();
    const id = (await line.getAttribute('id'))!;
    const path = (await line.locator('.path').first().textContent())!;
    for (const words of [id.replace(/^x-/, ''), path]) {
      await page.fill('#search', words);
      expect(await page.locator('.failure:not([hidden])').count()).toBeGreaterThan(0);
      expect(await page.locator(`.failure:not([hidden]) [id="${id}"]`).count()).toBe(1);
    }
    await page.fill('#search', id.replace(/^x-/, ''));
    await page.press('#search', 'Enter');
    await expect.poll(() => inView(page, id)).toBe(true);
    expect(await line.locator('pre').first().isVisible()).toBe(true);
    await page.fill('#search', 'x99999');
    expect(await page.locator('#found').textContent()).toBe('in exchanges.ndjson');
  });

  on('/many', 'an exchange that the page has no room for leads to its failure', async (page) => {
    const failure = page.locator('.failure.failed').first();
    const shown = (await failure.locator('.timeline').allTextContents()).join(' ');
    const cited = (await failure.getAttribute('data-exchanges'))!.split(' ');
    const unshown = cited.find((id) => !shown.includes(id))!;
    expect(unshown).toMatch(/^x\d{5}$/);
    await page.fill('#search', unshown);
    expect(await page.locator('.failure:not([hidden])').count()).toBe(1);
    expect(await failure.isVisible()).toBe(true);
    await page.press('#search', 'Enter');
    await expect.poll(() => inView(page, 'f-users.list.at-most-50')).toBe(true);
  });

  on('/3', 'what is searched for stands in the address, which shows the same elsewhere', async (page) => {
    await page.fill('#search', 'transfer money');
    await page.selectOption('#level', 'must');
    const left = await shownRequirements(page);
    const { hash } = new URL(page.url());
    const other = await open(`/3${hash}`);
    expect(await other.inputValue('#search')).toBe('transfer money');
    expect(await other.inputValue('#level')).toBe('must');
    expect(await shownRequirements(other)).toBe(left);
    await page.fill('#search', '');
    await page.selectOption('#level', '');
    expect(new URL(page.url()).hash).toBe('');
  });

  test.each([1280, 390])('%i wide, what is tapped is 24 pixels high and no word of a state breaks', async (width) => {
    const page = await open('/3', { viewport: { width, height: 844 } });
    await openAll(page);
    const found = await page.evaluate(() => {
      const controls = 'summary, button, input, select, a.cell, .links a, th > a:first-child';
      const low = [...document.querySelectorAll(controls)].filter((one) => {
        const { height } = one.getBoundingClientRect();
        return height > 0 && height < 24;
      });
      const broken = [...document.querySelectorAll('.machine th, .machine td:first-child')].filter((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return range.getClientRects().length > 1;
      });
      return [...low, ...broken].map(({ outerHTML }) => outerHTML.slice(0, 80));
    });
    expect(found).toEqual([]);
  });

  test.each([
    [7, 1280],
    [31, 1280],
    [90, 1280],
    [7, 390],
    [31, 390],
    [90, 390],
  ])('of %i nights at %i pixels, each date stands below its column, and none over another', async (nights, width) => {
    const page = await open(`/nights-${nights}`, { viewport: { width, height: 844 } });
    const found = await page.evaluate(() => {
      const columns = document.querySelector('.nights tbody svg')!.getBoundingClientRect();
      const spans = [...document.querySelectorAll('.nights .dates > span')];
      const boxes = spans.flatMap((span, index) => {
        const time = span.querySelector('time');
        const { left, right, width: wide } = (time ?? span).getBoundingClientRect();
        const middle = columns.left + ((index + 0.5) / spans.length) * columns.width;
        return time && wide > 0 ? [{ left, right, off: Math.abs((left + right) / 2 - middle) }] : [];
      });
      const overlapping = boxes.filter(({ left }, index) => index > 0 && left < boxes[index - 1]!.right + 1);
      return { columns: spans.length, dates: boxes.length, off: Math.max(...boxes.map(({ off }) => off)), overlapping };
    });
    expect(found).toMatchObject({ columns: nights, overlapping: [] });
    expect(found.off).toBeLessThan(1.5);
    expect(found.dates).toBeGreaterThanOrEqual(3);
  });

  on('/3', 'failures and exchanges open by keyboard', async (page) => {
    const exchange = page.locator('.timeline details:not([open])').first();
    const id = await exchange.evaluate((details) => details.parentElement!.id);
    await exchange.locator('summary').focus();
    await page.keyboard.press('Enter');
    expect(await page.locator(`[id="${id}"] pre`).first().isVisible()).toBe(true);
  });

  /** Presses the button of the first reproduction, which then says so. */
  const copied = async (page: Page, said: string) => {
    const block = page.locator('.failure .copyable').first();
    await block.locator('button').click();
    await expect.poll(() => block.locator('button').textContent()).toBe(said);
    return block.locator('pre').textContent();
  };

  on('/3', 'the reproduction is copied as it stands', async (page) => {
    const shown = await copied(page, 'Copied');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown);
    expect(shown).toContain(`-H 'authorization: Bearer '"$TARGET_ACCESS_TOKEN"`);
  });

  on('/3', 'where the clipboard is closed the text is selected instead', async (page) => {
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    const shown = await copied(page, 'Selected');
    expect((await page.evaluate(() => String(getSelection()))).trim()).toBe(shown!.trim());
  });

  test('reads without scripts', async () => {
    const page = await open('/3', { javaScriptEnabled: false });
    expect(await page.locator('.failure.failed .decisive pre').first().isVisible()).toBe(true);
    expect(await page.locator('form.search').isVisible()).toBe(false);
    expect(await page.locator('button:visible').count()).toBe(0);
    await page.locator('a.cell[href="#c-users.get.shape"]').click();
    expect(page.url()).toContain('#c-users.get.shape');
  });

  on('/300', 'prints what fails, also where it is closed', async (page) => {
    const closed = page.locator('.failure:not([open]) .source').first();
    expect(await closed.isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    expect(await closed.isVisible()).toBe(true);
    expect(await page.locator('nav').isVisible()).toBe(false);
  });

  on('/3', 'has landmarks, headings in order, names for what is drawn and for every control', async (page) => {
    const found = await page.evaluate(() => {
      const all = (selector: string) => [...document.querySelectorAll(selector)];
      const levels = all('h1,h2,h3,h4,h5,h6').map(({ tagName }) => Number(tagName[1]));
      return {
        landmarks: ['header', 'nav', 'main', 'footer'].filter((name) => document.querySelector(name)),
        first: levels.filter((level) => level === 1).length,
        jumps: levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1).length,
        unnamed: all('svg:not([aria-hidden="true"], [role="img"][aria-label])').length,
        controls: all(':is(input, select):not([aria-label])').length,
      };
    });
    const landmarks = ['header', 'nav', 'main', 'footer'];
    expect(found).toEqual({ landmarks, first: 1, jumps: 0, unnamed: 0, controls: 0 });
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement!.textContent)).toBe('To the failures');
  });
});
