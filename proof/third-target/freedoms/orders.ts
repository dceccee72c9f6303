import type { Freedom } from '../core/changes.ts';
import { around, before, bodyOf, freedom, members } from '../core/changes.ts';
import type { Call, Fields, Order, World } from '../core/model.ts';
import { Refusal } from '../core/model.ts';

/** An order that was placed before is answered as it was the first time. */
function repeats(world: World, before: (call: Call) => Order | undefined): void {
  around(world, 'portal.orderCards', async (call, next) => {
    const first = before(call);
    const answer = await next();
    return first && answer.status === 409 ? { status: 200, body: world.rules.orderAnswer(first) } : answer;
  });
}

const answers: Freedom[] = [
  freedom(
    'orders-repeat-the-first-answer',
    'An order with an identifier used before answers as the first did',
    [44],
    (world) =>
      repeats(world, (call) => {
        const { custProgId, externalIdentifier } = bodyOf(call);
        return world.orders.find(
          ({ program, external }) =>
            program.id === custProgId && external !== undefined && external === externalIdentifier,
        );
      }),
  ),
  freedom('orders-repeat-a-load', 'A load with an identifier used before answers as the first did', [44], (world) =>
    repeats(world, (call) => {
      const { custProgId, orderDetails } = bodyOf(call);
      const items = Array.isArray(orderDetails) ? orderDetails : [];
      return world.orders.find(
        ({ program, load, items: earlier }) =>
          program.id === custProgId &&
          load &&
          program.loadChecker &&
          earlier.some(
            (one) =>
              one.externalIdentifier && items.some((item) => item?.externalIdentifier === one.externalIdentifier),
          ),
      );
    }),
  ),
  freedom('orders-answer-with-texts', 'Ids of orders are texts, and proxies stand in an array', [45], (world) => {
    world.rules.orderAnswer = ({ id, proxies }) => ({
      order: { orderId: `O-${id}`, lines: proxies.map((proxy) => ({ proxyNumber: proxy, state: 'queued' })) },
    });
  }),
  freedom('orders-answer-with-an-array', 'An order answers with an array of what was made', [45], (world) =>
    around(world, 'portal.orderCards', async (_call, next) => {
      const answer = await next();
      return answer.status === 200 ? { status: 200, body: [answer.body] } : answer;
    }),
  ),
  freedom('orders-answer-with-an-item', 'An order answers with items, as all lists do', [45], (world) => {
    const { orderAnswer } = world.rules;
    world.rules.orderAnswer = (order) => ({ items: [{ message: 'Taken', ...orderAnswer(order) }], kind: 'order' });
  }),
];

const needs: Freedom[] = [
  freedom('instant-needs-other-info', 'Where otherInfo is required, stock needs it, too', [44], (world) =>
    world.rules.orderChecks.unshift(({ program, instant, items }) =>
      instant && program.otherRequired && items.some((item) => !item.otherInfo)
        ? new Refusal(400, 'otherInfo', 'Required')
        : undefined,
    ),
  ),
  freedom('instant-other-info-counts', 'otherInfo of stock is unique, too', [44], (world) => {
    const { duplicateOther } = world.rules;
    world.rules.orderChecks.push((order) => {
      if (!order.program.otherUnique) return undefined;
      const taken = world.orders.some((earlier) =>
        earlier.items.some((before) => order.items.some((item) => duplicateOther(earlier, before, order, item))),
      );
      return taken ? new Refusal(409, 'otherInfo', 'Used before') : undefined;
    });
  }),
  freedom(
    'orders-whole-spelling-too',
    'Non Reloadable-Corporate Reward Order is taken in full spelling, too',
    [42],
    (world) =>
      around(world, 'portal.orderCards', (call, next) => {
        const body = bodyOf(call);
        if (body.orderProdType !== 'Non Reloadable-Corporate Reward Order') return next();
        call.body = { ...body, orderProdType: 'Non Reloadable-Corporate Reward Orde' };
        return next();
      }),
  ),
  freedom('orders-only-direct-for-rewards', 'Reward programs take direct orders only, and stock', [42, 46], (world) =>
    world.rules.orderChecks.unshift(({ program, type }) =>
      program.product === 'Corporate Reward' && /^(Non )?Reloadable/.test(type)
        ? new Refusal(400, 'orderProdType', 'Direct orders only')
        : undefined,
    ),
  ),
  freedom('loads-need-identifiers', 'An order with a load has identifiers at both levels', [43, 46], (world) =>
    world.rules.orderChecks.unshift(({ load, external, items }) =>
      load && (!external || items.some((item) => item.amount && !item.externalIdentifier))
        ? new Refusal(400, 'externalIdentifier', 'A load needs identifiers')
        : undefined,
    ),
  ),
  freedom('total-value-only-with-amounts', 'totalValue without an amount is refused', [46], (world) =>
    world.rules.orderChecks.unshift(({ body, items }) =>
      Number(body.totalValue) > 0 && items.every((item) => !item.amount)
        ? new Refusal(400, 'totalValue', 'Which card is it for?')
        : undefined,
    ),
  ),
  freedom(
    'digital-by-mail-address',
    'A digital card goes to the mail address, if one is given: it has an @',
    [46],
    (world) =>
      world.rules.orderChecks.unshift(({ digital, items }) =>
        digital && items.some(({ email }) => typeof email === 'string' && !email.includes('@'))
          ? new Refusal(400, 'email', 'No such address')
          : undefined,
      ),
  ),
];

