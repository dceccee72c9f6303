/** Verdicts as the page shows them: a sign, a word and a colour, never a colour alone. */
import type { RequirementResult } from '../../contracts/record.ts';
import { isKnownFailure } from '../verdicts.ts';
import { type Html, html } from './html.ts';

/** What is shown for a requirement, worst first: a cell shows the first that occurs in it. */
export const SHOWN = [
  { name: 'failed', sign: '✕', word: 'failed' },
  { name: 'known', sign: '✕', word: 'failed as known' },
  { name: 'advice', sign: '!', word: 'should, not kept' },
  { name: 'blocked', sign: '⊘', word: 'blocked' },
  { name: 'inconclusive', sign: '?', word: 'inconclusive' },
  { name: 'skipped', sign: '–', word: 'skipped' },
  { name: 'notApplicable', sign: '○', word: 'not applicable' },
  { name: 'passed', sign: '✓', word: 'passed' },
  { name: 'out', sign: '·', word: 'out of scope' },
] as const;

export type Shown = (typeof SHOWN)[number]['name'];

const byName = new Map(SHOWN.map((shown) => [shown.name, shown]));

/** What is shown for a requirement. A failure of a `should` is advice: it makes no run nonconformant. */
export function shownOf(requirement: RequirementResult): Shown {
  if (!requirement.inScope) return 'out';
  if (isKnownFailure(requirement)) return 'known';
  return requirement.verdict === 'failed' && requirement.level === 'should' ? 'advice' : requirement.verdict;
}

/** What the page calls it, such as "failed as known". */
export const wordOf = (name: Shown): string => byName.get(name)!.word;

/** The sign alone, for where the word stands beside it or is given to those who hear the page. */
export const sign = (name: Shown): Html =>
  html`<span class="sign ${name}" aria-hidden="true">${byName.get(name)!.sign}</span>`;

/** Sign and word. */
export const badge = (name: Shown): Html => html`<span class="badge ${name}">${sign(name)} ${wordOf(name)}</span>`;

/** The id of a place in the page, safe in an attribute and in an address. */
export const anchor = (kind: string, id: string): string => `${kind}-${id.replace(/[^\w.-]/g, '_')}`;
