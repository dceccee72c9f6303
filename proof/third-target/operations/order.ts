import type { Answer, Call, Fields, Order, Program, World } from '../core/model.ts';
import { isObject, Refusal } from '../core/model.ts';
import { INSTANT, ORDER_TYPES, PERSONAL } from '../seed/portal.ts';
import { fields } from './read.ts';

const TEXTS = ['address1', 'address2', 'attn', 'city', 'state', 'zip', 'orderProdType'];
const NUMBERS = ['custProgId', 'shippingFee', 'cardFee', 'customerId'];
const PER_CARD = ['firstName', 'lastName', 'phone', 'ssn'];

function require(body: Fields, names: string[], type: 'string' | 'number'): void {
  const name = names.find((member) => typeof body[member] !== type);
  if (name) throw new Refusal(400, name, `${name} is required, as a ${type}`);
}

function itemsOf(body: Fields): Fields[] {
  const items = body.orderDetails;
  if (!Array.isArray(items) || !items.every(isObject))
    throw new Refusal(400, 'orderDetails', 'orderDetails is a required array of objects');
  for (const item of items) require(item, PER_CARD, 'string');
  return items;
}

function checkForms(body: Fields): void {
  require(body, TEXTS, 'string');
  require(body, NUMBERS, 'number');
  if (!ORDER_TYPES.includes(body.orderProdType as string))
    throw new Refusal(400, 'orderProdType', 'No such order type');
  if (!['Physical', 'Digital', '', null, undefined].includes(body.cardType as string))
    throw new Refusal(400, 'cardType', 'A card is Physical or Digital');
}

function programOf(world: World, call: Call, body: Fields): Program {
  const program = world.programs.find(({ id }) => id === body.custProgId);
  if (!program || !world.rules.sees(call, program.customer)) throw new Refusal(404, 'custProgId', 'No such program');
  if (program.customer.portalId !== body.customerId)
    throw new Refusal(400, 'customerId', 'The program belongs to another customer');
  return program;
}

function draft(world: World, call: Call, body: Fields): Order {
  checkForms(body);
  const items = itemsOf(body);
  const program = programOf(world, call, body);
  const type = body.orderProdType as string;
  const instant = type === INSTANT[program.product];
  if (!instant && !PERSONAL[program.product].includes(type))
    throw new Refusal(400, 'orderProdType', `This program is of ${program.product}`);
  if (!instant && items.length === 0) throw new Refusal(400, 'orderDetails', 'An order has one card at least');
  return {
    id: 6_600_000 + world.orders.length,
    program,
    type,
    body,
    items,
    external: (body.externalIdentifier as string | null) ?? undefined,
    instant,
    digital: body.cardType === 'Digital',
    load: Number(body.totalValue) > 0 || items.some((item) => Number(item.amount) > 0),
    several: items.length > 1,
    session: call.session!,
    at: world.now(),
    proxies: items.map((_, index) => `00${7_000_000_000 + world.orders.length * 100 + index}`),
  };
}

export function orderCards(world: World, call: Call): Answer {
  const order = draft(world, call, fields(call));
  for (const check of world.rules.orderChecks) {
    const problem = check(order);
    if (problem) throw problem;
  }
  world.orders.push(order);
  return { status: 200, body: world.rules.orderAnswer(order) };
}
