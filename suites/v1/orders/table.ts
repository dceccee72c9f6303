/** The table of orders: the right ones, of every kind, that wrong ones are made from (readings 42 and 43). */
import { isDeepStrictEqual } from 'node:util';
import { operation } from '../../../contracts/operations.ts';
import { REQUIRED_ITEM_MEMBERS } from '../../../contracts/v1/orders.ts';
import { type Answer, succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import type { Maker } from '../../../helpers/engine/rows.ts';
import { skip } from '../../../helpers/verdict.ts';
import { probeTable } from '../../declare.ts';
import * as Bodies from './bodies.ts';
import * as Kinds from './kinds.ts';
import * as Orders from './orders.ts';

export const REQUIRED = operation(Orders.ORDER).body!.requiredMembers;

/**
 * The order without optional members, at top level and in its cards, except those that decide its kind (Order rules): instant issue (1), load (4),
 * otherInfo (5).
 */
export function leastOf(order: Bodies.Body): Bodies.Body {
  const only = (names: readonly string[]) => (body: Bodies.Body) =>
    Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));
  const ofLoad = (...names: readonly string[]) => (Bodies.isLoad(order) ? [...names, 'externalIdentifier'] : []);
  return Bodies.withCards(
    only([...REQUIRED, 'isInstantIssue', 'qty', ...ofLoad('totalValue')])(order),
    only([...REQUIRED_ITEM_MEMBERS, 'otherInfo', ...ofLoad('amount')]),
  );
}

/** Whether an order was sent so. */
export const isOfLeast = (order: Answer): boolean =>
  isDeepStrictEqual(leastOf(Bodies.orderIn(order)), Bodies.orderIn(order));

/** The base order of a plain program that takes physical cards. @throws Skipped, Inconclusive */
export async function requirePhysicalBase(t: Context): Promise<Orders.Base> {
  const found = await Orders.requireBase(t);
  return Bodies.isDigital(Bodies.orderIn(found.answer))
    ? skip('needs a program in portal.programs that takes physical cards')
    : found;
}

type Right = (t: Context) => Promise<Maker | undefined>;

/** The table of orders on a program: its base order, of so many cards. @param more other right orders */
export function ordersOn<F extends string = never>(
  baseOf: (t: Context) => Promise<Orders.Base>,
  more = {} as Record<F, Right>,
) {
  const made =
    (cards?: number, change = (order: Bodies.Body) => order): Right =>
    async (t) => {
      const { make } = await baseOf(t);
      return () => change(make(cards));
    };
  return probeTable<F | 'plain' | 'least' | 'one' | 'two' | 'three' | 'several' | 'shipped'>({
    operation: Orders.ORDER,
    rights: {
      plain: made(),
      least: made(undefined, leastOf),
      one: made(1),
      two: made(2),
      three: made(3),
      async several(t) {
        const { answer, make } = await t.shared(Kinds.severalOn((await baseOf(t)).program.key));
        return succeeded(answer) ? make : undefined;
      },
      async shipped(t) {
        const [{ make }, method] = [await baseOf(t), await t.shared(Bodies.listedMethod)];
        return () => ({ ...make(2), ...method });
      },
      ...more,
    },
    inputOf: (json) => ({ json }),
    async twin(t) {
      const { program, make } = await baseOf(t);
      return { key: `${Orders.ORDER} ${program.custProgId}`, send: (again) => Orders.send(again, make()) };
    },
    // The document lists no status of a refused order.
    statusesOf: () => undefined,
    fixture: 'portal.programs',
  });
}

/** Where these are physical cards. */
const ofPhysical =
  ({ of }: { of: Right }): Right =>
  async (t) => {
    const make = await of(t);
    return make && (Bodies.isDigital(make()) ? undefined : make);
  };

export const orders = ordersOn(Orders.requireBase, {
  digital: Kinds.others.digital.of,
  load: Kinds.others.load.of,
  instant: Kinds.others.instant.of,
  employee: Kinds.others.employee.of,
  physical: Kinds.others.physical.of,
  physicalLoad: ofPhysical(Kinds.others.load),
  physicalInstant: ofPhysical(Kinds.others.instant),
  physicalEmployee: ofPhysical(Kinds.others.employee),
  physicalSeveral: ofPhysical(Kinds.others.several),
  // Where possible of a program that takes no digital cards.
  async onlyPhysical(t) {
    const { make } = (await Orders.acceptedBase(t, 'digitalOff')) ?? (await requirePhysicalBase(t));
    return () => make();
  },
});
