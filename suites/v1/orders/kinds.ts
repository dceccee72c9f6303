/** Kinds of orders other than the plain one: every documented rule holds for each of them. */
import { type Answer, succeeded } from '../../../helpers/answer.ts';
import { type Context, perOperation } from '../../../helpers/check.ts';
import { requireAccepted } from '../../../helpers/expect.ts';
import { baseOrders, order, requireBaseOrder, requirePlainBase, severalOn } from './base-orders.ts';
import {
  asDigital,
  asInstantIssue,
  asPhysical,
  type Body,
  identified,
  isLoad,
  LOADS,
  type ProgramKey,
  programOf,
  withDetails,
  withLoad,
} from './bodies.ts';

interface Load {
  /** Makes the order with load again, of N cards. */
  make(cards?: number): Body;
  /** The answer to the accepted order; where all were refused, to the last. */
  answer: Answer;
}

type LoadProgram = 'loadOn' | 'duplicateLoadChecker';

/**
 * Orders with load, by program. The amount is that of the program's own order, if it has one; else amounts are tried until one
 * is accepted, at first without and then with optional details of holders.
 */
export const loads = perOperation(
  (key) => `an order with load on portal.programs.${key}`,
  async (t, key): Promise<Load> => {
    const base = await requireBaseOrder(t, key as LoadProgram);
    if (isLoad(base.make())) return { make: (cards) => withLoad(t, base.make(cards), 0), answer: base.answer };
    let load: Load | undefined;
    for (const source of [base.make, (cards?: number) => withDetails(base.make(cards))])
      for (const amount of LOADS) {
        const make = (cards?: number) => withLoad(t, source(cards), amount);
        load = { make, answer: await order(t, make()) };
        if (succeeded(load.answer)) return load;
      }
    return load!;
  },
);

/** The maker of orders with load that the program accepts. @throws Skipped, Inconclusive when it accepts none */
export async function requireAcceptedLoad(t: Context, key: LoadProgram): Promise<Load['make']> {
  const { make, answer } = await t.shared(loads(key));
  requireAccepted(answer, `an order with load, whatever its amount, on portal.programs.${key}`);
  return make;
}

/** Kinds of orders other than the plain one, in words. */
export const KIND_NAMES = {
  digital: 'a Digital order',
  load: 'an order with load',
  instant: 'an instant issue order',
  employee: 'an order with otherInfo',
  several: 'an order of several cards',
  physical: 'a Physical order with details of holders',
};
export type Kind = keyof typeof KIND_NAMES;

/** Makes an order of `cards` cards, by default as many as the program's base order. */
type Make = (cards?: number) => Body;

/** Makers of orders of the kinds that their programs are known to accept. */
export async function otherKinds(t: Context): Promise<Record<Kind, Make | undefined>> {
  const taken = async (key: ProgramKey) => {
    const base = programOf(t, key) && (await t.shared(baseOrders[key]));
    return base && succeeded(base.answer) ? base.make : undefined;
  };
  const changing = (make: Make | undefined, change: (order: Body) => Body): Make | undefined =>
    make && ((cards) => change(make(cards)));
  const digital = changing(await taken('digitalOn'), asDigital);
  const load = (await taken('loadOn')) && (await requireAcceptedLoad(t, 'loadOn').catch(() => undefined));
  const instant = changing(await taken('instantIssue'), asInstantIssue);
  const employee = await taken('uniqueOtherInfo');
  const plain = await requirePlainBase(t);
  const several = await t.shared(severalOn(plain.program.key));
  return {
    digital,
    load,
    instant,
    employee,
    several: succeeded(several.answer) ? () => identified(t, several.make()) : undefined,
    physical: changing(plain.make, (order) => asPhysical(withDetails(order))),
  };
}
