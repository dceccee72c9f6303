import type { Freedom } from '../core/changes.ts';
import { around, bodyOf, dayCounter, freedom } from '../core/changes.ts';
import type { Fields, Order, World } from '../core/model.ts';
import { Refusal } from '../core/model.ts';

const DAY = 86_400_000;

/** At most so many accepted orders with the same key within a day of the target's clock. */
function perDay(world: World, most: number, key: (order: Order) => unknown, what: string): void {
  world.rules.orderChecks.push((order) => {
    const value = key(order);
    if (value === undefined) return undefined;
    const today = world.orders.filter((earlier) => order.at - earlier.at < DAY && key(earlier) === value);
    return today.length < most ? undefined : new Refusal(429, what, `No more orders of this ${what} today`);
  });
}

/** So many duplicates a day, then a program takes no more orders that day. */
function mostDuplicates(world: World, most: number): void {
  const count = dayCounter(world);
  const closed = new Map<string, number>();
  around(world, 'portal.orderCards', async (call, next) => {
    const program = String(bodyOf(call).custProgId);
    if ((closed.get(program) ?? 0) > world.now() - DAY)
      throw new Refusal(429, 'externalIdentifier', 'Too many duplicates: call the desk');
    const answer = await next();
    if (answer.status === 409 && count(program) >= most) closed.set(program, world.now());
    return answer;
  });
}

/** A check of each card of an order. */
function perCard(world: World, field: string, fits: (item: Fields, order: Order) => boolean, says: string): void {
  world.rules.orderChecks.unshift((order) =>
    order.items.every((item) => fits(item, order)) ? undefined : new Refusal(400, field, says),
  );
}

const within = (value: unknown, pattern: RegExp) =>
  value === undefined || value === null || pattern.test(String(value));

const counts: Freedom[] = [
  freedom('orders-not-after-fifteen-duplicates', 'Fifteen duplicates a day close a program', [46, 47], (world) =>
    mostDuplicates(world, 15),
  ),
  freedom('orders-thirty-a-person', 'A person gets thirty cards a day at most', [46, 47], (world) =>
    perDay(world, 30, ({ items }) => items[0] && `${items[0].firstName}|${items[0].lastName}`, 'person'),
  ),
  freedom('orders-twelve-a-phone', 'Twelve orders a day for one phone number', [46, 47], (world) =>
    perDay(world, 12, ({ items }) => items[0]?.phone, 'phone'),
  ),
  freedom('orders-ten-a-mail-address', 'Ten orders a day for one mail address', [46, 47], (world) =>
    perDay(world, 10, ({ items }) => items[0]?.email ?? undefined, 'email'),
  ),
  freedom('orders-fifteen-an-ssn', 'Fifteen orders a day for one social security number', [46, 47], (world) =>
    perDay(world, 15, ({ items }) => items[0]?.ssn, 'ssn'),
  ),
  freedom('orders-eight-a-type', 'Eight orders a day of one type on one program', [46, 47, 42], (world) =>
    perDay(world, 8, ({ type, program }) => `${type}|${program.id}`, 'order type'),
  ),
  freedom('orders-ten-a-program', 'Ten orders a day on one program', [46, 47], (world) =>
    perDay(world, 10, ({ program }) => program.id, 'program'),
  ),
  freedom('orders-four-loads-a-program', 'Four orders with a load a day on one program', [46, 47], (world) =>
    perDay(world, 4, ({ load, program }) => (load ? program.id : undefined), 'load'),
  ),
  freedom('orders-five-digital-a-day', 'Five digital orders a day over all programs', [46, 47], (world) =>
    perDay(world, 5, ({ digital }) => digital || undefined, 'digital card'),
  ),
  freedom('orders-three-instant-a-program', 'Stock is shipped three times a day for one program', [46, 47], (world) =>
    perDay(world, 3, ({ instant, program }) => (instant ? program.id : undefined), 'stock'),
  ),
  freedom('orders-twenty-five-a-day', 'Twenty-five orders a day for the whole customer', [46, 47], (world) =>
    perDay(world, 25, () => 'all', 'customer'),
  ),
];

