/** Puts schema errors into words. */
import type { z } from 'zod';

/** `portal.programs.other`, `[2].id`; parts that are not plain names are quoted. */
export const pathText = (path: PropertyKey[]) =>
  path
    .map((part) => {
      if (typeof part === 'number') return `[${part}]`;
      return /^[\w-]+$/.test(String(part)) ? `.${String(part)}` : `[${JSON.stringify(part)}]`;
    })
    .join('')
    .replace(/^\./, '');

/**
 * Formats validation errors, one line each, led by the path of the member. They name members, never values. For a
 * union, errors inside an object branch are reported if there are any.
 */
export function schemaFaults({ issues }: { issues: z.core.$ZodIssue[] }, parent: PropertyKey[] = []): string[] {
  return issues.flatMap((issue) => {
    const path = [...parent, ...issue.path];
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => `unknown key ${pathText([...path, key])}`);
    if (issue.code === 'invalid_union') {
      const inside = issue.errors.find((branch) => branch.some((inner) => inner.path.length || 'keys' in inner));
      if (inside) return schemaFaults({ issues: inside }, path);
    }
    const message = issue.message.replace(/^Invalid input: /, '').replace(/, received .*$/s, '');
    return [`${pathText(path) || 'the whole value'}: ${message}`];
  });
}
