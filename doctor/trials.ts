/**
 * Finds portal fixtures by trying orders and CIP checks, for the doctor, where the risk allows them. Judges nothing.
 */
import type { Fixtures } from '../contracts/fixtures.ts';
import { type Answer, entries, isObject, member, succeeded } from '../helpers/answer.ts';
import * as Scope from '../helpers/configuration/scope.ts';
import type { Context } from '../helpers/context.ts';
import { attempt, optional } from '../helpers/verdict.ts';
import * as Persons from '../suites/v1/cip/persons.ts';
import * as Bodies from '../suites/v1/orders/bodies.ts';
import * as Orders from '../suites/v1/orders/orders.ts';
import * as Customers from '../suites/v1/scenarios/customers.ts';
import * as ValidRequests from '../suites/v1/scenarios/valid-requests.ts';

type Portal = NonNullable<Fixtures['portal']>;

/** The result of the trials. */
export interface Trials {
  /** The fixtures found, in the form of a fixtures file. */
  portal: Portal;
  /** The result for each program and person, a line each. */
  lines: string[];
}

/** Programs to try. */
const MOST_PROGRAMS = 6;

/** Number of characters of an answer that are quoted. */
const LONGEST = 200;

/** Tries the programs of the login's customer, and the persons of the fixtures file or a made-up one. Its requests have the risk `irreversible`. */
export async function tryPortal(t: Context): Promise<Trials> {
  const trials: Trials = { portal: {}, lines: [] };
  const inScope = (operation: string) => Scope.operationInScope(t.run.configuration, operation);
  for (const [operation, trial] of [
    [Orders.ORDER, tryPrograms],
    [Persons.CIP, tryPersons],
  ] as const) {
    const step = await attempt(async () => inScope(operation) && trial(t, trials));
    if (step.isEnded) trials.lines.push(`${operation} could not be tried completely`);
  }
  return trials;
}

async function tryPrograms(t: Context, { portal, lines }: Trials): Promise<void> {
  const programs: Partial<Record<Bodies.ProgramKey, Customers.CustomerId>> = {};
  const listed = await listedPrograms(t);
  for (const { custProgId, isInstantIssue } of listed.slice(0, MOST_PROGRAMS)) {
    const name = `program ${custProgId}`;
    const found = await orderedFrom(t, custProgId, isInstantIssue);
    if (!Array.isArray(found)) {
      lines.push(`${name} takes none of the made-up orders: give an order that it takes; ${inItsWords(t, found)}`);
      continue;
    }
    if (found.length === 0) lines.push(`${name} requires an otherInfo, but it is not clear whether it must be unique`);
    else lines.push(`${name} is fit for ${found.map((key) => chosen(key, custProgId, programs)).join(', ')}`);
  }
  for (const { custProgId } of listed.slice(MOST_PROGRAMS))
    lines.push(`program ${custProgId} is not tried: no more than ${MOST_PROGRAMS} are`);
  portal.programs = programs;
}

/** Gives a key to a program that is fit for it, unless another one has it. @returns which key, and who has it */
function chosen(
  key: Bodies.ProgramKey,
  custProgId: Customers.CustomerId,
  programs: Partial<Record<Bodies.ProgramKey, Customers.CustomerId>>,
): string {
  const before = programs[key];
  programs[key] ??= custProgId;
  if (before === undefined) return `programs.${key}`;
  if (key !== 'personalized' || programs.other !== undefined) return `programs.${key} (which is ${before})`;
  programs.other = custProgId;
  return 'programs.other';
}

/** What the target says of a refusal. */
const inItsWords = (t: Context, { status, bytes }: Answer): string =>
  `the last is answered with ${status} ${t.run.redactor.text(bytes.toString()).slice(0, LONGEST)}`;

