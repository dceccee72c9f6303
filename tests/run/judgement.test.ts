/** Of more exchanges than are judged together, those that follow each other are, and the latest of each subject with what follows much later. */
import type { Entry } from 'har-format';
import { expect, test } from 'vitest';
import { Recorder } from '../../helpers/evidence/recorder.ts';
import { Judgement } from '../../run/judgement.ts';
import { configurationOf } from '../../run/options.ts';
import { exchangeOf } from '../../witness/har.ts';
import { BASE, login, logout, read } from '../witness/entries.ts';

const TOGETHER = 10;

/** What a judgement finds of sessions that are served after their logout, and how many exchanges it saw. */
async function judged(entries: Entry[], together?: number) {
  const target = { baseUrl: BASE, portalUrl: BASE };
  const configuration = await configurationOf({ target }, { purpose: 'judgement' });
  const judgement = new Judgement(configuration, new Recorder(undefined), together);
  for (const one of entries.flatMap((entry) => [...exchangeOf(entry, 1, 'a.har')]))
    if (!('odd' in one)) judgement.take(one);
  const of = (id: string) => judgement.outcomes.find(({ requirement }) => requirement === id)!.verdict;
  return {
    endsSession: of('portal.logout.ends-session'),
    shape: of('portal.getShippingMethods.status'),
    notes: judgement.witness.notes().join(),
    seen: judgement.witness.seen.exchanges,
  };
}

/** Readings of another session, from one second to another. */
const others = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => read(from + n * 0.1, 's-other'));
const served = (at: number) => [login(at, 's-1'), logout(at + 0.2, 's-1'), read(at + 1, 's-1')];
const refused = (at: number) => [login(at, 's-2', 'bob'), logout(at + 0.2, 's-2'), read(at + 2, 's-2', 401)];

test.each([
  ['among the first', [...served(0), ...others(10, 60)], 'failed'],
  ['among the last', [...others(0, 60), ...served(10)], 'failed'],
  [
    'in the middle, though others are refused later',
    [...others(0, 27), ...served(10), ...others(20, 30), ...refused(40)],
    'failed',
  ],
  ['nowhere', [...others(0, 27), ...refused(10), ...others(20, 30)], 'passed'],
  ['long after its logout', [login(0, 's-1'), logout(1, 's-1'), ...others(2, 60), read(60, 's-1')], 'failed'],
  [
    'where a login gave it again',
    [login(0, 's-1'), logout(1, 's-1'), login(2, 's-1'), ...others(3, 60), read(60, 's-1')],
    'skipped',
  ],
])('a session is served after its logout %s', async (_, entries, verdict) => {
  const { endsSession, shape, notes, seen } = await judged(entries, TOGETHER);
  expect({ endsSession, shape, seen }).toEqual({ endsSession: verdict, shape: 'passed', seen: entries.length });
  expect(notes).toContain(`${TOGETHER} that follow each other, or as many as 32 MiB hold, are judged together`);
});

test('exchanges whose bodies take more memory than is kept are judged as many together as it holds', async () => {
  const items = Array.from({ length: 5000 }, (_, n) => n % 10);
  const large = others(0, 400).map((one) => {
    const { response, ...rest } = structuredClone(one);
    return { ...rest, response: { ...response, content: { ...response.content, text: JSON.stringify({ items }) } } };
  });
  const { endsSession, notes, seen } = await judged([...large, ...served(100)]);
  expect({ endsSession, seen }).toEqual({ endsSession: 'failed', seen: 403 });
  expect(notes).toContain('or as many as 32 MiB hold, are judged together');
});
