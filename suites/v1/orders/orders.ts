/** The base order of each program: checks of orders vary it, and repeat it to confirm the reason of a refusal. */
import { ORDER_PROD_TYPES } from '../../../contracts/v1/orders.ts';
import { type Answer, describe, type Intent, succeeded } from '../../../helpers/answer.ts';
import type { RequestOptions } from '../../../helpers/call.ts';
import { type Context, perOperation, type Scenario, scenario } from '../../../helpers/check.ts';
import { expectAccepted, type RequestToAccept } from '../../../helpers/engine/acceptance.ts';
import { inconclusive, skip } from '../../../helpers/verdict.ts';
import * as Customers from '../scenarios/customers.ts';
import * as Bodies from './bodies.ts';
import * as Identifiers from './identifiers.ts';

export const ORDER = 'portal.orderCards';

/** Sends an order, by default one that may be refused. */
export function send(t: Context, json: Bodies.Body, options: RequestOptions = {}): Promise<Answer> {
  const isFree = (answer: Answer) => Identifiers.isRepeated(t.run.answers, answer);
  return t.call(ORDER, { json }, { intent: 'refusable', isFree, ...options });
}

export const twoAtOnce = (t: Context, make: () => Bodies.Body): Promise<unknown> =>
  Promise.all([send(t, make(), { atOnce: true }), send(t, make(), { atOnce: true })]);

export interface Base {
  program: Bodies.Program;
  /** Makes the order again, with fresh identifiers and holders; of N cards, by default as many as the order had. */
  make(cards?: number): Bodies.Body;
  /** The answer to the accepted order; where all were refused, to one of them. */
  answer: Answer;
  tried: readonly Answer[];
}

/** The first order that the program takes; where it takes none, the last that was tried. */
export async function findBase(t: Context, program: Bodies.Program): Promise<Base> {
  const { order: given } = program;
  if (given) {
    const make = (cards?: number) => Bodies.withFreshIdentifiers(t, program, given, cards);
    const answer = await send(t, make());
    if (succeeded(answer) || 'cardType' in given) return { program, make, answer, tried: [answer] };
    // If this is accepted, the target wrongly insists on a cardType; the order is not stale.
    const physical = (cards?: number) => Bodies.asPhysical(make(cards));
    const explicit = await send(t, physical());
    const found = succeeded(explicit) ? { make: physical, answer: explicit } : { make, answer };
    return { program, ...found, tried: [answer, explicit] };
  }
  const customerId = await t.shared(Customers.ownCustomer);
  const tried: Answer[] = [];
  // The likelier ones for the program first.
  const isUnlikely = (type: string) => Number(type.includes('Instant') !== (program.key === 'instantIssue'));
  const types = ORDER_PROD_TYPES.toSorted((one, other) => isUnlikely(one) - isUnlikely(other));
  for await (const extras of Bodies.extrasFor(t, program))
    for (const type of types) {
      const make = (cards = 1) => Bodies.build(t, program, { orderProdType: type, customerId }, extras, cards);
      const answer = await send(t, make());
      tried.push(answer);
      t.observe(ORDER, `${type} on ${program.key}`, answer);
      if (succeeded(answer)) return { program, make, answer, tried };
    }
  return { program, make: () => tried.at(-1)!.input.json as Bodies.Body, answer: tried.at(-1)!, tried };
}

/** An earlier key that names the same program, whose base order serves both. */
function twinOf(t: Context, program: Bodies.Program): Bodies.ProgramKey | undefined {
  if (program.order) return undefined;
  const earlier = Bodies.programsOf(t, Bodies.PROGRAMS.slice(0, Bodies.PROGRAMS.indexOf(program.key)));
  return earlier.find((other) => !other.order && String(other.custProgId) === String(program.custProgId))?.key;
}

