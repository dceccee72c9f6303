/** Shows verdicts with a sign, a word and a colour, never a colour alone. */
import type { RequirementResult } from '../../contracts/record.ts';
import { isKnownFailure } from '../verdicts.ts';
import { type Html, html } from './html.ts';

/** The ways to show a requirement, worst first: a cell shows the first that occurs in it. */
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

/** How a requirement is shown. A failed `should` is advice and makes no run nonconformant. */
export function shownOf(requirement: RequirementResult): Shown {
  if (!requirement.inScope) return 'out';
  if (isKnownFailure(requirement)) return 'known';
  return requirement.verdict === 'failed' && requirement.level === 'should' ? 'advice' : requirement.verdict;
}

/** The page's name for it, such as "failed as known". */
export const wordOf = (name: Shown): string => byName.get(name)!.word;

/** The sign alone, if the word is beside it or provided for screen readers. */
export const sign = (name: Shown): Html =>
  html`<span class="sign ${name}" aria-hidden="true">${byName.get(name)!.sign}</span>`;

/** Sign and word. */
export const badge = (name: Shown): Html => html`<span class="badge ${name}">${sign(name)} ${wordOf(name)}</span>`;

/** The id of a place in the page, safe in an attribute and in an address. */
export const anchor = (kind: string, id: string): string => `${kind}-${id.replace(/[^\w.-]/g, '_')}`;
