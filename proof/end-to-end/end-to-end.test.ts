/** What a team's own end-to-end test exchanges with a target condemns the faults that it meets, and no sound target. */
import { expect, test } from 'vitest';
import { SUSPECTED } from '../../contracts/record.ts';
import { requirementById } from '../../contracts/requirements/index.ts';
import { judgeRecordings } from '../../run/judge.ts';
import { configurationOf } from '../../run/options.ts';
import { makeSandbox, type UnservedOptions } from '../../sandbox/unserved.ts';
import type { Recorded } from '../../witness/recorded.ts';
import { NOWHERE } from '../selfcheck/direct.ts';
import { shownFaults } from './faults.ts';
import { runOrdinaryTest } from './ordinary-test.ts';

/** When the test begins. */
const STARTED_AT = Date.UTC(2026, 4, 10, 9);

/** What the recording of one run of the test shows, with its fixtures and without credentials. */
async function shownBy(
  options: UnservedOptions,
  { change = () => {}, ...more }: { settleMs?: number; change?: (recorded: Recorded[]) => void } = {},
) {
  const { responder: target, fixtures, environmentAt } = makeSandbox({ ...options, clock: () => STARTED_AT });
  const environment = environmentAt(NOWHERE);
  const recorded = await runOrdinaryTest({ target, fixtures, environment }, STARTED_AT);
  change(recorded);
  const addresses = {
    baseUrl: environment.TARGET_BASE_URL!,
    authUrl: environment.TARGET_AUTH_URL!,
    portalUrl: environment.TARGET_PORTAL_URL!,
  };
  const configuration = await configurationOf({ target: addresses, fixtures, ...more }, { purpose: 'judgement' });
  const { outcomes } = (await judgeRecordings(configuration, [recorded], undefined)).findings;
  return {
    requests: recorded.length,
    failed: outcomes
      .filter(({ requirement, verdict }) => verdict === 'failed' && requirementById(requirement).level === 'must')
      .map(({ requirement }) => requirement),
    suspected: outcomes.filter(({ message }) => message.startsWith(SUSPECTED)),
  };
}

test('a sound target is neither accused nor suspected', async () => {
  const { requests, failed, suspected } = await shownBy({});
  expect({ failed, suspected }).toEqual({ failed: [], suspected: [] });
  expect(requests).toBe(53);
});

test.each(shownFaults)('$name', async ({ breaks, sandbox, isSuspected = false }) => {
  const { failed, suspected } = await shownBy(sandbox);
  if (isSuspected) {
    const [suspicion] = suspected.filter(({ requirement }) => requirement === breaks);
    expect(suspicion?.message).toContain(`--only ${breaks}`);
  } else expect(failed).toContain(breaks);
});

test('a settle time that somebody gave makes a session that is served after its logout a suspicion, and the line says so', async () => {
  const fault = shownFaults.find(({ breaks }) => breaks === 'portal.logout.ends-session')!;
  const { failed, suspected } = await shownBy(fault.sandbox, { settleMs: 5000 });
  expect(failed).toEqual([]);
  expect(suspected.map(({ message }) => message).join()).toContain('RUN_SETTLE_MS=5000');
});

test('what one recording holds soon after a logout in another one is a suspicion: their clocks may differ', async () => {
  const fault = shownFaults.find(({ breaks }) => breaks === 'portal.logout.ends-session')!;
  const { failed, suspected } = await shownBy(fault.sandbox, {
    change: (recorded) => {
      recorded.at(-1)!.recording = 'another one';
    },
  });
  expect(failed).toEqual([]);
  expect(suspected.map(({ requirement }) => requirement)).toContain('portal.logout.ends-session');
});
