/** Every operation except login is refused without a live session (reading 34). */

import { type Answer, describe, succeeded } from '../../../helpers/answer.ts';
import { defineSuite } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import { requireNotBusy } from '../../../helpers/engine/acceptance.ts';
import { expectNothingGiven } from '../../../helpers/engine/disclosure.ts';
import { isAboutCredential } from '../../../helpers/engine/guard.ts';
import { attempt, judgeEach, values } from '../../../helpers/engine/step.ts';
import { expectStatus, requireAccepted } from '../../../helpers/expect.ts';
import { fail, inconclusive, skip } from '../../../helpers/verdict.ts';
import { restrictedEnded } from '../scenarios/restricted-user.ts';
import { badSessions, cite, lifecycle, NO_SESSION, type Probe } from '../scenarios/session-lifecycle.ts';
import {
  PROGRAM_LIST,
  requireAcceptedNow,
  requireServedNow,
  SESSION_OPERATIONS,
  validRequests,
} from '../scenarios/valid-requests.ts';

const { check, suite } = defineSuite();
export const requiresSessionSuite = suite;

const LOGOUT = 'portal.logout';
/** Operations that must refuse a bad session with 400. */
const ONLY_400 = [PROGRAM_LIST, LOGOUT];
const EMPTY = 'an empty sessionId';

const probesOf = (probes: ReadonlyMap<string, readonly Probe[]>, id: string) => probes.get(id) ?? [];

/** Probes of an operation in bad sessions. Logouts, which might end a session after all, come last, in the lifecycle. */
const badProbes = async (t: Context, id: string): Promise<readonly Probe[]> =>
  id === LOGOUT ? (await t.known(lifecycle)).badLogouts : probesOf(await t.known(badSessions), id);

/** The bad sessions that each check judges. Every run tries none, an empty one and an ended one, and some of the others. */
const BAD_SESSIONS: readonly [string, (t: Context, id: string) => Promise<readonly Probe[]>][] = [
  ['no sessionId', async (t, id) => (await badProbes(t, id)).filter(({ form }) => form === NO_SESSION.form)],
  [EMPTY, async (t, id) => (await badProbes(t, id)).filter(({ form }) => form === EMPTY)],
  [
    'other bad sessionIds and other requests, some per run',
    async (t, id) => {
      const [sessions] = values([await attempt(() => t.known(lifecycle))]);
      const [restricted] = values([await attempt(() => t.known(restrictedEnded))]);
      const ofAnother = restricted?.get(id);
      return [
        ...(await badProbes(t, id)).filter(({ form }) => form !== EMPTY && form !== NO_SESSION.form),
        ...(ofAnother ? [{ form: "another user's ended sessionId", answer: ofAnother }] : []),
        ...(sessions ? probesOf(sessions.elsewhere, id) : []),
      ];
    },
  ],
  [
    'the sessionId of an ended session',
    async (t, id) => {
      const { ended, logout } = await t.known(lifecycle);
      if (ended.size === 0) requireAccepted(cite(t, logout), 'logout');
      return probesOf(ended, id);
    },
  ],
];

/** The answer to the same request in a good session. */
async function inGoodSession(t: Context, id: string): Promise<Answer> {
  if (id === LOGOUT) return cite(t, (await t.known(lifecycle)).logout);
  const { answer } = await t.known(validRequests[id]!);
  return cite(t, () => answer);
}

/** @throws Nonconformance when a request in a bad session is accepted, or refused with a status other than these */
async function expectEachRefused(
  t: Context,
  id: string,
  probes: readonly Probe[],
  statuses: readonly number[] | undefined,
): Promise<void> {
  if (probes.length === 0) skip(`${id} is not in scope, or was not tried in this run`);
  const good = await attempt(() => inGoodSession(t, id));
  const isOther = (answer: Answer) => !succeeded(answer) && statuses?.includes(answer.status) === false;
  if (ONLY_400.includes(id) && values(probes.map(({ answer }) => answer)).some(isOther))
    await (id === LOGOUT ? requireServedNow(t) : requireAcceptedNow(t, id));
  judgeEach(
    probes.map(({ form, isFiltered, answer }) => () => {
      const bad = cite(t, answer);
      const what = `a request with ${form}`;
      if (statuses) expectStatus(bad, isFiltered ? [...statuses, 403] : statuses, what);
      expectNothingGiven(bad, what, good());
      if (!succeeded(good()) && !isAboutCredential({ name: form, answer: bad }, good()))
        inconclusive(`${what} is refused (${bad.status}), but so it is in a good session (${good().status})`);
    }),
  );
}

for (const id of SESSION_OPERATIONS) {
  const only400 = ONLY_400.includes(id) ? [400] : undefined;

  for (const [what, probes] of BAD_SESSIONS) {
    const isPlain = what === NO_SESSION.form || what === EMPTY;
    const phase = isPlain && id !== LOGOUT ? 'main' : 'last';
    check(`${id}.requires-session`, what, { phase }, async (t) =>
      expectEachRefused(t, id, await probes(t, id), only400),
    );
    if (!only400)
      check(`${id}.session-status`, what, { phase }, async (t) =>
        expectEachRefused(t, id, await probes(t, id), [400, 401]),
      );
  }
}

check('portal.logout.requires-session', 'a refused logout ends no session', { phase: 'last' }, async (t) => {
  const { besideBadLogout } = await t.known(lifecycle);
  const { before, after } = besideBadLogout();
  requireAccepted(
    cite(t, () => before),
    'the request in a good session',
  );
  if (succeeded(cite(t, () => after))) return;
  requireNotBusy(after, 'the request after a refused logout');
  fail('a logout without sessionId is refused, but a session has ended', {
    expected: 'the session stays active',
    actual: describe(after),
    in: after,
  });
});
