import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { lean, pageOf, synthetic } from '../page/synthetic.ts';
import { HOSTILE } from '../record-builder.ts';
import { browsing, CHROMIUM, openAll, SKIPPED, testAccessible, testReadable } from './chromium.ts';

const html = (failures: number, text?: string) => pageOf(synthetic(failures, text));

describe.skipIf(!CHROMIUM)(`the page of a run in a browser${SKIPPED}`, () => {
  const { open, on } = browsing(() => ({
    '/0': html(0),
    '/3': html(3),
    '/300': html(300),
    '/hostile': html(5, HOSTILE),
    '/lean': pageOf(lean(synthetic(3))),
  }));

  const shownRequirements = (page: Page) => page.locator('.requirement:not([hidden])').count();

  const inView = (page: Page, id: string) =>
    page.evaluate((name) => {
      const { top, height } = document.getElementById(name)!.getBoundingClientRect();
      return height > 0 && top >= 0 && top < window.innerHeight;
    }, id);

  testReadable(open, ['/0', '/3', '/300', '/hostile'], ['/3']);
  testAccessible(open, ['/lean']);

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
