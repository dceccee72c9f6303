/** Customer lists of the portal: which customers belong to a hierarchy. */
import { type Answer, succeeded } from '../../helpers/answer.ts';
import { defineSuite, scenario } from '../../helpers/check.ts';
import { operationInScope } from '../../helpers/configuration/scope.ts';
import type { Context } from '../../helpers/context.ts';
import { outcomeInWords } from '../../helpers/engine/observed.ts';
import { requireAccepted } from '../../helpers/expect.ts';
import { rotated } from '../../helpers/rotation.ts';
import { fail, inconclusive } from '../../helpers/verdict.ts';
import { expectForeignHidden, foreignId, idText, UNKNOWN_CUSTOMER } from './scenarios/customer-ids.ts';
import {
  ancestors,
  belowSeveral,
  type Listed,
  listed,
  namedIn,
  type Parents,
  type Placed,
  parentsIn,
  placesIn,
} from './scenarios/hierarchy.ts';
import { answeredLater } from './scenarios/session-sequences.ts';
import { HIERARCHY, validRequests } from './scenarios/valid-requests.ts';

const { check, suite } = defineSuite();
export const customerHierarchySuite = suite;

const LIST = 'portal.getCustomerList';
/** Hierarchies to read beside that of the login's customer: this many of customers with children, and as many of customers without. */
const PER_RUN = 2;
const THOROUGH = 20;

interface Hierarchies {
  /** Accepted answers of getCustomerHierarchy, by the customer asked for. */
  hierarchies: Map<string, Answer>;
  /** The answer of getCustomerList; undefined where it is refused or out of scope. */
  list: Answer | undefined;
  /** The foreign customer of the fixtures file. */
  foreign: string | undefined;
}

/** Collects the hierarchies of the login's customer and of others, and the deprecated list. */
async function gather(
  t: Context,
  own: Answer,
  list: Answer | undefined,
  others: readonly string[],
): Promise<Hierarchies> {
  requireAccepted(own, 'the hierarchy of the customer of the login');
  const hierarchies = new Map([[idText(own.input.query?.customerId)!, own]]);
  // With an explicit session, so that a refusal for one customer causes no other login.
  const authorisation = { sessionId: (await t.run.client.sessions.current()).id };
  // The session may be new, and take as long as other effects to be known everywhere.
  await t.settle();
  // Simultaneously, so that mixed-up answers show.
  const answers = others.map(
    async (customerId) => [customerId, await t.call(HIERARCHY, { query: { customerId } }, { authorisation })] as const,
  );
  for (const [customerId, answer] of await Promise.all(answers))
    if (succeeded(answer)) hierarchies.set(customerId, answer);
  return { hierarchies, list, foreign: idText(t.fixtures.portal?.foreignCustomerId) };
}

/**
 * Customers below the given one, chosen by the seed: of those with children, one of the highest level and others; of those
 * without, one of the deepest level and others.
 */
function rotatedOthers({ run }: Context, asked: string, family: readonly Listed[]): string[] {
  const { seed, thorough } = run.configuration.run;
  const parents = parentsIn(family);
  const depth = (id: string) => ancestors(id, parents).length;
  const below = [...new Set(family.map(({ id }) => id))].filter(
    (id): id is string => id !== undefined && ancestors(id, parents).includes(asked),
  );
  const named = new Set(parents.values());
  const [withChildren, leaves] = [below.filter((id) => named.has(id)), below.filter((id) => !named.has(id))];
  const childrenOf = (id: string) => [...parents.values()].filter((parent) => parent === id).length;
  const byChildren = (one: string, other: string) => childrenOf(other) - childrenOf(one);
  const fromSeed = (customers: readonly string[]) => customers.map((_, i) => customers[(seed + i) % customers.length]!);
  /** One of the given depth with the most children, and others. */
  const some = (customers: readonly string[], at: number | undefined) => {
    const [first, ...more] = fromSeed(customers.filter((id) => depth(id) === at)).toSorted(byChildren);
    const others = [...fromSeed(customers.filter((id) => depth(id) !== at)), ...more];
    return first === undefined ? [] : [first, ...others].slice(0, thorough ? THOROUGH : PER_RUN);
  };
  const depths = (customers: readonly string[]) => customers.map(depth).toSorted((a, b) => a - b);
  return [...some(withChildren, depths(withChildren)[0]), ...some(leaves, depths(leaves).at(-1))];
}

