/** Recordings that newman and Playwright make here: of a sound target, and of one whose cards have numbers for a status. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { judgeRecordings } from '../../run/judge.ts';
import { configurationOf } from '../../run/options.ts';
import type { AnswerFilter } from '../../sandbox/index.ts';
import { readRecording } from '../../witness/recordings.ts';
import { CHROMIUM, launch, SKIPPED } from '../reports/browser/chromium.ts';
import { type Client, start } from '../sandbox/client.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { program } from '../tools/installed.ts';

const numbers: AnswerFilter = (answer, { operation }) => {
  const { results } = (answer.body ?? {}) as { results?: Record<string, unknown>[] };
  if (operation !== 'cards.list' || !results) return undefined;
  return { ...answer, body: { results: results.map((card) => ({ ...card, status: 7 })) } };
};

/** Failed musts of what a recorder leaves of a sound target, and of a broken one. */
async function failedOf(record: (client: Client, folder: string) => Promise<string>) {
  const failed = [];
  for (const middleware of [[], [numbers]]) {
    const client = await start({ middleware });
    const file = await record(client, temporaryDirectory());
    const baseUrl = client.sandbox.environment.TARGET_BASE_URL!;
    const configuration = await configurationOf({ target: { baseUrl } }, { purpose: 'judgement' });
    const { signal } = new AbortController();
    const recordings = [readRecording(file, { signal })];
    const { outcomes, facts } = (await judgeRecordings(configuration, recordings, undefined)).findings;
    expect(facts.requests).toBeGreaterThan(1);
    failed.push(outcomes.filter(({ verdict }) => verdict === 'failed').map(({ requirement }) => requirement));
  }
  return failed;
}

const SOUND_AND_BROKEN = [[], ['cards.list.shape']];

test('newman, by its reporter json', async () => {
  const failed = await failedOf(async ({ sandbox, token, fixtures }, folder) => {
    const header = [{ key: 'Authorization', value: `Bearer ${token}` }];
    const base = '{{base}}/cards/cards';
    const get = (name: string, url: string) => ({ name, request: { method: 'GET', header, url } });
    const raw = JSON.stringify({ newPin: '1234' });
    const pin = {
      name: 'sets a PIN',
      request: { method: 'POST', header, url: `${base}/${fixtures.cards.active[0]}/pin`, body: { mode: 'raw', raw } },
    };
    const collection = {
      info: { name: 'team', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
      item: [get('lists', `${base}?max=3`), get('shows', `${base}/${fixtures.cards.active[0]}`), pin],
    };
    const [file, report] = [join(folder, 'collection.json'), join(folder, 'run.json')];
    writeFileSync(file, JSON.stringify(collection));
    const given = ['--env-var', `base=${sandbox.environment.TARGET_BASE_URL}`];
    const reporting = ['--reporters', 'json', '--reporter-json-export', report];
    await promisify(execFile)(program('newman'), ['run', file, ...given, ...reporting]);
    return report;
  });
  expect(failed).toEqual(SOUND_AND_BROKEN);
});

test.skipIf(!CHROMIUM)(`Playwright, as a zip archive with attachments${SKIPPED}`, async () => {
  const failed = await failedOf(async ({ sandbox, token, fixtures }, folder) => {
    const path = join(folder, 'x.har.zip');
    const browser = await launch();
    const context = await browser.newContext({ recordHar: { path, content: 'attach' } });
    await context.setExtraHTTPHeaders({ authorization: `Bearer ${token}` });
    const page = await context.newPage();
    const cards = `${sandbox.environment.TARGET_BASE_URL}/cards/cards`;
    for (const address of [`${cards}?max=3`, `${cards}/${fixtures.cards.active[0]}`]) await page.goto(address);
    await context.close();
    await browser.close();
    return path;
  });
  expect(failed).toEqual(SOUND_AND_BROKEN);
});
