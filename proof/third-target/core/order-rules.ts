import type { Fields, Order, Rules, World } from './model.ts';
import { Refusal } from './model.ts';

const number = (value: unknown) => (typeof value === 'number' ? value : 0);
const given = (value: unknown) => value !== undefined && value !== null && value !== '';

function repeatedInside(items: Fields[], name: string): boolean {
  const values = items.map((item) => item[name]).filter(given);
  return new Set(values).size < values.length;
}

function switches({ program, digital, instant, load, body, items }: Order): Refusal | undefined {
  if (digital && !program.digital) return new Refusal(403, 'cardType', 'Digital cards are off for this program');
  if (digital && instant) return new Refusal(400, 'cardType', 'Inventory is of plastic');
  if (!load) return undefined;
  if (!program.load) return new Refusal(403, 'totalValue', 'Loading while ordering is off for this program');
  const sum = items.reduce((total, item) => total + number(item.amount), 0);
  if (!given(body.totalValue)) return new Refusal(400, 'totalValue', 'A load needs the value of the whole order');
  if (Math.abs(sum - number(body.totalValue)) > 0.004)
    return new Refusal(400, 'totalValue', 'The amounts do not add up');
  return undefined;
}

function otherInfos(world: World, order: Order): Refusal | undefined {
  const { program, items, instant } = order;
  if (instant) return undefined;
  if (program.otherRequired && items.some((item) => !given(item.otherInfo)))
    return new Refusal(400, 'otherInfo', 'otherInfo is required for each card');
  if (!program.otherUnique) return undefined;
  const taken = world.orders.some(
    (earlier) =>
      !earlier.instant &&
      earlier.items.some((before) => items.some((item) => world.rules.duplicateOther(earlier, before, order, item))),
  );
  if (taken || repeatedInside(items, 'otherInfo')) return new Refusal(409, 'otherInfo', 'otherInfo was used before');
  return undefined;
}

function loads(world: World, order: Order): Refusal | undefined {
  const { program, items, load } = order;
  if (!program.loadChecker || !load) return undefined;
  if (items.some((item) => number(item.amount) > 0 && !given(item.externalIdentifier)))
    return new Refusal(400, 'externalIdentifier', 'Each load needs an identifier');
  const taken = world.orders.some((earlier) =>
    earlier.items.some((before) => items.some((item) => world.rules.duplicateLoad(earlier, before, order, item))),
  );
  if (taken || repeatedInside(items, 'externalIdentifier'))
    return new Refusal(409, 'externalIdentifier', 'This load was ordered before');
  return undefined;
}

export function orderRules(world: World) {
  return {
    orderChecks: [
      (order: Order) => world.rules.orderSwitches(order),
      (order: Order) =>
        world.orders.some((earlier) => world.rules.duplicateOrder(earlier, order))
          ? new Refusal(409, 'externalIdentifier', 'This order was placed before')
          : undefined,
      (order: Order) => world.rules.orderOtherInfo(order),
      (order: Order) => loads(world, order),
    ],
    orderSwitches: switches,
    orderOtherInfo: (order: Order): Refusal | undefined => otherInfos(world, order),
    duplicateOrder: (earlier: Order, order: Order): boolean =>
      given(order.external) && earlier.program === order.program && earlier.external === order.external,
    duplicateOther: (earlier: Order, before: Fields, order: Order, item: Fields): boolean =>
      earlier.program === order.program && given(item.otherInfo) && before.otherInfo === item.otherInfo,
    duplicateLoad: (earlier: Order, before: Fields, order: Order, item: Fields): boolean =>
      earlier.program === order.program &&
      earlier.load &&
      given(item.externalIdentifier) &&
      before.externalIdentifier === item.externalIdentifier,
    orderAnswer(order: Order): Fields {
      if (order.instant)
        return { accepted: true, shipment: { orderId: order.id, quantity: number(order.body.qty) || 1 } };
      if (order.several) return { accepted: true, orderId: order.id };
      return { accepted: true, orderId: order.id, card: { proxyNumber: order.proxies[0] } };
    },
  } satisfies Partial<Rules>;
}
