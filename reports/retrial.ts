/** How a failure was reproduced, in words. */
import type { Retrial } from '../contracts/record.ts';

/** @example tried again alone: the same 4 of 4 times, between 7 accepted controls */
export function retrialInWords({ tries, shown, controls }: Retrial): string {
  const between =
    controls === 0 ? '' : controls === 1 ? ', with an accepted control' : `, between ${controls} accepted controls`;
  return `tried again alone: the same ${shown} of ${tries} times${between}`;
}
