/**
 * What build servers are told of a requirement, in the terms of JUnit XML, and the evidence of it as text.
 *
 * What makes the exit code 1 is a `failure`, what could not be tried an `error`. Everything else that did not pass
 * (skipped, inconclusive, out of scope, known failures, failed shoulds) is `skipped`, with the verdict in its message.
 */
import type { CheckResult, RequirementResult } from '../contracts/record.ts';
import { decidingExchange } from './deciding.ts';
import { exchangeInWords } from './exchange-text.ts';
import { saidOf, withSaid } from './said.ts';
import { count, cut, visible } from './text.ts';
import { isKnownFailure } from './verdicts.ts';
import type { View } from './view.ts';

/** Maximum length of a target's text in a case, in characters. */
const LONGEST = 2000;

export interface Outcome {
  element: 'failure' | 'error' | 'skipped';
  type: string;
  message: string;
}

/** The outcome of a requirement for a build server; undefined if it passed. */
export function outcomeOf(requirement: RequirementResult): Outcome | undefined {
  const { verdict, level, inScope, known } = requirement;
  const reason = cut(requirement.reason, LONGEST);
  const skipped = (type: string, why = reason): Outcome => ({
    element: 'skipped',
    type,
    message: why === '' ? type : `${type}: ${why}`,
  });
  if (!inScope) return skipped('out of scope');
  if (isKnownFailure(requirement)) return skipped('known failure', `${known?.reason}`);
  if (level === 'must' && known && verdict === 'passed') {
    const message = `the known failure passes now; remove it from the list (its reason was: ${known.reason})`;
    return { element: 'failure', type: 'stale known failure', message };
  }
  if (verdict === 'passed') return undefined;
  if (level === 'should') return skipped(verdict === 'failed' ? 'advice, a should that failed' : verdict);
  if (verdict === 'failed') return { element: 'failure', type: 'nonconformant', message: reason };
  if (verdict === 'blocked') return { element: 'error', type: 'blocked', message: reason };
  return skipped(verdict);
}

/** The evidence of each check that failed, or was blocked. */
export function detailsOf(requirement: RequirementResult, view: View): string[] {
  const shown = requirement.checks.filter(({ verdict }) => verdict === 'failed' || verdict === 'blocked');
  return shown.map((check) => detail(requirement, check, view));
}

function detail(requirement: RequirementResult, check: CheckResult, { evidence }: View): string {
  const { name, message, difference, exchanges, retrial, further = [] } = check;
  const deciding = check.verdict === 'failed' ? decidingExchange(requirement, check, evidence) : undefined;
  const said = saidOf(requirement, check, deciding, evidence);
  const parts = [`${name}: ${withSaid(message, said)}`, ...compared(difference)];
  for (const one of further)
    parts.push(
      `also: ${one.message} (${count(one.times, 'exchange')}, such as ${one.example})`,
      ...compared(one.difference),
    );
  if (deciding)
    for (const [label, text] of exchangeInWords(deciding, difference?.pointer))
      parts.push(label ? `${label}: ${text}` : text);
  const showing = [...new Set([...(retrial?.once ?? []), ...exchanges])];
  if (showing.length > 0) parts.push(`exchanges ${showing.join(' ')}`);
  return parts.map((part) => visible(cut(part, LONGEST))).join('\n');
}

/** Expected and actual as lines of a diff, below the member that they are about. */
const compared = (difference: CheckResult['difference']): string[] =>
  difference
    ? [
        ...(difference.pointer ? [difference.pointer] : []),
        `- expected ${difference.expected}`,
        `+ actual   ${difference.actual}`,
      ]
    : [];
