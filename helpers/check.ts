/** Checks: declared by requirement id, run by `execute`. The catalogue says the rest. */
import { requirementById } from '../contracts/requirements/index.ts';
import type { Configuration } from './configuration/types.ts';
import type { Context, Scenario } from './context.ts';
import type { ExchangeRule } from './evidence/ledger.ts';

export type { Scenario };

/** A check of one requirement. */
export interface Check {
  requirement: string;
  /** What of the requirement it looks at. */
  name: string;
  body: (t: Context) => Promise<void>;
  /**
   * 'last': run when those of phase 'main' of its interface are done, since it would disturb them. 'clock': lets the target's time pass,
   * which may end what others use, from {@link Run.timeMayPass} until {@link Run.timeHasStopped}. 'end': needs nothing of what was before; of the
   * portal, where it would disturb that, too. 'later': of the portal, when all else of it is done, and the target's time has passed.
   */
  phase: 'main' | 'last' | 'clock' | 'end' | 'later';
  /** Whether the check is part of a run with this configuration. */
  applies: (configuration: Configuration) => boolean;
}

/** Options of a check; see `Check`. */
export type CheckOptions = Partial<Pick<Check, 'phase' | 'applies'>>;

/** Gathers what is observed of the target, once the checks are done that need what it uses up: it judges nothing. */
export interface Observer {
  /** Whose checks go before; on v3 those of all operations do. */
  operation: string;
  observe: (t: Context) => Promise<void>;
}

/** What a suite declares. */
export interface Suite {
  checks: Check[];
  rules: ExchangeRule[];
  observers?: Observer[];
}

/**
 * What a suite file is made of.
 *
 * @example
 * const { check, everyExchange, afterwards, suite } = defineSuite();
 */
export function defineSuite() {
  const checks: Check[] = [];
  const rules: ExchangeRule[] = [];
  const observers: Observer[] = [];

  /**
   * Declares a check of one requirement. Its body throws the verdict, or returns when the requirement is kept.
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
    checks.push({ requirement, name, phase: 'main', applies: () => true, ...options, body });
  }

  /** Declares what every exchange of an operation is held against. */
  function everyExchange(requirement: string, operation: string, judge: ExchangeRule['judge']): void {
    if (!requirementById(requirement).everyExchange) throw new Error(`${requirement} has checks of its own`);
    rules.push({ requirement, operation, judge });
  }

  /** Declares what is observed of an operation from what its checks leave: of the portal before those that log its user in and out, of tokens last of all. */
  function afterwards(of: string, observe: Observer['observe']): void {
    observers.push({ operation: of, observe });
  }

  return { check, everyExchange, afterwards, suite: { checks, rules, observers } satisfies Suite };
}

/** Declares a scenario. It gathers facts and judges nothing: what it throws becomes the verdict of all that ask for it. */
export function scenario<T>(name: string, body: (t: Context) => Promise<T>): Scenario<T> {
  return { name, body };
}
