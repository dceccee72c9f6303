/** Orders that others made on programs of which the fixtures file says what they refuse (readings 43 and 44). */
import { type Answer, describe, succeeded } from '../../../helpers/answer.ts';
import { contradiction, kept, type Monitor } from '../../../helpers/evidence/monitor.ts';
import { watch } from '../../declare.ts';
import * as Sessions from '../scenarios/sessions.ts';
import * as Bodies from './bodies.ts';

/** Orders by right that were answered. */
const ordersIn = (history: readonly Answer[]): Answer[] =>
  history.filter(
    (answer) =>
      answer.operation.id === 'portal.orderCards' &&
      answer.status > 0 &&
      Sessions.isByRight(answer) &&
      !answer.leftOut?.request &&
      !answer.leftOut?.values &&
      Bodies.orderIn(answer) !== undefined,
  );

/** Orders of a kind that a program refuses: accepted, they contradict; refused beside an accepted one of another kind, they are as they must be. */
const refusesOn = (key: Bodies.ProgramKey, what: string, isOfKind: (order: Bodies.Body) => boolean): Monitor =>
  function* (history, known) {
    const program = Bodies.programOf(known, key);
    if (!program || (program.order && isOfKind(program.order))) return;
    const own = ordersIn(history).filter(
      (answer) => String(Bodies.orderIn(answer).custProgId) === String(program.custProgId),
    );
    const other = own.find((answer) => succeeded(answer) && !isOfKind(Bodies.orderIn(answer)));
    for (const answer of own.filter((one) => isOfKind(Bodies.orderIn(one))))
      if (succeeded(answer)) yield contradiction([answer], `${what} is accepted`, 'a refusal', describe(answer));
      else if (other) yield kept([other, answer]);
  };

/** Whether a card of an order for persons has no otherInfo; an instant issue names nobody. */
const lacksInfo = (order: Bodies.Body): boolean =>
  order.isInstantIssue !== true && Bodies.cardsOf(order).some((card) => !('otherInfo' in card));

for (const [requirement, monitor] of [
  ['digital-off', refusesOn('digitalOff', 'a Digital order where digital cards are off', Bodies.isDigital)],
  ['load-off', refusesOn('loadOff', 'an order with a load where loads are off', Bodies.isLoad)],
  ['other-info-required', refusesOn('uniqueOtherInfo', 'an order with a card without otherInfo', lacksInfo)],
] as const)
  watch({ requirement: `portal.orderCards.${requirement}`, monitor, isSuspicion: false });

/** An order for a customer outside the reach of the login is refused. Of several users, one may reach that customer. */
const refusesForeign = (isOfOneUser: boolean): Monitor =>
  function* (history, { fixtures: { portal } }) {
    const users = new Set(history.filter(Sessions.isLogin).filter(succeeded).map(Sessions.userOf));
    const foreign = portal?.foreignCustomerId;
    if (foreign === undefined || users.size > 1 === isOfOneUser) return;
    const isForeign = (answer: Answer) => String(Bodies.orderIn(answer)?.customerId) === String(foreign);
    const orders = history.filter((one) => one.operation.id === 'portal.orderCards' && one.intent !== 'unauthorised');
    for (const answer of orders.filter(isForeign).filter(succeeded))
      yield contradiction(
        [answer],
        'an order for a customer outside the reach of the login is accepted',
        'a refusal',
        describe(answer),
      );
  };

for (const isOfOneUser of [true, false])
  watch({
    requirement: 'portal.orderCards.foreign-customer',
    monitor: refusesForeign(isOfOneUser),
    isSuspicion: !isOfOneUser,
  });
