/** Portal operations accept a request that holds what is required (reading 7), in each session of a user (reading 33). */
import { operation } from '../../../contracts/operations.ts';
import { bodyOf, describe, shapeOf, succeeded } from '../../../helpers/answer.ts';
import { expectAccepted } from '../../../helpers/engine/acceptance.ts';
import { inconclusive } from '../../../helpers/verdict.ts';
import { check } from '../../declare.ts';
import * as Customers from '../scenarios/customers.ts';
import * as InEachSession from '../scenarios/in-each-session.ts';
import * as Sessions from '../scenarios/sessions.ts';
import * as ValidRequests from '../scenarios/valid-requests.ts';

// customer-programs.ts checks each combination of its flags.
for (const id of Sessions.READS.filter((id) => id !== Customers.PROGRAM_LIST))
  check(`${id}.required-only`, 'nothing optional', async (t) => {
    const { answer } = await t.shared(ValidRequests.requestOf(id));
    if (id === ValidRequests.ATM) await ValidRequests.askLaterPages(t);
    if (id === ValidRequests.ATM && !succeeded(answer) && !t.fixtures.portal?.atm)
      inconclusive(`the default place is answered with ${describe(answer)}: give portal.atm in the fixtures file`);
    const what = 'a request that holds only what is required';
    if (!succeeded(answer)) await expectAccepted(t, { operation: id, what, input: answer.input });
    if (operation(id).success?.body === 'not shown')
      t.observe(id, 'shape of the answer', shapeOf(bodyOf(answer)).slice(0, 2000));
  });

InEachSession.acceptsInEachSession('portal.orderCards.required-only', 'an order');