const gathered = scenario('hierarchies of the portal', async (t) => {
  const own = (await t.shared(validRequests[HIERARCHY]!)).answer;
  const list = operationInScope(t.run.configuration, LIST) ? (await t.shared(validRequests[LIST]!)).answer : undefined;
  const shown = list && succeeded(list) ? list : undefined;
  const family = [own, ...(shown ? [shown] : [])].flatMap(listed);
  return gather(t, own, shown, rotatedOthers(t, idText(own.input.query?.customerId)!, family));
});

const answersOf = ({ hierarchies, list }: Hierarchies): Answer[] => [...hierarchies.values(), ...(list ? [list] : [])];

const everyone = (found: Hierarchies): Listed[] => answersOf(found).flatMap(listed);

/** The parents by all answers, except of customers that one answer lists below two others: either may be shown as the parent. */
function parentsOf(found: Hierarchies): Parents {
  const belowTwo = new Set(answersOf(found).flatMap((answer) => belowSeveral(listed(answer))));
  return new Map([...parentsIn(everyone(found))].filter(([id]) => !belowTwo.has(id)));
}

/** The hierarchies once for each session that asked for that of the login's customer, with the answer it got. */
async function gatheredLater(t: Context): Promise<Hierarchies[]> {
  const found = await t.known(gathered);
  const later = await answeredLater(t, HIERARCHY);
  return later.map((own) => {
    const asked = idText(own.input.query?.customerId)!;
    return { ...found, hierarchies: new Map([...found.hierarchies, [asked, own]]) };
  });
}

/** @throws Nonconformance when a hierarchy shows customers who don't belong there; Inconclusive when it no longer does */
async function expectMembers(t: Context, found: Hierarchies): Promise<void> {
  if (outsiders(found).length > 0) {
    const again = await seenAgain(t, found, outsiders);
    fail(`the hierarchy of ${again.asked} shows the customer ${again.id}, which is not below it`, {
      expected: 'the customer itself, those below it, and its parent',
      actual: `customerId ${again.id} with parentId ${again.parent}`,
    });
  }
  if (misplaced(found).length > 0) {
    const again = await seenAgain(t, found, misplaced);
    fail(
      `the hierarchy of ${again.asked} shows the customer ${again.id} with a parent that is not known to be below it`,
      {
        expected: `parentId ${again.elsewhere}, as getCustomerList shows it`,
        actual: `parentId ${again.parent}`,
      },
    );
  }
}

check('portal.getCustomerHierarchy.members', 'of the login and of some below it', async (t) => {
  const found = await t.shared(gathered);
  await expectMembers(t, found);
  const own = BigInt(found.hierarchies.keys().next().value!);
  const invented = { name: 'an invented one', customerId: BigInt(UNKNOWN_CUSTOMER) };
  const nobodies = [
    { name: 'that of the login in its last 32 bits alone', customerId: own + 2n ** 32n },
    { name: 'zero', customerId: 0n },
    { name: 'that of the login, negative', customerId: -own },
  ];
  const tried = rotated(t.run, `${HIERARCHY}: customers that do not exist`, nobodies);
  for (const { name, customerId } of [invented, ...tried]) {
    const unknown = await t.call(HIERARCHY, { query: { customerId } }, { intent: 'unknown' });
    t.observe(HIERARCHY, `a customerId that does not exist, ${name}`, outcomeInWords(unknown));
    expectNobody(unknown, String(customerId), everyone(found));
  }
  if (placed(found).every(({ place }) => place === 'unknown'))
    inconclusive('no hierarchy names customers by customerId and parentId');
});

/** The customers of all hierarchies with their places. */
function placed(found: Hierarchies): (Placed & { asked: string })[] {
  const known = parentsOf(found);
  return [...found.hierarchies].flatMap(([asked, answer]) =>
    placesIn(listed(answer), asked, known, found.foreign).map((one) => ({ ...one, asked })),
  );
}

const outsiders = (found: Hierarchies) => placed(found).filter(({ place }) => place === 'outside');

/**
 * Customers that getCustomerList places below the one asked for, but whose hierarchy names another parent that leads nowhere.
 */
