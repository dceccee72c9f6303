/** What of the catalogue is in scope, selected and allowed in this run. */
import type { Operation } from '../../contracts/operation.ts';
import { operation, operations } from '../../contracts/operations.ts';
import { RISKS, type Risk } from '../../contracts/record.ts';
import { type Requirement, requirements } from '../../contracts/requirements/index.ts';
import { claims, matches } from './pattern.ts';
import type { Configuration } from './types.ts';

/** `token`, `v3` (users and cards) or `v1` (the portal). */
export type Interface = Operation['interface'];

/** Whether a risk is within what is allowed. */
export const allows = (allowed: Risk, risk: Risk): boolean => RISKS.indexOf(risk) <= RISKS.indexOf(allowed);

/** The address that an interface is configured with; undefined when it is not. */
export function addressOf(target: Configuration['target'], of: Interface): string | undefined {
  return { token: target.authUrl, v3: target.baseUrl, v1: target.portalUrl }[of];
}

/** Whether the fixtures give all the permissions that a change would be undone to. */
export function permissionsRestorable({ users }: Configuration['fixtures']): boolean {
  const { canSearchLoads, canSearchSpends } = users?.writableCustomerPermissions ?? {};
  return canSearchLoads !== undefined && canSearchSpends !== undefined;
}

/** What checking a requirement may change: permissions that the fixtures say how to restore are changed reversibly. */
export function riskOf({ fixtures }: Configuration, { id, risk }: Requirement): Risk {
  const undone = id.startsWith('users.setPermissions.') && risk === 'irreversible' && permissionsRestorable(fixtures);
  return undone ? 'reversible' : risk;
}

/** Whether the target claims the operation and its interface is configured. */
export function operationInScope({ target }: Configuration, id: string): boolean {
  return claims(target.operations, id) && addressOf(target, operation(id).interface) !== undefined;
}

/** In scope when an operation that it judges is. */
export function requirementInScope(configuration: Configuration, requirement: Requirement): boolean {
  const judged = requirement.operations.filter((id) => requirement.id.startsWith(`${id}.`));
  return (judged.length > 0 ? judged : requirement.operations).some((id) => operationInScope(configuration, id));
}

/**
 * What changes cards shares pools, and what looks at the age of tokens both needs cards and comes last, when the clock is moved: all
 * of that goes to one shard. So does all of the portal, for its sessions. The others are groups of their own.
 */
function shardGroup(requirement: Requirement): string {
  if (requirement.id.startsWith('token.') || requirement.id.endsWith('.requires-live-token')) return 'changing';
  const judged =
    operations.find(({ id }) => requirement.id.startsWith(`${id}.`)) ?? operation(requirement.operations[0]!);
  if (judged.interface === 'v1') return 'portal';
  return judged.risk === 'safe' && requirement.risk === 'safe' ? judged.id : 'changing';
}

const groups = [...new Set(requirements.map(shardGroup))];

/** Whether the requirement is judged in this run: by --only, and by --shard. What every exchange shows is judged in each shard. */
export function isSelected({ run }: Configuration, requirement: Requirement): boolean {
  if (run.only.length > 0 && !run.only.some((pattern) => matches(pattern, requirement.id))) return false;
  return inShard(run.shard, requirement);
}

/** By operation: those that are judged by each of its exchanges, and those whose checks make any. */
const byOperation = new Map(
  operations.map(({ id }) => [
    id,
    {
      judged: requirements.filter((one) => one.everyExchange && one.operations[0] === id),
      making: requirements.filter((one) => !one.everyExchange && one.operations.includes(id)),
    },
  ]),
);

/**
 * Whether a check of a requirement that is not selected is run anyway, for its exchanges: a selected requirement is judged by those of
 * an operation, and nothing else that is selected makes any.
 */
export function exercises(configuration: Configuration, requirement: Requirement): boolean {
  const { only, shard } = configuration.run;
  if (only.length === 0 || !inShard(shard, requirement) || !requirementInScope(configuration, requirement))
    return false;
  const areSelected = (some: readonly Requirement[]) => some.some((one) => isSelected(configuration, one));
  return requirement.operations.some((id) => {
    const { judged, making } = byOperation.get(id)!;
    return areSelected(judged) && !areSelected(making);
  });
}

/** Whether the part of a run that it is limited to has this requirement; all do where it is not limited. */
export function inShard(shard: Configuration['run']['shard'], requirement: Requirement): boolean {
  if (!shard || requirement.everyExchange) return true;
  return groups.indexOf(shardGroup(requirement)) % shard.count === shard.index - 1;
}

/** Whether a known failure is past its date, and so counts as any failure. */
export const isExpired = ({ expires }: { expires?: string | undefined }, now: Date): boolean =>
  expires !== undefined && expires < now.toISOString().slice(0, 10);

/** Whether a requirement that failed makes the target nonconformant: a must that is not expected to fail. */
export function accuses({ run }: Configuration, { id, level }: Requirement, now = new Date()): boolean {
  return level === 'must' && !run.knownFailures.some((known) => matches(known.id, id) && !isExpired(known, now));
}
