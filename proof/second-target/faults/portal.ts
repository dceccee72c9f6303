/** Faults of sessions and lookups of the portal. */
import type { Choices } from '../choices.ts';
import { onItems, onReply, statusWhen, succeeded } from '../tools.ts';
import { answered, choosing, type Fault, fault } from './fault.ts';

/** Ends the sessions of all users but the one that asks. */
const endsOthers = (operation: 'portal.login' | 'portal.logout') => (c: Choices) =>
  onReply(c, operation, (reply, { session, world }) => {
    if (succeeded(reply)) for (const one of world.sessions) if (one.user !== session?.user) one.ended = true;
  });

export const portalFaults: Fault[] = [
  fault('logout-ends-the-latest-session-of-the-user', 'portal.logout.ends-session', (c) =>
    onReply(c, 'portal.logout', (reply, { world, session }) => {
      const latest = world.sessions.findLast(({ user, ended }) => user === session?.user && !ended);
      if (!succeeded(reply) || !latest || !session) return;
      session.ended = false;
      latest.ended = true;
    }),
  ),
  fault('logout-ends-the-sessions-of-other-users', 'portal.logout.leaves-other-users', endsOthers('portal.logout')),
  fault('login-ends-the-sessions-of-other-users', 'portal.login.leaves-other-users', endsOthers('portal.login')),
  fault('ein-of-a-later-customer-has-ten-digits', 'portal.getCustomerList.shape', (c) =>
    onItems(c, 'portal.getCustomerList', (item, _x, index) => {
      if (index === 5) item.ein = '1234567890';
    }),
  ),
  answered(
    'program-list-with-both-flags-false-answers-500',
    'portal.getCustomerProgramList.required-only',
    { status: 500, body: {} },
    ({ query }) => query.get('showAutoCreated') === 'false' && query.get('showBranded') === 'false',
  ),
  answered(
    'second-page-of-machines-answers-500',
    ['portal.getATMLocation.integer-parameters', 'portal.getATMLocation.status'],
    { status: 500, body: {} },
    ({ query }) => Number(query.get('pageOffset')) > 0,
  ),
  fault(
    'login-by-wrong-id-answers-404',
    ['portal.login.required-parameters', 'portal.login.unknown-login-id', 'portal.login.wrong-password'],
    (c) =>
      statusWhen(c, ({ reason }, { operation }) =>
        reason === 'bad-login' && operation === 'portal.login' ? 404 : undefined,
      ),
  ),
  choosing('same-session-for-every-login', ['portal.login.begins-session', 'portal.login.sessions-differ'], {
    sessionId: () => 'one-for-all',
  }),
  choosing('auto-created-only-without-branded', 'portal.getCustomerProgramList.known-programs', {
    programShown: ({ autoCreated, branded }, auto, brand) =>
      !(auto && brand) && autoCreated === auto && branded === brand,
  }),
];
