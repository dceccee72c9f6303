/** Measures how well findings tell causes apart: plants several faults in one target, and compares what a report says. */
import { createHash } from 'node:crypto';
import { type View, viewOf } from '../../reports/view.ts';
import { assemble } from '../../run/assemble.ts';
import type { Rules } from '../../sandbox/rules.ts';
import type { UnservedOptions } from '../../sandbox/unserved.ts';
import type { Fault } from '../faults/fault.ts';
import { faults } from '../faults/index.ts';
import { conduct, sandboxOf } from './prove.ts';

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
async function show(pack: readonly Fault[]): Promise<View> {
  const startedAt = new Date();
  const { outcomes, run, exchanges } = await conduct(sandboxOf(having(pack)), { only: [] });
  const conformance = assemble(run.configuration, {
    startedAt,
    finishedAt: new Date(),
    outcomes,
    facts: run.facts(),
    reachability: { reached: ['token', 'v3', 'v1'], blocked: new Map() },
  });
  return viewOf(conformance, { exchanges });
}

/** What is found of several faults in one target. */
export interface Measured {
  /** Faults by which alone a must fails that fails among the others, too. */
  causes: string[];
  /** The first requirement of each finding. */
  findings: string[];
  /** Of these, those of an operation that no fault is of by which they fail. */
  misnamed: string[];
  /** Requirements that are said to be hidden, and by which finding; of these, those that no fault alone hides by which that fails. */
  hidden: string[];
  misattributed: string[];
}

const failedIn = ({ conformance }: View): string[] =>
  conformance.requirements.filter(({ verdict, level }) => verdict === 'failed' && level === 'must').map(({ id }) => id);

const unseenIn = ({ conformance }: View): string[] =>
  conformance.requirements.filter(({ verdict }) => ['inconclusive', 'blocked'].includes(verdict)).map(({ id }) => id);

const operationOf = (id: string): string => id.split('.').slice(0, 2).join('.');

/** Plants faults together and each alone, and compares what the runs show. Takes a whole run for each, and one more. */
export async function measure(pack: readonly Fault[]): Promise<Measured> {
  const together = await show(pack);
  const alone: { fault: Fault; failed: string[]; unseen: string[] }[] = [];
  for (const fault of pack) {
    const view = await show([fault]);
    alone.push({ fault, failed: failedIn(view), unseen: unseenIn(view) });
  }
  const measured: Measured = { causes: [], findings: [], misnamed: [], hidden: [], misattributed: [] };
  const failed = failedIn(together);
  for (const one of alone) if (one.failed.some((id) => failed.includes(id))) measured.causes.push(one.fault.name);
  for (const { requirements, unseen } of together.findings.failures) {
    const ids = requirements.map(({ id }) => id);
    const causing = alone.filter((one) => ids.some((id) => one.failed.includes(id)));
    const isNamed = causing.some(({ fault }) => fault.condemns.some((id) => operationOf(id) === operationOf(ids[0]!)));
    measured.findings.push(ids[0]!);
    if (!isNamed) measured.misnamed.push(ids[0]!);
    for (const { id } of unseen) {
      measured.hidden.push(`${id} by ${ids[0]}`);
      if (!causing.some((one) => one.unseen.includes(id))) measured.misattributed.push(`${id} by ${ids[0]}`);
    }
  }
  return measured;
}
