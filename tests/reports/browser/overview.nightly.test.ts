import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { comparisonPage } from '../../../reports/compare-views.ts';
import { deltaOf } from '../../../reports/delta.ts';
import { historyOf } from '../../../reports/history.ts';
import { matrix } from '../../../reports/matrix.ts';
import { lean, type Run, synthetic } from '../page/synthetic.ts';
import { compareRuns, HOSTILE, recordOf } from '../record-builder.ts';
import { browsing, CHROMIUM, SKIPPED, testAccessible, testReadable } from './chromium.ts';

const TARGETS = 30;
const recordOfRun = ({ conformance, exchanges }: Run) => recordOf(conformance, exchanges);
const comparisonOf = (before: Run, after: Run) => compareRuns(recordOfRun(before), recordOfRun(after));

/** The run with its failures known. */
function withKnown({ conformance, ...rest }: Run): Run {
  const known = {
    reason: 'mended in May',
    link: 'https://tracker.example/7',
    expires: '2026-06-01',
    state: 'known',
  } as const;
  const requirements = conformance.requirements.map((one) => (one.verdict === 'failed' ? { ...one, known } : one));
  return { ...rest, conformance: { ...conformance, requirements } };
}

/** Thirty targets, some of which fail, with changes since their baselines. */
function overview(name: string, length = TARGETS, runOf: (failures: number) => Run = synthetic): string {
  const runs = [0, 1, 3, 5, 40].map((failures) => runOf(failures));
  const targets = Array.from({ length }, (_, index) => {
    const run = runs[index % runs.length]!;
    const conformance = { ...run.conformance, target: { name: `${name} ${index}`, version: '1', embedded: false } };
    const delta = deltaOf(comparisonOf(runs[(index + 1) % runs.length]!, run));
    const history = historyOf(run.history);
    return { conformance, link: `${index}/index.html`, ...(index % 3 === 0 ? {} : { delta, history }) };
  });
  return matrix(targets);
}

describe.skipIf(!CHROMIUM)(`the pages of several runs in a browser${SKIPPED}`, () => {
  const { open, on } = browsing(() => ({
    '/overview': overview('Vendor'),
    '/hostile': overview(HOSTILE),
    '/lean': overview('Vendor', 4, (failures) => withKnown(lean(synthetic(failures)))),
    '/comparison': comparisonPage(comparisonOf(synthetic(5), synthetic(40))),
  }));

  const shown = (page: Page) => page.locator('tr[data-text]:not([hidden])').count();

  testReadable(open, ['/overview', '/hostile', '/comparison'], ['/overview', '/comparison']);
  testAccessible(open, ['/lean', '/comparison']);

  on('/overview', 'it leads with the targets, what is worst first', async (page) => {
    const rows = page.locator('.targets tbody tr');
    expect(await rows.count()).toBe(TARGETS);
    expect(await rows.first().textContent()).toMatch(/nonconformant.*40 must requirements failed.*new/s);
    expect(await rows.last().textContent()).toContain('conformant');
    expect(await page.locator('.grid').evaluate((grid) => grid.getBoundingClientRect().top)).toBeLessThan(4000);
  });

  test('its heads stay in view when the requirements are scrolled, both ways', async () => {
    const page = await open('/overview', { viewport: { width: 390, height: 844 } });
    const seen = await page.locator('.grid').evaluate((grid) => {
      grid.scrollIntoView();
      grid.scrollTo(300, 2000);
      const { top, left } = grid.getBoundingClientRect();
      const column = grid.querySelectorAll('thead th')[20]!.getBoundingClientRect();
      const row = grid.querySelector('tbody th')!.getBoundingClientRect();
      return [Math.abs(column.top - top) < 3, Math.abs(row.left - left) < 3];
    });
    expect(seen).toEqual([true, true]);
  });

  test('on a phone, what is known is seen whole: its date, its requirement and its link', async () => {
    const page = await open('/lean', { viewport: { width: 390, height: 844 } });
    const links = await page.locator('.known-failures a').all();
    expect(links.length).toBeGreaterThan(3);
    for (const link of links) expect(await link.evaluate((one) => one.getBoundingClientRect().right)).toBeLessThan(390);
    expect(await page.locator('.known-failures tr:has(a) th').first().textContent()).toBe('2026-06-01');
  });

  on(
    '/overview',
    'it shows failures, all, differences, and what is searched for; the address keeps that',
    async (page) => {
      const failures = await shown(page);
      await page.selectOption('#show', '');
      const all = await shown(page);
      expect(failures).toBeLessThan(all);
      await page.selectOption('#show', 'differences');
      await page.fill('#search', 'users.list');
      const found = await shown(page);
      expect(found).toBeGreaterThan(0);
      expect(found).toBeLessThan(failures);
      expect(await page.locator('#found').textContent()).toBe(`${found} of ${all}`);
      const again = await open(`/overview${new URL(page.url()).hash}`);
      expect(await shown(again)).toBe(found);
      expect(await again.inputValue('#search')).toBe('users.list');
    },
  );

  test('without scripts everything is shown', async () => {
    const page = await open('/overview', { javaScriptEnabled: false });
    expect(await shown(page)).toBeGreaterThan(500);
    expect(await page.locator('form.search').isVisible()).toBe(false);
  });
});
