/** What hierarchies and lists of customers show together (reading 37). */
import { type Answer, entries, succeeded } from '../../helpers/answer.ts';
import { expectNothingGiven } from '../../helpers/engine/disclosure.ts';
import { judged } from '../../helpers/engine/monitor.ts';
import { contradiction, type Known, kept, type Monitor, nothing, type Shown } from '../../helpers/evidence/monitor.ts';
import { expectRefused } from '../../helpers/expect.ts';
import { inconclusive } from '../../helpers/verdict.ts';
import * as Customers from './scenarios/customers.ts';
import * as Sessions from './scenarios/sessions.ts';

/** A hierarchy, beside the latest of each other customer, and the list. */
interface Family {
  /** The customer asked for. */
  asked: string;
  customers: readonly Customers.Listed[];
  /** Whether each customer of the hierarchy has a customerId: one without may be anybody. */
  namesAll: boolean;
  /** The customers of every other hierarchy, by the customer asked for. */
  others: ReadonlyMap<string, readonly Customers.Listed[]>;
  list: readonly Customers.Listed[];
  /** The parents by all answers, except of customers that one answer lists below two others: either may be shown as the parent. */
  parents: Customers.Parents;
  /** All that shows it, the hierarchy last. */
  by: [...Answer[], Answer];
}

/** Each accepted hierarchy of a history with what else is known. */
function* families(history: readonly Answer[]): Generator<Family> {
  const isShown = (id: string) => (answer: Answer) =>
    answer.operation.id === id && Sessions.isByRight(answer) && succeeded(answer) && answer.json?.ok;
  const hierarchies = history
    .filter(isShown(Customers.HIERARCHY))
    .filter((one) => Customers.askedIn(one) !== undefined);
  const lists = history.filter(isShown(Customers.LIST)).slice(-1);
  const customersOf = new Map([...hierarchies, ...lists].map((answer) => [answer, Customers.listed(answer)]));
  const latest = new Map(hierarchies.map((answer) => [Customers.askedIn(answer)!, answer]));
  for (const answer of hierarchies) {
    const asked = Customers.askedIn(answer)!;
    const others = [...latest].filter(([of]) => of !== asked);
    const beside = [...others.map(([, other]) => other), ...lists];
    const all = [answer, ...beside].map((one) => customersOf.get(one)!);
    const belowTwo = new Set(all.flatMap(Customers.belowSeveral));
    const customers = customersOf.get(answer)!;
    yield {
      asked,
      customers,
      namesAll: customers.every(({ id }) => id !== undefined),
      others: new Map(others.map(([of, other]) => [of, customersOf.get(other)!])),
      list: lists.flatMap((one) => customersOf.get(one)!),
      parents: new Map([...Customers.parentsIn(all.flat())].filter(([id]) => !belowTwo.has(id))),
      by: [...beside, answer],
    };
  }
}

/** A hierarchy holds the customer itself, those below it, and its parent. One that the list places below it must not name another parent. */
export function* members(history: readonly Answer[], { fixtures }: Known): Generator<Shown> {
  for (const family of families(history)) {
    const { asked, customers, parents, list, by } = family;
    const placed = Customers.placesIn(customers, asked, parents, Customers.idText(fixtures.portal?.foreignCustomerId));
    const byList = Customers.parentsIn(list);
    const isBelow = (id: string) => Customers.ancestors(id, byList).includes(asked);
    let isKept = placed.some(({ place }) => place !== 'unknown');
    for (const { id, parent, place } of placed) {
      const elsewhere = id === undefined ? undefined : byList.get(id);
      const isMisplaced =
        place === 'unknown' && parent !== undefined && elsewhere !== undefined && parent !== elsewhere;
      if (place !== 'outside' && !(isMisplaced && isBelow(id!))) continue;
      isKept = false;
      const shown = `the hierarchy of ${asked} shows the customer ${id}`;
      const right = 'the customer itself, those below it, and its parent';
      const listedFor = `parentId ${elsewhere}, as getCustomerList shows it`;
      yield place === 'outside'
        ? contradiction(by, `${shown}, which is not below it`, right, `customerId ${id} with parentId ${parent}`)
        : contradiction(by, `${shown} with a parent that is not known to be below it`, listedFor, `parentId ${parent}`);
    }
    if (isKept) yield kept(by);
  }
}

/** A customer that names a parent is in its hierarchy. */
export function* children(history: readonly Answer[]): Generator<Shown> {
  for (const family of families(history)) {
    const { asked, customers, namesAll, others, list, by } = family;
    if (!namesAll) continue;
    const shown = new Set(customers.map(({ id }) => id));
    const named = [...others.values(), list].flat().filter(({ id, parent }) => id !== undefined && parent === asked);
    const missing = named.filter(({ id }) => !shown.has(id));
    for (const { id } of missing) {
      const message = `the customer ${id} names the parent ${asked} but is not in its hierarchy`;
      yield contradiction(by, message, `customerId ${id} in the hierarchy of ${asked}`, 'absent');
    }
    if (named.length > 0 && missing.length === 0) yield kept(by);
  }
}

