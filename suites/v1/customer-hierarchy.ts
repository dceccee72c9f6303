/** Customer lists of the portal: which customers belong to a hierarchy. */
import { type Answer, type Intent, succeeded } from '../../helpers/answer.ts';
import type { RequestOptions } from '../../helpers/call.ts';
import { type Context, scenario } from '../../helpers/check.ts';
import * as Retrial from '../../helpers/engine/retrial.ts';
import { requireAccepted } from '../../helpers/expect.ts';
import { fail } from '../../helpers/verdict.ts';
import { check, monitored } from '../declare.ts';
import * as CustomerMonitors from './customer-monitors.ts';
import * as Customers from './scenarios/customers.ts';
import * as InEachSession from './scenarios/in-each-session.ts';
import * as LastLogins from './scenarios/last-logins.ts';
import * as ValidRequests from './scenarios/valid-requests.ts';

/**
 * Customers below the given one, chosen by the seed: of those with children, the one of the highest level with the most and others; of those
 * without, one of the deepest level and others. Two of each kind, and twenty with `--thorough`.
 */
function rotatedOthers({ run }: Context, asked: string, family: readonly Customers.Listed[]): string[] {
  const { seed, thorough } = run.configuration.run;
  const parents = Customers.parentsIn(family);
  const ids = family.flatMap(({ id }) => id ?? []);
  const above = new Map(ids.map((id) => [id, Customers.ancestors(id, parents)]));
  const depth = (id: string) => above.get(id)!.length;
  const childrenOf = (id: string) => [...parents].filter(([, parent]) => parent === id).length;
  const byDepth = (one: string, other: string) => depth(other) - depth(one);
  const byHeight = (one: string, other: string) => byDepth(other, one) || childrenOf(other) - childrenOf(one);

  const below = [...above.keys()].filter((id) => above.get(id)!.includes(asked));
  const some = (of: readonly string[], by: typeof byDepth) => {
    const fromSeed = of.map((_, index) => of[(seed + index) % of.length]!);
    const [first, ...more] = fromSeed.toSorted(by);
    if (first === undefined) return [];
    const others = fromSeed.filter((id) => depth(id) !== depth(first));
    return [...new Set([first, ...others, ...more])].slice(0, thorough ? 20 : 2);
  };
  const isParent = (id: string) => childrenOf(id) > 0;
  const parentsBelow = below.filter(isParent);
  const leavesBelow = below.filter((id) => !isParent(id));
  return [...some(parentsBelow, byHeight), ...some(leavesBelow, byDepth)];
}

const ask = (t: Context, customerId: Customers.CustomerId | string, options: RequestOptions): Promise<Answer> =>
  t.call(Customers.HIERARCHY, { query: { customerId } }, options);

/** Reads the hierarchy of the login's customer, those of some below it, and the deprecated list. @returns all customers shown */
const gathered = scenario('hierarchies of the portal', async (t): Promise<Customers.Listed[]> => {
  const { answer: own } = await t.shared(ValidRequests.requestOf(Customers.HIERARCHY));
  const lists = t.isInScope(Customers.LIST) ? [(await t.shared(ValidRequests.requestOf(Customers.LIST))).answer] : [];
  const family = [own, ...lists.filter(succeeded)].flatMap(Customers.listed);
  requireAccepted(own, 'the hierarchy of the customer of the login');
  // With an explicit session, so that a refusal for one customer causes no other login.
  const authorisation = { sessionId: (await t.run.client.sessions.current()).id };
  // The session may be new, and take as long as other effects to be known everywhere.
  await t.settle();
  const read = (customerId: string, intent: Intent = 'valid') => ask(t, customerId, { intent, authorisation });
  // Simultaneously, so that mixed-up answers show.
  const asked = Customers.askedIn(own)!;
  const others = await Promise.all(rotatedOthers(t, asked, family).map((customerId) => read(customerId)));
  // Whether its parent is within reach is not shown: whom the login must not see is not seen there, either.
  const parent = Customers.parentsIn(family).get(asked);
  if (parent !== undefined) await read(parent, 'unknown');
  return [...family, ...others.filter(succeeded).flatMap(Customers.listed)];
});

