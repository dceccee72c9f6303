/**
 * Holders of the cards that the suite makes up. No two of a run share a name, a phone, or an address: a program may take each of them once, and
 * the documents say nothing of it (reading 47).
 */
import { randomInt } from 'node:crypto';
import { FICTIONAL_DETAILS, FICTIONAL_NAMES, fictionalDetails } from '../../../contracts/v1/fictional.ts';
import type { Context } from '../../../helpers/check.ts';

const AREA_CODES = [217, 309, 312, 314, 319, 331, 414, 502, 515, 563, 608, 618, 630, 636, 641, 660, 708, 773, 815, 847];
/** Numbers that are nobody's in each area, from 555-0100. */
const NUMBERS = 100;

/** A holder that no other card of the run has, as far as there are enough of them. */
export function anotherHolder(t: Context): { firstName: string; lastName: string; phone: string } {
  const made = t.run.once(anotherHolder, () => ({
    next: randomInt(FICTIONAL_NAMES.first.length * FICTIONAL_NAMES.last.length),
  }));
  const number = made.next++;
  const area = AREA_CODES[number % AREA_CODES.length]!;
  const line = String(Math.floor(number / AREA_CODES.length) % NUMBERS).padStart(2, '0');
  return {
    firstName: FICTIONAL_NAMES.first[number % FICTIONAL_NAMES.first.length]!,
    lastName: FICTIONAL_NAMES.last[number % FICTIONAL_NAMES.last.length]!,
    phone: `${area}55501${line}`,
  };
}

/** Optional details of a holder that a program may require; mail and address are his own, told apart by his phone. */
export function detailsOf({ phone }: Record<string, unknown>): typeof FICTIONAL_DETAILS {
  const digits = String(phone ?? '').replaceAll(/\D/g, '');
  return digits.length < 5 ? FICTIONAL_DETAILS : { ...FICTIONAL_DETAILS, ...fictionalDetails(digits) };
}
