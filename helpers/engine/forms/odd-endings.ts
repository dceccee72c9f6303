/** Identifiers that a careless comparison does not match again. */
import type { Context } from '../../context.ts';

const ODD_ENDINGS = [' 1', '%', '_', "'", 'é', '#1', '\\', '&Z', '"'];

/**
 * Variants of an identifier, the oddest first: all odd endings, and so long that a database column of usual or narrow width truncates it; all
 * endings; the endings of this run; then the plain one, since a target may refuse the others.
 */
export function oddFormsOf(t: Context, subject: string, identifier: string): string[] {
  const withAll = `${identifier}${ODD_ENDINGS.join('')}`;
  const endings = t.rotated(`${subject} with an odd ending`, ODD_ENDINGS);
  return [
    ...[300, 80].map((length) => withAll.padEnd(length, '7')),
    withAll,
    ...endings.map((ending) => `${identifier}${ending}`),
    identifier,
  ];
}
