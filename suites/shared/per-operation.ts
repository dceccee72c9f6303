/** Scenarios that are alike for several operations. */
import { type Scenario, scenario } from '../../helpers/check.ts';
import type { Context } from '../../helpers/context.ts';

/** Makes one scenario per operation and returns the same one every time. */
export function perOperation<T>(
  name: (operation: string) => string,
  body: (t: Context, operation: string) => Promise<T>,
): (operation: string) => Scenario<T> {
  const scenarios = new Map<string, Scenario<T>>();
  return (operation) => {
    let found = scenarios.get(operation);
    if (!found) {
      found = scenario(name(operation), (t) => body(t, operation));
      scenarios.set(operation, found);
    }
    return found;
  };
}
