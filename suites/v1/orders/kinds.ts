/** Kinds of orders other than the plain one: every documented rule holds for each of them. */
import { succeeded } from '../../../helpers/answer.ts';
import { type Context, perOperation } from '../../../helpers/check.ts';
import { requireAccepted } from '../../../helpers/expect.ts';
import { type BaseOrder, baseOrderOf, order, requireBaseOrder, severalOn } from './base-orders.ts';
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

type Load = Pick<BaseOrder, 'make' | 'answer'>;

/**
 * Orders with load, by program. The amount is that of the program's own order, if it has one; else amounts are tried until one
 * is accepted, at first without and then with optional details of holders.
 */
export const loads = perOperation(
  (key) => `an order with load on portal.programs.${key}`,
  async (t, key): Promise<Load> => {
    const base = await requireBaseOrder(t, key as ProgramKey);
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
export async function requireAcceptedLoad(t: Context, key: ProgramKey): Promise<Load['make']> {
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

/** Makers of orders of the kinds that their programs are known to accept. */
export async function otherKinds(t: Context): Promise<Record<Kind, (() => Body) | undefined>> {
  const taken = async (key: ProgramKey, change = (order: Body) => order) => {
    const base = programOf(t, key) && (await t.shared(baseOrderOf(key)));
    return base && succeeded(base.answer) ? () => change(base.make()) : undefined;
  };
  const kinds = {
    digital: await taken('digitalOn', asDigital),
    load: (await taken('loadOn')) && (await requireAcceptedLoad(t, 'loadOn').catch(() => undefined)),
    instant: await taken('instantIssue', asInstantIssue),
    employee: await taken('uniqueOtherInfo'),
  };
  const plain = await requireBaseOrder(t);
  const several = await t.shared(severalOn(plain.program.key));
  return {
    ...kinds,
    several: succeeded(several.answer) ? () => identified(t, several.make()) : undefined,
    physical: () => asPhysical(withDetails(plain.make())),
  };
}
