/** Redacts what a failure shows, by the member that it points to: a wrong type of a name is a name all the same. */
import type { Difference } from '../contracts/record.ts';
import type { Redactor } from './redactor.ts';

/** The name of the innermost member that a JSON Pointer leads to; undefined where it leads to none. */
const memberAt = (pointer = ''): string | undefined =>
  pointer
    .split('/')
    .slice(1)
    .findLast((step) => step !== '' && !/^\d+$/.test(step));

/** What was found, without secrets and personal data. */
export const redactedFinding = <Found extends { message: string; difference?: Difference | undefined }>(
  redactor: Redactor,
  { message, difference, ...found }: Found,
) => ({
  ...found,
  message: redactor.text(message),
  ...(difference && { difference: redactedDifference(redactor, difference) }),
});

/** A difference without secrets and personal data. */
export function redactedDifference(redactor: Redactor, difference: Difference): Difference {
  const redacted = redactor.value(difference) as Difference;
  const name = memberAt(difference.pointer);
  if (name === undefined) return redacted;
  const [value, isJson] = parsed(difference.actual);
  const { [name]: shown } = redactor.value({ [name]: value }) as Record<string, unknown>;
  return { ...redacted, actual: isJson ? JSON.stringify(shown) : String(shown) };
}

function parsed(text: string): [value: unknown, isJson: boolean] {
  try {
    return [JSON.parse(text), true];
  } catch {
    return [text, false];
  }
}
