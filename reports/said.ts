/** The target's own words: why it refused what an accusation is about. */
import type { CheckResult, Exchange, RequirementResult } from '../contracts/record.ts';
import { cited } from './steps.ts';
import { cut } from './text.ts';

/** Members in which an error says why, as the documents and RFC 6749 name them. */
const REASONS = ['errorMessage', 'error_description'] as const;
/** Characters of what a target says that are quoted. */
const LONGEST = 200;

/** What a refusal says; undefined where it says nothing. */
export function reasonIn({ response }: Exchange): string | undefined {
  if (!response?.body || response.status < 400) return undefined;
  try {
    const [error] = [JSON.parse(response.body) as unknown].flat() as Record<string, unknown>[];
    const said = REASONS.map((name) => error?.[name]).find((text) => typeof text === 'string' && text.trim() !== '');
    return said === undefined ? undefined : cut(String(said), LONGEST);
  } catch {
    return undefined;
  }
}

/**
 * What the target said when it refused a request that nothing was wrong with: the deciding one, else the last one of the judged operation
 * that the failed check cites.
 */
export function saidOf(
  { id }: Pick<RequirementResult, 'id'>,
  check: Pick<CheckResult, 'exchanges' | 'retrial'>,
  deciding: Exchange | undefined,
  evidence: ReadonlyMap<string, Exchange>,
): string | undefined {
  const isJudged = ({ operation }: Exchange) => id.startsWith(`${operation}.`);
  // What was wrongly accepted has nothing to do with what else was refused.
  if (deciding && isJudged(deciding) && (deciding.response?.status ?? 0) < 300) return undefined;
  const judged = cited(check)
    .flatMap((one) => evidence.get(one) ?? [])
    .filter(isJudged);
  return [...judged, ...(deciding ? [deciding] : [])]
    .filter(({ intent, wrong }) => !wrong && ['valid', 'refusable'].includes(intent))
    .flatMap((one) => reasonIn(one) ?? [])
    .at(-1);
}

/** A finding beside the target's own words. */
export const withSaid = (finding: string, said: string | undefined): string =>
  said === undefined ? finding : `${finding}; the target said “${said}”`;
