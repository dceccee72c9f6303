/** The table of orders: the right ones, of every kind, that wrong ones are made from (readings 42 and 43). */
import { operation } from '../../../contracts/operations.ts';
import { REQUIRED_ITEM_MEMBERS } from '../../../contracts/v1/orders.ts';
import { succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import type { Maker } from '../../../helpers/engine/rows.ts';
import { skip } from '../../../helpers/verdict.ts';
import { probeTable } from '../../declare.ts';
import {
  type BaseOrder,
  baseAgain,
  baseOrders,
  ORDER,
  requirePlainBase,
  severalOn,
  shippingMethods,
} from './base-orders.ts';
import { type Body, isLoad, programOf, withCards } from './bodies.ts';
import { type Kind, otherKinds } from './kinds.ts';

export const REQUIRED = operation(ORDER).body!.requiredMembers;

/** Optional members that decide the kind of an order (Order rules): instant issue (1), load (4), otherInfo (5). */
const OF_ITS_KIND = ['isInstantIssue', 'qty'];
const OF_A_LOAD = ['totalValue', 'externalIdentifier'];
const CARD_OF_ITS_KIND = ['otherInfo'];
const CARD_OF_A_LOAD = ['amount', 'externalIdentifier'];

/** The order without optional members, at top level and in its cards, except those that decide its kind. */
export function leastOf(order: Body): Body {
  const only = (names: readonly string[]) => (body: Body) =>
    Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));
  const load = isLoad(order);
  return withCards(
    only([...REQUIRED, ...OF_ITS_KIND, ...(load ? OF_A_LOAD : [])])(order),
    only([...REQUIRED_ITEM_MEMBERS, ...CARD_OF_ITS_KIND, ...(load ? CARD_OF_A_LOAD : [])]),
  );
}

/** The base order of a plain program that takes physical cards. @throws Skipped, Inconclusive */
export async function requirePhysicalBase(t: Context): Promise<BaseOrder> {
  const found = await requirePlainBase(t);
  const { cardType } = found.answer.input.json as Body;
  return cardType === 'Digital' ? skip('needs a program in portal.programs that takes physical cards') : found;
}

type Right = (t: Context) => Promise<Maker | undefined>;

/** An order of a kind other than the plain one, where its program is known to take it. */
const ofKind =
  (kind: Kind): Right =>
  async (t) => {
    const make = (await otherKinds(t))[kind];
    return make && (() => make());
  };

/** The table of orders on a program: its base order, of so many cards. @param more other right orders */
export function ordersOn<F extends string = never>(
  baseOf: (t: Context) => Promise<BaseOrder>,
  more = {} as Record<F, Right>,
) {
  const made =
    (change: (order: Body) => Body, cards?: number): Right =>
    async (t) => {
      const { make } = await baseOf(t);
      return () => change(make(cards));
    };
  const same = (order: Body) => order;
  return probeTable<F | 'plain' | 'least' | 'one' | 'two' | 'three' | 'several' | 'shipped'>({
    operation: ORDER,
    rights: {
      plain: made(same),
      least: made(leastOf),
      one: made(same, 1),
      two: made(same, 2),
      three: made(same, 3),
      async several(t) {
        const { answer, make } = await t.shared(severalOn((await baseOf(t)).program.key));
        return succeeded(answer) ? make : undefined;
      },
      async shipped(t) {
        const [{ make }, [shippingMethod]] = [await baseOf(t), await t.shared(shippingMethods)];
        return () => ({ ...make(2), ...(shippingMethod ? { shippingMethod } : {}) });
      },
      ...more,
    },
    inputOf: (json) => ({ json }),
    twin: async (t) => baseAgain(await baseOf(t)),
    // The document lists no status of a refused order.
    statusesOf: () => undefined,
    fixture: 'portal.programs',
  });
}

export const orders = ordersOn(requirePlainBase, {
  digital: ofKind('digital'),
  load: ofKind('load'),
  instant: ofKind('instant'),
  employee: ofKind('employee'),
  physical: ofKind('physical'),
  // Where possible of a program that takes no digital cards.
  async onlyPhysical(t) {
    const found = programOf(t, 'digitalOff') && (await t.shared(baseOrders.digitalOff));
    const { make } = found && succeeded(found.answer) ? found : await requirePhysicalBase(t);
    return () => make();
  },
});
