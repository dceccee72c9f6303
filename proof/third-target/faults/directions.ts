import type { Fault } from '../core/changes.ts';
import { around, bodyOf, faultsOf } from '../core/changes.ts';
import type { Order, World } from '../core/model.ts';

const fault = faultsOf('directions');

type Kind = (order: Order) => boolean;

const instant: Kind = (order) => order.instant;
const digital: Kind = (order) => order.digital;
const load: Kind = (order) => order.load;
const several: Kind = (order) => order.several && !order.instant;
const plain: Kind = (order) => !order.instant && !order.digital && !order.load && !order.several;

/** The second order is not compared with a first one of that kind. */
function unmet(world: World, first: Kind, second: Kind): void {
  const { duplicateOrder } = world.rules;
  world.rules.duplicateOrder = (earlier, order) => duplicateOrder(earlier, order) && !(first(earlier) && second(order));
}

function unmetOther(world: World, first: Kind, second: Kind): void {
  const { duplicateOther } = world.rules;
  world.rules.duplicateOther = (earlier, was, order, item) =>
    duplicateOther(earlier, was, order, item) && !(first(earlier) && second(order));
}

const PAIRS: [name: string, wrong: string, first: Kind, second: Kind][] = [
  ['stock-then-plain', 'A plain order takes the identifier of a stock order', instant, plain],
  ['plain-then-stock', 'A stock order takes the identifier of a plain order', plain, instant],
  ['digital-then-plain', 'A plain order takes the identifier of a digital one', digital, plain],
  ['plain-then-digital', 'A digital order takes the identifier of a plain one', plain, digital],
  ['several-then-plain', 'A plain order takes the identifier of an order of several cards', several, plain],
  ['plain-then-several', 'An order of several cards takes the identifier of a plain one', plain, several],
  ['load-then-plain', 'A plain order takes the identifier of an order with a load', load, plain],
  ['plain-then-load', 'An order with a load takes the identifier of a plain one', plain, load],
  ['digital-then-load', 'An order with a load takes the identifier of a digital one', digital, load],
  ['load-then-stock', 'A stock order takes the identifier of an order with a load', load, instant],
  ['stock-then-digital', 'A digital order takes the identifier of a stock order', instant, digital],
  ['stock-then-stock', 'A stock order is not compared with other stock orders', instant, instant],
  ['several-then-several', 'Two orders of several cards are not compared', several, several],
  ['several-then-digital', 'A digital order takes the identifier of an order of several cards', several, digital],
];

const OTHER_PAIRS: [name: string, wrong: string, first: Kind, second: Kind][] = [
  ['other-info-digital-then-plain', 'A plain order takes the otherInfo of a digital card', digital, plain],
  ['other-info-plain-then-digital', 'A digital order takes the otherInfo of a plain card', plain, digital],
  ['other-info-load-then-plain', 'A plain order takes the otherInfo of a loaded card', load, plain],
  ['other-info-several-then-several', 'Two orders of several cards share an otherInfo', several, several],
];

const identifiers: Fault[] = PAIRS.map(([name, wrong, first, second]) =>
  fault(`order-${name}`, 'portal.orderCards', 44, wrong, (world) => unmet(world, first, second)),
);

const otherInfos: Fault[] = OTHER_PAIRS.map(([name, wrong, first, second]) =>
  fault(name, 'portal.orderCards', 44, wrong, (world) => unmetOther(world, first, second)),
);

/** The key under which an order is remembered holds more than it should. */
const keyed = (world: World, key: (order: Order) => unknown) => {
  const { duplicateOrder } = world.rules;
  world.rules.duplicateOrder = (earlier, order) => duplicateOrder(earlier, order) && key(earlier) === key(order);
};

const keys: Fault[] = [
  fault(
    'order-key-with-its-type',
    'portal.orderCards',
    44,
    'An identifier counts within one orderProdType only',
    (world) => keyed(world, ({ type }) => type),
  ),
  fault(
    'order-key-with-its-card-type',
    'portal.orderCards',
    44,
    'cardType absent, empty and Physical are three different orders',
    (world) => keyed(world, ({ body }) => JSON.stringify(body.cardType)),
  ),
  fault(
    'order-key-with-its-shipping',
    'portal.orderCards',
    44,
    'An identifier counts within one shippingMethod only',
    (world) => keyed(world, ({ body }) => body.shippingMethod ?? ''),
  ),
  fault(
    'order-key-with-its-number-of-cards',
    'portal.orderCards',
    44,
    'An identifier counts within orders of as many cards',
    (world) => keyed(world, ({ items }) => items.length),
  ),
  fault(
    'order-identifier-of-a-digital-one-everywhere',
    'portal.orderCards',
    44,
    'The identifier of a digital order is refused on other programs, too',
    (world) => {
      const { duplicateOrder } = world.rules;
      world.rules.duplicateOrder = (earlier, order) =>
        duplicateOrder(earlier, order) ||
        (earlier.digital && earlier.external !== undefined && earlier.external === order.external);
    },
  ),
  fault(
    'order-identifier-of-stock-everywhere',
    'portal.orderCards',
    44,
    'The identifier of a stock order is refused on other programs, too',
    (world) => {
      const { duplicateOrder } = world.rules;
      world.rules.duplicateOrder = (earlier, order) =>
        duplicateOrder(earlier, order) ||
        (earlier.instant && earlier.external !== undefined && earlier.external === order.external);
    },
  ),
  fault(
    'other-info-of-the-first-card-only',
    'portal.orderCards',
    44,
    'Of an order of several cards only the first otherInfo is remembered',
    (world) => {
      const { duplicateOther } = world.rules;
      world.rules.duplicateOther = (earlier, was, order, item) =>
        was === earlier.items[0] && duplicateOther(earlier, was, order, item);
    },
  ),
  fault(
    'other-info-asked-of-the-first-card',
    'portal.orderCards',
    44,
    'Of an order of several cards only the first otherInfo is compared',
    (world) => {
      const { duplicateOther } = world.rules;
      world.rules.duplicateOther = (earlier, was, order, item) =>
        item === order.items[0] && duplicateOther(earlier, was, order, item);
    },
  ),
  fault(
    'other-info-missing-after-the-first-card',
    'portal.orderCards',
    44,
    'Only the first card of an order is asked for its otherInfo',
    (world) =>
      around(world, 'portal.orderCards', async (call, next) => {
        const body = bodyOf(call);
        const items = Array.isArray(body.orderDetails) ? body.orderDetails : [];
        if (!items[0]?.otherInfo) return next();
        const filled = items.map((item, index) => ({
          ...item,
          otherInfo: item?.otherInfo ?? `none-${Date.now()}-${index}`,
        }));
        call.body = { ...body, orderDetails: filled };
        return next();
      }),
  ),
  fault(
    'other-info-missing-in-digital-orders',
    'portal.orderCards',
    44,
    'A digital order is not asked for otherInfo',
    (world) => {
      const { orderOtherInfo } = world.rules;
      world.rules.orderOtherInfo = (order) =>
        order.digital && order.items.some(({ otherInfo }) => !otherInfo) ? undefined : orderOtherInfo(order);
    },
  ),
];

export const directions: Fault[] = [...identifiers, ...otherInfos, ...keys];
