/** Determines which exchange of a failed check shows the failure. */
import type { CheckResult, Exchange, RequirementResult } from '../contracts/record.ts';

type Failed = Pick<CheckResult, 'exchanges' | 'difference' | 'shownBy'>;

/**
 * The exchange that shows a failure: the one that the check names; else the last with a finding of the requirement, the
 * last of its operations with the actual status, the last about a thing that the operation acted on, or the last of
 * all.
 */
export function decidingExchange(
  { id, operations }: Pick<RequirementResult, 'id' | 'operations'>,
  { exchanges, difference, shownBy }: Failed,
  evidence: ReadonlyMap<string, Exchange>,
): Exchange | undefined {
  const named = shownBy && evidence.get(shownBy);
  if (named) return named;
  const known = exchanges.flatMap((one) => evidence.get(one) ?? []);
  // Exchanges of scenarios precede those of the check: ids increase with time.
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

/** Whether the answer holds the actual value where the difference points. */
const shows = ({ response }: Exchange, difference: CheckResult['difference']): boolean => {
  const member = difference?.pointer?.split('/').at(-1);
  return member !== undefined && (response?.body ?? '').includes(`"${member}":${JSON.stringify(difference?.actual)}`);
};

/** The card or customer that an address names, percent-encoded. */
export const thingIn = (url: string): string | undefined => /\/(?:cards\/cards|customers)\/([^/?]+)/.exec(url)?.[1];

/** Whether an exchange concerns the card, or other thing named last in the path, of a later one. */
function concerns({ id, request }: Exchange, later: Exchange): boolean {
  const thing = thingIn(later.request.url);
  return thing !== undefined && id <= later.id && `${request.url} ${request.body ?? ''}`.includes(thing);
}

/** The last request of the judged operation, if a later request shows that it failed. */
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
