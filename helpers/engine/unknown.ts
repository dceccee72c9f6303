/** Tables of requests that name nothing: each row is refused (reading 11). */
import type { Input } from '../answer.ts';
import type { defineSuite } from '../check.ts';
import type { Context } from '../context.ts';
import { expectRefused } from '../expect.ts';

/** A request that names nothing, in words and as it is sent. */
export interface Nameless {
  name: string;
  input: Input;
}

/** Declares that an operation refuses what names nothing. A run tries some of the rows, which rotate under the subject. */
export const namelessTable =
  ({ check }: Pick<ReturnType<typeof defineSuite>, 'check'>) =>
  (requirement: string, name: string, subject: string, rowsOf: (t: Context) => Promise<Nameless[]>): void =>
    check(requirement, name, async (t) => {
      const operation = requirement.slice(0, requirement.lastIndexOf('.'));
      for (const row of t.rotated(`${operation}: ${subject}`, await rowsOf(t)))
        expectRefused(await t.call(operation, row.input, { intent: 'unknown' }), row.name);
    });
