/** orderCards. Source: "Order rules" of the portal document, whose numbers are used below. */
import type { Call } from '../call.ts';
import type { Order, Program } from '../world.ts';
import { isListedOrderType, type OrderBody, readOrder } from './order-body.ts';

/**
 * The program of the order. @throws Refused when customer or program is unknown or out of reach, or they do not belong
 * together
 */
function programOf(call: Call, order: OrderBody): Program {
  const { world } = call;
  const ownCustomerId = world.data.users[0]?.customerId;
  const customer = world.portalCustomerById.get(order.customerId ?? ownCustomerId ?? 0);
  call.check(customer !== undefined, 'unknown-reference', 'customerId', 'There is no such customer.');
  call.check(customer?.reachable !== false, 'foreign', 'customerId', 'There is no such customer.');
  const firstProgram = world.data.programs[0]!;
  if (order.custProgId === undefined) return firstProgram;
  const program = world.programById.get(order.custProgId);
  call.check(program !== undefined, 'unknown-reference', 'custProgId', 'There is no such program.');
  call.check(program?.tenant !== 'other', 'foreign', 'custProgId', 'There is no such program.');
  const belongs = !program || !customer || program.customerId === customer.customerId;
  call.check(belongs, 'mismatch', 'custProgId', 'The program is not one of this customer.');
  return program ?? firstProgram;
}

/** Rules 3 and 4: the required switches of the program. */
function checkOptions(call: Call, program: Program, order: OrderBody): void {
  if (order.orderProdType !== '') {
    const byDefault = program.orderTypes.includes(order.orderProdType) || !isListedOrderType(order.orderProdType);
    const taken = call.rules.takesOrderType(program, order.orderProdType, byDefault);
    call.check(taken, 'product', 'orderProdType', 'The program does not take this orderProdType.');
  }
  if (order.cardType === 'Digital') {
    call.check(program.digital, 'program-option', 'digital', 'The program takes no digital card orders.');
  }
  const loads = order.items.some((item) => item.amountCents !== 0);
  if (!loads && !order.totalValue) return;
  call.check(program.load, 'program-option', 'load', 'The program does not load while ordering.');
  if (!loads) return;
  const positive = order.items.every((item) => item.amountCents >= 0);
  call.check(positive, 'range', 'amount', 'An amount is not negative.');
  if (order.totalValue === undefined) {
    call.check(false, 'missing-member', 'totalValue', 'An order with load has a totalValue.');
  } else {
    const sum = order.items.reduce((total, item) => total + item.amountCents, 0) / 100;
    const fits = Math.abs(sum - order.totalValue) < 1;
    call.check(fits, 'mismatch', 'totalValue', 'totalValue is the sum of the amounts.');
  }
  const identified = order.externalIdentifier !== undefined;
  call.check(identified, 'missing-member', 'externalIdentifier', 'An order with load has an externalIdentifier.');
}

/** Rule 5: no two cards of a program have the same otherInfo. */
function checkOtherInfo(call: Call, program: Program, order: OrderBody): void {
  if (!program.uniqueOtherInfo) return;
  const earlier = new Set<string | undefined>();
  for (const { custProgId, cards } of call.world.orders) {
    if (custProgId === program.rowId) for (const card of cards) earlier.add(card.otherInfo);
  }
  const inOrder = new Set<string>();
  for (const { otherInfo } of order.items) {
    if (otherInfo === undefined) {
      const name = 'orderDetails.otherInfo';
      if (call.rules.requires(call.id, name, true, call.request))
        call.check(false, 'missing-member', name, 'otherInfo is required.');
      continue;
    }
    call.check(!inOrder.has(otherInfo), 'duplicate', 'otherInfo-in-order', 'otherInfo is unique.');
    call.check(!earlier.has(otherInfo), 'duplicate', 'otherInfo-over-orders', 'otherInfo is unique.');
    inOrder.add(otherInfo);
  }
}

