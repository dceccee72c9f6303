import { describe, expect, test } from 'vitest';
import { findings } from '../../../reports/causes.ts';
import { earlierOf } from '../../../reports/compare.ts';
import { digestsOf } from '../../../reports/dossier/digests.ts';
import { dossier } from '../../../reports/dossier/index.ts';
import { lean, type Run, synthetic } from '../page/synthetic.ts';
import { HOSTILE, recordOf } from '../record-builder.ts';
import { browsing, CHROMIUM, SKIPPED, testAccessible, testReadable } from './chromium.ts';

const runs: Record<string, Run> = {
  '/0': synthetic(0),
  '/3': synthetic(3),
  '/40': synthetic(40),
  '/300': synthetic(300),
  '/hostile': synthetic(40, `${HOSTILE} ${'long words '.repeat(500)} ${'W'.repeat(3000)}`),
};

const recordOfRun = ({ conformance, exchanges }: Run) => recordOf(conformance, exchanges);
const before = earlierOf(recordOfRun(synthetic(5)));

const dossierOf = (run: Run): string => {
  const record = recordOfRun(run);
  return dossier(record, digestsOf(record), { earlier: before, history: undefined });
};

describe.skipIf(!CHROMIUM)(`the dossier in a browser${SKIPPED}`, () => {
  const pages = () =>
    Object.fromEntries(
      Object.entries({ ...runs, '/lean': lean(synthetic(3)) }).map(([path, run]) => [path, dossierOf(run)]),
    );
  const { open, on } = browsing(pages);

  testReadable(open, Object.keys(runs), ['/0', '/3']);
  testAccessible(open, ['/lean']);

  test.each(Object.keys(runs))('%s prints on A4, two pages and one for each cause', async (path) => {
    const { conformance, exchanges } = runs[path]!;
    const evidence = new Map(exchanges.map((one) => [one.id, one]));
    const causes = findings(conformance, evidence).failures.length;
    const page = await open(path);
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    expect(pdf.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(2 + causes);
    for (const [, width, height] of pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g))
      expect([Math.round(Number(width)), Math.round(Number(height))]).toEqual([595, 842]);
  });

  on('/3', 'its headings are in order, and each cause is led to from the first page', async (page) => {
    const levels = await page.evaluate(() =>
      [...document.querySelectorAll('h1,h2,h3,h4')].map(({ tagName }) => Number(tagName[1])),
    );
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
    const links = await page.locator('.causes a').all();
    expect(links).toHaveLength(3);
    for (const link of links) expect(await page.locator((await link.getAttribute('href'))!).count()).toBe(1);
  });
});
