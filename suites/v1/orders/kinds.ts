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

/** The maker of orders of a kind, where their program is known to take them. */
type Maker = (t: Context) => Promise<(() => Bodies.Body) | undefined>;
const on =
  (key: Bodies.ProgramKey, change = (order: Bodies.Body) => order): Maker =>
  async (t) => {
    const base = await Orders.acceptedBase(t, key);
    return base && (() => change(base.make()));
  };

const makers: Maker[] = [];

/** Names a kind of orders. Where most kinds are tried, all are prepared at once, so that what tries them shares controls. */
function kind(name: string, maker: Maker) {
  makers.push(maker);
  const of: Maker = async (t) => {
    if (t.needs('portal.orderCards.required-members')) for (const one of makers) await one(t);
    return maker(t);
  };
  return { name, of };
}

/** Kinds of orders other than the plain one. */
export const others = {
  digital: kind('a Digital order', on('digitalOn', Bodies.asDigital)),
  load: kind(
    'an order with load',
    async (t) => (await Orders.acceptedBase(t, 'loadOn')) && requireLoad(t, 'loadOn').catch(() => undefined),
  ),
  instant: kind('an instant issue order', on('instantIssue', Bodies.asInstantIssue)),
  employee: kind('an order with otherInfo', on('uniqueOtherInfo')),
  several: kind('an order of several cards', async (t) => {
    const { answer, make } = await t.shared(severalOn((await Orders.requireBase(t)).program.key));
    return succeeded(answer) ? () => Bodies.identified(t, make()) : undefined;
  }),
  physical: kind('a Physical order with details of holders', async (t) => {
    const { make } = await Orders.requireBase(t);
    return () => Bodies.asPhysical(Bodies.withDetails(make()));
  }),
};