const hidesForeign = CustomerMonitors.hidesForeign(Customers.HIERARCHY);
const TRIED_AGAIN = { tryAgain: Retrial.askedAgain };

for (const [requirement, monitor, how] of [
  ['portal.getCustomerHierarchy.members', CustomerMonitors.members, TRIED_AGAIN],
  ['portal.getCustomerHierarchy.children', CustomerMonitors.children, TRIED_AGAIN],
  ['portal.getCustomerHierarchy.parent', CustomerMonitors.parent, TRIED_AGAIN],
  ['portal.getCustomerHierarchy.parent-within-reach', CustomerMonitors.parentWithinReach, TRIED_AGAIN],
  ['portal.getCustomerHierarchy.foreign-customer', hidesForeign],
] as const) {
  const judge = monitored(requirement, monitor, how);
  judge('hierarchies of the customer of the login and of some below it', {}, (t) => t.shared(gathered));
  judge('hierarchies asked for in later sessions', { phase: 'end' }, LastLogins.drive(requirement, 'sequences'));
}

const hidesListed = monitored('portal.getCustomerList.foreign-customer', CustomerMonitors.hidesForeign(Customers.LIST));
hidesListed('the list of customers', {}, (t) => t.shared(ValidRequests.requestOf(Customers.LIST)));
const inSessions = LastLogins.drive('portal.getCustomerList.foreign-customer', 'sequences');
hidesListed('lists asked for in later sessions', { phase: 'end' }, inSessions);

check('portal.getCustomerHierarchy.members', 'hierarchies of customers that do not exist', async (t) => {
  const family = await t.shared(gathered);
  const { answer: own } = await t.shared(ValidRequests.requestOf(Customers.HIERARCHY));
  const [invented, ...others] = Customers.nobodiesLike(t, BigInt(Customers.askedIn(own)!));
  const tried = t.rotated(`${Customers.HIERARCHY}: customers that do not exist`, others);
  const haveParents = new Set(family.flatMap(({ id, parent: of }) => (of === undefined ? [] : [id])));
  for (const { name, customerId } of [invented, ...tried]) {
    const unknown = await ask(t, customerId, { intent: 'unknown' });
    t.observe(Customers.HIERARCHY, `a customerId that does not exist, ${name}`, unknown);
    if (!succeeded(unknown) || Customers.namedIn(unknown).has(String(customerId))) continue;
    const strange = Customers.listed(unknown).find(({ id }) => id !== undefined && haveParents.has(id));
    if (strange)
      fail(
        `the hierarchy of ${customerId}, which does not exist, shows the customer ${strange.id}`,
        'a refusal, or nobody',
        `customerId ${strange.id} with parentId ${strange.parent}`,
        { in: unknown },
      );
  }
});

const foreign = scenario('the hierarchy of the foreign customer', async (t) => {
  const askFor = (id: Customers.CustomerId | string) => ask(t, id, { intent: 'foreign' });
  const again = [Customers.foreignId(t), ...Customers.foreignOtherwise(t)];
  const ids = [Customers.foreignId(t), ...t.rotated(`${Customers.HIERARCHY}: foreign again`, again)];
  const shown: Answer[] = [];
  for (const id of ids) shown.push(await askFor(id));
  return shown;
});

const isHidden = monitored('portal.getCustomerHierarchy.foreign-customer', hidesForeign);
isHidden('the hierarchy of the foreign customer', {}, (t) => t.shared(foreign));
isHidden(
  ...InEachSession.askedInEachSession(
    'portal.getCustomerHierarchy.foreign-customer',
    'the hierarchy of the foreign customer',
  ),
);

const showsNothingElse = CustomerMonitors.showsNothingElse(Customers.HIERARCHY);
const showsNobody = monitored('portal.getCustomerHierarchy.foreign-customer', showsNothingElse, { isSuspicion: true });
showsNobody('customers shown for the foreign customer', {}, async (t) => [
  await t.shared(gathered),
  await t.shared(foreign),
]);