const writing: Freedom[] = [
  freedom('json-is-indented', 'JSON is written with line breaks', [3], (world) =>
    before(world, /./, async (_call, next) => {
      const answer = await next();
      if (answer.body === undefined) return answer;
      return { ...answer, raw: `${JSON.stringify(answer.body, null, 4)}\r\n` };
    }),
  ),
  freedom('json-with-escapes', 'Letters beyond ASCII and slashes are escaped', [3], (world) =>
    before(world, /./, async (_call, next) => {
      const answer = await next();
      if (answer.body === undefined) return answer;
      const raw = JSON.stringify(answer.body)
        .replaceAll('/', '\\/')
        .replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
      return { ...answer, raw };
    }),
  ),
  freedom('integers-with-a-point', 'Integers of the desk are written with .0', [4], (world) =>
    before(world, /^portal\.get/, async (_call, next) => {
      const answer = await next();
      if (answer.body === undefined) return answer;
      const raw = JSON.stringify(answer.body).replace(/(":)(-?\d{1,9})(?=[,}])/g, '$1$2.0');
      return { ...answer, raw };
    }),
  ),
  freedom('integers-of-64-bits', 'Ids that nobody sends back have up to 19 digits', [4], (world) =>
    before(world, /^portal\.(login|getCustomerProgramList)$/, async (_call, next) => {
      const answer = await next();
      if (answer.status !== 200) return answer;
      const raw = JSON.stringify(answer.body)
        .replace(/"userId":\d+/, '"userId":9223372036854775807')
        .replace(/"planId":\d+/g, '"planId":9007199254740993');
      return { ...answer, raw };
    }),
  ),
  freedom('members-in-alphabetical-order', 'Members are sorted by their names', [3, 4], (world) =>
    before(world, /./, async (_call, next) => {
      const answer = await next();
      const sorted = (_name: string, value: unknown): unknown =>
        typeof value === 'object' && value !== null && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value as Fields).sort(([one], [other]) => (one < other ? -1 : 1)))
          : value;
      return answer.body === undefined ? answer : { ...answer, raw: JSON.stringify(answer.body, sorted) };
    }),
  ),
  freedom('answers-carry-headers', 'Answers carry a request id, a vary and rate headers', [3], (world) =>
    before(world, /./, async (_call, next) => {
      const answer = await next();
      const more = { 'x-request-id': 'r-1', vary: 'Authorization', 'ratelimit-remaining': '12' };
      return { ...answer, headers: { ...more, ...answer.headers } };
    }),
  ),
  freedom('json-without-a-charset', 'JSON is of the type application/json, without a charset', [3], (world) =>
    before(world, /./, async (_call, next) => {
      const answer = await next();
      if (answer.body === undefined) return answer;
      return { ...answer, headers: { 'content-type': 'application/json', ...answer.headers } };
    }),
  ),
  freedom('lists-without-correlation', 'correlationId is left out of lists', [4, 5], (world) =>
    around(world, /^cards\.(list|listRelated|createToken)$/, async (_call, next) => {
      const answer = await next();
      if (answer.status >= 300) return answer;
      const { correlationId, ...rest } = answer.body as Fields;
      return members({ ...answer, body: {} }, rest);
    }),
  ),
];

export const orderFreedoms: Freedom[] = [...answers, ...needs, ...writing];
