/** Kinds of orders other than the plain one: every documented rule holds for each of them. */
import { isDeepStrictEqual } from 'node:util';
import { ORDER_PROD_TYPES } from '../../../contracts/v1/orders.ts';
import { succeeded } from '../../../helpers/answer.ts';
import { type Context, perOperation } from '../../../helpers/check.ts';
import { requireAccepted } from '../../../helpers/expect.ts';
import { inconclusive, optional } from '../../../helpers/verdict.ts';
import * as Bodies from './bodies.ts';
import * as Orders from './orders.ts';

/** Orders of a kind on a program: what makes them, and the answer to the first that was accepted, else to the plainest. */
type Kind = Pick<Orders.Base, 'make' | 'answer'>;
type Change = (t: Context, order: Bodies.Body) => Bodies.Body;

/** What a program may want of an order beside what makes its kind, the plainest first (reading 48). */
const FULLER: readonly Change[] = [
  (_, order) => order,
  (_, order) => Bodies.withDetails(order),
  (t, order) => Bodies.withCardIdentifiers(t, Bodies.identified(t, Bodies.withDetails(order))),
  (t, order) => Bodies.withAllOptional(t, order),
];

/** A way to order a kind: with another orderProdType than the base order, with more members, or another amount. */
type Way = (t: Context, base: Orders.Base, cards?: number) => Bodies.Body;

/** Orders of the listed types, that of the base order first: with which of them a program takes a kind of orders is open (reading 42). */
const typesOf = ({ answer }: Orders.Base): readonly unknown[] => {
  const { orderProdType } = Bodies.orderIn(answer);
  return [orderProdType, ...ORDER_PROD_TYPES.filter((type) => type !== orderProdType)];
};

/** Tries ways to order a kind until the program accepts one. @param isOfKind of orders that the base order may belong to */
async function findKind(t: Context, base: Orders.Base, ways: Iterable<Way>, isOfKind: IsOfKind): Promise<Kind> {
  let first: Kind | undefined;
  for (const way of ways) {
    const make = (cards?: number) => way(t, base, cards);
    const kind = { make, answer: await Orders.send(t, make()) };
    if (succeeded(kind.answer)) return kind;
    first ??= kind;
  }
  if (wasTaken(t, base, isOfKind))
    inconclusive(
      'orders of this kind were accepted before, but none is now: an undocumented limit of the target may explain it',
    );
  return first!;
}

type IsOfKind = (order: Bodies.Body) => boolean;

/** Whether an order of a kind was accepted on the program of a base order, in whatever check. */
const wasTaken = (t: Context, { program }: Orders.Base, isOfKind: IsOfKind): boolean =>
  t.run.answers.some((answer) => {
    const isOrder = answer.operation.id === Orders.ORDER && succeeded(answer);
    const { custProgId } = isOrder ? Bodies.orderIn(answer) : {};
    return isOrder && String(custProgId) === String(program.custProgId) && isOfKind(Bodies.orderIn(answer));
  });

/** Ways to order a kind: of each type, with what a program may want besides. */
function* waysOf(base: Orders.Base, change: Change): Generator<Way> {
  for (const fuller of FULLER)
    for (const orderProdType of typesOf(base))
      yield (t, { make }, cards) => change(t, fuller(t, { ...make(cards), orderProdType }));
}

/** Ways to order a load: of each plain amount, then of other types and with more members. */
function* waysToLoad(base: Orders.Base): Generator<Way> {
  const [own, ...others] = typesOf(base);
  const loading =
    (amount: number, orderProdType: unknown, fuller = FULLER[0]!): Way =>
    (t, { make }, cards) =>
      Bodies.withLoad(t, fuller(t, { ...make(cards), orderProdType }), amount);
  for (const amount of Bodies.LOADS) yield loading(amount, own);
  for (const type of others) for (const amount of Bodies.USUAL_LOADS) yield loading(amount, type);
  for (const fuller of FULLER.slice(1)) for (const amount of Bodies.LOADS) yield loading(amount, own, fuller);
  for (const type of others) yield loading(Bodies.LOADS[0], type, FULLER.at(-1)!);
}

