/** Extracts the part of a body that matters for a finding, on one line. */

/**
 * The member at a JSON Pointer, with its enclosing objects but without their other members. If there is no such member,
 * or the body is not JSON, the body itself.
 *
 * @example bodyThatMatters('{"a":1,"results":[{"b":2},{"c":3}]}', '/results/1/c') gives '{…,"results":[…,{"c":3}]}'
 */
export function bodyThatMatters(text: string, pointer: string | undefined): string {
  const steps = (pointer ?? '').split('/').slice(1);
  try {
    const value: unknown = JSON.parse(text);
    return steps.length > 0 && steps[0] !== '' ? excerpt(value, steps) : text;
  } catch {
    return text;
  }
}

function excerpt(value: unknown, [step, ...rest]: readonly string[]): string {
  if (step === undefined || typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'absent';
  const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
  const others = Object.keys(value).filter((one) => one !== name).length;
  const inside = Object.hasOwn(value, name) ? excerpt((value as Record<string, unknown>)[name], rest) : undefined;
  if (Array.isArray(value)) return `[${[...(others > 0 ? ['…'] : []), inside ?? ''].join(',')}]`;
  const member = inside === undefined ? `(no ${name})` : `${JSON.stringify(name)}:${inside}`;
  return `{${[...(others > 0 ? ['…'] : []), member].join(',')}}`;
}