const sizes: Freedom[] = [
  freedom('orders-one-card-each', 'Each card is an order of its own: no order of several cards', [46, 44], (world) =>
    world.rules.orderChecks.unshift((order) =>
      order.several ? new Refusal(400, 'orderDetails', 'One card an order, please') : undefined,
    ),
  ),
  freedom('orders-three-cards-each', 'An order has three cards at most', [46], (world) =>
    world.rules.orderChecks.unshift((order) =>
      order.items.length > 3 ? new Refusal(400, 'orderDetails', 'Three cards an order at most') : undefined,
    ),
  ),
  freedom('stock-in-pairs', 'Inventory is ordered by two and more', [46, 7], (world) =>
    world.rules.orderChecks.unshift((order) =>
      order.instant && typeof order.body.qty === 'number' && order.body.qty < 2
        ? new Refusal(400, 'qty', 'Two cards of stock at least')
        : undefined,
    ),
  ),
  freedom('load-of-five-and-more', 'A card is loaded with 5.00 at least', [43, 46], (world) =>
    perCard(world, 'amount', ({ amount }) => !amount || Number(amount) >= 5, 'A load is 5.00 at least'),
  ),
  freedom('load-in-whole-units', 'Loads are whole units', [43, 46], (world) =>
    perCard(world, 'amount', ({ amount }) => Number.isInteger(amount ?? 0), 'A load is a whole amount'),
  ),
  freedom('load-of-250-an-order', 'An order loads 250.00 at most', [43, 46], (world) =>
    world.rules.orderChecks.unshift((order) =>
      Number(order.body.totalValue ?? 0) > 250 ? new Refusal(400, 'totalValue', '250.00 at most') : undefined,
    ),
  ),
];

const forms: Freedom[] = [
  freedom('order-phone-of-ten-digits', 'A phone number has ten digits', [46], (world) =>
    perCard(world, 'phone', ({ phone }) => within(phone, /^\d{10}$/), 'Ten digits'),
  ),
  freedom('order-ssn-of-nine-digits', 'A social security number has nine digits', [46], (world) =>
    perCard(world, 'ssn', ({ ssn }) => within(ssn, /^\d{9}$/), 'Nine digits'),
  ),
  freedom(
    'order-identifier-of-twelve',
    'Identifiers of orders are twelve letters or digits at most',
    [46, 48],
    (world) =>
      world.rules.orderChecks.unshift((order) =>
        within(order.external, /^[A-Za-z0-9]{0,12}$/)
          ? undefined
          : new Refusal(400, 'externalIdentifier', 'Twelve letters or digits'),
      ),
  ),
  freedom('order-other-info-is-a-number', 'otherInfo is an employee number: digits only', [46, 48], (world) =>
    perCard(world, 'otherInfo', ({ otherInfo }) => within(otherInfo, /^\d*$/), 'Digits only'),
  ),
  freedom('order-names-of-letters', 'Names to emboss are of plain letters', [46], (world) =>
    perCard(
      world,
      'lastName',
      ({ firstName, lastName }) => within(firstName, /^[A-Za-z]+$/) && within(lastName, /^[A-Za-z]+$/),
      'Plain letters',
    ),
  ),
  freedom('order-zip-of-its-state', 'A zip has to belong to its state', [46], (world) =>
    world.rules.orderChecks.unshift(({ body }) =>
      (body.state === 'OH') === /^4[345]/.test(String(body.zip))
        ? undefined
        : new Refusal(400, 'zip', 'This zip is in another state'),
    ),
  ),
  freedom('order-only-prepaid', 'Only the host Prepaid is offered', [42], (world) =>
    world.rules.orderChecks.unshift(({ body }) =>
      within(body.host, /^Prepaid$/) ? undefined : new Refusal(400, 'host', 'Prepaid only'),
    ),
  ),
  freedom('order-shipping-as-listed', 'shippingMethod is one that getShippingMethods names', [42], (world) =>
    world.rules.orderChecks.unshift(({ body }) =>
      within(body.shippingMethod, /^(Ground|TwoDay|Overnight)$/)
        ? undefined
        : new Refusal(400, 'shippingMethod', 'No such method'),
    ),
  ),
  freedom('order-people-differ', 'The cards of one order are for different people', [46], (world) =>
    world.rules.orderChecks.unshift(({ items, instant }) => {
      const people = new Set(items.map(({ firstName, lastName, ssn }) => `${firstName}|${lastName}|${ssn}`));
      return instant || people.size === items.length
        ? undefined
        : new Refusal(400, 'orderDetails', 'The same person twice');
    }),
  ),
  freedom('order-load-not-digital', 'Digital cards are ordered empty', [46, 43], (world) =>
    world.rules.orderChecks.unshift(({ digital, load }) =>
      digital && load ? new Refusal(400, 'amount', 'Digital cards are loaded later') : undefined,
    ),
  ),
];

export const orderLimits: Freedom[] = [...counts, ...sizes, ...forms];
