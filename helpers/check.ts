/** Checks, declared by requirement id and run by `execute`. The catalogue holds everything else. */
import { requirementById } from '../contracts/requirements/index.ts';
import type { Condition } from './configuration/scope.ts';
import type { Context, Scenario } from './context.ts';
import type { ExchangeRule } from './evidence/ledger.ts';
import type { Watched } from './evidence/monitor.ts';

export type { Context, Scenario };

export interface Check extends Condition {
  requirement: string;
  /** The part of the requirement that it looks at. */
  name: string;
  body: (t: Context) => Promise<void>;
  /**
   * When the check runs.
   * - 'last': when all 'main' checks of its interface are done, since it would disturb them
   * - 'clock': lets the target's time pass, which may end what others use, from {@link Run.timeMayPass} until
   *   {@link Run.timeHasStopped}
   * - 'end': needs nothing from before; on the portal it would also disturb that
   * - 'later': on the portal, when everything else there is done and the target's time has passed
   */
  phase: 'main' | 'last' | 'clock' | 'end' | 'later';
}

export type CheckOptions = Condition & Partial<Pick<Check, 'phase'>>;

/** Records observations of the target, once the checks that need the same resources are done. Judges nothing. */
export interface Observer {
  /** The operation whose checks go first; on v3 all checks do. */
  operation: string;
  observe: (t: Context) => Promise<void>;
}

export interface Suite {
  checks: Check[];
  rules: ExchangeRule[];
  monitors?: Watched[];
  observers?: Observer[];
}

/**
 * Collects the declarations of a suite file.
 *
 * @example
 * const { check, everyExchange, afterwards, suite } = defineSuite();
 */
export function defineSuite() {
  const checks: Check[] = [];
  const rules: ExchangeRule[] = [];
  const monitors: Watched[] = [];
  const observers: Observer[] = [];

  /**
   * Declares a check of one requirement. Its body throws the verdict, or returns when the target meets the requirement.
   *
   * @example
   * check('token.issue.ends-after-60-minutes', 'at 61 minutes', { phase: 'clock' }, async (t) => { ... });
   *
   * @throws Error when the catalogue has no such requirement
   */
  function check(requirement: string, name: string, body: Check['body']): void;
  function check(requirement: string, name: string, options: CheckOptions, body: Check['body']): void;
  function check(requirement: string, name: string, ...rest: [Check['body']] | [CheckOptions, Check['body']]): void {
    requirementById(requirement);
    const [options, body] = rest.length === 1 ? [{}, rest[0]] : rest;
    checks.push({ requirement, name, phase: 'main', ...options, body });
  }

  function everyExchange(
    requirement: string,
    operation: string,
    judge: ExchangeRule['judge'],
    { reads }: Pick<ExchangeRule, 'reads'> = {},
  ): void {
    if (!requirementById(requirement).everyExchange) throw new Error(`${requirement} has checks of its own`);
    rules.push({ requirement, operation, judge, ...(reads && { reads }) });
  }

  /** Declares a monitor, which judges traffic that others made, too. Its checks are declared by `monitored`. */
  function watch(watched: Watched): void {
    monitors.push(watched);
  }

  /** Declares an observation, made before portal checks log their user in and out, and of tokens last of all. */
  function afterwards(of: string, observe: Observer['observe']): void {
    observers.push({ operation: of, observe });
  }

  return { check, everyExchange, watch, afterwards, suite: { checks, rules, monitors, observers } satisfies Suite };
}

/**
 * Declares a scenario: gathers facts once per run and judges nothing. What it throws becomes the verdict of every check
 * that asks for it.
 *
 * @example
 * const firstPage = scenario('the first page of cards', (t) => t.call('cards.list', { query: { max: 50 } }));
 * // in a check: const page = await t.shared(firstPage);
 */
export function scenario<T>(
  name: string,
  body: (t: Context) => Promise<T>,
  more: Pick<Scenario<T>, 'isFinal' | 'isFurther'> = {},
): Scenario<T> {
  return { name, body, ...more };
}

/** The same scenario on other things: what both show was not caused by somebody else who uses the first ones. */
export const onceMore = <T>({ name, body }: Scenario<T>): Scenario<T> => scenario(`${name}, once more`, body);

/** Makes one scenario per operation, and returns the same one every time. */
export function perOperation<T>(
  name: (operation: string) => string,
  body: (t: Context, operation: string) => Promise<T>,
): (operation: string) => Scenario<T> {
  const scenarios = new Map<string, Scenario<T>>();
  return (operation) => {
    const found = scenarios.get(operation) ?? scenario(name(operation), (t) => body(t, operation));
    scenarios.set(operation, found);
    return found;
  };
}
