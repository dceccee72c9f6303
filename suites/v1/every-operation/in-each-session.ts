/** What a session may do depends on its user, not on which of the user's sessions asks (reading 33). */
import { describe, shown, succeeded } from '../../../helpers/answer.ts';
import { expectRefused } from '../../../helpers/expect.ts';
import { fail, judgeEach } from '../../../helpers/verdict.ts';
import { check, monitored } from '../../declare.ts';
import * as Persons from '../cip/persons.ts';
import * as CustomerMonitors from '../customer-monitors.ts';
import * as Customers from '../scenarios/customers.ts';
import * as Lifecycle from '../scenarios/lifecycle.ts';
import * as WhoAsks from '../scenarios/who-asks.ts';

/** Declares a check of what is asked for in each session. */
function inEachSession(requirement: string, asked: WhoAsks.Asked, judge: (tried: WhoAsks.Tried) => void): void {
  const steps = WhoAsks.stepsOf(asked);
  const play = Lifecycle.sessions.reads(requirement, ...steps);
  check(requirement, `${asked} in each session of the user`, { phase: 'last' }, async (t) => {
    const facts = await play(t);
    judgeEach(
      steps.map((step) => () => {
        const tried = facts[step].get();
        if (tried) judge(tried);
      }),
    );
  });
}

for (const [requirement, asked] of [
  ['portal.orderCards.required-only', 'an order'],
  ['portal.getCIPCheck.required-only', 'a known person'],
] as const)
  inEachSession(requirement, asked, ({ answer, retrial }) => {
    if (!succeeded(answer))
      fail(`${asked} is refused in one session of the user, and accepted in another`, 'success', describe(answer), {
        in: answer,
        retrial,
      });
  });

inEachSession('portal.getCIPCheck.outcome-pass', 'a known person', ({ answer, retrial }) => {
  const outcome = Persons.outcomeOf(answer);
  if (succeeded(answer) && retrial && outcome !== 'Pass')
    fail('the person does not pass in one session of the user', 'Pass', shown(outcome), {
      in: answer,
      retrial,
    });
});

inEachSession('portal.orderCards.digital-off', 'a Digital order where these are off', ({ answer }) =>
  expectRefused(answer, 'a Digital order where digital cards are off, in another session,'),
);

for (const [requirement, operation, asked] of [
  ['portal.getCustomerHierarchy.foreign-customer', Customers.HIERARCHY, 'the hierarchy of the foreign customer'],
  ['portal.getCustomerProgramList.foreign-customer', Customers.PROGRAM_LIST, 'programs of the foreign customer'],
] as const)
  monitored(requirement, CustomerMonitors.hidesForeign(operation))(
    `${asked} in each session of the user`,
    { phase: 'last' },
    Lifecycle.drive(requirement, ...WhoAsks.stepsOf(asked)),
  );
