/** Members of a body as another JSON type than they have. */

/** For each text, number and list of a body the value that another JSON type makes of it: the likeliest to be taken by mistake. */
export function wrongTypes(body: Record<string, unknown>): { name: string; value: unknown }[] {
  return Object.entries(body).flatMap(([name, value]) => {
    if (typeof value === 'string') return [{ name, value: 12345 }];
    if (typeof value === 'number' || typeof value === 'bigint') return [{ name, value: String(value) }];
    return Array.isArray(value) ? [{ name, value: value[0] }] : [];
  });
}

/** A JSON object that is cut off. */
export const NOT_JSON = '{"comment":';
