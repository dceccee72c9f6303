/** Kinds of orders other than the plain one: every documented rule holds for each of them. */
import { type Answer, succeeded } from '../../../helpers/answer.ts';
import { type Context, type Scenario, scenario } from '../../../helpers/check.ts';
import { requireAccepted } from '../../../helpers/expect.ts';
import { baseOrders, order, orderOfSeveral, requireBaseOrder, requirePlainBase } from './base-orders.ts';
import {
  asDigital,
  asInstantIssue,
  asPhysical,
  type Body,
  cardsOf,
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
export const loads: Record<LoadProgram, Scenario<Load>> = {
  loadOn: scenario('an order with load', (t) => findLoad(t, 'loadOn')),
  duplicateLoadChecker: scenario('an order with load where duplicate loads are looked for', (t) =>
    findLoad(t, 'duplicateLoadChecker'),
  ),
};

async function findLoad(t: Context, key: LoadProgram): Promise<Load> {
  const base = await requireBaseOrder(t, key);
  if (isLoad(base.make())) return { make: (cards) => withLoad(t, base.make(cards), 0), answer: base.answer };
  let load: Load | undefined;
  for (const source of [base.make, (cards?: number) => withDetails(base.make(cards))])
    for (const amount of LOADS) {
      const make = (cards?: number) => withLoad(t, source(cards), amount);
      load = { make, answer: await order(t, make()) };
      if (succeeded(load.answer)) return load;
    }
  return load!;
}

/** The maker of orders with load that the program accepts. @throws Skipped, Inconclusive when it accepts none */
export async function requireAcceptedLoad(t: Context, key: LoadProgram): Promise<Load['make']> {
  const { make, answer } = await t.shared(loads[key]);
  requireAccepted(answer, `an order with load, whatever its amount, on portal.programs.${key}`);
  return make;
}

export const DIGITAL = 'a Digital order';
export const LOAD = 'an order with load';
export const INSTANT = 'an instant issue order';
export const PHYSICAL = 'a Physical order with details of holders';
export const EMPLOYEE = 'an order with otherInfo';
export const SEVERAL = 'an order of several cards';

/** A kind of order, in words, and its maker: of `cards` cards, by default as many as the program's base order. */
export interface Kind {
  kind: string;
  make: (cards?: number) => Body;
}

/** Kinds of orders other than the plain one that their programs are known to accept. */
export async function otherKinds(t: Context): Promise<Kind[]> {
  const taken = async (key: ProgramKey) => {
    const base = programOf(t, key) && (await t.shared(baseOrders[key]));
    return base && succeeded(base.answer) ? base : undefined;
  };
  const digital = await taken('digitalOn');
  const load = (await taken('loadOn')) && (await requireAcceptedLoad(t, 'loadOn').catch(() => undefined));
  const instant = await taken('instantIssue');
  const employee = await taken('uniqueOtherInfo');
  const plain = await requirePlainBase(t);
  const several = await t.shared(orderOfSeveral);
  const count = cardsOf(several.input.json as Body).length;
  return [
    ...(digital ? [{ kind: DIGITAL, make: (cards?: number) => asDigital(digital.make(cards)) }] : []),
    ...(load ? [{ kind: LOAD, make: load }] : []),
    ...(instant ? [{ kind: INSTANT, make: (cards?: number) => asInstantIssue(instant.make(cards)) }] : []),
    ...(employee ? [{ kind: EMPLOYEE, make: employee.make }] : []),
    ...(succeeded(several) ? [{ kind: SEVERAL, make: () => identified(t, plain.make(count)) }] : []),
    { kind: PHYSICAL, make: (cards?: number) => asPhysical(withDetails(plain.make(cards))) },
  ];
}
