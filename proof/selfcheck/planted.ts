/** Targets of the proof with several faults at once. */
import { createHash } from 'node:crypto';
import { operations } from '../../contracts/operations.ts';
import { requirementById } from '../../contracts/requirements/index.ts';
import type { Rules } from '../../sandbox/rules.ts';
import type { UnservedOptions } from '../../sandbox/unserved.ts';
import type { Fault } from '../faults/fault.ts';
import { faults } from '../faults/index.ts';
import { faults as secondFaults } from '../second-target/faults.ts';
import { startThirdTarget, faults as thirdFaults } from '../third-target/index.ts';
import { sandboxOf, secondTarget } from './prove.ts';
import { type Given, SEED } from './run-suite.ts';

/** A fault that is planted beside others. */
export interface Planted {
  name: string;
  /** The operations that break a must by it. */
  operations: readonly string[];
}

/** A target that can have several faults at once. */
interface Plantable {
  faults: readonly Planted[];
  /** Whether it can have both faults. */
  agree(one: string, other: string): boolean;
  /** The target with faults, until it is closed. */
  having(names: readonly string[]): Promise<Given & { close(): Promise<void> }>;
}

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
const joinable = faults.filter(
  ({ sandbox: { rules: _rules, middleware: _middleware, ...data }, configure, isSlow }) =>
    Object.keys(data).length === 0 && configure === undefined && isSlow === undefined,
);

const rulesOf = ({ sandbox }: Fault) => Object.keys(sandbox.rules ?? {}) as (keyof Rules)[];

const agree = (one: Fault, other: Fault): boolean =>
  rulesOf(one).every((rule) => (JOINED[rule] !== undefined && rule !== 'requires') || !rulesOf(other).includes(rule));

/** A sandbox that has all of the faults. */
function having(pack: readonly Fault[]): UnservedOptions {
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

/** Faults that break a must. */
const breaking = (all: readonly { name: string; condemns: readonly string[] }[]): Planted[] =>
  all.flatMap(({ name, condemns }) => {
    const broken = condemns.filter((id) => requirementById(id).level === 'must');
    const of = operations.filter((one) => broken.some((id) => id.startsWith(`${one.id}.`))).map(({ id }) => id);
    return of.length > 0 ? [{ name, operations: of }] : [];
  });

const named = (name: string): Fault => joinable.find((one) => one.name === name)!;
const close = async () => {};

/** The targets, by name. */
export const targets = {
  sandbox: {
    faults: breaking(joinable),
    agree: (one, other) => agree(named(one), named(other)),
    having: async (names) => ({ ...sandboxOf(having(names.map(named))), close }),
  },
  'second target': {
    faults: breaking(secondFaults.map(({ id: name, condemns }) => ({ name, condemns }))),
    agree: () => true,
    having: async (names) => {
      const target = secondTarget(names);
      return { ...target, environment: { ...target.environment, RUN_RISK: 'irreversible' }, close };
    },
  },
  'third target': {
    faults: thirdFaults.map(({ name, operation }) => ({ name, operations: [operation] })),
    agree: () => true,
    having: async (names) => {
      const { env, fixtures, close } = await startThirdTarget({ faults: [...names] });
      const environment = { ...env, RUN_RISK: 'irreversible', RUN_SETTLE_MS: '20' };
      return { environment, fixtures: fixtures as Record<string, unknown>, close };
    },
  },
} satisfies Record<string, Plantable>;

export type TargetName = keyof typeof targets;
export const targetNames = Object.keys(targets) as TargetName[];

const hashOf = (text: string): string => createHash('sha256').update(`${SEED} ${text}`).digest('hex');

/** One pack of faults of each size, the same each time, no fault in two. */
export function packsOf(target: TargetName, sizes: readonly number[]): Planted[][] {
  const { faults: all, agree }: Plantable = targets[target];
  const left = all.toSorted((a, b) => (hashOf(a.name) < hashOf(b.name) ? -1 : 1));
  return sizes.map((size) => {
    const pack: Planted[] = [];
    for (const fault of left) {
      if (pack.length === size) break;
      if (pack.every((other) => agree(fault.name, other.name))) pack.push(fault);
    }
    for (const fault of pack) left.splice(left.indexOf(fault), 1);
    return pack;
  });
}
