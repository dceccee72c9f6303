/** Checks: declared by requirement id, run by `execute`. The catalogue says the rest. */
import { requirementById } from '../contracts/requirements/index.ts';
import type { Context } from './context.ts';
import type { ExchangeRule } from './ledger.ts';

export interface Check {
  requirement: string;
  /** What of the requirement it looks at. */
  name: string;
  body: (t: Context) => Promise<void>;
  /** 'clock': run last and alone, since it lets the target's time pass. */
  phase: 'main' | 'clock';
}

/** What a suite declares. */
export interface Suite {
  checks: Check[];
  rules: ExchangeRule[];
}

/** What a suite file is made of: `const { check, everyExchange, suite } = defineSuite()`. */
export function defineSuite() {
  const suite: Suite = { checks: [], rules: [] };

  /**
   * Declares a check of one requirement. Its body throws the verdict, or returns when the requirement is kept.
   * @throws Error when the catalogue has no such requirement
   */
  function check(requirement: string, name: string, body: Check['body'], phase: Check['phase'] = 'main'): void {
    requirementById(requirement);
    suite.checks.push({ requirement, name, body, phase });
  }

  /** Declares what every exchange of an operation is held against. */
  function everyExchange(requirement: string, operation: string, judge: ExchangeRule['judge']): void {
    if (!requirementById(requirement).everyExchange) throw new Error(`${requirement} has checks of its own`);
    suite.rules.push({ requirement, operation, judge });
  }

  return { check, everyExchange, suite };
}

/** A piece of work that several checks look at: done once in a run, by the first that asks. */
export interface Scenario<T> {
  name: string;
  body: (t: Context) => Promise<T>;
}

/** Declares a scenario. It gathers facts and judges nothing: what it throws becomes the verdict of all that ask for it. */
export function scenario<T>(name: string, body: (t: Context) => Promise<T>): Scenario<T> {
  return { name, body };
}
