import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Har } from 'har-format';
import { describe, expect, test } from 'vitest';
import { judge } from '../../run/judge.ts';

/** What others recorded of the sandbox: requests with curl through mitmproxy 8.1.1, and the same from a page in Chromium 156, by Playwright 1.65. */
const archive = (name: string): Har =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'recorded', `${name}.har`), 'utf8')) as Har;

/** Requirements that such a recording shows: a type, a guard, an error, another session, the same card. */
const SHOWN = [
  'token.issue.shape',
  'cards.get.shape',
  'cards.get.same-card',
  'cards.setPin.error-shape',
  'users.list.requires-token',
  'portal.logout.ends-session',
];

describe.each(['mitmproxy', 'chromium'])('recorded by %s', (name) => {
  test('a sound target keeps what the recording shows', async () => {
    const { requirements, summary } = await judge(archive(name).log.entries);
    const verdictOf = (id: string) => requirements.find((one) => one.id === id)!.verdict;
    expect(SHOWN.map(verdictOf)).toEqual(SHOWN.map(() => 'passed'));
    expect(summary.must).toMatchObject({ failed: 0, inconclusive: 0 });
  });

  test('a session that is served after its logout is condemned', async () => {
    const { entries } = archive(name).log;
    const ofPortal = entries.filter(
      ({ request, response }) => request.url.includes('sessionId=') && response.status === 200,
    );
    const after = entries.at(-1)!;
    after.response = ofPortal[0]!.response;
    const { requirements } = await judge(entries);
    expect(requirements.find(({ id }) => id === 'portal.logout.ends-session')).toMatchObject({ verdict: 'failed' });
  });
});
