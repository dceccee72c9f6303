/** Measures how well findings tell causes apart: plants several faults in one target, and compares what a report says. */
import { createHash } from 'node:crypto';
import type { Conformance, Exchange } from '../../contracts/record.ts';
import { type View, viewOf } from '../../reports/view.ts';
import { assemble } from '../../run/assemble.ts';
import type { Rules } from '../../sandbox/rules.ts';
import type { UnservedOptions } from '../../sandbox/unserved.ts';
import type { Fault } from '../faults/fault.ts';
import { faults } from '../faults/index.ts';
import { conduct, failedIn, sandboxOf } from './prove.ts';

/** Rules of several faults that hold together, where each has one. */
const JOINED: Partial<Record<keyof Rules, 'all' | 'some' | 'first' | 'each' | 'in turn'>> = {
  enforces: 'all',
  takesEffect: 'all',
  recordFollows: 'all',
  refusedStillTakesEffect: 'some',
  listsForeign: 'some',
  hides: 'some',
  alsoRefuses: 'first',
  meanwhile: 'each',
  requires: 'in turn',
  refusalStatus: 'in turn',
  refusalBody: 'in turn',
  successStatus: 'in turn',
  matchesFilter: 'in turn',
  allowsFrom: 'in turn',
  stateAfter: 'in turn',
  paysFrom: 'in turn',
  paysTo: 'in turn',
};

type Rule = (...args: unknown[]) => unknown;

/** A rule that does what several do. */
function joined(rules: readonly Rule[], how: NonNullable<(typeof JOINED)[keyof Rules]>): Rule {
  if (how === 'all') return (...args) => rules.every((rule) => rule(...args));
  if (how === 'some') return (...args) => rules.some((rule) => rule(...args));
  if (how === 'each') return (...args) => void rules.map((rule) => rule(...args));
  if (how === 'first') return (...args) => rules.reduce<unknown>((found, rule) => found ?? rule(...args), undefined);
  // The default is the last argument, or the third of `requires`.
  return (...args) =>
    rules.reduce<unknown>(
      (byDefault, rule) => rule(...args.slice(0, rule.length - 1), byDefault, ...args.slice(rule.length)),
      args.at(-1),
    );
}

/** Faults that one sandbox may have together with others: made of rules and answers alone. */
const plantable = faults.filter(
  ({ sandbox: { rules: _rules, middleware: _middleware, ...data }, configure, isSlow }) =>
    Object.keys(data).length === 0 && configure === undefined && isSlow === undefined,
);

const rulesOf = ({ sandbox }: Fault) => Object.keys(sandbox.rules ?? {}) as (keyof Rules)[];

const agree = (one: Fault, other: Fault): boolean =>
  rulesOf(one).every((rule) => (JOINED[rule] !== undefined && rule !== 'requires') || !rulesOf(other).includes(rule));

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Packs of so many faults, the same each time, no fault in two. */
export function packsOf(size: number, count: number): Fault[][] {
  const left = plantable.toSorted((a, b) => (hashOf(a.name) < hashOf(b.name) ? -1 : 1));
  return Array.from({ length: count }, () => {
    const pack: Fault[] = [];
    for (const fault of left) {
      if (pack.length === size) break;
      if (pack.every((other) => agree(fault, other))) pack.push(fault);
    }
    for (const fault of pack) left.splice(left.indexOf(fault), 1);
    return pack;
  });
}

/** A sandbox that has all of the faults. */
export function having(pack: readonly Fault[]): UnservedOptions {
  const names = [...new Set(pack.flatMap(rulesOf))];
  const rules = names.map((name) => {
    const all = pack.flatMap(({ sandbox }) => (sandbox.rules?.[name] === undefined ? [] : [sandbox.rules[name]]));
    const how = JOINED[name];
    return [name, all.length > 1 && how ? joined(all as Rule[], how) : all[0]];
  });
  return {
    rules: Object.fromEntries(rules),
    middleware: pack.flatMap(({ sandbox }) => sandbox.middleware ?? []),
  };
}

/** What a whole run against a target with faults shows. */
export interface Shown {
  /** Faults by which something failed that they are known to break. */
  found: Fault[];
  conformance: Conformance;
  view: View;
  exchanges: readonly Exchange[];
}

export async function show(pack: readonly Fault[]): Promise<Shown> {
  const startedAt = new Date();
  const { outcomes, run, exchanges } = await conduct(sandboxOf(having(pack)), { only: [] });
  const failed = failedIn(outcomes);
  const conformance = assemble(run.configuration, {
    startedAt,
    finishedAt: new Date(),
    outcomes,
    facts: run.facts(),
    reachability: { reached: ['token', 'v3', 'v1'], blocked: new Map() },
  });
  return {
    found: pack.filter(({ condemns }) => condemns.some((id) => failed.includes(id))),
    conformance,
    exchanges,
    view: viewOf(conformance, { exchanges }),
  };
}
