/** Forms of integers. */
import type { Form } from '../rows.ts';

/** The modulus at which 32-bit integers wrap around. */
const WRAP = 2n ** 32n;

/** A number where it is exact, so that messages show no bigint; else the bigint. */
const asNumber = (value: bigint): number | bigint => (value <= Number.MAX_SAFE_INTEGER ? Number(value) : value);

const positive = (right: unknown, otherwise: bigint): bigint =>
  typeof right === 'number' && right > 0 ? BigInt(right) : otherwise;

/**
 * Integers outside a number of digits, made from one within it.
 * @param longer digits of a longer number that is easily sent by mistake, such as a zip with its extension
 */
export function integersBeyond(digits: number, longer = digits + 1): Form<number | bigint>[] {
  const limit = 10n ** BigInt(digits);
  const continued = (right: unknown, length: number) => {
    let value = positive(right, limit / 10n);
    while (value < 10n ** BigInt(length - 1)) value = 10n * value + 7n;
    return asNumber(value);
  };
  return [
    { name: 'of one digit more', of: () => asNumber(limit) },
    { name: 'below 0', of: () => -1 },
    { name: `continued to ${longer} digits`, of: (right) => continued(right, longer) },
    { name: 'with a sign', of: (right) => -Number(positive(right, limit / 10n)) },
    { name: 'beyond 32 bits', of: (right) => asNumber(positive(right, limit / 10n) + WRAP) },
    { name: 'beyond 64 bits', of: (right) => asNumber(positive(right, limit / 10n) + WRAP * WRAP) },
  ];
}
