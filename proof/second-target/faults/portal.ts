/** Faults of sessions and lookups of the portal. */
import type { Choices } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import { onItems, onReply, overlook, statusWhen, succeeded } from '../tools.ts';
import { answered, choosing, type Fault, fault, misanswered, overlooked, ruled } from './fault.ts';

/** Ends the sessions of all users but the one that asks. */
const endsOthers = (operation: 'portal.login' | 'portal.logout') => (c: Choices) =>
  onReply(c, operation, (reply, { session, world }) => {
    if (succeeded(reply)) for (const one of world.sessions) if (one.user !== session?.user) one.ended = true;
  });

/** Whether a session is not the first of its user. */
const isLater = ({ session, world }: Exchange): boolean =>
  session !== undefined && world.sessions.find(({ user }) => user === session.user) !== session;

/** What a session may do and is shown depends on more than its user. */
const bySession: Fault[] = [
  ruled('orders-in-the-first-session-only', 'portal.orderCards.required-only', 401, isLater),
  ruled('persons-in-the-first-session-only', 'portal.getCIPCheck.required-only', 400, isLater),
  misanswered('nobody-passes-in-a-later-session', 'portal.getCIPCheck.outcome-pass', (body, x) => {
    if (isLater(x) && body.data) Object.assign(body.data, { summaryResult: 'Fail' });
  }),
  fault('later-sessions-are-entitled', 'portal.not-entitled', (c) =>
    overlook(c, 'portal.getCustomerList', 'not-entitled', isLater),
  ),
  overlooked(
    'hierarchy-of-anybody-in-a-later-session',
    'portal.getCustomerHierarchy.foreign-customer',
    ['foreign-customer-id'],
    isLater,
  ),
  overlooked('digital-cards-in-a-later-session', 'portal.orderCards.digital-off', ['digital-off'], isLater),
];

export const portalFaults: Fault[] = [
  ...bySession,
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
