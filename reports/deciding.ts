/** Which of the exchanges of a failed check shows the failure. */
import type { CheckResult, Exchange, RequirementResult } from '../contracts/record.ts';

type Failed = Pick<CheckResult, 'exchanges' | 'difference' | 'shownBy'>;

/**
 * The exchange that shows a failure: the one that it says; else the last with a finding of the requirement, the last of its operation with
 * the actual status, the last that is about what one of its operation was, or the last of it.
 */
export function decidingExchange(
  { id, operations }: Pick<RequirementResult, 'id' | 'operations'>,
  { exchanges, difference, shownBy }: Failed,
  evidence: ReadonlyMap<string, Exchange>,
): Exchange | undefined {
  const said = shownBy && evidence.get(shownBy);
  if (said) return said;
  const known = exchanges.flatMap((one) => evidence.get(one) ?? []);
  // What checks share was made before they looked at it: ids go up with time.
  known.sort((a, b) => (a.id < b.id ? -1 : 1));
  const status = Number(/^(?:status )?([1-5]\d\d)\b/.exec(difference?.actual ?? '')?.[1]);
  const acts = known.filter(({ operation }) => id.startsWith(`${operation}.`));
  return (
    known.findLast(({ findings = [] }) => findings.some(({ requirement }) => requirement === id)) ??
    known.findLast(({ operation, response }) => operations.includes(operation) && response?.status === status) ??
    known.findLast((one) => shows(one, difference) && acts.some((act) => concerns(act, one))) ??
    known.findLast((one) => acts.some((act) => act !== one && concerns(act, one))) ??
    acts.at(-1) ??
    known.at(-1)
  );
}

/** Whether the answer has the actual value where the difference points at. */
const shows = ({ response }: Exchange, difference: CheckResult['difference']): boolean => {
  const member = difference?.pointer?.split('/').at(-1);
  return member !== undefined && (response?.body ?? '').includes(`"${member}":${JSON.stringify(difference?.actual)}`);
};

/** Whether one exchange is about the card, or what else stands last in the path, of a later one. */
function concerns({ id, request }: Exchange, later: Exchange): boolean {
  const thing = /\/(?:cards\/cards|customers)\/([^/?]+)/.exec(later.request.url)?.[1];
  return thing !== undefined && id <= later.id && `${request.url} ${request.body ?? ''}`.includes(thing);
}

/** The last request of the operation that a requirement judges, where a later one shows that it fails. */
export function decidingAct(
  { id }: Pick<RequirementResult, 'id'>,
  { exchanges }: Failed,
  deciding: Exchange,
  evidence: ReadonlyMap<string, Exchange>,
): Exchange | undefined {
  if (id.startsWith(`${deciding.operation}.`)) return undefined;
  return exchanges
    .flatMap((one) => evidence.get(one) ?? [])
    .filter((one) => id.startsWith(`${one.operation}.`) && concerns(one, deciding))
    .reduce<Exchange | undefined>((last, one) => (last === undefined || one.id > last.id ? one : last), undefined);
}
