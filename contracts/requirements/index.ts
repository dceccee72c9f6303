/** The catalogue: every requirement of both documents, in the order of the operations, and the exclusions. */
import { operations } from '../operations.ts';
import { CARD_POOLS, cardStatements } from './cards.ts';
import { everyOperationRequirements, requirement } from './every-operation.ts';
import { PORTAL_NEEDS, portalStatements } from './portal.ts';
import type { Requirement, Statement } from './requirement.ts';
import { tokenStatements } from './token.ts';
import { userStatements } from './users.ts';

export { exclusions } from './exclusions.ts';
export type { Exclusion, Group, Requirement } from './requirement.ts';
export { GROUPS } from './requirement.ts';

const statements: Record<string, Statement> = {
  ...tokenStatements,
  ...userStatements,
  ...cardStatements,
  ...portalStatements,
};

/** Ids of the hand-written requirements; the others are generated from the operation contracts. */
export const writtenIds: readonly string[] = Object.keys(statements);

const portalWide = { ...operations.find((o) => o.id === 'portal.login')!, id: 'portal' };

const written = Object.entries(statements).map(([id, statement]) => {
  const judged = operations.find((o) => id.startsWith(`${o.id}.`)) ?? portalWide;
  return requirement(judged, id.slice(judged.id.length + 1), statement);
});

/** Fixtures that a generated requirement needs: the effect of a changing operation needs something to act on. */
const poolOf = ({ id, risk, everyExchange, operations: [of] }: Requirement) =>
  everyExchange || risk === 'safe' || /\.(foreign|unknown-identifier(-404)?)$/.test(id)
    ? []
    : (CARD_POOLS[of!] ?? PORTAL_NEEDS[of!] ?? []);

const all = [
  ...everyOperationRequirements.map((generated) => ({
    ...generated,
    needs: [...generated.needs, ...poolOf(generated)],
  })),
  ...written,
];
const position = new Map(operations.map((o, index) => [o.id, index]));

/** The catalogue. */
export const requirements: readonly Requirement[] = all.toSorted(
  (a, b) => position.get(a.operations[0]!)! - position.get(b.operations[0]!)!,
);

const byId = new Map(requirements.map((r) => [r.id, r]));

/** The requirements whose ids begin with an operation, or with a resource: those that judge it. */
export const requirementsOf = (begin: string): Requirement[] =>
  requirements.filter(({ id }) => id.startsWith(`${begin}.`));

/**
 * The requirement with this id.
 * @throws Error when the catalogue has none, which is a bug in the caller
 */
export function requirementById(id: string): Requirement {
  const found = byId.get(id);
  if (!found) throw new Error(`the catalogue has no requirement ${id}`);
  return found;
}
