/** Shipping options and ATM locations. Source: orderendpoint and customerendpoint of the portal document. */
import type { Call } from '../call.ts';

const longestPage = 100;

/** GET getShippingFeeTypes */
export function getShippingFeeTypes(call: Call): unknown {
  return { items: structuredClone(call.world.data.shippingFeeTypes) };
}

/** GET getShippingMethods */
export function getShippingMethods(call: Call): unknown {
  return { items: [...call.world.data.shippingMethods] };
}

/** A coordinate in degrees. @throws Refused when it is absent, or not a number within `limit` */
function readDegrees(call: Call, name: string, limit: number): void {
  const text = call.text(name, true);
  if (text === undefined) return;
  const isDegrees = /^[+-]?\d+(\.\d+)?$/.test(text) && Math.abs(Number(text)) <= limit;
  call.check(isDegrees, 'range', name, `${name} is in degrees.`);
}

/** GET getATMLocation: `pageLength` places from the `pageOffset`-th on. */
export function getATMLocation(call: Call): unknown {
  readDegrees(call, 'latitude', 90);
  readDegrees(call, 'longitude', 180);
  const offset = call.integer('pageOffset', true) ?? 0;
  const length = call.integer('pageLength', true) ?? 10;
  call.check(offset >= 0, 'range', 'pageOffset', 'pageOffset is not negative.');
  call.check(length >= 1, 'range', 'pageLength', 'pageLength is at least 1.');
  const places = call.world.data.atms;
  const from = Math.max(offset, 0);
  const items = places.slice(from, from + Math.min(Math.max(length, 0), longestPage));
  return { items: structuredClone(items), total: places.length };
}