/** Orders with load, by program. The amount is that of the program's own order, if it has one. */
export const loads = perOperation(
  (key) => `an order with load on portal.programs.${key}`,
  async (t, key): Promise<Kind> => {
    const base = await Orders.requireBase(t, key as Bodies.ProgramKey);
    if (Bodies.isLoad(base.make()))
      return { make: (cards) => Bodies.withLoad(t, base.make(cards), 0), answer: base.answer };
    return findKind(t, base, waysToLoad(base), Bodies.isLoad);
  },
);

/** Digital orders without shippingMethod, by program. */
export const digitals = perOperation(
  (key) => `a Digital order on portal.programs.${key}`,
  async (t, key): Promise<Kind> => {
    const base = await Orders.requireBase(t, key as Bodies.ProgramKey);
    if (isDeepStrictEqual(Bodies.asDigital(Bodies.orderIn(base.answer)), Bodies.orderIn(base.answer))) return base;
    return findKind(
      t,
      base,
      waysOf(base, (_, order) => Bodies.asDigital(order)),
      Bodies.isDigital,
    );
  },
);

/** The maker of orders of a kind that the program accepts. @throws Skipped, Inconclusive when it accepts none */
async function requireKind(t: Context, of: typeof loads, key: Bodies.ProgramKey, what: string): Promise<Kind['make']> {
  const { make, answer } = await t.shared(of(key));
  requireAccepted(answer, `${what} on portal.programs.${key}`);
  return make;
}

export const requireLoad = (t: Context, key: Bodies.ProgramKey) =>
  requireKind(t, loads, key, 'an order with load, whatever its amount,');
export const requireDigital = (t: Context, key: Bodies.ProgramKey) =>
  requireKind(t, digitals, key, 'a Digital order, of whatever type,');

/** An order of three cards on a program, of two where three are refused; and what makes it again. */
export const severalOn = perOperation(
  (key) => `an order of several cards on portal.programs.${key}`,
  async (t, key) => {
    const { make } = await Orders.requireBase(t, key as Bodies.ProgramKey);
    const answer = await Orders.firstAccepted(t, [make(3), make(2)]);
    const { length } = Bodies.cardsIn(answer);
    return { answer, make: () => make(length) };
  },
);

/** That of a base order, where it is accepted. @throws Inconclusive, Skipped */
export async function requireSeveral(t: Context, { program }: Orders.Base) {
  const several = await t.shared(severalOn(program.key));
  requireAccepted(several.answer, 'an order of several cards');
  return several;
}

/** The maker of orders of a kind, where their program is known to take them. */
type Maker = (t: Context) => Promise<(() => Bodies.Body) | undefined>;
const on =
  (key: Bodies.ProgramKey, change = (order: Bodies.Body) => order): Maker =>
  async (t) => {
    const base = await Orders.acceptedBase(t, key);
    return base && (() => change(base.make()));
  };

const onIfTaken =
  (key: Bodies.ProgramKey, require: typeof requireLoad): Maker =>
  async (t) =>
    (await Orders.acceptedBase(t, key)) && (await optional(require(t, key)));

async function ofSeveral(t: Context) {
  const { answer, make } = await t.shared(severalOn((await Orders.requireBase(t)).program.key));
  return succeeded(answer) ? () => Bodies.identified(t, make()) : undefined;
}

async function ofPhysical(t: Context) {
  const { make } = await Orders.requireBase(t);
  return () => Bodies.asPhysical(Bodies.withDetails(make()));
}

/** Kinds of orders other than the plain one. */
export const others = {
  digital: { name: 'a Digital order', of: onIfTaken('digitalOn', requireDigital) },
  load: { name: 'an order with load', of: onIfTaken('loadOn', requireLoad) },
  instant: { name: 'an instant issue order', of: on('instantIssue', Bodies.asInstantIssue) },
  employee: { name: 'an order with otherInfo', of: on('uniqueOtherInfo') },
  several: { name: 'an order of several cards', of: ofSeveral },
  physical: { name: 'a Physical order with details of holders', of: ofPhysical },
} satisfies Record<string, { name: string; of: Maker }>;
