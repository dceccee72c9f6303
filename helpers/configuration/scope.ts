/** Decides which requirements are in scope, selected and allowed in this run. */
import type { Operation } from '../../contracts/operation.ts';
import { operation, operations } from '../../contracts/operations.ts';
import { claims, matches } from '../../contracts/pattern.ts';
import { RISKS, type Risk } from '../../contracts/record.ts';
import { type Requirement, requirements, requirementsOf } from '../../contracts/requirements/index.ts';
import type { Configuration } from './types.ts';

export type Interface = Operation['interface'];

/** Whether a risk is within the allowed one. */
export const allows = (allowed: Risk, risk: Risk): boolean => RISKS.indexOf(risk) <= RISKS.indexOf(allowed);

/** Whether a run may do what cannot be undone. */
export const isIrreversible = ({ run }: Configuration): boolean => allows(run.risk, 'irreversible');

/** The configured address of an interface; undefined if it is not configured. */
export function addressOf(target: Configuration['target'], of: Interface): string | undefined {
  return { token: target.authUrl, v3: target.baseUrl, v1: target.portalUrl }[of];
}

/** Whether the fixtures give all permissions needed to undo a change of permissions. */
export function permissionsRestorable({ users }: Configuration['fixtures']): boolean {
  const { canSearchLoads, canSearchSpends } = users?.writableCustomerPermissions ?? {};
  return canSearchLoads !== undefined && canSearchSpends !== undefined;
}

/** The risk of checking a requirement. A change of permissions is reversible if the fixtures can restore them. */
export function riskOf({ fixtures }: Configuration, { id, risk }: Requirement): Risk {
  const undone = id.startsWith('users.setPermissions.') && risk === 'irreversible' && permissionsRestorable(fixtures);
  return undone ? 'reversible' : risk;
}

/** Whether the target claims the operation and its interface is configured. */
export function operationInScope({ target }: Configuration, id: string): boolean {
  return claims(target.operations, id) && addressOf(target, operation(id).interface) !== undefined;
}

/** Whether an operation that the requirement judges is in scope. */
export function requirementInScope(configuration: Configuration, requirement: Requirement): boolean {
  const judged = requirement.operations.filter((id) => requirement.id.startsWith(`${id}.`));
  return (judged.length > 0 ? judged : requirement.operations).some((id) => operationInScope(configuration, id));
}

/** Names requirements that stay in one shard: their checks share pools, the clock, sessions, or an operation. */
function shardGroup(requirement: Requirement): string {
  if (requirement.id.startsWith('token.') || requirement.id.endsWith('.requires-live-token')) return 'changing';
  const judged =
    operations.find(({ id }) => requirement.id.startsWith(`${id}.`)) ?? operation(requirement.operations[0]!);
  if (judged.interface === 'v1') return 'portal';
  return judged.risk === 'safe' && requirement.risk === 'safe' ? judged.id : 'changing';
}

const groups = [...new Set(requirements.map(shardGroup))];

/** Whether `--only` and `--shard` select the requirement. Those judged by every exchange belong to every shard. */
export function isSelected({ run }: Configuration, requirement: Requirement): boolean {
  if (run.only.length > 0 && !run.only.some((pattern) => matches(pattern, requirement.id))) return false;
  return inShard(run.shard, requirement);
}

/** Whether a run judges everything about an operation. */
export function isWhollySelected(configuration: Configuration, id: string): boolean {
  const all = requirementsOf(id);
  return all.length > 0 && all.every((requirement) => isSelected(configuration, requirement));
}

/** By its patterns, whether a selection names some operation whole: every step asks. */
const broad = new WeakMap<readonly string[], boolean>();

/**
 * Whether a run tries further ways to the same, and more forms of it: one that judges single requirements sends what these need, unless it tries
 * everything, or repeats what another run tried.
 */
function isBroad(configuration: Configuration): boolean {
  const { only, thorough, as, settle } = configuration.run;
  if (only.length === 0 || thorough || as !== undefined || settle !== undefined) return true;
  const known = broad.get(only) ?? operations.some(({ id }) => isWhollySelected(configuration, id));
  broad.set(only, known);
  return known;
}

/** When something is done that is declared. */
export interface Condition {
  /** Where it can be done at all. */
  applies?: (configuration: Configuration) => boolean;
  /** It is a further way to what others show, too. */
  isFurther?: boolean;
}

/** Whether a run does something that is declared: a further way to the same is left to broad runs. */
export const isDone = ({ applies, isFurther = false }: Condition, configuration: Configuration): boolean =>
  (applies?.(configuration) ?? true) && (!isFurther || isBroad(configuration));

/** For each operation: the requirements judged by every exchange of it, and those whose checks make exchanges of it. */
const byOperation = new Map(
  operations.map(({ id }) => [
    id,
    {
      judged: requirements.filter((one) => one.everyExchange && one.operations[0] === id),
      making: requirements.filter((one) => !one.everyExchange && one.operations.includes(id)),
    },
  ]),
);

/** Whether checks of a requirement make exchanges that show a rule of the same operation, where that is judged alone: right and wrong requests, and its own kind. */
const shows = ({ id, group }: Requirement, rule: Requirement): boolean =>
  id.startsWith(`${rule.operations[0]}.`) &&
  (group === 'parameters' || group === rule.group || (rule.group === 'errors' && group === 'authorisation'));

/** Whether an unselected check runs for its exchanges: a selected requirement is judged by what no other calls. */
export function exercises(configuration: Configuration, requirement: Requirement): boolean {
  const { only, shard } = configuration.run;
  if (only.length === 0 || !inShard(shard, requirement) || !requirementInScope(configuration, requirement))
    return false;
  const areSelected = (some: readonly Requirement[]) => some.some((one) => isSelected(configuration, one));
  const isMade = isBroad(configuration) ? () => true : (rule: Requirement) => shows(requirement, rule);
  return requirement.operations.some((id) => {
    const { judged, making } = byOperation.get(id)!;
    return areSelected(judged.filter(isMade)) && !areSelected(making);
  });
}

/** The interfaces that what is selected calls: the others need not be reached. */
export function interfacesCalled(configuration: Configuration): ReadonlySet<Interface> {
  const isCarriedOut = (one: Requirement) => isSelected(configuration, one) || exercises(configuration, one);
  return new Set(
    requirements.filter(isCarriedOut).flatMap(({ operations: ids }) => ids.map((id) => operation(id).interface)),
  );
}

/** Whether the requirement belongs to the shard; all do if the run is not sharded. */
export function inShard(shard: Configuration['run']['shard'], requirement: Requirement): boolean {
  if (!shard || requirement.everyExchange) return true;
  return groups.indexOf(shardGroup(requirement)) % shard.count === shard.index - 1;
}

/** Whether a known failure has expired, and so counts like any other failure. */
export const isExpired = ({ expires }: { expires?: string | undefined }, now: Date): boolean =>
  expires !== undefined && expires < now.toISOString().slice(0, 10);

/** Whether a failure of the requirement makes the target nonconformant: a must that is not a known failure. */
export function accuses({ run }: Configuration, { id, level }: Requirement, now = new Date()): boolean {
  return level === 'must' && !run.knownFailures.some((known) => matches(known.id, id) && !isExpired(known, now));
}
