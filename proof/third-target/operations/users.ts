import type { Answer, Call, Customer, Filters, World } from '../core/model.ts';
import { Refusal } from '../core/model.ts';
import { fields, filters, integer, parameter } from './read.ts';

interface Cursor {
  after: string;
  filters: Filters;
}

/** The continuation token says after which customer the walk goes on, and with which filters it began. */
function readCursor(text: string): Cursor {
  try {
    const cursor = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (typeof cursor.after === 'string' && typeof cursor.filters === 'object') return cursor;
  } catch {}
  throw new Refusal(400, 'token', 'The continuation token is not one of ours', 'token');
}

const writeCursor = (cursor: Cursor) => Buffer.from(JSON.stringify(cursor)).toString('base64url');

export function list(world: World, call: Call): Answer {
  const max = integer(world, call, 'max') ?? 50;
  if (max < 1 || max > 50) throw new Refusal(400, 'max', 'max goes from 1 to 50', 'range');
  const token = parameter(call, 'token');
  const own = filters(call, ['parentIdentifier', 'name', 'v1Identifier']);
  const cursor = token ? readCursor(token) : { after: '', filters: own };
  const matching = world.rules
    .customersOf(call.client!)
    .filter((customer) => customer.identifier > cursor.after && world.rules.customerMatches(customer, cursor.filters));
  const page = matching.slice(0, max);
  const more = matching.length > page.length;
  const next = more ? { continuationToken: writeCursor({ ...cursor, after: page.at(-1)!.identifier }) } : {};
  return {
    status: 200,
    body: { results: page.map(world.rules.customerView), ...(more ? next : world.rules.pageEnd()) },
  };
}

function customer(world: World, call: Call): Customer {
  const found = world.rules.customerOf(call.client!, call.identifier);
  if (!found) throw new Refusal(404, 'identifier', 'No such customer', 'unknown');
  return found;
}

export function get(world: World, call: Call): Answer {
  return { status: 200, body: world.rules.customerView(customer(world, call)) };
}

export function setPermissions(world: World, call: Call): Answer {
  const found = customer(world, call);
  const body = fields(call);
  for (const name of ['canSearchLoads', 'canSearchSpends']) {
    const value = body[name];
    if (value === undefined || value === null) continue;
    if (typeof value !== 'boolean') throw new Refusal(400, name, `${name} is true or false`, 'type');
    found.permissions[name] = value;
  }
  return { status: 200, body: world.rules.customerView(found) };
}
