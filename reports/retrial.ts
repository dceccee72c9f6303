/** How a failure was reproduced, in words. */
import type { Retrial } from '../contracts/record.ts';

/** @example tried again alone: the same 4 of 4 times, between 7 right requests that were accepted */
export function retrialInWords({ tries, shown, controls }: Retrial): string {
  const between =
    controls === 0
      ? ''
      : controls === 1
        ? ', beside a right request that was accepted'
        : `, between ${controls} right requests that were accepted`;
  return `tried again alone: the same ${shown} of ${tries} times${between}`;
}
