import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Har } from 'har-format';
import { expect, test } from 'vitest';
import { judge } from '../../run/judge.ts';

/** Requirements that such a recording shows: a type, a guard, an error, another session, the same card. */
const SHOWN = [
  ...['token.issue.shape', 'cards.get.shape', 'cards.get.same-card', 'cards.setPin.error-shape'],
  ...['users.list.requires-token', 'portal.logout.ends-session'],
];

/** Of the sandbox: requests with curl through mitmproxy 8.1.1, and the same from a page in Chromium 156, by Playwright 1.65. */
test.each(['mitmproxy', 'chromium'])('a sound target keeps what a recording by %s shows', async (name) => {
  const { log } = JSON.parse(readFileSync(join(import.meta.dirname, 'recorded', `${name}.har`), 'utf8')) as Har;
  const { requirements, summary } = await judge(log.entries);
  const passed = requirements.filter(({ verdict }) => verdict === 'passed').map(({ id }) => id as string);
  expect(passed).toEqual(expect.arrayContaining(SHOWN));
  expect(summary.must).toMatchObject({ failed: 0, inconclusive: 0 });
});