/** The base order of each program, accepted or not; see {@link requireBase}. @throws Skipped when the fixtures file does not give the program */
export const baseOf: (key: Bodies.ProgramKey) => Scenario<Base> = perOperation(
  (key) => `base order of portal.programs.${key}`,
  async (t, key) => {
    const program =
      Bodies.programOf(t, key as Bodies.ProgramKey) ?? skip(`needs portal.programs.${key} in the fixtures file`);
    const twin = twinOf(t, program);
    t.prioritise();
    if (twin) return t.shared(baseOf(twin));
    const found = await findBase(t, program);
    if (!succeeded(found.answer)) await repeatBroken(t, found);
    return found;
  },
);

/** The base order of a program, where the fixtures file gives the program and one is accepted. */
export async function acceptedBase(t: Context, key: Bodies.ProgramKey): Promise<Base | undefined> {
  const found = Bodies.programOf(t, key) && (await t.shared(baseOf(key)));
  return found && succeeded(found.answer) ? found : undefined;
}

/** The accepted base order of a program, by default a plain one. @throws Skipped without the program, Inconclusive when every base order is refused */
export async function requireBase(t: Context, key?: Bodies.ProgramKey): Promise<Base> {
  const found = await t.shared(key ? baseOf(key) : plain);
  if (succeeded(found.answer)) return found;
  const what = `give an order that it takes as portal.programs.${found.program.key} in the fixtures file`;
  return inconclusive(`every base order is refused, the last with ${describe(found.answer)}: ${what}`);
}

/**
 * Expects the program to accept an order.
 * @param body makes the order, with fresh identifiers each time; it may send what the order is to differ from
 * @param control makes an order that differs only in what is asserted; by default the base order
 * @param shownBy whether an accepted order shows it, too
 * @throws Nonconformance, Inconclusive; see expectAccepted
 */
export function expectTaken(
  t: Context,
  { program, make }: Base,
  what: string,
  body: () => Bodies.Body | Promise<Bodies.Body>,
  control: () => Bodies.Body = make,
  shownBy?: RequestToAccept['shownBy'],
): Promise<Answer> {
  return expectAccepted(t, {
    operation: ORDER,
    what,
    input: async () => ({ json: await body() }),
    control: () => ({ json: control() }),
    ...(shownBy && { shownBy }),
    fixture: `portal.programs.${program.key}`,
  });
}

/** Sends orders, those that a target is likeliest to refuse first, until one is accepted. @returns its answer, else the last */
export async function firstAccepted(t: Context, bodies: Bodies.Body[], intent: Intent = 'refusable'): Promise<Answer> {
  let answer: Answer | undefined;
  for (const json of bodies) {
    answer = await send(t, json, { intent });
    if (succeeded(answer)) return answer;
  }
  return answer!;
}

/** The base order of the first program that takes one, in the order of {@link Bodies.PROGRAMS}; where none does, a refused one. */
export const plain = scenario('base order of a plain program', async (t): Promise<Base> => {
  const refused: Base[] = [];
  for (const { key } of Bodies.programsOf(t)) {
    const found = await t.shared(baseOf(key));
    if (succeeded(found.answer)) return found;
    refused.push(found);
  }
  return refused[0] ?? skip('needs portal.programs in the fixtures file');
});

/** A custProgId that no target has; it fits into 32 bits. */
export const NO_PROGRAM = 987_654_321;

/**
 * Repeats an order that was answered with 500 although the program seems to take its type, now as a valid one, so that the rule for every
 * exchange judges the 500. A program refuses most types, so a 500 that half or more of several orders get, though not all, is only its way to
 * refuse. Where an order on an unknown program gets 500 too, that is how the target refuses (reading 9), and nothing is repeated.
 */
async function repeatBroken(t: Context, { program, tried }: Base): Promise<void> {
  const all = tried.filter(({ status }) => status === 500);
  const [broken] = all.length === tried.length || all.length < tried.length / 2 ? all : [];
  if (!broken) return;
  const again = () => Bodies.withFreshIdentifiers(t, program, Bodies.orderIn(broken));
  const { status } = await t.call(ORDER, { json: { ...again(), custProgId: NO_PROGRAM } }, { intent: 'unknown' });
  if (status !== 500) await t.call(ORDER, { json: again() });
}
