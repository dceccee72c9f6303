/** Kinds of orders other than the plain one: every documented rule holds for each of them. */
import { succeeded } from '../../../helpers/answer.ts';
import { type Context, perOperation } from '../../../helpers/check.ts';
import { requireAccepted } from '../../../helpers/expect.ts';
import * as Bodies from './bodies.ts';
import * as Orders from './orders.ts';

type Load = Pick<Orders.Base, 'make' | 'answer'>;

/**
 * Orders with load, by program. The amount is that of the program's own order, if it has one; else amounts are tried until one
 * is accepted, at first without and then with optional details of holders.
 */
export const loads = perOperation(
  (key) => `an order with load on portal.programs.${key}`,
  async (t, key): Promise<Load> => {
    const base = await Orders.requireBase(t, key as Bodies.ProgramKey);
    if (Bodies.isLoad(base.make()))
      return { make: (cards) => Bodies.withLoad(t, base.make(cards), 0), answer: base.answer };
    let load: Load | undefined;
    for (const source of [base.make, (cards?: number) => Bodies.withDetails(base.make(cards))])
      for (const amount of Bodies.LOADS) {
        const make = (cards?: number) => Bodies.withLoad(t, source(cards), amount);
        load = { make, answer: await Orders.send(t, make()) };
        if (succeeded(load.answer)) return load;
      }
    return load!;
  },
);

/** The maker of orders with load that the program accepts. @throws Skipped, Inconclusive when it accepts none */
export async function requireLoad(t: Context, key: Bodies.ProgramKey): Promise<Load['make']> {
  const { make, answer } = await t.shared(loads(key));
  requireAccepted(answer, `an order with load, whatever its amount, on portal.programs.${key}`);
  return make;
}

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

/** Kinds of orders other than the plain one, in words. */
export const NAMES = {
  digital: 'a Digital order',
  load: 'an order with load',
  instant: 'an instant issue order',
  employee: 'an order with otherInfo',
  several: 'an order of several cards',
  physical: 'a Physical order with details of holders',
};
export type Kind = keyof typeof NAMES;

/** Makers of orders of the kinds that their programs are known to accept. */
export async function others(t: Context): Promise<Record<Kind, (() => Bodies.Body) | undefined>> {
  const taken = async (key: Bodies.ProgramKey, change = (order: Bodies.Body) => order) => {
    const base = await Orders.acceptedBase(t, key);
    return base && (() => change(base.make()));
  };
  const kinds = {
    digital: await taken('digitalOn', Bodies.asDigital),
    load: (await taken('loadOn')) && (await requireLoad(t, 'loadOn').catch(() => undefined)),
    instant: await taken('instantIssue', Bodies.asInstantIssue),
    employee: await taken('uniqueOtherInfo'),
  };
  const plain = await Orders.requireBase(t);
  const several = await t.shared(severalOn(plain.program.key));
  return {
    ...kinds,
    several: succeeded(several.answer) ? () => Bodies.identified(t, several.make()) : undefined,
    physical: () => Bodies.asPhysical(Bodies.withDetails(plain.make())),
  };
}