function misplaced(found: Hierarchies): (Placed & { asked: string; elsewhere: string })[] {
  const parents = parentsIn(found.list ? listed(found.list) : []);
  const differing = placed(found).flatMap((one) => {
    const elsewhere = one.id === undefined ? undefined : parents.get(one.id);
    const isOther = elsewhere !== undefined && one.parent !== undefined && one.parent !== elsewhere;
    return isOther && one.place === 'unknown' ? [{ ...one, elsewhere }] : [];
  });
  return differing.filter(({ id, asked }) => ancestors(id!, parents).includes(asked));
}

/** @throws Nonconformance when the hierarchy of a customer that does not exist shows customers that have a parent elsewhere */
function expectNobody(unknown: Answer, asked: string, family: readonly Listed[]): void {
  if (!succeeded(unknown)) return;
  if (namedIn(unknown).has(asked)) return;
  const children = new Set(family.flatMap(({ id, parent }) => (id !== undefined && parent !== undefined ? [id] : [])));
  const strange = listed(unknown).find(({ id }) => id !== undefined && children.has(id));
  if (strange)
    fail(`the hierarchy of ${asked}, which does not exist, shows the customer ${strange.id}`, {
      expected: 'a refusal, or nobody',
      actual: `customerId ${strange.id} with parentId ${strange.parent}`,
      in: unknown,
    });
}

check('portal.getCustomerHierarchy.children', 'of the login and of some below it', async (t) => {
  const found = await t.shared(gathered);
  if (pairs(found).length === 0) inconclusive('no customer seen elsewhere names a parent whose hierarchy is shown');
  await expectChildren(t, found);
});

/** @throws Nonconformance when a customer is missing in the hierarchy of its parent; Inconclusive when it is no longer missing */
async function expectChildren(t: Context, found: Hierarchies): Promise<void> {
  if (missingChildren(found).length === 0) return;
  const again = await seenAgain(t, found, missingChildren);
  fail(`the customer ${again.child} names the parent ${again.parent} but is not in its hierarchy`, {
    expected: `customerId ${again.child} in the hierarchy of ${again.parent}`,
    actual: 'absent',
  });
}

/**
 * Reads the hierarchies again and returns a contradiction found both times, since customers may come and go.
 * @throws Inconclusive when none is found again
 */
async function seenAgain<T>(t: Context, found: Hierarchies, contradictions: (found: Hierarchies) => T[]): Promise<T> {
  const before = new Set(contradictions(found).map((one) => JSON.stringify(one)));
  const again = contradictions(await gatherAgain(t, found)).find((one) => before.has(JSON.stringify(one)));
  return again ?? inconclusive('the customers of the target changed meanwhile');
}

async function gatherAgain(t: Context, found: Hierarchies): Promise<Hierarchies> {
  const list = found.list && (await t.call(LIST));
  const own = await t.call(HIERARCHY, found.hierarchies.values().next().value!.input);
  return gather(t, own, list && succeeded(list) ? list : undefined, [...found.hierarchies.keys()].slice(1));
}

/** Whether every customer of a hierarchy has a customerId: one without may be anybody. */
const namesAll = (answer: Answer): boolean => listed(answer).every(({ id }) => id !== undefined);

/** Customers with their parents, from answers other than the parent's own hierarchy. */
function pairs(found: Hierarchies): { child: string; parent: string }[] {
  const { hierarchies } = found;
  return answersOf(found).flatMap((answer) =>
    listed(answer).flatMap(({ id: child, parent }) => {
      const ofParent = parent === undefined ? undefined : hierarchies.get(parent);
      const isElsewhere = ofParent !== undefined && ofParent !== answer && namesAll(ofParent);
      return child !== undefined && isElsewhere ? [{ child, parent: parent! }] : [];
    }),
  );
}

/** Customers that are missing in the hierarchy of the parent that they name. */
function missingChildren(found: Hierarchies): { child: string; parent: string }[] {
  const shown = new Map(
    [...found.hierarchies].map(([asked, answer]) => [asked, new Set(listed(answer).map(({ id }) => id))]),
  );
  return pairs(found).filter(({ child, parent }) => !shown.get(parent)!.has(child));
}

check('portal.getCustomerHierarchy.parent', 'of the login and of some below it', async (t) => {
  const found = await t.shared(gathered);
  const known = parentsOf(found);
  const withParent = [...found.hierarchies].filter(([asked, answer]) => known.has(asked) && namesAll(answer));
  if (withParent.length === 0) inconclusive('no customer whose hierarchy is shown names its parent');
  for (const [asked, answer] of withParent) {
    const parent = known.get(asked);
    if (!listed(answer).some(({ id }) => id === parent))
      fail(`the hierarchy of ${asked} does not show its parent ${parent}`, {
        expected: `customerId ${parent}`,
        actual: 'absent',
        in: answer,
      });
  }
});