/** The fixture keys that a program is fit for; the last refusal when it takes no made-up order. */
async function orderedFrom(
  t: Context,
  custProgId: Customers.CustomerId,
  isInstantIssue: boolean,
): Promise<Bodies.ProgramKey[] | Answer> {
  const key = isInstantIssue ? 'instantIssue' : 'personalized';
  const plain: Bodies.Program = { key, custProgId, order: undefined, wantsOtherInfo: false };
  const withoutOther = await Orders.findBase(t, plain);
  const isPlain = succeeded(withoutOther.answer);
  const base = isPlain ? withoutOther : await Orders.findBase(t, { ...plain, wantsOtherInfo: true });
  if (!succeeded(base.answer)) return base.answer;
  const takes = (...orders: (() => Bodies.Body)[]) => takesOneOf(t, base, orders);
  if (!isPlain) return (await takes(() => repeatingOtherInfo(base))) === false ? ['uniqueOtherInfo'] : [];
  const digital = await takes(() => Bodies.asDigital(base.make()));
  const load = await takes(...Bodies.LOADS.map((amount) => () => Bodies.withLoad(t, base.make(), amount)));
  return [key, ...named(digital, 'digitalOn', 'digitalOff'), ...named(load, 'loadOn', 'loadOff')];
}

const named = (
  taken: boolean | undefined,
  ifTaken: Bodies.ProgramKey,
  ifNot: Bodies.ProgramKey,
): Bodies.ProgramKey[] => (taken === undefined ? [] : [taken ? ifTaken : ifNot]);

/** The base order with the otherInfo of the one accepted before. */
const repeatingOtherInfo = ({ make, answer }: Orders.Base): Bodies.Body => {
  const [{ otherInfo } = {}] = Bodies.cardsIn(answer);
  return Bodies.withCards(make(), (card) => ({ ...card, otherInfo }));
};

/** Whether the program takes one of the orders; undefined when it refuses all of them and then the base order, too. */
async function takesOneOf(
  t: Context,
  base: Orders.Base,
  orders: readonly (() => Bodies.Body)[],
): Promise<boolean | undefined> {
  for (const make of orders) if (succeeded(await Orders.send(t, make()))) return true;
  return succeeded(await Orders.send(t, base.make())) ? false : undefined;
}

async function listedPrograms(t: Context): Promise<{ custProgId: Customers.CustomerId; isInstantIssue: boolean }[]> {
  const customer = await optional(t.shared(Customers.ownCustomer));
  if (customer === undefined || !Scope.operationInScope(t.run.configuration, Customers.PROGRAM_LIST)) return [];
  const listings = await Promise.all(
    ValidRequests.FLAGS.map((flags) => t.call(Customers.PROGRAM_LIST, ValidRequests.programsOf(customer, flags))),
  );
  const programs = listings.flatMap((answer) => (succeeded(answer) ? entries(answer) : []));
  const byId = new Map(programs.map((program) => [Customers.idText(program.rowId), program]));
  return [...byId.values()].flatMap(({ rowId, isInstantIssue, isDeleted }) =>
    Customers.isCustomerId(rowId) && isDeleted !== true
      ? [{ custProgId: rowId, isInstantIssue: isInstantIssue === true }]
      : [],
  );
}

async function tryPersons(t: Context, { portal, lines }: Trials): Promise<void> {
  const given = await Persons.checkKnown(t);
  for (const [key, { value: answer }] of given) {
    if (!answer) continue;
    const found = outcomeOf(answer);
    const fits =
      found === key
        ? 'the outcome that its key names'
        : `another outcome than its key names: ${found ?? 'none of the documented ones'}`;
    lines.push(`the person of cip.${key} gets ${fits}`);
  }
  if (given.size > 0) return;
  const { person, answer } = await Persons.findBase(t, given);
  const found = outcomeOf(answer);
  lines.push(found ? `a made-up person is fit for cip.${found}` : 'a made-up person gets no documented outcome');
  if (found) portal.cip = { [found]: person };
}

/** The fixture key of a person with this outcome; undefined for an undocumented one. */
function outcomeOf(answer: Answer): Persons.Key | undefined {
  const data = member(answer, 'data');
  if (!succeeded(answer) || !isObject(data)) return undefined;
  if (data.summaryResult === 'Pass') return 'pass';
  if (data.summaryResult === 'Fail') return 'fail';
  if (data.summaryResult !== 'Partial') return undefined;
  if (data.diffQuestionList) return 'partialDifferentiator';
  return data.questionList ? 'partialQuestions' : undefined;
}