/** A hierarchy shows the parent of its customer. @param isMeant whether a parent must be shown */
const showsParent = (inWords: string, isMeant: (family: Family, parent: string) => boolean): Monitor =>
  function* (history) {
    for (const family of families(history)) {
      const { asked, customers, namesAll, parents, by } = family;
      const parent = parents.get(asked);
      if (parent === undefined || !namesAll || !isMeant(family, parent)) continue;
      const message = `the hierarchy of ${asked} does not show its parent ${parent}${inWords}`;
      if (customers.some(({ id }) => id === parent)) yield kept(by);
      else yield contradiction(by, message, `customerId ${parent}`, 'absent');
    }
  };

export const parent = showsParent('', () => true);

/** Within reach is what is listed for the login, or was asked for itself. */
export const parentWithinReach = showsParent(
  ', which is within reach',
  ({ others, list }, of) => others.has(of) || list.some(({ id }) => id === of),
);

/** What belongs to the foreign customer is listed nowhere; whose parent it is, for that the fixtures file has to name another. */
export const hidesForeign = (operation: string): Monitor =>
  function* (history, { fixtures }) {
    const foreign = Customers.idText(fixtures.portal?.foreignCustomerId);
    const reason = 'portal.foreignCustomerId is the parent of a customer within reach, and shown as such: give another';
    const message = 'what belongs to a customer outside the reach of the login is shown';
    for (const answer of history) {
      if (answer.operation.id !== operation || answer.intent === 'unauthorised') continue;
      if (succeeded(answer) && !answer.json?.ok) continue;
      const isAsked = Customers.askedIn(answer) === foreign;
      const hierarchy = operation === Customers.HIERARCHY && succeeded(answer) ? Customers.askedIn(answer) : undefined;
      if (hierarchy !== undefined && Customers.parentsIn(Customers.listed(answer)).get(hierarchy) === foreign)
        yield nothing([answer], reason);
      // A refusal may repeat what was asked for.
      else if (!succeeded(answer) && isAsked)
        yield judged(
          [answer],
          () => void expectNothingGiven(answer, 'a request for the foreign customer', { history }),
        );
      else if (!entries(answer).some(({ customerId }) => Customers.idText(customerId) === foreign))
        yield kept([answer]);
      else yield contradiction([answer], message, 'not shown', `customerId ${foreign}`);
    }
  };

/** What may list customers or programs of others: the member that identifies an entry, and the operations that list the login's own. */
const LISTINGS = {
  [Customers.HIERARCHY]: { member: 'customerId', own: [Customers.HIERARCHY, Customers.LIST] },
  [Customers.PROGRAM_LIST]: { member: 'rowId', own: [Customers.PROGRAM_LIST] },
};

/** What is asked of the foreign customer shows nobody, and no program, that the login does not see otherwise. */
export const showsNothingElse = (operation: keyof typeof LISTINGS): Monitor =>
  function* (history) {
    const { member, own: listing } = LISTINGS[operation];
    const byRight = history.filter((one) => Sessions.isByRight(one) && succeeded(one));
    const own = byRight.find((one) => one.operation.id === operation);
    const idsIn = (listed: readonly Record<string, unknown>[]) =>
      listed.map((entry) => Customers.idText(entry[member]));
    const seen = new Set(idsIn(byRight.filter((one) => listing.includes(one.operation.id)).flatMap(entries)));
    // A program that names another customer is judged by that, wherever it is listed.
    const isJudged = ({ customerId }: Record<string, unknown>) =>
      operation === Customers.HIERARCHY ||
      customerId === undefined ||
      (own !== undefined && Customers.idText(customerId) === Customers.askedIn(own));
    const what = 'what is shown for a customer outside the reach of the login';
    for (const answer of history) {
      if (answer.operation.id !== operation || answer.intent !== 'foreign') continue;
      const shown = succeeded(answer) ? idsIn(entries(answer).filter(isJudged)) : [];
      const unseen = shown.filter((id) => !seen.has(id));
      const [stranger] = unseen.filter((id) => id !== undefined);
      const right = 'nothing that the login does not see otherwise';
      if (stranger !== undefined && own)
        yield contradiction([own, answer], `${what} is shown nowhere else`, right, `${member} ${stranger}`);
      else if (stranger !== undefined || shown.includes(undefined))
        yield nothing([answer], `${what} has no known ${member}`);
      else yield kept([answer]);
    }
  };

/** Programs of customers that do not exist are refused, unless somebody is seen to have the customerId after all. */
export function* refusesNobody(history: readonly Answer[]): Generator<Shown> {
  const lists = history.filter(({ operation: { id } }) => id === Customers.PROGRAM_LIST);
  for (const answer of lists.filter(({ intent }) => intent === 'unknown'))
    yield judged([answer], () => {
      const asked = Customers.askedIn(answer);
      if (!lists.some(succeeded)) inconclusive('the program list is accepted for nobody');
      const isNaming = (one: Answer) =>
        [Customers.HIERARCHY, Customers.LIST].includes(one.operation.id) && Customers.namedIn(one).has(asked);
      if (succeeded(answer) && history.some(isNaming)) inconclusive(`customerId ${asked} is in use at the target`);
      expectRefused(answer, `customerId ${asked}, which does not exist,`);
    });
}