/** Rule 6: the earlier order with the same externalIdentifier. */
function sameOrder(call: Call, program: Program, order: OrderBody): Order | undefined {
  const everywhere = call.rules.duplicateOrderScope === 'everywhere';
  return call.world.orders.find(
    (earlier) =>
      order.externalIdentifier !== undefined &&
      earlier.externalIdentifier === order.externalIdentifier &&
      (everywhere || earlier.custProgId === program.rowId),
  );
}

/**
 * Rule 4: the program's earlier order that loads a card under the same externalIdentifier; `within` for an order that
 * repeats one itself.
 */
function sameLoad(call: Call, program: Program, order: OrderBody): Order | 'within' | undefined {
  if (!program.duplicateLoadChecker) return undefined;
  const wanted = order.items.map((item) => item.externalIdentifier).filter((value) => value !== undefined);
  if (new Set(wanted).size < wanted.length) return 'within';
  return call.world.orders.find(
    ({ custProgId, cards }) =>
      custProgId === program.rowId &&
      cards.some((card) => card.externalIdentifier !== undefined && wanted.includes(card.externalIdentifier)),
  );
}

/**
 * The answer of the order that this one repeats, if the rules repeat answers. @throws Refused when the rules refuse
 * duplicates
 */
function repeated(call: Call, program: Program, order: OrderBody): unknown {
  const { duplicateOrders, duplicateLoads } = call.rules;
  const earlierOrder = sameOrder(call, program, order);
  if (earlierOrder && duplicateOrders === 'repeat') return earlierOrder.answer;
  const newOrder = !earlierOrder || duplicateOrders === 'accept';
  call.check(newOrder, 'duplicate', 'externalIdentifier', 'There is an order with this externalIdentifier.');
  const earlierLoad = sameLoad(call, program, order);
  if (earlierLoad && earlierLoad !== 'within' && duplicateLoads === 'repeat') return earlierLoad.answer;
  const newLoad = !earlierLoad || duplicateLoads === 'accept';
  const name = 'orderDetails.externalIdentifier';
  call.check(newLoad, 'duplicate', name, 'There is a load with this externalIdentifier.');
  return undefined;
}

/** Rule 2: one card is answered with its proxy, several with an order id. Rule 1: qty cards for an instant issue. */
function defaultAnswer(order: Order): unknown {
  const [first] = order.cards;
  return order.cards.length === 1
    ? { status: 'Accepted', instantPersonalizedProxy: first?.proxy, externalIdentifier: order.externalIdentifier }
    : { status: 'Accepted', orderId: order.orderId, externalIdentifier: order.externalIdentifier };
}

/** POST orderCards */
export function orderCards(call: Call): unknown {
  const body = readOrder(call);
  const program = programOf(call, body);
  checkOptions(call, program, body);
  const earlierAnswer = repeated(call, program, body);
  if (earlierAnswer !== undefined) return earlierAnswer;
  checkOtherInfo(call, program, body);
  const { world } = call;
  const orderId = 40_001 + world.orders.length;
  const count = Math.max(1, body.items.length, program.isInstantIssue ? (body.qty ?? 0) : 0);
  const order: Order = {
    orderId,
    custProgId: program.rowId,
    externalIdentifier: body.externalIdentifier,
    orderProdType: body.orderProdType,
    cardType: body.cardType,
    cards: Array.from({ length: Math.min(count, 1000) }, (_, index) => ({
      proxy: `88${String(orderId).padStart(7, '0')}${String(index + 1).padStart(4, '0')}`,
      otherInfo: body.items[index]?.otherInfo,
      externalIdentifier: body.items[index]?.externalIdentifier,
      amountCents: body.items[index]?.amountCents ?? 0,
    })),
    answer: undefined,
  };
  order.answer = call.rules.orderAnswer(order, defaultAnswer(order));
  call.effectAtOnce(() => {
    world.orders.push(order);
  });
  return order.answer;
}
