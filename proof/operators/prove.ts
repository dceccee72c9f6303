/** Tries an operator's fault on both targets. */
import { isDeepStrictEqual } from 'node:util';
import type { Operation } from '../../contracts/operation.ts';
import { Addresses } from '../../witness/addressed.ts';
import type { Whole } from '../selfcheck/direct.ts';
import {
  conduct,
  type FaultProof,
  prove,
  type Selection,
  sandboxOf,
  secondTarget,
  selections,
} from '../selfcheck/prove.ts';
import type { Conducted } from '../selfcheck/unwritten-run.ts';
import { type Broken, bodyOf, breaking, succeeded } from './call.ts';
import type { Accepted, OperatorFault, Taken } from './operator.ts';

/** The targets that operators are applied to, by name. */
const targets = { sandbox: () => sandboxOf({}), 'second target': () => secondTarget() };

export type TargetName = keyof typeof targets;
export const targetNames = Object.keys(targets) as TargetName[];

/** Faults that a target does not show, or not by what they break. */
const UNSEEN: Readonly<Record<TargetName, readonly string[]>> = {
  // Of the first two cards that a run closes, one is suspended: where that comes second, it shows that unsuspend makes it Active.
  sandbox: ['cards.close: has an effect the first time alone'],
  // It takes no PIN that the suite makes up, and a target may require one first (reading 50).
  'second target': ['cards.markLost: is carried out, and answered with 403'],
};

/** A run, and whether an answer was another than the sound target's to the same call. */
interface Tried extends Conducted {
  hasChanged: boolean;
}

/** Runs checks against a target, as a fault makes it. */
export async function conductBroken(name: TargetName, broken: Broken, selection: Selection): Promise<Tried> {
  const { unserved, ...given } = targets[name]();
  let hasChanged = false;
  const compared: Broken = async (call, ask) => {
    let sound: Whole | undefined;
    const given = await broken(call, async (asked) => {
      const answer = await ask(asked);
      if (asked === call) sound = answer;
      return answer;
    });
    hasChanged ||= sound !== undefined && !isSame(sound, given);
    return given;
  };
  let addresses: Addresses | undefined;
  const target = breaking(unserved, compared, (request) => addresses?.find(request) ?? []);
  const conducted = await conduct({ ...given, unserved: target }, selection, (configuration) => {
    addresses = new Addresses(configuration.target);
  });
  return { ...conducted, hasChanged };
}

const isSame = (one: Whole, other: Whole): boolean =>
  one.status === other.status &&
  (one.bytes.equals(other.bytes) || isDeepStrictEqual(bodyOf(one), bodyOf(other) ?? other));

const known = new Map<TargetName, Promise<Accepted>>();

/** What a target accepts of each operation without a fault; found once. */
export function acceptedBy(name: TargetName): Promise<Accepted> {
  const find = async () => {
    const accepted = new Map<Operation, Taken>();
    const noting: Broken = async (call, ask) => {
      const answer = await ask(call);
      if (succeeded(answer) && !accepted.has(call.operation)) accepted.set(call.operation, { call, answer });
      return answer;
    };
    await conductBroken(name, noting, { only: [] });
    return accepted;
  };
  if (!known.has(name)) known.set(name, find());
  return known.get(name)!;
}

/** Whether the suite condemns a fault on a target; undefined where the target never gives an answer that it changes. */
export async function proveOperator(name: TargetName, fault: OperatorFault): Promise<FaultProof | undefined> {
  const { condemns } = fault;
  const accepted = await acceptedBy(name);
  let isHad = fault.isOfAnswers === undefined;
  const named = { name: `${fault.name} (${name})`, condemns };
  const proof = await prove(name, named, selections({ condemns }), false, async (selection) => {
    const tried = await conductBroken(name, fault.make(accepted), selection);
    isHad ||= tried.hasChanged;
    return tried;
  });
  if (!isHad || (proof.missed.length > 0 && UNSEEN[name].includes(fault.name))) return undefined;
  return { ...proof, isOperator: true };
}
