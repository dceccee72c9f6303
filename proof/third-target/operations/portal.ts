import type { Answer, Call, Customer, World } from '../core/model.ts';
import { Refusal } from '../core/model.ts';
import { fields, flag, integer, needed, parameter } from './read.ts';

export function login(world: World, call: Call): Answer {
  const loginID = needed(parameter(call, 'loginID'), 'loginID');
  const password = needed(parameter(call, 'password'), 'password');
  const user = world.rules.userOf(loginID, password);
  if (!user) throw new Refusal(400, 'password', 'Login id or password is wrong');
  const session = world.rules.openSession(user);
  return {
    status: 200,
    body: {
      kind: 'userendpoint#user',
      sessionId: session.id,
      userId: user.userId,
      loginId: user.loginID,
      customerId: user.customer.portalId,
      customerName: user.customer.name,
      role: user.role,
      isHost: false,
      canLoadCard: true,
      deleted: false,
    },
  };
}

export function logout(world: World, call: Call): Answer {
  world.rules.endSession(call.session!);
  return { status: 200 };
}

export function getCustomerList(world: World, call: Call): Answer {
  const customers = world.customers.filter((customer) => world.rules.sees(call, customer));
  return { status: 200, body: { items: customers.map((customer) => world.rules.portalCustomerView(customer)) } };
}

function customerAsked(world: World, call: Call, hidden: number): Customer {
  const id = needed(integer(world, call, 'customerId'), 'customerId');
  const customer = world.rules.portalCustomer(String(id));
  if (!customer || !world.rules.sees(call, customer))
    throw new Refusal(hidden, 'customerId', 'Not one of your customers');
  return customer;
}

export function getCustomerHierarchy(world: World, call: Call): Answer {
  const customers = world.rules.hierarchy(call, customerAsked(world, call, 401));
  return { status: 200, body: { items: customers.map((customer) => world.rules.portalCustomerView(customer)) } };
}

export function getCustomerProgramList(world: World, call: Call): Answer {
  const auto = needed(flag(world, call, 'showAutoCreated'), 'showAutoCreated');
  const branded = needed(flag(world, call, 'showBranded'), 'showBranded');
  const customer = customerAsked(world, call, 404);
  const programs = world.rules.programsShown(customer, auto, branded);
  return { status: 200, body: { items: programs.map((program) => world.rules.programView(program)) } };
}

export function getShippingMethods(): Answer {
  return { status: 200, body: { items: ['Ground', 'TwoDay', 'Overnight'] } };
}

export function getShippingFeeTypes(): Answer {
  return { status: 200, body: { feeTypes: { perOrder: 4.5, perCard: 0.25 } } };
}

const MACHINES = Array.from({ length: 42 }, (_, index) => ({
  name: `Cash point ${index + 1}`,
  distance: index * 0.3 + 0.2,
  open: index % 2 === 0 ? 'always' : 'by day',
}));

export function getATMLocation(world: World, call: Call): Answer {
  for (const name of ['latitude', 'longitude']) {
    const place = Number(needed(parameter(call, name), name));
    if (!Number.isFinite(place)) throw new Refusal(400, name, `${name} is no number`);
  }
  const offset = needed(integer(world, call, 'pageOffset'), 'pageOffset');
  const length = needed(integer(world, call, 'pageLength'), 'pageLength');
  if (offset < 0 || length < 1) throw new Refusal(400, 'pageOffset', 'There is no such page');
  return {
    status: 200,
    body: { total: MACHINES.length, machines: MACHINES.slice(offset, offset + Math.min(length, 25)) },
  };
}

export function getCIPCheck(world: World, call: Call): Answer {
  const body = fields(call);
  const problem = world.rules.cipProblem(body);
  if (problem) throw new Refusal(400, problem, `${problem} is missing or not as described`);
  return { status: 200, body: world.rules.cipAnswer(world.rules.cipPerson(body), body) };
}
