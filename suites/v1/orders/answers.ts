/** Order rule 2: what orders are answered with, the identifiers of an order and of its card (reading 44). */
import { type Answer, allMembers, bodyOf } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import { requireAccepted } from '../../../helpers/expect.ts';
import { fail, skip } from '../../../helpers/verdict.ts';
import { check } from '../../declare.ts';
import * as Bodies from './bodies.ts';
import * as Kinds from './kinds.ts';
import * as Orders from './orders.ts';

check('portal.orderCards.order-identifier', 'several cards', async (t) => {
  const { answer } = await Kinds.requireSeveral(t, await requirePersonalized(t));
  expectMember(answer, 'named orderId', (name) => name === 'orderId');
});

check('portal.orderCards.proxy', 'one card', async (t) => {
  const { make, answer } = await requirePersonalized(t);
  const isOne = Bodies.cardsIn(answer).length === 1;
  const ofOne = isOne ? answer : requireAccepted(await Orders.send(t, make(1)), 'an order of one card');
  expectMember(ofOne, 'whose name contains proxy', (name) => /proxy/i.test(name));
});

/** The base order of a plain program other than instantIssue. @throws Skipped, Inconclusive */
async function requirePersonalized(t: Context): Promise<Orders.Base> {
  const found = await Orders.requireBase(t);
  return found.program.key === 'instantIssue' ? skip('needs portal.programs.personalized in the fixtures file') : found;
}

/** Expects a member with a fitting name at any depth, not null. @throws Nonconformance */
function expectMember(answer: Answer, what: string, isMeant: (name: string) => boolean): void {
  for (const { name, value } of allMembers(bodyOf(answer))) if (isMeant(name) && value !== null) return;
  fail(`the answer holds no member ${what}`, `a member ${what}`, 'none', { in: answer });
}
