import { ok, type Reply } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import { portalCustomerShape, programShape } from '../shapes.ts';
import { customerOfQuery } from './guard.ts';

/** The shipping methods that orders may name. */
export const shippingMethods = ['Mule', 'Air mail (§2)', 'Ground', 'None/Digital'];

/** GET getCustomerList: the customer of the session's user and all below it. */
export function getCustomerList(x: Exchange): Reply {
  const customers = x.choices.userCustomers(x.session!.user.customer);
  return ok({ kind: 'second#list', items: customers.map(portalCustomerShape) });
}

/** GET getCustomerHierarchy: the customers under the one that is given, and its parent. */
export function getCustomerHierarchy(x: Exchange): Reply {
  const customer = customerOfQuery(x);
  return ok({ items: x.choices.hierarchy(customer).map(portalCustomerShape) });
}

/** GET getShippingFeeTypes. */
export function getShippingFeeTypes(): Reply {
  return ok({ feeTypes: { standard: 0, express: 12.25 }, currency: 'USD' });
}

/** GET getShippingMethods. */
export function getShippingMethods(): Reply {
  return ok({ items: [...shippingMethods], etag: 'W/"0"' });
}

/** GET getCustomerProgramList: the programs of a customer that both flags select. */
export function getCustomerProgramList(x: Exchange): Reply {
  const customer = customerOfQuery(x);
  const auto = x.flag('showAutoCreated');
  const branded = x.flag('showBranded');
  x.refuseIf(auto === undefined, 'bad-flag', 'showAutoCreated');
  x.refuseIf(branded === undefined, 'bad-flag', 'showBranded');
  const programs = x.world.programs.filter(
    (program) => program.customer === customer && x.choices.programShown(program, auto ?? false, branded ?? false),
  );
  return ok({ items: programs.map(programShape), count: programs.length });
}

function coordinate(x: Exchange, name: string, most: number): number {
  const given = x.query.get(name) ?? '';
  const fine = /^[+-]?\d{1,3}(\.\d+)?$/.test(given) && Math.abs(Number(given)) <= most;
  x.refuseIf(!fine, 'bad-place', name);
  return Number(given);
}

/** GET getATMLocation: one page of the machines around a place, nearest last. */
export function getATMLocation(x: Exchange): Reply {
  const { most, offset, first, count } = x.choices.atm;
  const latitude = coordinate(x, 'latitude', 90);
  const longitude = coordinate(x, 'longitude', 180);
  const pageOffset = x.integer('pageOffset', 'bad-page');
  const pageLength = x.integer('pageLength', 'bad-page');
  x.refuseIf(pageOffset === undefined || pageOffset < first, 'bad-page', 'pageOffset');
  x.refuseIf(pageLength === undefined || pageLength < 1, 'bad-page', 'pageLength');
  const length = Math.min(pageLength ?? most, most);
  const from = ((pageOffset ?? first) - first) * (offset === 'pages' ? length : 1);
  const machines = Array.from({ length: count }, (_, i) => ({
    code: `ATM/${count - i}`,
    at: [latitude + (count - i) / 1000, longitude],
    open: i % 3 ? 'always' : null,
  }));
  return ok({ machines: machines.slice(Math.max(0, from), Math.max(0, from) + length), known: count });
}