check('portal.getCustomerHierarchy.parent-within-reach', 'of some below the login', async (t) => {
  const found = await t.shared(gathered);
  const { shown, missing } = parentsWithinReach(found);
  if (missing.length === 0) {
    if (shown.length === 0) inconclusive('no customer whose hierarchy is shown names a parent within reach');
    return;
  }
  const again = await seenAgain(t, found, (hierarchies) => parentsWithinReach(hierarchies).missing);
  fail(`the hierarchy of ${again.asked} does not show its parent ${again.parent}, which is within reach`, {
    expected: `customerId ${again.parent}`,
    actual: 'absent',
  });
});

/** A customer whose hierarchy was asked for, and its parent. */
interface OfParent {
  asked: string;
  parent: string;
}

/**
 * Customers whose hierarchy was asked for and whose parent is within reach (listed for the login, or asked for itself), by
 * whether the hierarchy shows the parent.
 */
function parentsWithinReach(found: Hierarchies): { shown: OfParent[]; missing: OfParent[] } {
  const known = parentsOf(found);
  const reached = new Set([...found.hierarchies.keys(), ...(found.list ? listed(found.list).map(({ id }) => id) : [])]);
  const pairs = [...found.hierarchies].flatMap(([asked, answer]) => {
    const parent = known.get(asked);
    return parent !== undefined && reached.has(parent) && namesAll(answer) ? [{ asked, parent }] : [];
  });
  const isShown = ({ asked, parent }: OfParent) =>
    listed(found.hierarchies.get(asked)!).some(({ id }) => id === parent);
  return { shown: pairs.filter(isShown), missing: pairs.filter((pair) => !isShown(pair)) };
}

check('portal.getCustomerList.foreign-customer', 'the list of the login', async (t) =>
  expectForeignHidden(t, [requireAccepted((await t.shared(validRequests[LIST]!)).answer, 'the customer list')]),
);

check('portal.getCustomerList.foreign-customer', 'in each session that asked for it', { phase: 'end' }, async (t) =>
  expectForeignHidden(t, await answeredLater(t, LIST)),
);

check('portal.getCustomerHierarchy.foreign-customer', 'hierarchies within reach', async (t) =>
  expectForeignOutOf(t, await t.shared(gathered)),
);

/** @throws Nonconformance when a hierarchy shows the foreign customer; Inconclusive when that is the parent of the customer asked for */
function expectForeignOutOf(t: Context, { hierarchies }: Hierarchies): void {
  for (const [asked, answer] of hierarchies) {
    if (parentsIn(listed(answer)).get(asked) === idText(foreignId(t)))
      inconclusive(
        'portal.foreignCustomerId is the parent of a customer within reach, and shown as such: give another',
      );
    expectForeignHidden(t, [answer]);
  }
}

/** What hierarchies must show in each session that asked for that of the login's customer. */
const IN_EACH_SESSION = {
  'portal.getCustomerHierarchy.members': expectMembers,
  'portal.getCustomerHierarchy.children': expectChildren,
  'portal.getCustomerHierarchy.foreign-customer': expectForeignOutOf,
};

for (const [requirement, expect] of Object.entries(IN_EACH_SESSION))
  check(requirement, 'in each session that asked for it', { phase: 'end' }, async (t) => {
    for (const found of await gatheredLater(t)) await expect(t, found);
  });

check('portal.getCustomerHierarchy.foreign-customer', 'the hierarchy of the foreign customer', async (t) => {
  const ask = () => t.call(HIERARCHY, { query: { customerId: foreignId(t) } }, { intent: 'foreign' });
  const answers = [await ask(), await ask()];
  expectForeignHidden(t, answers);
  const answer = answers.find(succeeded);
  if (!answer) return;
  const within = new Set(everyone(await t.shared(gathered)).map(({ id }) => id));
  const shown = listed(answer);
  const strange = shown.find(({ id }) => id !== undefined && !within.has(id));
  if (strange)
    fail('the hierarchy of a customer outside the reach of the login is shown', {
      expected: 'nothing that the login does not see otherwise',
      actual: `customerId ${strange.id}`,
      in: answer,
    });
  if (shown.some(({ id }) => id === undefined)) inconclusive('the customers shown have no customerId');
});
