import type { Fault } from '../core/changes.ts';
import { around, bodyOf, counter, crash, faultsOf, members } from '../core/changes.ts';
import type { Call, Customer, Fields, Order, World } from '../core/model.ts';
import { patched, second } from './second-time.ts';

const fault = faultsOf('asked once');

/** Earlier orders that are still known when another one is compared. */
function knownOnly(world: World, known: (earlier: Order, order: Order) => boolean, what: 'order' | 'otherInfo'): void {
  const { duplicateOrder, duplicateOther } = world.rules;
  if (what === 'order')
    world.rules.duplicateOrder = (earlier, order) => known(earlier, order) && duplicateOrder(earlier, order);
  else
    world.rules.duplicateOther = (earlier, was, order, item) =>
      known(earlier, order) && duplicateOther(earlier, was, order, item);
}

const latest = (world: World) => (earlier: Order, order: Order) =>
  world.orders.filter(({ program }) => program === order.program).at(-1) === earlier;

const thirdTime = (world: World, again: (call: Call) => string) => {
  const allowed = new Set<string>();
  around(world, 'portal.orderCards', async (call, next) => {
    const { duplicateOrder, duplicateOther } = world.rules;
    if (allowed.has(again(call))) {
      world.rules.duplicateOrder = () => false;
      world.rules.duplicateOther = () => false;
    }
    const answer = await next();
    Object.assign(world.rules, { duplicateOrder, duplicateOther });
    if (answer.status === 409) allowed.add(again(call));
    return answer;
  });
};

const orders: Fault[] = [
  fault(
    'order-compared-with-the-latest',
    'portal.orderCards',
    44,
    'An identifier is compared with the latest order of the program',
    (world) => knownOnly(world, latest(world), 'order'),
  ),
  fault(
    'order-forgotten-after-an-hour',
    'portal.orderCards',
    44,
    'Identifiers of orders are kept for an hour',
    (world) => knownOnly(world, (earlier, order) => order.at - earlier.at < 3_600_000, 'order'),
  ),
  fault(
    'order-refused-once',
    'portal.orderCards',
    44,
    'Who was refused for an identifier and asks again is believed',
    (world) => thirdTime(world, (call) => `${bodyOf(call).custProgId}|${bodyOf(call).externalIdentifier}`),
  ),
  fault(
    'other-info-compared-with-the-latest',
    'portal.orderCards',
    44,
    'otherInfo is compared with the latest order of the program',
    (world) => knownOnly(world, latest(world), 'otherInfo'),
  ),
  fault('other-info-forgotten-after-an-hour', 'portal.orderCards', 44, 'otherInfo is kept for an hour', (world) =>
    knownOnly(world, (earlier, order) => order.at - earlier.at < 3_600_000, 'otherInfo'),
  ),
  fault(
    'fourth-order-of-a-person-breaks',
    'portal.orderCards',
    9,
    'A fourth order for the same person breaks',
    (world) =>
      second(
        world,
        'portal.orderCards',
        (call) =>
          JSON.stringify(
            ((bodyOf(call).orderDetails ?? []) as Fields[]).map(({ lastName, phone }) => [lastName, phone]),
          ),
        crash,
        4,
      ),
  ),
  fault(
    'person-checked-again-is-down',
    'portal.getCIPCheck',
    38,
    'A person who was checked before has returnCode 0 and an outcome',
    (world) =>
      second(
        world,
        'portal.getCIPCheck',
        (call) => call.text,
        patched((answer) => members(answer, { returnCode: 0 })),
      ),
  ),
  fault(
    'partial-becomes-fail',
    'portal.getCIPCheck',
    38,
    'A partial match that is asked again without answers fails',
    (world) => {
      const count = counter();
      const { cipPerson } = world.rules;
      world.rules.cipPerson = (body) => {
        const found = cipPerson(body);
        return found?.result === 'Partial' && count(found) > 1 ? { ...found, result: 'Fail' } : found;
      };
    },
  ),
];

const lists: Fault[] = [
  fault(
    'second-walk-begins-where-the-first-ended',
    'users.list',
    19,
    'The first page is the next page of the walk before, if that was left within ten seconds',
    (world) => {
      const left = new Map<string, { token: string; at: number }>();
      around(world, 'users.list', async (call, next) => {
        const key = `${call.client!.id}|${call.query.get('max')}|${call.query.get('parentIdentifier')}|${call.query.get('name')}`;
        const before = left.get(key);
        if (!call.query.get('token') && before && world.now() - before.at < 10_000)
          call.query.set('token', before.token);
        const answer = await next();
        const token = (answer.body as { continuationToken?: string }).continuationToken;
        if (token) left.set(key, { token, at: world.now() });
        else left.delete(key);
        return answer;
      });
    },
  ),
  fault('permissions-again-break', 'users.setPermissions', 9, 'Permissions that are set as they are break', (world) =>
    second(world, 'users.setPermissions', (call) => call.identifier + call.text, crash),
  ),
  fault(
    'hierarchy-again-is-twice-as-long',
    'portal.getCustomerHierarchy',
    37,
    'The third hierarchy in a session has the customers beside the one asked for',
    (world) => {
      const count = counter();
      const { hierarchy } = world.rules;
      world.rules.hierarchy = (call, customer) => {
        const own = hierarchy(call, customer);
        if (count(call.session!.id) < 3 || !customer.parent) return own;
        const beside = (other: Customer) => other.parent === customer.parent && other !== customer;
        return [...own, ...world.customers.filter(beside)];
      };
    },
  ),
  fault(
    'balance-refreshed-once',
    'cards.getBalance',
    10,
    'The record takes the balance over the first time only',
    (world) => {
      const count = counter();
      const { refresh } = world.rules;
      world.rules.refresh = (asked, what) => {
        if (what === 'status' || count(asked) === 1) refresh(asked, what);
      };
    },
  ),
];

export const askedAgain: Fault[] = [...orders, ...lists];
