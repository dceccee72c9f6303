/** Bodies with members of the wrong JSON type. */

/** For each string, number and array in a body, a value of the wrong JSON type that is likely to be accepted by mistake. */
export function wrongTypes(body: Record<string, unknown>): { name: string; value: unknown }[] {
  return Object.entries(body).flatMap(([name, value]) => {
    if (typeof value === 'string') return [{ name, value: 12345 }];
    if (typeof value === 'number' || typeof value === 'bigint') return [{ name, value: String(value) }];
    return Array.isArray(value) ? [{ name, value: value[0] }] : [];
  });
}

/** A JSON object cut off in the middle. */
export const NOT_JSON = '{"comment":';
